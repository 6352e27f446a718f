package zone

import "math"

// SnapFallback is the radius of the second round of a snap, px.
const SnapFallback = 16.0

// Half-widths of the bands of heights that a snap prefers, m, closed.
const (
	FloorBand = 12.0 // about a floor
	DeckBand  = 2.0  // about a declared deck
)

// onTriangle is how far below zero a cross product of an edge and a point may be
// for the point to lie on the triangle, px².
const onTriangle = 1e-5

// Order says which of the triangles within reach a snap takes. Bands are
// preferences: where nothing lies within the band, something beyond it is
// taken. H is the mean height of a triangle's corners.
type Order uint8

const (
	// Highest: the nearest, then the highest, then one that is on no island,
	// then the first.
	Highest Order = iota
	// OnFloor: one within FloorBand of a height, then the nearest, then that
	// nearest in height, then one that is on no island, then the first.
	OnFloor
	// OnDeck: one within DeckBand of a height, then the nearest, then that
	// nearest in height, then the first.
	OnDeck
)

// Aim is what a snap looks for.
type Aim struct {
	U, V   float64 // point of the plane, px
	Radius float64 // px; SnapFallback is tried where nothing is found
	Order  Order
	Height float64 // of the floor or deck, m

	// Accept, where not nil, is asked about a triangle that would be taken.
	// It is only asked about one better than the best accepted so far.
	Accept func(t int32) bool
}

// Spot is the result of a snap.
type Spot struct {
	Triangle int32
	U, V     float64 // point of the triangle nearest to the aim, px
	Distance float64 // from the aim, px
	Height   float64 // mean of the triangle's corners, m
}

// A Snapper finds the triangle that a point of the plane belongs to. It keeps its
// scratch from one snap to the next and is for one goroutine.
type Snapper struct {
	z    *Zone
	near []int32
}

// NewSnapper returns a snapper for a zone.
func (z *Zone) NewSnapper() *Snapper { return &Snapper{z: z} }

// Snap returns where a point comes to stand, and false where no walkable
// triangle that is accepted lies within the radius and neither within
// SnapFallback. It looks at each triangle whose squares the radius touches.
func (s *Snapper) Snap(a *Aim) (Spot, bool) {
	if spot, ok := s.round(a, a.Radius); ok || !(a.Radius < SnapFallback) {
		return spot, ok
	}
	return s.round(a, SnapFallback)
}

// rank is the key of a candidate, compared from first to last. What all orders
// end with, the number of the triangle, is the order of candidates.
type rank [4]float64

func (r *rank) less(o *rank) bool {
	for i, v := range r {
		if v != o[i] {
			return v < o[i]
		}
	}
	return false
}

func (s *Snapper) round(a *Aim, radius float64) (best Spot, found bool) {
	z := s.z
	reach := Box{a.U - radius, a.V - radius, a.U + radius, a.V + radius}
	s.near = z.Near(s.near[:0], reach)
	var least rank
	for _, t := range s.near {
		// Without the box the tolerance would put points on the far
		// extension of a needle.
		if !z.Walkable[t] || !z.BoxOf(t).Touches(reach) {
			continue
		}
		u, v := z.nearest(t, a.U, a.V)
		d := math.Sqrt(square(a.U-u, a.V-v))
		if !(d <= radius) {
			continue
		}
		h := z.MeanHeight(t)
		k := a.rank(d, h, z.Island[t])
		if found && !k.less(&least) || a.Accept != nil && !a.Accept(t) {
			continue
		}
		best, least, found = Spot{t, u, v, d, h}, k, true
	}
	return best, found
}

func (a *Aim) rank(d, h float64, island bool) rank {
	off := math.Abs(h - a.Height)
	switch a.Order {
	case OnFloor:
		return rank{one(off > FloorBand), d, off, one(island)}
	case OnDeck:
		return rank{one(off > DeckBand), d, off}
	}
	return rank{d, -h, one(island)}
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Nearest returns the point of a triangle nearest to a point of the plane: what
// a snap that takes the triangle returns.
func (z *Zone) Nearest(t int32, u, v float64) (nu, nv float64) { return z.nearest(t, u, v) }

// MeanHeight returns the mean height of a triangle's corners, m.
func (z *Zone) MeanHeight(t int32) float64 {
	v := &z.Tris[t]
	return (float64(z.Verts[v[0]].H) + float64(z.Verts[v[1]].H) + float64(z.Verts[v[2]].H)) / 3
}
