package draw

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"

	"wend/geom"
	"wend/navmesh"
)

// FillBy says what the colour of a polygon of a mesh tells.
type FillBy uint8

const (
	FillPlain  FillBy = iota // one colour
	FillIsland               // the island; the largest has the first colour
	FillStorey               // the storey, from light to dark with its height
	FillArea                 // the area id
)

// MeshOptions say what AppendMesh adds. Nil and the zero value add plain
// polygons with all their edges and links.
type MeshOptions struct {
	Fill                               FillBy
	NoFill, NoPortals, NoWalls, NoTile bool // NoTile: no tile borders
	NoLinks                            bool
	AreaNames                          map[uint8]string // for the legend
}

var (
	wallColor    = color.NRGBA{0x2b, 0x33, 0x40, 255}
	portalColor  = color.NRGBA{0xff, 0xff, 0xff, 200}
	borderColor  = color.NRGBA{0x1f, 0x6f, 0x8b, 220}
	closedColor  = color.NRGBA{0xd8, 0x9a, 0x9a, 255}
	plainColor   = color.NRGBA{0xa9, 0xcb, 0xe6, 255}
	missingColor = color.NRGBA{0xd0, 0x21, 0x2f, 255}
)

// AppendMesh adds the polygons of m, in order: fills, portals between
// polygons, tile borders, walls, off-mesh connections (dashed red when an end
// found no surface). Polygons that the default filter closes are reddish. Cost:
// linear in polygons and links.
func AppendMesh(c *Canvas, m *navmesh.Mesh, o *MeshOptions) {
	if o == nil {
		o = &MeshOptions{}
	}
	ma := meshAppender{c: c, m: m, o: o}
	switch o.Fill {
	case FillIsland:
		ma.rankIslands()
	case FillStorey:
		ma.stepStoreys()
	}
	if !o.NoFill {
		for p := range navmesh.PolyID(m.Len()) {
			ma.fill(p)
		}
		ma.fillKeys()
	}
	for p := range navmesh.PolyID(m.Len()) {
		if m.Poly(p).Kind() == navmesh.KindGround {
			ma.edges(p)
		}
	}
	if ma.portals {
		c.AddKey(Key{Line, Style{Color: greyColor, Width: 1}, "portals"})
	}
	if ma.borders {
		c.AddKey(Key{Line, borderStyle(), "tile borders"})
	}
	if ma.walls {
		c.AddKey(Key{Line, wallStyle(), "walls and drops"})
	}
	if !o.NoLinks {
		for p := range navmesh.PolyID(m.Len()) {
			ma.link(p)
		}
	}
}

func wallStyle() Style   { return Style{Color: wallColor, Width: 1.8} }
func portalStyle() Style { return Style{Color: portalColor, Width: 1} }
func borderStyle() Style { return Style{Color: borderColor, Width: 1.4, Dash: true} }

type meshAppender struct {
	c *Canvas
	m *navmesh.Mesh
	o *MeshOptions

	rank                    []int // of an island by area
	steps                   []storeyStep
	step                    []int // of a storey, an index in steps
	seen                    [256]bool
	closed                  bool
	portals, borders, walls bool
	pts                     []geom.Vec3
}

// span is the part of an edge that a portal takes, as parameters along it.
type span struct{ from, to float64 }

// rankIslands orders the islands by area, the largest first.
func (a *meshAppender) rankIslands() {
	n := a.m.IslandCount()
	order := make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int {
		return cmp.Or(cmp.Compare(a.m.IslandArea(y), a.m.IslandArea(x)), cmp.Compare(x, y))
	})
	a.rank = make([]int, n)
	for r, i := range order {
		a.rank[i] = r
	}
}

// storeyStep is a run of storeys of about one height, which share a colour.
type storeyStep struct {
	first, last int
	y           float64 // mean height of the first
}

// stepStoreys joins storeys less than 1.5 m apart to steps: islands side by
// side are storeys of their own.
func (a *meshAppender) stepStoreys() {
	const apart = 1.5
	n := a.m.StoreyCount()
	sum, count := make([]float64, n), make([]float64, n)
	for id := range navmesh.PolyID(a.m.Len()) {
		p := a.m.Poly(id)
		if s := int(p.Storey()); p.Kind() == navmesh.KindGround && s < n {
			w := p.PlanArea()
			sum[s] += float64(p.Center().Y * w)
			count[s] += w
		}
	}
	a.step = make([]int, n)
	for s := range n {
		y := sum[s] / max(count[s], 1e-9)
		if k := len(a.steps); k > 0 && y-a.steps[k-1].y < apart {
			a.steps[k-1].last = s
		} else {
			a.steps = append(a.steps, storeyStep{s, s, y})
		}
		a.step[s] = len(a.steps) - 1
	}
}

func (a *meshAppender) fillColor(p navmesh.Poly) color.NRGBA {
	var open *navmesh.Filter
	if !open.Open(a.m, p.ID()) {
		a.closed = true
		return closedColor
	}
	switch a.o.Fill {
	case FillIsland:
		if i := int(p.Island()); i < len(a.rank) {
			return Tint(a.rank[i])
		}
	case FillStorey:
		if i := int(p.Storey()); i < len(a.step) {
			return Ramp(a.step[i], len(a.steps))
		}
	case FillArea:
		a.seen[p.Area()] = true
		return areaTint(int(p.Area()))
	}
	return plainColor
}

func (a *meshAppender) corners(p navmesh.Poly) []geom.Vec3 {
	a.pts = a.pts[:0]
	for i := range p.Len() {
		a.pts = append(a.pts, p.Corner(i))
	}
	return a.pts
}

func (a *meshAppender) fill(id navmesh.PolyID) {
	p := a.m.Poly(id)
	if p.Kind() != navmesh.KindGround {
		return
	}
	a.c.Add(Fill, groupMesh, Style{Color: a.fillColor(p)}, a.corners(p)...)
}

// fillKeys explains the colours.
func (a *meshAppender) fillKeys() {
	key := func(c color.NRGBA, format string, args ...any) {
		a.c.Legend = append(a.c.Legend, Key{Fill, Style{Color: c}, fmt.Sprintf(format, args...)})
	}
	switch a.o.Fill {
	case FillIsland:
		const most = 12
		byRank := make([]uint32, len(a.rank))
		for i, r := range a.rank {
			byRank[r] = uint32(i)
		}
		for r, i := range byRank {
			if r == most {
				key(Tint(most), "%d smaller islands", len(byRank)-most)
				break
			}
			key(Tint(r), "island %d, %.0f m²", i, a.m.IslandArea(i))
		}
	case FillStorey:
		for i, s := range a.steps {
			names := fmt.Sprintf("storeys %d to %d", s.first, s.last)
			if s.first == s.last {
				names = fmt.Sprintf("storey %d", s.first)
			}
			key(Ramp(i, len(a.steps)), "%s, at %.1f m", names, s.y)
		}
	case FillArea:
		for area, ok := range a.seen {
			if ok {
				key(areaTint(area), "%s", areaName(area, a.o.AreaNames))
			}
		}
	default:
		key(plainColor, "walkable")
	}
	if a.closed {
		key(closedColor, "closed (no-go)")
	}
}

// edges adds what lies along the outline of p. A portal is added by the lower
// of the two polygons it joins; what no portal takes of an edge is wall.
func (a *meshAppender) edges(id navmesh.PolyID) {
	p := a.m.Poly(id)
	tile, _ := p.Tile()
	var ways [navmesh.MaxPolyVerts][]span
	for n := range p.Neighbours() {
		if n.Edge < 0 || n.Edge >= p.Len() {
			continue
		}
		from, to := p.Corner(n.Edge), p.Corner((n.Edge+1)%p.Len())
		t0, _ := geom.ClosestOnSegXZ(n.Right, from, to)
		t1, _ := geom.ClosestOnSegXZ(n.Left, from, to)
		ways[n.Edge] = append(ways[n.Edge], span{min(t0, t1), max(t0, t1)})
		if n.Poly < id {
			continue
		}
		switch other, _ := a.m.Poly(n.Poly).Tile(); {
		case other != tile && !a.o.NoTile:
			a.borders = true
			a.c.Add(Line, groupBorders, borderStyle(), n.Right, n.Left)
		case !a.o.NoPortals:
			a.portals = true
			a.c.Add(Line, groupPortals, portalStyle(), n.Right, n.Left)
		}
	}
	if a.o.NoWalls {
		return
	}
	const least = 1e-3 // of an edge: less is rounding
	for e := range p.Len() {
		from, to := p.Corner(e), p.Corner((e+1)%p.Len())
		slices.SortFunc(ways[e], func(x, y span) int { return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to)) })
		at := 0.0
		wall := func(end float64) {
			if end-at > least {
				a.walls = true
				a.c.Add(Line, groupWalls, wallStyle(), geom.Lerp(from, to, at), geom.Lerp(from, to, end))
			}
		}
		for _, w := range ways[e] {
			wall(w.from)
			at = max(at, w.to)
		}
		wall(1)
	}
}

// link adds an off-mesh connection.
func (a *meshAppender) link(id navmesh.PolyID) {
	p := a.m.Poly(id)
	con, from, to, _, ok := p.OffMeshEnds()
	if !ok {
		return
	}
	if from == navmesh.NoPoly || to == navmesh.NoPoly {
		st := Style{Color: missingColor, Width: 2.5, Dash: true}
		a.c.AddOver(Line, groupLinks, st, linkArc(con.From.Wide(), con.To.Wide())...)
		a.c.AddKey(Key{Line, st, "link without surface"})
		return
	}
	appendLink(a.c, p.Corner(0), p.Corner(1), con.BothWays)
}

// AppendDetail adds the height detail of m: the triangles of every polygon,
// shaded by their slope. Polygons without detail are drawn as they are.
func AppendDetail(c *Canvas, m *navmesh.Mesh) {
	edge := Style{Color: color.NRGBA{0x2b, 0x33, 0x40, 110}, Width: 0.7}
	light := geom.Vec3{X: -0.42, Y: 0.78, Z: 0.46}
	shaded := func(pts ...geom.Vec3) {
		n := pts[1].Sub(pts[0]).Cross(pts[2].Sub(pts[0]))
		length := n.Len()
		if !(length > 0) {
			return
		}
		c.Add(Fill, groupDetail, Style{Color: shade(plainColor, n.Dot(light)/length)}, pts...)
		c.Add(Loop, groupDetailEdges, edge, pts...)
	}
	tiles := m.Tiles()
	var corners []geom.Vec3
	for id := range navmesh.PolyID(m.Len()) {
		p := m.Poly(id)
		if p.Kind() != navmesh.KindGround {
			continue
		}
		corners = corners[:0]
		for i := range p.Len() {
			corners = append(corners, p.Corner(i))
		}
		k, index := p.Tile()
		t := &tiles[k]
		if index >= len(t.DetailSubs) || t.DetailSubs[index].TriCount == 0 {
			shaded(corners...)
			continue
		}
		sub := &t.DetailSubs[index]
		at := func(v uint8) geom.Vec3 {
			if int(v) < len(corners) {
				return corners[v]
			}
			return t.DetailVerts[sub.VertBase+uint32(v)-uint32(len(corners))].Wide()
		}
		for _, tri := range t.DetailTris[sub.TriBase:][:sub.TriCount] {
			shaded(at(tri.V[0]), at(tri.V[1]), at(tri.V[2]))
		}
	}
	c.AddKey(Key{Fill, Style{Color: plainColor}, "height detail"})
}
