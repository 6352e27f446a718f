package draw

import (
	"fmt"

	"wend/geom"
	"wend/grid"
)

// paint adds the squares on a ground of free cells, and the keys of the colours.
func (p *gridPicture) paint(c *Canvas) {
	quad := func(x0, y0, x1, y1 float64, v uint32) {
		c.Add(Fill, groupCells, Style{Color: squareColor(v)}, p.at(x0, y0), p.at(x1, y0), p.at(x1, y1), p.at(x0, y1))
	}
	if p.hex && p.block == 1 {
		for y := p.y0; y < p.y1; y++ {
			quad(float64(p.x0)+p.shift(y), float64(y), float64(p.x1)+p.shift(y), float64(y)+1, 0)
		}
	} else {
		quad(float64(p.x0), float64(p.y0), float64(p.x1), float64(p.y1), 0)
	}
	uniteSquares(p.value, p.nx, !p.hex, func(q squares) {
		s := 0.0
		if p.block == 1 {
			s = p.shift(p.y0 + int32(q.y0))
		}
		end := func(from int32, n int, most int32) float64 { return float64(min(from+int32(n)*p.block, most)) }
		quad(end(p.x0, q.x0, p.x1)+s, end(p.y0, q.y0, p.y1), end(p.x0, q.x1, p.x1)+s, end(p.y0, q.y1, p.y1), q.value)
	})

	key := func(v uint32, label string) { c.AddKey(Key{Fill, Style{Color: squareColor(v)}, label}) }
	switch {
	case p.Flow == nil:
		key(0, "free")
	case p.Flow.Done():
		key(0, "free, cannot reach a goal")
	default:
		key(0, "free, not looked at")
	}
	key(squareBlocked, "blocked")
	if p.dear {
		key(squareDear+dearSteps/2, "free, costs more")
	}
	const samples = 5
	for i := range samples {
		if p.Flow != nil && p.most == p.least && i > 0 {
			break // there is one cost
		}
		v := uint32(squareRamp + i*(rampSteps-1)/(samples-1))
		switch n := len(p.Expanded); {
		case p.Flow != nil && p.known:
			key(v, fmt.Sprintf("cost %.4g to a goal", p.least+(p.most-p.least)*float64(i)/(samples-1)))
		case p.Flow == nil && n >= samples:
			key(v, fmt.Sprintf("expansion %d", 1+(n-1)*i/(samples-1)))
		}
	}
}

// paintArrows adds the steps of the flow field: of every cell, or of one of as
// many as leave room for arrows.
func (p *gridPicture) paintArrows(c *Canvas) {
	every := (max(p.x1-p.x0, p.y1-p.y0) + maxArrows - 1) / maxArrows
	st := Style{Color: gridArrow, Width: 1.5, Arrow: true}
	reach := 0.35 * float64(every)
	for y := p.y0 + every/2; y < p.y1; y += every {
		for x := p.x0 + every/2; x < p.x1; x += every {
			at := grid.Cell{X: x, Y: y}
			next, ok := p.Flow.Next(at)
			if !ok || next == at {
				continue
			}
			from, to := p.middle(at), p.middle(next)
			d := to.Sub(from)
			d = d.Scale(reach / d.Len())
			c.AddOver(Line, groupFlow, st, from.Sub(d), from.Add(d))
		}
	}
	label := "step to the goal"
	if every > 1 {
		label += fmt.Sprintf(", every %d cells", every)
	}
	c.AddKey(Key{Line, st, label})
}

// paintWay adds the way, its narrow stretches, starts and goals.
func (p *gridPicture) paintWay(c *Canvas) {
	inside := func(v geom.Vec3) bool {
		return v.X >= float64(p.x0) && v.X <= float64(p.x1)+p.shift(1) && v.Z >= float64(p.y0) && v.Z <= float64(p.y1)
	}
	line := func(st Style, pts []geom.Vec3) {
		for _, part := range p.cut(pts) {
			c.AddOver(Line, groupRoute, st, part...)
		}
	}
	way := Style{Color: gridWay, Width: 4, Halo: true}
	middles := make([]geom.Vec3, len(p.Path))
	for i, at := range p.Path {
		middles[i] = p.middle(at)
	}
	if len(middles) > 0 {
		line(way, middles)
		c.AddKey(Key{Line, way, "way"})
	}
	if len(p.Points) > 0 {
		pts := make([]geom.Vec3, len(p.Points))
		for i, at := range p.Points {
			pts[i] = p.at(at.X, at.Y)
		}
		line(way, pts)
		for i := 1; i+1 < len(pts); i++ {
			if inside(pts[i]) {
				c.AddOver(Dot, groupMarks, Style{Color: gridWay, Width: 8, Halo: true}, pts[i])
			}
		}
		c.AddKey(Key{Line, way, "way, with its corners"})
	}
	for _, n := range p.Narrow {
		from, to := max(n[0]-1, 0), min(n[1]+1, len(middles))
		if from >= to {
			continue
		}
		st := Style{Color: missingColor, Width: 4, Halo: true}
		line(st, middles[from:to])
		c.AddKey(Key{Line, st, "too narrow"})
	}
	dots := func(cells []grid.Cell, st Style, label string) {
		for _, at := range cells {
			if v := p.middle(at); inside(v) {
				c.AddOver(Dot, groupMarks, st, v)
				c.AddKey(Key{Dot, st, label})
			}
		}
	}
	dots(p.Starts, Style{Color: startColor, Width: 13, Halo: true}, "start")
	dots(p.Goals, Style{Color: goalColor, Width: 13, Halo: true}, "goal")
}

// cut returns the parts of a line within the picture, without the places where
// it only goes on straight.
func (p *gridPicture) cut(pts []geom.Vec3) (parts [][]geom.Vec3) {
	clip := clipper{w: float64(p.x1-p.x0) + p.shift(1), h: float64(p.y1 - p.y0)}
	x0, y0 := float64(p.x0), float64(p.y0)
	for i := 1; i < len(pts); i++ {
		a, b, ok := clip.segment(point{pts[i-1].X - x0, pts[i-1].Z - y0}, point{pts[i].X - x0, pts[i].Z - y0}, 0)
		if !ok || a == b {
			continue
		}
		from, to := p.at(a.x+x0, a.y+y0), p.at(b.x+x0, b.y+y0)
		n := len(parts)
		if n == 0 || parts[n-1][len(parts[n-1])-1] != from {
			parts = append(parts, []geom.Vec3{from, to})
			continue
		}
		last := parts[n-1]
		if u, v := from.Sub(last[len(last)-2]), to.Sub(from); u.X*v.Z == u.Z*v.X && u.Dot(v) > 0 {
			last[len(last)-1] = to
			continue
		}
		parts[n-1] = append(last, to)
	}
	return parts
}
