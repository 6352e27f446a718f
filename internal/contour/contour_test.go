package contour

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wend/geom"
	"wend/internal/heightfield"
	"wend/internal/region"
	"wend/internal/wendtest/fieldtest"
)

// byPicture reads the regions of a single storey: a letter for each region, a
// digit for the frame, anything else for none.
func byPicture(c *heightfield.Compact, pic string) *region.Result {
	r := &region.Result{Region: make([]region.ID, c.Len())}
	for z, line := range strings.Split(strings.TrimSpace(pic), "\n") {
		for x := range line {
			i := c.Start[x+z*c.W]
			if i == c.Start[x+z*c.W+1] {
				continue
			}
			switch ch := line[x]; {
			case ch >= 'A' && ch <= 'Z':
				r.Region[i] = region.ID(ch-'A') + 1
				r.Max = max(r.Max, r.Region[i])
			case ch >= '1' && ch <= '4':
				r.Region[i] = region.Border | region.ID(ch-'0')
			}
		}
	}
	return r
}

// ground is the field of a picture of regions, all at height 3: letters and
// digits are floor, areas taken from the area picture where there is one.
func ground(pic string) *heightfield.Compact {
	flat := strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '#' || r == ' ':
			return ' '
		}
		return '.'
	}, strings.TrimSpace(pic))
	return fieldtest.FromLayers(fieldtest.Layer{Y: 3, Map: flat})
}

// show lists a ring from its first corner in the order of before, with what is
// across each edge: "x,z,y" then > and the region (# for a wall, a digit for
// the frame), * for a border between areas and ! for a border vertex.
// Of several corners there it begins with the one that has the highest number
// across.
func show(ring []Vertex) string {
	at := 0
	for i, v := range ring {
		if w := ring[at]; before(v, w) || samePlace(v, w) && v.Region > w.Region {
			at = i
		}
	}
	var b strings.Builder
	for i := range ring {
		v := ring[(at+i)%len(ring)]
		fmt.Fprintf(&b, "%d,%d,%d", v.X, v.Z, v.Y)
		if v.BorderVertex {
			b.WriteByte('!')
		}
		b.WriteByte('>')
		switch {
		case v.Region == 0:
			b.WriteByte('#')
		case v.Region&region.Border != 0:
			b.WriteByte('0' + byte(v.Region&^region.Border))
		default:
			b.WriteByte('A' + byte(v.Region) - 1)
		}
		if v.AreaBorder {
			b.WriteByte('*')
		}
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}

func TestFixtures(t *testing.T) {
	tests := []struct {
		name string
		pic  string
		c    *heightfield.Compact // nil: level ground
		o    Options
		want []string
	}{
		{
			name: "square",
			pic:  "AAAA\nAAAA\nAAAA\nAAAA",
			o:    Options{MaxError: 1.3},
			want: []string{"0,0,3># 0,4,3># 4,4,3># 4,0,3>#"},
		},
		{
			name: "one cell",
			pic:  "###\n#A#\n###",
			o:    Options{MaxError: 1.3},
			want: []string{"1,1,3># 1,2,3># 2,2,3># 2,1,3>#"},
		},
		{
			name: "strip one cell wide",
			pic:  "AAAAAAAAAA",
			o:    Options{MaxError: 1.3},
			want: []string{"0,0,3># 0,1,3># 10,1,3># 10,0,3>#"},
		},
		{
			name: "L",
			pic:  "AA##\nAA##\nAAAA\nAAAA",
			o:    Options{MaxError: 0.5},
			want: []string{"0,0,3># 0,4,3># 4,4,3># 4,2,3># 2,2,3># 2,0,3>#"},
		},
		{
			name: "long walls are split in the middle",
			pic:  "AAAAAAAAAA\nAAAAAAAAAA\nAAAAAAAAAA",
			o:    Options{MaxError: 1.3, MaxEdgeLen: 6},
			want: []string{"0,0,3># 0,3,3># 5,3,3># 10,3,3># 10,0,3># 5,0,3>#"},
		},
		{
			name: "ring with a hole",
			pic:  "AAAAAA\nAAAAAA\nAA##AA\nAA##AA\nAAAAAA\nAAAAAA",
			o:    Options{MaxError: 0.5},
			want: []string{"0,0,3>A 2,2,3># 4,2,3># 4,4,3># 2,4,3># 2,2,3>A 0,0,3># 0,6,3># 6,6,3># 6,0,3>#"},
		},
		{
			name: "a hole within the error is ignored",
			pic:  "AAAAAA\nAAAAAA\nAA#AAA\nAAAAAA\nAAAAAA\nAAAAAA",
			o:    Options{MaxError: 1.3},
			want: []string{"0,0,3># 0,6,3># 6,6,3># 6,0,3>#"},
		},
		{
			name: "a thin long hole is not",
			pic:  "AAAAAA\nA####A\nAAAAAA",
			o:    Options{MaxError: 1.3},
			want: []string{"0,0,3>A 1,1,3># 5,1,3># 5,2,3># 1,2,3># 1,1,3>A 0,0,3># 0,3,3># 6,3,3># 6,0,3>#"},
		},
		{
			name: "only the thin hole is refined",
			pic:  "##AAAAAA\n#AAAAAAA\nAAAAAAAA\nA#####AA\nAAAAAAAA\nAAAAAAAA",
			o:    Options{MaxError: 1.3},
			want: []string{"0,2,3>A 1,3,3># 6,3,3># 6,4,3># 1,4,3># 1,3,3>A 0,2,3># 0,6,3># 8,6,3># 8,0,3># 2,0,3>#"},
		},
		{
			name: "two regions meet in a straight line",
			pic:  "AAABBB\nAAAABB\nAAABBB\nAAAAAB",
			o:    Options{MaxError: 1.3},
			want: []string{
				"0,0,3># 0,4,3># 5,4,3>B 3,0,3>#",
				"3,0,3>A 5,4,3># 6,4,3># 6,0,3>#",
			},
		},
		{
			name: "three regions",
			pic:  "AAABBB\nAAABBB\nCCCCCC\nCCCCCC",
			o:    Options{MaxError: 1.3},
			want: []string{
				"0,0,3># 0,2,3>C 3,2,3>B 3,0,3>#",
				"3,0,3>A 3,2,3>C 6,2,3># 6,0,3>#",
				"0,2,3># 0,4,3># 6,4,3># 6,2,3>B 3,2,3>A",
			},
		},
		{
			name: "an island region is kept by both",
			pic:  "AAAAAA\nAAAAAA\nAABBAA\nAABBAA\nAAAAAA\nAAAAAA",
			o:    Options{MaxError: 1.3},
			want: []string{
				"0,0,3>A 2,2,3>B 4,2,3>B 4,4,3>B 2,4,3>B 2,2,3>A 0,0,3># 0,6,3># 6,6,3># 6,0,3>#",
				"2,2,3>A 2,4,3>A 4,4,3>A 4,2,3>A",
			},
		},
		{
			name: "steps within the error are cut",
			pic:  "AAA\nA#A\n##A",
			o:    Options{MaxError: 0.5},
			want: []string{"0,0,3># 0,2,3># 2,1,3># 2,3,3># 3,3,3># 3,0,3>#"},
		},
		{
			name: "an outline that touches itself",
			pic:  "AAAA\nA##A\nA#AA\nAA##\nAA##",
			o:    Options{MaxError: 0},
			want: []string{"0,0,3># 0,5,3># 2,5,3># 2,3,3># 1,3,3># 1,1,3># 3,1,3># 3,2,3># 2,2,3># 2,3,3># 4,3,3># 4,0,3>#"},
		},
		{
			name: "an edge between areas follows it",
			pic:  "AAAAAA\nAAAAAA\nAABBBB\nAABBBB",
			c:    fieldtest.FromLayers(fieldtest.Layer{Map: "......\n......\n..2222\n..2222"}),
			o:    Options{MaxError: 1.3},
			want: []string{
				"0,0,0># 0,4,0># 2,4,0>B* 2,2,0>B* 6,2,0># 6,0,0>#",
				"2,2,0>A* 2,4,0># 6,4,0># 6,2,0>A*",
			},
		},
		{
			name: "corners take the highest cell",
			pic:  "AABB\nAABB",
			c:    fieldtest.FromLayers(fieldtest.Layer{Map: "..^^\n..^+"}),
			o:    Options{MaxError: 0},
			want: []string{
				"0,0,0># 0,2,0># 2,2,2>B 2,0,2>#",
				"2,0,2>A 2,2,2># 4,2,4># 4,0,2>#",
			},
		},
		{
			name: "frame of a tile",
			pic: "33333333\n33333333\n" +
				"11AAAB22\n11AAAB22\n11AABB22\n11CCCC22\n" +
				"44444444\n44444444",
			o: Options{MaxError: 1.3, Border: 2},
			want: []string{
				"0,0,3>1 0,3,3!>C 2,3,3>B 3,0,3!>3",
				"2,3,3>C 4,3,3!>2 4,0,3>3 3,0,3!>A",
				"0,3,3!>1 0,4,3>4 4,4,3>2 4,3,3!>B 2,3,3>A",
			},
		},
		{
			name: "a corner between areas at the frame is no border vertex",
			pic:  "3333\n1AB2\n4444",
			c:    fieldtest.FromLayers(fieldtest.Layer{Map: "....\n..2.\n...."}),
			o:    Options{MaxError: 0, Border: 1},
			want: []string{
				"0,0,0>1 0,1,0>4 1,1,0>B* 1,0,0>3",
				"1,0,0>A* 1,1,0>4* 2,1,0>2* 2,0,0>3*",
			},
		},
		{
			name: "a wall without thickness",
			pic:  "AAAA\nAAAA\nAAAA\nAAAA",
			c:    cut(fieldtest.FromLayers(fieldtest.Layer{Map: "....\n....\n....\n...."}), 2, 0, 3),
			o:    Options{MaxError: 0.5},
			want: []string{"0,0,0># 0,4,0># 4,4,0># 4,0,0># 2,0,0># 2,3,0># 2,0,0>#"},
		},
		{
			name: "a wall without thickness in the middle",
			pic:  "AAAA\nAAAA\nAAAA\nAAAA",
			c:    cut(fieldtest.FromLayers(fieldtest.Layer{Map: "....\n....\n....\n...."}), 2, 1, 3),
			o:    Options{MaxError: 0.5},
			want: []string{"0,0,0>A 2,1,0># 2,3,0># 2,1,0>A 0,0,0># 0,4,0># 4,4,0># 4,0,0>#"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := tt.c
			if c == nil {
				c = ground(tt.pic)
			}
			s, err := Build(t.Context(), c, byPicture(c, tt.pic), tt.o)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, ct := range s.Contours {
				got = append(got, show(ct.Verts))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("contours (-want +got):\n%s", diff)
			}
			if len(s.Skipped) > 0 {
				t.Errorf("skipped: %+v", s.Skipped)
			}
		})
	}
}

// A wall without thickness that is shorter than the error stays where it begins
// at two heights, as the regions on both sides keep theirs.
func TestSlitBetweenHeights(t *testing.T) {
	pic := "BC\nAA\nAA"
	c := fieldtest.FromLayers(fieldtest.Layer{Map: ".+\n.+\n.."})
	c = relink(c, 0, 2)
	c = relink(c, 1, 2)
	r := byPicture(c, pic)
	s, err := Build(t.Context(), c, r, Options{MaxError: 1.3})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"0,0,0># 0,1,0>A 1,1,0>#",
		"1,1,4>A 2,1,4># 2,0,4>#",
		"0,1,0># 0,3,0># 2,3,0># 2,1,4>C 1,1,4># 1,2,4># 1,1,0>B",
	}
	var got []string
	for _, id := range []region.ID{2, 3, 1} {
		got = append(got, show(s.Contours[id-1].Verts))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("contours (-want +got):\n%s", diff)
	}
	checkSet(t, c, r, s)
}

// relink joins the lowest cells of columns (x, z-1) and (x, z), whatever the
// step between them.
func relink(c *heightfield.Compact, x, z int) *heightfield.Compact {
	up, down := c.Start[x+(z-1)*c.W], c.Start[x+z*c.W]
	c.Nei[up][1], c.Nei[down][3] = int32(down), int32(up)
	return c
}

// cut unlinks the cells on both sides of the line X = x from z0 to z1.
func cut(c *heightfield.Compact, x, z0, z1 int) *heightfield.Compact {
	for z := z0; z < z1; z++ {
		c.Nei[c.Start[x+z*c.W]][0] = -1
		c.Nei[c.Start[x-1+z*c.W]][2] = -1
	}
	return c
}

// A grid of a set is that of the field without its frame.
func TestGrid(t *testing.T) {
	c := ground("3333\n1AA2\n1AA2\n4444")
	c.Origin, c.Cell, c.CellHeight = geom.V3(10, 1, 20), 0.5, 0.25
	s, err := Build(t.Context(), c, byPicture(c, "3333\n1AA2\n1AA2\n4444"), Options{MaxError: 1, Border: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := heightfield.Grid{W: 2, D: 2, Origin: geom.V3(10.5, 1, 20.5), Cell: 0.5, CellHeight: 0.25}
	if diff := cmp.Diff(want, s.Grid); diff != "" || s.BorderSize != 1 || s.MaxError != 1 {
		t.Errorf("set %+v, grid (-want +got):\n%s", s, diff)
	}
}

// Raw outlines are for pictures: all cell corners, holes apart.
func TestRaw(t *testing.T) {
	pic := "AAA\nA#A\nAAA"
	c := ground(pic)
	s, err := Build(t.Context(), c, byPicture(c, pic), Options{MaxError: 0.1})
	if err != nil || len(s.Contours) != 1 {
		t.Fatalf("%d contours, %v", len(s.Contours), err)
	}
	ct := s.Contours[0]
	if len(ct.Raw) != 12 || ringArea2(ct.Raw) != 18 {
		t.Errorf("outline of %d corners, area %d, want 12 and 18 halves", len(ct.Raw), ringArea2(ct.Raw))
	}
	if len(ct.RawHoles) != 1 || len(ct.RawHoles[0]) != 4 || ringArea2(ct.RawHoles[0]) != -2 {
		t.Errorf("holes %v, want one of 4 corners and -2 halves", ct.RawHoles)
	}
}

// Two combs of different areas, teeth one cell wide and 12 deep, and an error
// far larger than the teeth are wide.
func TestCombs(t *testing.T) {
	var pic, floor strings.Builder
	line := func(area, reg string) { floor.WriteString(area + "\n"); pic.WriteString(reg + "\n") }
	for range 3 {
		line(strings.Repeat(".", 80), strings.Repeat("A", 80))
	}
	for range 12 {
		line(strings.Repeat(".2", 40), strings.Repeat("AB", 40))
	}
	for range 3 {
		line(strings.Repeat("2", 80), strings.Repeat("B", 80))
	}
	c := fieldtest.FromLayers(fieldtest.Layer{Map: floor.String()})
	r := byPicture(c, pic.String())
	for _, maxError := range []float64{0, 0.5, 1.3, 4, 13, 100} {
		s, err := Build(t.Context(), c, r, Options{MaxError: maxError})
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Contours) != 2 || len(s.Skipped) != 0 {
			t.Fatalf("error %v: %d contours, skipped %v", maxError, len(s.Contours), s.Skipped)
		}
		checkSet(t, c, r, s)
		// With an error of 3 cells and more the corners of the walls go.
		if got := ringArea2(s.Contours[0].Verts) + ringArea2(s.Contours[1].Verts); maxError < 3 && got != 2*80*18 {
			t.Errorf("error %v: the areas sum up to %d halves, want %d", maxError, got, 2*80*18)
		}
	}
}

func joined(outline, hole []Vertex) ([]Vertex, bool) {
	v := append(slices.Clone(outline), hole...)
	return new(joiner).join(1, v, []int32{0, int32(len(outline)), int32(len(v))})
}

// A triangular hole with a corner in line with an outer edge: bridges along the
// line must not be chosen, whatever the order.
func TestHoleInLine(t *testing.T) {
	v := func(x, z int32) Vertex { return Vertex{X: x, Z: z} }
	outline := []Vertex{v(0, 0), v(0, 10), v(10, 10), v(10, 6), v(14, 6), v(14, 0)}
	for turn := range 3 {
		// Corner (6, 6) lies on the line through (10, 6) and (14, 6).
		hole := []Vertex{v(6, 6), v(3, 3), v(6, 3)}
		if ringArea2(hole) > 0 {
			slices.Reverse(hole)
		}
		hole = append(hole[turn:], hole[:turn]...)
		ring, ok := joined(outline, hole)
		if !ok || len(ring) != 11 {
			t.Fatalf("ring %v, %v", ring, ok)
		}
		if got, want := ringArea2(ring), ringArea2(outline)+ringArea2(hole); got != want {
			t.Errorf("area %d halves, want %d", got, want)
		}
		if !weaklySimple(ring) {
			t.Errorf("ring %v crosses itself", ring)
		}
	}
}

// Where a ring is at one place twice, a bridge must leave from the visit that
// has the hole on its inside.
func TestBridgesAtPinches(t *testing.T) {
	ring := func(xz ...int32) []Vertex {
		var r []Vertex
		for i := 0; i < len(xz); i += 2 {
			r = append(r, Vertex{X: xz[i], Z: xz[i+1]})
		}
		return r
	}
	square := ring(0, 0, 0, 10, 10, 10, 10, 0)
	pinched := ring(0, 0, 0, 10, 10, 10, 10, 5, 5, 5, 3, 8, 2, 5, 5, 5, 10, 0)
	wedges := ring(2, 5, 5, 4, 5, 3, 2, 5, 5, 7, 5, 6) // two with a common tip
	tests := []struct {
		name    string
		outline []Vertex
		hole    []Vertex
	}{
		{"first visit of the outline", pinched, ring(5, 6, 6, 7, 5, 7)},
		{"second visit of the outline", pinched, ring(5, 4, 5, 3, 4, 3)},
		{"first visit of the hole", square, wedges},
		{"second visit of the hole", square, append(slices.Clone(wedges[3:]), wedges[:3]...)},
	}
	for _, tt := range tests {
		hole := slices.Clone(tt.hole)
		if ringArea2(hole) > 0 {
			slices.Reverse(hole)
		}
		got, ok := joined(tt.outline, hole)
		if !ok || len(got) != len(tt.outline)+len(hole)+2 {
			t.Errorf("%s: ring %v, %v", tt.name, got, ok)
			continue
		}
		if !weaklySimple(got) || ringArea2(got) != ringArea2(tt.outline)+ringArea2(hole) {
			t.Errorf("%s: ring %s crosses itself", tt.name, show(got))
		}
	}
}

// Holes that simplification moved out of the outline or into another hole have
// no bridge.
func TestNoBridge(t *testing.T) {
	v := []Vertex{
		{X: 0, Z: 0},
		{X: 0, Z: 9},
		{X: 9, Z: 9},
		{X: 9, Z: 0},
		{X: 12, Z: 2},
		{X: 14, Z: 2},
		{X: 14, Z: 4}, // outside
		{X: 1, Z: 1},
		{X: 8, Z: 1},
		{X: 8, Z: 8},
		{X: 1, Z: 8},
		{X: 2, Z: 2},
		{X: 4, Z: 2},
		{X: 4, Z: 4}, // in the hole before
	}
	if ring, ok := new(joiner).join(1, v[:7], []int32{0, 4, 7}); ok {
		t.Errorf("hole outside joined: %s", show(ring))
	}
	two := append(slices.Clone(v[:4]), v[7:]...)
	if ring, ok := new(joiner).join(1, two, []int32{0, 4, 8, 11}); ok {
		t.Errorf("hole in a hole joined: %s", show(ring))
	}
	if _, ok := new(joiner).join(1, two[:8], []int32{0, 4, 8}); !ok {
		t.Error("a good hole was not joined")
	}
}

// Buckets must never lose an edge: all that come near a point are on the list of
// its bucket.
func TestBuckets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Int32Range(-40, 40)
		v := make([]Vertex, rapid.IntRange(2, 40).Draw(t, "n"))
		for i := range v {
			v[i] = Vertex{X: at.Draw(t, "x"), Z: at.Draw(t, "z")}
		}
		var b buckets
		b.reset(v)
		for i := range v {
			b.file(int32(i), &v[i], &v[(i+1)%len(v)])
		}
		for i := range v {
			p, q := v[i], v[(i+1)%len(v)]
			// Walk the edge in fine steps.
			const steps = 997
			for k := range steps + 1 {
				f := float64(k) / steps
				x := int32(math.Floor((float64(p.X-b.minX) + f*float64(q.X-p.X)) / float64(b.side)))
				z := int32(math.Floor((float64(p.Z-b.minZ) + f*float64(q.Z-p.Z)) / float64(b.side)))
				found := false
				for e := b.first[x+z*b.nx]; e >= 0; e = b.entries[e].next {
					found = found || b.entries[e].edge == int32(i)
				}
				if !found {
					t.Fatalf("edge %v-%v is not in bucket %d,%d of side %d", p, q, x, z, b.side)
				}
			}
		}
	})
}

// A comb of holes: each must wait for the one before to get its bridge.
func TestManyHoles(t *testing.T) {
	row := "A" + strings.Repeat("##A", 20)
	full := strings.Repeat("A", len(row))
	pic := strings.Repeat(full+"\n"+row+"\n"+row+"\n", 20) + full
	c := ground(pic)
	r := byPicture(c, pic)
	s, err := Build(t.Context(), c, r, Options{MaxError: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	checkSet(t, c, r, s)
	if len(s.Contours) != 1 || len(s.Contours[0].RawHoles) != 400 {
		t.Fatalf("skipped %v", s.Skipped)
	}
	if got, want := ringArea2(s.Contours[0].Verts), int64(2*strings.Count(pic, "A")); got != want {
		t.Errorf("area %d halves, want %d", got, want)
	}
}

func TestSound(t *testing.T) {
	v := func(xz ...int32) []Vertex {
		var ring []Vertex
		for i := 0; i < len(xz); i += 2 {
			ring = append(ring, Vertex{X: xz[i], Z: xz[i+1]})
		}
		return ring
	}
	square := v(0, 0, 0, 10, 10, 10, 10, 0)
	tests := []struct {
		name  string
		loops [][]Vertex
		want  bool
	}{
		{"square", [][]Vertex{square}, true},
		{"bow tie", [][]Vertex{v(0, 0, 10, 10, 10, 0, 0, 10)}, false},
		{"corner on an edge", [][]Vertex{v(0, 0, 0, 10, 5, 0, 10, 10, 10, 0)}, false},
		{"slit", [][]Vertex{v(0, 0, 0, 10, 10, 10, 10, 0, 5, 0, 5, 5, 5, 0)}, true},
		{"fold", [][]Vertex{v(0, 0, 0, 10, 10, 10, 10, 0, 5, 0, 5, 5, 5, 2, 1, 1)}, false},
		{"same edge twice", [][]Vertex{v(0, 0, 0, 10, 10, 10, 0, 0, 0, 10, 10, 0)}, false},
		{"pinch", [][]Vertex{v(0, 0, 0, 10, 10, 10, 10, 5, 5, 5, 3, 8, 2, 5, 5, 5, 10, 0)}, true},
		{"through a corner", [][]Vertex{v(0, 0, 0, 10, 5, 5, 10, 10, 10, 0, 5, 5)}, false},
		{"hole", [][]Vertex{square, v(2, 2, 4, 2, 4, 4)}, true},
		{"hole as a wall", [][]Vertex{square, v(2, 2, 4, 4)}, true},
		{"hole across the outline", [][]Vertex{square, v(2, 2, 14, 2, 4, 4)}, false},
		{"hole with a corner at the outline's", [][]Vertex{square, v(0, 0, 4, 2, 4, 4)}, false},
	}
	var k checker
	for _, tt := range tests {
		var ring []Vertex
		start := []int32{0}
		for _, l := range tt.loops {
			ring = append(ring, l...)
			start = append(start, int32(len(ring)))
		}
		for range 2 { // the second time with used scratch
			if got := k.sound(ring, start); got != tt.want {
				t.Errorf("%s: sound = %v, want %v", tt.name, got, tt.want)
			}
		}
	}
}

// weaklySimple checks all pairs of edges: no two may cross inside both; and all
// pairs of corners at one place: their insides may not overlap. It uses the exact
// predicates of geom, angles, and no code of this package.
func weaklySimple(ring []Vertex) bool {
	at := func(i int) geom.Vec3 {
		v := ring[i%len(ring)]
		return geom.V3(float64(v.X), 0, float64(v.Z))
	}
	sign := func(x float64) float64 { return min(max(x, -1), 1) }
	for i := range ring {
		for j := range i {
			a, b, c, d := at(i), at(i+1), at(j), at(j+1)
			if sign(geom.Area2(a, b, c))*sign(geom.Area2(a, b, d)) < 0 && sign(geom.Area2(c, d, a))*sign(geom.Area2(c, d, b)) < 0 {
				return false
			}
		}
	}
	// The inside of a corner is the sector from the edge that leaves, turning
	// left, to the edge that came.
	angle := func(from, to geom.Vec3) float64 { return math.Atan2(from.Z-to.Z, to.X-from.X) }
	past := func(a, b float64) float64 { // how far a is past b, turning left
		d := math.Mod(a-b+4*math.Pi, 2*math.Pi)
		if d < 1e-9 || d > 2*math.Pi-1e-9 {
			return 0
		}
		return d
	}
	n := len(ring)
	for i := range ring {
		for j := range i {
			if at(i) != at(j) {
				continue
			}
			si, sj := angle(at(i), at(i+1)), angle(at(j), at(j+1))
			wi, wj := past(angle(at(i), at(i+n-1)), si), past(angle(at(j), at(j+n-1)), sj)
			if si == sj || wi == 0 || wj == 0 || past(sj, si) < wi || past(si, sj) < wj {
				return false
			}
		}
	}
	return true
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// side is a directed edge with heights.
type side struct{ ax, ay, az, bx, by, bz int32 }

// checkSet checks what holds for every set: orientation, simplicity, area, and
// that both sides of a shared border agree.
func checkSet(t fataler, c *heightfield.Compact, r *region.Result, s *Set) {
	t.Helper()
	cells := make([]int64, r.Max+1)
	for _, id := range r.Region {
		if id != 0 && id&region.Border == 0 {
			cells[id]++
		}
	}
	seen := map[region.ID]bool{}
	for _, k := range s.Skipped {
		seen[k.Region] = true
	}
	skipped := len(seen) > 0
	var got, want, slack float64
	type pair struct{ own, other region.ID }
	edges := map[pair][]side{}
	for _, ct := range s.Contours {
		if seen[ct.Region] {
			t.Fatalf("region %d comes twice", ct.Region)
		}
		seen[ct.Region] = true
		if !weaklySimple(ct.Verts) {
			t.Fatalf("region %d crosses itself: %s", ct.Region, show(ct.Verts))
		}
		area := ringArea2(ct.Verts)
		if area <= 0 {
			t.Fatalf("region %d has area %d", ct.Region, area)
		}
		raw := ringArea2(ct.Raw)
		slack += s.MaxError * float64(len(ct.Raw))
		for _, h := range ct.RawHoles {
			raw += ringArea2(h)
			slack += max(s.MaxError, 2*s.MaxError*s.MaxError) * float64(len(h))
		}
		if raw != 2*cells[ct.Region] {
			t.Fatalf("region %d has %d cells, its raw outline %d halves", ct.Region, cells[ct.Region], raw)
		}
		got += float64(area) / 2
		want += float64(cells[ct.Region])
		for i, v := range ct.Verts {
			w := ct.Verts[(i+1)%len(ct.Verts)]
			if v.X == w.X && v.Z == w.Z {
				t.Fatalf("region %d has an edge without length: %s", ct.Region, show(ct.Verts))
			}
			if v.Region != 0 && v.Region&region.Border == 0 && v.Region != ct.Region {
				p := pair{ct.Region, v.Region}
				edges[p] = append(edges[p], side{v.X, v.Y, v.Z, w.X, w.Y, w.Z})
			}
		}
	}
	for id := region.ID(1); id <= r.Max; id++ {
		if cells[id] > 0 && !seen[id] {
			t.Fatalf("region %d is lost", id)
		}
	}
	if skipped {
		return
	}
	if math.Abs(got-want) > slack+1e-9 {
		t.Fatalf("area %v, cells %v, allowed difference %v", got, want, slack)
	}
	if s.MaxError == 0 && got != want {
		t.Fatalf("area %v without error allowed, cells %v", got, want)
	}
	for p, own := range edges {
		other := slices.Clone(edges[pair{p.other, p.own}])
		for i, e := range other {
			other[i] = side{e.bx, e.by, e.bz, e.ax, e.ay, e.az}
		}
		order := func(a, b side) int {
			return slices.Compare([]int32{a.ax, a.az, a.ay, a.bx, a.bz, a.by}, []int32{b.ax, b.az, b.ay, b.bx, b.bz, b.by})
		}
		slices.SortFunc(own, order)
		slices.SortFunc(other, order)
		if !slices.Equal(own, other) {
			t.Fatalf("regions %d and %d do not agree:\n%v\n%v", p.own, p.other, own, other)
		}
	}
}

func TestLaws(t *testing.T) {
	for _, part := range []struct {
		name string
		run  func(context.Context, *heightfield.Compact, region.Options) (*region.Result, error)
	}{{"watershed", region.Watershed}, {"monotone", region.Monotone}} {
		t.Run(part.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				c := fieldtest.Random(t, 24)
				border := rapid.SampledFrom([]int{0, 0, 2}).Draw(t, "border")
				r, err := part.run(context.Background(), c, region.Options{
					Border:    border,
					MinArea:   rapid.SampledFrom([]int{0, 0, 5}).Draw(t, "min"),
					MergeArea: rapid.SampledFrom([]int{0, 10, 400}).Draw(t, "merge"),
				})
				if err != nil {
					t.Fatal(err)
				}
				o := Options{
					MaxError: rapid.SampledFrom([]float64{0, 0.7, 1.3, 2, 4}).Draw(t, "error"),
					Border:   border,
				}
				s, err := Build(context.Background(), c, r, o)
				if err != nil {
					t.Fatal(err)
				}
				checkSet(t, c, r, s)
				if len(s.Skipped) > 0 {
					t.Fatalf("skipped %+v", s.Skipped)
				}
				o.MaxEdgeLen = rapid.IntRange(1, 12).Draw(t, "edge")
				s, err = Build(context.Background(), c, r, o)
				if err != nil {
					t.Fatal(err)
				}
				checkSet(t, c, r, s)
				again, err := Build(context.Background(), c, r, o)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(s, again); diff != "" {
					t.Fatalf("a second run differs:\n%s", diff)
				}
			})
		})
	}
}

// Any labelling of connected cells will do, however odd the regions: each cell
// joins a neighbour's region or starts its own.
func TestOddRegions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, d := rapid.IntRange(1, 9).Draw(t, "w"), rapid.IntRange(1, 9).Draw(t, "d")
		cols := make([][]fieldtest.Cell, w*d)
		for i := range cols {
			if rapid.IntRange(0, 5).Draw(t, "gap") > 0 {
				cols[i] = []fieldtest.Cell{{Y: rapid.IntRange(0, 3).Draw(t, "y"), Area: 1}}
			}
		}
		c := fieldtest.New(w, d, fieldtest.Headroom, fieldtest.Climb, cols)
		r := &region.Result{Region: make([]region.ID, c.Len())}
		for range 3 {
			for i := range c.Len() {
				if r.Region[i] != 0 {
					continue
				}
				k := c.Nei[i][rapid.IntRange(0, 3).Draw(t, "dir")]
				if k >= 0 && r.Region[k] != 0 {
					r.Region[i] = r.Region[k]
				} else if rapid.IntRange(0, 3).Draw(t, "new") == 0 {
					r.Max++
					r.Region[i] = r.Max
				}
			}
		}
		s, err := Build(context.Background(), c, r, Options{MaxError: rapid.SampledFrom([]float64{0, 1, 1.3, 4}).Draw(t, "error")})
		if err != nil {
			t.Fatal(err)
		}
		checkSet(t, c, r, s)
		if len(s.Skipped) > 0 {
			t.Fatalf("skipped %+v", s.Skipped)
		}
	})
}

// Without long edges to split, walls stay within the error of the raw outline.
func TestWithinError(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := fieldtest.Random(t, 24)
		r, err := region.Watershed(context.Background(), c, region.Options{MergeArea: 100})
		if err != nil {
			t.Fatal(err)
		}
		maxError := rapid.SampledFrom([]float64{0.5, 1.3, 3}).Draw(t, "error")
		s, err := Build(context.Background(), c, r, Options{MaxError: maxError})
		if err != nil {
			t.Fatal(err)
		}
		at := func(v Vertex) geom.Vec3 { return geom.V3(float64(v.X), 0, float64(v.Z)) }
		for _, ct := range s.Contours {
			n := len(ct.Raw)
			for i, v := range ct.Raw {
				if v.Region != 0 || ct.Raw[(i+n-1)%n].Region != 0 {
					continue
				}
				best := math.Inf(1)
				for j := range ct.Verts {
					_, sq := geom.ClosestOnSegXZ(at(v), at(ct.Verts[j]), at(ct.Verts[(j+1)%len(ct.Verts)]))
					best = min(best, sq)
				}
				if best > maxError*maxError+1e-9 {
					t.Fatalf("region %d leaves the wall at %d,%d by %v", ct.Region, v.X, v.Z, math.Sqrt(best))
				}
			}
		}
	})
}

func TestOneWayLinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := fieldtest.Random(t, 10)
		r, err := region.Watershed(context.Background(), c, region.Options{MergeArea: 30})
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 10).Draw(t, "cuts") {
			if c.Len() > 0 {
				c.Nei[rapid.IntRange(0, c.Len()-1).Draw(t, "cell")][rapid.IntRange(0, 3).Draw(t, "dir")] = -1
			}
		}
		if _, err := Build(context.Background(), c, r, Options{MaxError: 1.3}); err != nil && !errors.Is(err, errOneWay) {
			t.Fatal(err)
		}
	})
}

func TestErrors(t *testing.T) {
	c := ground("AA\nAA")
	r := byPicture(c, "AA\nAA")
	bad := *r
	bad.Max = 0
	short := &region.Result{Region: r.Region[:2], Max: 1}
	tests := []struct {
		name string
		r    *region.Result
		o    Options
		want string
	}{
		{"border", r, Options{Border: -1}, "border of -1"},
		{"edge", r, Options{MaxEdgeLen: -2}, "longest edge of -2"},
		{"error", r, Options{MaxError: -1}, "error of -1"},
		{"not a number", r, Options{MaxError: math.NaN()}, "error of NaN"},
		{"infinite", r, Options{MaxError: math.Inf(1)}, "error of +Inf"},
		{"too few regions", short, Options{}, "regions of 2 cells for a field of 4"},
		{"region over the maximum", &bad, Options{}, "cell 0 is in region 1 of 0"},
	}
	for _, tt := range tests {
		if _, err := Build(t.Context(), c, tt.r, tt.o); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Build(ctx, c, r, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

func BenchmarkBuild(b *testing.B) {
	// Round rooms, so that walls are jagged.
	const side, rooms = 40, 8
	w := side * rooms
	cols := make([][]fieldtest.Cell, w*w)
	for z := range w {
		for x := range w {
			dx, dz := x%side-side/2, z%side-side/2
			if dx*dx+dz*dz < 19*19 && dx*dx+dz*dz > 9 || min(max(dx, -dx), max(dz, -dz)) < 2 {
				cols[x+z*w] = []fieldtest.Cell{{Y: 1, Area: 1}}
			}
		}
	}
	c := fieldtest.New(w, w, fieldtest.Headroom, fieldtest.Climb, cols)
	r, err := region.Watershed(b.Context(), c, region.Options{MinArea: 64, MergeArea: 400})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Build(b.Context(), c, r, Options{MaxError: 1.3, MaxEdgeLen: 40}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.Len()), "ns/cell")
}
