package spanpath

import (
	"context"
	"math"
	"testing"

	"wend/pack"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/spangrid"
)

// cellSpan is a surface of a test world.
type cellSpan struct {
	h         float32
	region    uint32 // 0 counts as 1
	component uint32 // 0 counts as 1
	clr       uint16 // squared cells; 0 counts as the cap
	flags     uint8  // 0 counts as Walk|Core
	steps     uint8
	steps2    uint8 // used where steps are set
	seg       uint8
	room      uint8 // headroom, annex steps
}

// testWorld is a Source made by hand.
type testWorld struct {
	cells map[Cell][]cellSpan
	walls []Segment
	rings []Ring
	rules spangrid.Rules
	pages map[Cell]*Page
}

// newWorld returns an empty world with the reference rules.
func newWorld() *testWorld {
	return &testWorld{
		cells: map[Cell][]cellSpan{}, pages: map[Cell]*Page{},
		rules: spangrid.RulesOf(pack.ReferenceProfile()),
	}
}

// floor puts surfaces of one height into a rectangle of cells, ends included.
func (w *testWorld) floor(x0, y0, x1, y1 int, h float32) {
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			w.put(x, y, cellSpan{h: h})
		}
	}
}

func (w *testWorld) put(x, y int, s cellSpan) {
	c := Cell{int32(x), int32(y)}
	w.cells[c] = append(w.cells[c], s)
}

// row makes a strip of cells from heights; NaN leaves a hole.
func (w *testWorld) row(x, y int, heights ...float32) {
	for i, h := range heights {
		if h == h {
			w.put(x+i, y, cellSpan{h: h})
		}
	}
}

// clearances sets the clearance of every cell to the distance to the nearest
// cell without ground.
func (w *testWorld) clearances() {
	rim := map[Cell]bool{}
	for c := range w.cells {
		for i := range 9 {
			n := Cell{c.X + int32(i%3) - 1, c.Y + int32(i/3) - 1}
			if _, ok := w.cells[n]; !ok {
				rim[n] = true
			}
		}
	}
	for c, list := range w.cells {
		best := int32(spangrid.CapSquared)
		for n := range rim {
			dx, dy := n.X-c.X, n.Y-c.Y
			best = min(best, dx*dx+dy*dy)
		}
		for i := range list {
			list[i].clr = uint16(best)
		}
	}
}

// Page implements Source for region 1.
func (w *testWorld) Page(_ context.Context, px, py int) (*Page, error) {
	key := Cell{int32(px), int32(py)}
	if p, ok := w.pages[key]; ok {
		return p, nil
	}
	win := PageWindow(px, py)
	var f bnvf.Window
	var rooms []uint8
	for c, list := range w.cells { // pages put records in order
		x, y := int(c.X)-win.GX, int(c.Y)-win.GY
		if uint(x) >= uint(win.NX) || uint(y) >= uint(win.NY) {
			continue
		}
		for _, s := range list {
			r := bnav.Record{Cell: int32(y*win.NX + x), Region: max(s.region, 1), H: s.h, Clr: s.clr, Flags: s.flags, Steps: s.steps}
			if r.Clr == 0 {
				r.Clr = spangrid.CapSquared
			}
			if r.Flags == 0 {
				r.Flags = bnav.Walk | bnav.Core
			}
			f.Records = append(f.Records, r)
			f.Component = append(f.Component, max(s.component, 1))
			f.Steps2 = append(f.Steps2, s.steps2)
			f.Seg = append(f.Seg, s.seg)
			rooms = append(rooms, s.room)
		}
	}
	p := NewPage(&PageInput{PX: px, PY: py, Region: 1, Fields: &f, Headroom: rooms, Walls: w.walls, NoGo: w.rings, Rules: &w.rules})
	w.pages[key] = p
	return p, nil
}

// ground returns a ground on a window of the world, with all of 64 components
// in reach.
func (w *testWorld) ground(t testing.TB, clip spangrid.Window, change ...func(*Setup)) *Ground {
	t.Helper()
	s := Setup{
		Clip: clip, Rules: w.rules, Source: w, Reach: bnvf.Set{math.MaxUint64},
		Body: Body{MaxDrop: math.Inf(1), Preferred: 1.75},
	}
	for _, f := range change {
		f(&s)
	}
	var g Ground
	if err := g.Reset(context.Background(), &s); err != nil {
		t.Fatal(err)
	}
	return &g
}
