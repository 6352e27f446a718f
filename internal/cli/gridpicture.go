package cli

import (
	"image"
	"image/color"
	"image/png"
	"io"
	"math"

	"wend/grid"
)

// draw writes the picture of one query, a square of pixels for each cell.
func (c *gridCmd) draw(e *env, m *grid.Map, s *gridSearch, r *grid.Result) error {
	w, h := m.Size()
	scale := max(1, min(8, 1024/max(w, h)))
	img := image.NewPaletted(image.Rect(0, 0, w*scale, h*scale), gridPalette())
	put := func(at grid.Cell, shade uint8) {
		for y := range scale {
			row := img.Pix[(int(at.Y)*scale+y)*img.Stride+int(at.X)*scale:]
			for x := range scale {
				row[x] = shade
			}
		}
	}
	for at := range m.Cells() {
		put(at, shadeFree)
	}
	cost := map[grid.Cell]float64{}
	if c.Flow {
		var f grid.Flow
		if err := f.Begin(m, []grid.Cell{grid.Cell(*c.To)}, c.moves()); err != nil {
			return err
		}
		if err := f.Fill(e.ctx); err != nil {
			return err
		}
		for at := range m.Cells() {
			if v, ok := f.Cost(at); ok {
				cost[at] = v
			}
		}
	} else {
		for at, v := range s.query.Visited() {
			cost[at] = v
		}
	}
	most := 1.0
	for _, v := range cost {
		most = max(most, v)
	}
	for at, v := range cost {
		put(at, uint8(shadeRamp+int(v/most*rampLast)))
	}
	for _, at := range r.Path {
		put(at, shadeWay)
	}
	for i := 1; i < len(r.Points); i++ {
		a, b := r.Points[i-1], r.Points[i]
		n := math.Ceil(math.Hypot(b.X-a.X, b.Y-a.Y) * 2)
		for k := 0.0; k <= n; k++ {
			x, y := a.X+(b.X-a.X)*k/n, a.Y+(b.Y-a.Y)*k/n
			put(grid.Cell{X: int32(min(x, float64(w-1))), Y: int32(min(y, float64(h-1)))}, shadeWay)
		}
	}
	return writeFile(c.PNG, func(out io.Writer) error { return png.Encode(out, img) })
}

// Places in the palette; the ramp takes the rest.
const (
	shadeBlocked = iota
	shadeFree
	shadeWay
	shadeRamp
	rampLast = 255 - shadeRamp
)

func gridPalette() color.Palette {
	p := color.Palette{shadeBlocked: color.RGBA{40, 40, 46, 255}, shadeFree: color.RGBA{240, 240, 236, 255}, shadeWay: color.RGBA{214, 60, 40, 255}}
	for i := range rampLast + 1 {
		t := uint8(i * 255 / rampLast)
		p = append(p, color.RGBA{30 + t/2, 90 + t/2, 160 + t/4, 255})
	}
	return p
}
