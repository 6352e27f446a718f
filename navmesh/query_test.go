package navmesh

import (
	"errors"
	"math"
	"testing"

	"wend/geom"
)

var badPoints = []geom.Vec3{
	{X: math.NaN()},
	{Y: math.NaN()},
	{Z: math.NaN()},
	{X: math.Inf(1)},
	{Y: math.Inf(-1)},
	{Z: math.Inf(1)},
	{X: 1e300},
	{Y: -1e300},
	{Z: math.MaxFloat64},
}

func TestBadPoints(t *testing.T) {
	m, _ := mustNew(t, plainParams(), fullTile())
	q := m.NewQuery()
	for _, p := range badPoints {
		r, err := q.Nearest(p, nil)
		var pe *PointError
		if !errors.Is(err, ErrBadPoint) || !errors.Is(err, ErrBadInput) || !errors.As(err, &pe) || r.Found || r.Poly != NoPoly {
			t.Errorf("Nearest(%v): %+v, %v", p, r, err)
		}
		if _, _, ok := m.ClosestPoint(0, p); ok {
			t.Errorf("ClosestPoint at %v is ok", p)
		}
		if _, ok := m.ClosestOnBoundary(0, p); ok {
			t.Errorf("ClosestOnBoundary at %v is ok", p)
		}
		if p.Y != 0 {
			continue
		}
		if ls, err := q.AppendSurfaces(nil, p.X, p.Z, 1, nil); !errors.Is(err, ErrBadPoint) || ls != nil {
			t.Errorf("AppendSurfaces(%v): %v, %v", p, ls, err)
		}
		if _, ok := m.Height(0, p.X, p.Z); ok {
			t.Errorf("Height at %v is ok", p)
		}
	}
	// The smallest numbers are points like others.
	tiny := math.SmallestNonzeroFloat64
	r, err := q.Nearest(geom.V3(tiny, -tiny, tiny), nil)
	if err != nil || !r.Found || r.Poly != 0 {
		t.Errorf("denormals: %+v, %v", r, err)
	}
	// The farthest point that is allowed misses by the right distance.
	r, err = q.Nearest(geom.V3(-PointLimit, 0, 0), nil)
	if err != nil || r.Found || r.MissDistance != PointLimit {
		t.Errorf("far point: %+v, %v", r, err)
	}
	for i := range PolyID(5) {
		_, _, ok := m.ClosestPoint(i, geom.Vec3{})
		_, onEdge := m.ClosestOnBoundary(i, geom.Vec3{})
		_, high := m.Height(i, 5, 2)
		if ok != (i < 3) || onEdge != (i < 2) || high != (i == 1) {
			t.Errorf("polygon %d: %v %v %v", i, ok, onEdge, high)
		}
	}
}

func TestBadOptions(t *testing.T) {
	m, _ := mustNew(t, plainParams(), fullTile())
	q := m.NewQuery()
	nan := math.NaN()
	for _, o := range []NearestOptions{
		{HalfExtents: geom.V3(nan, 1, 1)},
		{HalfExtents: geom.V3(1, -1, 1)},
		{HalfExtents: geom.V3(1, 1, math.Inf(1))},
		{HeightWeight: nan},
		{HeightWeight: -1},
		{HeightWeight: 1e300},
		{Policy: PolicyHighest + 1},
	} {
		var oe *OptionError
		if _, err := q.Nearest(geom.Vec3{}, &o); !errors.As(err, &oe) || !errors.Is(err, ErrBadInput) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	for _, r := range []float64{nan, -1, 1e300} {
		if _, err := q.AppendSurfaces(nil, 0, 0, r, nil); !errors.Is(err, ErrBadInput) {
			t.Errorf("radius %v: %v", r, err)
		}
	}
}

func TestFilter(t *testing.T) {
	m, _ := mustNew(t, plainParams(), func() Tile {
		tile := sheetTile(sheet{0, 0, 1, 1, 0}, sheet{2, 0, 3, 1, 0}, sheet{4, 0, 5, 1, 0}, sheet{6, 0, 7, 1, 0})
		for i, f := range []uint16{FlagWalk, FlagWalk | FlagNoGo, 0, 2} {
			tile.Polys[i].Flags = f
		}
		return tile
	}())
	for _, c := range []struct {
		f    *Filter
		want [4]bool
	}{
		{nil, [4]bool{true, false, false, true}},
		{&Filter{}, [4]bool{true, false, false, true}},
		{&Filter{ExcludeFlags: 2}, [4]bool{true, false, false, false}},
		{&Filter{IncludeFlags: FlagWalk}, [4]bool{true, true, false, false}},
		{&Filter{IncludeFlags: math.MaxUint16}, [4]bool{true, true, false, true}},
	} {
		var got [4]bool
		for p := range got {
			got[p] = c.f.Open(m, PolyID(p))
		}
		if got != c.want || c.f.Open(m, 4) {
			t.Errorf("%+v: open %v, want %v", c.f, got, c.want)
		}
		r, err := m.NewQuery().Nearest(geom.V3(2.5, 0, 0.5), &NearestOptions{Filter: c.f})
		if err != nil || (r.Poly == 1) != c.want[1] {
			t.Errorf("%+v: nearest is %d, %v", c.f, r.Poly, err)
		}
	}
	for _, c := range []struct {
		cost float64
		ok   bool
	}{{0, true}, {MinAreaCost, true}, {MaxAreaCost, true}, {-1, false}, {math.NaN(), false}, {math.Inf(1), false}, {1e-300, false}} {
		f := &Filter{}
		f.AreaCost[7] = c.cost
		var fe *FilterError
		if err := f.Validate(); (err == nil) != c.ok || err != nil && (!errors.As(err, &fe) || fe.Area != 7 || !errors.Is(err, ErrBadInput)) {
			t.Errorf("cost %v: %v", c.cost, err)
		}
	}
	var nilFilter *Filter
	if err := nilFilter.Validate(); err != nil {
		t.Error(err)
	}
	var costs [64]float64
	f := &Filter{}
	f.AreaCost[3], f.AreaCost[5] = 0.5, 20
	if least := f.costs(&costs); least != 0.5 || costs[3] != 0.5 || costs[5] != 20 || costs[0] != 1 {
		t.Errorf("least %v of %v", least, costs)
	}
}

func TestSideOf(t *testing.T) {
	tile := Tile{Bounds: [2]geom.Vec3f{{X: 0, Z: 0}, {X: 10, Z: 10}}}
	for _, c := range []struct {
		x, z float32
		want uint8
	}{
		{5, 5, InsideTile},
		{0, 0, InsideTile},
		{10, 5, 0},
		{11, 11, 1},
		{5, 10, 2},
		{-1, 12, 3},
		{-1, 5, 4},
		{-1, -1, 5},
		{5, -1, 6},
		{10, -1, 7},
	} {
		if got := tile.SideOf(geom.Vec3f{X: c.x, Z: c.z}); got != c.want {
			t.Errorf("(%v, %v) is on side %d, want %d", c.x, c.z, got, c.want)
		}
	}
}

// TestSurfaceOfDetail checks heights and closest points on a square with a
// raised middle.
func TestSurfaceOfDetail(t *testing.T) {
	m, _ := mustNew(t, plainParams(), fullTile())
	for _, c := range []struct {
		pos  geom.Vec3
		want geom.Vec3
		over bool
	}{
		{geom.V3(2, 9, 2), geom.V3(2, 0.25, 2), true},
		{geom.V3(1, 0, 2), geom.V3(1, 0.125, 2), true},
		{geom.V3(2, 0, 3), geom.V3(2, 0.125, 3), true},
		{geom.V3(0, 0, 0), geom.V3(0, 0, 0), true},
		{geom.V3(0, 5, 2), geom.V3(0, 0, 2), true},
		{geom.V3(-1, 5, 2), geom.V3(0, 0, 2), false},
		{geom.V3(-1, 5, -3), geom.V3(0, 0, 0), false},
	} {
		got, over, ok := m.ClosestPoint(0, c.pos)
		if !ok || got != c.want || over != c.over {
			t.Errorf("closest to %v: %v, %v", c.pos, got, over)
		}
	}
	if at, _ := m.ClosestOnBoundary(0, geom.V3(1, 0, 2)); at != geom.V3(0, 0, 2) {
		t.Errorf("boundary point %v", at)
	}
	// Without detail a polygon is its fan; a connection is a segment.
	flat := fullTile()
	flat.DetailSubs, flat.DetailTris, flat.DetailVerts = nil, nil, nil
	flat.Verts[2].Y = 1 // the corner across
	m, _ = mustNew(t, plainParams(), flat)
	if y, ok := m.Height(0, 2, 2); !ok || y != 0.5 {
		t.Errorf("height on the fan %v", y)
	}
	if at, over, ok := m.ClosestPoint(2, geom.V3(4, 9, 2)); !ok || !over || at != geom.Lerp(m.Poly(2).Corner(0), m.Poly(2).Corner(1), 0.5) {
		t.Errorf("middle of the connection: %v, %v", at, over)
	}
}

func TestNearestAllocatesNothing(t *testing.T) {
	m, _ := mustNew(t, plainParams(), fullTile(), func() Tile {
		tile := sheetTile(sheet{0, 0, 4, 4, 3})
		tile.X = 1
		return tile
	}())
	q := m.NewQuery()
	o := &NearestOptions{Policy: PolicyBelow, Filter: &Filter{ExcludeFlags: 4}}
	var dst []Location
	n := testing.AllocsPerRun(100, func() {
		for _, p := range []geom.Vec3{{X: 1, Z: 1}, {X: 50, Z: 1}, {X: 1, Y: 3, Z: 2}} {
			if _, err := q.Nearest(p, nil); err != nil {
				t.Fatal(err)
			}
			if _, err := q.Nearest(p, o); err != nil {
				t.Fatal(err)
			}
			dst, _ = q.AppendSurfaces(dst[:0], p.X, p.Z, 1, o.Filter)
			m.ClosestPoint(1, p)
			m.CanReach(0, 2)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
	if len(dst) != 2 {
		t.Errorf("surfaces %v", dst)
	}
}
