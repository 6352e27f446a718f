package spanroute

import (
	"errors"
	"math"
	"testing"

	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/spangrid"
)

// TestRegionLinks compares the links of each region with the landings as the
// fields have them, and components with the records.
func TestRegionLinks(t *testing.T) {
	z := openZone(t, openTerraces(t, nil))
	a := decodeAll(t, z)
	component := func(s *bnvf.Side) uint32 {
		for i := range a.f.Records {
			gx, gy := a.at(i)
			if r := &a.f.Records[i]; gx == int(s.GX) && gy == int(s.GY) && r.Region == s.Region && r.H == s.H {
				return a.f.Component[i]
			}
		}
		t.Fatalf("no record for the landing %+v", s)
		return 0
	}
	type end struct {
		id       uint32
		from, to spangrid.Place
		cost     float32
		comps    [2]uint32
	}
	want := map[uint32]map[end]bool{}
	total := 0
	for i := range z.e.fields.Landings {
		l := &z.e.fields.Landings[i]
		if l.Valid != bnvf.LoUsable|bnvf.HiUsable || l.Lo.Region != l.Hi.Region {
			continue
		}
		if want[l.Lo.Region] == nil {
			want[l.Lo.Region] = map[end]bool{}
		}
		cost := max(1, l.CostModifier) * float32(math.Sqrt(float64((l.Hi.GX-l.Lo.GX)*(l.Hi.GX-l.Lo.GX)+(l.Hi.GY-l.Lo.GY)*(l.Hi.GY-l.Lo.GY))))
		e := end{l.OffMesh, placeOf(&l.Lo), placeOf(&l.Hi), cost, [2]uint32{component(&l.Lo), component(&l.Hi)}}
		want[l.Lo.Region][e] = true
		total++
		if l.Bidirectional != 0 {
			e.from, e.to = e.to, e.from
			e.comps[0], e.comps[1] = e.comps[1], e.comps[0]
			want[l.Lo.Region][e] = true
		}
	}
	if total == 0 {
		t.Fatal("the terraces have no link inside a region: the test looks at nothing")
	}
	for region := uint32(1); region <= z.e.main.Grid.Zones[z.grid].GlobalRegions; region++ {
		list, err := z.regionLinks(t.Context(), region)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) != len(want[region]) {
			t.Errorf("region %d has %d links, want %d", region, len(list), len(want[region]))
		}
		for i, l := range list {
			if !want[region][end{l.ID, l.From, l.To, l.Cost, [2]uint32{l.from, l.to}}] {
				t.Errorf("region %d: link %+v is none", region, l)
			}
			if i > 0 && list[i-1].From.Compare(l.From) > 0 {
				t.Errorf("region %d: links are not sorted", region)
			}
		}
	}
}

// TestReachAgainstBruteForce compares reach with steps and links tried until
// nothing changes, from every component.
func TestReachAgainstBruteForce(t *testing.T) {
	z := openZone(t, openTerraces(t, nil))
	crossed := 0
	for _, region := range z.graphs.Regions() {
		n, _ := z.graphs.Components(region)
		links, err := z.regionLinks(t.Context(), region)
		if err != nil {
			t.Fatal(err)
		}
		graph, _ := z.graphs.Region(region)
		for from := uint32(1); from <= min(n, 40); from++ {
			in := make([]bool, n+1)
			in[from] = true
			for again := true; again; {
				again = false
				for _, e := range graph.Edges {
					if in[e.From] && !in[e.To] {
						in[e.To], again = true, true
					}
				}
				for _, l := range links {
					if in[l.from] && !in[l.to] {
						in[l.to], again = true, true
						crossed++
					}
				}
			}
			for range 2 { // cold and warm
				got, err := z.reach(t.Context(), region, from)
				if err != nil {
					t.Fatal(err)
				}
				for c := range n + 1 {
					if got.Has(c) != in[c] {
						t.Fatalf("region %d, from %d: component %d in reach %v, want %v", region, from, c, got.Has(c), in[c])
					}
				}
			}
		}
		for _, c := range []uint32{0, n + 1, math.MaxUint32} {
			_, err := z.reach(t.Context(), region, c)
			var d *DataError
			if !errors.As(err, &d) || d.Code != ComponentRange || d.Zone != "terraces" {
				t.Errorf("component %d of %d: %v", c, n, err)
			}
		}
	}
	if crossed == 0 {
		t.Error("no link led to another component: the test looks at too little")
	}
	_, err := z.reach(t.Context(), math.MaxUint32, 1)
	var d *DataError
	if !errors.As(err, &d) || d.Code != ComponentMissing {
		t.Errorf("region that is none: %v", err)
	}
}

// TestClosureOverLinks plants links between components that no step joins.
func TestClosureOverLinks(t *testing.T) {
	z := openZone(t, openTerraces(t, nil))
	var region, n uint32
	for _, r := range z.graphs.Regions() {
		if k, _ := z.graphs.Components(r); k > n {
			region, n = r, k
		}
	}
	if n < 4 {
		t.Fatalf("the largest region has %d components", n)
	}
	// A chain through all components, in the order that takes most rounds.
	var chain []spanLink
	for c := n - 1; c >= 1; c-- {
		chain = append(chain, spanLink{from: c, to: c + 1})
	}
	if _, err := z.links.get(t.Context(), region, func() ([]spanLink, int64, error) { return chain, 1, nil }); err != nil {
		t.Fatal(err)
	}
	set, err := z.reach(t.Context(), region, 1)
	if err != nil {
		t.Fatal(err)
	}
	for c := uint32(1); c <= n; c++ {
		if !set.Has(c) {
			t.Errorf("component %d of %d is not in reach over links", c, n)
		}
	}
}

// TestBoundsAgainstBruteForce compares the boxes of all regions with a pass over
// all records, on tiles decoded for it and on tiles that pages need anyway.
func TestBoundsAgainstBruteForce(t *testing.T) {
	for _, warm := range []bool{false, true} {
		z := openZone(t, openTerraces(t, nil))
		a := decodeAll(t, z)
		if warm {
			for i := range z.rects {
				if _, err := z.tile(t.Context(), &z.rects[i]); err != nil {
					t.Fatal(err)
				}
			}
		}
		want := map[uint32]*[4]int{}
		for i := range a.f.Records {
			gx, gy := a.at(i)
			b := want[a.f.Records[i].Region]
			if b == nil {
				b = &[4]int{gx, gy, gx, gy}
				want[a.f.Records[i].Region] = b
			}
			b[0], b[1], b[2], b[3] = min(b[0], gx), min(b[1], gy), max(b[2], gx), max(b[3], gy)
		}
		for region, b := range want {
			got, err := z.bounds(t.Context(), region)
			if err != nil {
				t.Fatal(err)
			}
			if w := (spangrid.Window{GX: b[0], GY: b[1], NX: b[2] - b[0] + 1, NY: b[3] - b[1] + 1}); got != w {
				t.Errorf("region %d: %v, want %v", region, got, w)
			}
		}
		_, err := z.bounds(t.Context(), math.MaxUint32)
		var d *DataError
		if !errors.As(err, &d) || d.Code != RegionEmpty {
			t.Errorf("region that is none: %v", err)
		}
	}
}

// TestExtentsLeaveMarginsOut gives records outside of what a tile owns.
func TestExtentsLeaveMarginsOut(t *testing.T) {
	info := &bnav.Tile{GX0: 10, GY0: 20, NX: 8, NY: 8, PX0: 2, PX1: 5, PY0: 2, PY1: 5} // owns columns 12 to 15
	var b boxer
	b.owned(&bnav.TileColumns{
		Cell: []int32{0, 2*8 + 2, 4*8 + 3, 5*8 + 5, 5*8 + 6}, First: []uint32{0, 1, 2, 3, 4, 5},
		Regions: []uint32{2, 1}, Region: []uint32{1, 1, 1, 0, 0},
	}, info)
	got := b.boxes()
	want := []regionBox{{1, 12, 22, 13, 24}, {2, 15, 25, 15, 25}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%v, want %v", got, want)
	}
}
