package heightfield

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wend/geom"
)

func ring(xz ...float64) []geom.Vec2 {
	var r []geom.Vec2
	for i := 0; i < len(xz); i += 2 {
		r = append(r, geom.Vec2{X: xz[i], Y: xz[i+1]})
	}
	return r
}

// areas shows the area codes of the lowest entries.
func areas(c *Compact) []string {
	var rows []string
	for z := range c.D {
		var b strings.Builder
		for x := range c.W {
			k := x + z*c.W
			if c.Start[k] == c.Start[k+1] {
				b.WriteByte(' ')
			} else {
				b.WriteByte('0' + c.Area[c.Start[k]])
			}
		}
		rows = append(rows, b.String())
	}
	return rows
}

func TestMarkPrismPlan(t *testing.T) {
	tests := []struct {
		name string
		ring []geom.Vec2
		area uint8
		want []string
	}{
		{"square", ring(1, 1, 4, 1, 4, 3, 1, 3), 5, []string{
			"111111",
			"155511",
			"155511",
			"111101",
		}},
		{"the other way round", ring(1, 1, 1, 3, 4, 3, 4, 1), 5, []string{
			"111111",
			"155511",
			"155511",
			"111101",
		}},
		{"border through centres: the near side is inside", ring(1.5, 0.5, 3.5, 0.5, 3.5, 2.5, 1.5, 2.5), 5, []string{
			"155111",
			"155111",
			"111111",
			"111101",
		}},
		{"concave", ring(0, 0, 6, 0, 6, 4, 4, 4, 4, 1, 2, 1, 2, 4, 0, 4), 5, []string{
			"555555",
			"551155",
			"551155",
			"551105",
		}},
		{"cut away", ring(-9, -9, 2, -9, 2, 99, -9, 99), Unwalkable, []string{
			"001111",
			"001111",
			"001111",
			"001101",
		}},
		{"what is cut away stays so", ring(-1e9, -1e9, 1e9, -1e9, 1e9, 1e9, -1e9, 1e9), 3, []string{
			"333333",
			"333333",
			"333333",
			"333303",
		}},
		{"too few corners", ring(0, 0, 6, 4), 5, nil},
		{"not finite", ring(0, 0, 6, 0, math.NaN(), 4), 5, nil},
		{"infinite", ring(0, 0, math.Inf(1), 0, 6, 4), 5, nil},
		{"outside", ring(10, 0, 12, 0, 12, 4), 5, nil},
		{"far outside", ring(1e300, 1e300, 1.7e308, 1e300, -1.7e308, 1.7e308), 5, nil},
	}
	plain := []string{"111111", "111111", "111111", "111101"}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := picture("......", "......", "......", "....x.")
			c.MarkPrism(tt.ring, 0, 1, tt.area)
			want := tt.want
			if want == nil {
				want = plain
			}
			if diff := cmp.Diff(want, areas(c)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestMarkPrismHeights(t *testing.T) {
	const ch = 0.2
	all := ring(-1, -1, 2, -1, 2, 2, -1, 2)
	inf := math.Inf(1)
	tests := []struct {
		name             string
		floor, low, high float64
		want             bool
	}{
		{"between", 1, 0, 2, true},
		{"exactly at the lower limit", 1, 1, 2, true},
		{"exactly at the upper limit", 1, 0, 1, true},
		{"at both", 1, 1, 1, true},
		{"at both, off the lattice", 1.07, 1.07, 1.07, true},
		{"more than a voxel below", 1, 1.21, 2, false},
		{"more than a voxel above", 1, 0, 0.79, false},
		{"no limits", 1, -inf, inf, true},
		{"upside down", 1, 2, 0, false},
		{"NaN", 1, math.NaN(), 2, false},
		{"huge", 1, -1e300, 1e300, true},
		{"below the field", 1, -20, -10, false},
		{"above the field", 1, 1e6, 1e7, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			verts, tris := quad(geom.V3(0, tt.floor, 0), geom.V3(0, tt.floor, 1), geom.V3(1, tt.floor, 1), geom.V3(1, tt.floor, 0), Ground)
			c := mustRasterize(t, Grid{W: 1, D: 1, Cell: 1, CellHeight: ch}, verts, tris, 0).Compact(4, 2)
			c.MarkPrism(all, tt.low, tt.high, 9)
			if got := c.Area[0] == 9; got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// Cells are marked exactly where a ray test says inside, and rings that tile
// the plane mark each cell once.
func TestMarkPrismMatchesRayTest(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	rows := make([]string, 20)
	for i := range rows {
		rows[i] = strings.Repeat(".", 20)
	}
	for range 300 {
		c := picture(rows...)
		c.Cell, c.Origin = 0.3, geom.V3(-3, 0, 7)
		var poly []geom.Vec2
		for range 3 + r.IntN(8) {
			poly = append(poly, geom.Vec2{
				X: c.Origin.X + (r.Float64()*30-5)*c.Cell,
				Y: c.Origin.Z + (r.Float64()*30-5)*c.Cell,
			})
		}
		c.MarkPrism(poly, 0, 1, 4)
		for k := range 400 {
			x := c.Origin.X + (float64(k%20)+0.5)*c.Cell
			z := c.Origin.Z + (float64(k/20)+0.5)*c.Cell
			inside := false
			for i, a := range poly {
				b := poly[(i+1)%len(poly)]
				if (a.Y > z) != (b.Y > z) && x > a.X+(z-a.Y)/(b.Y-a.Y)*(b.X-a.X) {
					inside = !inside
				}
			}
			if got := c.Area[k] == 4; got != inside {
				t.Fatalf("cell %d of %v: got %v, want %v", k, poly, got, inside)
			}
		}
	}

	// A fan of triangles whose spokes run through many cell centres.
	c := picture(rows...)
	centre := geom.Vec2{X: 9.5, Y: 9.5}
	around := ring(0.5, 0.5, 9.5, 0.5, 19.5, 0.5, 19.5, 9.5, 19.5, 19.5, 9.5, 19.5, 0.5, 19.5, 0.5, 9.5)
	times := make([]int, 400)
	for i, a := range around {
		e := *c
		e.Area = append([]uint8(nil), c.Area...)
		e.MarkPrism([]geom.Vec2{centre, a, around[(i+1)%len(around)]}, 0, 1, 4)
		for k, area := range e.Area {
			if area == 4 {
				times[k]++
			}
		}
	}
	for k, n := range times {
		want := 1
		if k%20 == 19 || k/20 == 19 {
			want = 0 // the far border is outside
		}
		if n != want {
			t.Errorf("cell (%d, %d) is marked %d times, want %d", k%20, k/20, n, want)
		}
	}
}
