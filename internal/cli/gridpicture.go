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

// draw writes the pictures of one query. The way over a flow field is that of the
// field, and that of a large unit leads where it has room.
func (c *gridCmd) draw(e *env, m *grid.Map, s *gridSearch, r *grid.Result, expanded []grid.Expansion) error {
	in := draw.GridInput{
		Ground: m, Moves: c.moves(), Expanded: expanded, Path: r.Path, Points: r.Points, Narrow: s.narrow,
		Starts: []grid.Cell{grid.Cell(*c.From)}, Goals: []grid.Cell{grid.Cell(*c.To)},
	}
	what, status := c.Algo, r.Status.String()
	if len(s.narrow) > 0 {
		status += ", too narrow where red"
	}
	if c.Flow {
		ground := m
		if s.body != nil {
			ground = s.body.Room()
		}
		in.Flow = new(grid.Flow)
		if err := in.Flow.Begin(ground, in.Goals, in.Moves); err != nil {
			return badInput(err)
		}
		if err := in.Flow.Fill(e.ctx); err != nil {
			return err
		}
		in.Path, in.Points, in.Narrow = in.Flow.Path(nil, in.Starts[0]), nil, nil
		if what = "flow field"; len(in.Path) > 0 {
			status = grid.Complete.String()
		} else if s.body != nil {
			status = "no way with room"
		}
	}
	switch c.Neighbours {
	case 4:
		what += ", 4 neighbours"
	case 6:
		what += ", hexagons"
	}
	if c.Unit > 1 {
		what += fmt.Sprintf(", unit of %d x %d", c.Unit, c.Unit)
	}
	title := fmt.Sprintf("%s: %s, %s", filepath.Base(c.Map), what, status)
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
