package spanpath

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"wend/pack"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/spangrid"
)

// drawnWorld is a Source of one storey drawn into a square of cells.
type drawnWorld struct {
	side  int
	solid []bool // obstacles
	clr   []uint16
	rules spangrid.Rules
	pages map[Cell]*Page
}

func newDrawn(side int, draw func(solid []bool)) *drawnWorld {
	w := &drawnWorld{side: side, solid: make([]bool, side*side), pages: map[Cell]*Page{}, rules: spangrid.RulesOf(pack.ReferenceProfile())}
	draw(w.solid)
	m := make(spangrid.Mask, side*side)
	for i, s := range w.solid {
		m[i] = !s
	}
	var d spangrid.Distances
	w.clr = d.Clearance(nil, spangrid.Window{NX: side, NY: side}, m, spangrid.SolidBorder)
	return w
}

func (w *drawnWorld) Page(_ context.Context, px, py int) (*Page, error) {
	key := Cell{int32(px), int32(py)}
	if p, ok := w.pages[key]; ok {
		return p, nil
	}
	win := PageWindow(px, py)
	var f bnvf.Window
	for y := range win.NY {
		for x := range win.NX {
			gx, gy := win.GX+x, win.GY+y
			if gx < 0 || gy < 0 || gx >= w.side || gy >= w.side || w.solid[gy*w.side+gx] {
				continue
			}
			f.Records = append(f.Records, bnav.Record{
				Cell: int32(y*win.NX + x), Region: 1, Clr: w.clr[gy*w.side+gx], Flags: bnav.Walk | bnav.Core,
				H: float32(gx%16) * 0.05,
			})
			f.Component = append(f.Component, 1)
			f.Steps2 = append(f.Steps2, 0)
			f.Seg = append(f.Seg, 0)
		}
	}
	p := NewPage(&PageInput{PX: px, PY: py, Region: 1, Fields: &f, Rules: &w.rules})
	w.pages[key] = p
	return p, nil
}

func (w *drawnWorld) ground(t testing.TB) *Ground {
	var g Ground
	err := g.Reset(context.Background(), &Setup{
		Clip: spangrid.Window{NX: w.side, NY: w.side}, Rules: w.rules, Source: w, Reach: bnvf.Set{math.MaxUint64},
		Body: Body{MaxDrop: math.Inf(1), Preferred: 1.75},
	})
	if err != nil {
		t.Fatal(err)
	}
	return &g
}

// streets draws blocks of houses with streets of 6 to 14 cells between them.
func streets(side int) func([]bool) {
	return func(solid []bool) {
		rnd := rand.New(rand.NewPCG(1, 2))
		for y := 8; y < side-30; y += 34 + rnd.IntN(8) {
			for x := 8; x < side-30; x += 34 + rnd.IntN(8) {
				for yy := y; yy < y+26; yy++ {
					for xx := x; xx < x+26; xx++ {
						solid[yy*side+xx] = true
					}
				}
			}
		}
	}
}

// pillars draws single obstacles at random.
func pillars(side int) func([]bool) {
	return func(solid []bool) {
		rnd := rand.New(rand.NewPCG(1, 2))
		for range side * side / 150 {
			solid[rnd.IntN(side*side)] = true
		}
		solid[side+1], solid[side*side-side-2] = false, false
	}
}

func BenchmarkSolve(b *testing.B) {
	const side = 1000
	open := newDrawn(side, func([]bool) {})
	town := newDrawn(side, streets(side))
	wood := newDrawn(side, pillars(side))
	trap := newDrawn(side, func(solid []bool) { // a goal behind a wall: everything is looked at
		for y := range side - 3 {
			solid[y*side+side-10] = true
		}
	})
	for _, c := range []struct {
		name       string
		w          *drawnWorld
		x, y       int
		prices     *Prices
		sight, far bool
	}{
		{"open", open, 998, 998, nil, false, false},
		{"openAskew", open, 998, 400, nil, false, false},
		{"openEuclid", open, 998, 400, nil, false, true},
		{"trap", trap, 998, 1, nil, false, false},
		{"streets", town, 998, 998, nil, false, false},
		{"streetsPriced", town, 998, 998, NewPrices(1, 4), false, false},
		{"pillars", wood, 998, 998, nil, false, false},
		{"pillarsPriced", wood, 998, 998, NewPrices(0.25, 1.75), false, false},
		{"streetsSight", town, 998, 998, NewPrices(0.25, 1.75), true, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			g := c.w.ground(b)
			if c.sight {
				g.SetCorridor([]Cell{{1, 1}}, false)
			}
			q := Problem{
				Need: MarkOn, Prices: c.prices, GiveUp: math.Inf(1), Sight: c.sight, Euclid: c.far,
				Start: spanAt(b, g, 1, 1, 0), Goals: []Span{spanAt(b, g, c.x, c.y, 0)},
			}
			var p Path
			if ok, err := g.Solve(&q, &p); !ok || err != nil {
				b.Fatal(ok, err)
			}
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				g.Solve(&q, &p)
				n += p.Expanded
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/expanded")
			b.ReportMetric(float64(p.Expanded), "expanded")
			b.ReportMetric(float64(p.Pushed)/float64(p.Expanded), "pushed/expanded")
		})
	}
}

func BenchmarkLinked(b *testing.B) {
	w := newDrawn(1000, streets(1000))
	g := w.ground(b)
	for b.Loop() {
		if ok, err := g.Linked(Cell{1, 1}, Cell{998, 998}, MarkCore); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}
