package spanroute

import (
	"math"
	"slices"
	"testing"

	"wend/pack/bnvf"
	"wend/spangrid"
	"wend/spanpath"
	"wend/zone"
)

// edges takes over what pages make of the edges of floors over other floors.
// Everywhere else they must have what the records say.
func (w *twin) edges(t testing.TB, reach bnvf.Set) {
	source := w.z.source(w.leg.region, false)
	for c := range w.cells {
		gx, gy := w.place(c)
		p, err := source.Page(t.Context(), spanpath.PageOf(gx), spanpath.PageOf(gy))
		if err != nil {
			t.Fatal(err)
		}
		if p == nil {
			continue
		}
		k := &w.cells[c]
		at := (gy-p.Table.GY)*p.Table.NX + gx - p.Table.GX
		bits := p.Cells[at]
		core, layer, medial := bits&spanpath.CellCore != 0, bits&spanpath.CellLayer != 0, bits&spanpath.CellMedial != 0
		var heights []float32
		var rooms []float64
		var spans []twinSpan
		for s, end := p.Column(gx, gy); s < end; s++ {
			heights = append(heights, p.Table.H[s])
			rooms = append(rooms, roomOver(p.Headroom, s))
			if p.Spans[s]&spanpath.SpanOwn != 0 {
				use := p.Spans[s]&spanpath.SpanNoGo == 0 && reach.Has(p.Component(s))
				spans = append(spans, twinSpan{c, p.Table.H[s], use})
			}
		}
		for s, end := p.Column(gx, gy); s < end; s++ {
			if m := p.Point(s); m != middleOf(gx, gy) && p.Spans[s]&spanpath.SpanOwn != 0 {
				w.checkPoint(t, gx, gy, m, p.Table.H[s])
				w.points[spangrid.Place{GX: int32(gx), GY: int32(gy), H: p.Table.H[s]}] = m
			}
		}
		same := core == k.core && layer == k.layer && medial == k.medial && p.Clr[at] == k.clr && p.Bans[at] == k.bans &&
			slices.Equal(heights, k.heights) && slices.Equal(rooms, k.rooms) && slices.Equal(spans, k.spans)
		if same {
			continue
		}
		storeys := false
		for dy := -8; dy <= 8; dy++ {
			for dx := -8; dx <= 8; dx++ {
				n := c + dy*w.nx + dx
				storeys = storeys || n >= 0 && n < len(w.cells) && w.cells[n].records > 1
			}
		}
		narrow := !storeys && slices.Equal(heights, k.heights) && slices.Equal(spans, k.spans) && w.isTight(t, c)
		if !storeys && !narrow || p.Clr[at] != k.clr {
			t.Fatalf("cell (%d, %d): core %v, %v; layer %v, %v; medial %v, %v; clearance %d, %d; bans %x, %x; heights %v, %v; spans %v, %v",
				gx, gy, core, k.core, layer, k.layer, medial, k.medial, p.Clr[at], k.clr, p.Bans[at], k.bans, heights, k.heights, spans, k.spans)
		}
		k.core, k.layer, k.medial, k.bans, k.heights, k.rooms, k.spans = core, layer, medial, p.Bans[at], heights, rooms, spans
	}
}

// checkPoint: a place to stand on that is not the middle of its cell lies in the
// cell, on floor, and has a wall near.
func (w *twin) checkPoint(t testing.TB, gx, gy int, at spanpath.Point, h float32) {
	t.Helper()
	ok := spangrid.CellOf(at.U) == gx && spangrid.CellOf(at.V) == gy
	floor := false
	w.z.mesh.Over(nil, at.U, at.V, func(_ int32, y float64, walkable bool) {
		floor = floor || walkable && math.Abs(y-float64(h)) <= 1
	})
	if !ok || !floor || !w.isTight(t, w.number(gx, gy)) {
		t.Fatalf("cell (%d, %d): one stands at %v on the surface at %v", gx, gy, at, h)
	}
}

// isTight reports whether, as far around a cell as a passage is opened, two walls
// run against each other within three cells.
func (w *twin) isTight(t testing.TB, c int) bool {
	if w.kept == nil {
		for _, e := range w.z.mesh.AllEdges() {
			keep, err := w.z.walls.IsWall(e.Key/3, int(e.Key%3), w.leg.region)
			if err != nil {
				t.Fatal(err)
			}
			if keep {
				w.kept = append(w.kept, e)
			}
		}
		w.tight = make([]int8, len(w.cells))
	}
	for dy := -8; dy <= 8; dy++ {
		for dx := -8; dx <= 8; dx++ {
			n := c + dy*w.nx + dx
			if n < 0 || n >= len(w.cells) {
				continue
			}
			if w.tight[n] == 0 {
				w.tight[n] = 1
				if w.between(n) {
					w.tight[n] = 2
				}
			}
			if w.tight[n] == 2 {
				return true
			}
		}
	}
	return false
}

func (w *twin) between(c int) bool {
	m := middleOf(w.place(c))
	var near []zone.Edge
	for _, e := range w.kept {
		du, dv := e.BU-e.AU, e.BV-e.AV
		k := math.Min(math.Max(((m.U-e.AU)*du+(m.V-e.AV)*dv)/(du*du+dv*dv), 0), 1)
		if math.Hypot(e.AU+k*du-m.U, e.AV+k*dv-m.V) > 3*spangrid.Side {
			continue
		}
		for _, o := range near {
			if (o.BU-o.AU)*du+(o.BV-o.AV)*dv < 0 {
				return true
			}
		}
		near = append(near, e)
	}
	return false
}
