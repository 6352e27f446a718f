package draw

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"

	"wend/geom"
	"wend/route"
	"wend/scene"
)

// Names of the groups of pictures of span routes, beside those of scene.go. The
// group of a stage is named after it: "stage-baseline".
const (
	groupWindow = "window"
	groupStage  = "stage-"
	groupDiscs  = "discs"
)

// SpanRoute is a trip over packs, to be drawn.
type SpanRoute struct {
	Legs  []*route.Route // in order; those with Debug show their stages and windows
	Stops []geom.Vec3    // start, places on the way, and goal as asked
	NoGo  []scene.NoGo   // no-go zones
	Discs []Disc
}

// Disc is a round obstacle seen from above, metres.
type Disc struct {
	At     geom.Vec2 // X, and Z as Y
	Radius float64
}

// ComposeSpanRoute returns a canvas with the ground along a trip, a layer of the
// span grid ("" is "clearance"), and on it the trip's no-go zones and discs, what
// each stage of the planner made of it, the windows that were searched, the
// routes, and the gap where one breaks off. It shows the surroundings of the
// trip, and of several storeys those that the trip is on; o.Rect and o.Band may
// say otherwise. Errors are those of ComposeSpans, except that a trip beside all
// ground is drawn on none.
func ComposeSpanRoute(ctx context.Context, in SpanInput, layer string, r *SpanRoute, o *SpanOptions) (*Canvas, error) {
	var so SpanOptions
	if o != nil {
		so = *o
	}
	area := tripBox(r)
	if so.Rect == nil && !area.IsEmpty() {
		so.Rect = surroundings(area)
	}
	if so.Band == nil && !area.IsEmpty() {
		so.Band = &[2]float64{roundTenth(area.Min.Y - storeyReach), roundTenth(area.Max.Y + storeyReach)}
	}
	if layer == "" {
		layer = "clearance"
	}
	c, err := ComposeSpans(ctx, in, layer, &so)
	if errors.Is(err, ErrEmpty) {
		c, err = &Canvas{}, nil
	}
	if err != nil {
		return nil, err
	}
	// What one looks for comes first in the legend.
	about := c.Legend
	c.Legend = nil
	appendNoGo(c, &scene.Scene{NoGo: r.NoGo})
	for _, d := range r.Discs {
		appendDisc(c, d)
	}
	AppendStages(c, r.Legs)
	for i, leg := range r.Legs {
		name := ""
		if len(r.Legs) > 1 {
			name = fmt.Sprintf("leg %d", i+1)
		}
		AppendRoute(c, leg, i, name)
	}
	appendStops(c, r)
	for _, k := range about {
		c.AddKey(k)
	}
	return c, nil
}

// RenderSpanRoute draws a trip to w in o.Format, from above whatever o.View
// says. Errors are those of ComposeSpanRoute and of (*Canvas).WriteSVG; nothing
// is written before the picture is complete in memory.
func RenderSpanRoute(ctx context.Context, w io.Writer, in SpanInput, layer string, r *SpanRoute, so *SpanOptions, o *Options) error {
	c, err := ComposeSpanRoute(ctx, in, layer, r, so)
	if err != nil {
		return err
	}
	var full Options
	if o != nil {
		full = *o
	}
	full.View = View{}
	if full.Focus == nil {
		rect := surroundings(tripBox(r))
		if so != nil && so.Rect != nil {
			rect = so.Rect
		}
		if rect.Min.X < rect.Max.X && rect.Min.Y < rect.Max.Y {
			full.Focus = &geom.Box{Min: geom.V3(rect.Min.X, 0, rect.Min.Y), Max: geom.V3(rect.Max.X, 0, rect.Max.Y)}
		}
	}
	if full.Format == PNG {
		return c.WritePNG(w, &full)
	}
	return c.WriteSVG(w, &full)
}

// tripBox is the box around all that a trip touches: stages may swing wider than
// the route.
func tripBox(r *SpanRoute) geom.Box {
	b := geom.EmptyBox()
	add := func(p geom.Vec3) {
		if p.IsFinite() {
			b = b.Extend(p)
		}
	}
	for _, p := range r.Stops {
		add(p)
	}
	for _, leg := range r.Legs {
		for i := range leg.Points {
			add(leg.Points[i].Pos)
		}
		if leg.Failure != nil && leg.Failure.Gap != nil {
			add(leg.Failure.Gap.From)
			add(leg.Failure.Gap.To)
		}
		if leg.Debug == nil {
			continue
		}
		for _, s := range leg.Debug.Stages {
			for _, p := range s.Points {
				if !b.IsEmpty() { // stages after the search have no heights of their own
					p.Y = min(max(p.Y, b.Min.Y), b.Max.Y)
				}
				add(p)
			}
		}
	}
	return b
}

// storeyReach is how far above and below a trip ground is taken for its storey,
// metres: less than what lies between two floors.
const storeyReach = 2.5

func roundTenth(v float64) float64 { return math.RoundToEven(v*10) / 10 }

// surroundings is the ground that is shown around a trip: an eighth of its
// extent, at least 4 m, and enough to fill a picture that is half as high as
// wide.
func surroundings(b geom.Box) *PlanRect {
	w, h := b.Max.X-b.Min.X, b.Max.Z-b.Min.Z
	margin := max(4, 0.125*max(w, h))
	dx, dz := max(margin, (h-w)/4), max(margin, (w-h)/4)
	return &PlanRect{
		Min: geom.Vec2{X: b.Min.X - dx, Y: b.Min.Z - dz},
		Max: geom.Vec2{X: b.Max.X + dx, Y: b.Max.Z + dz},
	}
}

// stageColors are told apart from each other and from the ground, whose layers
// are light.
var stageColors = []color.NRGBA{
	{0x6b, 0x6b, 0x78, 255}, {0x1a, 0x52, 0xa8, 255}, {0x0b, 0x7d, 0x6f, 255}, {0x9c, 0x6a, 0x00, 255},
	{0x8a, 0x1c, 0x7c, 255}, {0x3d, 0x8c, 0x1f, 255}, {0x00, 0x00, 0x00, 255}, {0xc2, 0x18, 0x5b, 255},
}

// AppendStages adds a line for each stage of the planner that the legs remember,
// and the frame of the window that was searched last. Stages of one name have
// one colour, those beyond a fall ("pulled beyond") that of the stage itself.
func AppendStages(c *Canvas, legs []*route.Route) {
	var names []string
	for _, leg := range legs {
		if leg.Debug == nil {
			continue
		}
		w := leg.Debug.Window
		if w[0] != w[1] && finite2(w[0]) && finite2(w[1]) {
			st := Style{Color: inkColor, Width: 2, Dash: true}
			c.AddOver(Loop, groupWindow, st,
				geom.V3(w[0].X, 0, w[0].Y), geom.V3(w[1].X, 0, w[0].Y), geom.V3(w[1].X, 0, w[1].Y), geom.V3(w[0].X, 0, w[1].Y))
			c.AddKey(Key{Line, st, fmt.Sprintf("window %s: %.0f x %.0f m", leg.Stats.Window, math.Abs(w[1].X-w[0].X), math.Abs(w[1].Y-w[0].Y))})
		}
		for _, s := range leg.Debug.Stages {
			name, _, _ := strings.Cut(s.Name, " ")
			at := slices.Index(names, name)
			if at < 0 {
				at = len(names)
				names = append(names, name)
			}
			// The early stages lie below, so they are wider.
			st := Style{Color: stageColors[at%len(stageColors)], Width: max(1.4, 3-float64(0.3*float64(at)))}
			group := groupStage + name
			if len(s.Points) > 1 {
				c.AddOver(Line, group, st, s.Points...)
			}
			c.AddKey(Key{Line, st, "stage " + name})
		}
	}
}

// appendDisc outlines a disc.
func appendDisc(c *Canvas, d Disc) {
	const corners = 48
	ring := make([]geom.Vec3, corners)
	for i := range ring {
		sin, cos := sinCosDeg(360 * float64(i) / corners)
		ring[i] = geom.Vec3{X: d.At.X + float64(d.Radius*cos), Z: d.At.Y + float64(d.Radius*sin)}
	}
	st := Style{Color: noGoColor, Width: 2.5}
	fill := st.Color
	fill.A = 60
	c.AddOver(Fill, groupDiscs, Style{Color: fill}, ring...)
	c.AddOver(Loop, groupDiscs, st, ring...)
	c.AddKey(Key{Line, st, "disc"})
}

// appendStops marks the places of a trip, whether or not a route leads there.
func appendStops(c *Canvas, r *SpanRoute) {
	for i, p := range r.Stops {
		st, label := Style{Color: goalColor, Width: 13, Halo: true}, "goal"
		switch {
		case i == 0:
			st.Color, label = startColor, "start"
		case i < len(r.Stops)-1:
			st.Color, label = greyColor, "on the way"
		}
		c.AddOver(Dot, groupMarks, st, p)
		c.AddKey(Key{Dot, Style{Color: st.Color, Width: 13}, label})
	}
}
