package grid

import (
	"math"
	"testing"
)

// TestUnitsHoldTheDearestWay: on a map of any size and cost two thirds of its
// cells, all entered by diagonal steps, cost less than the limit, and the limit
// with one more step is an integer still; the diagonal step is as long as it can be
// told at that grain, which is the finest one where nothing asks for less.
func TestUnitsHoldTheDearestWay(t *testing.T) {
	for _, size := range [][2]int32{{1, 1}, {100, 100}, {512, 512}, {1024, 1024}, {4096, 4096}, {MaxSide, 2048}, {8192, 8192}} {
		for _, most := range []uint16{1, costScale, 10 * costScale, MaxCost * costScale} {
			for _, costs := range [][]uint16{nil, {}} {
				m := &Map{rows: surface{w: size[0], h: size[1]}, costs: costs, counts: map[uint16]int{}, least: 1, most: most}
				u := unitsOf(m, Moves{})
				cost := float64(1)
				if costs != nil {
					cost = float64(most)
				}
				step := float64(u.diag) * cost
				cells := float64(size[0]) * float64(size[1])
				if cells*2/3*step >= float64(noLimit) || float64(noLimit)+2*MaxSide*step > math.MaxInt64 {
					t.Errorf("%v cells of cost %v: a step is %v", size, cost, step)
				}
				if math.Abs(float64(u.diag)-float64(u.one)*math.Sqrt2) > 0.5 {
					t.Errorf("%v cells of cost %v: steps of %d and %d", size, cost, u.one, u.diag)
				}
				if costs != nil && u.one < oneWeighted && 4*cells*cost*float64(u.one) < float64(noLimit) {
					t.Errorf("%v cells of cost %v: a step of %d is coarser than need be", size, cost, u.one)
				}
				if costs != nil && u.one == oneWeighted && u.diag != rootWeighted {
					t.Errorf("a diagonal step of %d", u.diag)
				}
			}
		}
	}
}
