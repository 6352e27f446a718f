package spanpath

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"wend/pack/bnav"
	"wend/spangrid"
)

// twin is sight told again from its rules: all blockers in a list, no
// pages, no tricks.
type twin struct {
	g      *Ground
	edges  [][4]float64
	walled bool
}

func newTwin(g *Ground) *twin {
	t := &twin{g: g}
	w := g.Clip
	const side = spangrid.Side
	for y := w.GY - 1; y <= w.GY+w.NY; y++ {
		for x := w.GX - 1; x <= w.GX+w.NX; x++ {
			u, v := float64(x)*side, float64(y)*side
			cell, core := t.cell(x, y), t.cell(x, y)&CellCore != 0
			if core != (t.cell(x+1, y)&CellCore != 0) || cell&CellLayer != 0 && cell&CellFacadeX != 0 {
				t.edges = append(t.edges, [4]float64{u + side, v, u + side, v + side})
			}
			if core != (t.cell(x, y+1)&CellCore != 0) || cell&CellLayer != 0 && cell&CellFacadeY != 0 {
				t.edges = append(t.edges, [4]float64{u, v + side, u + side, v + side})
			}
		}
	}
	return t
}

func (t *twin) cell(x, y int) uint8 {
	p, c := t.g.at(x, y)
	if c < 0 {
		return 0
	}
	return p.Cells[c]
}

// crossesTwin is the test of a chord against a blocker with cross products.
func crossesTwin(p, q Point, e [4]float64) (at, along float64, ok bool) {
	const eps = 1e-7
	cross := func(au, av, bu, bv float64) float64 { return float64(au*bv) - float64(av*bu) }
	if math.Min(p.U, q.U)-eps > math.Max(e[0], e[2]) || math.Max(p.U, q.U)+eps < math.Min(e[0], e[2]) ||
		math.Min(p.V, q.V)-eps > math.Max(e[1], e[3]) || math.Max(p.V, q.V)+eps < math.Min(e[1], e[3]) {
		return 0, 0, false
	}
	ru, rv, su, sv := q.U-p.U, q.V-p.V, e[2]-e[0], e[3]-e[1]
	den := cross(ru, rv, su, sv)
	if !(math.Abs(den) > 1e-12) {
		return 0, 0, false
	}
	at = cross(e[0]-p.U, e[1]-p.V, su, sv) / den
	along = cross(e[0]-p.U, e[1]-p.V, ru, rv) / den
	return at, along, eps < at && at < 1-eps && -eps < along && along < 1+eps
}

func (t *twin) blocked(p, q Point, hp, hq float64, walls []Segment) bool {
	for _, e := range t.edges {
		if _, _, ok := crossesTwin(p, q, e); ok {
			return true
		}
	}
	return t.kept(p, q, hp, hq, walls)
}

func (t *twin) kept(p, q Point, hp, hq float64, walls []Segment) bool {
	for _, s := range walls {
		at, along, ok := crossesTwin(p, q, [4]float64{s.AU, s.AV, s.BU, s.BV})
		if ok && (t.g.PassWalls || math.IsNaN(hp) || math.Abs(hp+float64((hq-hp)*at)-(s.HA+float64((s.HB-s.HA)*along))) <= wallBand) {
			return true
		}
	}
	return false
}

func (t *twin) offMask(need uint16, p, q Point) bool {
	if need == 0 {
		return false
	}
	n := int(math.Hypot(q.U-p.U, q.V-p.V)/0.125) + 2
	for i := range n {
		at := float64(i) * (1 / float64(n-1))
		if i == n-1 {
			at = 1
		}
		x, y := math.Floor((p.U+float64((q.U-p.U)*at))/0.25), math.Floor((p.V+float64((q.V-p.V)*at))/0.25)
		if t.g.Marks(int(x), int(y))&need != need {
			return true
		}
	}
	return false
}

// lineTwin is the digital line by its formula.
func lineTwin(ax, ay, bx, by int) (cells []Cell) {
	n := max(abs(bx-ax), abs(by-ay), 1)
	for k := 0; k <= n; k++ {
		cells = append(cells, Cell{
			int32(ax + int(math.RoundToEven(float64((bx-ax)*k)/float64(n)))),
			int32(ay + int(math.RoundToEven(float64((by-ay)*k)/float64(n)))),
		})
	}
	return cells
}

func (t *twin) banned(cells []Cell) bool {
	for i := 1; i < len(cells); i++ {
		a, b := cells[i-1], cells[i]
		if a == b || !t.g.Clip.Has(int(a.X), int(a.Y)) || !t.g.Clip.Has(int(b.X), int(b.Y)) {
			continue
		}
		bit, owner := spangrid.StepBit(int(b.X-a.X), int(b.Y-a.Y))
		if owner {
			a = b
		}
		if p, c := t.g.at(int(a.X), int(a.Y)); c >= 0 && p.Bans[c]&bit != 0 {
			return true
		}
	}
	return false
}

// walkTwin follows heights over cells, those of each by a function.
func (t *twin) walk(cells []Cell, cur []float32) ([]float32, bool) {
	var in []Cell
	for i, c := range cells {
		if (i == 0 || c != cells[i-1]) && t.g.Clip.Has(int(c.X), int(c.Y)) {
			in = append(in, c)
		}
	}
	for i, pc := 1, 0; i < len(in); i++ {
		c := in[i]
		p, k := t.g.at(int(c.X), int(c.Y))
		if k < 0 || len(p.Table.Heights(k)) == 0 {
			continue
		}
		w := math.Hypot(float64(c.X-in[pc].X), float64(c.Y-in[pc].Y))
		up := math.Max(0.5, 0.25*w) + 1
		var kept []float32
		first, end := p.Table.Range(k)
		for s := first; s < end; s++ {
			if p.Spans[s]&SpanNoGo != 0 && p.Cells[k]&CellNoGo == 0 {
				continue
			}
			for _, h := range cur {
				if d := float64(p.Table.H[s] - h); d <= up && d >= -3 {
					kept = append(kept, p.Table.H[s])
					break
				}
			}
		}
		if len(kept) == 0 {
			return nil, false
		}
		cur, pc = kept, i
	}
	return cur, true
}

func (t *twin) sees(v View, p, q Point, hp, hq float32, walls []Segment) bool {
	ax, ay := p.cell()
	bx, by := q.cell()
	cells := lineTwin(ax, ay, bx, by)
	if v.Walls && t.blocked(p, q, float64(hp), float64(hq), walls) || v.Kept && t.kept(p, q, float64(hp), float64(hq), walls) {
		return false
	}
	if t.offMask(v.Need, p, q) || v.Bans && t.banned(cells) {
		return false
	}
	if !v.Heights {
		return true
	}
	cur, ok := t.walk(cells, []float32{hp})
	near := false
	for _, h := range cur {
		near = near || math.Abs(float64(h-hq)) <= 1e-3
	}
	return ok && near
}

// randomWorld is a world of two storeys with holes, walls, facades, forbidden
// steps and a no-go zone, over the corner of four pages.
func randomWorld(rnd *rand.Rand) (*testWorld, spangrid.Window) {
	w := newWorld()
	win := spangrid.Window{GX: 110, GY: 112, NX: 36, NY: 32}
	holes := rnd.Float64() * 0.1
	rough := max(0, rnd.Float64()*0.1-0.04)
	for y := 108; y < 150; y++ {
		for x := 106; x < 150; x++ {
			if rnd.Float64() < holes {
				continue
			}
			s := cellSpan{h: float32(rnd.IntN(12)) / 8, clr: uint16(1 + rnd.IntN(80)), flags: bnav.Walk | bnav.Core}
			if rnd.Float64() < rough {
				s.steps = uint8(rnd.Uint32())
				s.steps2 = s.steps & uint8(rnd.Uint32())
			}
			if rnd.Float64() < rough {
				s.seg = uint8(rnd.IntN(4))
			}
			switch {
			case rnd.Float64() < rough:
				s.flags = bnav.Walk
			case rnd.Float64() < rough:
				s.h += float32(rnd.IntN(4))
			}
			if x > 125 && y > 120 {
				up := s
				up.h += 6 + float32(rnd.IntN(3))
				w.put(x, y, s)
				if rnd.Float64() < 0.9 {
					up.region = uint32(1 + rnd.IntN(2))
					w.put(x, y, up)
				}
				continue
			}
			w.put(x, y, s)
		}
	}
	place := func() float64 { return 28 + float64(rnd.IntN(64))/8 }
	for range rnd.IntN(6) {
		h := float64(rnd.IntN(20))
		w.walls = append(w.walls, Segment{place(), place(), place(), place(), h, h + float64(rnd.IntN(4))})
	}
	if rnd.IntN(2) == 0 {
		u, v := place(), place()
		w.rings = append(w.rings, NewRing("", [][2]float64{{u, v}, {u + 1.5, v}, {u + 1.5, v + 1.5}, {u, v + 1.5}}, 4, 12))
	}
	return w, win
}

// randomPoint is the middle of a cell, a corner of cells, or neither.
func randomPoint(rnd *rand.Rand, w spangrid.Window) Point {
	x, y := w.GX+rnd.IntN(w.NX), w.GY+rnd.IntN(w.NY)
	switch rnd.IntN(6) {
	case 0:
		return Point{float64(x) * spangrid.Side, float64(y) * spangrid.Side}
	case 1:
		return Point{(float64(x) + rnd.Float64()) * spangrid.Side, (float64(y) + rnd.Float64()) * spangrid.Side}
	}
	return middle(x, y)
}

func heightAt(rnd *rand.Rand, g *Ground, p Point) float32 {
	pg, c := g.at(p.cell())
	if c < 0 {
		return 0
	}
	if h := pg.Table.Heights(c); len(h) > 0 {
		return h[rnd.IntN(len(h))]
	}
	return 0
}

var testViews = []View{
	{Need: MarkOpen}, {Need: MarkOn | MarkOpen}, {Walls: true}, {Kept: true}, {Bans: true}, {Heights: true},
	{Need: MarkWalk, Kept: true, Bans: true, Heights: true},
	{Need: MarkWalk, Walls: true, Bans: true, Heights: true}, {Walls: true, Bans: true, Heights: true}, {},
}

// worlds returns how many random worlds a test tries: few, or many where
// WEND_LONG is set.
func worlds(few int) int {
	if os.Getenv("WEND_LONG") != "" {
		return 40 * few
	}
	return few
}

// TestSightAgainstTwin compares Sees with its rules told again.
func TestSightAgainstTwin(t *testing.T) {
	seen := make([][2]int, len(testViews))
	for n := range worlds(25) {
		rnd := rand.New(rand.NewPCG(uint64(n), 11))
		w, win := randomWorld(rnd)
		g := w.ground(t, win, func(s *Setup) {
			s.PassWalls = rnd.IntN(4) == 0
			s.Body.Preferred = 0.5
			if rnd.IntN(3) == 0 {
				s.Discs = []Disc{{31, 31, 0.7}}
			}
		})
		tw := newTwin(g)
		for range 300 {
			p := randomPoint(rnd, win)
			q := randomPoint(rnd, win)
			if rnd.IntN(2) == 0 { // a short one
				near := spangrid.Window{GX: max(spangrid.CellOf(p.U)-4, win.GX), GY: max(spangrid.CellOf(p.V)-4, win.GY), NX: 8, NY: 8}
				q = randomPoint(rnd, near)
			}
			hp, hq := heightAt(rnd, g, p), heightAt(rnd, g, q)
			for i, v := range testViews {
				if !v.Heights && rnd.IntN(3) == 0 {
					hp, hq = unknown, unknown
				}
				got, want := g.Sees(v, p, q, hp, hq), tw.sees(v, p, q, hp, hq, w.walls)
				if got != want {
					t.Fatalf("world %d: %+v from %v to %v, heights %v, %v: sees %v, want %v", n, v, p, q, hp, hq, got, want)
				}
				if got {
					seen[i][1]++
				} else {
					seen[i][0]++
				}
			}
		}
	}
	for i, k := range seen {
		if min(k[0], k[1]) < 120 && testViews[i] != (View{}) {
			t.Errorf("%+v: %d blocked and %d free of all chords", testViews[i], k[0], k[1])
		}
	}
}

// TestSightOverNothing looks across pages without ground, where only what is
// short, or asks neither for marks nor for the outline, is in sight.
func TestSightOverNothing(t *testing.T) {
	w := newWorld()
	rnd := rand.New(rand.NewPCG(5, 5))
	for _, x0 := range []int{80, 265} {
		for y := 90; y < 140; y++ {
			for x := x0; x < x0+35; x++ {
				w.put(x, y, cellSpan{h: float32(rnd.IntN(8)) / 8})
			}
		}
	}
	win := spangrid.Window{GX: 70, GY: 80, NX: 240, NY: 70}
	g := w.ground(t, win)
	if p, _ := g.at(180, 100); p != nowhere {
		t.Fatal("there is ground between")
	}
	tw := newTwin(g)
	free := 0
	for range worlds(1500) {
		p, q := randomPoint(rnd, win), randomPoint(rnd, win)
		hp, hq := heightAt(rnd, g, p), heightAt(rnd, g, q)
		for _, v := range testViews {
			got, want := g.Sees(v, p, q, hp, hq), tw.sees(v, p, q, hp, hq, nil)
			if got != want {
				t.Fatalf("%+v from %v to %v, heights %v, %v: sees %v, want %v", v, p, q, hp, hq, got, want)
			}
			if got && (v.Heights || v.Need != 0) && p.U < 29 && q.U > 64 {
				free++
			}
		}
	}
	if free < 20 {
		t.Errorf("%d chords across", free)
	}
}

func TestSightAllocatesNothing(t *testing.T) {
	w, win := randomWorld(rand.New(rand.NewPCG(1, 1)))
	g := w.ground(t, win)
	var spans []Span
	for range 50 {
		p, q := randomPoint(rand.New(rand.NewPCG(1, 2)), win), middle(130, 130)
		g.Sees(testViews[7], p, q, 0, 0)
	}
	p, _ := g.at(130, 130)
	for s := range p.Table.H[:200] {
		spans = append(spans, Span(p.base+uint32(s)))
	}
	n := testing.AllocsPerRun(10, func() {
		for i := range spans {
			g.seesSpans(testViews[8], spans[i], spans[len(spans)-1-i])
			g.Sees(testViews[8], Point{29, 29}, middle(130, 130+i%10), 0, 0)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestSeesSpans compares the sight of spans with that of their places.
func TestSeesSpans(t *testing.T) {
	w, win := randomWorld(rand.New(rand.NewPCG(3, 1)))
	g := w.ground(t, win)
	p, _ := g.at(130, 130)
	q, _ := g.at(120, 120)
	rnd := rand.New(rand.NewPCG(3, 2))
	for range 3000 {
		i, j := rnd.IntN(len(p.Table.H)), rnd.IntN(len(q.Table.H))
		a, b := Span(p.base+uint32(i)), Span(q.base+uint32(j))
		pa, pb := g.Place(a), g.Place(b)
		if !win.Has(int(pa.GX), int(pa.GY)) || !win.Has(int(pb.GX), int(pb.GY)) {
			continue
		}
		v := testViews[rnd.IntN(len(testViews))]
		want := g.Sees(v, middle(int(pa.GX), int(pa.GY)), middle(int(pb.GX), int(pb.GY)), pa.H, pb.H)
		if got := g.seesSpans(v, a, b); got != want {
			t.Fatalf("%+v from %v to %v: %v, want %v", v, pa, pb, got, want)
		}
		// Wherever one looks first, the verdict is the same.
		for guess := range 40 {
			if _, got := g.sight(v, int(pa.GX), int(pa.GY), int(pb.GX), int(pb.GY), pa.H, pb.H, guess); got != want {
				t.Fatalf("%+v from %v to %v, column %d first: %v, want %v", v, pa, pb, guess, got, want)
			}
		}
	}
}

func BenchmarkSeesSpans(b *testing.B) {
	w := newWorld()
	w.floor(0, 0, 1050, 140, 0)
	g := w.ground(b, spangrid.Window{GX: 0, GY: 0, NX: 1051, NY: 141})
	at := func(x, y int) Span {
		p, c := g.at(x, y)
		s, _ := p.Table.Range(c)
		return Span(p.base + uint32(s))
	}
	for _, view := range []struct {
		name string
		v    View
	}{{"Search", View{Need: MarkOpen, Kept: true, Bans: true, Heights: true}}, {"Pull", View{Need: MarkOpen, Walls: true, Bans: true, Heights: true}}} {
		for _, n := range []int{10, 100, 1000} {
			from, to := at(3, 20), at(3+n, 20+n*100/1000)
			b.Run(fmt.Sprintf("%s/%d", view.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if !g.seesSpans(view.v, from, to) {
						b.Fatal("no sight")
					}
				}
			})
		}
	}
}
