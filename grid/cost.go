package grid

import (
	"math"
	"math/bits"
)

// Costs inside a search are integers, so that every algorithm adds up the same
// number for the same route and finds the same least one, whatever the order
// of its additions. On a ground without costs a straight step is 2^36 and a
// diagonal one the nearest integer to 2^36 times the square root of two. Two
// routes that differ by p straight and q diagonal steps differ in length by at
// least 1/(3q), and in the integers by that give or take q*2^-37: below some
// 200,000 diagonal steps the order of the integers is the order of the true
// lengths. And two routes have the same integer only if they have the same number
// of steps of each kind, for the diagonal step is odd. That is why the float64 that is reported, straight + diagonal*sqrt(2), is the same for every
// algorithm to the last bit.
//
// With costs a step into a cell of cost c/256 is c*2^26 or c times the nearest
// integer to 2^26 times the square root of two; two routes of one integer have
// the same sums unless these differ by 131,072 times a cost of 1. Where that
// many cells of the largest cost could add up to more than an integer holds, as
// in a maze of a million cells that all cost 255, the grain is coarser by as
// many powers of two as are needed, for all searches of that ground alike.
const (
	uniformShift  = 36
	oneUniform    = 1 << uniformShift
	rootUniform   = 97184015999 // 2^36 * sqrt(2) = 97184015999.06...
	weightedShift = 26
	oneWeighted   = 1 << weightedShift
	rootWeighted  = 94906266 // 2^26 * sqrt(2) = 94906265.62...

	// noLimit is more than any shortest route, which cannot pass two thirds of
	// the cells: it would touch itself and be cut short there. Sums with one
	// more step or estimate stay far from overflow.
	noLimit  = int64(1) << sumShift
	sumShift = 62
)

// units are the lengths of a step, for the least cost on the ground.
type units struct {
	one, diag int64
	scale     float64 // units in a cost of 1
}

func unitsOf(m *Map, mv Moves) units {
	u := units{one: oneUniform, diag: rootUniform, scale: oneUniform}
	if m.Weighted() {
		cells := uint64(m.rows.w) * uint64(m.rows.h)
		shift := min(weightedShift, sumShift-bits.Len64(cells*uint64(m.most)))
		u = units{one: 1 << shift, diag: (rootUniform>>(uniformShift-shift-1) + 1) >> 1}
		u.scale = float64(u.one * costScale)
	}
	if mv.Diagonal == Unit || mv.Neighbours != Eight {
		u.diag = u.one
	}
	return u
}

// limit turns a cost of the caller's into units that no route within it exceeds,
// so it allows for the rounding of the diagonal step; what comes out a hair
// dearer than the cost is told by run.affords.
func (u units) limit(cost float64) int64 {
	if cost <= 0 {
		return noLimit
	}
	slack := max(float64(u.diag)/(float64(u.one)*math.Sqrt2)-1, 0) + 0x1p-48
	f := math.Ceil(cost*u.scale*(1+slack)) + 1
	if !(f < float64(noLimit)) {
		return noLimit
	}
	return int64(f)
}

// affords reports whether a route of a cost is within MaxCost. The hair is for
// sums of the caller's that were added up in another order.
func (r *run) affords(cost float64) bool {
	return r.opts.MaxCost == 0 || cost <= float64(r.opts.MaxCost*(1+0x1p-50))
}

// octile is the length of the shortest way over open squares: diagonal steps
// while both coordinates differ. diag = 2*one gives Manhattan distance.
func octile(dx, dy int32, one, diag int64) int64 {
	if dx < 0 {
		dx = -dx
	}
	if dy < 0 {
		dy = -dy
	}
	lo, hi := min(dx, dy), max(dx, dy)
	return int64(hi)*one + int64(lo)*(diag-one)
}

// hexSteps is the number of steps between two hexagons.
func hexSteps(a, b Cell) int64 {
	dq, dr := hexDelta(a, b)
	return (abs64(dq) + abs64(dr) + abs64(dq+dr)) / 2
}

// hexDelta is b-a along two axes 60 degrees apart.
func hexDelta(a, b Cell) (dq, dr int64) {
	qa := int64(a.X) - int64(a.Y-a.Y&1)/2
	qb := int64(b.X) - int64(b.Y-b.Y&1)/2
	return qb - qa, int64(b.Y - a.Y)
}

// squared returns the squared straight-line distance between the middles of
// two cells.
func squared(n Neighbours, a, b Cell) int64 {
	if n == Six {
		dq, dr := hexDelta(a, b)
		return dq*dq + dq*dr + dr*dr
	}
	dx, dy := int64(b.X-a.X), int64(b.Y-a.Y)
	return dx*dx + dy*dy
}

func abs64(v int64) int64 {
	if v < 0 {
		return -v
	}
	return v
}
