package navmesh

import (
	"fmt"
	"math"
)

// Filter says which polygons a query may use and what walking on them costs.
// A nil Filter and the zero value take every polygon that has a flag and not
// FlagNoGo, at its length.
//
// A filter only removes ways: what Mesh.CanReach denies, no filter opens.
type Filter struct {
	// A polygon is open when it has a flag of IncludeFlags and none of
	// ExcludeFlags. IncludeFlags 0 stands for all flags and closes FlagNoGo; to
	// open that, include it by name. A polygon without any flag is closed to
	// every filter, as in Detour.
	IncludeFlags, ExcludeFlags uint16
	// AreaCost is the cost of a metre on each area. 0 stands for 1; anything
	// else has to be positive, finite and no smaller than MinAreaCost.
	AreaCost [64]float64
}

// MinAreaCost is the smallest cost of a metre, MaxAreaCost the largest: in
// that range the sums of a search keep their precision.
const (
	MinAreaCost = 1e-3
	MaxAreaCost = 1e6
)

// FilterError says which field of a Filter makes no sense. It wraps
// ErrBadInput.
type FilterError struct {
	Area int // index in AreaCost
	Cost float64
}

func (e *FilterError) Error() string {
	return fmt.Sprintf("navmesh: filter: AreaCost[%d]: want %g to %g (0 for 1), got %v", e.Area, MinAreaCost, MaxAreaCost, e.Cost)
}

// Unwrap returns ErrBadInput.
func (e *FilterError) Unwrap() error { return ErrBadInput }

// Validate returns a *FilterError for the first cost out of range. Every query
// that takes costs validates by itself.
func (f *Filter) Validate() error {
	if f == nil {
		return nil
	}
	for i, c := range f.AreaCost {
		if c != 0 && !(c >= MinAreaCost && c <= MaxAreaCost) {
			return &FilterError{Area: i, Cost: c}
		}
	}
	return nil
}

// flagTest is the part of a filter that opens and closes polygons.
type flagTest struct{ include, exclude uint16 }

func (f *Filter) flags() flagTest {
	if f == nil {
		return flagTest{math.MaxUint16, FlagNoGo}
	}
	if f.IncludeFlags == 0 {
		return flagTest{math.MaxUint16, f.ExcludeFlags | FlagNoGo}
	}
	return flagTest{f.IncludeFlags, f.ExcludeFlags}
}

func (t flagTest) open(flags uint16) bool {
	return flags&t.include != 0 && flags&t.exclude == 0
}

// Open reports whether f lets a query use polygon p of m.
func (f *Filter) Open(m *Mesh, p PolyID) bool {
	return m.Valid(p) && f.flags().open(m.polys[p].flags)
}

// costs fills dst with the cost of a metre on each area and returns the
// smallest of them.
func (f *Filter) costs(dst *[64]float64) (least float64) {
	least = math.Inf(1)
	for i := range dst {
		c := 1.0
		if f != nil && f.AreaCost[i] != 0 {
			c = f.AreaCost[i]
		}
		dst[i] = c
		least = min(least, c)
	}
	return least
}
