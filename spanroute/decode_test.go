package spanroute

import (
	"math/rand/v2"
	"slices"
	"testing"

	"wend/pack/bnav"
	"wend/spangrid"
	"wend/spanpath"
)

// TestTilesAreTheRecordsTheyOwn compares decoded tiles, and their rims, with
// windows of the packs.
func TestTilesAreTheRecordsTheyOwn(t *testing.T) {
	z := openZone(t, openTerraces(t, nil))
	for i := range z.rects {
		r := &z.rects[i]
		got, err := z.decode(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		w := r.window()
		win := bnav.Window{GX0: r.x0, GY0: r.y0, NX: int32(w.NX), NY: int32(w.NY)}
		want, err := z.e.fields.Window(t.Context(), z.grid, win, 1)
		if err != nil {
			t.Fatal(err)
		}
		headroom, err := z.e.headroom.Window(t.Context(), z.grid, win, 1)
		if err != nil {
			t.Fatal(err)
		}
		inner := w.Grow(-spanpath.Apron)
		for name, of := range map[string]*tile{"tile": got, "rim": z.rims[r.tile].Load()} {
			k := 0
			for gy := w.GY; gy < w.GY+w.NY; gy++ {
				first, end := of.span(gy, w.GX, w.GX+w.NX)
				for n := first; n < end; n++ {
					for x, y := w.At(int(want.Records[k].Cell)); name == "rim" && inner.Has(x, y); x, y = w.At(int(want.Records[k].Cell)) {
						k++
					}
					if of.record(gy, n) != want.Records[k] || of.component.at(n) != want.Component[k] || of.steps2[n] != want.Steps2[k] ||
						of.seg[n] != want.Seg[k] || of.headroom[n] != headroom[k] {
						t.Fatalf("%s %d, record %d: %+v, want %+v", name, i, n, of.record(gy, n), want.Records[k])
					}
					k++
				}
			}
			for name == "rim" && k < want.Len() && inner.Has(w.At(int(want.Records[k].Cell))) {
				k++
			}
			if k != want.Len() || int(of.rows[w.NY]) != of.len() {
				t.Fatalf("%s %d ends after %d of %d records", name, i, k, want.Len())
			}
		}
	}
}

// TestNumbers takes runs of numbers that need none, two and four bytes.
func TestNumbers(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 1))
	for _, most := range []uint32{0, 9, 1<<16 - 1, 1 << 16, 1<<32 - 1} {
		values := make([]uint32, 50)
		for i := range values {
			values[i] = uint32(rnd.Uint64N(uint64(most) + 1))
		}
		values[20] = most
		for _, runs := range [][]run{nil, {{0, 50}}, {{20, 21}}, {{3, 9}, {18, 30}, {49, 50}}} {
			var want []uint32
			for _, u := range runs {
				want = append(want, values[u.first:u.end]...)
			}
			c := numbersOf(values, runs)
			if got := c.appendTo(nil, 0, len(want)); !slices.Equal(got, want) {
				t.Errorf("up to %d, runs %v: %v, want %v", most, runs, got, want)
			}
			if len(want) > 10 {
				part := c.take([]run{{1, 3}, {7, 9}})
				if got := part.appendTo(nil, 0, 4); !slices.Equal(got, slices.Concat(want[1:3], want[7:9])) {
					t.Errorf("up to %d, runs %v: part %v of %v", most, runs, got, want)
				}
				if wide := most >= 1<<16; (c.wide != nil) != wide || (c.narrow != nil) != (!wide && most > 0) {
					t.Errorf("up to %d: kept in %d and %d numbers", most, len(c.narrow), len(c.wide))
				}
			}
		}
	}
}

// TestFloors compares the floors of a page's squares with those of the mesh, in
// the page and beside it.
func TestFloors(t *testing.T) {
	z := openZone(t, openTerraces(t, nil))
	a := decodeAll(t, z)
	rnd := rand.New(rand.NewPCG(4, 2))
	var f floors
	found := 0
	for range 40 {
		x, y := a.at(rnd.IntN(len(a.f.Records)))
		win := spanpath.PageWindow(spanpath.PageOf(x), spanpath.PageOf(y))
		f.reset(z.mesh, win)
		for range 200 {
			at := spanpath.Point{
				U: (float64(win.GX-4) + float64(rnd.IntN((win.NX+8)*8))/8) * spangrid.Side,
				V: (float64(win.GY-4) + float64(rnd.IntN((win.NY+8)*8))/8) * spangrid.Side,
			}
			want := z.floorsOver()(nil, at)
			if got := f.over(nil, at); !slices.Equal(got, want) {
				t.Fatalf("floors %v at %v, want %v", got, at, want)
			}
			found += len(want)
		}
	}
	if found < 1000 {
		t.Errorf("only %d floors", found)
	}
}

// TestPagesDecodeWhatTheyNeed makes one page: the tiles that have cells of it are
// decoded, no others.
func TestPagesDecodeWhatTheyNeed(t *testing.T) {
	z := openZone(t, openTerraces(t, nil))
	a := decodeAll(t, z)
	x, y := a.at(len(a.f.Records) / 3)
	px, py := spanpath.PageOf(x), spanpath.PageOf(y)
	want := uint64(len(z.tilesIn(nil, spanpath.PageWindow(px, py))))
	if p, err := z.source(a.f.Records[len(a.f.Records)/3].Region, false).Page(t.Context(), px, py); p == nil || err != nil {
		t.Fatal(p, err)
	}
	if st := z.e.Stats(); st.Tiles.Misses != want || st.Pages.Misses != 1 || int(want) >= len(z.rects) {
		t.Errorf("%d tiles of %d decoded for %d pages, want %d", st.Tiles.Misses, len(z.rects), st.Pages.Misses, want)
	}
}
