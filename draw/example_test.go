package draw_test

import (
	"bytes"
	"fmt"
	"image/color"

	"wend/draw"
	"wend/geom"
	"wend/scene/sample"
)

// A picture of a level file's geometry, seen obliquely.
func ExampleRender() {
	var file bytes.Buffer
	in := draw.Input{Scene: sample.Town()}
	err := draw.Render(&file, in, "source", &draw.Options{
		Format: draw.PNG, Width: 800, Title: "Town", View: draw.View{Kind: draw.Oblique, AzimuthDeg: -30, ElevationDeg: 45},
	})
	fmt.Println(err, file.Len() > 1000)
	// Output: <nil> true
}

// Shapes of one's own.
func ExampleCanvas() {
	c := &draw.Canvas{Title: "A square"}
	c.Add(draw.Fill, "floor", draw.Style{Color: draw.Tint(0)},
		geom.V3(0, 0, 0), geom.V3(0, 0, 5), geom.V3(5, 0, 5), geom.V3(5, 0, 0))
	c.AddOver(draw.Dot, "marks", draw.Style{Color: color.NRGBA{200, 30, 30, 255}, Width: 9}, geom.V3(1, 0, 1))
	var file bytes.Buffer
	fmt.Println(c.WriteSVG(&file, &draw.Options{Width: 300}))
	// Output: <nil>
}

func ExampleLayers() {
	for _, l := range draw.Layers()[:3] {
		fmt.Printf("%s: %s\n", l.Name, l.About)
	}
	// Output:
	// mesh: polygons with portals, walls, tile borders and off-mesh links
	// islands: polygons in the colours of their islands: what reaches what
	// storeys: polygons in the colours of their storeys, darker with height
}
