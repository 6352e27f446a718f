package draw_test

import (
	"bytes"
	"context"
	"fmt"

	"wend/draw"
	"wend/grid"
)

// How a search spread over a map, and the way it found.
func ExampleComposeGrid() {
	m, _ := grid.Parse(
		"............",
		"...@@@@@....",
		".......@....",
		"...@@@@@....",
		"............",
	)
	from, to := grid.Cell{X: 5, Y: 2}, grid.Cell{X: 11, Y: 2}
	in := draw.GridInput{Ground: m, Starts: []grid.Cell{from}, Goals: []grid.Cell{to}}
	q := grid.NewQuery()
	q.Record(func(e grid.Expansion) { in.Expanded = append(in.Expanded, e) })
	r, err := q.Find(context.Background(), m, from, to, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	in.Path = r.Path
	canvas, err := draw.ComposeGrid(in, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	err = canvas.WriteSVG(&file, &draw.Options{Width: 600, Title: "out of a bag"})
	fmt.Println(err, bytes.Contains(file.Bytes(), []byte("</svg>")))
	// Output: <nil> true
}
