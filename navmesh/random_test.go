package navmesh

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"wend/geom"
)

// drawMesh draws the tiles of a random mesh: two levels of quads on a grid of
// cells 2 m wide, with holes, steps and slopes, cut into tiles of 4 by 4 cells; some
// neighbours do not know each other, and off-mesh connections lead anywhere.
func drawMesh(rt *rapid.T) []Tile {
	const cells, side = 8, 2
	var present [2][cells][cells]bool
	var corner [2][cells + 1][cells + 1]float32
	for l := range 2 {
		for x := range cells + 1 {
			for z := range cells + 1 {
				corner[l][x][z] = float32(l*4) + float32(rapid.IntRange(0, 4).Draw(rt, "height"))/4
			}
		}
		for x := range cells {
			for z := range cells {
				present[l][x][z] = rapid.IntRange(0, 3).Draw(rt, "present") > 0
			}
		}
	}
	tiles := make([]Tile, 4)
	type place struct{ l, x, z int }
	index := map[place]uint16{}
	for i := range tiles {
		t := &tiles[i]
		t.X, t.Z = int32(i%2), int32(i/2)
		t.AgentHeight, t.AgentClimb, t.BVQuant = 2, 0.5, 4
		t.Bounds[0] = geom.Vec3f{X: float32(t.X) * 8, Z: float32(t.Z) * 8}
		t.Bounds[1] = geom.Vec3f{X: float32(t.X)*8 + 8, Y: 10, Z: float32(t.Z)*8 + 8}
		for l := range 2 {
			for x := int(t.X) * 4; x < int(t.X)*4+4; x++ {
				for z := int(t.Z) * 4; z < int(t.Z)*4+4; z++ {
					if !present[l][x][z] {
						continue
					}
					n := uint16(len(t.Verts))
					for _, c := range [4][2]int{{x, z}, {x, z + 1}, {x + 1, z + 1}, {x + 1, z}} {
						t.Verts = append(t.Verts, geom.Vec3f{X: float32(c[0] * side), Y: corner[l][c[0]][c[1]], Z: float32(c[1] * side)})
					}
					index[place{l, x, z}] = uint16(len(t.Polys))
					t.Polys = append(t.Polys, TilePoly{
						Verts: [6]uint16{n, n + 1, n + 2, n + 3}, Count: 4,
						Flags: uint16(rapid.IntRange(1, 3).Draw(rt, "flags")),
					})
				}
			}
		}
	}
	// Edges -x, +z, +x, -z in the order of the corners.
	step := [4][2]int{{-1, 0}, {0, 1}, {1, 0}, {0, -1}}
	sides := [4]uint16{4, 2, 0, 6}
	for l := range 2 {
		for x := range cells {
			for z := range cells {
				if !present[l][x][z] {
					continue
				}
				p := &tiles[x/4+2*(z/4)].Polys[index[place{l, x, z}]]
				for e, s := range step {
					nx, nz := x+s[0], z+s[1]
					switch {
					case nx < 0 || nz < 0 || nx >= cells || nz >= cells:
					case nx/4 != x/4 || nz/4 != z/4:
						p.Neis[e] = External | sides[e]
					case present[l][nx][nz] && rapid.IntRange(0, 15).Draw(rt, "known") > 0:
						p.Neis[e] = index[place{l, nx, nz}] + 1
					}
				}
			}
		}
	}
	for range rapid.IntRange(0, 8).Draw(rt, "connections") {
		addOffMesh(&tiles[rapid.IntRange(0, 3).Draw(rt, "tile")], OffMesh{
			From: drawPoint(rt).Narrow(), To: drawPoint(rt).Narrow(),
			Radius: float32(rapid.IntRange(0, 8).Draw(rt, "radius")) / 4, BothWays: rapid.Bool().Draw(rt, "both ways"),
		})
	}
	return tiles
}

// drawPoint draws a point in or somewhat around the random mesh, often on a
// lattice: on corners and edges.
func drawPoint(rt *rapid.T) geom.Vec3 {
	if rapid.Bool().Draw(rt, "lattice") {
		f := func(lo, hi int) float64 { return float64(rapid.IntRange(2*lo, 2*hi).Draw(rt, "coordinate")) / 2 }
		return geom.V3(f(-3, 19), f(-4, 9), f(-3, 19))
	}
	f := func(lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(rt, "coordinate") }
	return geom.V3(f(-3, 19), f(-4, 9), f(-3, 19))
}

// addOffMesh appends a connection and its polygon to a tile.
func addOffMesh(t *Tile, o OffMesh) {
	n := uint16(len(t.Verts))
	t.Verts = append(t.Verts, o.From, o.To)
	o.Poly, o.Side = uint16(len(t.Polys)), t.SideOf(o.To)
	t.Polys = append(t.Polys, TilePoly{Verts: [6]uint16{n, n + 1}, Count: 2, Flags: FlagWalk, Kind: KindOffMesh})
	t.OffMesh = append(t.OffMesh, o)
}

// TestRandomLinks checks every link of random meshes by its geometry.
func TestRandomLinks(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m, a, err := New(gridParams(), drawMesh(rt))
		if err != nil {
			rt.Fatal(err)
		}
		if len(m.links) != a.Inner+a.Portals+m.offLinks() {
			rt.Errorf("%d links: %+v", len(m.links), a)
		}
		for p := range PolyID(m.Len()) {
			vs := m.cornersOf(p)
			for _, l := range m.linksOf(p) {
				if l.edge == offMeshEdge {
					if l.right != l.left || m.polys[p].kind == m.polys[l.to].kind {
						rt.Errorf("off-mesh link %d to %d: %+v", p, l.to, l)
					}
					continue
				}
				// The portal lies on the edge, from right to left.
				c, d := vs[l.edge].Wide(), vs[(int(l.edge)+1)%len(vs)].Wide()
				tr, dr := geom.ClosestOnSegXZ(l.right.Wide(), c, d)
				tl, dl := geom.ClosestOnSegXZ(l.left.Wide(), c, d)
				if dr > 1e-10 || dl > 1e-10 || tr >= tl {
					rt.Errorf("link %d to %d: portal %v to %v of its edge", p, l.to, tr, tl)
				}
				// It lies on the outline of the polygon it leads to, too.
				for _, end := range [2]geom.Vec3{l.right.Wide(), l.left.Wide()} {
					if at, _ := m.ClosestOnBoundary(l.to, end); geom.DistXZ(at, end) > 1e-5 {
						rt.Errorf("link %d to %d: %v is %v m off the other polygon", p, l.to, end, geom.DistXZ(at, end))
					}
				}
				// Across a border every way in is a way out.
				if m.polys[p].tile != m.polys[l.to].tile && !slices.ContainsFunc(m.linksOf(l.to), func(k link) bool {
					return k.to == p && k.edge != offMeshEdge
				}) {
					rt.Errorf("border link %d to %d has no way back", p, l.to)
				}
			}
		}
	})
}

// offLinks counts the links at off-mesh polygons.
func (m *Mesh) offLinks() (n int) {
	for i := range m.offs {
		if o := &m.offs[i]; o.from != NoPoly {
			if n += 2; o.bothWays {
				n += 2
			}
		}
	}
	return n
}

// spread returns which polygons a reaches, by walking links.
func spread(m *Mesh, a PolyID) []bool {
	seen := make([]bool, m.Len())
	seen[a] = true
	for todo := []PolyID{a}; len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, l := range m.linksOf(p) {
			if !seen[l.to] {
				seen[l.to] = true
				todo = append(todo, l.to)
			}
		}
	}
	return seen
}

func TestRandomReach(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m, _, err := New(gridParams(), drawMesh(rt))
		if err != nil {
			rt.Fatal(err)
		}
		reach := make([][]bool, m.Len())
		for p := range reach {
			reach[p] = spread(m, PolyID(p))
		}
		walked := *m
		walked.islands.closure = nil // what a mesh with very many joints does
		for a := range reach {
			for b := range reach {
				if got := m.CanReach(PolyID(a), PolyID(b)); got != reach[a][b] {
					rt.Fatalf("CanReach(%d, %d) = %v", a, b, got)
				}
				if got := walked.CanReach(PolyID(a), PolyID(b)); got != reach[a][b] {
					rt.Fatalf("without closure: CanReach(%d, %d) = %v", a, b, got)
				}
				if same := m.polys[a].island == m.polys[b].island; same != (reach[a][b] && reach[b][a]) {
					rt.Fatalf("polygons %d and %d: same island %v", a, b, same)
				}
			}
		}
	})
}

// TestRandomStoreys checks that a storey is connected and nowhere lies over
// itself, and that storeys are numbered from below.
func TestRandomStoreys(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m, _, err := New(gridParams(), drawMesh(rt))
		if err != nil {
			rt.Fatal(err)
		}
		mean := make([]float64, m.StoreyCount())
		size := make([]float64, m.StoreyCount())
		for a := range PolyID(m.Len()) {
			if m.polys[a].kind != KindGround {
				continue
			}
			s := m.Storey(a)
			mean[s] += Poly{m, a}.Center().Y // all polygons have the same area
			size[s]++
			for b := range a {
				if m.polys[b].kind == KindGround && m.Storey(b) == s && insideBoth(m, a, b) {
					rt.Fatalf("polygons %d and %d of storey %d lie over one another", a, b, s)
				}
			}
		}
		for s := range mean {
			mean[s] /= size[s]
			if s > 0 && mean[s] < mean[s-1]-1e-9 {
				rt.Errorf("storey %d at %v lies under %d at %v", s, mean[s], s-1, mean[s-1])
			}
		}
	})
}

// insideBoth looks for a point inside both polygons among middles of corners.
func insideBoth(m *Mesh, a, b PolyID) bool {
	c := Poly{m, a}.Center()
	return m.contains(b, c) && geom.DistXZ(c, Poly{m, b}.Center()) < 1.9
}

// TestRandomNearest compares every policy with a look at each polygon.
func TestRandomNearest(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m, _, err := New(gridParams(), drawMesh(rt))
		if err != nil {
			rt.Fatal(err)
		}
		q := m.NewQuery()
		for range 20 {
			p := drawPoint(rt)
			o := &NearestOptions{
				Policy:       Policy(rapid.IntRange(0, int(PolicyHighest)).Draw(rt, "policy")),
				HeightWeight: float64(rapid.IntRange(0, 3).Draw(rt, "weight")),
			}
			if rapid.Bool().Draw(rt, "filtered") {
				o.Filter = &Filter{ExcludeFlags: 2}
			}
			if rapid.Bool().Draw(rt, "one storey") {
				o.Storey, o.StoreySet = uint32(rapid.IntRange(0, 3).Draw(rt, "storey")), true
			}
			got, err := q.Nearest(p, o)
			if err != nil {
				rt.Fatal(err)
			}
			want, miss := everyPolygon(m, p, o)
			if got.Poly != want || got.Found != (want != NoPoly) {
				rt.Fatalf("%v %+v: polygon %d, want %d", p, o, got.Poly, want)
			}
			if !got.Found && got.MissDistance != miss {
				rt.Fatalf("%v %+v: missed by %v, want %v", p, o, got.MissDistance, miss)
			}
		}
	})
}

// everyPolygon is the plain twin of Nearest: the rules of the documentation,
// one after the other, on a list of all polygons.
func everyPolygon(m *Mesh, p geom.Vec3, o *NearestOptions) (PolyID, float64) {
	type entry struct {
		id   PolyID
		c    geom.Vec3
		over bool
	}
	miss := math.Inf(1)
	var in []entry
	for id := range PolyID(m.Len()) {
		if m.polys[id].kind != KindGround || !o.Filter.Open(m, id) || o.StoreySet && m.Storey(id) != o.Storey {
			continue
		}
		c, over, _ := m.ClosestPoint(id, p)
		miss = min(miss, geom.Dist(c, p))
		if h := DefaultHalfExtents(); math.Abs(c.X-p.X) <= h.X && math.Abs(c.Y-p.Y) <= h.Y && math.Abs(c.Z-p.Z) <= h.Z {
			in = append(in, entry{id, c, over})
		}
	}
	if len(in) == 0 {
		return NoPoly, miss
	}
	const climb = 0.5
	prefer := func(ok func(entry) bool) {
		if slices.ContainsFunc(in, ok) {
			in = slices.DeleteFunc(in, func(e entry) bool { return !ok(e) })
		}
	}
	least := func(f func(entry) float64) {
		best := math.Inf(1)
		for _, e := range in {
			best = min(best, f(e))
		}
		prefer(func(e entry) bool { return f(e) == best })
	}
	switch o.Policy {
	case PolicyBelow:
		prefer(func(e entry) bool { return e.c.Y-p.Y <= climb })
	case PolicyAbove:
		prefer(func(e entry) bool { return e.c.Y-p.Y >= -climb })
	case PolicyHighest:
		least(func(e entry) float64 { return geom.DistXZSq(e.c, p) })
		least(func(e entry) float64 { return -e.c.Y })
	}
	w := o.HeightWeight
	if w == 0 {
		w = 1
	}
	if o.Policy != PolicyHighest {
		least(func(e entry) float64 {
			dy := math.Abs(e.c.Y - p.Y)
			if e.over {
				dy = max(dy-climb, 0)
			}
			return geom.DistXZSq(e.c, p) + w*dy*w*dy
		})
	}
	least(func(e entry) float64 { return math.Abs(e.c.Y - p.Y) })
	least(func(e entry) float64 { return e.c.Y })
	return in[0].id, miss
}

// TestRandomTree walks trees as a Detour query does and compares the leaves
// with a look at each polygon's box.
func TestRandomTree(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tiles := drawMesh(rt)
		tile := &tiles[rapid.IntRange(0, 3).Draw(rt, "tile")]
		BuildBV(tile)
		ground := len(tile.Polys) - len(tile.OffMesh)
		if want := max(2*ground-1, 0); len(tile.BV) != want {
			rt.Fatalf("%d nodes for %d polygons, want %d", len(tile.BV), ground, want)
		}
		var lo, hi [3]uint16
		for a := range 3 {
			x, y := rapid.IntRange(0, 40).Draw(rt, "lo"), rapid.IntRange(0, 40).Draw(rt, "hi")
			lo[a], hi[a] = uint16(min(x, y)), uint16(max(x, y))
		}
		meets := func(n *BVNode) bool {
			for a := range 3 {
				if n.Min[a] > hi[a] || n.Max[a] < lo[a] {
					return false
				}
			}
			return true
		}
		got := map[int32]bool{}
		for i := 0; i < len(tile.BV); {
			n := &tile.BV[i]
			in := meets(n)
			if in && n.Index >= 0 {
				got[n.Index] = true
			}
			if in || n.Index >= 0 {
				i++
			} else {
				i -= int(n.Index)
			}
		}
		for p := range ground {
			box := geom.EmptyBox()
			for _, v := range tile.Polys[p].Verts[:4] {
				box = box.Extend(tile.Verts[v].Wide().Sub(tile.Bounds[0].Wide()).Scale(4))
			}
			n := BVNode{
				Min: [3]uint16{uint16(box.Min.X), uint16(box.Min.Y), uint16(box.Min.Z)},
				Max: [3]uint16{uint16(box.Max.X), uint16(box.Max.Y), uint16(box.Max.Z)},
			}
			if got[int32(p)] != meets(&n) {
				rt.Errorf("polygon %d: found %v", p, got[int32(p)])
			}
		}
	})
}

// TestOrderDoesNotShow assembles the same tiles in another order.
func TestOrderDoesNotShow(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tiles := drawMesh(rt)
		a, _, err := New(gridParams(), tiles)
		if err != nil {
			rt.Fatal(err)
		}
		b, _, err := New(gridParams(), rapid.Permutation(tiles).Draw(rt, "order"))
		if err != nil {
			rt.Fatal(err)
		}
		if !slices.Equal(a.links, b.links) || !slices.Equal(a.polys, b.polys) || a.print != b.print {
			rt.Error("the order of the tiles shows")
		}
	})
}

// TestRandomSurfaces compares the list of surfaces at a place with a look at
// each polygon.
func TestRandomSurfaces(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m, _, err := New(gridParams(), drawMesh(rt))
		if err != nil {
			rt.Fatal(err)
		}
		q := m.NewQuery()
		var got []Location
		for range 10 {
			p := drawPoint(rt)
			radius := float64(rapid.IntRange(0, 6).Draw(rt, "radius")) / 2
			var f *Filter
			if rapid.Bool().Draw(rt, "filtered") {
				f = &Filter{ExcludeFlags: 2}
			}
			var want []Location
			for s := range uint32(m.StoreyCount()) {
				best, dist := Location{Poly: NoPoly}, math.Inf(1)
				for id := range PolyID(m.Len()) {
					if m.polys[id].kind != KindGround || m.Storey(id) != s || !f.Open(m, id) {
						continue
					}
					c, over, _ := m.ClosestPoint(id, p)
					if d := geom.DistXZSq(c, p); (over || d <= radius*radius) && d < dist {
						best, dist = Location{id, c}, d
					}
				}
				if best.Poly != NoPoly {
					want = append(want, best)
				}
			}
			slices.SortFunc(want, func(a, b Location) int {
				return cmp.Or(cmp.Compare(a.Pos.Y, b.Pos.Y), cmp.Compare(a.Poly, b.Poly))
			})
			if got, err = q.AppendSurfaces(got[:0], p.X, p.Z, radius, f); err != nil || !slices.Equal(got, want) {
				rt.Fatalf("at %v within %v: %v, %v, want %v", p, radius, got, err, want)
			}
		}
	})
}
