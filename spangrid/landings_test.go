package spangrid

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wend/pack/bnav"
	"wend/pack/bnvf"
)

func TestLandSide(t *testing.T) {
	const core = bnav.Walk | bnav.Core
	rec := func(h float32, region uint32, clr uint16, flags uint8) bnav.Record {
		return bnav.Record{H: h, Region: region, Clr: clr, Flags: flags}
	}
	nan := float32(math.NaN())
	for _, k := range []struct {
		name     string
		declared float32
		inside   bool
		cell     []bnav.Record
		why      uint8
		taken    int
	}{
		{"outside the grid", 0, false, nil, bnvf.WhyOutside, -1},
		{"nothing there", 0, true, nil, bnvf.WhyNoSurface, -1},
		{"only a record without height", 0, true, []bnav.Record{rec(0, 1, 0, bnav.Fill)}, bnvf.WhyNoSurface, -1},
		{"8 m are within the band", 8, true, []bnav.Record{rec(0, 1, 4, core)}, bnvf.WhyUsable, 0},
		{"more are not", 8.015625, true, []bnav.Record{rec(0, 1, 4, core)}, bnvf.WhyNoBand, -1},
		{"no height declared", nan, true, []bnav.Record{rec(0, 1, 4, core)}, bnvf.WhyNoBand, -1},
		{"not core", 1, true, []bnav.Record{rec(-3, 1, 0, 0), rec(0, 2, 0, bnav.Dead), rec(9.5, 4, 9, core)}, bnvf.WhyNotCore, 1},
		{"core is preferred", 1, true, []bnav.Record{rec(1, 1, 0, bnav.Dead), rec(6, 2, 9, core)}, bnvf.WhyUsable, 1},
		{"the nearest", 4, true, []bnav.Record{rec(1, 1, 2, core), rec(6, 2, 9, core), rec(11, 3, 9, core)}, bnvf.WhyUsable, 1},
		{"of equally near ones the first", 4, true, []bnav.Record{rec(6, 1, 2, core), rec(2, 2, 9, core)}, bnvf.WhyUsable, 0},
		{"a ghost may be core", 4, true, []bnav.Record{rec(4, 1, 2, core|bnav.Ghost)}, bnvf.WhyUsable, 0},
	} {
		got, taken := reference().LandSide(-3, 5, k.declared, k.inside, k.cell)
		want := bnvf.Side{GX: -3, GY: 5, Declared: k.declared, Why: k.why}
		if k.taken >= 0 {
			c := k.cell[k.taken]
			want.H, want.Region, want.Clr, want.Flags = c.H, c.Region, c.Clr, c.Flags
		}
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) })); diff != "" || taken != k.taken {
			t.Errorf("%s: record %d, want %d\n%s", k.name, taken, k.taken, diff)
		}
	}
}

func TestNewLanding(t *testing.T) {
	start := bnvf.Side{GX: 1, Why: bnvf.WhyUsable}
	end := bnvf.Side{GX: 2, Why: bnvf.WhyNotCore}
	for _, k := range []struct {
		dirs          uint8
		lo            int32
		bidirectional int32
		valid         uint8
		ok            bool
	}{
		{0, 0, 0, 0, false},
		{1, 1, 0, bnvf.LoUsable, true},
		{2, 2, 0, bnvf.HiUsable, true},
		{3, 1, 1, bnvf.LoUsable, true},
	} {
		l := bnav.OffMeshLink{Index: 7, ZoneID: 3, Kind: 1, Area: 4, LinkType: 5, Direction: 6, Radius: 2, CostModifier: 8, DirOK: k.dirs}
		got, ok := NewLanding(&l, start, end)
		if ok != k.ok {
			t.Errorf("directions %d: %v", k.dirs, ok)
		}
		if !ok {
			continue
		}
		want := bnvf.Landing{
			OffMesh: 7, ZoneID: 3, Kind: 1, Area: 4, LinkType: 5, Direction: 6, Radius: 2, CostModifier: 8,
			Bidirectional: k.bidirectional, Valid: k.valid, Lo: start, Hi: end,
		}
		if k.lo == 2 {
			want.Lo, want.Hi = end, start
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("directions %d:\n%s", k.dirs, diff)
		}
	}
	l := bnav.OffMeshLink{Points: [4]bnav.Vertex{{U: 1, V: 2, H: 3}, {U: 2, V: 4, H: 6}, {U: -1, V: 0, H: 0}, {U: -1, V: 0, H: 0}}}
	if a, b := LandingEnds(&l); a != (bnav.Vertex{U: 1.5, V: 3, H: 4.5}) || b != (bnav.Vertex{U: -1}) {
		t.Errorf("ends %v, %v", a, b)
	}
}
