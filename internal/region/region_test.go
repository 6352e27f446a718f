package region

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wend/internal/heightfield"
	"wend/internal/wendtest/fieldtest"
)

type partition func(context.Context, *heightfield.Compact, Options) (*Result, error)

var partitions = []struct {
	name string
	run  partition
}{{"watershed", Watershed}, {"monotone", Monotone}}

// draw shows the region of the lowest cell of each column: a letter, '#' for
// none, a digit for the frame.
func draw(c *heightfield.Compact, r *Result) string {
	var b strings.Builder
	for z := range c.D {
		for x := range c.W {
			i := c.Start[x+z*c.W]
			switch {
			case i == c.Start[x+z*c.W+1], r.Region[i] == 0:
				b.WriteByte('#')
			case r.Region[i]&Border != 0:
				b.WriteByte('0' + byte(r.Region[i]&^Border))
			default:
				b.WriteByte('A' + byte(r.Region[i]) - 1)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestPictures(t *testing.T) {
	tests := []struct {
		name                string
		layers              []fieldtest.Layer
		o                   Options
		watershed, monotone string
	}{
		{
			name:      "one room is one region",
			layers:    []fieldtest.Layer{{Map: "......\n......\n......"}},
			watershed: "AAAAAA\nAAAAAA\nAAAAAA\n",
			monotone:  "AAAAAA\nAAAAAA\nAAAAAA\n",
		},
		{
			name:      "a strip without inner cells is a region",
			layers:    []fieldtest.Layer{{Map: "####\n....\n####"}},
			watershed: "####\nAAAA\n####\n",
			monotone:  "####\nAAAA\n####\n",
		},
		{
			name:      "areas part regions",
			layers:    []fieldtest.Layer{{Map: "...222\n...222\n...222"}},
			o:         Options{MergeArea: 100},
			watershed: "AAABBB\nAAABBB\nAAABBB\n",
			monotone:  "AAABBB\nAAABBB\nAAABBB\n",
		},
		{
			name:      "a sweep splits at a pillar",
			layers:    []fieldtest.Layer{{Map: "......\n..##..\n......"}},
			monotone:  "AAAAAA\nBB##CC\nDDDDDD\n",
			watershed: "AAAAAA\nAA##AA\nAAAAAA\n",
		},
		{
			// The first three join; with the last the union would have a hole.
			name:      "no union with a hole",
			layers:    []fieldtest.Layer{{Map: "......\n..##..\n......"}},
			o:         Options{MergeArea: 100},
			monotone:  "AAAAAA\nAA##AA\nBBBBBB\n",
			watershed: "AAAAAA\nAA##AA\nAAAAAA\n",
		},
		{
			name:      "a small island goes, areas count together",
			layers:    []fieldtest.Layer{{Map: "....#.\n....#2\n....##\n....#."}},
			o:         Options{MinArea: 3},
			watershed: "AAAA##\nAAAA##\nAAAA##\nAAAA##\n",
			monotone:  "AAAA##\nAAAA##\nAAAA##\nAAAA##\n",
		},
		{
			name:      "as large as the limit stays",
			layers:    []fieldtest.Layer{{Map: "....#.\n....#2\n....##\n....#."}},
			o:         Options{MinArea: 2},
			watershed: "AAAA#B\nAAAA#C\nAAAA##\nAAAA##\n",
			monotone:  "AAAA#B\nAAAA#C\nAAAA##\nAAAA##\n",
		},
		{
			name:      "a frame is numbered by side and keeps small islands beside it",
			layers:    []fieldtest.Layer{{Map: ".......\n.......\n..#.#..\n..###..\n..#.#..\n.......\n.......\n"}},
			o:         Options{Border: 2, MinArea: 50},
			watershed: "3333333\n3333333\n11#A#22\n11###22\n11#B#22\n4444444\n4444444\n",
			monotone:  "3333333\n3333333\n11#A#22\n11###22\n11#B#22\n4444444\n4444444\n",
		},
		{
			name:      "a strip along the frame is a region",
			layers:    []fieldtest.Layer{{Map: "......\n......\n......\n.####.\n......"}},
			o:         Options{Border: 1},
			watershed: "333333\n1AAAA2\n1AAAA2\n1####2\n444444\n",
			monotone:  "333333\n1AAAA2\n1AAAA2\n1####2\n444444\n",
		},
		{
			name:      "all frame",
			layers:    []fieldtest.Layer{{Map: "...\n...\n..."}},
			o:         Options{Border: 7},
			watershed: "444\n444\n444\n",
			monotone:  "444\n444\n444\n",
		},
	}
	for _, tt := range tests {
		for _, p := range partitions {
			t.Run(tt.name+"/"+p.name, func(t *testing.T) {
				c := fieldtest.FromLayers(tt.layers...)
				r, err := p.run(t.Context(), c, tt.o)
				if err != nil {
					t.Fatal(err)
				}
				want := tt.watershed
				if p.name == "monotone" {
					want = tt.monotone
				}
				if diff := cmp.Diff(want, draw(c, r)); diff != "" {
					t.Errorf("regions (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// An island of a third kind in the middle of a room: it joins when it may.
func TestMergeFillsHoles(t *testing.T) {
	// A plateau, one climb up with a rim the water cannot pass, would start a
	// region of its own; build the numbers by hand instead.
	c := fieldtest.FromLayers(fieldtest.Layer{Map: ".....\n.....\n.....\n.....\n....."})
	reg := make([]ID, c.Len())
	for i := range reg {
		reg[i] = 1
	}
	reg[2+2*5], reg[1+2*5], reg[3+2*5] = 2, 3, 4
	s := new(scratch)
	r, err := s.mergeAndFilter(t.Context(), c, reg, 4, Options{MergeArea: 2})
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Repeat("AAAAA\n", 5); draw(c, r) != want {
		t.Errorf("got\n%swant\n%s", draw(c, r), want)
	}
}

// A wall without thickness ends at the border of two regions: one of them sees
// one border, the other two.
func TestBorderWithWallEnd(t *testing.T) {
	c := fieldtest.FromLayers(fieldtest.Layer{Map: "....\n....\n....\n...."})
	for z := range 2 {
		c.Nei[2+4*z][0], c.Nei[1+4*z][2] = -1, -1
	}
	reg := make([]ID, c.Len())
	for i := range reg {
		reg[i] = 1 + ID(i/8)
	}
	r, err := new(scratch).mergeAndFilter(t.Context(), c, reg, 2, Options{MergeArea: 100})
	if err != nil {
		t.Fatal(err)
	}
	if want := "AAAA\nAAAA\nBBBB\nBBBB\n"; draw(c, r) != want {
		t.Errorf("got\n%swant\n%s", draw(c, r), want)
	}
}

// A ramp of two turns above itself cannot be one region.
func TestSpiralRamp(t *testing.T) {
	const turns, side = 3, 12
	cols := make([][]fieldtest.Cell, side*side)
	// Walk round the ring of width 3, rising one voxel a cell.
	y := 0
	put := func(x, z int) { cols[x+z*side] = append(cols[x+z*side], fieldtest.Cell{Y: y, Area: 1}) }
	for range turns {
		for x := 0; x < side-3; x++ {
			for k := range 3 {
				put(x, k)
			}
			y++
		}
		for z := 0; z < side-3; z++ {
			for k := range 3 {
				put(side-1-k, z)
			}
			y++
		}
		for x := side - 1; x > 2; x-- {
			for k := range 3 {
				put(x, side-1-k)
			}
			y++
		}
		for z := side - 1; z > 2; z-- {
			for k := range 3 {
				put(k, z)
			}
			y++
		}
	}
	c := fieldtest.New(side, side, fieldtest.Headroom, fieldtest.Climb, cols)
	for _, p := range partitions {
		r, err := p.run(t.Context(), c, Options{MinArea: 8, MergeArea: 1000})
		if err != nil {
			t.Fatal(err)
		}
		checkPartition(t, c, r, Options{MinArea: 8})
		if r.Max < turns || r.Max > 4*turns {
			t.Errorf("%s: %d regions for %d turns", p.name, r.Max, turns)
		}
	}
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// checkPartition checks all that a result promises with plain code of its own.
func checkPartition(t fataler, c *heightfield.Compact, r *Result, o Options) {
	t.Helper()
	column := make([]int, c.Len())
	for col := range c.W * c.D {
		for i := c.Start[col]; i < c.Start[col+1]; i++ {
			column[i] = col
		}
	}
	framed := func(i int) bool {
		x, z := column[i]%c.W, column[i]/c.W
		return x < o.Border || z < o.Border || x >= c.W-o.Border || z >= c.D-o.Border
	}
	// Which cells must have a region: all of an island that is large enough.
	comp := flood(c, func(i int) bool { return c.Area[i] != 0 && !framed(i) }, func(i, k int) bool { return true })
	size := map[int]int{}
	open := map[int]bool{}
	for i, root := range comp {
		if root < 0 {
			continue
		}
		size[root]++
		for _, k := range c.Nei[i] {
			if k >= 0 && framed(int(k)) && c.Area[k] != 0 {
				open[root] = true
			}
		}
	}
	next := ID(1)
	type place struct {
		region ID
		column int
	}
	seen := map[place]bool{}
	for i, id := range r.Region {
		switch {
		case c.Area[i] == 0:
			if id != 0 {
				t.Fatalf("cell %d is not walkable and has region %d", i, id)
			}
		case framed(i):
			if id&Border == 0 {
				t.Fatalf("cell %d of the frame has region %d", i, id)
			}
		case size[comp[i]] < o.MinArea && !open[comp[i]]:
			if id != 0 {
				t.Fatalf("cell %d of an island of %d cells has region %d", i, size[comp[i]], id)
			}
		default:
			if id == 0 || id > r.Max {
				t.Fatalf("cell %d on an island of %d cells has region %d of %d", i, size[comp[i]], id, r.Max)
			}
			if id > next {
				t.Fatalf("region %d begins before region %d", id, next)
			} else if id == next {
				next++
			}
			at := place{id, column[i]}
			if seen[at] {
				t.Fatalf("region %d has two cells in column %d", id, column[i])
			}
			seen[at] = true
		}
	}
	if next != r.Max+1 {
		t.Fatalf("%d regions in use, Max is %d", next-1, r.Max)
	}
	// Each region is one piece of one area.
	piece := flood(c, func(i int) bool { return r.Region[i] != 0 && r.Region[i]&Border == 0 },
		func(i, k int) bool { return r.Region[i] == r.Region[k] && c.Area[i] == c.Area[k] })
	root := map[ID]int{}
	for i, p := range piece {
		if p < 0 {
			continue
		}
		if first, ok := root[r.Region[i]]; ok && first != p {
			t.Fatalf("region %d has pieces at cells %d and %d", r.Region[i], first, p)
		}
		root[r.Region[i]] = p
	}
}

// flood labels the cells that may be used with the lowest index of their piece.
func flood(c *heightfield.Compact, use func(int) bool, joined func(i, k int) bool) []int {
	label := make([]int, c.Len())
	for i := range label {
		label[i] = -1
	}
	for i := range label {
		if label[i] >= 0 || !use(i) {
			continue
		}
		label[i] = i
		stack := []int{i}
		for len(stack) > 0 {
			j := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, k := range c.Nei[j] {
				if k >= 0 && label[k] < 0 && use(int(k)) && joined(j, int(k)) {
					label[k] = i
					stack = append(stack, int(k))
				}
			}
		}
	}
	return label
}

func TestPartitionLaws(t *testing.T) {
	for _, p := range partitions {
		t.Run(p.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				c := fieldtest.Random(t, 24)
				o := Options{
					Border:    rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(t, "border"),
					MinArea:   rapid.IntRange(0, 12).Draw(t, "min"),
					MergeArea: rapid.SampledFrom([]int{0, 4, 30, 400}).Draw(t, "merge"),
				}
				r, err := p.run(context.Background(), c, o)
				if err != nil {
					t.Fatal(err)
				}
				checkPartition(t, c, r, o)
				again, err := p.run(context.Background(), c, o)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(r.Region, again.Region) {
					t.Fatal("a second run differs")
				}
			})
		})
	}
}

// Regions that could still join must be large: the union of a small one with a
// neighbour is checked cell by cell for overlap and holes.
func TestMergeIsComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := fieldtest.Random(t, 14)
		o := Options{MergeArea: rapid.IntRange(1, 60).Draw(t, "merge")}
		r, err := Watershed(context.Background(), c, o)
		if err != nil {
			t.Fatal(err)
		}
		cells := make([]int, r.Max+1)
		for _, id := range r.Region {
			cells[id]++
		}
		for a := ID(1); a <= r.Max; a++ {
			if cells[a] > o.MergeArea {
				continue
			}
			for b := ID(1); b <= r.Max; b++ {
				if a != b && joinable(c, r, a, b) {
					t.Fatalf("region %d of %d cells could join region %d", a, cells[a], b)
				}
			}
		}
	})
}

// joinable reports whether the union of a and b is a region whose number of
// outlines is what the merge of two outlines at one border leaves.
func joinable(c *heightfield.Compact, r *Result, a, b ID) bool {
	member := func(ids ...ID) func(int) bool {
		return func(i int) bool { return slices.Contains(ids, r.Region[i]) }
	}
	touch, area := false, map[uint8]bool{}
	for col := range c.W * c.D {
		n := 0
		for i := c.Start[col]; i < c.Start[col+1]; i++ {
			if !member(a, b)(int(i)) {
				continue
			}
			n++
			area[c.Area[i]] = true
			for _, k := range c.Nei[i] {
				touch = touch || k >= 0 && r.Region[i] == a && r.Region[k] == b
			}
		}
		if n > 1 {
			return false
		}
	}
	if !touch || len(area) > 1 {
		return false
	}
	// One shared border: Euler's formula on cells, links and closed corners.
	return euler(c, member(a, b)) == euler(c, member(a))+euler(c, member(b))-1
}

// euler returns cells - links + closed corners of the part of the field: the
// number of its pieces minus the number of its holes.
func euler(c *heightfield.Compact, use func(int) bool) int {
	sum := 0
	for i := range c.Len() {
		if !use(i) {
			continue
		}
		sum++
		right, down := c.Nei[i][2], c.Nei[i][1]
		if right >= 0 && use(int(right)) {
			sum--
			if down >= 0 && use(int(down)) {
				if k := c.Nei[right][1]; k >= 0 && use(int(k)) && c.Nei[down][2] == k {
					sum++
				}
			}
		}
		if down >= 0 && use(int(down)) {
			sum--
		}
	}
	return sum
}

func TestDistances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := fieldtest.Random(t, 16)
		s := new(scratch)
		top := s.distances(c)
		want := plainDistances(c)
		wantTop := 0
		for i := range want {
			wantTop = max(wantTop, want[i])
			if int(s.dist[i]) != want[i] {
				t.Fatalf("cell %d: distance %d, want %d", i, s.dist[i], want[i])
			}
		}
		if top != wantTop {
			t.Fatalf("largest distance %d, want %d", top, wantTop)
		}
	})
}

// plainDistances relaxes until nothing changes, over all eight neighbours.
func plainDistances(c *heightfield.Compact) []int {
	dist := make([]int, c.Len())
	for i := range dist {
		inner := 0
		for _, k := range c.Nei[i] {
			if k >= 0 && c.Area[k] == c.Area[i] {
				inner++
			}
		}
		if inner == 4 && c.Area[i] != 0 {
			dist[i] = 1 << 30
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range dist {
			for dir, k := range c.Nei[i] {
				if k < 0 {
					continue
				}
				for _, turn := range []int{1, 3} {
					if diag := c.Nei[k][(dir+turn)&3]; diag >= 0 && dist[diag]+3 < dist[i] {
						dist[i], changed = dist[diag]+3, true
					}
				}
				if dist[k]+2 < dist[i] {
					dist[i], changed = dist[k]+2, true
				}
			}
		}
	}
	return dist
}

// A large open floor is few regions, and large ones.
func TestChunky(t *testing.T) {
	c := rooms(6, 20)
	r, err := Watershed(t.Context(), c, Options{MinArea: 64, MergeArea: 400})
	if err != nil {
		t.Fatal(err)
	}
	checkPartition(t, c, r, Options{MinArea: 64})
	// 36 rooms with a door to each neighbour.
	if r.Max < 30 || r.Max > 60 {
		t.Errorf("%d regions for 36 rooms", r.Max)
	}
	again, _ := Watershed(t.Context(), c, Options{MinArea: 64, MergeArea: 400})
	if !slices.Equal(r.Region, again.Region) {
		t.Error("a second run differs")
	}
}

// rooms returns n x n rooms of the given side with doors three cells wide.
func rooms(n, side int) *heightfield.Compact {
	w := n*(side+1) + 1
	cols := make([][]fieldtest.Cell, w*w)
	for z := range w {
		for x := range w {
			rx, rz := x%(side+1), z%(side+1)
			door := func(k int) bool { return k >= side/2 && k < side/2+3 }
			outer := x == 0 || z == 0 || x == w-1 || z == w-1
			if outer || rx == 0 && !door(rz) || rz == 0 && !door(rx) {
				continue
			}
			cols[x+z*w] = []fieldtest.Cell{{Y: 1, Area: 1}}
		}
	}
	return fieldtest.New(w, w, fieldtest.Headroom, fieldtest.Climb, cols)
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := rooms(2, 10)
	for _, p := range partitions {
		if _, err := p.run(ctx, c, Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v, want context.Canceled", p.name, err)
		}
	}
}

func TestMalformed(t *testing.T) {
	good := func() *heightfield.Compact { return rooms(1, 5) }
	tests := []struct {
		name string
		edit func(*heightfield.Compact, *Options)
	}{
		{"border", func(_ *heightfield.Compact, o *Options) { o.Border = -1 }},
		{"columns", func(c *heightfield.Compact, _ *Options) { c.W++ }},
		{"areas", func(c *heightfield.Compact, _ *Options) { c.Area = c.Area[1:] }},
	}
	for _, tt := range tests {
		for _, p := range partitions {
			t.Run(tt.name+"/"+p.name, func(t *testing.T) {
				c, o := good(), Options{}
				tt.edit(c, &o)
				if r, err := p.run(t.Context(), c, o); err == nil {
					t.Errorf("no error, %d regions", r.Max)
				}
			})
		}
	}
	empty := &heightfield.Compact{Start: []uint32{0}}
	for _, p := range partitions {
		if r, err := p.run(t.Context(), empty, Options{Border: 3}); err != nil || r.Max != 0 {
			t.Errorf("%s of an empty field: %v, %v", p.name, r, err)
		}
	}
}

// A field whose links are not mutual gives an error or a partition, but no
// panic and no endless walk.
func TestOneWayLinks(t *testing.T) {
	failed := 0
	rapid.Check(t, func(t *rapid.T) {
		c := fieldtest.Random(t, 12)
		for range rapid.IntRange(1, 10).Draw(t, "cuts") {
			if c.Len() > 0 {
				c.Nei[rapid.IntRange(0, c.Len()-1).Draw(t, "cell")][rapid.IntRange(0, 3).Draw(t, "dir")] = -1
			}
		}
		for _, p := range partitions {
			if _, err := p.run(context.Background(), c, Options{MergeArea: 30}); err != nil {
				if !errors.Is(err, errOneWay) {
					t.Fatal(err)
				}
				failed++
			}
		}
	})
	if failed == 0 {
		t.Error("no cut link was noticed")
	}
}

func BenchmarkPartition(b *testing.B) {
	for _, n := range []int{6, 24} {
		c := rooms(n, 40)
		for _, p := range partitions {
			b.Run(fmt.Sprintf("%s/cells=%d", p.name, c.Len()), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := p.run(b.Context(), c, Options{MinArea: 64, MergeArea: 400}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.Len()), "ns/cell")
			})
		}
	}
}

// A floor over a hundred thousand specks takes time for each, not for each pair.
func TestFloorOverSpecks(t *testing.T) {
	const side = 600
	cols := make([][]fieldtest.Cell, side*side)
	for i := range cols {
		if (i%side+i/side)%2 == 0 {
			cols[i] = append(cols[i], fieldtest.Cell{Y: 0, Area: heightfield.Ground})
		}
		cols[i] = append(cols[i], fieldtest.Cell{Y: 100, Area: heightfield.Ground})
	}
	c := fieldtest.New(side, side, 10, 2, cols)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	began := time.Now()
	r, err := Watershed(ctx, c, Options{MergeArea: 400})
	if err != nil {
		t.Fatalf("after %v: %v", time.Since(began), err)
	}
	if want := ID(side*side/2 + 1); r.Max != want {
		t.Errorf("%d regions, want %d", r.Max, want)
	}
}
