package pngmap_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"wend/grid"
	"wend/grid/pngmap"
)

// A picture of two rooms, drawn in a paint program, with mud that costs more
// the darker it is.
func ExampleRead() {
	img := image.NewGray(image.Rect(0, 0, 7, 3))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	for y := range 2 {
		img.SetGray(3, y, color.Gray{}) // a wall
	}
	img.SetGray(3, 2, color.Gray{Y: 160}) // mud in the door
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		fmt.Println(err)
		return
	}
	m, err := pngmap.Read(&file, &pngmap.Options{Costs: func(lightness uint8) float64 { return 1 + float64(255-lightness)/95 }})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Passable(grid.Cell{X: 3, Y: 0}), m.Cost(grid.Cell{X: 3, Y: 2}), m.Cost(grid.Cell{}))
	// Output: false 2 1
}
