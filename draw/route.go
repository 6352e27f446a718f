package draw

import (
	"fmt"
	"image/color"

	"wend/geom"
	"wend/route"
)

// routeColor returns the colour of route i: strong and dark, so that it stands
// on the tints of a mesh.
func routeColor(i int) color.NRGBA {
	colors := [...]color.NRGBA{
		{0xd5, 0x3e, 0x0f, 255},
		{0x1a, 0x52, 0xa8, 255},
		{0x8a, 0x1c, 0x7c, 255},
		{0x0b, 0x6b, 0x4f, 255},
		{0x9c, 0x6a, 0x00, 255},
		{0xc2, 0x18, 0x5b, 255},
		{0x3d, 0x3a, 0x8c, 255},
		{0x5a, 0x5a, 0x5a, 255},
	}
	return colors[max(i, 0)%len(colors)]
}

var (
	startColor = color.NRGBA{0x1b, 0x7f, 0x3b, 255}
	goalColor  = color.NRGBA{0xb0, 0x12, 0x2a, 255}
	dropColor  = color.NRGBA{0x00, 0x6d, 0xb8, 255}
)

// AppendRoute adds route number i of a picture: its line with a dot at every
// corner, a green start, a red goal where it is complete, and a dashed red line
// over the gap where it breaks off, with its width and how far up or down it
// leads. Links and falls on the way are dashed arrows, falls blue. The legend
// shows name (the status when it is empty) and length.
func AppendRoute(c *Canvas, r *route.Route, i int, name string) {
	col := routeColor(i)
	line := Style{Color: col, Width: 4, Halo: true}
	label := name
	if label == "" {
		label = "route"
	}
	if r.Status == route.Complete {
		label = fmt.Sprintf("%s: %.1f m", label, r.Length)
	} else {
		label = fmt.Sprintf("%s: %v", label, r.Status)
	}

	var stretch []geom.Vec3
	var jumps []Key
	flush := func() {
		if len(stretch) > 1 {
			c.AddOver(Line, groupRoute, line, stretch...)
		}
		stretch = stretch[:0]
	}
	for k := range r.Points {
		p := &r.Points[k]
		stretch = append(stretch, p.Pos)
		if (p.Kind == route.Link || p.Kind == route.Drop) && k+1 < len(r.Points) {
			flush()
			jump := line
			jump.Dash, jump.Arrow = true, true
			key := "link on the way"
			if p.Kind == route.Drop {
				jump.Color, key = dropColor, "fall on the way"
				c.AddOver(Dot, groupMarks, Style{Color: dropColor, Width: 11, Halo: true}, p.Pos)
				c.AddText(groupLabels, Style{Color: dropColor, Width: 16, Halo: true}, p.Pos, fmt.Sprintf("fall %.2f m", p.Pos.Y-r.Points[k+1].Pos.Y))
			}
			jumps = append(jumps, Key{Line, Style{Color: jump.Color, Width: 4, Dash: true, Arrow: true}, key})
			c.AddOver(Line, groupRoute, jump, linkArc(p.Pos, r.Points[k+1].Pos)...)
		}
	}
	flush()
	for k := range r.Points {
		if k > 0 && k < len(r.Points)-1 {
			c.AddOver(Dot, groupMarks, Style{Color: col, Width: 8}, r.Points[k].Pos)
		}
	}
	if n := len(r.Points); n > 0 {
		c.AddOver(Dot, groupMarks, Style{Color: startColor, Width: 13, Halo: true}, r.Points[0].Pos)
		end := Style{Color: col, Width: 11, Halo: true}
		if r.Status == route.Complete {
			end = Style{Color: goalColor, Width: 13, Halo: true}
		}
		c.AddOver(Dot, groupMarks, end, r.Points[n-1].Pos)
	}
	c.AddKey(Key{Line, Style{Color: col, Width: 4}, label})
	for _, k := range jumps {
		c.AddKey(k)
	}
	if r.Failure != nil && r.Failure.Gap != nil {
		g := r.Failure.Gap
		st := Style{Color: missingColor, Width: 3, Dash: true, Halo: true}
		c.AddOver(Line, groupRoute, st, g.From, g.To)
		c.AddOver(Dot, groupMarks, Style{Color: missingColor, Width: 11, Halo: true}, g.To)
		c.AddText(groupLabels, Style{Color: missingColor, Width: 16, Halo: true}, geom.Lerp(g.From, g.To, 0.5), gapLabel(g))
		c.AddKey(Key{Line, Style{Color: missingColor, Width: 3, Dash: true}, "gap"})
	}
	if len(r.Points) > 0 {
		c.AddKey(Key{Dot, Style{Color: startColor, Width: 13}, "start"})
		if r.Status == route.Complete {
			c.AddKey(Key{Dot, Style{Color: goalColor, Width: 13}, "goal"})
		}
	}
}

// gapLabel says how wide a gap is in plan, and how far its other side lies up or
// down.
func gapLabel(g *route.Gap) string {
	label := fmt.Sprintf("gap %.2f m", g.Plan())
	switch rise := g.Rise(); {
	case rise >= 0.05:
		label += fmt.Sprintf(", %.2f m up", rise)
	case rise <= -0.05:
		label += fmt.Sprintf(", %.2f m down", -rise)
	}
	return label
}

// Portal is the opening between two polygons of a corridor as seen by one who
// walks through.
type Portal struct{ Right, Left geom.Vec3 }

// AppendCorridor adds the portals a corridor passes: right ends blue, left ends
// orange, each side joined to a line.
func AppendCorridor(c *Canvas, portals []Portal) {
	if len(portals) == 0 {
		return
	}
	right := Style{Color: color.NRGBA{0x1a, 0x52, 0xa8, 255}, Width: 2}
	left := Style{Color: color.NRGBA{0xd9, 0x73, 0x06, 255}, Width: 2}
	across := Style{Color: color.NRGBA{0x5b, 0x2a, 0x86, 255}, Width: 1.6}
	var rs, ls []geom.Vec3
	for _, p := range portals {
		c.AddOver(Line, groupCorridor, across, p.Right, p.Left)
		rs, ls = append(rs, p.Right), append(ls, p.Left)
	}
	if len(portals) > 1 {
		c.AddOver(Line, groupCorridor, right, rs...)
		c.AddOver(Line, groupCorridor, left, ls...)
	}
	right.Width, left.Width = 6, 6
	c.AddOver(Dot, groupCorridor, right, rs...)
	c.AddOver(Dot, groupCorridor, left, ls...)
	c.AddKey(Key{Line, across, "portals of the corridor"})
	c.AddKey(Key{Dot, right, "right ends"})
	c.AddKey(Key{Dot, left, "left ends"})
}
