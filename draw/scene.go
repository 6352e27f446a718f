package draw

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"wend/geom"
	"wend/scene"
)

// Names of the groups of shapes.
const (
	groupSource      = "source"
	groupCreases     = "creases"
	groupRegions     = "regions"
	groupRaw         = "raw-contours"
	groupContours    = "contours"
	groupCorners     = "corners"
	groupMesh        = "mesh"
	groupDetail      = "detail"
	groupDetailEdges = "detail-edges"
	groupPortals     = "portals"
	groupBorders     = "tile-borders"
	groupWalls       = "walls"
	groupLinks       = "links"
	groupZones       = "zones"
	groupCorridor    = "corridor"
	groupRoute       = "route"
	groupMarks       = "marks"
	groupLabels      = "labels"
)

// AppendScene adds the triangles of s, shaded by their slope: walkable ground
// in the colour of its area, what is steeper than 45 degrees in grey. Parts
// with NoSurface are left out. Links, volumes and no-go polygons follow as
// AppendAuthored draws them. Area ids get their names in the legend where
// names has them; it may be nil.
//
// Triangles are seen from their front only, so one can look into rooms from
// behind their walls and into a closed level from outside.
func AppendScene(c *Canvas, s *scene.Scene, names map[uint8]string) {
	light := geom.Vec3{X: -0.42, Y: 0.78, Z: 0.46}
	wall := color.NRGBA{0xb9, 0xb6, 0xb4, 255}
	var seen [256]bool
	steep := false
	for i := range s.Tris {
		t := &s.Tris[i]
		if int(t.Part) < len(s.Parts) && s.Parts[t.Part].NoSurface {
			continue
		}
		if !goodTri(s, t) {
			continue
		}
		p, q, r := s.Verts[t.V[0]], s.Verts[t.V[1]], s.Verts[t.V[2]]
		n := q.Sub(p).Cross(r.Sub(p))
		length := n.Len()
		if !(length > 0) {
			continue
		}
		n = n.Scale(1 / length)
		base := wall
		if n.Y > 0.7071 && !t.Unwalkable {
			base = areaTint(int(t.Area))
			seen[t.Area] = true
		} else {
			steep = true
		}
		c.Add(Fill, groupSource, Style{Color: shade(base, n.Dot(light)), OneSided: true}, p, q, r)
	}
	for area, ok := range seen {
		if ok {
			c.AddKey(Key{Fill, Style{Color: areaTint(area)}, areaName(area, names)})
		}
	}
	appendCreases(c, s)
	if steep {
		c.AddKey(Key{Fill, Style{Color: wall}, "steep or unwalkable"})
	}
	AppendAuthored(c, s)
}

// appendCreases adds the edges at which the surface ends or turns by more than
// 40 degrees: they give shapes an outline.
func appendCreases(c *Canvas, s *scene.Scene) {
	const cosCrease = 0.766
	type edge struct {
		a, b geom.Vec3 // in a fixed order
		n    geom.Vec3
	}
	var edges []edge
	for i := range s.Tris {
		t := &s.Tris[i]
		if int(t.Part) < len(s.Parts) && s.Parts[t.Part].NoSurface || !goodTri(s, t) {
			continue
		}
		p := [3]geom.Vec3{s.Verts[t.V[0]], s.Verts[t.V[1]], s.Verts[t.V[2]]}
		n := p[1].Sub(p[0]).Cross(p[2].Sub(p[0]))
		length := n.Len()
		if !(length > 0) || math.IsInf(length, 0) {
			continue
		}
		n = n.Scale(1 / length)
		for k := range 3 {
			a, b := p[k], p[(k+1)%3]
			if compareVec(a, b) > 0 {
				a, b = b, a
			}
			edges = append(edges, edge{a, b, n})
		}
	}
	slices.SortFunc(edges, func(x, y edge) int {
		return cmp.Or(compareVec(x.a, y.a), compareVec(x.b, y.b), compareVec(x.n, y.n))
	})
	st := Style{Color: color.NRGBA{0x4a, 0x4d, 0x57, 255}, Width: 1}
	for i := 0; i < len(edges); {
		j := i + 1
		crease := false
		for j < len(edges) && edges[j].a == edges[i].a && edges[j].b == edges[i].b {
			crease = crease || edges[j].n.Dot(edges[i].n) < cosCrease
			j++
		}
		// The border of level ground is left out: large floors are often
		// made of rectangles that share no corners.
		if crease || j == i+1 && math.Abs(edges[i].n.Y) < 0.7071 {
			c.Add(Line, groupCreases, st, edges[i].a, edges[i].b)
		}
		i = j
	}
}

func compareVec(a, b geom.Vec3) int {
	return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y), cmp.Compare(a.Z, b.Z))
}

func areaName(area int, names map[uint8]string) string {
	if n, ok := names[uint8(area)]; ok && n != "" {
		return n
	}
	if area == 0 {
		return "ground (area 0)"
	}
	return fmt.Sprintf("area %d", area)
}

func goodTri(s *scene.Scene, t *scene.Tri) bool {
	for _, v := range t.V {
		if int(v) >= len(s.Verts) {
			return false
		}
	}
	return true
}

// shade darkens a colour that the light meets at the given cosine, in 16 steps
// so that neighbours share colours.
func shade(c color.NRGBA, cos float64) color.NRGBA {
	step := math.RoundToEven(max(cos, -0.4) * 12) // -5 to 12
	dark := color.NRGBA{0x2c, 0x2f, 0x3d, 255}
	return mix(c, dark, int((12-step)*8))
}

// AppendAuthored adds what an author put into s beside triangles: off-mesh
// links, area volumes and no-go polygons.
func AppendAuthored(c *Canvas, s *scene.Scene) {
	for i := range s.Links {
		l := &s.Links[i]
		appendLink(c, l.From, l.To, !l.OneWay)
	}
	for i := range s.Volumes {
		v := &s.Volumes[i]
		st := Style{Color: Color(int(v.Area)), Width: 2, Dash: true}
		appendPrism(c, v.Ring, v.MinY, v.MaxY, st, v.Name)
		c.AddKey(Key{Line, st, "area volume"})
	}
	appendNoGo(c, s)
}

func appendNoGo(c *Canvas, s *scene.Scene) {
	for i := range s.NoGo {
		n := &s.NoGo[i]
		st := Style{Color: noGoColor, Width: 2.5, Dash: true}
		appendPrism(c, n.Ring, n.MinY, n.MaxY, st, n.Name)
		c.AddKey(Key{Line, st, "no-go"})
	}
}

var (
	noGoColor = color.NRGBA{0xc0, 0x20, 0x2e, 255}
	linkColor = color.NRGBA{0x7b, 0x1f, 0xa2, 255}
)

// appendLink adds an off-mesh link as an arc with arrows.
func appendLink(c *Canvas, from, to geom.Vec3, bothWays bool) {
	st := Style{Color: linkColor, Width: 3, Arrow: true, Halo: true}
	arc := linkArc(from, to)
	label := "one-way link"
	if bothWays {
		// Two halves, each with its arrow, so that both ends have one.
		half := len(arc) / 2
		back := make([]geom.Vec3, 0, half+1)
		for i := half; i >= 0; i-- {
			back = append(back, arc[i])
		}
		c.AddOver(Line, groupLinks, st, back...)
		c.AddOver(Line, groupLinks, st, arc[half:]...)
		label = "two-way link"
	} else {
		c.AddOver(Line, groupLinks, st, arc...)
	}
	c.AddKey(Key{Line, Style{Color: linkColor, Width: 3, Arrow: true}, label})
}

// linkArc returns a curve from one end of a link to the other that rises
// above the straight line and bends to its right, so that it can be seen from
// above and from the side.
func linkArc(from, to geom.Vec3) []geom.Vec3 {
	const steps = 16
	d := to.Sub(from)
	rise := float64(0.2 * d.Len())
	mid := geom.Lerp(from, to, 0.5)
	mid.Y = max(from.Y, to.Y) + rise
	mid.X -= float64(0.25 * d.Z)
	mid.Z += float64(0.25 * d.X)
	arc := make([]geom.Vec3, 0, steps+1)
	for i := range steps + 1 {
		t := float64(i) / steps
		arc = append(arc, geom.Lerp(geom.Lerp(from, mid, t), geom.Lerp(mid, to, t), t))
	}
	return arc
}

// appendPrism outlines a vertical prism.
func appendPrism(c *Canvas, ring []geom.Vec2, y0, y1 float64, st Style, name string) {
	if len(ring) < 2 {
		return
	}
	low := make([]geom.Vec3, len(ring))
	top := make([]geom.Vec3, len(ring))
	var mid geom.Vec3
	for i, p := range ring {
		low[i], top[i] = geom.V3(p.X, y0, p.Y), geom.V3(p.X, y1, p.Y)
		mid = mid.Add(top[i])
	}
	fill := st.Color
	fill.A = 60
	c.AddOver(Fill, groupZones, Style{Color: fill}, top...)
	c.AddOver(Loop, groupZones, st, low...)
	c.AddOver(Loop, groupZones, st, top...)
	if name != "" {
		c.AddText(groupLabels, Style{Color: st.Color, Width: 15, Halo: true}, mid.Scale(1/float64(len(ring))), name)
	}
}
