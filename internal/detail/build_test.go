package detail

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wend/geom"
	"wend/internal/heightfield"
	"wend/internal/polygonize"
	"wend/internal/region"
)

func (w *world) detail(t fataler, pm *polygonize.Mesh, o Options) *Mesh {
	t.Helper()
	c, r := w.build()
	m, err := Build(context.Background(), pm, c, r, w.border, o, 1)
	if err != nil {
		t.Fatalf("Build: %v", err)
	}
	check(t, pm, m)
	return m
}

func flat(int, int) int { return 0 }

func one(f func(x, z int) int) func(x, z int) []floor {
	return func(x, z int) []floor { return []floor{{f(x, z), 1}} }
}

func TestBuildCornersOnly(t *testing.T) {
	w := &world{
		grid:   heightfield.Grid{W: 10, D: 10, Origin: geom.V3(-1, 2, 3), Cell: 0.5, CellHeight: 0.25},
		floors: one(flat),
	}
	tri := polyOf{1, []polygonize.Vert{{X: 0, Y: 3, Z: 0}, {X: 0, Y: 3, Z: 8}, {X: 4, Y: 7, Z: 0}}}
	got := w.detail(t, w.meshOf(rect(1, 2, 2, 6, 5, flat), tri), Options{})
	want := &Mesh{
		Subs: []Sub{{0, 4, 0, 2}, {4, 3, 2, 1}},
		Verts: []geom.Vec3f{
			{X: 0, Y: 1.875, Z: 4},
			{X: 0, Y: 1.875, Z: 5.5},
			{X: 2, Y: 1.875, Z: 5.5},
			{X: 2, Y: 1.875, Z: 4},
			{X: -1, Y: 2.625, Z: 3},
			{X: -1, Y: 2.625, Z: 7},
			{X: 1, Y: 3.625, Z: 3},
		},
		Tris: []Tri{
			{[3]uint8{0, 1, 3}, 0b101},
			{[3]uint8{1, 2, 3}, 0b011},
			{[3]uint8{0, 1, 2}, 0b111},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("mesh (-want +got):\n%s", d)
	}
}

func TestBuildFlatNeedsNoSamples(t *testing.T) {
	w := &world{
		grid:   heightfield.Grid{W: 60, D: 60, Cell: 0.3, CellHeight: 0.2},
		floors: one(func(int, int) int { return 7 }), climb: 4,
	}
	m := w.detail(t, w.meshOf(rect(1, 0, 0, 60, 60, func(int, int) int { return 7 })), Options{1.8, 0.2})
	if len(m.Verts) != 4 || len(m.Tris) != 2 {
		t.Errorf("%d vertices, %d triangles, want 4 and 2", len(m.Verts), len(m.Tris))
	}
}

// A step of 5 voxels across the middle: the edges it crosses get samples and
// the inside too.
func TestBuildTerrace(t *testing.T) {
	step := func(x, _ int) int {
		if x < 30 {
			return 10
		}
		return 15
	}
	w := &world{
		grid:   heightfield.Grid{W: 60, D: 60, Cell: 0.25, CellHeight: 0.125},
		floors: one(step), climb: 8,
	}
	m := w.detail(t, w.meshOf(rect(1, 0, 0, 60, 60, step)), Options{1, 0.125})
	// Samples lie on a grid of 1 m: between them the surface is a slope.
	for x := 0.5; x < 15; x++ {
		for z := 0.5; z < 15; z++ {
			got, ok := surface(m, 0, x, z)
			if !ok {
				t.Fatalf("no surface at %v, %v", x, z)
			}
			y := (float64(step(int(x/0.25), 0)) - 0.5) * 0.125
			tolerance := 0.125 + 1e-4
			if math.Abs(x-7.5) < 1.1 {
				tolerance = 5*0.125 + 1e-4
			}
			if math.Abs(got-y) > tolerance {
				t.Errorf("height %v at (%v, %v), field %v", got, x, z, y)
			}
		}
	}
}

// A ramp from (0, 0) to (12, 4) passes under a bridge deck at 4.25: each has
// its own heights, wherever the other is.
func TestBuildRampUnderBridge(t *testing.T) {
	const cell, ch = 0.25, 0.125
	ramp := func(x int) int { return int((float64(x) + 0.5) * cell / 3 / ch) }
	const deck = int(4.25 / ch)
	for _, border := range []int{0, 3} {
		w := &world{
			grid: heightfield.Grid{W: 48, D: 16, Origin: geom.V3(-3, 1, 8), Cell: cell, CellHeight: ch}, climb: 4, border: border,
			floors: func(x, z int) []floor {
				return []floor{{ramp(max(x, 0)), 1}, {deck, 2}}
			},
		}
		// The deck reaches over the whole ramp. At its upper end the two are
		// one step apart and connected, as a landing would be.
		pm := w.meshOf(
			rect(1, 0, 0, 48, 16, func(x, _ int) int { return ramp(min(x, 47)) }),
			rect(2, 0, 0, 48, 16, func(int, int) int { return deck }),
		)
		for _, o := range []Options{{1.5, 0.125}, {0.5, 0.05}, {0, 0}} {
			m := w.detail(t, pm, o)
			for x := 0.05; x < 12; x += 0.1 {
				for z := 0.05; z < 4; z += 0.3 {
					low, ok1 := surface(m, 0, x-3, z+8)
					high, ok2 := surface(m, 1, x-3, z+8)
					if !ok1 || !ok2 {
						t.Fatalf("no surface at %v, %v", x, z)
					}
					if want := x/3 - ch/2 + 1; math.Abs(low-want) > 2*ch+o.SampleMaxError {
						t.Fatalf("options %v: ramp is %v high at (%v, %v), want %v", o, low, x, z, want)
					}
					if want := 4.25 - ch/2 + 1; math.Abs(high-want) > 1e-4 {
						t.Fatalf("options %v: deck is %v high at (%v, %v), want %v", o, high, x, z, want)
					}
				}
			}
		}
	}
}

// A staircase of 16 steps, 0.25 high and 0.3 deep, runs up along a wall. An
// upper floor begins behind the wall and at the head of the stairs. The
// outline of the stairs, simplified, reaches a cell into the wall.
func TestBuildStairsBesideWall(t *testing.T) {
	const cell, ch, climb = 0.1, 0.05, 10
	stairs := func(x int) int { return min(x/3+1, 16) * 5 }
	w := &world{
		grid: heightfield.Grid{W: 60, D: 30, Cell: cell, CellHeight: ch}, climb: climb,
		floors: func(x, z int) []floor {
			upper := floor{16 * 5, 2}
			switch {
			case x >= 48:
				return []floor{upper}
			case z < 12:
				return []floor{{stairs(x), 1}}
			case z < 14:
				return nil // wall
			default:
				return []floor{{1, 3}, upper}
			}
		},
	}
	for _, reach := range []int{0, 1, 2} {
		for _, id := range []region.ID{1, polygonize.Mixed, 99} {
			pm := w.meshOf(rect(id, 0, 0, 48, 12+reach, func(x, _ int) int { return stairs(min(x, 47)) }))
			for _, o := range []Options{{0.6, 0.05}, {0.3, 0.02}, {2, 0.2}} {
				m := w.detail(t, pm, o)
				for x := 0.05; x < 4.8; x += 0.1 {
					for z := 0.05; z < 1.2; z += 0.1 {
						got, ok := surface(m, 0, x, z)
						want := (float64(stairs(int(x/cell))) - 0.5) * ch
						if !ok || math.Abs(got-want) > climb*ch {
							t.Fatalf("region %d, reach %d, options %v: stairs are %v high at (%v, %v), want %v", id, reach, o, got, x, z, want)
						}
					}
				}
			}
		}
	}
}

// Where the region has no cell under the polygon, heights come from the
// storey the corners lie on, also when another lies over it.
func TestBuildMixedRegionKeepsItsStorey(t *testing.T) {
	w := &world{
		grid: heightfield.Grid{W: 40, D: 40, Cell: 0.3, CellHeight: 0.2}, climb: 4,
		floors: func(x, z int) []floor {
			return []floor{{x, region.ID(1 + x/20)}, {60, 3}, {90 + z, 4}, {200, 0}}
		},
	}
	slope := func(x, _ int) int { return x }
	deck := func(int, int) int { return 60 }
	top := func(_, z int) int { return 90 + z }
	m := w.detail(t, w.meshOf(
		rect(polygonize.Mixed, 5, 5, 35, 35, slope),
		rect(polygonize.Mixed, 5, 5, 35, 35, deck),
		rect(77, 5, 5, 35, 35, top),
	), Options{1.8, 0.2})
	for p, f := range []func(x, z int) int{slope, deck, top} {
		for x := 5; x < 35; x++ {
			for z := 5; z < 35; z++ {
				got, _ := surface(m, p, (float64(x)+0.5)*0.3, (float64(z)+0.5)*0.3)
				if want := (float64(f(x, z)) - 0.5) * 0.2; math.Abs(got-want) > 0.4 {
					t.Fatalf("polygon %d: height %v in cell (%d, %d), want %v", p, got, x, z, want)
				}
			}
		}
	}
}

// A strip narrower than the sample distance: waves along one side, flat along
// the other. Triangles that reach far along the strip would carry the waves
// over to the flat half.
func TestBuildNarrowStrip(t *testing.T) {
	wave := func(x, z int) int {
		if z >= 4 {
			return 20
		}
		return 10 + max(x%40, 40-x%40) - 20
	}
	w := &world{
		grid:   heightfield.Grid{W: 200, D: 8, Cell: 0.25, CellHeight: 0.125},
		floors: one(wave), climb: 30,
	}
	m := w.detail(t, w.meshOf(rect(1, 0, 0, 200, 8, func(x, z int) int { return wave(min(x, 199), min(z, 7)) })), Options{3, 0.125})
	for x := 8; x < 192; x++ { // the ends are too short for samples
		for z := 4; z < 8; z++ {
			got, _ := surface(m, 0, (float64(x)+0.5)*0.25, (float64(z)+0.5)*0.25)
			if want := 21 * 0.125; math.Abs(got-want) > 3*0.125 {
				t.Fatalf("height %v in cell (%d, %d), want %v", got, x, z, want)
			}
		}
	}
}

// A polygon over cells that have no floor keeps the plane of its corners.
func TestBuildWithoutField(t *testing.T) {
	w := &world{
		grid:   heightfield.Grid{W: 40, D: 40, Cell: 0.3, CellHeight: 0.2},
		floors: func(int, int) []floor { return nil },
	}
	m := w.detail(t, w.meshOf(rect(1, 5, 5, 35, 35, func(x, _ int) int { return x })), Options{1.8, 0.2})
	if len(m.Verts) != 4 || len(m.Tris) != 2 {
		t.Errorf("%d vertices, %d triangles, want 4 and 2", len(m.Verts), len(m.Tris))
	}
	// Outside of the grid altogether.
	w.detail(t, w.meshOf(rect(1, 50, 50, 85, 85, flat)), Options{1.8, 0.2})
	w.detail(t, w.meshOf(rect(0, -90, -50, -20, -10, flat)), Options{1.8, 0.2})
}

// Two polygons with a common edge put the same vertices on it.
func TestBuildNoSeams(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 4))
		w := &world{
			grid:   heightfield.Grid{W: 60, D: 60, Cell: 0.3, CellHeight: 0.2},
			floors: one(func(x, z int) int { return (x*x+3*z*z)/40%23 + rng.IntN(2) }), climb: 30,
		}
		c := rapid.Int32Range(0, 10)
		p := polygonize.Vert{X: c.Draw(t, "x"), Z: c.Draw(t, "z")}
		q := polygonize.Vert{X: 50 - c.Draw(t, "x"), Z: 55 - c.Draw(t, "z")}
		a := polyOf{1, []polygonize.Vert{p, {X: 5, Z: 58}, q}}
		b := polyOf{1, []polygonize.Vert{q, {X: 58, Z: 5}, p}}
		m := w.detail(t, w.meshOf(a, b), Options{0.9, 0.2})
		onEdge := func(k int) map[geom.Vec3f]bool {
			s, set := m.Subs[k], map[geom.Vec3f]bool{}
			from := geom.V3(float64(p.X)*0.3, 0, float64(p.Z)*0.3)
			to := geom.V3(float64(q.X)*0.3, 0, float64(q.Z)*0.3)
			for _, v := range m.Verts[s.VertBase+3 : s.VertBase+s.VertCount] {
				if _, d := geom.ClosestOnSegXZ(v.Wide(), from, to); d < 1e-6 {
					set[v] = true
				}
			}
			return set
		}
		if got, want := onEdge(0), onEdge(1); len(got) < 2 || !reflect.DeepEqual(got, want) {
			t.Fatalf("vertices on the common edge: %v and %v", got, want)
		}
	})
}

// randomConvex makes a strictly convex ring from lattice steps by slope.
func randomConvex(t *rapid.T, size int32) []polygonize.Vert {
	steps := [][2]int32{{0, 1}, {1, 3}, {1, 2}, {1, 1}, {2, 1}, {3, 1}}
	n := rapid.IntRange(1, len(steps)).Draw(t, "steps")
	var quarter [][2]int32
	for i, s := range steps {
		if i == 0 || rapid.IntRange(0, len(steps)).Draw(t, "take") < n {
			k := rapid.Int32Range(1, size).Draw(t, "length")
			quarter = append(quarter, [2]int32{s[0] * k, s[1] * k})
		}
	}
	// The steps turned by quarters close the ring; +Z then +X is
	// counter-clockwise.
	var out []polygonize.Vert
	x, z := int32(0), int32(0)
	turns := [4][4]int32{{1, 0, 0, 1}, {0, 1, -1, 0}, {-1, 0, 0, -1}, {0, -1, 1, 0}}
	for _, m := range turns {
		for _, s := range quarter {
			out = append(out, polygonize.Vert{X: x, Z: z})
			x += m[0]*s[0] + m[1]*s[1]
			z += m[2]*s[0] + m[3]*s[1]
		}
	}
	lowX, lowZ := int32(0), int32(0)
	for _, v := range out {
		lowX, lowZ = min(lowX, v.X), min(lowZ, v.Z)
	}
	for i := range out {
		out[i].X -= lowX
		out[i].Z -= lowZ
	}
	return out
}

// On any ground the triangulation is sound and meets every sample of the
// grid, unless it has run out of vertices.
func TestBuildRandomGround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ring := randomConvex(t, rapid.SampledFrom([]int32{1, 2, 5, 12}).Draw(t, "size"))
		side := 1
		for _, v := range ring {
			side = max(side, int(v.X), int(v.Z))
		}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		rough := rapid.IntRange(0, 12).Draw(t, "roughness")
		ys := make([]int, side*side)
		for i := range ys {
			x, z := i%side, i/side
			ys[i] = 40 + x*rough/4 + rng.IntN(1+rough) + 3*(z/7)
		}
		w := &world{
			grid:  heightfield.Grid{W: side, D: side, Origin: geom.V3(100, -5, 30), Cell: 0.3, CellHeight: 0.2},
			climb: 200,
			floors: func(x, z int) []floor {
				return []floor{{ys[x+z*side], 1}}
			},
		}
		at := func(x, z int) int { return ys[min(x, side-1)+min(z, side-1)*side] }
		for i := range ring {
			ring[i].Y = int32(at(int(ring[i].X), int(ring[i].Z)))
		}
		o := Options{
			SampleDist:     float64(rapid.IntRange(1, 12).Draw(t, "distance")) * 0.3,
			SampleMaxError: float64(rapid.IntRange(0, 4).Draw(t, "error")) * 0.2,
		}
		pm := w.meshOf(polyOf{1, ring})
		m := w.detail(t, pm, o)
		if m.Subs[0].VertCount == MaxVerts || width(ring)*0.3 < 2*o.SampleDist { // a finer grid, or cut short
			return
		}
		for i := 0; float64(i)*o.SampleDist < float64(side)*0.3; i++ {
			for j := 0; float64(j)*o.SampleDist < float64(side)*0.3; j++ {
				x, z := float64(i)*o.SampleDist, float64(j)*o.SampleDist
				if inset(ring, x/0.3, z/0.3) < o.SampleDist/2/0.3+1e-6 {
					continue
				}
				got, ok := surface(m, 0, 100+x, 30+z)
				want := -5 + (float64(at(int(x/0.3+0.01), int(z/0.3+0.01)))-0.5)*0.2
				if !ok || math.Abs(got-want) > o.SampleMaxError+1e-3 {
					t.Fatalf("surface is %v high at sample (%v, %v), field %v, error %v", got, x, z, want, o.SampleMaxError)
				}
			}
		}
	})
}

// inset is how far a place lies inside all edges, in cells.
func inset(ring []polygonize.Vert, x, z float64) float64 {
	least := math.Inf(1)
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		dx, dz := float64(b.X-a.X), float64(b.Z-a.Z)
		least = min(least, (dz*(x-float64(a.X))-dx*(z-float64(a.Z)))/math.Sqrt(dx*dx+dz*dz))
	}
	return least
}

func width(ring []polygonize.Vert) float64 {
	least := math.Inf(1)
	for i := range ring {
		far := 0.0
		for _, v := range ring {
			edge := []polygonize.Vert{ring[i], ring[(i+1)%len(ring)]}
			far = max(far, inset(edge[:2], float64(v.X), float64(v.Z)))
		}
		least = min(least, far)
	}
	return least
}

func TestBuildSameForAnyWorkers(t *testing.T) {
	w, pm := benchWorld(200, 12)
	c, r := w.build()
	want, err := Build(context.Background(), pm, c, r, w.border, Options{1.8, 0.2}, 1)
	if err != nil {
		t.Fatal(err)
	}
	check(t, pm, want)
	for _, workers := range []int{0, 2, 5, 100} {
		got, err := Build(context.Background(), pm, c, r, w.border, Options{1.8, 0.2}, workers)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers: another mesh, error %v", workers, err)
		}
	}
}

// The same bytes on every platform.
func TestBuildBytes(t *testing.T) {
	w, pm := benchWorld(240, 12)
	m := w.detail(t, pm, Options{1.7, 0.15})
	h := fnv.New64a()
	for _, part := range []any{m.Subs, m.Verts, m.Tris} {
		if err := binary.Write(h, binary.LittleEndian, part); err != nil {
			t.Fatal(err)
		}
	}
	const want = 0x802834198cf4f9ea
	if got := h.Sum64(); got != want {
		t.Errorf("hash of the mesh is %#x, want %#x", got, uint64(want))
	}
}

func TestBuildErrors(t *testing.T) {
	w := &world{grid: heightfield.Grid{W: 4, D: 4, Cell: 1, CellHeight: 1}, floors: one(flat)}
	pm := w.meshOf(rect(1, 0, 0, 4, 4, flat))
	c, r := w.build()
	nan := math.NaN()
	wide := *pm
	wide.MaxVerts = 65
	noCell := *pm
	noCell.Cell = 0
	tests := []struct {
		name   string
		pm     *polygonize.Mesh
		r      *region.Result
		border int
		o      Options
		want   string
	}{
		{"negative distance", pm, r, 0, Options{-1, 1}, "detail: sample distance -1 m"},
		{"distance is no number", pm, r, 0, Options{nan, 1}, "detail: sample distance NaN m"},
		{"negative error", pm, r, 0, Options{1, -1}, "detail: sample error -1 m"},
		{"border", pm, r, 2, Options{1, 1}, "detail: a mesh of 4 x 4 cells with a border of 2 does not fit a field of 4 x 4"},
		{"partition", pm, &region.Result{}, 0, Options{1, 1}, "detail: a partition of 0 cells does not fit a field of 16"},
		{"corners", &wide, r, 0, Options{1, 1}, "detail: 65 corners a polygon"},
		{"cells", &noCell, r, 0, Options{1, 1}, "detail: cells of 0 x 1 m"},
	}
	for _, tt := range tests {
		if _, err := Build(context.Background(), tt.pm, c, tt.r, tt.border, tt.o, 1); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.name, err, tt.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Build(ctx, pm, c, r, 0, Options{1, 1}, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}

// A huge polygon with a tiny sample distance stays within its limits.
func TestBuildLimits(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	w := &world{
		grid:   heightfield.Grid{W: 300, D: 300, Cell: 0.3, CellHeight: 0.2},
		floors: one(func(int, int) int { return rng.IntN(30) }), climb: 30,
	}
	m := w.detail(t, w.meshOf(rect(1, 0, 0, 300, 300, flat)), Options{0.01, 0})
	if got := m.Subs[0].VertCount; got != MaxVerts {
		t.Errorf("%d vertices, want %d", got, MaxVerts)
	}
}
