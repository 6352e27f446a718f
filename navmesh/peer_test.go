package navmesh_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/navmesh"
	"wend/navmesh/detour"
)

// peerFiles are navmeshes that Recast baked and Detour had linked when they
// were saved.
var peerFiles = []string{"nav_test_solo.bin", "nav_test_tiled.bin", "dungeon_tiled.bin"}

func peerBytes(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile(wendtest.Data(tb, "navmesh", name))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func peerMesh(tb testing.TB, name string) (*navmesh.Mesh, *navmesh.Assembly) {
	tb.Helper()
	params, tiles, err := detour.Read(peerBytes(tb, name), name)
	if err != nil {
		tb.Fatal(err)
	}
	m, a, err := navmesh.New(params, tiles)
	if err != nil {
		tb.Fatal(err)
	}
	return m, a
}

// wayKey names a way from polygon to polygon through an edge by places in
// tiles, which both libraries share.
type wayKey struct {
	x, z, layer, poly    int
	edge                 int
	toX, toZ, toL, toPol int
}

// span is the part of an edge that a portal takes, 0 to 1 from corner to next.
type span struct{ lo, hi float64 }

// peerLinks returns the links that Detour had made when it saved a file.
func peerLinks(data []byte) map[wayKey]span {
	le := binary.LittleEndian
	u32 := func(b []byte, at int) int { return int(le.Uint32(b[at:])) }
	maxTiles, maxPolys := u32(data, 32), u32(data, 36)
	log2 := func(n int) (b int) {
		for 1<<b < n {
			b++
		}
		return b
	}
	tileBits, polyBits := log2(maxTiles), log2(maxPolys)

	var tiles [][]byte
	byRef := map[int]int{}
	at := 40
	for i := range u32(data, 8) {
		ref, size := u32(data, at), u32(data, at+4)
		byRef[ref>>polyBits&(1<<tileBits-1)] = i
		tiles = append(tiles, data[at+8:][:size])
		at += 8 + size
	}
	out := map[wayKey]span{}
	for _, t := range tiles {
		polys, verts := u32(t, 24), u32(t, 28)
		polyAt := 100 + 12*verts
		linkAt := polyAt + 32*polys
		for p := range polys {
			for l := u32(t, polyAt+32*p); l != math.MaxUint32; {
				b := t[linkAt+12*l:][:12]
				ref := u32(b, 0)
				to := tiles[byRef[ref>>polyBits&(1<<tileBits-1)]]
				s := span{0, 1}
				if b[9] != 0xff {
					s = span{float64(b[10]) / 255, float64(b[11]) / 255}
				}
				out[wayKey{
					u32(t, 8), u32(t, 12), u32(t, 16), p, int(b[8]),
					u32(to, 8), u32(to, 12), u32(to, 16), ref & (1<<polyBits - 1),
				}] = s
				l = u32(b, 4)
			}
		}
	}
	return out
}

// TestLinksAsPeer compares every link, inside tiles and across their borders,
// with those that Detour made of the same tiles.
func TestLinksAsPeer(t *testing.T) {
	for _, name := range peerFiles {
		t.Run(name, func(t *testing.T) {
			want := peerLinks(peerBytes(t, name))
			m, a := peerMesh(t, name)
			if len(want) == 0 || a.Inner+a.Portals != len(want) {
				t.Errorf("%d links, Detour %d", a.Inner+a.Portals, len(want))
			}
			tiles := m.Tiles()
			for id := range navmesh.PolyID(m.Len()) {
				p := m.Poly(id)
				ti, pi := p.Tile()
				for n := range p.Neighbours() {
					tj, pj := m.Poly(n.Poly).Tile()
					k := wayKey{
						int(tiles[ti].X), int(tiles[ti].Z), int(tiles[ti].Layer), pi, n.Edge,
						int(tiles[tj].X), int(tiles[tj].Z), int(tiles[tj].Layer), pj,
					}
					w, ok := want[k]
					if !ok {
						t.Errorf("Detour has no link %+v", k)
						continue
					}
					delete(want, k)
					from, to := p.Corner(n.Edge), p.Corner((n.Edge+1)%p.Len())
					long := geom.DistXZ(from, to)
					got := span{geom.DistXZ(from, n.Right) / long, geom.DistXZ(from, n.Left) / long}
					// Detour keeps a byte.
					if math.Abs(got.lo-w.lo) > 0.5/255+1e-4 || math.Abs(got.hi-w.hi) > 0.5/255+1e-4 {
						t.Errorf("link %+v takes %v of its edge, Detour's %v", k, got, w)
					}
				}
			}
			for k := range want {
				t.Errorf("link %+v is missing", k)
			}
		})
	}
}

func TestPeerAssembly(t *testing.T) {
	type figures struct{ polys, ground, inner, portals, turned, oneSided, islands, storeys int }
	want := map[string]figures{
		"nav_test_solo.bin":  {polys: 155, ground: 155, inner: 306, islands: 17, storeys: 18},
		"nav_test_tiled.bin": {polys: 220, ground: 220, inner: 284, portals: 176, islands: 22, storeys: 23},
		"dungeon_tiled.bin":  {polys: 129, ground: 129, inner: 190, portals: 76, islands: 4, storeys: 4},
	}
	got := map[string]figures{}
	for _, name := range peerFiles {
		m, a := peerMesh(t, name)
		got[name] = figures{m.Len(), a.Ground, a.Inner, a.Portals, len(a.Turned), a.OneSided, m.IslandCount(), m.StoreyCount()}
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(figures{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// randomPoints returns seeded points around the bounds of m, most of them near
// surfaces.
func randomPoints(m *navmesh.Mesh, n int) []geom.Vec3 {
	rng := rand.New(rand.NewPCG(7, 11))
	b := m.Bounds()
	ps := make([]geom.Vec3, n)
	for i := range ps {
		if i%8 == 0 {
			f := func(lo, hi float64) float64 { return lo - 10 + (hi-lo+20)*rng.Float64() }
			ps[i] = geom.V3(f(b.Min.X, b.Max.X), f(b.Min.Y, b.Max.Y), f(b.Min.Z, b.Max.Z))
			continue
		}
		c := m.Poly(navmesh.PolyID(rng.IntN(m.Len()))).Center()
		ps[i] = c.Add(geom.V3(8*rng.Float64()-4, 4*rng.Float64()-2, 8*rng.Float64()-4))
	}
	return ps
}

// plainNearest looks at every polygon: the twin of Query.Nearest for the
// default options.
func plainNearest(m *navmesh.Mesh, p geom.Vec3) (best navmesh.PolyID, miss float64) {
	best, miss = navmesh.NoPoly, math.Inf(1)
	var rank [3]float64
	for id := range navmesh.PolyID(m.Len()) {
		c, over, ok := m.ClosestPoint(id, p)
		if !ok {
			panic("no closest point")
		}
		miss = min(miss, geom.Dist(c, p))
		h := navmesh.DefaultHalfExtents()
		if math.Abs(c.X-p.X) > h.X || math.Abs(c.Y-p.Y) > h.Y || math.Abs(c.Z-p.Z) > h.Z {
			continue
		}
		t, _ := m.Poly(id).Tile()
		dy := math.Abs(c.Y - p.Y)
		d := geom.DistSq(c, p)
		if over {
			over := max(dy-float64(m.Tiles()[t].AgentClimb), 0)
			d = over * over
		}
		r := [3]float64{d, dy, c.Y}
		if best == navmesh.NoPoly || r[0] < rank[0] ||
			r[0] == rank[0] && (r[1] < rank[1] || r[1] == rank[1] && r[2] < rank[2]) {
			best, rank = id, r
		}
	}
	return best, miss
}

func TestNearestAgainstEveryPolygon(t *testing.T) {
	for _, name := range peerFiles {
		m, _ := peerMesh(t, name)
		q := m.NewQuery()
		found, missed := 0, 0
		for _, p := range randomPoints(m, 4000) {
			r, err := q.Nearest(p, nil)
			if err != nil {
				t.Fatal(err)
			}
			want, miss := plainNearest(m, p)
			if r.Poly != want || r.Found != (want != navmesh.NoPoly) {
				t.Errorf("%s: %v: polygon %d, want %d", name, p, r.Poly, want)
			}
			if r.Found {
				found++
				if c, over, _ := m.ClosestPoint(r.Poly, p); c != r.Pos || over != r.Over || r.Distance != geom.Dist(c, p) || r.MissDistance != 0 {
					t.Errorf("%s: %v: %+v", name, p, r)
				}
				continue
			}
			missed++
			if math.Abs(r.MissDistance-miss) > 1e-12 {
				t.Errorf("%s: %v: missed by %v, want %v", name, p, r.MissDistance, miss)
			}
		}
		if found < 1000 || missed < 100 {
			t.Errorf("%s: %d found, %d missed: the points do not test both", name, found, missed)
		}
	}
}

// TestHeightOnDetail compares heights with the triangle found by barycentric
// coordinates among the tile's own detail triangles.
func TestHeightOnDetail(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, name := range peerFiles {
		m, _ := peerMesh(t, name)
		for id := range navmesh.PolyID(m.Len()) {
			ti, pi := m.Poly(id).Tile()
			tile := &m.Tiles()[ti]
			sub, poly := tile.DetailSubs[pi], tile.Polys[pi]
			at := func(v uint8) geom.Vec3 {
				if v < poly.Count {
					return tile.Verts[poly.Verts[v]].Wide()
				}
				return tile.DetailVerts[sub.VertBase+uint32(v-poly.Count)].Wide()
			}
			for _, tri := range tile.DetailTris[sub.TriBase:][:sub.TriCount] {
				a, b, c := at(tri.V[0]), at(tri.V[1]), at(tri.V[2])
				if math.Abs(geom.Area2(a, b, c)) < 1e-4 {
					continue
				}
				u, v := rng.Float64(), rng.Float64()
				if u+v > 1 {
					u, v = 1-u, 1-v
				}
				p := a.Add(b.Sub(a).Scale(u)).Add(c.Sub(a).Scale(v))
				y, ok := m.Height(id, p.X, p.Z)
				if !ok {
					// A detail corner may lie a hair outside the polygon.
					if at, _ := m.ClosestOnBoundary(id, p); geom.DistXZ(at, p) > 1e-3 {
						t.Errorf("%s: polygon %d does not contain %v of its own detail", name, id, p)
					}
					continue
				}
				if math.Abs(y-p.Y) > 1e-4 {
					t.Errorf("%s: polygon %d at %v: height %v", name, id, p, y)
				}
			}
		}
	}
}

// TestIslandsAgainstSpread compares islands with plain spreading over links.
func TestIslandsAgainstSpread(t *testing.T) {
	for _, name := range peerFiles {
		m, _ := peerMesh(t, name)
		checkReach(t, m)
	}
}

// checkReach spreads from every polygon and compares with CanReach.
func checkReach(tb testing.TB, m *navmesh.Mesh) {
	tb.Helper()
	reach := make([][]bool, m.Len())
	for a := range reach {
		reach[a] = make([]bool, m.Len())
		todo := []navmesh.PolyID{navmesh.PolyID(a)}
		reach[a][a] = true
		for len(todo) > 0 {
			p := todo[0]
			todo = todo[1:]
			for n := range m.Poly(p).Neighbours() {
				if !reach[a][n.Poly] {
					reach[a][n.Poly] = true
					todo = append(todo, n.Poly)
				}
			}
		}
	}
	for a := range reach {
		for b := range reach[a] {
			pa, pb := navmesh.PolyID(a), navmesh.PolyID(b)
			if got := m.CanReach(pa, pb); got != reach[a][b] {
				tb.Errorf("CanReach(%d, %d) = %v", a, b, got)
			}
			if same := m.Poly(pa).Island() == m.Poly(pb).Island(); same != (reach[a][b] && reach[b][a]) {
				tb.Errorf("polygons %d and %d: same island %v", a, b, same)
			}
		}
	}
}

// TestTiledReachesAsSolo compares reachability of the two bakes of one level
// between the same places.
func TestTiledReachesAsSolo(t *testing.T) {
	solo, _ := peerMesh(t, "nav_test_solo.bin")
	tiled, _ := peerMesh(t, "nav_test_tiled.bin")
	qs, qt := solo.NewQuery(), tiled.NewQuery()
	var a, b []navmesh.PolyID
	for _, p := range randomPoints(solo, 400) {
		s, err := qs.Nearest(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := qt.Nearest(s.Pos, nil)
		if err != nil {
			t.Fatal(err)
		}
		// Both bakes have this surface at the same place.
		if s.Found && r.Found && r.Distance < 0.3 {
			a, b = append(a, s.Poly), append(b, r.Poly)
		}
	}
	if len(a) < 100 {
		t.Fatalf("only %d places to compare", len(a))
	}
	yes, no := 0, 0
	for i := range a {
		for k := range a {
			s, r := solo.CanReach(a[i], a[k]), tiled.CanReach(b[i], b[k])
			if s != r {
				t.Errorf("solo %d to %d: %v; tiled %d to %d: %v", a[i], a[k], s, b[i], b[k], r)
			}
			if s {
				yes++
			} else {
				no++
			}
		}
	}
	if yes == 0 || no == 0 {
		t.Errorf("%d reachable pairs, %d not: nothing compared", yes, no)
	}
}

func TestPeerBVTree(t *testing.T) {
	for _, name := range peerFiles {
		m, _ := peerMesh(t, name)
		for i := range m.Tiles() {
			tile := m.Tiles()[i]
			stored := tile.BV
			navmesh.BuildBV(&tile)
			if err := tile.Validate(); err != nil {
				t.Fatal(err)
			}
			leaf := func(nodes []navmesh.BVNode, poly int) (n navmesh.BVNode) {
				for _, n := range nodes {
					if int(n.Index) == poly {
						return n
					}
				}
				t.Fatalf("%s: tile %d: no leaf of polygon %d", name, i, poly)
				return n
			}
			for p := range tile.Polys {
				got, want := leaf(tile.BV, p), leaf(stored, p)
				for a := range 3 {
					// Detour rounds what it computes in float32, up and down
					// the same way.
					if d := int(got.Min[a]) - int(want.Min[a]); d < -1 || d > 1 {
						t.Errorf("%s: tile %d polygon %d: lower corner %v, Detour's %v", name, i, p, got.Min, want.Min)
					}
					if d := int(got.Max[a]) - int(want.Max[a]); d < -1 || d > 1 {
						t.Errorf("%s: tile %d polygon %d: upper corner %v, Detour's %v", name, i, p, got.Max, want.Max)
					}
				}
			}
		}
	}
}

func BenchmarkNearest(b *testing.B) {
	for _, name := range peerFiles {
		m, _ := peerMesh(b, name)
		rng := rand.New(rand.NewPCG(1, 2))
		on := make([]geom.Vec3, 1024)
		for i := range on {
			p := m.Poly(navmesh.PolyID(rng.IntN(m.Len())))
			on[i] = p.Center().Add(geom.V3(rng.Float64()-0.5, rng.Float64(), rng.Float64()-0.5))
		}
		q := m.NewQuery()
		for _, c := range []struct {
			name string
			off  geom.Vec3
		}{{"on", geom.Vec3{}}, {"miss", geom.V3(0, 50, 0)}} {
			b.Run(fmt.Sprintf("%s/%s", name, c.name), func(b *testing.B) {
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					if _, err := q.Nearest(on[i&1023].Add(c.off), nil); err != nil {
						b.Fatal(err)
					}
					i++
				}
			})
		}
	}
}

func BenchmarkNew(b *testing.B) {
	params, tiles, err := detour.Read(peerBytes(b, "nav_test_tiled.bin"), "")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := navmesh.New(params, tiles); err != nil {
			b.Fatal(err)
		}
	}
}
