package navmesh

import (
	"fmt"
	"math"

	"wend/geom"
)

// TileError says what is wrong with a tile handed to New, and where.
type TileError struct {
	Tile  int    // index in the tiles given to New; -1 for Params
	Field string // for example "Polys.Verts"
	Index int    // index in Field's slice; -1 for a field that is no slice
	Msg   string
}

// Error names the tile, the field, the index and the value.
func (e *TileError) Error() string {
	at := e.Field
	if e.Index >= 0 {
		at = fmt.Sprintf("%s[%d]", e.Field, e.Index)
	}
	if e.Tile < 0 {
		return fmt.Sprintf("navmesh: params: %s: %s", at, e.Msg)
	}
	return fmt.Sprintf("navmesh: tile %d: %s: %s", e.Tile, at, e.Msg)
}

// Limits that the index types of the stored form set.
const (
	maxTileVerts  = 1 << 16 // TilePoly.Verts is 16 bits
	maxTileGround = 0x7fff  // a neighbour code keeps its top bit for External
	maxTilePolys  = 1 << 16 // OffMesh.Poly is 16 bits
	maxArea       = 63
)

// CoordLimit is the largest coordinate a mesh may have, in metres. A float32
// beyond it is coarser than 6 cm, so neighbouring corners would fall together.
const CoordLimit = 1 << 20

func finite32(v float32) bool { return v-v == 0 }

func goodCoord(v geom.Vec3f) bool {
	const l = CoordLimit
	// A comparison with NaN is false.
	return v.X >= -l && v.X <= l && v.Y >= -l && v.Y <= l && v.Z >= -l && v.Z <= l
}

// validate checks Params.
func (p *Params) validate() error {
	bad := func(field, format string, v ...any) error {
		return &TileError{Tile: -1, Field: field, Index: -1, Msg: fmt.Sprintf(format, v...)}
	}
	if !goodCoord(p.Origin) {
		return bad("Origin", "want coordinates within %d m, got %v", CoordLimit, p.Origin)
	}
	if !(p.TileWidth > 0) || !finite32(p.TileWidth) {
		return bad("TileWidth", "want a finite number above 0, got %v", p.TileWidth)
	}
	if !(p.TileDepth > 0) || !finite32(p.TileDepth) {
		return bad("TileDepth", "want a finite number above 0, got %v", p.TileDepth)
	}
	if p.MaxTiles < 0 || p.MaxPolys < 0 {
		return bad("MaxTiles, MaxPolys", "want no negative number, got %d and %d", p.MaxTiles, p.MaxPolys)
	}
	return nil
}

// checker reports the first fault of one tile.
type checker struct {
	tile int
	t    *Tile
}

func (c *checker) errf(field string, i int, format string, v ...any) error {
	return &TileError{Tile: c.tile, Field: field, Index: i, Msg: fmt.Sprintf(format, v...)}
}

// check validates everything that can be told from the tile alone and returns
// the number of its ground polygons.
func (c *checker) check() (ground int, err error) {
	if err := c.header(); err != nil {
		return 0, err
	}
	if err := c.points("Verts", c.t.Verts); err != nil {
		return 0, err
	}
	if err := c.points("DetailVerts", c.t.DetailVerts); err != nil {
		return 0, err
	}
	if ground, err = c.polys(); err != nil {
		return 0, err
	}
	if err := c.detail(ground); err != nil {
		return 0, err
	}
	if err := checkBV(c, ground); err != nil {
		return 0, err
	}
	return ground, c.offMesh(ground)
}

// Validate checks what can be told from a tile alone: every index and count in
// range, every number finite, every outline convex. The error is a *TileError
// whose Tile is 0. New checks all tiles by itself.
func (t *Tile) Validate() error {
	c := checker{t: t}
	_, err := c.check()
	return err
}

func (c *checker) header() error {
	t := c.t
	for _, f := range [...]struct {
		name string
		v    float32
	}{
		{"AgentHeight", t.AgentHeight},
		{"AgentRadius", t.AgentRadius},
		{"AgentClimb", t.AgentClimb},
		{"BVQuant", t.BVQuant},
	} {
		if !(f.v >= 0) || !finite32(f.v) {
			return c.errf(f.name, -1, "want a finite number of at least 0, got %v", f.v)
		}
	}
	for i, b := range t.Bounds {
		if !goodCoord(b) {
			return c.errf("Bounds", i, "want coordinates within %d m, got %v", CoordLimit, b)
		}
	}
	lo, hi := t.Bounds[0], t.Bounds[1]
	if lo.X > hi.X || lo.Y > hi.Y || lo.Z > hi.Z {
		return c.errf("Bounds", -1, "the lower corner %v lies beyond the upper %v", lo, hi)
	}
	if n := len(t.Verts); n > maxTileVerts {
		return c.errf("Verts", -1, "want at most %d, got %d", maxTileVerts, n)
	}
	if n := len(t.Polys); n > maxTilePolys {
		return c.errf("Polys", -1, "want at most %d, got %d", maxTilePolys, n)
	}
	return nil
}

func (c *checker) points(field string, vs []geom.Vec3f) error {
	for i, v := range vs {
		if !goodCoord(v) {
			return c.errf(field, i, "want coordinates within %d m, got %v", CoordLimit, v)
		}
	}
	return nil
}

// polys checks the polygons: ground first, off-mesh after, every index in
// range, every outline convex.
func (c *checker) polys() (ground int, err error) {
	t := c.t
	for ground < len(t.Polys) && t.Polys[ground].Kind == KindGround {
		ground++
	}
	if ground > maxTileGround {
		return 0, c.errf("Polys", -1, "want at most %d ground polygons, got %d", maxTileGround, ground)
	}
	for i := range t.Polys {
		p := &t.Polys[i]
		switch {
		case p.Kind > KindOffMesh:
			return 0, c.errf("Polys.Kind", i, "want %d or %d, got %d", KindGround, KindOffMesh, p.Kind)
		case p.Kind == KindGround && i >= ground:
			return 0, c.errf("Polys.Kind", i, "a ground polygon behind an off-mesh one")
		case p.Kind == KindGround && (p.Count < 3 || p.Count > MaxPolyVerts):
			return 0, c.errf("Polys.Count", i, "want 3 to %d corners, got %d", MaxPolyVerts, p.Count)
		case p.Kind == KindOffMesh && p.Count != 2:
			return 0, c.errf("Polys.Count", i, "want 2 ends of an off-mesh connection, got %d", p.Count)
		case p.Area > maxArea:
			return 0, c.errf("Polys.Area", i, "want 0 to %d, got %d", maxArea, p.Area)
		}
		for j := 0; j < int(p.Count); j++ {
			if int(p.Verts[j]) >= len(t.Verts) {
				return 0, c.errf("Polys.Verts", i, "corner %d is vertex %d of %d", j, p.Verts[j], len(t.Verts))
			}
		}
		if p.Kind == KindOffMesh {
			continue
		}
		for j := 0; j < int(p.Count); j++ {
			n := p.Neis[j]
			switch {
			case n&External != 0 && n&^External > 7:
				return 0, c.errf("Polys.Neis", i, "edge %d: want a side of 0 to 7, got %d", j, n&^External)
			case n&External == 0 && int(n) > ground:
				return 0, c.errf("Polys.Neis", i, "edge %d leads to polygon %d of %d", j, n-1, ground)
			case int(n) == i+1:
				return 0, c.errf("Polys.Neis", i, "edge %d leads back into its own polygon", j)
			}
		}
		if _, ok := outline(t, p); !ok {
			return 0, c.errf("Polys.Verts", i, "the outline is not convex")
		}
	}
	return ground, nil
}

// outlineSlack is how far, in metres, a corner may lie inside the line
// through its neighbours: corners that were collinear on a lattice leave it
// when they are rounded to float32.
const outlineSlack = 0.01

// outline says whether polygon p of t is convex and which way it runs: turned
// is true for clockwise seen from above.
func outline(t *Tile, p *TilePoly) (turned, convex bool) {
	var v [MaxPolyVerts]geom.Vec3
	n := int(p.Count)
	far := 1.0
	for i := range n {
		v[i] = t.Verts[p.Verts[i]].Wide()
		far = max(far, math.Abs(v[i].X), math.Abs(v[i].Z))
	}
	slack := max(outlineSlack, far*0x1p-20) // 8 units in the last place of float32
	sum := 0.0
	for i := 1; i+1 < n; i++ {
		sum += geom.Area2(v[0], v[i], v[i+1])
	}
	sign := 1.0
	if sum < 0 {
		sign = -1
	}
	// Every turn goes left, and no fan triangle folds back: that is convex and
	// winds once.
	bends := func(a, b, c geom.Vec3) bool {
		long := math.Sqrt(max(geom.DistXZSq(a, b), geom.DistXZSq(b, c), geom.DistXZSq(c, a)))
		return sign*geom.Area2(a, b, c) >= -long*slack
	}
	for i := range n {
		if !bends(v[i], v[(i+1)%n], v[(i+2)%n]) {
			return sum < 0, false
		}
		if i > 0 && i+1 < n && !bends(v[0], v[i], v[i+1]) {
			return sum < 0, false
		}
	}
	return sum < 0, true
}

// detail checks the height detail. A tile may have none at all.
func (c *checker) detail(ground int) error {
	t := c.t
	if len(t.DetailSubs) == 0 {
		return nil
	}
	if len(t.DetailSubs) != ground {
		return c.errf("DetailSubs", -1, "want one for each of the %d ground polygons, got %d", ground, len(t.DetailSubs))
	}
	for i := range t.DetailSubs {
		s := &t.DetailSubs[i]
		if uint64(s.VertBase)+uint64(s.VertCount) > uint64(len(t.DetailVerts)) {
			return c.errf("DetailSubs", i, "vertices %d to %d of %d", s.VertBase, uint64(s.VertBase)+uint64(s.VertCount), len(t.DetailVerts))
		}
		if uint64(s.TriBase)+uint64(s.TriCount) > uint64(len(t.DetailTris)) {
			return c.errf("DetailSubs", i, "triangles %d to %d of %d", s.TriBase, uint64(s.TriBase)+uint64(s.TriCount), len(t.DetailTris))
		}
		n := int(t.Polys[i].Count) + int(s.VertCount)
		for k := range uint32(s.TriCount) {
			for _, v := range t.DetailTris[s.TriBase+k].V {
				if int(v) >= n {
					return c.errf("DetailTris", int(s.TriBase+k), "corner %d of %d (polygon %d)", v, n, i)
				}
			}
		}
	}
	return nil
}

// offMesh checks the off-mesh connections: one for each off-mesh polygon.
func (c *checker) offMesh(ground int) error {
	t := c.t
	if len(t.OffMesh) != len(t.Polys)-ground {
		return c.errf("OffMesh", -1, "want one for each of the %d off-mesh polygons, got %d", len(t.Polys)-ground, len(t.OffMesh))
	}
	seen := make([]bool, len(t.OffMesh))
	for i := range t.OffMesh {
		o := &t.OffMesh[i]
		k := int(o.Poly) - ground
		switch {
		case !goodCoord(o.From) || !goodCoord(o.To):
			return c.errf("OffMesh", i, "want coordinates within %d m, got %v and %v", CoordLimit, o.From, o.To)
		case !(o.Radius >= 0) || !finite32(o.Radius):
			return c.errf("OffMesh.Radius", i, "want a finite number of at least 0, got %v", o.Radius)
		case !(o.Cost >= 0) || !finite32(o.Cost):
			return c.errf("OffMesh.Cost", i, "want a finite number of at least 0, got %v", o.Cost)
		case k < 0 || k >= len(seen):
			return c.errf("OffMesh.Poly", i, "want an off-mesh polygon (%d to %d), got %d", ground, len(t.Polys)-1, o.Poly)
		case seen[k]:
			return c.errf("OffMesh.Poly", i, "polygon %d belongs to an earlier connection", o.Poly)
		}
		seen[k] = true
	}
	return nil
}
