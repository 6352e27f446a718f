package draw_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"wend/draw"
	"wend/geom"
	"wend/route"
	"wend/scene"
)

// jump is a trip of two legs over the deck: the first falls from it, the second
// breaks off.
func jump() *draw.SpanRoute {
	fall := &route.Route{
		Status: route.Complete, Length: 12,
		Points: []route.Point{
			{Pos: geom.V3(10, 10, 8), Kind: route.Corner}, {Pos: geom.V3(15.5, 10, 8), Kind: route.Drop},
			{Pos: geom.V3(16.5, 0, 8), Kind: route.Corner}, {Pos: geom.V3(20, 0, 8), Kind: route.Goal},
		},
		Debug: &route.Debug{
			Window: [2]geom.Vec2{{X: 2, Y: 1}, {X: 23, Y: 15}},
			Stages: []route.Stage{
				{Name: "baseline", Points: []geom.Vec3{geom.V3(10, 10, 8), geom.V3(12, 10, 9), geom.V3(20, 0, 8)}},
				{Name: "pulled", Points: []geom.Vec3{geom.V3(10, 0, 8), geom.V3(15, 0, 8)}},
				{Name: "pulled beyond", Points: []geom.Vec3{geom.V3(16, 0, 8), geom.V3(20, 0, 8)}},
			},
		},
		Stats: route.Stats{Window: "small"},
	}
	stuck := &route.Route{
		Status:  route.Unreachable,
		Failure: &route.Failure{Code: "disconnected", Gap: &route.Gap{From: geom.V3(20, 0, 4), To: geom.V3(17, 2, 0), Width: 5}},
		Debug:   &route.Debug{Window: [2]geom.Vec2{{X: 0, Y: 0}, {X: 24, Y: 16}}},
	}
	return &draw.SpanRoute{
		Legs: []*route.Route{fall, stuck}, Stops: []geom.Vec3{geom.V3(10, 10, 8), geom.V3(20, 0, 8), geom.V3(17, 2, 0)},
		Discs: []draw.Disc{{At: geom.Vec2{X: 14, Y: 8}, Radius: 2}},
		NoGo:  []scene.NoGo{{Name: "pond", Ring: []geom.Vec2{{X: 1, Y: 1}, {X: 3, Y: 1}, {X: 3, Y: 3}}}},
	}
}

// Each thing of a trip is a layer of its own, and the legend names it.
func TestSpanRouteShapes(t *testing.T) {
	in := bakeSpans(t, deck(), 64)
	c, err := draw.ComposeSpanRoute(context.Background(), in, "", jump(), nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]int{}
	var texts []string
	for _, s := range c.Shapes {
		lines[s.Group]++
		if s.Kind == draw.Text {
			texts = append(texts, s.Text)
		}
		if s.Group == "spans" != !s.Over {
			t.Fatalf("a shape of group %s over all others: %v", s.Group, s.Over)
		}
	}
	for group, want := range map[string]int{
		"stage-baseline": 1, "stage-pulled": 2, "window": 2, "discs": 2, "zones": 3,
		"route": 4, // two walked stretches, the fall, the gap
	} {
		if lines[group] != want {
			t.Errorf("group %s has %d shapes, want %d", group, lines[group], want)
		}
	}
	if lines["spans"] == 0 {
		t.Error("no ground")
	}
	for _, want := range []string{"fall 10.00 m", "gap 5.00 m, 2.00 m up", "pond"} {
		if !slices.Contains(texts, want) {
			t.Errorf("no label %q among %q", want, texts)
		}
	}
	var legend []string
	for _, k := range c.Legend {
		legend = append(legend, k.Label)
	}
	for _, want := range []string{
		"no-go", "disc", "window small: 21 x 14 m", "stage baseline", "stage pulled", "leg 1: 12.0 m", "fall on the way",
		"leg 2: unreachable", "gap", "start", "on the way", "goal", "pale: outside -2.5 to 12.5 m",
	} {
		if !slices.Contains(legend, want) {
			t.Errorf("no %q in the legend %q", want, legend)
		}
	}
	// The ground comes last, as what one looks for least.
	if last := legend[len(legend)-1]; !strings.HasPrefix(last, "pale") {
		t.Errorf("the legend ends with %q", last)
	}
}

// The picture shows the surroundings of the trip, and the storeys it is on.
func TestSpanRouteSurroundings(t *testing.T) {
	in := bakeSpans(t, deck(), 64)
	below := &draw.SpanRoute{
		Legs:  []*route.Route{{Status: route.Complete, Points: []route.Point{{Pos: geom.V3(11, 0, 8)}, {Pos: geom.V3(13, 0, 8)}}}},
		Stops: []geom.Vec3{geom.V3(11, 0, 8), geom.V3(13, 0, 8)},
	}
	c, err := draw.ComposeSpanRoute(context.Background(), in, "regions", below, nil)
	if err != nil {
		t.Fatal(err)
	}
	box := geom.EmptyBox()
	for _, s := range c.Shapes {
		if s.Group == "spans" {
			for _, p := range s.Points {
				box = box.Extend(p)
			}
		}
	}
	// 4 m around, to the next whole cells.
	if box.Min.X < 6.4 || box.Min.X > 7 || box.Max.X < 17 || box.Max.X > 17.6 || box.Min.Z < 3.4 || box.Min.Z > 4 || box.Max.Z < 12 || box.Max.Z > 12.6 {
		t.Errorf("ground from %v to %v, want about 7 to 17 and 4 to 12", box.Min, box.Max)
	}
	pale := false
	for _, k := range c.Legend {
		pale = pale || k.Label == "pale: outside -2.5 to 2.5 m"
	}
	if !pale {
		t.Errorf("the deck above is not told from the ground: %+v", c.Legend)
	}
}

// What a picture cannot show is left out of it, and what makes no sense is an
// error as in any span picture.
func TestHostileSpanRoutes(t *testing.T) {
	in := bakeSpans(t, deck(), 64)
	nan := math.NaN()
	odd := jump()
	odd.Legs[0].Debug.Stages[0].Points[1] = geom.V3(nan, 0, math.Inf(1))
	odd.Legs[0].Debug.Window[1].X = nan
	odd.Legs[1].Failure.Gap.To = geom.V3(0, nan, 0)
	odd.Stops[0] = geom.V3(nan, nan, nan)
	odd.Discs = append(odd.Discs, draw.Disc{At: geom.Vec2{X: nan}, Radius: math.Inf(1)})
	for name, r := range map[string]*draw.SpanRoute{
		"odd": odd, "nothing": {}, "no points": {Legs: []*route.Route{{Status: route.OffMesh}}},
		"far away": {Stops: []geom.Vec3{geom.V3(900, 0, 900), geom.V3(950, 0, 900)}},
		"one spot": {Stops: []geom.Vec3{geom.V3(5, 0, 5)}},
	} {
		for _, format := range []draw.Format{draw.SVG, draw.PNG} {
			var file bytes.Buffer
			err := draw.RenderSpanRoute(context.Background(), &file, in, "", r, nil, &draw.Options{Format: format, Width: 300})
			if err != nil || file.Len() == 0 {
				t.Errorf("%s: %d bytes, %v", name, file.Len(), err)
			}
		}
	}
	var unknown *draw.UnknownLayerError
	if err := draw.RenderSpanRoute(context.Background(), new(bytes.Buffer), in, "moon", jump(), nil, nil); !errors.As(err, &unknown) {
		t.Errorf("a layer that does not exist: %v", err)
	}
	var missing *draw.MissingError
	if _, err := draw.ComposeSpanRoute(context.Background(), draw.SpanInput{}, "", jump(), nil); !errors.As(err, &missing) {
		t.Errorf("no pack: %v", err)
	}
}
