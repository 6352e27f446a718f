package draw

import (
	"cmp"
	"context"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"wend/geom"
	"wend/pack/annex"
	"wend/pack/bnav"
)

// maxSectionCells is the most cells a section goes through.
const maxSectionCells = 1 << 16

// sectionChunk is how many cells of the line are decoded together.
const sectionChunk = 256

// cellCrossing is a cell that the line goes through, from t0 to t1 of its length.
type cellCrossing struct {
	gx, gy int32
	t0, t1 float64
}

// bar is a span in a section.
type bar struct {
	t0, t1 float64
	h      float32
	region uint32
	flags  uint8
	head   uint8 // stored headroom
}

// crossings walks along a line through the grid, cells as coordinates (Amanatides
// and Woo, "A Fast Voxel Traversal Algorithm", 1987).
func crossings(ax, ay, bx, by float64) []cellCrossing {
	dx, dy := bx-ax, by-ay
	x, y := math.Floor(ax), math.Floor(ay)
	// next is where the line leaves the cell, by axis.
	next := func(a, d, cell float64) float64 {
		switch {
		case d > 0:
			return (cell + 1 - a) / d
		case d < 0:
			return (cell - a) / d
		}
		return math.Inf(1)
	}
	var out []cellCrossing
	for t := 0.0; t < 1 && len(out) <= maxSectionCells; {
		tx, ty := next(ax, dx, x), next(ay, dy, y)
		end := min(tx, ty, 1)
		if end > t {
			out = append(out, cellCrossing{int32(x), int32(y), t, end})
		}
		if t = max(t, end); t >= 1 {
			break
		}
		if tx <= ty {
			x += math.Copysign(1, dx)
		}
		if ty <= tx {
			y += math.Copysign(1, dy)
		}
	}
	return out
}

// composeSection draws a vertical cut: X is the way along the line, in world
// units, and Y the height.
func composeSection(ctx context.Context, s *spanSource, o *SpanOptions) (*Canvas, error) {
	if !finite2(o.From) || !finite2(o.To) || o.From == o.To {
		return nil, &OptionError{"From and To", [2]geom.Vec2{o.From, o.To}, "two different finite places"}
	}
	ax, ay := s.cells(o.From)
	bx, by := s.cells(o.To)
	const far = 1 << 30
	if max(math.Abs(ax), math.Abs(ay), math.Abs(bx), math.Abs(by)) > far || math.Abs(bx-ax)+math.Abs(by-ay) > maxSectionCells {
		return nil, &OptionError{"From and To", [2]geom.Vec2{o.From, o.To}, fmt.Sprintf("a line through at most %d cells", maxSectionCells)}
	}
	way := crossings(ax, ay, bx, by)
	var bars []bar
	for len(way) > 0 {
		n := min(len(way), sectionChunk)
		var err error
		if bars, err = s.appendBars(ctx, bars, way[:n]); err != nil {
			return nil, err
		}
		way = way[n:]
	}
	if len(bars) == 0 {
		return nil, ErrEmpty
	}
	return drawBars(s, bars, o), nil
}

// appendBars appends the spans of a part of the line, by cell, those in the
// band only.
func (s *spanSource) appendBars(ctx context.Context, dst []bar, way []cellCrossing) ([]bar, error) {
	x0, y0, x1, y1 := way[0].gx, way[0].gy, way[0].gx, way[0].gy
	for _, c := range way {
		x0, y0, x1, y1 = min(x0, c.gx), min(y0, c.gy), max(x1, c.gx), max(y1, c.gy)
	}
	win := bnav.Window{GX0: x0, GY0: y0, NX: x1 - x0 + 1, NY: y1 - y0 + 1}
	w, err := s.window(ctx, win, true)
	if err != nil {
		return nil, err
	}
	at := make([]int32, int(win.NX)*int(win.NY)) // crossing of each cell, plus 1
	for i, c := range way {
		at[int(c.gy-y0)*int(win.NX)+int(c.gx-x0)] = int32(i + 1)
	}
	for i := range w.Records {
		r := &w.Records[i]
		k := at[r.Cell]
		if k == 0 || r.Flags&bnav.Fill != 0 || s.banded && !s.inBand(r.H) {
			continue
		}
		b := bar{t0: way[k-1].t0, t1: way[k-1].t1, h: r.H, region: r.Region, flags: r.Flags}
		if w.headroom != nil {
			b.head = w.headroom[i]
		}
		dst = append(dst, b)
	}
	return dst, nil
}

// drawBars draws the spans with the ways of cells united where they go on.
func drawBars(s *spanSource, bars []bar, o *SpanOptions) *Canvas {
	length := math.Sqrt(sq(o.To.X-o.From.X) + sq(o.To.Y-o.From.Y))
	lo, hi := float64(bars[0].h), float64(bars[0].h)
	for _, b := range bars {
		lo, hi = min(lo, float64(b.h)), max(hi, float64(b.h))
	}
	// Flat sections are stretched until something can be seen.
	stretch := 1.0
	for _, f := range []float64{2, 5, 10} {
		if (hi-lo+2)*stretch*6 < length {
			stretch = f
		}
	}
	thick := max(0.012*length, 0.02*(hi-lo)*stretch, 0.05) / 2
	at := func(t, h float64) geom.Vec3 { return geom.Vec3{X: t * length, Y: h} }

	c := &Canvas{across: "way"}
	appendHeightLines(c, lo, hi, stretch, length)
	slices.SortStableFunc(bars, func(a, b bar) int {
		return cmp.Or(cmp.Compare(a.region, b.region), cmp.Compare(a.t0, b.t0), cmp.Compare(a.h, b.h))
	})
	air := color.NRGBA{0x9d, 0xb4, 0xc4, 90}
	limited := false
	for _, b := range bars {
		if b.head == 0 {
			continue
		}
		limited = true
		y, top := float64(b.h)*stretch, (float64(b.h)+annex.HeadroomMetres(b.head))*stretch
		c.AddOver(Fill, groupSource, Style{Color: air}, at(b.t0, y), at(b.t1, y), at(b.t1, top), at(b.t0, top))
	}
	for _, b := range bars {
		y := float64(b.h) * stretch
		c.AddOver(Fill, groupSpans, Style{Color: barColor(&b)}, at(b.t0, y-thick), at(b.t1, y-thick), at(b.t1, y), at(b.t0, y))
	}

	end := Style{Color: inkColor, Width: legendSize, Halo: true}
	for _, e := range []struct {
		t, text float64
		p       geom.Vec2
	}{{0, 0, o.From}, {1, 0.9, o.To}} {
		low := lo*stretch - 0.035*length
		c.AddOver(Line, groupHeights, Style{Color: greyColor, Width: 1, Dash: true}, at(e.t, low), at(e.t, hi*stretch+float64(4*thick)))
		c.AddText(groupLabels, end, at(e.text, low), fmt.Sprintf("%g, %g", e.p.X, e.p.Y))
	}
	sectionLegend(c, bars)
	c.AddKey(Key{Fill, Style{Color: deadBar}, "dead cells"})
	if limited {
		c.AddKey(Key{Fill, Style{Color: air}, fmt.Sprintf("headroom under %d m", annex.MaxHeadroom)})
	}
	if stretch != 1 {
		c.AddKey(Key{Line, Style{Color: greyColor, Width: 1}, fmt.Sprintf("heights %g times as large", stretch)})
	}
	return c
}

var deadBar = color.NRGBA{0x8c, 0x8a, 0x88, 255}

func barColor(b *bar) color.NRGBA {
	switch {
	case b.flags&bnav.Dead != 0:
		return deadBar
	case b.flags&bnav.Ghost != 0:
		return mix(regionColor(b.region), paperColor, 150)
	}
	return Color(int(max(b.region, 1)-1) % (2 * paletteSize))
}

func sectionLegend(c *Canvas, bars []bar) {
	for i := range bars { // sorted by region
		if b := bars[i]; i == 0 || bars[i-1].region != b.region {
			b.flags = 0
			c.AddKey(Key{Fill, Style{Color: barColor(&b)}, fmt.Sprintf("region %d", b.region)})
		}
	}
}

// appendHeightLines adds level lines with their heights.
func appendHeightLines(c *Canvas, lo, hi, stretch, length float64) {
	step, _ := roundLength(max((hi-lo)/4, 0.5))
	st := Style{Color: color.NRGBA{0xd5, 0xd5, 0xd0, 255}, Width: 1}
	for h := math.Floor(lo/step) * step; h <= hi+step && len(c.Shapes) < 60; h += step {
		c.AddOver(Line, groupHeights, st, geom.Vec3{Y: h * stretch}, geom.Vec3{X: length, Y: h * stretch})
		c.AddText(groupLabels, Style{Color: greyColor, Width: 14, Halo: true}, geom.Vec3{X: -0.06 * length, Y: h * stretch}, strconv.FormatFloat(h, 'f', -1, 64)+" m")
	}
}
