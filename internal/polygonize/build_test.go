package polygonize

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wend/internal/contour"
	"wend/internal/region"
)

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

func build(t fataler, s *contour.Set, maxVerts int) *Mesh {
	t.Helper()
	m, err := Build(context.Background(), s, maxVerts)
	if err != nil {
		t.Fatalf("Build: %v", err)
	}
	check(t, m)
	return m
}

// check holds a mesh against its contract.
func check(t fataler, m *Mesh) {
	t.Helper()
	if len(m.PolyVerts) != m.Len()*m.MaxVerts || len(m.PolyNeis) != len(m.PolyVerts) || len(m.Region) != m.Len() {
		t.Fatalf("array lengths do not fit: %d polygons of %d, %d, %d, %d", m.Len(), m.MaxVerts, len(m.PolyVerts), len(m.PolyNeis), len(m.Region))
	}
	usedVerts := make([]bool, len(m.Verts))
	for p := range m.Len() {
		poly := m.Poly(p)
		for _, v := range m.PolyVerts[p*m.MaxVerts+len(poly) : (p+1)*m.MaxVerts] {
			if v != None {
				t.Fatalf("polygon %d has a gap in its slots", p)
			}
		}
		if !convex(poly, m.Verts) {
			t.Fatalf("polygon %d is not convex: %v", p, ringOf(m, p))
		}
		for i, v := range poly {
			usedVerts[v] = true
			nei := m.PolyNeis[p*m.MaxVerts+i]
			if nei >= Portal {
				continue
			}
			q := m.Poly(int(nei))
			j := edgeAt(q, at(poly, i+1), v)
			if j < 0 {
				t.Fatalf("polygon %d edge %d: neighbour %d does not have the edge", p, i, nei)
			}
			if back := m.PolyNeis[int(nei)*m.MaxVerts+j]; back != uint32(p) {
				t.Fatalf("polygon %d edge %d: neighbour %d answers %d", p, i, nei, back)
			}
		}
		for i := len(poly); i < m.MaxVerts; i++ {
			if m.PolyNeis[p*m.MaxVerts+i] != Wall {
				t.Fatalf("polygon %d: unused slot %d has a neighbour", p, i)
			}
		}
	}
	if i := slices.Index(usedVerts, false); i >= 0 {
		t.Fatalf("vertex %d is in no polygon", i)
	}
}

func ringOf(m *Mesh, p int) []point {
	var r []point
	for _, v := range m.Poly(p) {
		r = append(r, flatten(m.Verts[v]))
	}
	return r
}

func totalArea2(m *Mesh) int64 {
	var sum int64
	for p := range m.Len() {
		sum += ringArea2(ringOf(m, p))
	}
	return sum
}

// checkCover asserts that each cell of m2 is covered once where full, and not
// at all elsewhere.
func checkCover(t fataler, m *Mesh, cells *cellMap) {
	t.Helper()
	count := make([]int, len(cells.full))
	for p := range m.Len() {
		r := ringOf(m, p)
		for z := range cells.d {
			for x := range cells.w {
				// Cell centres, on a lattice twice as fine.
				c := point{int32(2*x + 1), int32(2*z + 1)}
				in := true
				for i, a := range r {
					b := r[(i+1)%len(r)]
					// A centre can lie on a cut: half-open, so that it
					// belongs to one side.
					s := area2(point{2 * a.x, 2 * a.z}, point{2 * b.x, 2 * b.z}, c)
					up := b.z > a.z || b.z == a.z && b.x > a.x
					in = in && (s > 0 || s == 0 && up)
				}
				if in {
					count[x+z*cells.w]++
				}
			}
		}
	}
	for i, n := range count {
		want := 0
		if cells.full[i] {
			want = 1
		}
		if n != want {
			t.Fatalf("cell (%d,%d) is covered %d times, want %d", i%cells.w, i/cells.w, n, want)
		}
	}
}

func TestBuildFixtures(t *testing.T) {
	tests := []struct {
		name     string
		ring     []point
		maxVerts int
		want     [][]point // polygons, each from its lowest corner
		area     int64
	}{
		{
			name: "square", maxVerts: 6,
			ring: []point{{0, 0}, {0, 4}, {4, 4}, {4, 0}},
			want: [][]point{{{0, 0}, {0, 4}, {4, 4}, {4, 0}}},
			area: 32,
		},
		{
			name: "square in triangles", maxVerts: 3,
			ring: []point{{0, 0}, {0, 4}, {4, 4}, {4, 0}},
			want: [][]point{{{0, 0}, {0, 4}, {4, 4}}, {{0, 0}, {4, 4}, {4, 0}}},
			area: 32,
		},
		{
			// The corner on the straight side stays, and makes two polygons:
			// a corner that does not turn would not be strictly convex.
			name: "corner on a side", maxVerts: 6,
			ring: []point{{0, 0}, {0, 4}, {4, 4}, {4, 2}, {4, 0}},
			want: [][]point{{{0, 0}, {4, 2}, {4, 0}}, {{0, 0}, {0, 4}, {4, 4}, {4, 2}}},
			area: 32,
		},
		{
			name: "L", maxVerts: 6,
			ring: []point{{0, 0}, {0, 6}, {2, 6}, {2, 2}, {6, 2}, {6, 0}},
			want: [][]point{{{0, 0}, {0, 6}, {2, 6}, {2, 2}}, {{0, 0}, {2, 2}, {6, 2}, {6, 0}}},
			area: 40,
		},
		{
			// The cuts are 0,0-2,5 and the longer 2,5-6,0. With four corners
			// a polygon only one of them can go.
			name: "longest seam first", maxVerts: 4,
			ring: []point{{0, 0}, {0, 4}, {2, 5}, {6, 4}, {6, 0}},
			want: [][]point{{{0, 0}, {0, 4}, {2, 5}}, {{0, 0}, {2, 5}, {6, 4}, {6, 0}}},
			area: 54,
		},
		{
			name: "spike leaves no trace", maxVerts: 6,
			ring: []point{{0, 0}, {0, 4}, {2, 4}, {2, 9}, {2, 4}, {4, 4}, {4, 0}},
			want: [][]point{{{0, 0}, {0, 4}, {2, 4}, {4, 0}}, {{2, 4}, {4, 4}, {4, 0}}},
			area: 32,
		},
		{
			name: "repeated corner", maxVerts: 6,
			ring: []point{{0, 0}, {0, 0}, {0, 4}, {4, 4}, {4, 4}, {4, 0}},
			want: [][]point{{{0, 0}, {0, 4}, {4, 4}, {4, 0}}},
			area: 32,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := build(t, setOf(10, 10, contourOf(tt.ring, 1)), tt.maxVerts)
			var got [][]point
			for p := range m.Len() {
				got = append(got, fromLowest(ringOf(m, p)))
			}
			slices.SortFunc(got, func(a, b []point) int {
				return slices.CompareFunc(a, b, comparePoints)
			})
			slices.SortFunc(tt.want, func(a, b []point) int {
				return slices.CompareFunc(a, b, comparePoints)
			})
			if d := cmp.Diff(tt.want, got, cmp.AllowUnexported(point{})); d != "" {
				t.Errorf("polygons (-want +got):\n%s", d)
			}
			if a := totalArea2(m); a != tt.area {
				t.Errorf("twice the area is %d, want %d", a, tt.area)
			}
			if len(m.Skipped) != 0 {
				t.Errorf("skipped: %v", m.Skipped)
			}
		})
	}
}

func comparePoints(a, b point) int {
	if a.x != b.x {
		return int(a.x - b.x)
	}
	return int(a.z - b.z)
}

func fromLowest(r []point) []point {
	k := 0
	for i := range r {
		if comparePoints(r[i], r[k]) < 0 {
			k = i
		}
	}
	return append(slices.Clone(r[k:]), r[:k]...)
}

func TestBuildCellShapes(t *testing.T) {
	tests := []struct{ name, cells string }{
		{"ring", `
			#####
			#...#
			#.#.#
			#...#
			#####`},
		{"two holes that touch at a corner", `
			######
			#..###
			#..###
			###..#
			###..#
			######`},
		{"pinched", `
			###...
			###...
			######
			.#..##
			.#####
			...###`},
		{"hole that touches the outline at a corner", `
			.#####
			#.####
			######
			######`},
		{"combs", `
			##########
			#.#.#.#.##
			#.#.#.#.##
			#.#.#.#.##
			##########
			#.#.#.#.#.
			#.#.#.#.#.
			#.#.#.#.#.`},
		{"checkered holes", `
			#########
			#.#.#.#.#
			##.#.#.##
			#.#.#.#.#
			#########
			#.#.#.#.#
			#########`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cells := parseCells(tt.cells)
			var cs []contour.Contour
			for i, part := range cells.components() {
				cs = append(cs, contourOf(part.outline(func(point) bool { return false }), region.ID(i+1)))
			}
			m := build(t, setOf(cells.w, cells.d, cs...), 6)
			if len(m.Skipped) != 0 {
				t.Errorf("skipped: %v", m.Skipped)
			}
			checkCover(t, m, cells)
		})
	}
}

// Random cells give outlines with bridges, corners that coincide and corners
// on straight sides: every cell must be covered once.
func TestBuildRandomCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, d := rapid.IntRange(1, 14).Draw(t, "w"), rapid.IntRange(1, 14).Draw(t, "d")
		density := rapid.IntRange(3, 9).Draw(t, "density")
		all := rapid.Bool().Draw(t, "all corners")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		cells := &cellMap{w, d, make([]bool, w*d)}
		for i := range cells.full {
			cells.full[i] = rng.IntN(10) < density
		}
		var cs []contour.Contour
		for i, part := range cells.components() {
			ring := part.outline(func(point) bool { return all || rng.IntN(3) == 0 })
			cs = append(cs, contourOf(ring, region.ID(i+1)))
		}
		m := build(t, setOf(w, d, cs...), rapid.IntRange(3, 8).Draw(t, "max"))
		if len(m.Skipped) != 0 {
			t.Fatalf("skipped: %v", m.Skipped)
		}
		checkCover(t, m, cells)
		if all {
			checkNoTouch(t, m)
		}
	})
}

// Outlines of hundreds of corners, which the clipper keeps in many chunks.
func TestBuildLargeRandomCells(t *testing.T) {
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 3))
		const w, d = 60, 40
		cells := &cellMap{w, d, make([]bool, w*d)}
		for i := range cells.full {
			cells.full[i] = rng.IntN(10) < 6+int(seed%3)
		}
		var cs []contour.Contour
		for i, part := range cells.components() {
			ring := part.outline(func(point) bool { return seed%2 == 0 })
			cs = append(cs, contourOf(ring, region.ID(i+1)))
		}
		m := build(t, setOf(w, d, cs...), 6)
		if len(m.Skipped) != 0 {
			t.Fatalf("skipped: %v", m.Skipped)
		}
		checkCover(t, m, cells)
	}
}

// starOf makes a star-shaped ring round (0, 0): one corner on each of the
// chosen directions, in their order.
func starOf(t *rapid.T) []point {
	dirs := []point{
		{0, 1},
		{1, 3},
		{1, 2},
		{2, 3},
		{1, 1},
		{3, 2},
		{2, 1},
		{3, 1},
		{1, 0},
		{3, -1},
		{2, -1},
		{3, -2},
		{1, -1},
		{2, -3},
		{1, -2},
		{1, -3},
		{0, -1},
		{-1, -3},
		{-1, -2},
		{-2, -3},
		{-1, -1},
		{-3, -2},
		{-2, -1},
		{-3, -1},
		{-1, 0},
		{-3, 1},
		{-2, 1},
		{-3, 2},
		{-1, 1},
		{-2, 3},
		{-1, 2},
		{-1, 3},
	}
	var ring []point
	for i, d := range dirs {
		// The axes stay, so that no two corners are half a turn apart.
		if i%8 == 0 || rapid.Bool().Draw(t, "take") {
			r := rapid.Int32Range(1, 400).Draw(t, "radius")
			ring = append(ring, point{d.x * r, d.z * r})
		}
	}
	return ring
}

func TestBuildRandomStars(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ring := starOf(t)
		m := build(t, setOf(10, 10, contourOf(ring, 1)), rapid.IntRange(3, 6).Draw(t, "max"))
		if len(m.Skipped) != 0 {
			t.Fatalf("skipped: %v", m.Skipped)
		}
		if got, want := totalArea2(m), ringArea2(ring); got != want {
			t.Fatalf("twice the area is %d, want %d", got, want)
		}
		checkNoTouch(t, m)
	})
}

// checkNoTouch asserts that no vertex lies inside an edge: a neighbour is a
// neighbour along whole edges.
func checkNoTouch(t fataler, m *Mesh) {
	t.Helper()
	for p := range m.Len() {
		r := ringOf(m, p)
		for i, a := range r {
			b := r[(i+1)%len(r)]
			for _, v := range m.Verts {
				if q := flatten(v); q != a && q != b && between(a, b, q) {
					t.Fatalf("vertex %v lies on the edge %v-%v of polygon %d", q, a, b, p)
				}
			}
		}
	}
}

// Whatever the outline, polygons are valid, and the area is that of the
// outline or the region is named.
func checkAny(t fataler, ring []point, maxVerts int) {
	t.Helper()
	m := build(t, setOf(10, 10, contourOf(ring, 7)), maxVerts)
	if len(m.Skipped) == 0 {
		if got, want := totalArea2(m), ringArea2(ring); got != want {
			t.Fatalf("twice the area is %d, want %d, and nothing is named", got, want)
		}
	}
	for _, s := range m.Skipped {
		if s.Region != 7 || s.Reason == "" {
			t.Fatalf("skip without a name: %+v", s)
		}
	}
}

func TestBuildTangled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]int32{1, 2, 4, 10, 1000, maxCoord}).Draw(t, "size")
		ring := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) point {
			c := rapid.Int32Range(-size, size)
			return point{c.Draw(t, "x"), c.Draw(t, "z")}
		}), 0, 60).Draw(t, "ring")
		checkAny(t, ring, rapid.IntRange(3, 6).Draw(t, "max"))
	})
}

func FuzzBuild(f *testing.F) {
	f.Add([]byte{0, 0, 0, 4, 4, 4, 4, 0}, uint8(6))
	f.Add([]byte{0, 0, 4, 4, 0, 4, 4, 0}, uint8(6))
	f.Add([]byte{0, 0, 0, 4, 2, 4, 2, 9, 2, 4, 4, 4, 4, 0}, uint8(4))
	f.Fuzz(func(t *testing.T, b []byte, maxVerts uint8) {
		if len(b) > 2000 {
			return
		}
		var ring []point
		for i := 0; i+1 < len(b); i += 2 {
			ring = append(ring, point{int32(int8(b[i])), int32(int8(b[i+1]))})
		}
		checkAny(t, ring, 3+int(maxVerts%6))
	})
}

func TestBuildSkips(t *testing.T) {
	far := int32(maxCoord + 1)
	tests := []struct {
		name string
		ring []point
		want string
	}{
		{"nothing", nil, "outline of 0 corners, want 3 to 32768"},
		{"two corners", []point{{0, 0}, {1, 1}}, "outline of 2 corners, want 3 to 32768"},
		{"too many corners", make([]point, maxCorners+1), "outline of 32769 corners, want 3 to 32768"},
		{"far away", []point{{0, 0}, {0, 4}, {far, 4}}, "corner more than 4194304 cells from the origin"},
		{"clockwise", []point{{0, 0}, {4, 0}, {4, 4}, {0, 4}}, "outline has no area or runs clockwise"},
		{"on a line", []point{{0, 0}, {4, 4}, {8, 8}}, "outline has no area or runs clockwise"},
		{"eight", []point{{0, 0}, {0, 4}, {4, 4}, {1, -4}, {0, 0}, {4, -4}, {4, -2}}, "outline crosses itself"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			good := contourOf([]point{{0, 0}, {0, 1}, {1, 1}}, 1)
			m := build(t, setOf(10, 10, good, contourOf(tt.ring, 9), good), 6)
			if len(m.Skipped) == 0 {
				t.Fatal("nothing is named")
			}
			s := m.Skipped[0]
			if s.Region != 9 || !strings.HasPrefix(s.Reason, tt.want) {
				t.Errorf("skip = %+v, want region 9: %s", s, tt.want)
			}
		})
	}
}

func TestBuildErrors(t *testing.T) {
	s := setOf(10, 10, contourOf([]point{{0, 0}, {0, 1}, {1, 1}}, 1))
	for _, n := range []int{-1, 2, MaxPolyVerts + 1} {
		if _, err := Build(context.Background(), s, n); err == nil || !strings.HasPrefix(err.Error(), "polygonize: ") {
			t.Errorf("%d corners a polygon: error %v", n, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Build(ctx, s, 6); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
	if m, err := Build(context.Background(), &contour.Set{}, 6); err != nil || m.Len() != 0 {
		t.Errorf("no outlines: %v, %v", m, err)
	}
}

func TestBuildWeldsWithinTwoVoxels(t *testing.T) {
	// Two squares share a side; their corners there differ in height.
	for _, tt := range []struct {
		dy   int32
		weld bool
	}{{0, true}, {2, true}, {-2, true}, {3, false}} {
		a := contourOf([]point{{0, 0}, {0, 4}, {4, 4}, {4, 0}}, 1)
		b := contourOf([]point{{4, 0}, {4, 4}, {8, 4}, {8, 0}}, 2)
		for i := range a.Verts {
			a.Verts[i].Y = 10
			b.Verts[i].Y = 10 + tt.dy
		}
		m := build(t, setOf(8, 4, a, b), 6)
		verts, nei := 8, uint32(Wall)
		if tt.weld {
			verts, nei = 6, 1
		}
		if len(m.Verts) != verts {
			t.Errorf("height difference %d: %d vertices, want %d", tt.dy, len(m.Verts), verts)
		}
		if !slices.Contains(m.PolyNeis[:6], nei) || tt.weld != slices.Contains(m.PolyNeis[:6], 1) {
			t.Errorf("height difference %d: neighbours %v", tt.dy, m.PolyNeis[:6])
		}
	}
}

func TestBuildPortals(t *testing.T) {
	ring := []point{{0, 0}, {0, 4}, {6, 4}, {6, 0}}
	want := map[point]uint32{{0, 0}: Portal, {0, 4}: Portal + 1, {6, 4}: Portal + 2, {6, 0}: Portal + 3}
	for _, border := range []int{0, 5} {
		s := setOf(6, 4, contourOf(ring, 1))
		s.BorderSize = border
		m := build(t, s, 4)
		for i, v := range m.Poly(0) {
			w := uint32(Wall)
			if border > 0 {
				w = want[flatten(m.Verts[v])]
			}
			if got := m.PolyNeis[i]; got != w {
				t.Errorf("border %d, edge from %v: %#x, want %#x", border, m.Verts[v], got, w)
			}
		}
	}
}

func TestBuildThirdPolygonOnAnEdge(t *testing.T) {
	a := contourOf([]point{{0, 0}, {0, 4}, {4, 4}, {4, 0}}, 1)
	b := contourOf([]point{{4, 0}, {4, 4}, {8, 4}, {8, 0}}, 2)
	c := contourOf([]point{{4, 0}, {4, 4}, {7, 9}, {9, 0}}, 3)
	m := build(t, setOf(9, 9, a, b, c), 6)
	if m.Len() != 3 || m.PolyNeis[edgeFrom(m, 1, point{4, 0})] != 0 || m.PolyNeis[edgeFrom(m, 2, point{4, 0})] != Wall {
		t.Errorf("%d polygons, neighbours %v", m.Len(), m.PolyNeis)
	}
	if len(m.Skipped) != 1 || m.Skipped[0].Region != 3 || !strings.Contains(m.Skipped[0].Reason, "more than two polygons") {
		t.Errorf("skipped = %v", m.Skipped)
	}
}

func edgeFrom(m *Mesh, p int, a point) int {
	for i, v := range m.Poly(p) {
		if flatten(m.Verts[v]) == a {
			return p*m.MaxVerts + i
		}
	}
	return -1
}

// Two regions side by side along the border of a tile: the corner between
// them on the border exists only because of the frame.
func TestBuildErasesBorderVertices(t *testing.T) {
	mark := func(c contour.Contour, p point) contour.Contour {
		for i := range c.Verts {
			if (point{c.Verts[i].X, c.Verts[i].Z}) == p {
				c.Verts[i].BorderVertex = true
			}
		}
		return c
	}
	corner := point{0, 4}
	a := mark(contourOf([]point{{0, 0}, {0, 4}, {3, 5}, {6, 4}, {6, 0}}, 1), corner)
	b := mark(contourOf([]point{{0, 4}, {0, 9}, {6, 9}, {6, 4}, {3, 5}}, 2), corner)
	s := setOf(6, 9, a, b)
	s.BorderSize = 5
	m := build(t, s, 6)
	for _, v := range m.Verts {
		if flatten(v) == corner {
			t.Errorf("the border vertex is still there")
		}
	}
	if got, want := totalArea2(m), int64(2*6*9); got != want {
		t.Errorf("twice the area is %d, want %d", got, want)
	}
	if !slices.Contains(m.Region, Mixed) {
		t.Errorf("regions %v: the polygon over both is not mixed", m.Region)
	}
	if len(m.Skipped) != 0 {
		t.Errorf("skipped: %v", m.Skipped)
	}
	// Two triangles would leave too little to stand on.
	tri1 := mark(contourOf([]point{{0, 0}, {0, 4}, {6, 4}}, 1), corner)
	tri2 := mark(contourOf([]point{{0, 4}, {0, 9}, {6, 4}}, 2), corner)
	if m = build(t, setOf(6, 9, tri1, tri2), 6); m.Len() != 2 {
		t.Errorf("%d polygons, want the two triangles", m.Len())
	}
	// With two areas the corner must stay: no polygon has both.
	b.Area++
	if m = build(t, setOf(6, 9, a, b), 6); !slices.ContainsFunc(m.Verts, func(v Vert) bool { return flatten(v) == corner }) {
		t.Errorf("a corner between two areas was taken out")
	}
	// A corner that is not on a straight line holds area and must stay.
	c := mark(contourOf([]point{{1, 0}, {0, 4}, {3, 5}, {6, 4}, {6, 0}}, 1), corner)
	d := mark(contourOf([]point{{0, 4}, {1, 9}, {6, 9}, {6, 4}, {3, 5}}, 2), corner)
	if m = build(t, setOf(6, 9, c, d), 6); !slices.ContainsFunc(m.Verts, func(v Vert) bool { return flatten(v) == corner }) {
		t.Errorf("a corner that holds area was taken out")
	}
}

// Cells of a random map split into random stripes along a border, with every
// corner between stripes marked: erasing keeps the cover.
func TestBuildErasesRandomBorders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, d := 8, rapid.IntRange(2, 16).Draw(t, "d")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		cells := &cellMap{w, d, make([]bool, w*d)}
		stripe := make([]int, d)
		for z := range d {
			if z > 0 {
				stripe[z] = stripe[z-1] + rng.IntN(2)
			}
			for x := range w {
				cells.full[x+z*w] = x < 4 || rng.IntN(3) > 0
			}
		}
		var cs []contour.Contour
		reg := region.ID(0)
		owner := make([]region.ID, w*d)
		for k := 0; k <= stripe[d-1]; k++ {
			part := &cellMap{w, d, make([]bool, w*d)}
			for i, f := range cells.full {
				part.full[i] = f && stripe[i/w] == k
			}
			for _, one := range part.components() {
				reg++
				for i, f := range one.full {
					if f {
						owner[i] = reg
					}
				}
				c := contourOf(one.outline(func(point) bool { return rng.IntN(4) == 0 }), reg)
				for i, v := range c.Verts {
					c.Verts[i].BorderVertex = v.X == 0 && v.Z > 0 && int(v.Z) < d
				}
				cs = append(cs, c)
			}
		}
		s := setOf(w, d, cs...)
		s.BorderSize = 3
		m := build(t, s, rapid.IntRange(3, 6).Draw(t, "max"))
		checkCover(t, m, cells)
		for p := range m.Len() {
			r := ringOf(m, p)
			for i, own := range owner {
				c := point{int32(2*(i%w) + 1), int32(2*(i/w) + 1)}
				in := true
				for k, a := range r {
					b := r[(k+1)%len(r)]
					in = in && left(point{2 * a.x, 2 * a.z}, point{2 * b.x, 2 * b.z}, c)
				}
				if in && m.Region[p] != Mixed && m.Region[p] != own {
					t.Fatalf("polygon %d of region %d holds cell (%d,%d) of region %d", p, m.Region[p], i%w, i/w, own)
				}
			}
		}
	})
}
