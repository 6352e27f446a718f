package draw_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"wend/draw"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/spanbake"
)

// bakeSpans bakes walkable triangles to a pair, with cells of half a metre.
func bakeSpans(tb testing.TB, b *wendtest.Builder, tile int) draw.SpanInput {
	tb.Helper()
	ctx := context.Background()
	in, _, err := spanbake.FromTriangles(ctx, b.Scene, &spanbake.Level{Zone: "deck", Cell: 0.5})
	if err != nil {
		tb.Fatal(err)
	}
	res, err := spanbake.Run(ctx, in, &spanbake.Options{Tile: tile})
	if err != nil {
		tb.Fatal(err)
	}
	main, err := bnav.Load(ctx, res.Main, nil)
	if err != nil {
		tb.Fatal(err)
	}
	fields, err := bnvf.Load(ctx, res.Fields, main, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return draw.SpanInput{Main: main, Fields: fields}
}

// deck is ground from 0,0 to 24,16 and a deck 10 m above it: farther than walls mark other storeys, from 8,4 to 16,12.
func deck() *wendtest.Builder {
	return wendtest.NewBuilder().Floor(0, 0, 24, 16, 0).Floor(8, 4, 16, 12, 10)
}

// spanImage draws a layer so that a metre is 40 pixels and the world's origin is
// where the picture begins, beside a rim of 12 pixels.
func spanImage(t *testing.T, in draw.SpanInput, layer string, o *draw.SpanOptions) image.Image {
	t.Helper()
	c, err := draw.ComposeSpans(context.Background(), in, layer, o)
	if err != nil {
		t.Fatal(err)
	}
	img, err := c.Image(&draw.Options{Width: 984, Height: 664, Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// at returns the colour of a place of a picture of the whole deck.
func at(img image.Image, x, z float64) color.NRGBA {
	b := img.Bounds()
	scale := 40.0 * (float64(b.Dx()) - 2*12*0.615) / 960 // the rim shrinks with the picture
	px := float64(b.Dx())/2 + (x-12)*scale
	py := float64(b.Dy())/2 + (z-8)*scale
	return color.NRGBAModel.Convert(img.At(int(px), int(py))).(color.NRGBA)
}

func hex(c color.NRGBA) string { return fmt.Sprintf("%02x%02x%02x", c.R, c.G, c.B) }

func TestSpanLayerColours(t *testing.T) {
	in := bakeSpans(t, deck(), 64)
	low := &draw.SpanOptions{Band: &[2]float64{-1, 1}}
	high := &draw.SpanOptions{Band: &[2]float64{9, 11}}
	for _, c := range []struct {
		layer string
		o     *draw.SpanOptions
		x, z  float64
		want  string
	}{
		{"layers", nil, 4, 8, "f3e6c4"},
		{"layers", nil, 12, 8, "f2b880"},
		{"layers", low, 12, 8, "f3e6c4"}, // one of both is in the band
		{"flags", nil, 4, 8, "b9d7a8"},
		{"flags", nil, 12, 8, "b9d7a8"},
		{"flags", nil, 0.25, 8, "d99b7e"}, // the rim of the ground
		{"flags", nil, 8.25, 8, "d99b7e"}, // the rim of the deck
		{"flags", low, 8.25, 8, "b9d7a8"}, // the ground under it
		{"headroom", nil, 4, 8, "e9eef0"},
		{"headroom", nil, 12, 8, "e9eef0"},
		{"steps", nil, 4, 8, "e9e6dd"},
		{"heights", nil, 4, 8, "3b1c57"}, // the lowest and
		{"heights", nil, 12, 8, "7cc0b0"},
		{"heights", high, 12, 8, "3b1c57"}, // the only one in the band
	} {
		if got := hex(at(spanImage(t, in, c.layer, c.o), c.x, c.z)); got != c.want {
			t.Errorf("%s at %g,%g with %+v: colour %s, want %s", c.layer, c.x, c.z, c.o, got, c.want)
		}
	}

	regions := spanImage(t, in, "regions", nil)
	ground, above := at(regions, 4, 8), at(regions, 12, 8)
	if ground == above || ground != at(regions, 20, 8) {
		t.Errorf("regions: ground %s and %s, deck %s", hex(ground), hex(at(regions, 20, 8)), hex(above))
	}
	if got := at(spanImage(t, in, "regions", low), 12, 8); got != ground {
		t.Errorf("regions below the deck: %s, want that of the ground %s", hex(got), hex(ground))
	}
	if got := at(spanImage(t, in, "regions", high), 4, 8); got == ground || got.R < ground.R {
		t.Errorf("ground outside the band: %s, want %s paled", hex(got), hex(ground))
	}
	if open, under := at(spanImage(t, in, "headroom", low), 4, 8), at(spanImage(t, in, "headroom", low), 12, 8); open == under {
		t.Errorf("headroom under the deck looks like that of open ground: %s", hex(open))
	}
	clear := spanImage(t, in, "clearance", nil)
	if near, far := at(clear, 12, 4.75), at(clear, 12, 8); near == far || near.G >= far.G {
		t.Errorf("clearance: %s at the rim of the deck, %s in its middle, want the latter lighter", hex(near), hex(far))
	}
}

// A picture of a part shows the same as the whole does there.
func TestSpanRect(t *testing.T) {
	in := bakeSpans(t, deck(), 64)
	o := &draw.SpanOptions{Rect: &draw.PlanRect{Min: geom.Vec2{X: 6, Y: 2}, Max: geom.Vec2{X: 10, Y: 6}}}
	c, err := draw.ComposeSpans(context.Background(), in, "layers", o)
	if err != nil {
		t.Fatal(err)
	}
	area := 0.0
	for _, s := range c.Shapes {
		for _, p := range s.Points {
			if p.X < 6-0.5 || p.X > 10+0.5 || p.Z < 2-0.5 || p.Z > 6+0.5 {
				t.Fatalf("a point at %v is outside the rectangle", p)
			}
		}
		area += math.Abs((s.Points[1].X - s.Points[0].X) * (s.Points[0].Z - s.Points[2].Z))
	}
	if area < 16 || area > 25.001 {
		t.Errorf("%g m² are drawn, want 16 to 25", area)
	}
	o.Rect = &draw.PlanRect{Min: geom.Vec2{X: 600, Y: 2}, Max: geom.Vec2{X: 1000, Y: 6}}
	if _, err := draw.ComposeSpans(context.Background(), in, "layers", o); !errors.Is(err, draw.ErrEmpty) {
		t.Errorf("a rectangle without cells: %v, want ErrEmpty", err)
	}
}

// The cut into tiles and the number of workers do not show, not even in arrows
// across the borders of tiles.
func TestSpanPicturesDoNotShowTiles(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 60, 60, 0).Floor(20, 20, 44, 44, 5).Ramp(2, 24, 20, 30, 0, 5).Floor(30, 0, 36, 12, 6)
	small, large := bakeSpans(t, b, 64), bakeSpans(t, b, 512)
	for _, l := range draw.SpanLayers() {
		render := func(in draw.SpanInput, workers int) []byte {
			o := &draw.SpanOptions{Workers: workers, From: geom.Vec2{X: 5, Y: 3}, To: geom.Vec2{X: 55, Y: 58}}
			var buf bytes.Buffer
			if err := draw.RenderSpans(context.Background(), &buf, in, l.Name, o, nil); err != nil {
				t.Fatalf("%s: %v", l.Name, err)
			}
			return buf.Bytes()
		}
		want := render(large, 1)
		if l.Name == "components" && !bytes.Contains(want, []byte("drop into another region")) {
			t.Errorf("no drop from the terrace is drawn")
		}
		if !bytes.Equal(render(small, 4), want) {
			t.Errorf("%s: tiles of 64 cells make another picture than one of 512", l.Name)
		}
	}
}

func TestSpanGolden(t *testing.T) {
	in := bakeSpans(t, deck(), 64)
	for _, layer := range []string{"regions", "flags", "components", "section"} {
		o := &draw.SpanOptions{From: geom.Vec2{X: 2, Y: 2}, To: geom.Vec2{X: 22, Y: 14}}
		var buf bytes.Buffer
		if err := draw.RenderSpans(context.Background(), &buf, in, layer, o, &draw.Options{Width: 600}); err != nil {
			t.Fatal(err)
		}
		wendtest.Golden(t, "spans-"+layer+".svg", buf.Bytes())
	}
}

// A square of several cells shows what is rare in them.
func TestSpanBlocks(t *testing.T) {
	in := bakeSpans(t, deck(), 64)
	img := spanImage(t, in, "flags", &draw.SpanOptions{Block: 4})
	if got := hex(at(img, 8.75, 8)); got != "d99b7e" {
		t.Errorf("a square with a rim in it: %s, want that of stamped cells", got)
	}
	if got := hex(at(img, 12, 8)); got != "b9d7a8" {
		t.Errorf("a square inside: %s, want that of core", got)
	}
}

func TestSpanErrors(t *testing.T) {
	in := bakeSpans(t, deck(), 64)
	bare := draw.SpanInput{Main: in.Main}
	ctx := context.Background()
	for _, c := range []struct {
		name  string
		in    draw.SpanInput
		layer string
		o     draw.SpanOptions
		want  string
	}{
		{"layer", in, "moon", draw.SpanOptions{}, `unknown layer "moon", want one of layers, regions`},
		{"no pack", draw.SpanInput{}, "regions", draw.SpanOptions{}, "needs a span grid"},
		{"no fields", bare, "medial", draw.SpanOptions{}, "layer medial needs the fields of a pack"},
		{"zone", in, "regions", draw.SpanOptions{Zone: "cellar"}, `Zone is "cellar", want a zone of the grid: deck`},
		{"band", in, "regions", draw.SpanOptions{Band: &[2]float64{2, 1}}, "Band"},
		{"rect", in, "regions", draw.SpanOptions{Rect: &draw.PlanRect{}}, "Rect"},
		{"block", in, "regions", draw.SpanOptions{Block: -1}, "Block"},
		{"no line", in, "section", draw.SpanOptions{}, "two different finite places"},
		{"far line", in, "section", draw.SpanOptions{To: geom.Vec2{X: 1e9}}, "at most 65536 cells"},
	} {
		_, err := draw.ComposeSpans(ctx, c.in, c.layer, &c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want ...%s...", c.name, err, c.want)
		}
	}
	if _, err := draw.ComposeSpans(ctx, bare, "regions", nil); err != nil {
		t.Errorf("regions of a main pack alone: %v", err)
	}
	if _, err := draw.ComposeSpans(ctx, in, "section", &draw.SpanOptions{From: geom.Vec2{X: 500}, To: geom.Vec2{X: 510}}); !errors.Is(err, draw.ErrEmpty) {
		t.Errorf("a line beside the world: %v, want ErrEmpty", err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := draw.ComposeSpans(gone, in, "regions", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func BenchmarkRenderSpans(b *testing.B) {
	in := bakeSpans(b, wendtest.NewBuilder().Floor(0, 0, 400, 400, 0).Floor(50, 50, 300, 300, 10), 512)
	for _, layer := range []string{"regions", "clearance", "components"} {
		b.Run(layer, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := draw.ComposeSpans(context.Background(), in, layer, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
