package draw

import (
	"bytes"
	"crypto/sha256"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wend/geom"
	"wend/scene"
	"wend/scene/sample"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// smallCanvas has one of everything.
func smallCanvas() *Canvas {
	c := &Canvas{Title: "A <small> picture"}
	v := geom.V3
	floor := Style{Color: Tint(0)}
	c.Add(Fill, "floor", floor, v(0, 0, 0), v(0, 0, 10), v(20, 0, 10), v(20, 0, 0))
	c.Add(Fill, "floor", Style{Color: Tint(1)}, v(5, 3, 2), v(5, 3, 8), v(9, 3, 8), v(9, 3, 2))
	c.Add(Loop, "edges", Style{Color: inkColor, Width: 2}, v(0, 0, 0), v(0, 0, 10), v(20, 0, 10), v(20, 0, 0))
	c.Add(Line, "edges", Style{Color: Color(2), Width: 3, Dash: true, Arrow: true}, v(2, 0, 5), v(15, 0, 5))
	c.AddOver(Dot, "marks", Style{Color: Color(1), Width: 10, Halo: true}, v(2, 0, 5), v(15, 0, 5))
	c.AddText("labels", Style{Color: inkColor, Width: 16, Halo: true}, v(15, 0, 5), "goal & more")
	c.AddKey(Key{Fill, floor, "floor"})
	c.AddKey(Key{Line, Style{Color: Color(2), Width: 3, Dash: true}, "way"})
	return c
}

func svgOf(t *testing.T, c *Canvas, o *Options) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := c.WriteSVG(&buf, o); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestSVGGolden(t *testing.T) {
	for name, o := range map[string]*Options{
		"above":   {Width: 600},
		"oblique": {Width: 600, View: View{Kind: Oblique}},
		"side":    {Width: 600, View: View{Kind: Side, AzimuthDeg: 90}, Plain: true},
	} {
		t.Run(name, func(t *testing.T) {
			got := svgOf(t, smallCanvas(), o)
			file := filepath.Join("testdata", name+".svg")
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// wellFormed parses a document and returns its ids.
func wellFormed(t *testing.T, doc []byte) map[string]bool {
	t.Helper()
	ids := map[string]bool{}
	d := xml.NewDecoder(bytes.NewReader(doc))
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return ids
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := tok.(xml.StartElement); ok {
			for _, a := range e.Attr {
				if a.Name.Local == "id" {
					if ids[a.Value] {
						t.Errorf("id %q twice", a.Value)
					}
					ids[a.Value] = true
				}
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") || strings.Contains(a.Value, "e+") {
					t.Errorf("attribute %s is %.60q", a.Name.Local, a.Value)
				}
			}
		}
	}
}

func TestSVGGroups(t *testing.T) {
	ids := wellFormed(t, svgOf(t, smallCanvas(), nil))
	for _, id := range []string{"floor", "edges", "floor-2", "marks", "labels", "decor"} {
		if !ids[id] {
			t.Errorf("no group %q in %v", id, ids)
		}
	}
	c := smallCanvas()
	for i, name := range []string{"floor-2", "9 lives", "", "ünï \"<&", "decor"} {
		c.Add(Dot, name, Style{Color: inkColor, Width: 3}, geom.V3(float64(i), 20, 0))
	}
	wellFormed(t, svgOf(t, c, nil))
}

func pngOf(t testing.TB, c *Canvas, o *Options) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := c.WritePNG(&buf, o); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// The pixels are the same on every platform; the compressed bytes need not be.
func TestPixelsAreTheSameEverywhere(t *testing.T) {
	img, err := smallCanvas().Image(&Options{Width: 400, View: View{Kind: Oblique}})
	if err != nil {
		t.Fatal(err)
	}
	const want = "4c0424a2315da5c8"
	if got := fmt.Sprintf("%x", sha256.Sum256(img.Pix))[:16]; got != want {
		t.Errorf("hash of the pixels is %s, want %s: the picture changed, or this platform computes it differently", got, want)
	}
}

func TestPNGShowsWhatIsThere(t *testing.T) {
	c := smallCanvas()
	img, err := png.Decode(bytes.NewReader(pngOf(t, c, &Options{Width: 800, Height: 400, Plain: true})))
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b != image.Rect(0, 0, 800, 400) {
		t.Fatalf("bounds %v", b)
	}
	// Plain: 20 x 10 m fit 788 x 388 pixels (6 pixels of rim): 38.8 a metre.
	at := func(x, z float64) color.NRGBA {
		px, py := 400+(x-10)*38.8, 200+(z-5)*38.8
		return color.NRGBAModel.Convert(img.At(int(px), int(py))).(color.NRGBA)
	}
	if got := at(1, 1); got != Tint(0) {
		t.Errorf("floor is %v, want %v", got, Tint(0))
	}
	if got := at(7, 3); got != Tint(1) {
		t.Errorf("the floor above is %v, want %v", got, Tint(1))
	}
	if got := at(15, 5); got != Color(1) {
		t.Errorf("mark is %v, want %v", got, Color(1))
	}
}

// X points right and Z down when seen from above; Y up from the side.
func TestViews(t *testing.T) {
	tests := []struct {
		name    string
		view    View
		x, y, z point // on paper, y down
	}{
		{"above", View{}, point{1, 0}, point{0, 0}, point{0, 1}},
		{"oblique from straight above", View{Kind: Oblique, ElevationDeg: 90}, point{1, 0}, point{0, 0}, point{0, 1}},
		{"side from +Z", View{Kind: Side}, point{1, 0}, point{0, -1}, point{0, 0}},
		{"side from +X", View{Kind: Side, AzimuthDeg: 90}, point{0, 0}, point{0, -1}, point{-1, 0}},
		{"side from -X", View{Kind: Side, AzimuthDeg: -90}, point{0, 0}, point{0, -1}, point{1, 0}},
		{"oblique 30 degrees up", View{Kind: Oblique, AzimuthDeg: 360, ElevationDeg: 30}, point{1, 0}, point{0, -math.Sqrt(3) / 2}, point{0, 0.5}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := test.view.frame()
			for i, want := range []point{test.x, test.y, test.z} {
				dir := []geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}}[i]
				got, near := f.project(dir)
				if math.Hypot(got.x-want.x, got.y-want.y) > 1e-12 {
					t.Errorf("axis %d: %v, want %v", i, got, want)
				}
				// The three parts of a unit vector.
				if l := got.x*got.x + got.y*got.y + near*near; math.Abs(l-1) > 1e-12 {
					t.Errorf("axis %d has length² %v", i, l)
				}
			}
		})
	}
}

func TestBadOptions(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, o := range map[string]Options{
		"negative width":    {Width: -1},
		"small":             {Width: 10},
		"large":             {Width: 1e6},
		"height":            {Height: 20000},
		"too many pixels":   {Width: 16000, Height: 16000},
		"view":              {View: View{Kind: 9}},
		"azimuth":           {View: View{Kind: Side, AzimuthDeg: nan}},
		"elevation":         {View: View{Kind: Oblique, ElevationDeg: 91}},
		"format":            {Format: 7},
		"empty focus":       {Focus: &geom.Box{Min: geom.V3(1, 0, 0)}},
		"focus without end": {Focus: &geom.Box{Max: geom.V3(inf, 1, 1)}},
	} {
		t.Run(name, func(t *testing.T) {
			var buf bytes.Buffer
			var oe *OptionError
			if err := smallCanvas().WriteSVG(&buf, &o); !errors.As(err, &oe) || oe.Field == "" {
				t.Errorf("svg: %v", err)
			}
			if err := smallCanvas().WritePNG(&buf, &o); !errors.As(err, &oe) {
				t.Errorf("png: %v", err)
			}
			if buf.Len() != 0 {
				t.Errorf("%d bytes written", buf.Len())
			}
		})
	}
}

func TestNothingToDraw(t *testing.T) {
	nan := math.NaN()
	c := &Canvas{}
	if err := c.WriteSVG(io.Discard, nil); !errors.Is(err, ErrEmpty) {
		t.Errorf("empty: %v", err)
	}
	ink := Style{Color: inkColor, Width: 1}
	c.Add(Fill, "a", ink, geom.V3(0, 0, 0), geom.V3(1, 0, 0))
	c.Add(Line, "a", ink, geom.V3(0, nan, 0), geom.V3(1, 0, 0))
	c.Add(Dot, "a", ink, geom.V3(math.Inf(1), 0, 0))
	c.Add(Dot, "a", ink, geom.V3(1e300, 0, 0))
	c.Add(Dot, "a", Style{}, geom.V3(0, 0, 0))
	c.AddText("a", ink, geom.V3(0, 0, 0), "")
	c.Shapes = append(c.Shapes, Shape{})
	if err := c.WritePNG(io.Discard, nil); !errors.Is(err, ErrEmpty) {
		t.Errorf("only shapes that cannot be drawn: %v", err)
	}
	// They do not harm one that can.
	c.Add(Dot, "a", ink, geom.V3(3, 0, 0))
	wellFormed(t, svgOf(t, c, nil))
	pngOf(t, c, nil)
}

func TestHugeAndTinyExtents(t *testing.T) {
	ink := Style{Color: inkColor, Width: 2, Dash: true, Halo: true, Arrow: true}
	for _, size := range []float64{0, 5e-324, 1e-9, 1, 1e6, 1e12} {
		for _, view := range []View{{}, {Kind: Oblique}, {Kind: Side}} {
			c := &Canvas{Title: "t"}
			c.Add(Fill, "a", Style{Color: Tint(3)}, geom.V3(-size, 0, -size), geom.V3(-size, 0, size), geom.V3(size, size, size))
			c.Add(Line, "a", ink, geom.V3(-size, 0, -size), geom.V3(size, size, size))
			wellFormed(t, svgOf(t, c, &Options{View: view}))
			pngOf(t, c, &Options{Width: 200, View: view})
			// A keyhole on something huge: dashes are made for what is seen only.
			f := geom.Box{Min: geom.V3(0, 0, 0), Max: geom.V3(1e-3, 1e-3, 1e-3)}
			wellFormed(t, svgOf(t, c, &Options{View: view, Focus: &f}))
			pngOf(t, c, &Options{Width: 200, View: view, Focus: &f})
		}
	}
}

type fullDisk struct{}

var errFull = errors.New("disk full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteErrors(t *testing.T) {
	if err := smallCanvas().WriteSVG(fullDisk{}, nil); !errors.Is(err, errFull) {
		t.Errorf("svg: %v", err)
	}
	if err := smallCanvas().WritePNG(fullDisk{}, nil); !errors.Is(err, errFull) {
		t.Errorf("png: %v", err)
	}
}

func TestColorsDiffer(t *testing.T) {
	for name, f := range map[string]func(int) color.NRGBA{"Color": Color, "Tint": Tint} {
		seen := map[color.NRGBA]int{}
		for i := range 2 * paletteSize {
			if j, ok := seen[f(i)]; ok {
				t.Errorf("%s(%d) is %s(%d)", name, i, name, j)
			}
			seen[f(i)] = i
		}
		f(-1)
		f(math.MaxInt)
	}
	for i := range 9 {
		if Ramp(i, 10) == Ramp(i+1, 10) {
			t.Errorf("Ramp(%d, 10) is Ramp(%d, 10)", i, i+1)
		}
	}
	Ramp(5, 0)
	Ramp(-1, 3)
	Ramp(9, 3)
}

func TestRoundLength(t *testing.T) {
	for _, test := range []struct {
		limit  float64
		length float64
		label  string
	}{
		{7, 5, "5 m"},
		{1, 1, "1 m"},
		{99, 50, "50 m"},
		{2500, 2000, "2 km"},
		{0.3, 0.2, "20 cm"},
		{0.0024, 0.002, "2 mm"},
		{3e6, 2e6, "2000 km"},
		{0, 1e-3, "1 mm"},
	} {
		length, label := roundLength(test.limit)
		if math.Abs(length-test.length) > 1e-9*test.length || label != test.label {
			t.Errorf("%v: %v %q, want %v %q", test.limit, length, label, test.length, test.label)
		}
	}
}

// Every stroke of every letter stays on its grid, and letters differ.
func TestGlyphs(t *testing.T) {
	if len(glyphs) != 95 {
		t.Fatalf("%d glyphs, want those of ' ' to '~'", len(glyphs))
	}
	seen := map[string]rune{}
	for i, g := range glyphs {
		r := rune(' ' + i)
		if other, ok := seen[g]; ok {
			t.Errorf("%q looks like %q", r, other)
		}
		seen[g] = r
		n := 0
		textStrokes(string(r), fontRows, 0, 0, func(s []point) {
			n++
			for _, p := range s {
				if p.x < -1e-9 || p.x > float64(g[0]-'0')+1e-9 || p.y > fontBase+1e-9 || p.y < fontBase-9 {
					t.Errorf("%q reaches %v", r, p)
				}
			}
		})
		if n == 0 && r != ' ' {
			t.Errorf("%q has no stroke", r)
		}
	}
	if a, b := textWidth("ii", 10), textWidth("mm", 10); a >= b {
		t.Errorf("ii is %v wide, mm %v", a, b)
	}
}

func TestSceneWithBadIndices(t *testing.T) {
	c := &Canvas{}
	AppendScene(c, &scene.Scene{
		Verts: []geom.Vec3{{}, {Z: 1}, {X: 1}},
		Tris:  []scene.Tri{{V: [3]uint32{0, 1, 9}}, {V: [3]uint32{0, 1, 2}, Part: 7}, {V: [3]uint32{0, 0, 0}}},
	}, nil)
	fills := 0
	for _, s := range c.Shapes {
		if s.Kind == Fill {
			fills++
		}
	}
	if fills != 1 {
		t.Errorf("%d fills, want 1", fills)
	}
}

func townCanvas() *Canvas {
	c := &Canvas{Title: "Town"}
	AppendScene(c, sample.Town(), nil)
	return c
}

func TestDeterminism(t *testing.T) {
	for _, view := range []View{{}, {Kind: Oblique}, {Kind: Side, AzimuthDeg: 45}} {
		o := &Options{View: view, Width: 500}
		c := townCanvas()
		first := svgOf(t, c, o)
		if !bytes.Equal(first, svgOf(t, c, o)) || !bytes.Equal(first, svgOf(t, townCanvas(), o)) {
			t.Errorf("%v: the same canvas gave other bytes", view)
		}
		if len(first) > 3<<20 {
			t.Errorf("%v: %d bytes for %d shapes", view, len(first), len(c.Shapes))
		}
	}
}

func BenchmarkPNG(b *testing.B) {
	c := townCanvas()
	for _, view := range []View{{}, {Kind: Oblique}} {
		b.Run(fmt.Sprintf("view%d", view.Kind), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := c.WritePNG(io.Discard, &Options{Width: 2000, Height: 1500, View: view}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSVG(b *testing.B) {
	c := townCanvas()
	b.ReportAllocs()
	for b.Loop() {
		if err := c.WriteSVG(io.Discard, &Options{View: View{Kind: Oblique}}); err != nil {
			b.Fatal(err)
		}
	}
}
