package draw

import (
	"cmp"
	"math"
	"slices"
)

// depthTree orders pieces of a picture so that painting them one after the
// other hides what lies behind, also where they enclose or pass through each
// other. It works in pixels: x and y on paper and nearness to the eye.
//
// Space is halved at medians along four directions until few pieces are left; these
// few are ordered by a binary space partition along their own planes (Fuchs,
// Kedem, Naylor, "On visible surface generation by a priori tree structures",
// 1980). Halving first bounds the work to O(n log n) for pieces whose planes
// would not part the rest.
type depthTree struct {
	pieces []piece
	// pool of points; pieces keep what they cut from it.
	pool []deep
}

// piece is a convex polygon, a segment or a point.
type piece struct {
	mark  *mark // of the whole shape, shared by its pieces
	arrow bool  // the end of this piece is the end of an arrow
	pts   []deep
}

const (
	planeEps   = 0.02 // pixels: what is nearer to a plane lies in it
	lineNearer = 2.5  // pixels: lines and dots lie so much nearer than drawn
	leafPieces = 24
	maxHalving = 48
)

// add adds a fill, which has to be convex to be cut well, the segments of a
// line, or a point.
func (t *depthTree) add(m mark, ps []deep) {
	arrow := m.style.Arrow
	m.style.Arrow = false
	if m.kind == Fill {
		t.pieces = append(t.pieces, piece{&m, false, t.keep(ps)})
		return
	}
	for i := range ps {
		ps[i].near += lineNearer
	}
	if len(ps) == 1 {
		t.pieces = append(t.pieces, piece{&m, false, t.keep(ps)})
		return
	}
	for i := 1; i < len(ps); i++ {
		t.pieces = append(t.pieces, piece{&m, arrow && i == len(ps)-1, t.keep(ps[i-1 : i+1])})
	}
}

func (t *depthTree) keep(ps []deep) []deep {
	if len(ps) > cap(t.pool)-len(t.pool) {
		t.pool = make([]deep, 0, max(4096, len(ps)))
	}
	n := len(t.pool)
	t.pool = append(t.pool, ps...)
	return t.pool[n:len(t.pool):len(t.pool)]
}

// paint calls out for every piece, far ones first.
func (t *depthTree) paint(out func(*piece)) {
	slices.SortStableFunc(t.pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.mark.group, b.mark.group), cmp.Compare(a.mark.index, b.mark.index))
	})
	t.halve(t.pieces, 0, out)
}

// plane is the set of points where n·p = d; n is a unit vector.
type plane struct{ nx, ny, nn, d float64 }

func (q *plane) dist(p *deep) float64 {
	return float64(q.nx*p.x) + float64(q.ny*p.y) + float64(q.nn*p.near) - q.d
}

// halve paints ps after splitting it at the median of its widest direction.
func (t *depthTree) halve(ps []piece, level int, out func(*piece)) {
	if len(ps) <= leafPieces || level >= maxHalving {
		t.part(ps, 0, out)
		return
	}
	cut := medianPlane(ps)
	far, in, near := t.split(&cut, ps)
	if len(far) > len(ps)*9/10 || len(near) > len(ps)*9/10 {
		// Most pieces cross: halving would only multiply them.
		t.part(ps, 0, out)
		return
	}
	t.halve(far, level+1, out)
	t.part(in, 0, out)
	t.halve(near, level+1, out)
}

// halvings are the normals of the planes that halve space. All lean towards
// the eye, so that the width of a line on one side cannot reach in front of
// what is on the other.
const halvings = 4

func halvingNormal(i int) plane {
	const h = 0.7071067811865476
	switch i {
	case 0:
		return plane{nx: h, nn: h}
	case 1:
		return plane{nx: -h, nn: h}
	case 2:
		return plane{ny: h, nn: h}
	}
	return plane{ny: -h, nn: h}
}

// medianPlane returns the plane across the direction along which the middles
// of the pieces vary most, through their median.
func medianPlane(ps []piece) plane {
	var vals [halvings][]float64
	best, most := 0, math.Inf(-1)
	for k := range halvings {
		q := halvingNormal(k)
		vals[k] = make([]float64, len(ps))
		lo, hi := math.Inf(1), math.Inf(-1)
		for i := range ps {
			sum := 0.0
			for j := range ps[i].pts {
				sum += q.dist(&ps[i].pts[j])
			}
			v := sum / float64(len(ps[i].pts))
			vals[k][i] = v
			lo, hi = min(lo, v), max(hi, v)
		}
		if hi-lo > most {
			best, most = k, hi-lo
		}
	}
	slices.Sort(vals[best])
	q := halvingNormal(best)
	q.d = vals[best][len(ps)/2]
	return q
}

// part paints ps by the planes of its fills.
func (t *depthTree) part(ps []piece, level int, out func(*piece)) {
	const maxLevel = 400 // bad shapes only; the rest is painted as it comes
	root := -1
	var cut plane
	if level < maxLevel {
		root, cut = chooseRoot(ps)
	}
	if root < 0 {
		for i := range ps {
			out(&ps[i])
		}
		return
	}
	// The root and what lies in its plane come between the two sides.
	far, in, near := t.split(&cut, ps)
	if len(in) == 0 {
		// A fill so warped that it leaves its own plane.
		for i := range ps {
			out(&ps[i])
		}
		return
	}
	t.part(far, level+1, out)
	for i := range in {
		out(&in[i])
	}
	t.part(near, level+1, out)
}

// chooseRoot returns the fill whose plane cuts the fewest others, of a few
// candidates; -1 when there is no fill or nothing to part.
func chooseRoot(ps []piece) (int, plane) {
	const candidates = 6
	if len(ps) < 2 {
		return -1, plane{}
	}
	best, bestCuts := -1, math.MaxInt
	var bestPlane plane
	fills := 0
	for i := range ps {
		if ps[i].mark.kind == Fill {
			fills++
		}
	}
	step := max(fills/candidates, 1)
	k := 0
	for i := range ps {
		if ps[i].mark.kind != Fill {
			continue
		}
		k++
		if (k-1)%step != 0 {
			continue
		}
		q, ok := planeOf(ps[i].pts)
		if !ok {
			continue
		}
		cuts := 0
		for j := range ps {
			if side(&q, ps[j].pts) == crossing {
				cuts++
			}
		}
		if cuts < bestCuts {
			best, bestCuts, bestPlane = i, cuts, q
		}
	}
	return best, bestPlane
}

// planeOf returns the plane of a polygon, its normal towards the eye.
func planeOf(ps []deep) (plane, bool) {
	var q plane
	var cx, cy, cn float64
	a := &ps[len(ps)-1]
	for i := range ps {
		b := &ps[i]
		q.nx += float64((a.y - b.y) * (a.near + b.near))
		q.ny += float64((a.near - b.near) * (a.x + b.x))
		q.nn += float64((a.x - b.x) * (a.y + b.y))
		cx, cy, cn = cx+b.x, cy+b.y, cn+b.near
		a = b
	}
	n := math.Sqrt(sq(q.nx) + sq(q.ny) + sq(q.nn))
	if !(n > 0) || math.IsInf(n, 0) {
		return q, false
	}
	if q.nn < 0 {
		n = -n
	}
	q.nx, q.ny, q.nn = q.nx/n, q.ny/n, q.nn/n
	c := deep{point{cx / float64(len(ps)), cy / float64(len(ps))}, cn / float64(len(ps))}
	q.d = q.dist(&c)
	return q, true
}

type relation uint8

const (
	inPlane relation = iota
	nearer
	farther
	crossing
)

func side(q *plane, ps []deep) relation {
	r := inPlane
	for i := range ps {
		switch d := q.dist(&ps[i]); {
		case d > planeEps:
			r |= nearer
		case d < -planeEps:
			r |= farther
		}
	}
	return r
}

// split sorts pieces by the side of a plane on which they lie, and cuts those
// that cross it.
func (t *depthTree) split(q *plane, ps []piece) (far, in, near []piece) {
	far = make([]piece, 0, len(ps))
	near = make([]piece, 0, len(ps))
	var lo, hi [32]deep
	for i := range ps {
		p := &ps[i]
		switch side(q, p.pts) {
		case inPlane:
			in = append(in, *p)
		case nearer:
			near = append(near, *p)
		case farther:
			far = append(far, *p)
		default:
			least := 3
			if p.mark.kind != Fill {
				least = 2
			}
			l, h := cutPiece(q, p, lo[:0], hi[:0])
			// An arrow head goes with the end of the line.
			endsFar := q.dist(&p.pts[len(p.pts)-1]) < 0
			if len(l) >= least {
				far = append(far, piece{p.mark, p.arrow && endsFar, t.keep(l)})
			}
			if len(h) >= least {
				near = append(near, piece{p.mark, p.arrow && !endsFar, t.keep(h)})
			}
		}
	}
	return far, in, near
}

// cutPiece appends the parts of p behind and before a plane.
func cutPiece(q *plane, p *piece, lo, hi []deep) (behind, before []deep) {
	n := len(p.pts)
	for i := range p.pts {
		b := &p.pts[i]
		db := q.dist(b)
		if i > 0 || p.mark.kind == Fill {
			a := &p.pts[(i+n-1)%n]
			da := q.dist(a)
			if da < 0 && db > 0 || da > 0 && db < 0 {
				// Always from the same end, so that neighbours are cut in
				// the same place.
				if da > db {
					a, b, da, db = b, a, db, da
				}
				t := da / (da - db)
				c := deep{point{a.x + float64((b.x-a.x)*t), a.y + float64((b.y-a.y)*t)}, a.near + float64((b.near-a.near)*t)}
				lo, hi = append(lo, c), append(hi, c)
				b = &p.pts[i]
				db = q.dist(b)
			}
		}
		if db <= 0 {
			lo = append(lo, *b)
		}
		if db >= 0 {
			hi = append(hi, *b)
		}
	}
	return lo, hi
}
