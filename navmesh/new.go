package navmesh

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"wend/geom"
)

// Assembly reports what New found while it put a mesh together.
type Assembly struct {
	Ground  int // ground polygons
	Inner   int // links between polygons of one tile
	Portals int // links across tile borders
	OffMesh int // attached off-mesh connections

	// Turned are the polygons that were given clockwise and have been turned.
	Turned []PolyID
	// OneSided counts edges that name a neighbour which does not name them
	// back: such a way is walked in one direction only.
	OneSided int
	// OpenEdges counts border edges with nothing across.
	OpenEdges int
	// Unattached are the off-mesh connections no route can use.
	Unattached []Unattached
}

// New assembles a mesh from tiles: it checks every number and index, turns
// clockwise polygons, links polygons inside tiles and across the borders of
// neighbouring ones, attaches off-mesh connections, and labels islands and
// storeys.
//
// The tiles may come in any order and must not be changed afterwards; the Mesh
// keeps their slices. The error is a *TileError that names the first fault. No
// tiles at all give a mesh without polygons.
//
// The time is O(n log n) in the number of polygons but for storeys stacked in
// great numbers over one another.
func New(params Params, tiles []Tile) (*Mesh, *Assembly, error) {
	if err := params.validate(); err != nil {
		return nil, nil, err
	}
	order, err := tileOrder(tiles)
	if err != nil {
		return nil, nil, err
	}
	b := &builder{m: &Mesh{params: params}, a: &Assembly{}, order: order}
	if err := b.flatten(tiles); err != nil {
		return nil, nil, err
	}
	b.linkInside()
	if err := b.stitch(); err != nil {
		return nil, nil, err
	}
	b.m.index = buildIndex(b.m)
	b.attach()
	b.pack()
	b.m.survey.take(b.m)
	b.m.labelIslands()
	b.m.indexIslands()
	b.m.labelPockets()
	b.m.labelStoreys()
	b.m.print = fingerprint(&b.m.params, b.m.tiles)
	return b.m, b.a, nil
}

// tileOrder returns the indices of tiles sorted by place.
func tileOrder(tiles []Tile) ([]int, error) {
	order := make([]int, len(tiles))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(compareSlot(&tiles[a], &tiles[b]), cmp.Compare(a, b))
	})
	for k := 1; k < len(order); k++ {
		a, b := &tiles[order[k-1]], &tiles[order[k]]
		if compareSlot(a, b) == 0 {
			return nil, &TileError{
				Tile: order[k], Field: "X, Z, Layer", Index: -1,
				Msg: fmt.Sprintf("tile %d lies at (%d, %d) layer %d too", order[k-1], a.X, a.Z, a.Layer),
			}
		}
	}
	return order, nil
}

func compareSlot(a, b *Tile) int {
	return cmp.Or(cmp.Compare(a.Z, b.Z), cmp.Compare(a.X, b.X), cmp.Compare(a.Layer, b.Layer))
}

// builder holds a mesh under construction.
type builder struct {
	m     *Mesh
	a     *Assembly
	order []int // tile of the mesh -> tile as given
	out   []outLink
}

// outLink is a link with what it is sorted by.
type outLink struct {
	from PolyID
	at   float64 // where on the edge it begins, 0 to 1
	link
}

// flatten checks the tiles and fills the polygon and corner arrays.
func (b *builder) flatten(tiles []Tile) error {
	m := b.m
	polys, corners := 1, 0
	for i := range tiles {
		polys += len(tiles[i].Polys)
		for k := range tiles[i].Polys {
			corners += int(tiles[i].Polys[k].Count)
		}
	}
	if int64(polys) >= int64(NoPoly) || int64(corners) > math.MaxUint32 {
		return &TileError{Tile: -1, Field: "tiles", Index: -1, Msg: fmt.Sprintf("%d polygons with %d corners are too many", polys-1, corners)}
	}
	m.tiles = make([]Tile, 0, len(tiles))
	m.info = make([]tileInfo, 0, len(tiles))
	m.bounds = geom.EmptyBox()
	for k, i := range b.order {
		c := checker{tile: i, t: &tiles[i]}
		ground, err := c.check()
		if err != nil {
			return err
		}
		if m.polys == nil { // counts are known to be sane from here on
			m.polys = make([]poly, 0, polys)
			m.corners = make([]geom.Vec3f, 0, corners)
		}
		b.a.Ground += ground
		m.tiles = append(m.tiles, b.turn(tiles[i], PolyID(len(m.polys))))
		m.flattenTile(k, ground)
	}
	m.polys = append(m.polys, poly{corner: uint32(len(m.corners))})
	return nil
}

// flattenTile appends the polygons of the tile at k.
func (m *Mesh) flattenTile(k, ground int) {
	t := &m.tiles[k]
	info := tileInfo{
		poly:    uint32(len(m.polys)),
		offPoly: uint32(len(m.polys) + ground),
		off:     uint32(len(m.offs)),
		box:     geom.EmptyBox(),
	}
	for i := range t.Polys {
		p := &t.Polys[i]
		m.polys = append(m.polys, poly{
			corner: uint32(len(m.corners)), tile: uint32(k),
			flags: p.Flags, count: p.Count, area: p.Area, kind: p.Kind,
		})
		for _, v := range p.Verts[:p.Count] {
			m.corners = append(m.corners, t.Verts[v])
		}
		if p.Kind == KindGround {
			info.box = info.box.Union(m.polyBox(t, i, PolyID(len(m.polys)-1)))
		}
	}
	m.offs = append(m.offs, make([]offLink, len(t.Polys)-ground)...)
	for i := range t.OffMesh {
		o := &t.OffMesh[i]
		p := PolyID(info.poly) + PolyID(o.Poly)
		cost := float64(o.Cost)
		if cost == 0 {
			cost = geom.Dist(o.From.Wide(), o.To.Wide())
		}
		m.offs[info.off+uint32(o.Poly)-uint32(ground)] = offLink{
			poly: p, from: NoPoly, to: NoPoly, cost: cost,
			tile: uint32(k), con: uint32(i), bothWays: o.BothWays,
		}
		at := m.polys[p].corner
		m.corners[at], m.corners[at+1] = o.From, o.To
	}
	m.info = append(m.info, info)
	m.bounds = m.bounds.Union(info.box)
}

// polyBox returns the box of ground polygon i of t, which is p in m, with its
// height detail.
func (m *Mesh) polyBox(t *Tile, i int, p PolyID) geom.Box {
	box := geom.EmptyBox()
	q := &m.polys[p]
	for _, v := range m.corners[q.corner:][:q.count] {
		box = box.Extend(v.Wide())
	}
	if i < len(t.DetailSubs) {
		s := &t.DetailSubs[i]
		for _, v := range t.DetailVerts[s.VertBase:][:s.VertCount] {
			box = box.Extend(v.Wide())
		}
	}
	return box
}

// turn returns t with its clockwise polygons turned, in slices of its own if
// there are any. base is the id of the tile's first polygon.
func (b *builder) turn(t Tile, base PolyID) Tile {
	own := false
	for i := range t.Polys {
		if t.Polys[i].Kind != KindGround {
			break
		}
		turned, _ := outline(&t, &t.Polys[i])
		if !turned {
			continue
		}
		if !own {
			t.Polys = slices.Clone(t.Polys)
			t.DetailSubs = slices.Clone(t.DetailSubs)
			t.DetailTris = slices.Clone(t.DetailTris)
			own = true
		}
		b.a.Turned = append(b.a.Turned, base+PolyID(i))
		turnPoly(&t, i)
	}
	return t
}

// turnPoly reverses polygon i. Corner k becomes corner n-1-k and the edge
// from it edge n-2-k. Its detail triangles are appended anew: sub-meshes may
// share the ones they have.
func turnPoly(t *Tile, i int) {
	p := &t.Polys[i]
	n := int(p.Count)
	old := *p
	for k := range n {
		p.Verts[k] = old.Verts[n-1-k]
		p.Neis[k] = old.Neis[(2*n-2-k)%n]
	}
	if i >= len(t.DetailSubs) {
		return
	}
	s := &t.DetailSubs[i]
	tris := t.DetailTris[s.TriBase:][:s.TriCount]
	s.TriBase = uint32(len(t.DetailTris))
	corner := func(v uint8) uint8 {
		if int(v) < n {
			return uint8(n-1) - v
		}
		return v
	}
	for _, d := range tris {
		// Edges 0, 1, 2 lead from V[0], V[1], V[2]; backwards they are
		// passed as 2, 1, 0.
		t.DetailTris = append(t.DetailTris, DetailTri{
			V:     [3]uint8{corner(d.V[0]), corner(d.V[2]), corner(d.V[1])},
			Flags: d.Flags>>4&3 | d.Flags&(3<<2) | d.Flags&3<<4 | d.Flags&0xc0,
		})
	}
}

// linkInside links the polygons of each tile.
func (b *builder) linkInside() {
	m := b.m
	b.out = make([]outLink, 0, len(m.corners)) // about one an edge
	for k := range m.tiles {
		t := &m.tiles[k]
		base := PolyID(m.info[k].poly)
		for i := range t.Polys {
			p := &t.Polys[i]
			if p.Kind != KindGround {
				break
			}
			for e, n := range p.Neis[:p.Count] {
				if n == 0 || n&External != 0 {
					continue
				}
				next := (e + 1) % int(p.Count)
				b.out = append(b.out, outLink{from: base + PolyID(i), link: link{
					to: base + PolyID(n-1), edge: uint8(e),
					right: t.Verts[p.Verts[e]], left: t.Verts[p.Verts[next]],
				}})
				b.a.Inner++
				q := &t.Polys[n-1]
				if !slices.Contains(q.Neis[:q.Count], uint16(i+1)) {
					b.a.OneSided++
				}
			}
		}
	}
}

// pack sorts the collected links into the mesh: by polygon with a counting
// sort, then each polygon's few by place.
func (b *builder) pack() {
	m := b.m
	at := make([]uint32, len(m.polys)+1)
	for i := range b.out {
		at[b.out[i].from+1]++
	}
	for p := range m.polys {
		at[p+1] += at[p]
		m.polys[p].link = at[p]
	}
	order := make([]uint32, len(b.out))
	for i := range b.out {
		p := b.out[i].from
		order[at[p]] = uint32(i)
		at[p]++
	}
	m.links = make([]link, len(b.out))
	for p := range m.Len() {
		lo, hi := m.polys[p].link, m.polys[p+1].link
		if hi-lo > 1 {
			slices.SortFunc(order[lo:hi], b.compareOut)
		}
		for i := lo; i < hi; i++ {
			m.links[i] = b.out[order[i]].link
		}
	}
	b.out = nil
}

// compareOut orders the links of one polygon.
func (b *builder) compareOut(i, j uint32) int {
	x, y := &b.out[i], &b.out[j]
	if c := cmp.Compare(x.edge, y.edge); c != 0 {
		return c
	}
	if c := cmp.Compare(x.at, y.at); c != 0 {
		return c
	}
	return cmp.Compare(x.to, y.to)
}
