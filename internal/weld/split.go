package weld

import (
	"cmp"
	"context"
	"math"
	"slices"

	"wend/geom"
)

// grid lists the vertices of the result by squares seen from above.
type grid struct {
	side   float64
	x0, z0 float64
	nx, nz int
	start  []int32
	vert   []int32
}

// index fills the grid, with about one vertex a square.
func (w *welder) index() {
	box := geom.EmptyBox()
	for _, v := range w.r.Verts {
		box = box.Extend(v)
	}
	n := len(w.r.Verts)
	if n == 0 {
		return
	}
	g := &w.g
	area := (box.Max.X - box.Min.X) * (box.Max.Z - box.Min.Z)
	longest := max(box.Max.X-box.Min.X, box.Max.Z-box.Min.Z)
	g.side = max(math.Sqrt(area/float64(n)), longest/4096, 4*w.o.Tol)
	g.x0, g.z0 = box.Min.X, box.Min.Z
	g.nx, g.nz = int((box.Max.X-g.x0)/g.side)+1, int((box.Max.Z-g.z0)/g.side)+1
	g.start = make([]int32, g.nx*g.nz+1)
	for _, v := range w.r.Verts {
		g.start[g.square(v.X, v.Z)+1]++
	}
	for i := range g.nx * g.nz {
		g.start[i+1] += g.start[i]
	}
	at := slices.Clone(g.start)
	g.vert = make([]int32, n)
	for i, v := range w.r.Verts {
		s := g.square(v.X, v.Z)
		g.vert[at[s]] = int32(i)
		at[s]++
	}
}

func (g *grid) col(x float64) int { return min(max(int((x-g.x0)/g.side), 0), g.nx-1) }
func (g *grid) row(z float64) int { return min(max(int((z-g.z0)/g.side), 0), g.nz-1) }

func (g *grid) square(x, z float64) int { return g.row(z)*g.nx + g.col(x) }

// on is a vertex on an edge, and how far along it lies.
type on struct {
	vert uint32
	t    float64
}

// along appends the vertices on the edge from a to b, in order.
func (w *welder) along(dst []uint32, a, b uint32) []uint32 {
	p, q := w.r.Verts[a], w.r.Verts[b]
	length2 := distance2(p, q)
	if length2 <= 4*w.o.Tol*w.o.Tol {
		return dst
	}
	g, tol := &w.g, w.o.Tol
	var found []on
	z0, z1 := g.row(min(p.Z, q.Z)-tol), g.row(max(p.Z, q.Z)+tol)
	for z := z0; z <= z1; z++ {
		// the columns that the edge passes in this row of squares
		x0, x1 := stretch(p, q, g.z0+float64(z)*g.side-tol, g.z0+float64(z+1)*g.side+tol)
		for s := z*g.nx + g.col(x0-tol); s <= z*g.nx+g.col(x1+tol); s++ {
			for _, v := range g.vert[g.start[s]:g.start[s+1]] {
				if uint32(v) == a || uint32(v) == b {
					continue
				}
				if t, ok := w.lies(w.r.Verts[v], p, q, length2); ok {
					found = append(found, on{uint32(v), t})
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b on) int { return cmp.Or(cmp.Compare(a.t, b.t), cmp.Compare(a.vert, b.vert)) })
	for i, f := range found {
		if i > 0 && (f.t-found[i-1].t)*math.Sqrt(length2) <= tol {
			continue // two storeys of corners in one place: the first
		}
		dst = append(dst, f.vert)
	}
	return dst
}

// stretch returns the range of X of the part of a segment between two Z.
func stretch(p, q geom.Vec3, z0, z1 float64) (x0, x1 float64) {
	if p.Z > q.Z {
		p, q = q, p
	}
	t0, t1 := 0.0, 1.0
	if d := q.Z - p.Z; d > 0 {
		t0, t1 = min(max((z0-p.Z)/d, 0), 1), min(max((z1-p.Z)/d, 0), 1)
	}
	xa, xb := p.X+float64(t0*(q.X-p.X)), p.X+float64(t1*(q.X-p.X))
	return min(xa, xb), max(xa, xb)
}

// lies reports whether v lies on the edge p-q, and how far along.
func (w *welder) lies(v, p, q geom.Vec3, length2 float64) (float64, bool) {
	tol := w.o.Tol
	t := (float64((v.X-p.X)*(q.X-p.X)) + float64((v.Z-p.Z)*(q.Z-p.Z))) / length2
	at := geom.V3(p.X+float64(t*(q.X-p.X)), p.Y+float64(t*(q.Y-p.Y)), p.Z+float64(t*(q.Z-p.Z)))
	if distance2(v, at) > tol*tol || math.Abs(v.Y-at.Y) > w.o.HeightTol {
		return 0, false
	}
	return t, t > 0 && t < 1 && distance2(v, p) > tol*tol && distance2(v, q) > tol*tol
}

// triangles writes the triangles with their new corners, split where corners lie
// on their edges.
func (w *welder) triangles(ctx context.Context, tris [][3]uint32, moved []uint32) error {
	seen := make(map[[3]uint32]bool, len(tris))
	var edges [3][]uint32
	for s, t := range tris {
		if s&0xfff == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		v := [3]uint32{moved[t[0]], moved[t[1]], moved[t[2]]}
		key := v
		slices.Sort(key[:])
		if key[0] == key[1] || key[1] == key[2] || seen[key] {
			w.r.Dropped = append(w.r.Dropped, uint32(s))
			continue
		}
		seen[key] = true
		// Points are looked for along each edge in one direction, so both
		// triangles that share it find the same ones.
		for k := range 3 {
			a, b := v[k], v[(k+1)%3]
			edges[k] = w.along(edges[k][:0], min(a, b), max(a, b))
			if a > b {
				slices.Reverse(edges[k])
			}
			if len(edges[k]) > 0 {
				w.r.Split++
			}
		}
		w.fan(uint32(s), v, edges)
	}
	return nil
}

// fan writes the pieces of a triangle: triangles from the corner opposite to the
// first split edge; what the other two edges are split by goes to the outer
// pieces.
func (w *welder) fan(source uint32, v [3]uint32, edges [3][]uint32) {
	for k := range 3 {
		on := edges[k]
		if len(on) == 0 {
			continue
		}
		a, b, c := v[k], v[(k+1)%3], v[(k+2)%3]
		next, last := edges[(k+1)%3], edges[(k+2)%3] // b-c and c-a
		for i := 0; i <= len(on); i++ {
			from, to := a, b
			if i > 0 {
				from = on[i-1]
			}
			if i < len(on) {
				to = on[i]
			}
			var piece [3][]uint32
			if i == len(on) {
				piece[1] = next
			}
			if i == 0 {
				piece[2] = last
			}
			w.fan(source, [3]uint32{from, to, c}, piece)
		}
		return
	}
	if v[0] != v[1] && v[1] != v[2] && v[0] != v[2] {
		w.r.Tris = append(w.r.Tris, v)
		w.r.Source = append(w.r.Source, source)
	}
}

// manifold lists the edges that more than two triangles share, or two in the
// same direction.
func (w *welder) manifold() {
	type side struct {
		low, high uint32
		down      bool
	}
	all := make([]side, 0, 3*len(w.r.Tris))
	for _, t := range w.r.Tris {
		for k := range 3 {
			a, b := t[k], t[(k+1)%3]
			all = append(all, side{min(a, b), max(a, b), a > b})
		}
	}
	slices.SortFunc(all, func(a, b side) int {
		return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(a.high, b.high))
	})
	for i := 0; i < len(all); {
		j, down := i, 0
		for ; j < len(all) && all[j].low == all[i].low && all[j].high == all[i].high; j++ {
			if all[j].down {
				down++
			}
		}
		if down > 1 || j-i-down > 1 {
			w.r.NonManifold = append(w.r.NonManifold, [2]uint32{all[i].low, all[i].high})
		}
		i = j
	}
}
