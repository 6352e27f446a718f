package draw_test

import (
	"bytes"
	"context"
	"fmt"

	"wend/draw"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/spanbake"
)

// The upper of two storeys of a pack, as distances to the nearest obstacle.
func ExampleRenderSpans() {
	ctx := context.Background()
	ground := wendtest.NewBuilder().Floor(0, 0, 24, 16, 0).Floor(8, 4, 16, 12, 10).Scene
	in, _, err := spanbake.FromTriangles(ctx, ground, &spanbake.Level{Zone: "deck"})
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := spanbake.Run(ctx, in, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	main, err := bnav.Load(ctx, res.Main, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fields, err := bnvf.Load(ctx, res.Fields, main, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	err = draw.RenderSpans(ctx, &file, draw.SpanInput{Main: main, Fields: fields}, "clearance", &draw.SpanOptions{
		Band: &[2]float64{9, 11},
		Rect: &draw.PlanRect{Min: geom.Vec2{X: 6, Y: 2}, Max: geom.Vec2{X: 18, Y: 14}},
	}, &draw.Options{Format: draw.PNG, Width: 800})
	fmt.Println(err, file.Len() > 1000)
	// Output: <nil> true
}
