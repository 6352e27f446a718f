package spanroute

import (
	"errors"
	"strings"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/route"
	"wend/spangrid"
)

// loadThree loads the packs of three zones, to be broken.
func loadThree(t *testing.T, before func(*bnav.Pack)) (*bnav.Pack, *bnvf.Fields) {
	t.Helper()
	res, err := threeZones()
	if err != nil {
		t.Fatal(err)
	}
	p, err := bnav.Load(t.Context(), res.Main, nil)
	if err != nil {
		t.Fatal(err)
	}
	if before != nil {
		before(p)
	}
	f, _, err := bnvf.Check(t.Context(), res.Fields, p, nil) // faults are what is wanted
	if err != nil || f == nil {
		t.Fatal(f, err)
	}
	return p, f
}

// TestDataThatCannotBeUsed breaks one thing after the other of the zone b: each
// has its code, and names the zone; nothing is said of the route, the answer is
// the same again, and the other zones do not mind.
func TestDataThatCannotBeUsed(t *testing.T) {
	const b = 1 // its number in grid and table
	for _, c := range []struct {
		code   DataCode
		before func(*bnav.Pack)          // the fields are read
		after  func(*bnav.Pack)          // they were
		zone   func(*testing.T, *Engine) // once it is open
	}{
		{code: ZoneNoGrid, after: func(p *bnav.Pack) { p.Grid.Zones[b].Name = "x" }},
		{code: ZoneMesh, after: func(p *bnav.Pack) {
			tri := &p.Triangles[p.Zones[b].FirstTri]
			tri.V[1] = tri.V[0]
		}},
		{
			code:   ZoneNoFields,
			before: func(p *bnav.Pack) { p.Grid.Zones[b].Name = "x" },
			after:  func(p *bnav.Pack) { p.Grid.Zones[b].Name = "b" },
		},
		{code: GridDecode, zone: func(_ *testing.T, e *Engine) {
			for i := range e.main.Grid.Zones[b].Tiles {
				e.main.Grid.Zones[b].Tiles[i].Records++
			}
		}},
		{code: WallTable, after: func(p *bnav.Pack) { // an edge between two triangles becomes one of the outline
			p.Links = nil
		}},
		{code: ComponentMissing, zone: func(t *testing.T, e *Engine) { keepZone(t, e, "b").graphs = new(bnvf.Graphs) }},
	} {
		t.Run(c.code.String(), func(t *testing.T) {
			p, f := loadThree(t, c.before)
			if c.after != nil {
				c.after(p)
			}
			e, err := New(p, f, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if c.zone != nil {
				c.zone(t, e)
			}
			planner := e.NewPlanner()
			r := ends(on(2, 0, 2), on(18, 0.25, 8))
			var out route.Route
			for range 2 {
				r.Zone = "b"
				err := planner.Plan(t.Context(), r, &out)
				var d *DataError
				if !errors.As(err, &d) || d.Code != c.code || d.Zone != "b" || errors.Unwrap(err) == nil {
					t.Fatalf("%v, want %v; %+v", err, c.code, out.Failure)
				}
				if s := err.Error(); !strings.Contains(s, c.code.String()) || strings.Count(s, "spanroute:") != 1 {
					t.Errorf("text %q", s)
				}
				if out.Status == route.Complete || len(out.Points) > 0 || code(&out) != CodeRouteFailed {
					t.Errorf("an answer: %+v", out)
				}
			}
			if c.code == WallTable {
				return // of all zones
			}
			r.Zone = "a"
			if err := planner.Plan(t.Context(), r, &out); err != nil || out.Status != route.Complete {
				t.Errorf("another zone: %v, %v", err, out.Status)
			}
		})
	}
}

// keepZone makes a zone ready for the length of a test, so that what is done to it
// stays.
func keepZone(t *testing.T, e *Engine, name string) *zoneEntry {
	t.Helper()
	z, err := e.zone(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(z.release)
	return z
}

// TestFarDataThatCannotBeUsed breaks a tile that no end is near to, and a
// component number: the search comes to them.
func TestFarDataThatCannotBeUsed(t *testing.T) {
	s := build(t, wendtest.NewBuilder().Floor(0, 0, 145, 4, 0), nil)
	z := openZone(t, s.e)
	middle := spangrid.CellOf(z.plane(geom.V3(75, 0, 3)).U)
	for _, r := range z.rects {
		if _, err := z.tileRegions(&r); err != nil {
			t.Fatal(err)
		}
		if int(r.x0) <= middle && int(r.x1) >= middle {
			s.e.main.Grid.Zones[z.grid].Tiles[r.tile].Records++
		}
	}
	var out route.Route
	var d *DataError
	err := s.p.Plan(t.Context(), ends(on(4, 0, 2), on(140, 0, 2)), &out)
	if !errors.As(err, &d) || d.Code != WindowDecode || d.Zone != "level" {
		t.Errorf("a tile in the middle: %v, want %v", err, WindowDecode)
	}

	// A region comes from a record, so that there is always one; asked for none:
	for _, exact := range []bool{false, true} {
		if _, err := z.extent(t.Context(), 999, exact); !errors.As(err, &d) || d.Code != RegionEmpty || d.Zone != "level" {
			t.Errorf("a region that is none: %v, want %v", err, RegionEmpty)
		}
	}
	// Graphs that have one component of each region, where records have more.
	islands := wendtest.NewBuilder()
	for k := range 40 {
		x, z := float64(k%8)*12, float64(k/8)*12
		islands.Floor(x, z, x+5, z+5, 0)
	}
	one := openZone(t, build(t, islands, nil).e).graphs
	e := openTerraces(t, nil)
	z = openZone(t, e)
	a := decodeAll(t, z)
	z.graphs = one
	tried := 0
	for i := range a.f.Records {
		rec := &a.f.Records[i]
		if n, ok := one.Components(rec.Region); !ok || n != 1 || a.f.Component[i] < 2 || rec.Flags&bnav.Core == 0 {
			continue
		}
		gx, gy := a.at(i)
		at := End{At: z.worldAt(middleOf(gx, gy), float64(rec.H))}
		err := e.NewPlanner().Plan(t.Context(), ends(at, at), &out)
		if err == nil && out.Status == route.NoGo {
			continue
		}
		if !errors.As(err, &d) || d.Code != ComponentRange || d.Zone != "terraces" {
			t.Errorf("from component %d of 1: %v, want %v", a.f.Component[i], err, ComponentRange)
		}
		if tried++; tried == 3 {
			return
		}
	}
	t.Errorf("%d surfaces of a second component: no fair trial", tried)
}
