package spanpath

import (
	"context"
	"math/rand/v2"
	"testing"

	"wend/spangrid"
)

// Tests of where this package departs from the original rules: each tells the
// original rule again and shows, in the same small world, what it does wrong and
// that the rule in force does not.

// twoPasses finds for each cell of a window the nearest seed as the original
// rules do: what a neighbour has is handed on, row by row down and up again. It
// returns which seed each cell has.
func twoPasses(w spangrid.Window, seeds []Cell) []int {
	src := make([]int, w.Cells())
	for i := range src {
		src[i] = -1
	}
	for i, s := range seeds {
		src[w.Cell(int(s.X), int(s.Y))] = i
	}
	far := func(x, y, i int) int {
		dx, dy := int(seeds[i].X)-w.GX-x, int(seeds[i].Y)-w.GY-y
		return dx*dx + dy*dy
	}
	take := func(x, y, dx, dy int) {
		if x+dx < 0 || x+dx >= w.NX || y+dy < 0 || y+dy >= w.NY {
			return
		}
		o := src[(y+dy)*w.NX+x+dx]
		if c := &src[y*w.NX+x]; o >= 0 && (*c < 0 || far(x, y, o) < far(x, y, *c)) {
			*c = o
		}
	}
	for y := range w.NY {
		for x := range w.NX {
			take(x, y, 0, -1)
			take(x, y, -1, -1)
			take(x, y, 1, -1)
			take(x, y, -1, 0)
		}
		for x := w.NX - 2; x >= 0; x-- {
			take(x, y, 1, 0)
		}
	}
	for y := w.NY - 1; y >= 0; y-- {
		for x := w.NX - 1; x >= 0; x-- {
			take(x, y, 0, 1)
			take(x, y, -1, 1)
			take(x, y, 1, 1)
			take(x, y, 1, 0)
		}
		for x := 1; x < w.NX; x++ {
			take(x, y, -1, 0)
		}
	}
	return src
}

// TestCorridorsOfTwoPasses: nearest cells of a path that are handed on from
// neighbour to neighbour are nearly always the nearest. In these worlds one cell
// gets another, and so it is not in the band where it should be. That in force is.
func TestCorridorsOfTwoPasses(t *testing.T) {
	for _, c := range []struct {
		path []Cell
		at   Cell
		d2   int // from the nearest
	}{
		{[]Cell{{4, 4}, {13, 6}, {18, 10}}, Cell{5, 21}, 289},
		{[]Cell{{10, 2}, {8, 3}, {19, 1}}, Cell{16, 16}, 232},
		{[]Cell{{23, 25}, {17, 23}, {14, 21}, {40, 24}}, Cell{25, 8}, 289},
	} {
		w := newWorld()
		w.floor(0, 0, 43, 29, 0)
		for _, list := range w.cells {
			list[0].clr = uint16(c.d2) // it is as far from the path as the band is wide
		}
		clip := spangrid.Window{NX: 44, NY: 30}
		old := c.path[twoPasses(clip, c.path)[clip.Cell(int(c.at.X), int(c.at.Y))]]
		dx, dy := int(old.X-c.at.X), int(old.Y-c.at.Y)
		if dx*dx+dy*dy <= c.d2 {
			t.Errorf("%v: two passes give %v, which is the nearest", c.at, old)
		}
		g := w.ground(t, clip)
		g.SetCorridor(c.path, false)
		if g.Marks(int(c.at.X), int(c.at.Y))&MarkBand == 0 {
			t.Errorf("%v is not in the band", c.at)
		}
	}
}

// TestLandingsOfTheOriginalRules: they move a landing into a no-go zone, a disc
// or behind a wall, since all that they ask is whether the height goes on.
func TestLandingsOfTheOriginalRules(t *testing.T) {
	const far = 6.375 // px, where one lands if nothing is there
	clip := spangrid.Window{GX: 0, GY: 0, NX: 70, NY: 30}
	closed := func(g *Ground, p Point) bool {
		gx, gy := p.cell()
		page, c := g.at(gx, gy)
		return g.stamped(page, c)
	}
	for _, c := range []struct {
		name string
		add  func(w *testWorld, s *Setup)
		bad  func(g *Ground, land Point) bool
	}{
		{"no-go zone", func(w *testWorld, _ *Setup) {
			w.rings = []Ring{NewRing("", [][2]float64{{5.7, 1}, {7.3, 1}, {7.3, 4}, {5.7, 4}}, -1, 1)}
		}, func(g *Ground, land Point) bool { return closed(g, land) }},
		{"disc", func(_ *testWorld, s *Setup) { s.Discs = []Disc{{far, 2.6, 0.6}} },
			func(g *Ground, land Point) bool { return closed(g, land) }},
		{"wall", func(w *testWorld, _ *Setup) { w.walls = []Segment{{5.7, 0, 5.7, 5.2, 0, 0}} },
			func(_ *Ground, land Point) bool { return land.U > 5.7 }},
	} {
		w, pts, hz := ledgeWorld()
		g := w.ground(t, clip, func(s *Setup) { c.add(w, s) })
		original := landTwin(g, w, pts, hz)
		if !c.bad(g, original) {
			t.Errorf("%s: the original rules land at %v, which is right", c.name, original)
		}
		drops := g.LandingMargin(nil, pts, hz, make([]float32, 3), nil, bodyRadius)
		if len(drops) != 1 || c.bad(g, pts[1]) {
			t.Errorf("%s: lands at %v, falls %v", c.name, pts[1], drops)
		}
	}
}

// countedSource counts the pages that are made.
type countedSource struct {
	*testWorld
	asked map[Cell]bool
}

func (s *countedSource) Page(ctx context.Context, px, py int) (*Page, error) {
	s.asked[Cell{int32(px), int32(py)}] = true
	return s.testWorld.Page(ctx, px, py)
}

// TestNearestLooksNearby: to look at all cells of the window in order, as the
// original rules do, gives the same cell and makes all of its pages; rings make
// those around the end alone.
func TestNearestLooksNearby(t *testing.T) {
	w := newWorld()
	rnd := rand.New(rand.NewPCG(12, 12))
	for range 60 {
		if x, y := rnd.IntN(512), rnd.IntN(512); (x-320)*(x-320)+(y-310)*(y-310) > 100 {
			w.put(x, y, cellSpan{})
		}
	}
	w.put(310, 320, cellSpan{}) // three that are equally near to (320, 310)
	w.put(320, 320, cellSpan{})
	w.put(330, 310, cellSpan{})
	clip := spangrid.Window{GX: 0, GY: 0, NX: 512, NY: 512}
	for _, from := range []Cell{{320, 310}, {0, 0}, {200, 500}, {511, 1}} {
		near, whole := &countedSource{w, map[Cell]bool{}}, &countedSource{w, map[Cell]bool{}}
		g := w.ground(t, clip, func(s *Setup) { s.Source = near })
		at, d2, ok := g.NearestOn(int(from.X), int(from.Y), 32, MarkOn)
		all := w.ground(t, clip, func(s *Setup) { s.Source = whole })
		best, first := 32*32+1, Cell{}
		for y := range clip.NY {
			for x := range clip.NX {
				dx, dy := x-int(from.X), y-int(from.Y)
				if d := dx*dx + dy*dy; all.Marks(x, y)&MarkOn != 0 && d < best {
					best, first = d, Cell{int32(x), int32(y)}
				}
			}
		}
		if ok != (best <= 32*32) || ok && (at != first || d2 != best) {
			t.Errorf("near %v: %v, %d, %v; all cells say %v, %d", from, at, d2, ok, first, best)
		}
		if len(near.asked) > 4 || len(whole.asked) < 16 {
			t.Errorf("near %v: %d pages, all cells take %d", from, len(near.asked), len(whole.asked))
		}
	}
	if at, _, _ := w.ground(t, clip).NearestOn(320, 310, 32, MarkOn); at != (Cell{330, 310}) {
		t.Errorf("of equally near cells %v was taken, not the first by row", at)
	}
}
