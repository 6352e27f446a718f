package spanpath

import (
	"math"
	"math/rand/v2"
	"testing"

	"wend/spangrid"
)

// TestMarks looks at the marks of cells over the border of four pages.
func TestMarks(t *testing.T) {
	w := newWorld()
	w.floor(100, 100, 160, 160, 2)
	w.clearances()
	g := w.ground(t, spangrid.Window{GX: 90, GY: 90, NX: 100, NY: 60})
	for _, c := range []struct {
		x, y int
		want uint16
	}{
		{99, 120, 0}, {100, 120, MarkWalk | MarkCore | MarkOn | MarkOnCore},
		{130, 130, MarkWalk | MarkCore | MarkOn | MarkOnCore | MarkOpen | MarkChannel},
		{106, 127, MarkWalk | MarkCore | MarkOn | MarkOnCore | MarkOpen | MarkChannel}, // 7 cells from the rim
		{105, 127, MarkWalk | MarkCore | MarkOn | MarkOnCore},
		{130, 155, 0}, // beyond the window
		{130, 149, MarkWalk | MarkCore | MarkOn | MarkOnCore | MarkOpen | MarkChannel},
	} {
		if got := g.Marks(c.x, c.y); got != c.want {
			t.Errorf("cell (%d, %d): marks %b, want %b", c.x, c.y, got, c.want)
		}
	}
	// A mark shows in every page that has the cell.
	g.Mark(128, 127, MarkExtra)
	for _, at := range [][2]int{{127, 127}, {128, 127}, {128, 128}} {
		p, _ := g.at(at[0], at[1])
		if p.marks[(127-p.Table.GY)*pageSpan+128-p.Table.GX]&MarkExtra == 0 {
			t.Errorf("page of %v lacks the mark", at)
		}
	}
}

// TestCorridorAgainstBruteForce compares band and solid cells with their
// definition.
func TestCorridorAgainstBruteForce(t *testing.T) {
	for n := range worlds(6) {
		rnd := rand.New(rand.NewPCG(uint64(n), 3))
		w := newWorld()
		w.floor(100, 100, 170, 170, 0)
		for range 12 {
			delete(w.cells, Cell{int32(100 + rnd.IntN(70)), int32(100 + rnd.IntN(70))})
		}
		w.clearances()
		g := w.ground(t, spangrid.Window{GX: 80, GY: 80, NX: 110, NY: 110})
		var path []Cell
		for range 1 + rnd.IntN(20) {
			if c := (Cell{int32(100 + rnd.IntN(71)), int32(100 + rnd.IntN(71))}); w.cells[c] != nil {
				path = append(path, c)
			}
		}
		g.SetCorridor(path, false)
		for y := 100; y <= 170; y++ {
			for x := 100; x <= 170; x++ {
				best := math.MaxInt
				var at Cell
				for _, s := range path {
					dx, dy := int(s.X)-x, int(s.Y)-y
					d := dx*dx + dy*dy
					if d < best || d == best && (s.X < at.X || s.X == at.X && s.Y < at.Y) {
						best, at = d, s
					}
				}
				if best == math.MaxInt || w.cells[Cell{int32(x), int32(y)}] == nil {
					continue
				}
				r, clr := int(w.cells[at][0].clr), int(w.cells[Cell{int32(x), int32(y)}][0].clr)
				m := g.Marks(x, y)
				if band := m&MarkBand != 0; band != (best <= max(r, 1)) {
					t.Fatalf("world %d: (%d, %d) is %d from a cell with clearance %d, squared: band %v", n, x, y, best, r, band)
				}
				if solid, want := m&MarkSolid != 0, clr >= 49 && 25*clr >= 16*r; solid != want {
					t.Fatalf("world %d: (%d, %d) has clearance %d, corridor %d, squared: solid %v", n, x, y, clr, r, solid)
				}
			}
		}
	}
}
