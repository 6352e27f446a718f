package cli

import (
	"fmt"
	"io"
	"path/filepath"

	"wend/draw"
	"wend/grid"
)

// svgSquares is how many squares a side an SVG picture has at most: beyond, it
// would be larger than a PNG and slow to look at.
const svgSquares = 400

// draw writes the pictures of one query.
func (c *gridCmd) draw(e *env, m *grid.Map, r *grid.Result, expanded []grid.Expansion, narrow [][2]int) error {
	in := draw.GridInput{
		Ground: m, Moves: c.moves(), Expanded: expanded, Path: r.Path, Points: r.Points, Narrow: narrow,
		Starts: []grid.Cell{grid.Cell(*c.From)}, Goals: []grid.Cell{grid.Cell(*c.To)},
	}
	title := fmt.Sprintf("%s: %s", filepath.Base(c.Map), c.Algo)
	if c.Flow {
		in.Flow = new(grid.Flow)
		if err := in.Flow.Begin(m, in.Goals, in.Moves); err != nil {
			return badInput(err)
		}
		if err := in.Flow.Fill(e.ctx); err != nil {
			return err
		}
		title = fmt.Sprintf("%s: flow field", filepath.Base(c.Map))
	}
	w, h := m.Size()
	o := draw.GridOptions{}
	if c.Area != nil {
		o.Min, o.Max = &c.Area.min, &c.Area.max
		w = int(min(o.Max.X, int32(w)-1) - max(o.Min.X, 0) + 1)
		h = int(min(o.Max.Y, int32(h)-1) - max(o.Min.Y, 0) + 1)
	}
	for _, out := range []string{c.SVG, c.PNG} {
		if out == "" {
			continue
		}
		if o.Block = 0; out == c.SVG {
			o.Block = max((max(w, h)+svgSquares-1)/svgSquares, 1)
		}
		canvas, err := draw.ComposeGrid(in, &o)
		if err != nil {
			return badInput(err)
		}
		po := &draw.Options{Width: c.Width, Title: title, Plain: c.Plain}
		write := func(f io.Writer) error { return canvas.WritePNG(f, po) }
		if out == c.SVG {
			write = func(f io.Writer) error { return canvas.WriteSVG(f, po) }
		}
		if err := writeFile(out, write); err != nil {
			return err
		}
	}
	return nil
}
