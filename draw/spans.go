package draw

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"wend/geom"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// SpanInput is a pack, loaded, and its fields. Layers that show what only the
// fields have are a *MissingError without them; the others then show what the
// main pack says.
type SpanInput struct {
	Main   *bnav.Pack
	Fields *bnvf.Fields // of Main; may be nil
}

// PlanRect is a rectangle of the ground in metres: X, and Z as Y.
type PlanRect struct{ Min, Max geom.Vec2 }

// SpanOptions say which part of a span grid is drawn. Nil and the zero value
// mean all of the first zone.
type SpanOptions struct {
	Zone string    // name of a zone of the grid; "": the first
	Rect *PlanRect // world metres, or px (X = u, Y = -v) where the zone has no world; nil: everything

	// Band is the storey to look at, metres from lowest to highest. Of a cell
	// the topmost span in it is shown; where there is none, the topmost of all
	// is, faded. Nil: the topmost of all. A section shows the band only.
	Band *[2]float64

	// Block is how many cells a side are drawn as one square, which then shows
	// what is most worth seeing in them. 0: as many as make at most 1200
	// squares a side.
	Block int

	From, To geom.Vec2 // ends of a section, world metres
	Workers  int       // as in bnvf.Fields.Window
}

// SectionLayer is the name of the layer that cuts through the columns from
// SpanOptions.From to SpanOptions.To. It is drawn as seen from the side.
const SectionLayer = "section"

// SpanLayers returns the layers that RenderSpans knows, in a fixed order.
func SpanLayers() []Layer {
	var out []Layer
	for _, d := range spanLayerDefs() {
		out = append(out, d.Layer)
	}
	return append(out, Layer{SectionLayer, "a vertical cut through the columns: spans in the colours of their regions"})
}

// ComposeSpans returns a canvas with a layer of a span grid: flat squares to be
// seen from above, or, for SectionLayer, an upright cut to be seen from the
// side. Tiles are decoded one after the other: beside the canvas, memory is one
// tile (with its neighbours for components) and four bytes a square, and time
// is linear in the records of the tiles that the rectangle meets.
//
// Errors: *UnknownLayerError, *MissingError, *OptionError, those of
// bnvf.Fields.Window, and ErrEmpty where the rectangle has no cell of the zone.
func ComposeSpans(ctx context.Context, in SpanInput, layer string, o *SpanOptions) (*Canvas, error) {
	defs := spanLayerDefs()
	at := slices.IndexFunc(defs, func(d spanLayerDef) bool { return d.Name == layer })
	if at < 0 && layer != SectionLayer {
		return nil, &UnknownLayerError{layer, SpanLayers()}
	}
	if in.Main == nil || in.Main.Grid == nil || len(in.Main.Grid.Zones) == 0 {
		return nil, &MissingError{layer, needsGrid}
	}
	if at >= 0 && defs[at].needsFields && in.Fields == nil {
		return nil, &MissingError{layer, needsFields}
	}
	if o == nil {
		o = &SpanOptions{}
	}
	src, err := newSpanSource(in, o)
	if err != nil {
		return nil, err
	}
	if layer == SectionLayer {
		return composeSection(ctx, src, o)
	}
	return composeSpanMap(ctx, src, &defs[at], o)
}

// RenderSpans draws a layer of a span grid to w in o.Format. A section is drawn
// as seen from the side, all else from above, whatever o.View says. Errors are
// those of ComposeSpans and of (*Canvas).WriteSVG; nothing is written before
// the picture is complete in memory.
func RenderSpans(ctx context.Context, w io.Writer, in SpanInput, layer string, so *SpanOptions, o *Options) error {
	c, err := ComposeSpans(ctx, in, layer, so)
	if err != nil {
		return err
	}
	var full Options
	if o != nil {
		full = *o
	}
	full.View = View{}
	if layer == SectionLayer {
		full.View.Kind = Side
	}
	if full.Format == PNG {
		return c.WritePNG(w, &full)
	}
	return c.WriteSVG(w, &full)
}

// spanSource decodes windows of one zone.
type spanSource struct {
	SpanInput
	zone     int // of the grid
	plane    bnav.Zone
	headroom *annex.Headroom // nil where there is none
	drops    []annex.Drop    // ascending
	graphs   *bnvf.Graphs    // nil without fields
	fine     bool            // a square is a cell
	band     [2]float64
	banded   bool
	workers  int
}

func newSpanSource(in SpanInput, o *SpanOptions) (*spanSource, error) {
	s := &spanSource{SpanInput: in, workers: o.Workers, band: [2]float64{math.Inf(-1), math.Inf(1)}}
	g := in.Main.Grid
	if o.Zone != "" {
		if s.zone = g.ZoneIndex(o.Zone); s.zone < 0 {
			var names []string
			for i := range g.Zones {
				names = append(names, g.Zones[i].Name)
			}
			return nil, &OptionError{"Zone", fmt.Sprintf("%q", o.Zone), "a zone of the grid: " + strings.Join(names, ", ")}
		}
	}
	for i := range in.Main.Table {
		if in.Main.Table[i].Name == g.Zones[s.zone].Name && !in.Main.Table[i].IsTier() {
			s.plane = in.Main.Table[i]
		}
	}
	if b := o.Band; b != nil {
		if !(b[0] <= b[1]) {
			return nil, &OptionError{"Band", *b, "two heights, the lower one first"}
		}
		s.band, s.banded = *b, true
	}
	if r := o.Rect; r != nil && !(finite2(r.Min) && finite2(r.Max) && r.Min.X < r.Max.X && r.Min.Y < r.Max.Y) {
		return nil, &OptionError{"Rect", *r, "a finite rectangle that is not empty"}
	}
	if o.Block < 0 {
		return nil, &OptionError{"Block", o.Block, "0 or more cells"}
	}
	if in.Fields != nil {
		var err error
		if s.headroom, err = annex.ReadHeadroom(in.Fields); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// readGraphs decodes the graphs that the layer of components needs.
func (s *spanSource) readGraphs() error {
	drops, err := annex.ReadDrops(s.Fields)
	if err != nil {
		return err
	}
	if drops != nil {
		s.drops = drops.All(s.zone, nil)
	}
	if fz := s.Fields.ForGrid(s.zone); fz >= 0 {
		s.graphs, err = s.Fields.Graphs(fz)
	}
	return err
}

func (s *spanSource) hasDrop(from, to uint32) bool {
	_, ok := slices.BinarySearchFunc(s.drops, annex.Drop{From: from, To: to}, func(a, b annex.Drop) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return ok
}

// spanWindow is the records of a window with all that is known of them.
type spanWindow struct {
	bnvf.Window
	headroom []uint8 // nil where unknown
}

// window decodes a window of cells. Without fields theirs are zero.
func (s *spanSource) window(ctx context.Context, win bnav.Window, headroom bool) (*spanWindow, error) {
	if s.Fields == nil {
		recs, err := s.Main.Grid.Window(ctx, s.zone, win, s.workers)
		if err != nil {
			return nil, err
		}
		n := len(recs)
		w := &spanWindow{Window: bnvf.Window{Records: recs, Component: make([]uint32, n), Steps2: make([]uint8, n), Seg: make([]uint8, n), Tax: make([]uint8, n)}}
		for i := range recs {
			w.Steps2[i] = recs[i].Steps
		}
		return w, nil
	}
	f, err := s.Fields.Window(ctx, s.zone, win, s.workers)
	if err != nil {
		return nil, err
	}
	w := &spanWindow{Window: *f}
	if headroom && s.headroom != nil {
		if w.headroom, err = s.headroom.Window(ctx, s.zone, win, s.workers); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// world returns the place of a point of the plane, given in cells.
func (s *spanSource) world(gx, gy float64) geom.Vec3 {
	u, v := gx*bnav.CellSize, gy*bnav.CellSize
	if !s.plane.HasWorld() {
		return geom.Vec3{X: u, Z: -v}
	}
	return geom.Vec3{
		X: (u - float64(s.plane.TX)) / float64(s.plane.SX),
		Z: (float64(s.plane.TY) - v) / float64(s.plane.SY),
	}
}

// cells is the inverse of world.
func (s *spanSource) cells(p geom.Vec2) (gx, gy float64) {
	u, v := p.X, -p.Y
	if s.plane.HasWorld() {
		u = float64(float64(s.plane.SX)*p.X) + float64(s.plane.TX)
		v = float64(s.plane.TY) - float64(float64(s.plane.SY)*p.Y)
	}
	return u / bnav.CellSize, v / bnav.CellSize
}

// cellMetres is the width of a cell in the world.
func (s *spanSource) cellMetres() float64 {
	a, b := s.world(0, 0), s.world(1, 0)
	return math.Abs(b.X - a.X)
}

// unit names the unit of lengths on the ground.
func (s *spanSource) unit() string {
	if s.plane.HasWorld() {
		return "m"
	}
	return "px"
}

func (s *spanSource) inBand(h float32) bool {
	return float64(h) >= s.band[0] && float64(h) <= s.band[1]
}

// bounds returns the cells of the zone that tiles with records own, as first
// column and row and the ones behind the last.
func (s *spanSource) bounds() (x0, y0, x1, y1 int64, ok bool) {
	tiles := s.Main.Grid.Zones[s.zone].Tiles
	for i := range tiles {
		t := &tiles[i]
		if t.Records == 0 {
			continue
		}
		a, b := int64(t.GX0)+int64(t.PX0), int64(t.GY0)+int64(t.PY0)
		c, d := int64(t.GX0)+int64(t.PX1)+1, int64(t.GY0)+int64(t.PY1)+1
		if !ok {
			x0, y0, x1, y1, ok = a, b, c, d, true
			continue
		}
		x0, y0, x1, y1 = min(x0, a), min(y0, b), max(x1, c), max(y1, d)
	}
	if b, err := annex.ReadBounds(s.Main); err == nil && b != nil && ok {
		// The part with records, which tiles are larger than.
		z := &b.Zones[s.zone]
		if z.Records > 0 {
			x0, y0 = max(x0, int64(z.GX0)), max(y0, int64(z.GY0))
			x1, y1 = min(x1, int64(z.GX1)+1), min(y1, int64(z.GY1)+1)
		}
	}
	return x0, y0, x1, y1, ok && x0 < x1 && y0 < y1
}

func finite2(p geom.Vec2) bool {
	return math.Abs(p.X) <= maxCoord && math.Abs(p.Y) <= maxCoord
}
