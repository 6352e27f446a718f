package spanroute

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/spangrid"
	"wend/spanpath"
	"wend/zone"
)

// A twin finds the least cost of a way by Dijkstra's algorithm over all spans of
// a region, from the records of the zone decoded in one go and the rules of a
// step. It shares nothing with the planner but the rise rule, the gate, and the
// set of components that can be reached.
type twin struct {
	z     *zoneEntry
	all   *everything
	nx    int
	cells []twinCell
	spans []twinSpan // by cell, ascending by height
	first []int      // span of each cell, and their number
	rise  spangrid.Rise
	walls []spanpath.Segment
	near  map[int][]int // cell -> walls around
	links map[int][]twinLink
	leg   *leg

	points map[spangrid.Place]spanpath.Point // where one stands, but for middles of cells
	kept   []zone.Edge
	tight  []int8 // of each cell: 0 not known, 1 no, 2 walls run against each other near it
}

type twinCell struct {
	core, layer, medial, closed, disc bool
	clr                               uint16
	top                               float64
	bans                              uint8
	steps, steps2                     uint8
	on, extra                         bool
	records                           int
	heights                           []float32 // of surfaces of all regions
	rooms                             []float64 // m that are free over each of them, +Inf where nothing is known
	spans                             []twinSpan
}

type twinSpan struct {
	cell int
	h    float32
	use  bool
}

type twinLink struct {
	to   int
	cost float64
}

func newTwin(t testing.TB, z *zoneEntry, all *everything, l *leg, sc *propertyWorld) *twin {
	w := &twin{z: z, all: all, nx: int(all.win.NX), leg: l, near: map[int][]int{}, links: map[int][]twinLink{}, points: map[spangrid.Place]spanpath.Point{}}
	n := w.nx * int(all.win.NY)
	w.cells = make([]twinCell, n)
	for i := range w.cells {
		w.cells[i].top = math.Inf(-1)
	}
	reach, err := z.reach(t.Context(), l.region, l.component)
	if err != nil {
		t.Fatal(err)
	}
	f := all.f
	order := slices.Clone(all.order)
	slices.SortFunc(order, func(i, j int) int {
		a, b := &f.Records[i], &f.Records[j]
		return cmp.Or(cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.H, b.H), cmp.Compare(a.Region, b.Region))
	})
	for _, i := range order {
		r := &f.Records[i]
		c := &w.cells[r.Cell]
		c.records++
		if r.Flags&bnav.Fill == 0 && (r.Region == l.region || r.Flags&bnav.Ghost == 0) {
			c.heights = append(c.heights, r.H)
			c.rooms = append(c.rooms, roomOver(all.headroom, i))
		}
		if r.Region != l.region {
			continue
		}
		c.layer = c.layer || r.Flags&bnav.Walk != 0 || r.Flags&bnav.Core == 0
		c.core = c.core || r.Flags&bnav.Core != 0
		c.medial = c.medial || f.Seg[i]&bnvf.MedialBit != 0
		c.clr = r.Clr
		c.steps |= r.Steps
		c.steps2 |= f.Steps2[i]
		if r.Flags&bnav.Fill != 0 {
			continue
		}
		c.spans = append(c.spans, twinSpan{int(r.Cell), r.H, reach.Has(f.Component[i]) && !w.shut(sc, int(r.Cell), float64(r.H))})
	}
	for c := range w.cells {
		w.closeCell(c, sc)
	}
	w.edges(t, reach)
	table := new(spangrid.Columns)
	table.Reset(spangrid.Window{GX: int(all.win.GX0), GY: int(all.win.GY0), NX: w.nx, NY: int(all.win.NY)})
	for c := range w.cells {
		k := &w.cells[c]
		w.first = append(w.first, len(w.spans))
		w.spans = append(w.spans, k.spans...)
		for _, h := range k.heights {
			table.Append(int32(c), h)
		}
		for _, v := range k.spans {
			k.on = k.on || v.use
		}
		m := middleOf(w.place(c))
		for _, d := range w.leg.discs {
			if du, dv := m.U-d.U, m.V-d.V; du*du+dv*dv <= d.Radius*d.Radius {
				k.core, k.layer, k.clr, k.bans = false, false, 0, 0
			}
		}
	}
	w.first = append(w.first, len(w.spans))
	table.Finish(l.rules.Climb)
	w.rise = l.rules.Rise(table, true, l.gate)
	for _, e := range z.mesh.AllEdges() {
		keep, err := z.walls.IsWall(e.Key/3, int(e.Key%3), l.region)
		if err != nil {
			t.Fatal(err)
		}
		if !keep {
			continue
		}
		k := len(w.walls)
		w.walls = append(w.walls, spanpath.Segment{AU: e.AU, AV: e.AV, BU: e.BU, BV: e.BV, HA: e.HA, HB: e.HB})
		// Every cell a cell's side from the wall's box.
		x0, y0 := spangrid.CellOf(min(e.AU, e.BU))-1, spangrid.CellOf(min(e.AV, e.BV))-1
		x1, y1 := spangrid.CellOf(max(e.AU, e.BU))+1, spangrid.CellOf(max(e.AV, e.BV))+1
		for y := max(y0, int(all.win.GY0)); y <= min(y1, int(all.win.GY0)+int(all.win.NY)-1); y++ {
			for x := max(x0, int(all.win.GX0)); x <= min(x1, int(all.win.GX0)+w.nx-1); x++ {
				c := w.number(x, y)
				w.near[c] = append(w.near[c], k)
			}
		}
	}
	w.findLinks()
	return w
}

// roomOver returns what a list of stored headrooms says of one of them, m.
func roomOver(list []uint8, i int) float64 {
	if len(list) == 0 || list[i] == 0 {
		return math.Inf(1)
	}
	return annex.HeadroomMetres(list[i])
}

func (w *twin) number(gx, gy int) int { return (gy-int(w.all.win.GY0))*w.nx + gx - int(w.all.win.GX0) }

func (w *twin) place(c int) (gx, gy int) {
	return c%w.nx + int(w.all.win.GX0), c/w.nx + int(w.all.win.GY0)
}

// shut reports whether a surface is in a no-go polygon with or without a band.
func (w *twin) shut(sc *propertyWorld, c int, h float64) bool {
	m := w.z.worldAt(middleOf(w.place(c)), h)
	for i := range sc.scene.NoGo {
		no := &sc.scene.NoGo[i]
		if h >= no.MinY && h <= no.MaxY && insideRing(no.Ring, m) {
			return true
		}
	}
	return false
}

// closeCell closes a cell whose surfaces are all in no-go polygons.
func (w *twin) closeCell(c int, sc *propertyWorld) {
	k := &w.cells[c]
	open := false
	for _, v := range k.spans {
		open = open || !w.shut(sc, c, float64(v.h))
	}
	if len(k.spans) > 0 && !open {
		k.core, k.layer, k.clr = false, false, 0
	}
	if k.layer {
		k.bans = bnvf.Rejudge(k.steps, k.steps2)
	}
}

func (w *twin) findLinks() {
	list := w.z.e.fields.ZoneLandings(w.z.place.ID)
	stand := func(s *bnvf.Side) int {
		c := w.number(int(s.GX), int(s.GY))
		best, at := 8.0+1e-12, -1
		for i := w.first[c]; i < w.first[c+1]; i++ {
			if d := math.Abs(float64(w.spans[i].h) - float64(s.H)); d < best {
				best, at = d, i
			}
		}
		return at
	}
	for i := range list {
		l := &list[i]
		const both = bnvf.LoUsable | bnvf.HiUsable
		if l.Valid&both != both || l.Lo.Region != w.leg.region || l.Hi.Region != w.leg.region {
			continue
		}
		a, b := stand(&l.Lo), stand(&l.Hi)
		cost := float64(float32(max(l.CostModifier, 1)) * float32(math.Hypot(float64(l.Hi.GX-l.Lo.GX), float64(l.Hi.GY-l.Lo.GY))))
		w.links[a] = append(w.links[a], twinLink{b, cost})
		if l.Bidirectional != 0 {
			w.links[b] = append(w.links[b], twinLink{a, cost})
		}
	}
}

// padded returns the same records in a window with cells around it.
func (a *everything) padded(cells int32) *everything {
	b := *a
	f := *a.f
	f.Records = slices.Clone(f.Records)
	b.f = &f
	b.win.GX0, b.win.GY0, b.win.NX, b.win.NY = a.win.GX0-cells, a.win.GY0-cells, a.win.NX+2*cells, a.win.NY+2*cells
	for i := range f.Records {
		c := f.Records[i].Cell
		f.Records[i].Cell = (c/a.win.NX+cells)*b.win.NX + c%a.win.NX + cells
	}
	return &b
}
