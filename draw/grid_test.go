package draw_test

import (
	"bytes"
	"errors"
	"image"
	"strings"
	"testing"

	"wend/draw"
	"wend/grid"
)

func parseGrid(tb testing.TB, rows ...string) *grid.Map {
	tb.Helper()
	m, err := grid.Parse(rows...)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// gridImage draws a grid so that a cell is 40 pixels wide, beside a rim of 12.
func gridImage(t *testing.T, in draw.GridInput, o *draw.GridOptions, w, h int) image.Image {
	t.Helper()
	c, err := draw.ComposeGrid(in, o)
	if err != nil {
		t.Fatal(err)
	}
	// The rim of a plain picture is 12 pixels where it is 1600 wide.
	img, err := c.Image(&draw.Options{Width: 1600, Height: 1600 * h / w, Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// cellColour returns the colour of a place, in cells, of a picture of w cells.
func cellColour(img image.Image, x, y float64, w int) string {
	b := img.Bounds()
	scale := float64(b.Dx()-24) / float64(w)
	r, g, bl, _ := img.At(int(12+x*scale), int((float64(b.Dy())-scale*float64(w)*float64(b.Dy())/float64(b.Dx()))/2+y*scale)).RGBA()
	const digits = "0123456789abcdef"
	out := []byte{}
	for _, v := range []uint32{r >> 8, g >> 8, bl >> 8} {
		out = append(out, digits[v>>4], digits[v&15])
	}
	return string(out)
}

func TestGridColours(t *testing.T) {
	m := parseGrid(t,
		"........",
		"..##....",
		"..##....",
		"........",
		"........",
		"........",
		"........",
		"........",
	)
	first, last := hex(draw.Ramp(0, 64)), hex(draw.Ramp(32, 64))
	img := gridImage(t, draw.GridInput{Ground: m, Expanded: []grid.Expansion{
		{Cell: grid.Cell{X: 1, Y: 5}, Width: 3},
		{Cell: grid.Cell{X: 2, Y: 5}, Width: 1}, // again: the first time counts
		{Cell: grid.Cell{X: 6, Y: 6}, Width: 1},
		{Cell: grid.Cell{X: 6, Y: 6}, Width: 1},
	}}, nil, 8, 8)
	for _, c := range []struct {
		x, y float64
		want string
	}{
		{0.5, 0.5, "ffffff"}, {2.5, 1.5, "3b414b"}, {4.5, 1.5, "ffffff"},
		{1.5, 5.5, first}, {2.5, 5.5, first}, {3.5, 5.5, first}, {4.5, 5.5, "ffffff"}, {6.5, 6.5, last},
	} {
		if got := cellColour(img, c.x, c.y, 8); got != c.want {
			t.Errorf("(%v,%v) is %s, want %s", c.x, c.y, got, c.want)
		}
	}

	// In squares of two cells, a square is expanded where one cell is.
	img = gridImage(t, draw.GridInput{Ground: m, Expanded: []grid.Expansion{{Cell: grid.Cell{X: 5, Y: 3}, Width: 1}}}, &draw.GridOptions{Block: 2}, 8, 8)
	for _, c := range []struct {
		x, y float64
		want string
	}{{4.5, 2.5, first}, {5.5, 3.5, first}, {2.5, 1.5, "3b414b"}, {2.5, 0.5, "3b414b"}, {6.5, 2.5, "ffffff"}} {
		if got := cellColour(img, c.x, c.y, 8); got != c.want {
			t.Errorf("squares of two: (%v,%v) is %s, want %s", c.x, c.y, got, c.want)
		}
	}

	// A part is drawn alone.
	img = gridImage(t, draw.GridInput{Ground: m}, &draw.GridOptions{Min: &grid.Cell{X: 2, Y: 1}, Max: &grid.Cell{X: 3, Y: 2}}, 2, 2)
	for _, at := range [][2]float64{{0.1, 0.1}, {1.9, 1.9}} {
		if got := cellColour(img, at[0], at[1], 2); got != "3b414b" {
			t.Errorf("part at %v is %s", at, got)
		}
	}
}

// TestGridBricks: of hexagons, odd rows lie half a cell further right.
func TestGridBricks(t *testing.T) {
	m := parseGrid(t, "#...", "#...", "#...", "#...")
	c, err := draw.ComposeGrid(draw.GridInput{Ground: m, Moves: grid.Moves{Neighbours: grid.Six}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	left := map[float64]float64{}
	for _, s := range c.Shapes {
		if s.Style.Color.R == 0x3b {
			left[s.Points[0].Z] = s.Points[0].X
		}
	}
	if len(left) != 4 || left[0] != 0 || left[1] != 0.5 || left[2] != 0 || left[3] != 0.5 {
		t.Errorf("blocked cells begin at %v", left)
	}
}

// TestGridFlow: an arrow for each cell that leads somewhere, in its direction.
func TestGridFlow(t *testing.T) {
	m := parseGrid(t, "...", ".#.", "..#")
	var f grid.Flow
	goal := grid.Cell{X: 2, Y: 0}
	if err := f.Begin(m, []grid.Cell{goal}, grid.Moves{}); err != nil {
		t.Fatal(err)
	}
	if err := f.Fill(t.Context()); err != nil {
		t.Fatal(err)
	}
	c, err := draw.ComposeGrid(draw.GridInput{Ground: m, Flow: &f, Goals: []grid.Cell{goal}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	arrows := 0
	for _, s := range c.Shapes {
		if !s.Style.Arrow {
			continue
		}
		arrows++
		a, b := s.Points[0], s.Points[1]
		at := grid.Cell{X: int32((a.X + b.X) / 2), Y: int32((a.Z + b.Z) / 2)}
		next, ok := f.Next(at)
		if !ok || float64(next.X-at.X)*(b.X-a.X) < 0 || float64(next.Y-at.Y)*(b.Z-a.Z) < 0 || (b.X-a.X == 0) != (next.X == at.X) {
			t.Errorf("arrow from %v to %v, but after %v comes %v", a, b, at, next)
		}
	}
	if arrows != 6 { // of 7 free cells one is the goal
		t.Errorf("%d arrows", arrows)
	}
	var svg bytes.Buffer
	if err := c.WriteSVG(&svg, &draw.Options{Width: 400}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`id="cells"`, `id="flow"`, "cost 0 to a goal", "1 cell<"} {
		if !strings.Contains(svg.String(), want) {
			t.Errorf("no %q in the picture", want)
		}
	}
}

// TestGridFlowLegend: one cost is named once, and what white cells are is said.
func TestGridFlowLegend(t *testing.T) {
	m := parseGrid(t, "..#.", "..#.")
	goal := grid.Cell{X: 3, Y: 0}
	for _, c := range []struct {
		area  grid.Cell
		costs int
		white string
		fill  bool
	}{
		{grid.Cell{X: 1, Y: 1}, 0, "free, cannot reach a goal", true},
		{grid.Cell{X: 3, Y: 0}, 1, "free, cannot reach a goal", true},
		{grid.Cell{X: 3, Y: 1}, 5, "free, cannot reach a goal", true},
		{grid.Cell{X: 3, Y: 1}, 0, "free, not looked at", false},
	} {
		var f grid.Flow
		if err := f.Begin(m, []grid.Cell{goal}, grid.Moves{}); err != nil {
			t.Fatal(err)
		}
		if c.fill {
			if err := f.Fill(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		canvas, err := draw.ComposeGrid(draw.GridInput{Ground: m, Flow: &f}, &draw.GridOptions{Max: &c.area})
		if err != nil {
			t.Fatal(err)
		}
		var svg bytes.Buffer
		if err := canvas.WriteSVG(&svg, &draw.Options{Width: 400}); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(svg.String(), " to a goal<"); n != c.costs || !strings.Contains(svg.String(), c.white) {
			t.Errorf("up to %v: %d costs in the legend, want %d, and %q", c.area, n, c.costs, c.white)
		}
	}
}

// TestGridWay: a way is cut at the rim of the part that is drawn, and goes
// without the places where it is straight.
func TestGridWay(t *testing.T) {
	m := parseGrid(t, "......", "......", "......", "......")
	path := []grid.Cell{{X: 0, Y: 1}, {X: 1, Y: 1}, {X: 2, Y: 1}, {X: 3, Y: 2}, {X: 4, Y: 3}, {X: 5, Y: 3}}
	lines := func(in draw.GridInput, o *draw.GridOptions) (out [][]float64) {
		t.Helper()
		c, err := draw.ComposeGrid(in, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range c.Shapes {
			if s.Kind != draw.Line {
				continue
			}
			var l []float64
			for _, p := range s.Points {
				l = append(l, p.X, p.Z)
			}
			out = append(out, l)
		}
		return out
	}
	equal := func(name string, got, want [][]float64) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("%s: %v, want %v", name, got, want)
		}
		for i := range got {
			if len(got[i]) != len(want[i]) {
				t.Fatalf("%s: %v, want %v", name, got, want)
			}
			for k := range got[i] {
				if d := got[i][k] - want[i][k]; d > 1e-9 || d < -1e-9 {
					t.Fatalf("%s: %v, want %v", name, got, want)
				}
			}
		}
	}
	in := draw.GridInput{Ground: m, Path: path}
	equal("whole", lines(in, nil), [][]float64{{0.5, 1.5, 2.5, 1.5, 4.5, 3.5, 5.5, 3.5}})
	equal("part", lines(in, &draw.GridOptions{Min: &grid.Cell{X: 1, Y: 0}, Max: &grid.Cell{X: 3, Y: 3}}), [][]float64{{1, 1.5, 2.5, 1.5, 4, 3}})
	in = draw.GridInput{Ground: m, Points: []grid.Point{{X: 0.5, Y: 0.5}, {X: 5.5, Y: 0.5}}}
	equal("through", lines(in, &draw.GridOptions{Min: &grid.Cell{X: 2, Y: 0}, Max: &grid.Cell{X: 3, Y: 0}}), [][]float64{{2, 0.5, 4, 0.5}})
	in = draw.GridInput{Ground: m, Path: path, Narrow: [][2]int{{3, 4}}}
	equal("narrow", lines(in, nil), [][]float64{{0.5, 1.5, 2.5, 1.5, 4.5, 3.5, 5.5, 3.5}, {2.5, 1.5, 4.5, 3.5}})
}

func TestGridErrors(t *testing.T) {
	m := parseGrid(t, "..")
	var missing *draw.MissingError
	if _, err := draw.ComposeGrid(draw.GridInput{}, nil); !errors.As(err, &missing) {
		t.Errorf("no ground: %v", err)
	}
	for _, o := range []draw.GridOptions{{Block: -1}, {Block: 1 << 20}, {Min: &grid.Cell{X: 2}}, {Max: &grid.Cell{X: -1}}, {Min: &grid.Cell{Y: 1 << 30}, Max: &grid.Cell{Y: 1<<31 - 1}}} {
		var oe *draw.OptionError
		if _, err := draw.ComposeGrid(draw.GridInput{Ground: m}, &o); !errors.As(err, &oe) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	big, err := grid.New(6000, 2)
	if err != nil {
		t.Fatal(err)
	}
	c, err := draw.ComposeGrid(draw.GridInput{Ground: big}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if last := c.Legend[len(c.Legend)-1].Label; last != "a square: 5 x 5 cells" {
		t.Errorf("a large map: %q", last)
	}
}
