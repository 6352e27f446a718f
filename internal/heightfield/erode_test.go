package heightfield

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wend/geom"
)

// picture builds a one-storey field: '.' is ground, 'x' ground that is not
// walkable, all else nothing.
func picture(rows ...string) *Compact {
	var cols [][]Span
	for _, row := range rows {
		for _, ch := range row {
			switch ch {
			case '.', 'x':
				cols = append(cols, []Span{g(0, 1)})
			default:
				cols = append(cols, nil)
			}
		}
	}
	c := columns(len(rows[0]), cols...).Compact(4, 2)
	for k := range c.W * c.D {
		if rows[k/c.W][k%c.W] == 'x' {
			c.Area[c.Start[k]] = Unwalkable
		}
	}
	return c
}

// show is the reverse of picture.
func show(c *Compact) []string {
	var rows []string
	for z := range c.D {
		var b strings.Builder
		for x := range c.W {
			k := x + z*c.W
			switch {
			case c.Start[k] == c.Start[k+1]:
				b.WriteByte(' ')
			case c.Area[c.Start[k]] == Unwalkable:
				b.WriteByte('x')
			default:
				b.WriteByte('.')
			}
		}
		rows = append(rows, b.String())
	}
	return rows
}

func TestErodePictures(t *testing.T) {
	room := []string{
		"..........",
		"..........",
		"..........",
		"..........",
		".... .....",
		"..........",
		"..........",
		"..........",
		"..........",
		"..........",
	}
	tests := []struct {
		radius float64
		want   []string
	}{
		{0, room},
		{-1, room},
		{math.NaN(), room},
		{1, []string{
			"xxxxxxxxxx",
			"x........x",
			"x........x",
			"x...x....x",
			"x..x x...x",
			"x...x....x",
			"x........x",
			"x........x",
			"x........x",
			"xxxxxxxxxx",
		}},
		{1.0000000001, nil}, // as 1
		{2, []string{
			"xxxxxxxxxx",
			"xxxxxxxxxx",
			"xx.xxx..xx",
			"xxxxxxx.xx",
			"xxxx xx.xx",
			"xxxxxxx.xx",
			"xx.xxx..xx",
			"xx......xx",
			"xxxxxxxxxx",
			"xxxxxxxxxx",
		}},
		{2.0000000001, nil}, // as 2
		{1.5, nil},          // no distance lies between sqrt(2) and 2
		{math.Inf(1), []string{
			"xxxxxxxxxx",
			"xxxxxxxxxx",
			"xxxxxxxxxx",
			"xxxxxxxxxx",
			"xxxx xxxxx",
			"xxxxxxxxxx",
			"xxxxxxxxxx",
			"xxxxxxxxxx",
			"xxxxxxxxxx",
			"xxxxxxxxxx",
		}},
	}
	want := room
	for _, tt := range tests {
		if tt.want != nil {
			want = tt.want
		}
		t.Run(fmt.Sprint(tt.radius), func(t *testing.T) {
			c := picture(room...)
			c.Erode(tt.radius)
			if diff := cmp.Diff(want, show(c)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A passage of twice the radius is closed, one cell more opens it.
func TestErodeDoorway(t *testing.T) {
	for _, tt := range []struct {
		width int
		want  bool
	}{{4, false}, {5, true}} {
		row := "  " + strings.Repeat(".", tt.width) + "  "
		c := picture(slices.Repeat([]string{row}, 20)...)
		c.Erode(2)
		if got := strings.Contains(show(c)[10], "."); got != tt.want {
			t.Errorf("width %d: open is %v, want %v", tt.width, got, tt.want)
		}
	}
}

// isBoundary is the definition of a source: by the sides alone, or also by the
// diagonals.
func isBoundary(c *Compact, i int32, diagonals bool) bool {
	gone := func(n int32) bool { return n < 0 || c.Area[n] == Unwalkable }
	if gone(i) {
		return true
	}
	for d, n := range c.Nei[i] {
		if gone(n) {
			return true
		}
		if diagonals && (gone(c.Nei[n][(d+1)%4]) || gone(c.Nei[n][(d+3)%4])) {
			return true
		}
	}
	return false
}

// erodeByWalking is the definition of Erode: from each entry it walks straight
// along one axis and then along the other, to every offset that is too close.
func erodeByWalking(c *Compact, radius float64) []bool {
	face, corner := make([]bool, c.Len()), make([]bool, c.Len())
	for i := range face {
		face[i] = isBoundary(c, int32(i), false)
		corner[i] = isBoundary(c, int32(i), true)
	}
	near := func(k, l int, sq float64) bool { return float64(k*k+l*l) < sq*(1-1e-9) }
	walk := func(i int32, radius float64, sq float64, source []bool) bool {
		n := int(radius) + 1
		for first := range 4 {
			at := i
			for k := 0; k <= n && at >= 0; k++ {
				for _, second := range []int{(first + 1) % 4, (first + 3) % 4} {
					end := at
					for l := 0; l <= n && end >= 0; l++ {
						if source[end] && near(k, l, sq) {
							return true
						}
						end = c.Nei[end][second]
					}
				}
				at = c.Nei[at][first]
			}
		}
		return false
	}
	dead := make([]bool, c.Len())
	for i := range dead {
		dead[i] = walk(int32(i), radius, radius*radius, face) ||
			radius > 2 && walk(int32(i), radius, radius*(radius-1), corner)
	}
	return dead
}

// erodeByPairs measures from every cell of a one-storey field to every other.
func erodeByPairs(c *Compact, radius float64) []bool {
	var xs, zs []int
	for k := range c.W * c.D {
		if c.Start[k] < c.Start[k+1] {
			xs, zs = append(xs, k%c.W), append(zs, k/c.W)
		}
	}
	dead := make([]bool, c.Len())
	for j := range dead {
		face, corner := isBoundary(c, int32(j), false), isBoundary(c, int32(j), true)
		for i := range dead {
			d := float64((xs[i]-xs[j])*(xs[i]-xs[j]) + (zs[i]-zs[j])*(zs[i]-zs[j]))
			if face && d < radius*radius*(1-1e-9) || radius > 2 && corner && d < radius*(radius-1)*(1-1e-9) {
				dead[i] = true
			}
		}
	}
	return dead
}

func eroded(c *Compact, radius float64) []bool {
	e := *c
	e.Area = slices.Clone(c.Area)
	e.Erode(radius)
	dead := make([]bool, c.Len())
	for i, a := range e.Area {
		dead[i] = a == Unwalkable
	}
	return dead
}

var radii = []float64{0.5, 1, 1.3, 2, 2.5, 3, math.Sqrt(13), 4, 4.2, 5, 6.7, 8, 11.5, 40}

func TestErodeIsEuclideanOnPlainFloors(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	for range 20 {
		rows := make([]string, 24)
		holes := r.IntN(12)
		for z := range rows {
			row := make([]byte, 26)
			for x := range row {
				row[x] = '.'
				if r.IntN(200) < holes {
					row[x] = " x"[r.IntN(2)]
				}
			}
			rows[z] = string(row)
		}
		c := picture(rows...)
		for _, radius := range radii {
			if diff := cmp.Diff(erodeByPairs(c, radius), eroded(c, radius)); diff != "" {
				t.Fatalf("radius %g of\n%s\n(-want +got):\n%s", radius, strings.Join(rows, "\n"), diff)
			}
		}
	}
}

// layered returns stacked floors with slopes, ramps between them and holes.
func layered(r *rand.Rand, w, d int) *Compact {
	var cols [][]Span
	holes := r.IntN(10)
	tilt := r.IntN(3)
	for k := range w * d {
		x, z := k%w, k/w
		var col []Span
		// A spiral: two floors that climb into each other round the middle.
		turn := int(8 * math.Abs(float64(x-w/2)) / float64(w))
		if z > d/2 {
			turn = 8 - turn
		}
		for y := 1; y < 40; y += 16 {
			if r.IntN(100) < holes {
				continue
			}
			f := y + turn + tilt*(x+z)/4
			if len(col) > 0 && f-1 <= int(col[len(col)-1].Max) {
				continue
			}
			col = append(col, Span{uint16(f), uint16(f + 1), uint8(1 + r.IntN(2))})
		}
		cols = append(cols, col)
	}
	c := columns(w, cols...).Compact(6, 4)
	for i := range c.Area {
		if r.IntN(200) < holes {
			c.Area[i] = Unwalkable
		}
	}
	return c
}

func TestErodeMatchesItsDefinitionOnStackedFloors(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	for n := range 40 {
		c := layered(r, 24, 20)
		if n%4 == 0 {
			c = randomSolid(r, 24, 20).Compact(1+r.IntN(3), r.IntN(12))
		}
		for _, radius := range radii {
			want, got := erodeByWalking(c, radius), eroded(c, radius)
			for i := range want {
				if want[i] != got[i] {
					t.Fatalf("field %d, radius %g, entry %d: got %v, want %v", n, radius, i, got[i], want[i])
				}
			}
		}
	}
}

// A hole in one storey does not wear the storeys above and below it.
func TestErodeDoesNotLeakBetweenStoreys(t *testing.T) {
	var cols [][]Span
	for k := range 21 * 21 {
		col := []Span{g(0, 1), g(20, 21), g(40, 41)}
		if k == 10+10*21 {
			col = []Span{g(0, 1), g(40, 41)}
		}
		cols = append(cols, col)
	}
	c := columns(21, cols...).Compact(8, 2)
	c.Erode(5)
	count := map[uint16]int{}
	for i, a := range c.Area {
		if a != Unwalkable {
			count[c.Y[i]]++
		}
	}
	if count[1] != 121 || count[41] != 121 || count[21] >= 121-50 {
		t.Errorf("cells left by height: %v", count)
	}
}

// The larger body never stands where the smaller one cannot.
func TestErodeIsMonotone(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	for range 30 {
		c := layered(r, 30, 30)
		small := eroded(c, 0.5)
		for radius := 0.6; radius < 12; radius += 0.1 {
			large := eroded(c, radius)
			for i := range large {
				if small[i] && !large[i] {
					t.Fatalf("entry %d is gone at a smaller radius than %g but not there", i, radius)
				}
			}
			small = large
		}
	}
}

// segmentSquare returns the distance from the square of side s at (x, z) to the
// segment from a to b.
func segmentSquare(x, z, s float64, a, b geom.Vec3) float64 {
	best := math.Inf(1)
	corners := [5]geom.Vec3{geom.V3(x, 0, z), geom.V3(x+s, 0, z), geom.V3(x+s, 0, z+s), geom.V3(x, 0, z+s), geom.V3(x, 0, z)}
	for i, c := range corners[:4] {
		_, d := geom.ClosestOnSegXZ(c, a, b)
		best = min(best, d)
		for _, e := range []geom.Vec3{a, b} {
			_, d := geom.ClosestOnSegXZ(e, c, corners[i+1])
			best = min(best, d)
		}
	}
	return math.Sqrt(best)
}

// What is left keeps the body's radius from an obstacle in every direction, to
// within half a cell, and no more than a cell and a half is lost.
func TestErodedDistanceInMetres(t *testing.T) {
	const radius, size = 3.0, 40.0
	floor := []geom.Vec3{geom.V3(0, 0, 0), geom.V3(0, 0, size), geom.V3(size, 0, size), geom.V3(size, 0, 0)}
	floorTris := []Tri{{0, 1, 2, Ground}, {0, 2, 3, Ground}}
	box := func(x0, z0, x1, z1 float64) [][2]geom.Vec3 {
		a, b, c, d := geom.V3(x0, 0, z0), geom.V3(x1, 0, z0), geom.V3(x1, 0, z1), geom.V3(x0, 0, z1)
		return [][2]geom.Vec3{{a, b}, {b, c}, {c, d}, {d, a}}
	}
	for _, tt := range []struct {
		name  string
		walls [][2]geom.Vec3
	}{
		{"pillar", box(20, 20, 21, 21)},
		{"pillar off the lattice", box(20.03, 19.98, 21.03, 20.98)},
		{"wall at 45 degrees", [][2]geom.Vec3{{geom.V3(15, 0, 15), geom.V3(25, 0, 25)}}},
		{"wall at 45 degrees, off the lattice", [][2]geom.Vec3{{geom.V3(15.02, 0, 15.03), geom.V3(25.02, 0, 25.03)}}},
		{"wall at 45 degrees the other way", [][2]geom.Vec3{{geom.V3(15, 0, 25), geom.V3(25, 0, 15)}}},
		{"wall along an axis", [][2]geom.Vec3{{geom.V3(15, 0, 20), geom.V3(25, 0, 20)}}},
		{"slanting wall", [][2]geom.Vec3{{geom.V3(14.3, 0, 18.9), geom.V3(25.1, 0, 21.7)}}},
	} {
		for _, cell := range []float64{0.25, 0.05} {
			t.Run(fmt.Sprintf("%s, cell %g", tt.name, cell), func(t *testing.T) {
				verts, tris := slices.Clone(floor), slices.Clone(floorTris)
				for _, w := range tt.walls {
					n := uint32(len(verts))
					up := geom.V3(0, 3, 0)
					verts = append(verts, w[0], w[1], w[1].Add(up), w[0].Add(up))
					tris = append(tris, Tri{n, n + 1, n + 2, Unwalkable}, Tri{n, n + 2, n + 3, Unwalkable})
				}
				n := int(size/cell + 0.5)
				gr := Grid{W: n, D: n, Cell: cell, CellHeight: 0.125}
				c := mustRasterize(t, gr, verts, tris, 4).Compact(15, 4)
				c.Erode(radius / cell)
				least, most := math.Inf(1), 0.0 // distance of what is kept, of what is lost
				around := geom.EmptyBox()
				for _, w := range tt.walls {
					around = around.Extend(w[0]).Extend(w[1])
				}
				for k := range n * n {
					x, z := float64(k%n)*cell, float64(k/n)*cell
					if edge := radius + 2*cell; min(x, z) < edge || max(x, z)+cell > size-edge {
						continue // worn by the floor's own edge
					}
					kept := c.Start[k] < c.Start[k+1] && c.Area[c.Start[k]] != Unwalkable
					if far := radius + 2*cell; x+cell < around.Min.X-far || x > around.Max.X+far || z+cell < around.Min.Z-far || z > around.Max.Z+far {
						if !kept {
							t.Fatalf("cell at (%g, %g), far from the obstacle, is lost", x, z)
						}
						continue
					}
					d := math.Inf(1)
					for _, w := range tt.walls {
						d = min(d, segmentSquare(x, z, cell, w[0], w[1]))
					}
					if len(tt.walls) == 4 && c.Start[k] < c.Start[k+1] && x > 19.9 && x < 21.1 && z > 19.9 && z < 21.1 {
						continue // on the floor inside the pillar
					}
					if kept {
						least = min(least, d)
					} else {
						most = max(most, d)
					}
				}
				if least < radius-0.5*cell-1e-9 || most > radius+1.5*cell {
					t.Errorf("kept from %.4f m, lost up to %.4f m from the obstacle", least, most)
				}
				t.Logf("kept from radius %+.3f cells, lost up to radius %+.3f cells", (least-radius)/cell, (most-radius)/cell)
			})
		}
	}
}
