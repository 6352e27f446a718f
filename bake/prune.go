package bake

import (
	"wend/geom"
	"wend/navmesh"
)

// pruneIslands takes the islands out of tiles that are smaller than
// MinIslandArea or, when seeds are given, have none of them. tiles are in the
// order in which mesh numbers them, nil where there is none. It returns the
// number of polygons taken out; mesh is then out of date.
func pruneIslands(mesh *navmesh.Mesh, tiles []*navmesh.Tile, n *Navmesh) int {
	if n.MinIslandArea <= 0 && len(n.Seeds) == 0 {
		return 0
	}
	keep := make([]bool, mesh.IslandCount())
	if len(n.Seeds) == 0 {
		for i := range keep {
			keep[i] = mesh.IslandArea(uint32(i)) >= n.MinIslandArea
		}
	} else {
		q := mesh.NewQuery()
		for _, seed := range n.Seeds {
			near, err := q.Nearest(seed, &navmesh.NearestOptions{HalfExtents: geom.V3(2, 2, 2)})
			if err == nil && near.Found && geom.Dist(near.Pos, seed) <= 2 {
				i := mesh.Poly(near.Poly).Island()
				keep[i] = mesh.IslandArea(i) >= n.MinIslandArea
			}
		}
	}
	dropped := 0
	id := navmesh.PolyID(0)
	for i, t := range tiles {
		if t == nil {
			continue
		}
		mask := make([]bool, len(t.Polys))
		for k := range t.Polys {
			mask[k] = t.Polys[k].Kind == navmesh.KindOffMesh || keep[mesh.Poly(id).Island()]
			if !mask[k] {
				dropped++
			}
			id++
		}
		tiles[i] = filterTile(t, mask)
	}
	return dropped
}

// filterTile returns t with the ground polygons of the mask only, or t itself
// when that is all of them. Off-mesh links stay.
func filterTile(t *navmesh.Tile, mask []bool) *navmesh.Tile {
	all := true
	for _, k := range mask {
		all = all && k
	}
	if all {
		return t
	}
	out := *t
	out.Verts, out.Polys, out.DetailSubs, out.DetailVerts, out.DetailTris = nil, nil, nil, nil, nil
	out.OffMesh = append([]navmesh.OffMesh(nil), t.OffMesh...)

	renumber := make([]uint16, len(t.Polys)) // new number plus one, 0 for dropped
	for k, n := 0, uint16(0); k < len(t.Polys); k++ {
		if mask[k] {
			n++
			renumber[k] = n
		}
	}
	vert := make(map[uint16]uint16)
	for k := range t.Polys {
		if !mask[k] {
			continue
		}
		p := t.Polys[k]
		for e := range int(p.Count) {
			v, ok := vert[p.Verts[e]]
			if !ok {
				v = uint16(len(out.Verts))
				vert[p.Verts[e]] = v
				out.Verts = append(out.Verts, t.Verts[p.Verts[e]])
			}
			p.Verts[e] = v
			if n := p.Neis[e]; p.Kind == navmesh.KindGround && n != 0 && n&navmesh.External == 0 {
				p.Neis[e] = renumber[n-1]
			}
		}
		if p.Kind == navmesh.KindGround {
			s := t.DetailSubs[k]
			out.DetailSubs = append(out.DetailSubs, navmesh.DetailSub{
				VertBase: uint32(len(out.DetailVerts)), VertCount: s.VertCount,
				TriBase: uint32(len(out.DetailTris)), TriCount: s.TriCount,
			})
			out.DetailVerts = append(out.DetailVerts, t.DetailVerts[s.VertBase:s.VertBase+uint32(s.VertCount)]...)
			out.DetailTris = append(out.DetailTris, t.DetailTris[s.TriBase:s.TriBase+uint32(s.TriCount)]...)
		}
		out.Polys = append(out.Polys, p)
	}
	for i := range out.OffMesh {
		out.OffMesh[i].Poly = renumber[out.OffMesh[i].Poly] - 1
	}
	navmesh.BuildBV(&out)
	return &out
}

// describe fills in what the mesh itself tells.
func (rep *BodyReport) describe(m *navmesh.Mesh, cell float64) {
	rep.Tiles = len(m.Tiles())
	var perArea [64]AreaReport
	islands := make([]IslandReport, m.IslandCount())
	for id := range navmesh.PolyID(m.Len()) {
		p := m.Poly(id)
		if p.Kind() != navmesh.KindGround {
			continue
		}
		rep.Polygons++
		size := p.PlanArea()
		longest := 0.0
		for i := range p.Len() {
			longest = max(longest, geom.DistXZ(p.Corner(i), p.Corner((i+1)%p.Len())))
		}
		rep.Area += size
		if size < 0.5*cell*longest {
			rep.Slivers++
		}
		perArea[p.Area()].Polygons++
		perArea[p.Area()].Size += size
		is := &islands[p.Island()]
		if is.Polygons == 0 {
			is.At = p.Corner(0)
		}
		is.Polygons++
		is.Size += size
	}
	for _, t := range m.Tiles() {
		rep.Vertices += len(t.Verts) - 2*len(t.OffMesh)
	}
	for i, a := range perArea {
		if a.Polygons > 0 {
			a.Area = uint8(i)
			rep.Areas = append(rep.Areas, a)
		}
	}
	sortIslands(islands)
	for _, is := range islands {
		if is.Polygons > 0 {
			rep.Islands = append(rep.Islands, is)
		}
	}
}
