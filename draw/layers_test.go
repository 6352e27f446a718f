package draw_test

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"strings"
	"sync"
	"testing"

	"wend/bake"
	"wend/draw"
	"wend/geom"
	"wend/navmesh"
	"wend/route"
	"wend/scene"
	"wend/scene/sample"
)

// town is the sample town with its navmesh, baked once.
var town = sync.OnceValues(func() (draw.Input, error) {
	in := draw.Input{Scene: sample.Town(), AreaNames: map[uint8]string{}}
	for _, a := range sample.Areas() {
		in.AreaNames[uint8(a.ID)] = a.Name
	}
	res, err := bake.Run(context.Background(), in.Scene, bake.Human(), &bake.Options{
		Intermediate: func(_ string, im *bake.Intermediate) { in.Stages = append(in.Stages, im) },
	})
	if err != nil {
		return in, err
	}
	in.Mesh = res.Meshes[0].Mesh
	return in, nil
})

func townInput(t *testing.T) draw.Input {
	t.Helper()
	in, err := town()
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// groups counts the shapes of a canvas by group.
func groups(c *draw.Canvas) map[string]int {
	n := map[string]int{}
	for _, s := range c.Shapes {
		n[s.Group]++
	}
	return n
}

func TestEveryLayerDraws(t *testing.T) {
	in := townInput(t)
	want := map[string][]string{
		"mesh":     {"mesh", "portals", "walls", "links", "zones"},
		"islands":  {"mesh", "portals", "walls", "links"},
		"storeys":  {"mesh", "portals", "walls", "links"},
		"areas":    {"mesh", "portals", "walls", "links"},
		"portals":  {"portals", "walls", "links"},
		"detail":   {"detail", "detail-edges", "walls"},
		"source":   {"source", "creases", "links", "zones"},
		"regions":  {"regions"},
		"contours": {"contours", "raw-contours", "corners"},
	}
	for _, l := range draw.Layers() {
		t.Run(l.Name, func(t *testing.T) {
			if l.About == "" {
				t.Error("no description")
			}
			c, err := draw.Compose(in, l.Name)
			if err != nil {
				t.Fatal(err)
			}
			have := groups(c)
			for _, g := range want[l.Name] {
				if have[g] == 0 {
					t.Errorf("no shape in group %q of %v", g, have)
				}
			}
			if len(want[l.Name]) == 0 {
				t.Error("a layer this test does not know")
			}
			for _, view := range []draw.View{{}, {Kind: draw.Oblique}} {
				var svg, img bytes.Buffer
				if err := draw.Render(&svg, in, l.Name, &draw.Options{View: view}); err != nil {
					t.Fatal(err)
				}
				if !bytes.HasPrefix(svg.Bytes(), []byte("<svg ")) {
					t.Errorf("starts with %.20q", svg.Bytes())
				}
				if err := draw.Render(&img, in, l.Name, &draw.Options{View: view, Width: 300, Format: draw.PNG}); err != nil {
					t.Fatal(err)
				}
				if _, err := png.DecodeConfig(&img); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestRenderErrors(t *testing.T) {
	var buf bytes.Buffer
	err := draw.Render(&buf, draw.Input{}, "meshes", nil)
	var unknown *draw.UnknownLayerError
	if !errors.As(err, &unknown) || !strings.Contains(err.Error(), `"meshes"`) || !strings.Contains(err.Error(), "mesh, islands, storeys") {
		t.Errorf("unknown layer: %v", err)
	}
	for _, l := range draw.Layers() {
		var missing *draw.MissingError
		if err := draw.Render(&buf, draw.Input{}, l.Name, nil); !errors.As(err, &missing) || missing.Layer != l.Name {
			t.Errorf("%s without input: %v", l.Name, err)
		}
	}
	if err := draw.Render(&buf, draw.Input{Scene: &scene.Scene{}}, "source", nil); !errors.Is(err, draw.ErrEmpty) {
		t.Errorf("empty scene: %v", err)
	}
	if buf.Len() != 0 {
		t.Errorf("%d bytes written", buf.Len())
	}
}

// Each edge of each ground polygon is drawn once as a portal or, where there
// is none, as a wall: the lengths add up.
func TestMeshEdgesAddUp(t *testing.T) {
	in := townInput(t)
	m := in.Mesh
	outline := 0.0
	for id := range navmesh.PolyID(m.Len()) {
		p := m.Poly(id)
		if p.Kind() != navmesh.KindGround {
			continue
		}
		for i := range p.Len() {
			outline += geom.Dist(p.Corner(i), p.Corner((i+1)%p.Len()))
		}
	}
	c := &draw.Canvas{}
	draw.AppendMesh(c, m, nil)
	walls, portals := 0.0, 0.0
	for _, s := range c.Shapes {
		switch s.Group {
		case "walls":
			walls += geom.Dist(s.Points[0], s.Points[1])
		case "portals", "tile-borders":
			portals += geom.Dist(s.Points[0], s.Points[1])
		}
	}
	if got := walls + 2*portals; got < 0.999*outline || got > 1.001*outline {
		t.Errorf("walls %.2f + 2 x portals %.2f = %.2f, want the outlines' %.2f", walls, portals, got, outline)
	}
}

func TestTiledMeshShowsItsBorders(t *testing.T) {
	p := bake.Human()
	p.Navmesh.Tiling = bake.TilingOn
	res, err := bake.Run(t.Context(), sample.Maze(8), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := draw.Compose(draw.Input{Mesh: res.Meshes[0].Mesh}, "mesh")
	if err != nil {
		t.Fatal(err)
	}
	if groups(c)["tile-borders"] == 0 {
		t.Errorf("no tile border in %v", groups(c))
	}
}

func TestRouteShapes(t *testing.T) {
	r := &route.Route{
		Status: route.Partial, Length: 12,
		Points: []route.Point{
			{Pos: geom.V3(0, 0, 0), Kind: route.Corner},
			{Pos: geom.V3(4, 0, 0), Kind: route.Link},
			{Pos: geom.V3(4, 2, 3), Kind: route.Corner},
			{Pos: geom.V3(8, 2, 3), Kind: route.Corner},
		},
		Failure: &route.Failure{Code: "unreachable", Gap: &route.Gap{From: geom.V3(8, 2, 3), To: geom.V3(10, 2, 3), Width: 2}},
	}
	c := &draw.Canvas{}
	draw.AppendRoute(c, r, 0, "way")
	var solid, dashed, arrows int
	gap := false
	for _, s := range c.Shapes {
		if !s.Over {
			t.Errorf("%v can be hidden", s)
		}
		if s.Kind != draw.Line {
			continue
		}
		if s.Style.Arrow {
			arrows++
		}
		if !s.Style.Dash {
			solid++
			continue
		}
		dashed++
		if s.Points[0] == geom.V3(8, 2, 3) && s.Points[1] == geom.V3(10, 2, 3) {
			gap = s.Style.Color.R > 180 && s.Style.Color.G < 80
		}
	}
	// Two walked stretches, the link and the gap.
	if solid != 2 || dashed != 2 || arrows != 1 || !gap {
		t.Errorf("%d solid, %d dashed, %d arrows, red gap %v", solid, dashed, arrows, gap)
	}
	labels := ""
	for _, k := range c.Legend {
		labels += k.Label + ";"
	}
	if !strings.Contains(labels, "way: partial;") || !strings.Contains(labels, "gap;") || strings.Contains(labels, "goal") {
		t.Errorf("legend %q", labels)
	}

	empty := &draw.Canvas{}
	draw.AppendRoute(empty, &route.Route{Status: route.OffMesh}, 3, "")
	if len(empty.Shapes) != 0 || len(empty.Legend) != 1 {
		t.Errorf("a route without points has %d shapes and %d keys", len(empty.Shapes), len(empty.Legend))
	}
}

func TestCorridorShapes(t *testing.T) {
	c := &draw.Canvas{}
	draw.AppendCorridor(c, nil)
	if len(c.Shapes) != 0 {
		t.Errorf("%d shapes of no portal", len(c.Shapes))
	}
	draw.AppendCorridor(c, []draw.Portal{
		{Right: geom.V3(1, 0, 2), Left: geom.V3(1, 0, 0)},
		{Right: geom.V3(3, 0, 2), Left: geom.V3(3, 0, 0)},
	})
	lines := 0
	for _, s := range c.Shapes {
		if s.Kind == draw.Line {
			lines++
		}
	}
	if lines != 4 { // two portals, two sides
		t.Errorf("%d lines, want 4", lines)
	}
}

// One canvas may be drawn by several goroutines.
func TestConcurrentDrawing(t *testing.T) {
	c, err := draw.Compose(townInput(t), "mesh")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	outs := make([]bytes.Buffer, 4)
	for i := range outs {
		wg.Go(func() {
			if err := c.WriteSVG(&outs[i], &draw.Options{View: draw.View{Kind: draw.Oblique}}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i := range outs {
		if !bytes.Equal(outs[i].Bytes(), outs[0].Bytes()) {
			t.Errorf("picture %d differs", i)
		}
	}
}
