package heightfield

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wend/geom"
)

// oddGrid has no coordinate that binary fractions hold exactly.
func oddGrid(w, d int) Grid {
	return Grid{W: w, D: d, Origin: geom.V3(-3.7, 1.3, 11.1), Cell: 0.3, CellHeight: 0.2}
}

// unitGrid measures in cells and voxels.
func unitGrid(w, d int) Grid { return Grid{W: w, D: d, Cell: 1, CellHeight: 1} }

func mustRasterize(tb testing.TB, g Grid, verts []geom.Vec3, tris []Tri, mergeClimb int) *Solid {
	tb.Helper()
	s, err := Rasterize(context.Background(), g, verts, tris, mergeClimb, 1)
	if err != nil {
		tb.Fatal(err)
	}
	if err := s.valid(); err != nil {
		tb.Fatal(err)
	}
	return s
}

// valid checks what Solid promises.
func (s *Solid) valid() error {
	if len(s.Start) != s.W*s.D+1 || s.Start[0] != 0 || int(s.Start[s.W*s.D]) != len(s.Spans) {
		return fmt.Errorf("bad Start")
	}
	for c := range s.W * s.D {
		for i, sp := range s.column(c) {
			if sp.Min >= sp.Max {
				return fmt.Errorf("column %d: empty span %v", c, sp)
			}
			if i > 0 && sp.Min <= s.column(c)[i-1].Max {
				return fmt.Errorf("column %d: span %d touches the one below", c, i)
			}
		}
	}
	return nil
}

// text shows a field, a line for each column that is not empty.
func (s *Solid) text() string {
	var b strings.Builder
	for c := range s.W * s.D {
		if col := s.column(c); len(col) > 0 {
			fmt.Fprintf(&b, "%d,%d:", c%s.W, c/s.W)
			for _, sp := range col {
				fmt.Fprintf(&b, " %d-%d/%d", sp.Min, sp.Max, sp.Area)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// randomTri returns a triangle with lattice coordinates around a grid of 6 x 6
// cells. Half of them are walls.
func randomTri(r *rand.Rand) latticeTri {
	t := latticeTri{area: uint8(r.IntN(4))}
	span := int64(2 + r.IntN(50))
	at := func(size int64) (base int64) { return r.Int64N(size+10) - 10 }
	x0, z0, h0 := at(50), at(50), at(60)
	coarse := r.IntN(2) == 0 // corners on whole cells: touches abound
	for i := range t.p {
		x, z := x0+r.Int64N(span), z0+r.Int64N(span)
		h := h0 + r.Int64N(40)
		if coarse {
			x, z, h = x/unit*unit, z/unit*unit, h/unit*unit
		}
		t.p[i] = latticePoint{x, z, h}
	}
	switch r.IntN(6) {
	case 0: // a wall: the third corner in the plane of the others
		t.p[2].x, t.p[2].z = t.p[0].x, t.p[0].z
	case 1: // a wall along an axis
		t.p[1].x, t.p[2].x = t.p[0].x, t.p[0].x
	case 2:
		t.p[1].z, t.p[2].z = t.p[0].z, t.p[0].z
	case 3: // level
		t.p[1].h, t.p[2].h = t.p[0].h, t.p[0].h
	}
	return t
}

// Integer arithmetic on the same triangles gives the same spans, one triangle
// at a time.
func TestRasterizeMatchesExactTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 6000 {
		g := unitGrid(6, 6)
		if i%2 == 1 {
			g = oddGrid(6, 6)
		}
		tri := []latticeTri{randomTri(r)}
		verts, tris := world(g, tri)
		s := mustRasterize(t, g, verts, tris, 0)
		want := exactColumns(g.W, g.D, tri, 0)
		for c := range want {
			if got := s.column(c); !slices.Equal(got, want[c]) {
				t.Fatalf("triangle %d %v, cell (%d, %d): got %v, want %v", i, tri[0].p, c%g.W, c/g.W, got, want[c])
			}
		}
	}
}

// So do heaps of triangles, merged, for any way to feed them in.
func TestMergeMatchesDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 60 {
		g := oddGrid(6, 6)
		var tri []latticeTri
		for range 1 + r.IntN(40) {
			tri = append(tri, randomTri(r))
		}
		mergeClimb := r.IntN(6)
		want := exactColumns(g.W, g.D, tri, mergeClimb)
		for limit := range 3 {
			r.Shuffle(len(tri), func(a, b int) { tri[a], tri[b] = tri[b], tri[a] })
			for k := range tri {
				p := &tri[k].p
				for range r.IntN(3) {
					p[0], p[1], p[2] = p[1], p[2], p[0]
				}
			}
			verts, tris := world(g, tri)
			// With a low limit the band is reduced again and again.
			s, err := rasterize(t.Context(), g, verts, tris, mergeClimb, 1, []int{rawLimit, 1, 50}[limit])
			if err != nil {
				t.Fatal(err)
			}
			for c := range want {
				if got := s.column(c); !slices.Equal(got, want[c]) {
					t.Fatalf("set %d, limit %d, cell (%d, %d): got %v, want %v", i, limit, c%g.W, c/g.W, got, want[c])
				}
			}
		}
	}
}

// soup returns triangles of all sizes over a grid.
func soup(r *rand.Rand, g Grid, n int) ([]geom.Vec3, []Tri) {
	var verts []geom.Vec3
	var tris []Tri
	for i := range n {
		size := []float64{1, 5, 40, 300}[r.IntN(4)]
		cx, cz := r.Float64()*float64(g.W), r.Float64()*float64(g.D)
		cy := r.Float64() * 400
		for range 3 {
			verts = append(verts, geom.V3(
				g.Origin.X+(cx+(r.Float64()-0.5)*size)*g.Cell,
				g.Origin.Y+(cy+r.Float64()*size)*g.CellHeight,
				g.Origin.Z+(cz+(r.Float64()-0.5)*size)*g.Cell))
		}
		k := uint32(3 * i)
		tris = append(tris, Tri{k, k + 1, k + 2, uint8(r.IntN(3))})
	}
	return verts, tris
}

func TestRasterizeIsIndependentOfOrderAndWorkers(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	g := oddGrid(100, 400) // five bands
	verts, tris := soup(r, g, 150)
	want := mustRasterize(t, g, verts, tris, 3)
	for workers := range 6 {
		r.Shuffle(len(tris), func(a, b int) { tris[a], tris[b] = tris[b], tris[a] })
		for i := range tris {
			if r.IntN(2) == 0 {
				tris[i].A, tris[i].B, tris[i].C = tris[i].B, tris[i].C, tris[i].A
			}
		}
		got, err := Rasterize(t.Context(), g, verts, tris, 3, workers)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.text(), got.text()); diff != "" {
			t.Fatalf("%d workers (-want +got):\n%s", workers, diff)
		}
	}
}

// A tile sees of the level what the whole grid sees there.
func TestTileEqualsPartOfWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	g := oddGrid(120, 90)
	verts, tris := soup(r, g, 300)
	whole := mustRasterize(t, g, verts, tris, 2)
	for range 20 {
		x0, z0 := r.IntN(g.W-1), r.IntN(g.D-1)
		tile := g
		tile.W, tile.D = 1+r.IntN(g.W-x0), 1+r.IntN(g.D-z0)
		tile.Origin.X += float64(float64(x0) * g.Cell)
		tile.Origin.Z += float64(float64(z0) * g.Cell)
		s := mustRasterize(t, tile, verts, tris, 2)
		for z := range tile.D {
			for x := range tile.W {
				want := whole.column(x0 + x + (z0+z)*g.W)
				if got := s.column(x + z*tile.W); !slices.Equal(got, want) {
					t.Fatalf("tile at (%d, %d), cell (%d, %d): got %v, want %v", x0, z0, x, z, got, want)
				}
			}
		}
	}
}

// Every point of a triangle that is not on a cell's border is inside a span.
func TestRasterizeIsConservative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := oddGrid(20, 20)
		f := rapid.Float64Range(-30, 50)
		h := rapid.Float64Range(-10, 200)
		var p [3]point
		var verts []geom.Vec3
		for i := range p {
			p[i] = point{f.Draw(t, "x"), f.Draw(t, "z"), h.Draw(t, "h")}
			verts = append(verts, geom.V3(
				g.Origin.X+p[i].x*g.Cell, g.Origin.Y+p[i].h*g.CellHeight, g.Origin.Z+p[i].z*g.Cell))
		}
		s, err := Rasterize(context.Background(), g, verts, []Tri{{0, 1, 2, Ground}}, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		const n = 60
		for i := range n + 1 {
			for j := range n + 1 - i {
				a, b := float64(i)/n, float64(j)/n
				c := 1 - a - b
				x := a*p[0].x + b*p[1].x + c*p[2].x
				z := a*p[0].z + b*p[1].z + c*p[2].z
				h := a*p[0].h + b*p[1].h + c*p[2].h
				fx, fz := x-math.Floor(x), z-math.Floor(z)
				const e = 2 * slack
				if fx < e || fx > 1-e || fz < e || fz > 1-e || x < 0 || z < 0 || x >= 20 || z >= 20 || h < 0 {
					continue
				}
				col := s.column(int(x) + int(z)*g.W)
				if len(col) != 1 || h < float64(col[0].Min)-e || h > float64(col[0].Max)+e {
					t.Fatalf("point (%g, %g, %g) of %v is outside of %v", x, h, z, p, col)
				}
			}
		}
	})
}

// quad returns two triangles.
func quad(a, b, c, d geom.Vec3, area uint8) ([]geom.Vec3, []Tri) {
	return []geom.Vec3{a, b, c, d}, []Tri{{0, 1, 2, area}, {0, 2, 3, area}}
}

func TestWalls(t *testing.T) {
	wall := func(x0, z0, x1, z1 float64) ([]geom.Vec3, []Tri) {
		return quad(geom.V3(x0, 0, z0), geom.V3(x1, 0, z1), geom.V3(x1, 3, z1), geom.V3(x0, 3, z0), Unwalkable)
	}
	const tiny = 1e-7
	tests := []struct {
		name           string
		x0, z0, x1, z1 float64
		want           string // cells
	}{
		{"on a border in x", 2, 1, 2, 3, "2,1 2,2"},
		{"just before it", 2 - tiny, 1, 2 - tiny, 3, "2,1 2,2"},
		{"just behind it", 2 + tiny, 1, 2 + tiny, 3, "2,1 2,2"},
		{"leaning over it", 2 - tiny, 1, 2 + tiny, 3, "2,1 2,2"},
		{"on a border, facing +x", 2, 3, 2, 1, "1,1 1,2"},
		{"just before it, facing +x", 2 - tiny, 3, 2 - tiny, 1, "1,1 1,2"},
		{"just behind it, facing +x", 2 + tiny, 3, 2 + tiny, 1, "1,1 1,2"},
		{"on a border in z", 1, 2, 3, 2, "1,1 2,1"},
		{"just before it in z", 1, 2 - tiny, 3, 2 - tiny, "1,1 2,1"},
		{"leaning over it in z", 1, 2 - tiny, 3, 2 + tiny, "1,1 2,1"},
		{"on a border, facing -z", 3, 2, 1, 2, "1,2 2,2"},
		{"inside cells", 0.5, 0.5, 0.5, 1.5, "0,0 0,1"},
		{"through corners", 0, 0, 3, 3, "0,0 1,1 2,2"},
		{"through corners, falling", 0, 3, 3, 0, "2,0 1,1 0,2"},
		{"short, across a border", 1.9, 1.5, 2.1, 1.5, "1,1 2,1"},
		{"shorter than a hair", 2 - tiny, 1, 2 + tiny, 1 + tiny, "2,0"},
		{"on the near side of the grid", 0, 0, 0, 2, "0,0 0,1"},
		{"on the far side of the grid", 4, 0, 4, 2, ""},
		{"outside", -1, 0, -1, 2, ""},
		{"cut by the grid", -5, 1.5, 9, 1.5, "0,1 1,1 2,1 3,1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			verts, tris := wall(tt.x0, tt.z0, tt.x1, tt.z1)
			s := mustRasterize(t, unitGrid(4, 4), verts, tris, 0)
			var got []string
			for c := range 16 {
				for _, sp := range s.column(c) {
					got = append(got, fmt.Sprintf("%d,%d", c%4, c/4))
					if sp != (Span{0, 3, Unwalkable}) {
						t.Errorf("cell %d: %v", c, sp)
					}
				}
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("cells (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHeightsRound(t *testing.T) {
	tests := []struct {
		name   string
		lo, hi float64 // of a slope across one cell
		want   Span
	}{
		{"level on the lattice", 3, 3, Span{Min: 3, Max: 4}},
		{"level a hair below", 3 - 1e-9, 3 - 1e-9, Span{Min: 3, Max: 4}},
		{"level a hair above", 3 + 1e-9, 3 + 1e-9, Span{Min: 3, Max: 4}},
		{"level between", 3.5, 3.5, Span{Min: 3, Max: 4}},
		{"at the base", 0, 0, Span{Min: 0, Max: 1}},
		{"a hair below the base", -1e-9, -1e-9, Span{Min: 0, Max: 1}},
		{"through the base", -2, 1.5, Span{Min: 0, Max: 2}},
		{"slope on the lattice", 2, 4, Span{Min: 2, Max: 4}},
		{"slope between", 1.5, 4.25, Span{Min: 1, Max: 5}},
		{"highest of all", MaxHeight - 1, MaxHeight - 1, Span{Min: MaxHeight - 1, Max: MaxHeight}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			verts, tris := quad(geom.V3(0, tt.lo, 0), geom.V3(1, tt.lo, 0), geom.V3(1, tt.hi, 1), geom.V3(0, tt.hi, 1), 0)
			s := mustRasterize(t, unitGrid(1, 1), verts, tris, 0)
			if diff := cmp.Diff([]Span{tt.want}, s.Spans); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	verts, tris := quad(geom.V3(0, -2, 0), geom.V3(1, -2, 0), geom.V3(1, -1, 1), geom.V3(0, -1, 1), 0)
	if s := mustRasterize(t, unitGrid(1, 1), verts, tris, 0); len(s.Spans) != 0 {
		t.Errorf("below the base: %v", s.Spans)
	}
}

func TestMergedArea(t *testing.T) {
	tests := []struct {
		name string
		raw  []Span
		want []Span
	}{
		{"apart", []Span{{0, 1, 1}, {2, 3, 2}}, []Span{{0, 1, 1}, {2, 3, 2}}},
		{"touching", []Span{{0, 1, 1}, {1, 2, 2}}, []Span{{0, 2, 2}}},
		{"greater code at the limit below", []Span{{0, 4, 2}, {0, 6, 1}}, []Span{{0, 6, 2}}},
		{"greater code beyond the limit", []Span{{0, 3, 2}, {0, 6, 1}}, []Span{{0, 6, 1}}},
		{"steep on top hides ground", []Span{{0, 3, 1}, {3, 6, 0}}, []Span{{0, 6, 0}}},
		{"ground shows through thin cover", []Span{{0, 3, 1}, {3, 5, 0}}, []Span{{0, 5, 1}}},
		// Two at a time, the first two would make an area 3 that stands at 5.
		{"the common top counts", []Span{{0, 3, 3}, {0, 5, 1}, {5, 7, 2}}, []Span{{0, 7, 2}}},
		{"a bridge joins what was apart", []Span{{0, 2, 1}, {5, 7, 2}, {1, 6, 3}}, []Span{{0, 7, 3}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
				var verts []geom.Vec3
				var tris []Tri
				for _, i := range order {
					if i >= len(tt.raw) {
						continue
					}
					r := tt.raw[i]
					n := uint32(len(verts))
					lo, hi := float64(r.Min), float64(r.Max)
					verts = append(verts, geom.V3(0.1, lo, 0.1), geom.V3(0.9, hi, 0.5), geom.V3(0.1, hi, 0.9))
					tris = append(tris, Tri{n, n + 1, n + 2, r.Area})
				}
				s := mustRasterize(t, unitGrid(1, 1), verts, tris, 2)
				if diff := cmp.Diff(tt.want, s.Spans); diff != "" {
					t.Errorf("order %v (-want +got):\n%s", order, diff)
				}
			}
		})
	}
}

func TestTrianglesWithoutAreaAreIgnored(t *testing.T) {
	a, b := geom.V3(0.5, 1, 0.5), geom.V3(3.5, 2, 2.5)
	verts := []geom.Vec3{a, b, a, geom.V3(1, 1, 1), geom.V3(2, 1, 1), geom.V3(3, 1, 1)}
	s := mustRasterize(t, unitGrid(4, 4), verts, []Tri{{0, 0, 1, 1}, {0, 1, 2, 1}, {1, 1, 1, 1}, {3, 4, 5, 1}}, 0)
	if len(s.Spans) != 0 {
		t.Errorf("got %s", s.text())
	}
}

func TestStrayTriangle(t *testing.T) {
	floor, tris := quad(geom.V3(0, 1, 0), geom.V3(30, 1, 0), geom.V3(30, 1, 30), geom.V3(0, 1, 30), Ground)
	stray := func(y float64) ([]geom.Vec3, []Tri) {
		return append(slices.Clone(floor), geom.V3(10, y, 10), geom.V3(12, y, 10), geom.V3(10, y, 12)),
			append(slices.Clone(tris), Tri{4, 5, 6, Ground})
	}
	g := Grid{W: 120, D: 120, Cell: 0.25, CellHeight: 0.125}

	t.Run("far below, within what a column counts", func(t *testing.T) {
		verts, tris := stray(-6000)
		g := g
		g.Origin.Y = -6000
		s := mustRasterize(t, g, verts, tris, 4)
		for c := range g.W * g.D {
			col := s.column(c)
			top := col[len(col)-1].Max
			if y := g.Origin.Y + float64(top)*g.CellHeight; math.Abs(y-1) > g.CellHeight {
				t.Fatalf("cell %d: floor at %g, want 1", c, y)
			}
		}
	})
	for _, tt := range []struct {
		y, base float64
	}{{60000, 1}, {-60000, -60000}} {
		t.Run(fmt.Sprintf("at %g", tt.y), func(t *testing.T) {
			verts, tris := stray(tt.y)
			g := g
			g.Origin.Y = tt.base
			_, err := Rasterize(t.Context(), g, verts, tris, 4, 1)
			var e *HeightRangeError
			if !errors.As(err, &e) {
				t.Fatalf("got %v", err)
			}
			if e.Tri != 2 || e.TriY != tt.y || e.Low != min(tt.y, 1) || e.High != max(tt.y, 1) || e.Voxels < 479000 || e.Voxels > 481000 {
				t.Errorf("got %+v", e)
			}
			if s := err.Error(); !strings.Contains(s, "triangle 2") || !strings.Contains(s, "65535") {
				t.Errorf("got %q", s)
			}
		})
	}
	t.Run("outside the grid it does not matter", func(t *testing.T) {
		verts, tris := stray(60000)
		for i := 4; i < 7; i++ {
			verts[i].X += 100
		}
		mustRasterize(t, g, verts, tris, 4)
	})
}

func TestRasterizeErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	ok := unitGrid(4, 4)
	tests := []struct {
		name string
		g    Grid
		v    geom.Vec3 // vertex 1
		tri  Tri
		want string
	}{
		{"no width", Grid{D: 1, Cell: 1, CellHeight: 1}, geom.Vec3{}, Tri{}, "grid W is 0"},
		{"negative depth", Grid{W: 1, D: -7, Cell: 1, CellHeight: 1}, geom.Vec3{}, Tri{}, "grid D is -7"},
		{"no cell", Grid{W: 1, D: 1, CellHeight: 1}, geom.Vec3{}, Tri{}, "grid Cell is 0"},
		{"cell NaN", Grid{W: 1, D: 1, Cell: nan, CellHeight: 1}, geom.Vec3{}, Tri{}, "grid Cell is NaN"},
		{"cell height infinite", Grid{W: 1, D: 1, Cell: 1, CellHeight: inf}, geom.Vec3{}, Tri{}, "grid CellHeight is +Inf"},
		{"cell height denormal", Grid{W: 1, D: 1, Cell: 1, CellHeight: 5e-324}, geom.Vec3{}, Tri{}, "grid CellHeight is 5e-324"},
		{"origin", Grid{W: 1, D: 1, Cell: 1, CellHeight: 1, Origin: geom.V3(0, nan, 0)}, geom.Vec3{}, Tri{}, "grid Origin is NaN"},
		{"too many cells", Grid{W: 1 << 16, D: 1 << 16, Cell: 1, CellHeight: 1}, geom.Vec3{}, Tri{}, "65536 x 65536 cells (4.29e+09 in all)"},
		{"overflowing cells", Grid{W: math.MaxInt, D: math.MaxInt, Cell: 1, CellHeight: 1}, geom.Vec3{}, Tri{}, "in all) exceeds"},
		{"too wide", Grid{W: 1<<24 + 1, D: 1, Cell: 1, CellHeight: 1}, geom.Vec3{}, Tri{}, "16777217 x 1 cells"},
		{"missing vertex", ok, geom.V3(1, 1, 1), Tri{0, 1, 3, 0}, "triangle 0: vertex 3 does not exist"},
		{"NaN", ok, geom.V3(nan, 1, 1), Tri{0, 1, 2, 0}, "triangle 0: vertex 1 at (NaN, 1, 1) is not finite"},
		{"infinite height", ok, geom.V3(1, -inf, 1), Tri{0, 1, 2, 0}, "triangle 0: vertex 1 at (1, -Inf, 1) is not finite"},
		{"opposite infinities", ok, geom.V3(inf, 1, -inf), Tri{0, 1, 2, 0}, "is not finite"},
		{"far", ok, geom.V3(1e300, 1, 1), Tri{0, 1, 2, 0}, "vertex 1 at (1e+300, 1, 1) is out of range"},
		{"deep", ok, geom.V3(1, -1e300, 1), Tri{0, 1, 2, 0}, "vertex 1 at (1, -1e+300, 1) is out of range"},
		{"overflowing", ok, geom.V3(1.7e308, 1.7e308, 1), Tri{0, 1, 2, 0}, "is out of range"},
		{"high", ok, geom.V3(1, 1e300, 1), Tri{0, 1, 2, 0}, "heights from 0 to 1e+300 m"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			verts := []geom.Vec3{{}, tt.v, geom.V3(0, 0, 3)}
			_, err := Rasterize(t.Context(), tt.g, verts, []Tri{tt.tri}, 0, 1)
			if err == nil || !strings.HasPrefix(err.Error(), "heightfield: ") || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestRasterizeNothing(t *testing.T) {
	s := mustRasterize(t, unitGrid(3, 2), nil, nil, 0)
	if len(s.Spans) != 0 || len(s.Start) != 7 {
		t.Errorf("got %+v", s)
	}
	s.FilterLowHanging(1)
	s.FilterLedges(2, 1)
	s.FilterLowHeight(2)
	if c := s.Compact(2, 1); c.Len() != 0 {
		t.Errorf("got %d entries", c.Len())
	} else {
		c.Erode(3)
		c.MarkPrism([]geom.Vec2{{}, {X: 1}, {X: 1, Y: 1}}, 0, 1, 2)
	}
}

func TestRasterizeStops(t *testing.T) {
	g := oddGrid(300, 300)
	verts, tris := soup(rand.New(rand.NewPCG(9, 9)), g, 200)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for workers := range 3 {
		if _, err := Rasterize(ctx, g, verts, tris, 0, workers); !errors.Is(err, context.Canceled) {
			t.Errorf("%d workers: got %v", workers, err)
		}
	}
}

// Triangles from far away and numbers at the edge of a float must neither
// panic nor spill.
func TestRasterizeExtremes(t *testing.T) {
	vals := []float64{
		0, math.Copysign(0, -1), 5e-324, -5e-324, 1e-300, 1e-9, -1e-9, 1, 4, 4 - 1e-12, 4 + 1e-12,
		1e6, -1e6, 1e9, -1e9, 1e12, -1e12, 1e300, -1e300, math.MaxFloat64, -math.MaxFloat64, math.NaN(), math.Inf(1), math.Inf(-1),
	}
	r := rand.New(rand.NewPCG(11, 12))
	v := func() float64 { return vals[r.IntN(len(vals))] }
	done := 0
	for range 20000 {
		verts := []geom.Vec3{geom.V3(v(), v(), v()), geom.V3(v(), v(), v()), geom.V3(v(), v(), v())}
		if r.IntN(2) == 0 { // mostly harmless
			for i := range verts {
				verts[i] = geom.V3(vals[r.IntN(15)], vals[r.IntN(12)], vals[r.IntN(15)])
			}
		}
		s, err := Rasterize(t.Context(), unitGrid(4, 4), verts, []Tri{{0, 1, 2, 1}}, 0, 1)
		if err != nil {
			continue
		}
		if err := s.valid(); err != nil {
			t.Fatalf("%v: %v", verts, err)
		}
		if len(s.Spans) > 0 {
			done++
		}
		hi := max(verts[0].Y, verts[1].Y, verts[2].Y)
		for _, sp := range s.Spans {
			if float64(sp.Max) > math.Floor(hi+slack)+1 {
				t.Fatalf("%v: span %v is higher than the triangle", verts, sp)
			}
		}
	}
	if done < 1000 {
		t.Errorf("only %d triangles left a span", done)
	}
}
