package spanbake

import (
	"slices"

	"wend/spangrid"
	"wend/zone"
)

// columnWorker makes the spans of tiles. It keeps its scratch and is for one
// goroutine.
type columnWorker struct {
	rules   *spangrid.Rules
	near    []int32
	edges   []zone.Edge
	walls   []spangrid.Wall
	list    []int32
	samples spangrid.Samples
	spans   spangrid.Spans
	build   spangrid.SpanBuilder
	columns spangrid.Columns
	labels  spangrid.TileRegions
}

// tile makes the spans of the cells that a tile owns.
func (c *columnWorker) tile(z *zone.Zone, owned spangrid.Window) (*spanTile, error) {
	w := owned.Grow(1) // bridging looks at neighbours
	c.near = z.Near(c.near[:0], boxOf(w))
	c.near = slices.DeleteFunc(c.near, func(t int32) bool { return !z.Walkable[t] })
	c.samples.Reset()
	if err := spangrid.Rasterize(&c.samples, w, z.Verts, z.Tris, c.near); err != nil {
		return nil, err
	}
	if c.samples.Len() == 0 {
		return &spanTile{row: make([]int32, owned.NY+1)}, nil
	}
	c.build.Build(&c.spans, w, &c.samples, c.rules)

	t := &spanTile{}
	c.columns.Reset(owned)
	for i, cell := range c.spans.Cell {
		gx, gy := w.At(int(cell))
		if owned.Has(gx, gy) {
			c.columns.Append(int32(owned.Cell(gx, gy)), c.spans.H[i])
			t.bits = append(t.bits, c.spans.Bits[i])
		}
	}
	c.columns.Finish(c.rules.Climb)
	t.cell, t.h = slices.Clone(c.columns.Cell), slices.Clone(c.columns.H)

	c.edges = z.BoundaryEdges(c.edges[:0], boxOf(owned))
	c.walls, c.list = c.walls[:0], c.list[:0]
	for i := range c.edges {
		c.walls = append(c.walls, wallOf(&c.edges[i]))
		c.list = append(c.list, int32(i))
	}
	spangrid.StampDead(t.bits, &c.columns, c.walls, c.list, c.rules)
	spangrid.LabelTile(&c.labels, owned, t.cell, t.h, c.rules.Climb)
	t.region = slices.Clone(c.labels.Region)
	return t, nil
}

// outside returns what the regions of a tile show to the tiles around it, and
// nothing else of them.
func (c *columnWorker) outside(t *spanTile, owned spangrid.Window) *spangrid.TileRegions {
	spangrid.LabelTile(&c.labels, owned, t.cell, t.h, c.rules.Climb)
	out := &spangrid.TileRegions{Window: owned, First: slices.Clone(c.labels.First)}
	for i, b := range c.labels.Border {
		out.Border[i] = slices.Clone(b)
	}
	return out
}
