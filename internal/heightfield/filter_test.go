package heightfield

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wend/geom"
)

// g is a walkable span and u one that is not.
func g(lo, hi uint16) Span { return Span{lo, hi, Ground} }
func u(lo, hi uint16) Span { return Span{lo, hi, Unwalkable} }

// columns builds a field of the given width from its columns.
func columns(w int, cols ...[]Span) *Solid {
	s := &Solid{Grid: unitGrid(w, len(cols)/w), Start: []uint32{0}}
	for _, c := range cols {
		s.Spans = append(s.Spans, c...)
		s.Start = append(s.Start, uint32(len(s.Spans)))
	}
	return s
}

func TestFilterLowHanging(t *testing.T) {
	grass := Span{0, 1, 7}
	tests := []struct {
		name      string
		col, want []Span // climb is 4
	}{
		{"curb below the limit", []Span{g(0, 1), u(2, 4)}, []Span{g(0, 1), g(2, 4)}},
		{"curb at the limit", []Span{g(0, 1), u(2, 5)}, []Span{g(0, 1), g(2, 5)}},
		{"curb above the limit", []Span{g(0, 1), u(2, 6)}, []Span{g(0, 1), u(2, 6)}},
		{"takes the area below", []Span{grass, u(2, 4)}, []Span{grass, {2, 4, 7}}},
		{"nothing below", []Span{u(0, 1), g(5, 6)}, []Span{u(0, 1), g(5, 6)}},
		{"steep ground below", []Span{u(0, 1), u(2, 3)}, []Span{u(0, 1), u(2, 3)}},
		{"only one step of a pile", []Span{g(0, 1), u(2, 4), u(5, 7)}, []Span{g(0, 1), g(2, 4), u(5, 7)}},
		{"after a floor it starts again", []Span{u(0, 1), g(2, 3), u(4, 5), g(6, 7), u(8, 9)}, []Span{u(0, 1), g(2, 3), g(4, 5), g(6, 7), g(8, 9)}},
		{"empty", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := columns(1, slices.Clone(tt.col))
			s.FilterLowHanging(4)
			if diff := cmp.Diff(tt.want, s.Spans); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFilterLowHeight(t *testing.T) {
	tests := []struct {
		name      string
		col, want []Span // height is 16
	}{
		{"a voxel too low", []Span{g(0, 1), u(16, 17)}, []Span{u(0, 1), u(16, 17)}},
		{"exactly enough", []Span{g(0, 1), u(17, 18)}, []Span{g(0, 1), u(17, 18)}},
		{"more than enough", []Span{g(0, 1), u(18, 19)}, []Span{g(0, 1), u(18, 19)}},
		{"open sky", []Span{g(0, 1)}, []Span{g(0, 1)}},
		{"open sky at the top of the field", []Span{g(0, MaxHeight)}, []Span{g(0, MaxHeight)}},
		{"each storey for itself", []Span{g(0, 1), g(5, 6), g(30, 31)}, []Span{u(0, 1), g(5, 6), g(30, 31)}},
		{"empty", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := columns(1, slices.Clone(tt.col))
			s.FilterLowHeight(16)
			if diff := cmp.Diff(tt.want, s.Spans); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFilterLedges(t *testing.T) {
	// The column in the middle of five is under test; height 10, climb 4.
	mid := []Span{g(0, 100)}
	level := []Span{g(0, 100)}
	tests := []struct {
		name                   string
		mid                    []Span
		west, north, east, sth []Span // -x, +z, +x, -z
		ledge                  bool   // the lowest span of the middle
	}{
		{"level ground", mid, level, level, level, level, false},
		{"no ground at all on one side", mid, nil, level, level, level, true},
		{"a step down", mid, []Span{g(0, 97)}, level, level, level, false},
		{"a step down at the limit", mid, []Span{g(0, 96)}, level, level, level, false},
		{"a drop", mid, []Span{g(0, 95)}, level, level, level, true},
		{"a drop in +z", mid, level, []Span{g(0, 95)}, level, level, true},
		{"a drop in +x", mid, level, level, []Span{g(0, 95)}, level, true},
		{"a drop in -z", mid, level, level, level, []Span{g(0, 95)}, true},
		{"a step up at the limit", mid, []Span{g(0, 104)}, level, level, level, false},
		{"a wall", mid, []Span{u(0, 900)}, level, level, level, false},
		{"walls all round", mid, []Span{u(0, 900)}, []Span{u(0, 900)}, []Span{u(0, 900)}, []Span{u(0, 900)}, false},
		{"a wall on legs: the gap below lets one fall", mid, []Span{u(110, 900)}, level, level, level, true},
		{"the gap below is too low to get through", mid, []Span{u(109, 900)}, level, level, level, false},
		{"a slot above a deep floor, too low to get through", mid, []Span{g(0, 50), u(109, 900)}, level, level, level, false},
		{"a slot above a deep floor, high enough", mid, []Span{g(0, 50), u(110, 900)}, level, level, level, true},
		{"under a low ceiling the drop is out of reach", []Span{g(0, 100), u(109, 120)}, []Span{g(0, 50)}, level, level, level, false},
		{"a balcony above does not save from the drop below it", mid, []Span{g(0, 50), g(110, 111)}, level, level, level, true},
		{"a floor above a shut-off cellar", mid, []Span{g(0, 50), g(99, 100)}, level, level, level, false},
		{"steep: down on one side, up on the other", mid, []Span{g(0, 97)}, level, []Span{g(0, 102)}, level, true},
		{"just not steep", mid, []Span{g(0, 98)}, level, []Span{g(0, 102)}, level, false},
		{"steep towards one side is a step", mid, []Span{g(0, 96)}, level, []Span{g(0, 100)}, level, false},
		{"a step too high does not make it steep", mid, []Span{g(0, 97)}, level, []Span{g(0, 105)}, level, false},
		{"unwalkable neighbours offer floors too", mid, []Span{u(0, 100)}, level, level, level, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := columns(3, nil, tt.sth, nil, tt.west, slices.Clone(tt.mid), tt.east, nil, tt.north, nil)
			s.FilterLedges(10, 4)
			if got := s.column(4)[0].Area == Unwalkable; got != tt.ledge {
				t.Errorf("ledge: got %v, want %v", got, tt.ledge)
			}
			for _, c := range []int{1, 3, 5, 7} {
				for _, sp := range s.column(c) {
					if sp.Area != Unwalkable {
						t.Errorf("column %d is at the grid's edge, yet walkable", c)
					}
				}
			}
		})
	}
}

// ledgePlain is the rule of FilterLedges, from the definition: the floors open
// to a span, those at no floor's depth included.
func ledgePlain(s *Solid, x, z, i, height, climb int) bool {
	const bottomless = -1 << 20
	open := func(col []Span, i int) (floor, ceiling int) { // gap above span i; -1 is the ground below all
		floor, ceiling = bottomless, noCeiling
		if i >= 0 {
			floor = int(col[i].Max)
		}
		if i+1 < len(col) {
			ceiling = int(col[i+1].Min)
		}
		return floor, ceiling
	}
	floor, ceiling := open(s.column(x+z*s.W), i)
	near := []int{floor}
	for d := range 4 {
		nx, nz := x+DirX[d], z+DirZ[d]
		if nx < 0 || nz < 0 || nx >= s.W || nz >= s.D {
			return true
		}
		nei := s.column(nx + nz*s.W)
		for k := -1; k < len(nei); k++ {
			f, c := open(nei, k)
			if min(c, ceiling)-max(f, floor) < height {
				continue
			}
			if f < floor-climb {
				return true
			}
			if f <= floor+climb {
				near = append(near, f)
			}
		}
	}
	return slices.Max(near)-slices.Min(near) > climb
}

// randomSolid returns stacked floors of random heights.
func randomSolid(r *rand.Rand, w, d int) *Solid {
	var cols [][]Span
	for range w * d {
		var col []Span
		y := r.IntN(6)
		for range r.IntN(4) {
			lo := y
			hi := lo + 1 + r.IntN(3)
			area := uint8(r.IntN(3))
			col = append(col, Span{uint16(lo), uint16(hi), area})
			y = hi + 1 + r.IntN(12)
		}
		cols = append(cols, col)
	}
	return columns(w, cols...)
}

func TestFilterLedgesMatchesDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	ledges, spans := 0, 0
	for range 400 {
		s := randomSolid(r, 8, 8)
		height, climb := 1+r.IntN(8), r.IntN(8)
		want := slices.Clone(s.Spans)
		for c := range 64 {
			for i := range s.column(c) {
				k := int(s.Start[c]) + i
				spans++
				if s.Spans[k].Area != Unwalkable && ledgePlain(s, c%8, c/8, i, height, climb) {
					want[k].Area = Unwalkable
					ledges++
				}
			}
		}
		s.FilterLedges(height, climb)
		if diff := cmp.Diff(want, s.Spans); diff != "" {
			t.Fatalf("height %d, climb %d (-want +got):\n%s", height, climb, diff)
		}
	}
	if ledges == 0 || ledges == spans {
		t.Errorf("%d of %d spans are ledges", ledges, spans)
	}
}

// flats rasterizes level squares of one cell. Heights are metres.
func flats(t *testing.T, cellHeight float64, heights [][]float64) *Solid {
	t.Helper()
	gr := Grid{W: len(heights[0]), D: len(heights), Cell: 1, CellHeight: cellHeight, Origin: geom.V3(0, -1, 0)}
	var verts []geom.Vec3
	var tris []Tri
	for z, row := range heights {
		for x, h := range row {
			v, q := quad(
				geom.V3(float64(x), h, float64(z)), geom.V3(float64(x), h, float64(z+1)),
				geom.V3(float64(x+1), h, float64(z+1)), geom.V3(float64(x+1), h, float64(z)), Ground)
			for _, tri := range q {
				n := uint32(len(verts))
				tris = append(tris, Tri{tri.A + n, tri.B + n, tri.C + n, tri.Area})
			}
			verts = append(verts, v...)
		}
	}
	return mustRasterize(t, gr, verts, tris, ClimbVoxels(0.5, cellHeight))
}

// Headroom, steps and drops are judged inclusively, on the lattice and off it.
func TestLimitsAreInclusive(t *testing.T) {
	const ch = 0.125
	height, climb := HeadroomVoxels(2, ch), ClimbVoxels(0.5, ch)
	for _, lift := range []float64{0, 0.0625, 0.01, 0.124} {
		t.Run(fmt.Sprintf("lifted by %g", lift), func(t *testing.T) {
			for _, tt := range []struct {
				ceiling float64
				want    bool
			}{{1.875, false}, {2, true}, {2.125, true}} {
				gr := Grid{W: 1, D: 1, Cell: 1, CellHeight: ch}
				floor, q := quad(geom.V3(0, lift, 0), geom.V3(0, lift, 1), geom.V3(1, lift, 1), geom.V3(1, lift, 0), Ground)
				top := lift + tt.ceiling
				verts := append(floor, geom.V3(0, top, 0), geom.V3(1, top, 0), geom.V3(1, top, 1), geom.V3(0, top, 1))
				tris := append(q, Tri{4, 5, 6, Unwalkable}, Tri{4, 6, 7, Unwalkable})
				s := mustRasterize(t, gr, verts, tris, climb)
				s.FilterLowHeight(height)
				if got := s.Spans[0].Area == Ground; got != tt.want {
					t.Errorf("ceiling at %g: got %v, want %v", tt.ceiling, got, tt.want)
				}
			}
			for _, tt := range []struct {
				step float64
				want bool
			}{{0.375, true}, {0.5, true}, {0.625, false}} {
				s := flats(t, ch, [][]float64{{lift, lift + tt.step}})
				c := s.Compact(height, climb)
				if got := c.Nei[0][2] == 1; got != tt.want {
					t.Errorf("step of %g: got %v, want %v", tt.step, got, tt.want)
				}
			}
			for _, tt := range []struct {
				drop float64
				want bool
			}{{0.5, true}, {0.625, false}, {3, false}} {
				h := [][]float64{{3, 3, 3}, {3, 3, 3 - tt.drop}, {3, 3, 3}}
				for _, row := range h {
					for x := range row {
						row[x] += lift
					}
				}
				s := flats(t, ch, h)
				s.FilterLedges(height, climb)
				if got := s.column(4)[0].Area == Ground; got != tt.want {
					t.Errorf("beside a drop of %g: got %v, want %v", tt.drop, got, tt.want)
				}
			}
		})
	}
}

// Wherever the lattice lies, floors a whole number of voxels apart give the
// same field.
func TestLiftingTheLevelChangesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for range 50 {
		heights := make([][]float64, 6)
		for z := range heights {
			heights[z] = make([]float64, 6)
			for x := range heights[z] {
				heights[z][x] = float64(r.IntN(12)) * 0.2
			}
		}
		build := func() *Compact {
			s := flats(t, 0.2, heights)
			s.FilterLedges(9, 2)
			return s.Compact(9, 2)
		}
		want := build()
		// Not within slack of a whole voxel, where both sides are right.
		lift := 0.0005 + 0.199*r.Float64()
		for z := range heights {
			for x := range heights[z] {
				heights[z][x] += lift
			}
		}
		got := build()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("lifted by %g (-want +got):\n%s", lift, diff)
		}
	}
}

func TestLimitsInVoxels(t *testing.T) {
	for _, tt := range []struct {
		height, climb, ch float64
		headroom, step    int
	}{
		{2, 0.9, 0.2, 9, 4},
		{2, 0.5, 0.125, 15, 4},
		{2.1, 0.6, 0.3, 6, 2}, // 2.1/0.3 is a hair above 7, 0.6/0.3 is 2
		{1.8, 0.6, 0.2, 8, 3}, // 0.6/0.2 is a hair below 3
		{0.1, 0, 0.2, 1, 0},
		{1e300, 1e300, 1e-300, MaxHeight - 1, MaxHeight},
		{-1, -1, 0.2, 1, 0},
	} {
		if h, c := HeadroomVoxels(tt.height, tt.ch), ClimbVoxels(tt.climb, tt.ch); h != tt.headroom || c != tt.step {
			t.Errorf("height %g, climb %g in voxels of %g: got %d and %d, want %d and %d",
				tt.height, tt.climb, tt.ch, h, c, tt.headroom, tt.step)
		}
	}
}
