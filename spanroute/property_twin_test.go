package spanroute

import (
	"cmp"
	"container/heap"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/route"
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

// in reports whether a cell is in the mask of a search.
func (w *twin) in(c int, channel bool) bool {
	k := &w.cells[c]
	return k.core && k.layer && k.on && (!channel || k.extra || k.medial || float64(bnav.Clearance(k.clr)) >= w.leg.body.Preferred)
}

func (w *twin) banned(x, y, u, v int) bool {
	bit, there := spangrid.StepBit(u-x, v-y)
	if there {
		x, y = u, v
	}
	return w.cells[w.number(x, y)].bans&bit != 0
}

// point returns where one stands on a surface.
func (w *twin) point(c int, h float32) spanpath.Point {
	gx, gy := w.place(c)
	if p, ok := w.points[spangrid.Place{GX: int32(gx), GY: int32(gy), H: h}]; ok {
		return p
	}
	return middleOf(gx, gy)
}

func (w *twin) wallBetween(c, n int, a, b float32) bool {
	p, q := w.point(c, a), w.point(n, b)
	var list []spanpath.Segment
	for _, k := range w.near[c] {
		list = append(list, w.walls[k])
	}
	return wallInTheWay(list, p, q, float64(a), float64(b), 1.25, w.z.e.rules.StepUp, 1e-7)
}

// wallInTheWay reports whether one of some walls bars the way from p to q at
// heights of up to band from its own: it is crossed, and no other one is crossed
// at the same place, the other way round and a step higher or lower, which makes
// both a kerb. slack is how far beyond its ends a wall reaches, as a share.
func wallInTheWay(walls []spanpath.Segment, p, q spanpath.Point, a, b, band, step, slack float64) bool {
	type hit struct {
		t, u, h float64
		s       *spanpath.Segment
	}
	var hits []hit
	for k := range walls {
		s := &walls[k]
		rx, ry, sx, sy := q.U-p.U, q.V-p.V, s.BU-s.AU, s.BV-s.AV
		d := rx*sy - ry*sx
		if math.Abs(d) <= 1e-12 {
			continue
		}
		t := ((s.AU-p.U)*sy - (s.AV-p.V)*sx) / d
		u := ((s.AU-p.U)*ry - (s.AV-p.V)*rx) / d
		if t > 1e-7 && t < 1-1e-7 && u > -1e-7 && u < 1+1e-7 {
			hits = append(hits, hit{t, u, s.HA + (s.HB-s.HA)*u, s})
		}
	}
	length := math.Hypot(q.U-p.U, q.V-p.V)
	for _, w := range hits {
		if math.Abs(a+(b-a)*w.t-w.h) > band || w.u < -slack || w.u > 1+slack {
			continue
		}
		kerb := slices.ContainsFunc(hits, func(o hit) bool {
			dot := (w.s.BU-w.s.AU)*(o.s.BU-o.s.AU) + (w.s.BV-w.s.AV)*(o.s.BV-o.s.AV)
			return dot < 0 && dot <= -0.9*math.Hypot(w.s.BU-w.s.AU, w.s.BV-w.s.AV)*math.Hypot(o.s.BU-o.s.AU, o.s.BV-o.s.AV) &&
				math.Abs(o.t-w.t)*length <= 0.02 && math.Abs(o.h-w.h) <= step
		})
		if !kerb {
			return true
		}
	}
	return false
}

// openFurtherOut reports whether there is a floor at about a landing's height within
// three cells beyond it over which nothing hangs below the height of the take-off
// and the body above it.
func (w *twin) openFurtherOut(n, dx, dy int, to, from float32) bool {
	x, y := w.place(n)
	for k := 1; k <= 3; k++ {
		c := w.number(x+k*dx, y+k*dy)
		for i, h := range w.cells[c].heights {
			if math.Abs(float64(h)-float64(to)) <= w.leg.rules.Climb &&
				w.cells[c].rooms[i]-(float64(from)-float64(h))+1./16 > annex.HeadroomMetres(w.leg.body.Headroom) {
				return true
			}
		}
	}
	return false
}

// may reports whether a step between spans of neighbouring cells is allowed.
func (w *twin) may(a, b int) bool {
	c, n := w.spans[a].cell, w.spans[b].cell
	x, y := w.place(c)
	u, v := w.place(n)
	from, to := w.spans[a].h, w.spans[b].h
	if down := float64(from) - float64(to); down > w.leg.rules.Climb {
		for i, h := range w.cells[n].heights {
			if h > to && h < from {
				return false // nobody falls through a floor
			}
			// Nor through a ceiling, which the edge of one's own floor is not. A
			// body that asks for headroom has it over the landing too.
			over := w.cells[n].rooms[i] - down
			if h == to && over < -0.25 && !w.openFurtherOut(n, u-x, v-y, to, from) || h == to && over > 0.25 && over+1./16 <= annex.HeadroomMetres(w.leg.body.Headroom) && w.leg.body.Headroom > 0 {
				return false
			}
		}
		return down <= w.leg.body.MaxDrop && w.rise.OK(c, u-x, v-y, from, to)
	}
	if deepest := max(w.leg.body.MaxDrop, w.leg.rules.StepUp, w.leg.rules.SlopeDiag); float64(from)-float64(to) > deepest {
		return false
	}
	return !w.banned(x, y, u, v) && w.rise.OK(c, u-x, v-y, from, to) && !w.wallBetween(c, n, from, to)
}

type twinEntry struct {
	cost float64
	span int
}
type twinHeap []twinEntry

func (h twinHeap) Len() int           { return len(h) }
func (h twinHeap) Less(i, j int) bool { return h[i].cost < h[j].cost }
func (h twinHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *twinHeap) Push(v any)        { *h = append(*h, v.(twinEntry)) }
func (h *twinHeap) Pop() any {
	v := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return v
}

// least returns the least cost from a span to one of several, +Inf where there
// is no way. Prices are those of the topology where channel is set.
func (w *twin) least(start int, goals []int, channel, priced bool) float64 {
	price := func(c int) float64 {
		if !priced {
			return 1
		}
		lo, hi := w.leg.body.Preferred*4/7, w.leg.body.Preferred*16/7
		return float64(float32(hi / min(max(float64(bnav.Clearance(w.cells[c].clr)), lo), hi)))
	}
	cost := make([]float64, len(w.spans))
	for i := range cost {
		cost[i] = math.Inf(1)
	}
	if !w.in(w.spans[start].cell, channel) {
		return math.Inf(1)
	}
	h := &twinHeap{{0, start}}
	cost[start] = 0
	offer := func(to int, c float64) {
		if c < cost[to] {
			cost[to] = c
			heap.Push(h, twinEntry{c, to})
		}
	}
	for h.Len() > 0 {
		e := heap.Pop(h).(twinEntry)
		if e.cost > cost[e.span] {
			continue
		}
		if slices.Contains(goals, e.span) {
			return e.cost
		}
		c := w.spans[e.span].cell
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				n := c + dy*w.nx + dx
				if n == c || !w.in(n, channel) || dx*dy != 0 && !(w.in(c+dx, channel) && w.in(c+dy*w.nx, channel)) {
					continue
				}
				length := float32(1)
				if dx*dy != 0 {
					length = math.Sqrt2
				}
				step := float64(length / 2 * float32(price(c)+price(n)))
				for s := w.first[n]; s < w.first[n+1]; s++ {
					if w.spans[s].use && w.may(e.span, s) {
						offer(s, e.cost+step)
					}
				}
			}
		}
		for _, l := range w.links[e.span] {
			if w.spans[l.to].use && w.in(w.spans[l.to].cell, channel) {
				offer(l.to, e.cost+l.cost)
			}
		}
	}
	return math.Inf(1)
}

// standing returns the spans of a cell that may be stood on.
func (w *twin) standing(c spanpath.Cell) (list []int) {
	n := w.number(int(c.X), int(c.Y))
	if !w.in(n, false) {
		return nil
	}
	for s := w.first[n]; s < w.first[n+1]; s++ {
		if w.spans[s].use {
			list = append(list, s)
		}
	}
	return list
}

// nearest returns of some spans the one nearest to a height, the lower of two.
func (w *twin) nearest(list []int, h float64) []int {
	best := list[:0:0]
	for _, s := range list {
		if len(best) == 0 || math.Abs(float64(w.spans[s].h)-h) < math.Abs(float64(w.spans[best[0]].h)-h) {
			best = []int{s}
		}
	}
	return best
}

// ends returns the span that a leg starts on and those that will do for its goal, in
// the cells that stand for both: the surface that is declared; of a goal on a floor
// that cannot be reached right there those of its storey; else all of the cell's.
func (w *twin) ends(s *search) (start, goals []int) {
	h := s.leg.h0
	if s.leg.from.deck.ok {
		h = s.leg.from.deck.v
	}
	start, goals = w.nearest(w.standing(s.start.cell), h), w.standing(s.goal.cell)
	switch deck := s.goal.deck; {
	case s.leg.to.deck.ok:
		goals = w.nearest(goals, s.leg.to.deck.v)
	case deck.ok:
		goals = slices.DeleteFunc(goals, func(v int) bool { return math.Abs(float64(w.spans[v].h)-deck.v) > 2 })
	}
	return start, goals
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

// TestCostsAreLeast compares the costs of baseline and topology with those of the
// twin: equal where there is a way, and none where there is none. Where there is
// a baseline, there is a route.
func TestCostsAreLeast(t *testing.T) {
	n := 6
	list := []*propertyWorld{generated(t, 1, 6)}
	if long() {
		n = 200
		list = append(list, generated(t, 1, 10), generated(t, 2, 10), generated(t, 3, 12), baked(t, "town"), baked(t, "nav_test.obj"), baked(t, "dungeon.obj"))
	}
	for i, w := range list {
		t.Run(w.name, func(t *testing.T) { compareCosts(t, w, n, uint64(i)) })
	}
}

// tightCost returns what the cells of a way cost at the prices of geometry.
func (w *twin) tightCost(cells []spanpath.Cell) (sum float64) {
	price := func(c spanpath.Cell) float64 {
		hi := w.leg.body.Preferred
		room := float64(bnav.Clearance(w.cells[w.number(int(c.X), int(c.Y))].clr)) - w.leg.body.MinClr
		return hi / min(max(room, min(leastClearance, hi)), hi)
	}
	for i := 1; i < len(cells); i++ {
		a, b := cells[i-1], cells[i]
		sum += math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y)) * (price(a) + price(b)) / 2
	}
	return sum
}

func compareCosts(t *testing.T, w *propertyWorld, n int, seed uint64) {
	z := openZone(t, w.engine)
	all := decodeAll(t, z).padded(8)
	rnd := rand.New(rand.NewPCG(17, seed))
	p := w.engine.NewPlanner()
	baselines, topologies, none, worst := 0, 0, 0, 0.0
	for range n {
		r := w.randomRequest(rnd)
		r.Body.Radius, r.Windows = 0, WholeRegion
		p.search.leg = nil
		got := w.plan(t, p, r)
		s := &p.search
		if s.leg == nil || got.Stats.Window != "full" || s.leg.depth != 0 || slices.Contains(got.Warnings, "walkable ground is broken, took to all core ground") {
			continue // no search, or one whose rules were loosened
		}
		tw := newTwin(t, z, all, s.leg, w)
		start, goals := tw.ends(s)
		if len(start) == 0 || len(goals) == 0 {
			if got.Status == route.Complete {
				t.Errorf("%+v: a route without a start or a goal", *r)
			}
			continue
		}
		least := tw.least(start[0], goals, false, false)
		switch code := code(got); {
		case code == CodeDisconnected || code == CodeGoalDeckUnreachable:
			none++
			if !math.IsInf(least, 1) {
				t.Errorf("%+v: %s, but there is a way of %v", *r, code, least)
			}
			continue
		case got.Status != route.Complete:
			continue
		case math.IsInf(least, 1):
			t.Errorf("%+v: a route where there is no way", *r)
			continue
		}
		if s.baselineRan {
			baselines++
			worst = max(worst, math.Abs(s.baseline.Cost-least))
			if math.Abs(s.baseline.Cost-least) > 1e-6*least {
				t.Errorf("%+v: baseline %v, the least is %v", *r, s.baseline.Cost, least)
			}
		}
		if len(s.baseline.Links) > 0 || s.wholeTopology {
			continue // ways from links to open ground are not the twin's
		}
		for i := range s.access {
			list := s.access[i].Cells
			for k, c := range list {
				tw.cells[tw.number(int(c.X), int(c.Y))].extra = true
				if k > 0 { // and what is beside a diagonal step
					tw.cells[tw.number(int(list[k-1].X), int(c.Y))].extra = true
					tw.cells[tw.number(int(c.X), int(list[k-1].Y))].extra = true
				}
			}
		}
		least = tw.least(start[0], goals, true, true)
		if math.IsInf(least, 1) && len(tw.links) > 0 {
			continue // only links joined the channel
		}
		topologies++
		worst = max(worst, math.Abs(s.topology.Cost-least))
		if !(math.Abs(s.topology.Cost-least) <= 1e-6*least) || math.IsInf(least, 1) {
			t.Errorf("%+v: topology %v, the least is %v", *r, s.topology.Cost, least)
		}
		// Chords may be a little longer than the steps of topology, at geometry's
		// prices, never much.
		if steps := tw.tightCost(p.cells); s.geometry.Cost > 1.2*steps+4 {
			t.Errorf("%+v: geometry %v, the steps of topology %v", *r, s.geometry.Cost, steps)
		}
	}
	t.Logf("%d baselines, %d topologies, %d without a way; worst difference %g cells", baselines, topologies, none, worst)
}

func code(r *route.Route) string {
	if r.Failure == nil {
		return ""
	}
	return r.Failure.Code
}
