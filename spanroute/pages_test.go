package spanroute

import (
	"cmp"
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"wend/pack/bnav"
	"wend/spangrid"
	"wend/spanpath"
	"wend/zone"
)

// naivePage makes a page from one decoding of exactly its cells and all edges of
// the mesh.
func naivePage(t testing.TB, z *zoneEntry, region uint32, px, py int, planar bool) *spanpath.Page {
	t.Helper()
	w := spanpath.PageWindow(px, py)
	win := bnav.Window{GX0: int32(w.GX), GY0: int32(w.GY), NX: int32(w.NX), NY: int32(w.NY)}
	f, err := z.e.fields.Window(context.Background(), z.grid, win, 1)
	if err != nil {
		t.Fatal(err)
	}
	in := spanpath.PageInput{PX: px, PY: py, Region: region, Fields: f, NoGo: z.noGo, Rules: &z.e.rules, PlanarNoGo: planar, Over: z.floorsOver()}
	if z.e.headroom != nil {
		if in.Headroom, err = z.e.headroom.Window(context.Background(), z.grid, win, 1); err != nil {
			t.Fatal(err)
		}
	}
	box := zone.Box{
		U0: float64(w.GX-1) * spangrid.Side, V0: float64(w.GY-1) * spangrid.Side,
		U1: float64(w.GX+w.NX+1) * spangrid.Side, V1: float64(w.GY+w.NY+1) * spangrid.Side,
	}
	for _, e := range z.mesh.AllEdges() {
		near := max(e.AU, e.BU) >= box.U0 && min(e.AU, e.BU) <= box.U1 && max(e.AV, e.BV) >= box.V0 && min(e.AV, e.BV) <= box.V1
		if keep, err := z.walls.IsWall(e.Key/3, int(e.Key%3), region); err != nil {
			t.Fatal(err)
		} else if keep && near {
			in.Walls = append(in.Walls, spanpath.Segment{AU: e.AU, AV: e.AV, BU: e.BU, BV: e.BV, HA: e.HA, HB: e.HB})
		}
	}
	return spanpath.NewPage(&in)
}

// floorsOver asks the mesh itself.
func (z *zoneEntry) floorsOver() func([]float64, spanpath.Point) []float64 {
	var near []int32
	return func(dst []float64, at spanpath.Point) []float64 {
		near = z.mesh.Over(near, at.U, at.V, func(_ int32, h float64, walkable bool) {
			if walkable {
				dst = append(dst, h)
			}
		})
		return dst
	}
}

// pageRange returns the pages around all records of a zone, with a rim where
// there is nothing.
func pageRange(z *zoneEntry, a *everything) (px0, py0, px1, py1 int) {
	return spanpath.PageOf(int(a.win.GX0)) - 1, spanpath.PageOf(int(a.win.GY0)) - 1,
		spanpath.PageOf(int(a.win.GX0+a.win.NX)) + 1, spanpath.PageOf(int(a.win.GY0+a.win.NY)) + 1
}

// largest returns the regions with the most records.
func largest(a *everything, n int) []uint32 {
	count := map[uint32]int{}
	for i := range a.f.Records {
		count[a.f.Records[i].Region]++
	}
	list := slices.Collect(maps.Keys(count))
	slices.SortFunc(list, func(x, y uint32) int { return cmp.Or(cmp.Compare(count[y], count[x]), cmp.Compare(x, y)) })
	return list[:min(n, len(list))]
}

// TestPagesAreWhatIsDecodedAtOnce compares all pages of a level with those made
// of one decoding each, for every region, with caches large and so small that
// they keep nothing.
func TestPagesAreWhatIsDecodedAtOnce(t *testing.T) {
	noGo := []byte(`{"version": 1, "zones": {"terraces": [{"poly": [[10, 10], [60, 12], [40, 50]]}]}}`)
	for _, limit := range []int64{0, 1} {
		z := openZone(t, openTerraces(t, &Options{CacheBytes: limit, NoGoTable: noGo}))
		a := decodeAll(t, z)
		px0, py0, px1, py1 := pageRange(z, a)
		pages := 0
		for n, region := range largest(a, 4) {
			planar := n%2 == 1
			s := z.source(region, planar)
			for py := py0; py <= py1; py++ {
				for px := px0; px <= px1; px++ {
					if limit == 1 && (px+py)%3 != 0 {
						continue
					}
					got, err := s.Page(t.Context(), px, py)
					if err != nil {
						t.Fatal(err)
					}
					want := naivePage(t, z, region, px, py, planar)
					if !samePage(want, got) {
						t.Fatalf("region %d, page (%d, %d), limit %d: another one than when it is decoded at once", region, px, py, limit)
					}
					if got != nil {
						pages++
					}
				}
			}
		}
		if pages < 6 {
			t.Errorf("only %d pages: the test looks at too little", pages)
		}
		st := z.e.Stats()
		if limit == 1 && (st.Pages.Entries != 0 || st.Tiles.Entries != 0 || st.Pages.Bytes != 0) {
			t.Errorf("a cache that may keep 1 byte keeps %+v", st)
		}
		if limit == 0 && (st.Pages.Entries == 0 || st.Pages.Bytes == 0 || st.Tiles.Hits == 0) {
			t.Errorf("caches are not used: %+v", st)
		}
	}
}

// TestPagesFromManyGoroutines lets goroutines ask for the same pages at once,
// some of them with a context that ends meanwhile.
func TestPagesFromManyGoroutines(t *testing.T) {
	for _, limit := range []int64{0, 4 << 20} {
		z := openZone(t, openTerraces(t, &Options{CacheBytes: limit}))
		a := decodeAll(t, z)
		px0, py0, px1, py1 := pageRange(z, a)
		region := largest(a, 1)[0]
		var want [2]map[[2]int]*spanpath.Page
		for i := range want {
			want[i] = map[[2]int]*spanpath.Page{}
			for py := py0; py <= py1; py++ {
				for px := px0; px <= px1; px++ {
					want[i][[2]int{px, py}] = naivePage(t, z, region, px, py, i == 1)
				}
			}
		}
		var wg sync.WaitGroup
		for n := range 5 {
			wg.Go(func() {
				rnd := rand.New(rand.NewPCG(uint64(n), 7))
				s := z.source(region, n%2 == 1)
				for range 12 {
					p := [2]int{px0 + rnd.IntN(px1-px0+1), py0 + rnd.IntN(py1-py0+1)}
					ctx, cancel := context.WithCancel(context.Background())
					if rnd.IntN(4) == 0 {
						go cancel()
					}
					got, err := s.Page(ctx, p[0], p[1])
					switch {
					case err != nil && ctx.Err() == nil:
						t.Error(err)
					case err == nil && !samePage(got, want[n%2][p]):
						t.Errorf("page %v is another one", p)
					}
					cancel()
				}
			})
		}
		wg.Wait()
	}
}

// samePage compares what is exported; the rest is an index of that.
func samePage(a, b *spanpath.Page) bool {
	if a == nil || b == nil {
		return a == b
	}
	if len(a.Spans) != len(b.Spans) {
		return false
	}
	for s := range a.Spans {
		if a.Component(s) != b.Component(s) {
			return false
		}
	}
	for c := range a.Cells {
		if !slices.Equal(a.Table.Heights(c), b.Table.Heights(c)) {
			return false
		}
	}
	return a.Table.Window == b.Table.Window && slices.Equal(a.Spans, b.Spans) && slices.Equal(a.Headroom, b.Headroom) &&
		slices.Equal(a.Cells, b.Cells) && slices.Equal(a.Clr, b.Clr) && slices.Equal(a.Bans, b.Bans) && slices.Equal(a.Walls, b.Walls)
}

// TestFarPages asks for pages that no grid can have.
func TestFarPages(t *testing.T) {
	s := openZone(t, openTerraces(t, nil)).source(1, false)
	for _, p := range [][2]int{{1 << 40, 0}, {0, -1 << 40}, {mostPage, mostPage}, {-mostPage, 3}} {
		if got, err := s.Page(t.Context(), p[0], p[1]); got != nil || err != nil {
			t.Errorf("page %v: %v, %v", p, got, err)
		}
	}
}

// TestPrefetch makes the pages of a line, so that none is missing afterwards.
func TestPrefetch(t *testing.T) {
	z := openZone(t, openTerraces(t, nil))
	a := decodeAll(t, z)
	s := z.source(largest(a, 1)[0], false)
	from := spanpath.Point{U: float64(a.win.GX0) * spangrid.Side, V: float64(a.win.GY0) * spangrid.Side}
	to := spanpath.Point{U: float64(a.win.GX0+a.win.NX) * spangrid.Side, V: float64(a.win.GY0+a.win.NY) * spangrid.Side}
	if err := s.prefetch(t.Context(), from, to); err != nil {
		t.Fatal(err)
	}
	before := z.e.Stats().Pages
	if before.Misses < 3 {
		t.Fatalf("only %d pages on the diagonal", before.Misses)
	}
	for k := range 101 {
		f := float64(k) / 100
		px := spanpath.PageOf(spangrid.CellOf(from.U + f*(to.U-from.U)))
		py := spanpath.PageOf(spangrid.CellOf(from.V + f*(to.V-from.V)))
		if _, err := s.Page(t.Context(), px, py); err != nil {
			t.Fatal(err)
		}
	}
	if after := z.e.Stats().Pages; after.Misses > before.Misses+4 {
		t.Errorf("%d pages of the line were missing", after.Misses-before.Misses)
	}
	if err := s.prefetch(t.Context(), from, to); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkPage(b *testing.B) {
	z := openZone(b, openTerraces(b, nil))
	a := decodeAll(b, z)
	x, y := a.at(len(a.f.Records) / 2)
	px, py := spanpath.PageOf(x), spanpath.PageOf(y)
	s := z.source(a.f.Records[len(a.f.Records)/2].Region, false)
	p, err := s.Page(b.Context(), px, py)
	if p == nil || err != nil {
		b.Fatal(p, err)
	}
	b.Run("build", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.build(b.Context(), px, py); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(p.Table.H)), "ns/record")
	})
	b.Run("warm", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.Page(b.Context(), px, py); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("tile", func(b *testing.B) {
		var r *tileRect
		for _, k := range z.tilesIn(nil, spangrid.Window{GX: x, GY: y, NX: 1, NY: 1}) {
			r = k
		}
		n := 0
		for b.Loop() {
			t, err := z.decode(b.Context(), r)
			if err != nil {
				b.Fatal(err)
			}
			n = t.len()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/record")
	})
}

func BenchmarkZone(b *testing.B) {
	e := openTerraces(b, nil)
	for b.Loop() {
		z, err := e.buildZone(b.Context(), "terraces")
		if err != nil || z == nil {
			b.Fatal(err)
		}
	}
}
