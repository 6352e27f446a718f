package bake

import (
	"fmt"
	"math"

	"wend/geom"
	"wend/internal/detail"
	"wend/internal/polygonize"
	"wend/navmesh"
)

// A CapacityError says that a tile has more of something than the format can
// number.
type CapacityError struct {
	What       string
	Have, Most int
}

func (e *CapacityError) Error() string {
	return fmt.Sprintf("%d %s in one tile, the file format has room for %d: bake it tiled or with smaller tiles", e.Have, e.What, e.Most)
}

// sideOf is the side of a tile, in Detour's numbering, for each direction of
// the heightfield (-x, +z, +x, -z).
var sideOf = [4]uint16{4, 2, 0, 6}

// newTile stores a polygon mesh and its detail as a tile, without off-mesh
// links. It returns nil when there is no polygon.
func (r *run) newTile(tx, tz int, m *polygonize.Mesh, dm *detail.Mesh) (*navmesh.Tile, error) {
	if m.Len() == 0 {
		return nil, nil
	}
	const most = math.MaxUint16 - 1
	if len(m.Verts) > most {
		return nil, &CapacityError{"vertices", len(m.Verts), most}
	}
	if m.Len() > maxPolys {
		return nil, &CapacityError{"polygons", m.Len(), maxPolys}
	}
	l := r.lat
	lo := l.corner(tx*l.tile, tz*l.tile)
	hi := l.corner(tx*l.tile+m.W, tz*l.tile+m.D)
	hi.Y = l.maxY
	t := &navmesh.Tile{
		X: int32(tx), Z: int32(tz),
		AgentHeight: float32(r.body.Height), AgentRadius: float32(r.body.Radius), AgentClimb: float32(r.body.MaxClimb),
		Bounds:  [2]geom.Vec3f{lo.Narrow(), hi.Narrow()},
		BVQuant: float32(1 / l.cell),
		Verts:   make([]geom.Vec3f, len(m.Verts)),
		Polys:   make([]navmesh.TilePoly, m.Len()),
	}
	for i, v := range m.Verts {
		p := l.corner(tx*l.tile+int(v.X), tz*l.tile+int(v.Z))
		p.Y += m.FloorAbove(float64(v.Y))
		t.Verts[i] = p.Narrow()
	}
	for i := range t.Polys {
		p := &t.Polys[i]
		p.Kind = navmesh.KindGround
		p.Area, p.Flags = areaRuleOf(m.Area[i])
		base := i * m.MaxVerts
		for k := 0; k < m.MaxVerts && m.PolyVerts[base+k] != polygonize.None; k++ {
			p.Verts[k] = uint16(m.PolyVerts[base+k])
			p.Neis[k] = neighbourCode(m.PolyNeis[base+k])
			p.Count++
		}
	}
	if err := addDetail(t, dm); err != nil {
		return nil, err
	}
	navmesh.BuildBV(t)
	return t, nil
}

// maxPolys is how many polygons of a tile can be neighbours: a code is the
// polygon's number plus one and below the first that means something else.
const maxPolys = int(navmesh.External) - 1

func neighbourCode(nei uint32) uint16 {
	switch {
	case nei == polygonize.Wall:
		return 0
	case nei >= polygonize.Portal:
		return navmesh.External | sideOf[(nei-polygonize.Portal)&3]
	default:
		return uint16(nei) + 1
	}
}

// addDetail stores the height detail: the polygon's own corners, which come
// first in a sub-mesh, are left out, since the polygon has them.
func addDetail(t *navmesh.Tile, dm *detail.Mesh) error {
	t.DetailSubs = make([]navmesh.DetailSub, len(dm.Subs))
	t.DetailTris = make([]navmesh.DetailTri, 0, len(dm.Tris))
	for i, s := range dm.Subs {
		own := uint32(t.Polys[i].Count)
		if s.VertCount < own {
			return fmt.Errorf("detail of polygon %d has %d vertices, its outline %d", i, s.VertCount, own)
		}
		extra := s.VertCount - own
		if s.VertCount > math.MaxUint8 || s.TriCount > math.MaxUint8 {
			return &CapacityError{"detail vertices of a polygon", int(s.VertCount), math.MaxUint8}
		}
		t.DetailSubs[i] = navmesh.DetailSub{
			VertBase: uint32(len(t.DetailVerts)), VertCount: uint8(extra),
			TriBase: uint32(len(t.DetailTris)), TriCount: uint8(s.TriCount),
		}
		t.DetailVerts = append(t.DetailVerts, dm.Verts[s.VertBase+own:s.VertBase+s.VertCount]...)
		for _, tri := range dm.Tris[s.TriBase : s.TriBase+s.TriCount] {
			d := navmesh.DetailTri{V: tri.V}
			for e := range 3 {
				d.Flags |= (tri.Boundary >> e & 1) << (2 * e)
			}
			t.DetailTris = append(t.DetailTris, d)
		}
	}
	return nil
}

// addLinks stores the scene's off-mesh links, each in the tile its start lies
// in. A link that starts where there is no tile goes to the nearest one, so that
// it is kept and reported as unattached. It returns the numbers of the links in
// each tile, nil tiles left out.
func (r *run) addLinks(tiles []*navmesh.Tile) ([][]int, error) {
	if len(r.sc.Links) == 0 {
		return nil, nil
	}
	var there []*navmesh.Tile
	for _, t := range tiles {
		if t != nil {
			there = append(there, t)
		}
	}
	links := make([][]int, len(there))
	for i := range r.sc.Links {
		k := &r.sc.Links[i]
		n := nearestTile(there, k.From)
		if n < 0 {
			break // no tile at all
		}
		t := there[n]
		if len(t.Verts)+2 > math.MaxUint16-1 || len(t.Polys)+1 > maxPolys {
			return nil, &CapacityError{"off-mesh links", len(t.OffMesh) + 1, len(t.OffMesh)}
		}
		from, to := k.From.Narrow(), k.To.Narrow()
		v := uint16(len(t.Verts))
		t.Verts = append(t.Verts, from, to)
		t.OffMesh = append(t.OffMesh, navmesh.OffMesh{
			From: from, To: to, Radius: float32(k.Radius), Poly: uint16(len(t.Polys)),
			BothWays: !k.OneWay, Side: t.SideOf(to), UserID: k.UserID, Cost: float32(k.Cost),
		})
		t.Polys = append(t.Polys, navmesh.TilePoly{
			Verts: [navmesh.MaxPolyVerts]uint16{v, v + 1}, Count: 2,
			Flags: navmesh.FlagWalk, Area: uint8(k.Area), Kind: navmesh.KindOffMesh,
		})
		links[n] = append(links[n], i)
	}
	return links, nil
}

// nearestTile returns the index of the tile whose box is nearest to p seen
// from above, the first of equals; -1 when there is none.
func nearestTile(tiles []*navmesh.Tile, p geom.Vec3) int {
	best, bestD := -1, math.Inf(1)
	for i, t := range tiles {
		lo, hi := t.Bounds[0].Wide(), t.Bounds[1].Wide()
		q := geom.Vec3{X: min(max(p.X, lo.X), hi.X), Z: min(max(p.Z, lo.Z), hi.Z)}
		if d := geom.DistXZSq(p, q); d < bestD {
			best, bestD = i, d
		}
	}
	return best
}
