package occluder

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/pack"
	"wend/pack/ocls"
)

var same = ocls.Affine{A: [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}

// at is a placement without a turn.
func at(mesh int, x, y, z float64) ocls.Placement {
	m := same
	m.T = geom.V3(x, y, z)
	return ocls.Placement{Mesh: mesh, Affine: m}
}

// box is a closed box, counter-clockwise seen from outside.
func box(lo, hi geom.Vec3) ocls.Mesh {
	b := wendtest.NewBuilder().Box(lo, hi).Scene
	m := ocls.Mesh{Verts: b.Verts}
	for _, t := range b.Tris {
		m.Tris = append(m.Tris, t.V)
	}
	return m
}

func place(t testing.TB, w *ocls.World) *Scene {
	t.Helper()
	src, _, err := ocls.Quantize(w, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(src)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A box of one metre at the origin and another two metres on in x.
func twoBoxes(t testing.TB) *Scene {
	return place(t, &ocls.World{
		Meshes:     []ocls.Mesh{box(geom.V3(0, 0, 0), geom.V3(1, 1, 1))},
		Placements: []ocls.Placement{at(0, 0, 0, 0), at(0, 3, 0, 0)},
	})
}

func TestLineThroughBoxes(t *testing.T) {
	s := twoBoxes(t)
	a, b := geom.V3(-1, 0.5, 0.25), geom.V3(7, 0.5, 0.25)
	hits := s.AppendHits(nil, a, b)
	var ts []float64
	for _, h := range hits {
		ts = append(ts, h.T*8-1)
	}
	if want := []float64{0, 1, 3, 4}; !slices.Equal(ts, want) {
		t.Errorf("hits at x = %v, want %v", ts, want)
	}
	if len(hits) == 4 && (hits[0].Instance != 0 || hits[2].Instance != 1) {
		t.Errorf("hits %v", hits)
	}
	if h, ok := s.First(a, b); !ok || h != hits[0] {
		t.Errorf("first hit %v, %v; want %v", h, ok, hits[0])
	}
	if h, ok := s.First(b, a); !ok || h.T != 3./8 || h.Instance != 1 {
		t.Errorf("first hit from the other end %v, %v", h, ok)
	}
	for _, c := range []struct {
		name  string
		a, b  geom.Vec3
		clear bool
	}{
		{"through", a, b, false},
		{"between", geom.V3(2, 0.5, -1), geom.V3(2, 0.5, 2), true},
		{"inside one box", geom.V3(0.25, 0.5, 0.5), geom.V3(0.75, 0.5, 0.5), true},
		{"out of a box", geom.V3(0.5, 0.5, 0.5), geom.V3(2, 0.5, 0.5), false},
		{"ends on a face", geom.V3(-1, 0.5, 0.25), geom.V3(0, 0.5, 0.25), false},
		{"ends before a face", geom.V3(-1, 0.5, 0.25), geom.V3(-0.001, 0.5, 0.25), true},
		{"starts on a face", geom.V3(0, 0.5, 0.25), geom.V3(-1, 0.5, 0.25), false},
		{"along a face", geom.V3(0.1, 1, 0.1), geom.V3(0.9, 1, 0.8), true},
		{"over an edge", geom.V3(0.5, 2, -1), geom.V3(0.5, 0, 1), false},
		{"past an edge", geom.V3(0.5, 2.01, -1), geom.V3(0.5, 0.01, 1), false},
		{"above", geom.V3(-1, 1.01, 0.5), geom.V3(7, 1.01, 0.5), true},
		{"a point on a face", geom.V3(0, 0.5, 0.25), geom.V3(0, 0.5, 0.25), true},
		{"not a number", geom.V3(math.NaN(), 0, 0), geom.V3(1, 1, 1), true},
		{"endless", geom.V3(-1, 0.5, 0.25), geom.V3(math.Inf(1), 0.5, 0.25), true},
	} {
		if got := s.Clear(c.a, c.b); got != c.clear {
			t.Errorf("%s: clear %v", c.name, got)
		}
		_, hit := s.First(c.a, c.b)
		if all := s.AppendHits(nil, c.a, c.b); hit == c.clear || (len(all) > 0) == c.clear {
			t.Errorf("%s: first %v, all %v", c.name, hit, all)
		}
	}
}

// Terrain is not in the way of a line, but in columns and curtains.
func terrainScene(t testing.TB) *Scene {
	return place(t, &ocls.World{Terrain: ocls.Terrain{Samples: 3, Cell: 2, Blocks: []ocls.TerrainBlock{{
		X: 10, Z: 20, Heights: []float64{0, 0, 0, 1, 1, 1, 2, 2, 2}, Holes: []bool{false, true, false, false},
	}}}})
}

func TestTerrain(t *testing.T) {
	s := terrainScene(t)
	if !s.Clear(geom.V3(11, 5, 21), geom.V3(11, -5, 21)) {
		t.Error("terrain stops a line")
	}
	for _, c := range []struct {
		x, z float64
		want []Level
	}{
		{10.5, 20.5, []Level{{0.25, true}}},
		{13, 23.5, []Level{{1.75, true}}},
		{13, 21, nil},                                     // the hole
		{10.5, 21.5, []Level{{0.75, true}, {0.75, true}}}, // the cut of a cell
		{9.99, 21, nil},
	} {
		if got := s.AppendColumn(nil, c.x, c.z, -10, 10); !cmp.Equal(got, c.want) {
			t.Errorf("column at %v, %v: %v, want %v", c.x, c.z, got, c.want)
		}
	}
	a, b := geom.V3(10.5, 0, 19), geom.V3(10.5, 0, 30)
	for _, c := range []struct {
		lo, hi float64
		want   bool
	}{{0.5, 0.75, true}, {2, 3, false}, {1.99, 3, true}, {-1, 0, false}, {-1, 0.01, true}} {
		if got := s.Curtain(a, b, c.lo, c.hi); got != c.want {
			t.Errorf("curtain from %v to %v: %v", c.lo, c.hi, got)
		}
	}
}

func TestColumnThroughBox(t *testing.T) {
	s := twoBoxes(t)
	want := []Level{{0, false}, {1, true}}
	if got := s.AppendColumn(nil, 0.25, 0.5, -5, 5); !cmp.Equal(got, want) {
		t.Errorf("column %v, want %v", got, want)
	}
	if got := s.AppendColumn(nil, 0.25, 0.5, 0, 1); got != nil {
		t.Errorf("the ends count: %v", got)
	}
	if got := s.AppendColumn([]Level{{7, true}}, 3.25, 0.5, 0.5, 2); !cmp.Equal(got, []Level{{7, true}, {1, true}}) {
		t.Errorf("appended %v", got)
	}
	if got := s.AppendColumn(nil, 2, 0.5, -5, 5); got != nil {
		t.Errorf("between the boxes: %v", got)
	}
}

// A mirrored placement keeps outside and inside.
func TestMirroredPlacement(t *testing.T) {
	for _, a := range [][3][3]float64{
		{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		{{1, 0, 0}, {0, -1, 0}, {0, 0, 1}},
		{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}},
		{{-2, 0, 0}, {0, -1, 0}, {0, 0, 1}},
		{{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}},
		{{1, 0.5, 0}, {0, -1, 0}, {0, 0, 1}},
	} {
		s := place(t, &ocls.World{
			Meshes:     []ocls.Mesh{box(geom.V3(-1, -1, -1), geom.V3(1, 1, 1))},
			Placements: []ocls.Placement{{Mesh: 0, Affine: ocls.Affine{A: a, T: geom.V3(5, 5, 5)}}},
		})
		got := s.AppendColumn(nil, 5.125, 5.25, -10, 10)
		if len(got) != 2 || got[0].Up || !got[1].Up || math.Abs(got[0].Y-4) > 1e-9 || math.Abs(got[1].Y-6) > 1e-9 {
			t.Errorf("%v: %v", a, got)
		}
	}
}

// A ledge at height 5 that ends at x = 0, a floor at height 1 beside it, and
// something more.
func ledge(t testing.TB, more ...ocls.Mesh) *Scene {
	w := ocls.World{
		Meshes: append([]ocls.Mesh{
			box(geom.V3(-4, 4, -4), geom.V3(0, 5, 4)),
			box(geom.V3(-4, 0, -4), geom.V3(4, 1, 4)),
		}, more...),
	}
	for i := range w.Meshes {
		w.Placements = append(w.Placements, at(i, 0, 0, 0))
	}
	return place(t, &w)
}

func TestDropBlocked(t *testing.T) {
	take, land := geom.V3(-0.3, 5, 0), geom.V3(0.6, 1, 0)
	rail := func(top float64) ocls.Mesh { return box(geom.V3(-0.125, 5, -4), geom.V3(0, top, 4)) }
	slab := func(y0, y1 float64) ocls.Mesh { return box(geom.V3(0.25, y0, -4), geom.V3(4, y1, 4)) }
	for _, c := range []struct {
		name       string
		s          *Scene
		take, land geom.Vec3
		want       bool
	}{
		{"free", ledge(t), take, land, false},
		{"low lip", ledge(t, rail(5.25)), take, land, false},
		{"lip just low enough", ledge(t, rail(5.375)), take, land, false},
		{"lip too high", ledge(t, rail(5.4375)), take, land, true},
		{"rail", ledge(t, rail(6.1)), take, land, true},
		{"slab above the landing", ledge(t, slab(3, 3.25)), take, land, true},
		{"slab within climb of the landing", ledge(t, slab(1.25, 1.375)), take, land, false},
		{"slab above the take-off, clear of the body", ledge(t, slab(7.25, 8)), take, land, false},
		{"slab at the head", ledge(t, slab(6, 8)), take, land, true},
		{"no floor where it lands", ledge(t, rail(6.1)), take, geom.V3(0.6, 3, 0), false},
		{"no floor where it starts", ledge(t, rail(6.1)), geom.V3(-0.3, 6, 0), land, false},
		{"floor of the take-off within climb above", ledge(t), geom.V3(-0.3, 4.7, 0), land, false},
		{"straight down", ledge(t), geom.V3(-0.3, 5, 0), geom.V3(-0.3, 1, 0), true}, // the ledge's own underside
		{"not a number", ledge(t, rail(6.1)), geom.V3(math.NaN(), 5, 0), land, false},
	} {
		if got := c.s.DropBlocked(c.take, c.land, DropClimb, DropHeight); got != c.want {
			t.Errorf("%s: blocked %v", c.name, got)
		}
		if got := newPlain(c.s.Source()).blocked(c.take, c.land, DropClimb, DropHeight); got != c.want {
			t.Errorf("%s: plain: blocked %v", c.name, got)
		}
	}
}

func TestEmptyScene(t *testing.T) {
	s := place(t, &ocls.World{})
	a, b := geom.V3(0, 0, 0), geom.V3(1, 5, 1)
	if !s.Clear(a, b) || s.AppendHits(nil, a, b) != nil || s.AppendColumn(nil, 0, 0, -9, 9) != nil ||
		s.Curtain(a, b, 0, 9) || s.DropBlocked(b, a, DropClimb, DropHeight) || !s.Bounds().IsEmpty() {
		t.Error("nothing is in the way")
	}
	if _, err := New(&ocls.Scene{}); err == nil {
		t.Error("an invalid scene is taken")
	}
}

// A hit leads back to its triangle.
func TestTriangleOfHit(t *testing.T) {
	s := twoBoxes(t)
	a, b := geom.V3(3.25, 9, 0.5), geom.V3(3.25, 0.5, 0.5)
	h, ok := s.First(a, b)
	if !ok {
		t.Fatal("no hit")
	}
	tri, up := s.Triangle(h.Instance, h.Triangle)
	if !up || h.Instance != 1 {
		t.Errorf("hit %v, up %v", h, up)
	}
	for _, c := range tri {
		if c.Y != 1 || c.X < 3 {
			t.Errorf("corner %v, want one of the second box's top", c)
		}
	}
	if n := tri[1].Sub(tri[0]).Cross(tri[2].Sub(tri[0])); n.Y >= 0 {
		t.Errorf("normal %v, want clockwise corners", n)
	}
}

func TestFloat32Outward(t *testing.T) {
	for _, v := range []float64{
		0, math.Copysign(0, -1), 1, -1, 0.1, -0.1, 1e-50, -1e-50, 1e300, -1e300, 16777217, -16777217,
		math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, math.Inf(1), math.Inf(-1),
	} {
		lo, hi := down(v), up(v)
		if float64(lo) > v || float64(hi) < v {
			t.Errorf("%v is not within %v and %v", v, lo, hi)
		}
		if exact := float64(float32(v)) == v; exact && (float64(lo) != v || float64(hi) != v) ||
			!exact && math.Nextafter32(lo, float32(math.Inf(1))) != hi {
			t.Errorf("%v: %v to %v is not tight", v, lo, hi)
		}
	}
}

// turn is the rotation by a quaternion of any length, the same on every
// platform.
func turn(q [4]float64) [3][3]float64 {
	v, w := geom.V3(q[0], q[1], q[2]), q[3]
	n := math.Sqrt(v.Dot(v) + float64(w*w))
	if n == 0 {
		return same.A
	}
	v, w = v.Scale(1/n), w/n
	var m [3][3]float64
	for j, e := range [3]geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
		t := v.Cross(e).Scale(2)
		c := e.Add(t.Scale(w)).Add(v.Cross(t))
		m[0][j], m[1][j], m[2][j] = c.X, c.Y, c.Z
	}
	return m
}

// randomScene draws a scene of boxes and loose triangles, turned, stretched,
// mirrored and flattened, some of it on whole metres so that lines meet edges
// and planes exactly.
func randomScene(rng *rand.Rand, meshes, placements, blocks int, span float64) *ocls.Scene {
	w := &ocls.World{}
	coord := func(r float64) float64 {
		if rng.IntN(3) == 0 {
			return math.Round(float64((rng.Float64() - 0.5) * 2 * r))
		}
		return float64((rng.Float64() - 0.5) * 2 * r)
	}
	point := func(r float64) geom.Vec3 { return geom.V3(coord(r), coord(r), coord(r)) }
	for range meshes {
		var m ocls.Mesh
		if rng.IntN(2) == 0 {
			lo := point(2)
			m = box(lo, lo.Add(geom.V3(0.25+2*rng.Float64(), 0.25+2*rng.Float64(), 0.25+2*rng.Float64())))
		} else {
			for range rng.IntN(40) {
				n, c := uint32(len(m.Verts)), point(3)
				m.Verts = append(m.Verts, c.Add(point(1)), c.Add(point(1)), c.Add(point(1)))
				m.Tris = append(m.Tris, [3]uint32{n, n + 1, n + 2})
			}
		}
		w.Meshes = append(w.Meshes, m)
	}
	for range placements {
		p := at(rng.IntN(meshes), coord(span), coord(span/4), coord(span))
		if rng.IntN(3) > 0 {
			var q [4]float64
			for i := range q {
				q[i] = coord(1)
			}
			p.A = turn(q)
		}
		for j := range 3 {
			s := 1.0
			switch rng.IntN(6) {
			case 0:
				s = 0.5 + 2*rng.Float64()
			case 1:
				s = -1
			case 2:
				s = float64(rng.IntN(8)) / 4 // may flatten
			}
			for i := range 3 {
				p.A[i][j] = float64(p.A[i][j] * s)
			}
		}
		w.Placements = append(w.Placements, p)
	}
	w.Terrain = ocls.Terrain{Samples: 6, Cell: 2}
	for range blocks {
		b := ocls.TerrainBlock{X: coord(span), Z: coord(span), Heights: make([]float64, 36), Holes: make([]bool, 25)}
		for i := range b.Heights {
			b.Heights[i] = coord(2)
		}
		for i := range b.Holes {
			b.Holes[i] = rng.IntN(5) == 0
		}
		w.Terrain.Blocks = append(w.Terrain.Blocks, b)
	}
	s, _, err := ocls.Quantize(w, nil)
	if err != nil {
		panic(err)
	}
	return s
}

// compareWithPlain asks one query of each kind.
func compareWithPlain(t testing.TB, s *Scene, p *plain, a, b geom.Vec3, lo, hi float64) {
	t.Helper()
	want := p.hits(a, b)
	got := s.AppendHits(nil, a, b)
	if !slices.Equal(got, want) {
		t.Fatalf("line %v to %v: hits %v, want %v", a, b, got, want)
	}
	if s.Clear(a, b) != (len(want) == 0) {
		t.Fatalf("line %v to %v: clear %v, hits %v", a, b, s.Clear(a, b), want)
	}
	if h, ok := s.First(a, b); ok != (len(want) > 0) || ok && h != want[0] {
		t.Fatalf("line %v to %v: first %v %v, want %v", a, b, h, ok, want)
	}
	if got, want := s.AppendColumn(nil, a.X, a.Z, lo, hi), p.column(a.X, a.Z, lo, hi); !slices.Equal(got, want) {
		t.Fatalf("column at %v, %v from %v to %v: %v, want %v", a.X, a.Z, lo, hi, got, want)
	}
	if got, want := s.Curtain(a, b, lo, hi), p.curtain(a, b, lo, hi); got != want {
		t.Fatalf("curtain %v to %v from %v to %v: %v, want %v", a, b, lo, hi, got, want)
	}
	if a.Y < b.Y {
		a, b = b, a
	}
	if got, want := s.DropBlocked(a, b, DropClimb, DropHeight), p.blocked(a, b, DropClimb, DropHeight); got != want {
		t.Fatalf("drop %v to %v: %v, want %v", a, b, got, want)
	}
}

func TestTreesAgreeWithLoop(t *testing.T) {
	met := 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 1))
		span := []float64{4, 12, 40}[seed%3]
		src := randomScene(rng, 1+rng.IntN(8), 1+rng.IntN(60), rng.IntN(6), span)
		s, err := New(src)
		if err != nil {
			t.Fatal(err)
		}
		coord := func() float64 {
			if rng.IntN(3) == 0 {
				return math.Round((rng.Float64() - 0.5) * 2.2 * span)
			}
			return (rng.Float64() - 0.5) * 2.2 * span
		}
		answers, twin := 0, newPlain(src)
		for range 150 {
			a, b := geom.V3(coord(), coord()/3, coord()), geom.V3(coord(), coord()/3, coord())
			switch rng.IntN(4) {
			case 0: // axis-parallel
				b = geom.V3(a.X, a.Y, b.Z)
			case 1: // short
				b = geom.Lerp(a, b, 0.05)
			}
			lo := coord() / 3
			compareWithPlain(t, s, twin, a, b, lo, lo+3*rng.Float64())
			if !s.Clear(a, b) {
				answers++
			}
		}
		met += answers
	}
	if met < 500 {
		t.Errorf("only %d lines met anything", met)
	}
}

// The take-off and landing of drops on real surfaces: heights are taken from
// columns, so that all six steps of the test are reached.
func TestDropsAgreeWithLoop(t *testing.T) {
	counts := map[bool]int{}
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 2))
		src := randomScene(rng, 6, 80, 4, 8)
		s, err := New(src)
		if err != nil {
			t.Fatal(err)
		}
		p := newPlain(src)
		surface := func(x, z float64) (geom.Vec3, bool) {
			var up []float64
			for _, l := range s.AppendColumn(nil, x, z, -20, 20) {
				if l.Up {
					up = append(up, l.Y)
				}
			}
			if len(up) == 0 {
				return geom.Vec3{}, false
			}
			return geom.V3(x, up[rng.IntN(len(up))]+0.2*(rng.Float64()-0.5), z), true
		}
		for range 200 {
			x, z := (rng.Float64()-0.5)*16, (rng.Float64()-0.5)*16
			a, okA := surface(x, z)
			b, okB := surface(x+2*(rng.Float64()-0.5), z+2*(rng.Float64()-0.5))
			if !okA || !okB {
				continue
			}
			if a.Y < b.Y {
				a, b = b, a
			}
			got, want := s.DropBlocked(a, b, DropClimb, DropHeight), p.blocked(a, b, DropClimb, DropHeight)
			if got != want {
				t.Fatalf("seed %d: drop %v to %v: %v, want %v", seed, a, b, got, want)
			}
			counts[got]++
		}
	}
	if counts[true] < 100 || counts[false] < 100 {
		t.Errorf("blocked and free drops: %v", counts)
	}
}

// The packs of another writer, extreme numbers included, give the same answers
// with and without trees.
func TestPacksAgreeWithLoop(t *testing.T) {
	for _, name := range []string{"first", "court", "guest", "harbour", "limits"} {
		path := wendtest.Data(t, "packs", name, name+".occluder.gz")
		data, err := pack.ReadFile(os.DirFS(filepath.Dir(path)), filepath.Base(path), 0)
		if err != nil {
			t.Fatal(err)
		}
		scenes, err := ocls.Read(name, data)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range scenes {
			s, err := New(n.Scene)
			if err != nil {
				t.Fatal(err)
			}
			b, twin := s.Bounds(), newPlain(n.Scene)
			if b.IsEmpty() {
				continue
			}
			rng := rand.New(rand.NewPCG(3, 4))
			within := func() geom.Vec3 {
				d := b.Size()
				return b.Min.Add(geom.V3(float64(d.X*rng.Float64()), float64(d.Y*rng.Float64()), float64(d.Z*rng.Float64())))
			}
			for range 200 {
				p, q := within(), within()
				compareWithPlain(t, s, twin, p, q, min(p.Y, q.Y), max(p.Y, q.Y))
			}
		}
	}
}

// Two scenes of the same source have the same trees, and every box of a tree
// holds those below it.
func TestTreeShape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coord := rapid.OneOf(rapid.Float64Range(-100, 100), rapid.SampledFrom([]float64{0, 1, -1, math.Inf(1), math.Inf(-1), 1e300}))
		boxes := make([]geom.Box, rapid.IntRange(1, 60).Draw(t, "boxes"))
		for i := range boxes {
			b := geom.EmptyBox()
			for range 2 {
				b = b.Extend(geom.V3(coord.Draw(t, "x"), coord.Draw(t, "y"), coord.Draw(t, "z")))
			}
			boxes[i] = everywhere(b)
		}
		leaf := rapid.IntRange(1, 8).Draw(t, "leaf")
		var b builder
		var tr tree
		b.build(&tr, boxes, leaf)
		seen := make([]bool, len(boxes))
		var walk func(i uint32) geom.Box
		walk = func(i uint32) geom.Box {
			n := &tr.nodes[i]
			have := geom.Box{
				Min: geom.Vec3f{X: n.min[0], Y: n.min[1], Z: n.min[2]}.Wide(),
				Max: geom.Vec3f{X: n.max[0], Y: n.max[1], Z: n.max[2]}.Wide(),
			}
			want := geom.EmptyBox()
			if n.count > 0 {
				if int(n.count) > leaf {
					t.Fatalf("a leaf of %d, want at most %d", n.count, leaf)
				}
				for _, it := range tr.items[n.next : n.next+n.count] {
					if seen[it] {
						t.Fatalf("item %d twice", it)
					}
					seen[it] = true
					want = want.Union(boxes[it])
				}
			} else {
				want = walk(i + 1).Union(walk(n.next))
			}
			if have.Union(want) != have {
				t.Fatalf("node %d: %v does not hold %v", i, have, want)
			}
			return have
		}
		walk(0)
		if slices.Contains(seen, false) {
			t.Fatalf("items left out: %v", seen)
		}
	})
}

// Sorted input, equal centres and other arrangements that selection dislikes.
func TestSelectMedian(t *testing.T) {
	for _, n := range []int{1, 2, 9, 100, 3000} {
		for name, x := range map[string]func(i int) float64{
			"up": func(i int) float64 { return float64(i) }, "down": func(i int) float64 { return -float64(i) },
			"equal": func(int) float64 { return 1 }, "organ pipe": func(i int) float64 { return float64(min(i, n-i)) },
			"saw": func(i int) float64 { return float64(i % 7) }, "nan": func(i int) float64 { return []float64{math.NaN(), 1}[i%2] },
		} {
			b := builder{boxes: make([]geom.Box, n)}
			items := make([]uint32, n)
			for i := range items {
				items[i] = uint32(i)
				b.boxes[i] = geom.Box{Min: geom.V3(x(i), 0, 0), Max: geom.V3(x(i), 0, 0)}
			}
			want := slices.Clone(items)
			slices.SortFunc(want, func(i, j uint32) int { return b.compare(i, j, 0) })
			b.selectMedian(items, n/2, 0)
			half := slices.Clone(items[:n/2])
			slices.Sort(half)
			sorted := slices.Clone(want[:n/2])
			slices.Sort(sorted)
			if !slices.Equal(half, sorted) {
				t.Errorf("%d items, %s: the lower half differs", n, name)
			}
		}
	}
}

func TestNoAllocations(t *testing.T) {
	s, err := New(randomScene(rand.New(rand.NewPCG(5, 5)), 8, 200, 4, 20))
	if err != nil {
		t.Fatal(err)
	}
	a, b := geom.V3(-20, 1, -18), geom.V3(19, 2, 20)
	hits, levels := s.AppendHits(nil, a, b), s.AppendColumn(nil, 1, 1, -20, 20)
	for name, f := range map[string]func(){
		"clear":   func() { s.Clear(a, b) },
		"first":   func() { s.First(a, b) },
		"hits":    func() { s.AppendHits(hits[:0], a, b) },
		"column":  func() { s.AppendColumn(levels[:0], 1, 1, -20, 20) },
		"curtain": func() { s.Curtain(a, b, 0, 0.1) },
		"drop":    func() { s.DropBlocked(geom.V3(1, 3, 1), geom.V3(2, 0, 1), DropClimb, DropHeight) },
	} {
		if n := testing.AllocsPerRun(20, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

// Trees and answers have the same bits on every platform.
func TestGolden(t *testing.T) {
	src := randomScene(rand.New(rand.NewPCG(6, 6)), 8, 120, 5, 12)
	bytes, err := ocls.AppendScene(nil, src)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := pack.Fingerprint(bytes), uint64(0x1d2875d28148f323); got != want {
		t.Errorf("the scene itself has hash %#x, want %#x", got, want)
	}
	s, err := New(src)
	if err != nil {
		t.Fatal(err)
	}
	var buf []byte
	u32 := func(v ...uint32) {
		for _, x := range v {
			buf = binary.LittleEndian.AppendUint32(buf, x)
		}
	}
	for _, tr := range []*tree{&s.mesh, &s.world, &s.land} {
		for _, n := range tr.nodes {
			for k := range 3 {
				buf = pack.AppendF32(pack.AppendF32(buf, n.min[k]), n.max[k])
			}
			u32(n.next, n.count)
		}
		u32(tr.items...)
	}
	if got, want := pack.Fingerprint(buf), uint64(0x11b050a10a69cb28); got != want {
		t.Errorf("trees have hash %#x, want %#x", got, want)
	}
	buf = buf[:0]
	rng := rand.New(rand.NewPCG(9, 9))
	point := func() geom.Vec3 {
		return geom.V3(float64((rng.Float64()-0.5)*24), float64((rng.Float64()-0.5)*6), float64((rng.Float64()-0.5)*24))
	}
	for range 2000 {
		a, b := point(), point()
		for _, h := range s.AppendHits(nil, a, b) {
			buf = pack.AppendF64(buf, h.T)
			u32(h.Instance, h.Triangle)
		}
		for _, l := range s.AppendColumn(nil, a.X, a.Z, -9, 9) {
			buf = append(pack.AppendF64(buf, l.Y), byte(b2i(l.Up)))
		}
		buf = append(buf, byte(b2i(s.Curtain(a, b, a.Y, a.Y+0.5))), byte(b2i(s.DropBlocked(a, b, DropClimb, DropHeight))))
	}
	if got, want := pack.Fingerprint(buf), uint64(0xff7177410c2aae6b); got != want {
		t.Errorf("answers have hash %#x, want %#x", got, want)
	}
}
