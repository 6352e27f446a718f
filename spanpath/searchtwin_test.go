package spanpath

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"wend/pack/annex"
	"wend/spangrid"
)

// randomSearchWorld makes a world of two storeys with ramps, holes, steps that are
// banned, walls, narrow places and links, over the corner of four pages, and a
// window that cuts some of it off.
func randomSearchWorld(rnd *rand.Rand) (*testWorld, func(*Setup), spangrid.Window) {
	w := newWorld()
	const x0 = 120
	y0 := []int{-6, 20}[rnd.IntN(2)]
	nx, ny := 6+rnd.IntN(12), 5+rnd.IntN(10)
	tilt := func() (float32, float32) {
		return float32(rnd.IntN(3)) * 0.2, float32(rnd.IntN(3)) * 0.15
	}
	ax, ay := tilt()
	bx, by := tilt()
	base := float32(rnd.IntN(3))
	for y := range ny {
		for x := range nx {
			put := func(h float32) {
				s := cellSpan{h: h, clr: uint16(1 + rnd.IntN(60))}
				if rnd.IntN(12) == 0 {
					s.steps, s.steps2 = uint8(rnd.IntN(256)), uint8(rnd.IntN(256))
				}
				switch rnd.IntN(40) {
				case 0:
					s.component = 2
				case 1:
					s.region = 2
				}
				w.put(x0+x, y0+y, s)
			}
			if rnd.IntN(8) != 0 {
				h := ax*float32(x) + ay*float32(y)
				if rnd.IntN(6) == 0 {
					h += float32(rnd.IntN(5)) * 0.4
				}
				put(h)
			}
			if rnd.IntN(3) != 0 && x > 2 {
				put(4 + base + bx*float32(x) - by*float32(y))
			}
			if rnd.IntN(4) == 0 { // something hangs over the lowest surface
				if list := w.cells[Cell{int32(x0 + x), int32(y0 + y)}]; len(list) > 0 {
					list[0].room = uint8(rnd.IntN(120))
				}
			}
		}
	}
	for range rnd.IntN(3) {
		p := func() float64 { return spangrid.Center(x0) + rnd.Float64()*float64(nx)*spangrid.Side }
		q := func() float64 { return spangrid.Center(y0) + rnd.Float64()*float64(ny)*spangrid.Side }
		h := rnd.Float64() * 6
		w.walls = append(w.walls, Segment{p(), q(), p(), q(), h, h})
	}
	var links []Link
	for range max(0, rnd.IntN(12)-5) {
		at := func() spangrid.Place {
			return spangrid.Place{GX: int32(x0 + rnd.IntN(nx)), GY: int32(y0 + rnd.IntN(ny)), H: float32(rnd.IntN(8))}
		}
		l := Link{From: at(), To: at()}
		dx, dy := float64(l.From.GX-l.To.GX), float64(l.From.GY-l.To.GY)
		l.Cost = float32(math.Sqrt(dx*dx+dy*dy)) * (1 + float32(rnd.IntN(2)))
		links = append(links, l)
	}
	slices.SortFunc(links, func(a, b Link) int { return cmp.Or(a.From.Compare(b.From), a.To.Compare(b.To)) })
	clip := spangrid.Window{GX: x0 - rnd.IntN(3) + 1, GY: y0 - rnd.IntN(3) + 1, NX: nx, NY: ny}
	drop := math.Inf(1)
	if rnd.IntN(3) == 0 {
		drop = 4.5
	}
	pass := rnd.IntN(4) == 0
	return w, func(s *Setup) {
		s.Links, s.Body.MaxDrop, s.PassWalls = links, drop, pass
		s.Reach = []uint64{1 << 1}
	}, clip
}

// twinSpan is a surface of the independent search.
type twinSpan struct {
	c Cell
	n int // among the surfaces of the table of its cell
}

// searchTwin searches a world without pages, windows of them or a queue.
type searchTwin struct {
	w      *testWorld
	s      *Setup
	cols   map[Cell][]cellSpan // surfaces that count as heights, ascending
	table  spangrid.Columns
	prices *Prices
	need   uint16
	edges  map[twinSpan][]twinEdge
}

type twinEdge struct {
	to   twinSpan
	cost float64
	link int // or -1
}

func newSearchTwin(w *testWorld, g *Ground, need uint16, prices *Prices) *searchTwin {
	t := &searchTwin{w: w, s: &g.Setup, cols: map[Cell][]cellSpan{}, prices: prices, need: need, edges: map[twinSpan][]twinEdge{}}
	for c, list := range w.cells {
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(a, b cellSpan) int {
			return cmp.Or(cmp.Compare(a.h, b.h), cmp.Compare(max(a.region, 1), max(b.region, 1)))
		})
		t.cols[c] = list
	}
	win := spangrid.Window{GX: 110, GY: -16, NX: 40, NY: 60}
	t.table.Reset(win)
	for y := range win.NY {
		for x := range win.NX {
			for _, s := range t.cols[Cell{int32(win.GX + x), int32(win.GY + y)}] {
				t.table.Append(int32(y*win.NX+x), s.h)
			}
		}
	}
	t.table.Finish(w.rules.Climb)
	return t
}

func (t *searchTwin) usable(s cellSpan) bool {
	return max(s.region, 1) == 1 && max(s.component, 1) == 1
}

// in reports whether a cell has a usable surface in the window.
func (t *searchTwin) in(c Cell) bool {
	return t.s.Clip.Has(int(c.X), int(c.Y)) && slices.ContainsFunc(t.cols[c], t.usable)
}

// own returns what the cell has from its highest surface of the region.
func (t *searchTwin) own(c Cell) (clr uint16, bans uint8) {
	var steps, steps2 uint8
	for _, s := range t.cols[c] {
		if max(s.region, 1) == 1 {
			clr, steps, steps2 = s.clr, steps|s.steps, steps2|s.steps2
		}
	}
	for i := range 4 { // a step counts where either way is forbidden
		if pair := uint8(3) << (2 * i); steps&pair == 0 {
			steps2 &^= pair
		}
	}
	return clr, steps2
}

func (t *searchTwin) banned(a, b Cell) bool {
	bit, enter := spangrid.StepBit(int(b.X-a.X), int(b.Y-a.Y))
	if enter {
		a = b
	}
	_, bans := t.own(a)
	return bans&bit != 0
}

// openFurtherOut reports whether there is a floor at about a landing's height within
// three cells beyond it over which nothing hangs below the height of the take-off.
func (t *searchTwin) openFurtherOut(b twinSpan, dx, dy int, from float32) bool {
	to := t.cols[b.c][b.n].h
	for k := 1; k <= 3; k++ {
		for _, s := range t.cols[Cell{b.c.X + int32(k*dx), b.c.Y + int32(k*dy)}] {
			if math.Abs(float64(s.h-to)) <= t.w.rules.Climb && (s.room == 0 || annex.HeadroomMetres(s.room) > float64(from-s.h)-1./annex.HeadroomSteps) {
				return true
			}
		}
	}
	return false
}

func (t *searchTwin) allowed(a, b twinSpan) bool {
	from, to := t.cols[a.c][a.n], t.cols[b.c][b.n]
	dx, dy := int(b.c.X-a.c.X), int(b.c.Y-a.c.Y)
	if !t.usable(from) || !t.usable(to) || !t.in(a.c) || !t.in(b.c) ||
		dx != 0 && dy != 0 && (!t.in(Cell{a.c.X, b.c.Y}) || !t.in(Cell{b.c.X, a.c.Y})) {
		return false
	}
	rise := t.w.rules.Rise(&t.table, true, nil)
	if !rise.OK((int(a.c.Y)-t.table.GY)*t.table.NX+int(a.c.X)-t.table.GX, dx, dy, from.h, to.h) {
		return false
	}
	if drop := float64(from.h) - float64(to.h); drop > t.w.rules.Climb {
		if room := annex.HeadroomMetres(to.room); to.room != 0 && !t.s.PassWalls && room < drop-0.25 && !t.openFurtherOut(b, dx, dy, from.h) {
			return false
		}
		return drop <= t.s.Body.MaxDrop
	}
	if t.banned(a.c, b.c) {
		return false
	}
	if t.s.PassWalls {
		return true
	}
	p := [2]float64{spangrid.Center(int(a.c.X)), spangrid.Center(int(a.c.Y))}
	q := [2]float64{spangrid.Center(int(b.c.X)), spangrid.Center(int(b.c.Y))}
	return !slices.ContainsFunc(t.w.walls, func(s Segment) bool {
		return s.meets(p, q, float64(from.h), float64(to.h), wallBand)
	})
}

func (t *searchTwin) step(a, b Cell) float64 {
	ca, _ := t.own(a)
	cb, _ := t.own(b)
	half := float32(0.5)
	if a.X != b.X && a.Y != b.Y {
		half = float32(math.Sqrt2) / 2
	}
	return float64(half * (t.prices.Of(ca) + t.prices.Of(cb)))
}

// landing returns what an end of a link stands on.
func (t *searchTwin) landing(at spangrid.Place) (twinSpan, bool) {
	c := Cell{at.GX, at.GY}
	best, n := math.Inf(1), -1
	for i, s := range t.cols[c] {
		if d := math.Abs(float64(s.h - at.H)); max(s.region, 1) == 1 && d < best && d <= 8 {
			best, n = d, i
		}
	}
	return twinSpan{c, n}, n >= 0 && t.s.Clip.Has(int(c.X), int(c.Y))
}

// next returns what follows a surface.
func (t *searchTwin) next(u twinSpan) []twinEdge {
	if list, ok := t.edges[u]; ok {
		return list
	}
	var list []twinEdge
	for dy := int32(-1); dy <= 1; dy++ {
		for dx := int32(-1); dx <= 1; dx++ {
			c := Cell{u.c.X + dx, u.c.Y + dy}
			for n := range t.cols[c] {
				if v := (twinSpan{c, n}); c != u.c && t.allowed(u, v) {
					list = append(list, twinEdge{v, t.step(u.c, c), -1})
				}
			}
		}
	}
	for k := range t.s.Links {
		l := &t.s.Links[k]
		if a, ok := t.landing(l.From); !ok || a != u {
			continue
		}
		if b, ok := t.landing(l.To); ok && t.usable(t.cols[b.c][b.n]) && t.in(b.c) {
			list = append(list, twinEdge{b, float64(l.Cost), k})
		}
	}
	t.edges[u] = list
	return list
}

// costs returns what it costs from a surface to every other, by relaxing until
// nothing changes.
func (t *searchTwin) costs(start twinSpan) map[twinSpan]float64 {
	cost := map[twinSpan]float64{start: 0}
	todo := []twinSpan{start}
	for len(todo) > 0 {
		u := todo[0]
		todo = todo[1:]
		for _, e := range t.next(u) {
			if old, ok := cost[e.to]; !ok || cost[u]+e.cost < old {
				cost[e.to] = cost[u] + e.cost
				todo = append(todo, e.to)
			}
		}
	}
	return cost
}

// usableSpans returns all spans of a ground.
func usableSpans(g *Ground, need uint16) []Span {
	var all []Span
	for y := range g.Clip.NY {
		for x := range g.Clip.NX {
			all = g.Standing(all, g.Clip.GX+x, g.Clip.GY+y, need)
		}
	}
	return all
}

// of returns the twin of a span.
func (t *searchTwin) of(g *Ground, s Span) twinSpan {
	p, i := g.of(uint32(s))
	at := g.Place(s)
	return twinSpan{Cell{at.GX, at.GY}, i - int(p.first[p.cellOf[i]])}
}

// TestSolveAgainstRelaxation compares costs with those of a search that shares
// no code with this one, and looks at every step of the ways found.
func TestSolveAgainstRelaxation(t *testing.T) {
	found, missed, links := 0, 0, 0
	for n := range worlds(60) {
		rnd := rand.New(rand.NewPCG(uint64(n), 11))
		w, change, clip := randomSearchWorld(rnd)
		g := w.ground(t, clip, change)
		var prices *Prices
		if rnd.IntN(2) == 0 {
			prices = NewPrices(0.25, 1.75)
		}
		tw := newSearchTwin(w, g, MarkOn, prices)
		all := usableSpans(g, MarkOn)
		if len(all) == 0 {
			continue
		}
		q := Problem{Need: MarkOn, Prices: prices, Start: all[rnd.IntN(len(all))], GiveUp: math.Inf(1), Euclid: rnd.IntN(2) == 0}
		want := tw.costs(tw.of(g, q.Start))
		var p Path
		for k := range 12 {
			goal := g.Place(all[rnd.IntN(len(all))])
			q.Goals = g.Standing(q.Goals[:0], int(goal.GX), int(goal.GY), MarkOn)
			best := math.Inf(1)
			for _, s := range q.Goals {
				if c, ok := want[tw.of(g, s)]; ok {
					best = min(best, c)
				}
			}
			ok, err := g.Solve(&q, &p)
			if err != nil {
				t.Fatal(err)
			}
			if ok != !math.IsInf(best, 1) || ok && p.Cost != best {
				t.Fatalf("world %d: from %v to %v: %v, cost %v, want %v", n, g.Place(q.Start), goal, ok, p.Cost, best)
			}
			if k == 0 && ok {
				start := g.Place(q.Start)
				if l, err := g.Linked(Cell{start.GX, start.GY}, Cell{goal.GX, goal.GY}, MarkOn); err != nil || !l {
					t.Fatalf("world %d: a way but not linked, %v", n, err)
				}
			}
			if !ok {
				missed++
				continue
			}
			found++
			links += len(p.Links)
			tw.check(t, g, &q, &p)
		}
	}
	if found < 190 || missed < 55 || links < 7 {
		t.Errorf("%d found, %d not, %d links: no fair trial", found, missed, links)
	}
}

// check walks along a way.
func (t *searchTwin) check(tb testing.TB, g *Ground, q *Problem, p *Path) {
	tb.Helper()
	if p.Spans[0] != q.Start || !slices.Contains(q.Goals, p.Spans[len(p.Spans)-1]) {
		tb.Fatal("wrong ends")
	}
	sum, used := 0.0, 0
	for i := 1; i < len(p.Spans); i++ {
		v, best, by := t.of(g, p.Spans[i]), math.Inf(1), -1
		for _, e := range t.next(t.of(g, p.Spans[i-1])) {
			if e.to == v && e.cost < best {
				best, by = e.cost, e.link
			}
		}
		sum += best
		if by >= 0 {
			if used == len(p.Links) {
				tb.Fatal("a link is not listed")
			}
			a, b := &t.s.Links[p.Links[used]], &t.s.Links[by]
			if a.From.GX != b.From.GX || a.To.GX != b.To.GX || a.Cost != b.Cost {
				tb.Fatalf("link %d is listed, %d taken", p.Links[used], by)
			}
			used++
		}
	}
	if sum != p.Cost || used != len(p.Links) {
		tb.Fatalf("steps cost %v, the way %v; %d of %d links", sum, p.Cost, used, len(p.Links))
	}
}
