package spangrid

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// cutAndJoin computes the components of a region in tiles of a size, put together
// in some order. The tables must have a margin of [Rules.StepMargin] empty cells.
// It returns the component of each span of t.
func cutAndJoin(tb interface{ Fatal(...any) }, t, s *Columns, size int, rng *rand.Rand) (*Joined, []uint32) {
	r := reference()
	whole := t.Window.Grow(-r.StepMargin())
	type tile struct {
		part *Part
		of   []uint32
		at   []Place
	}
	var tiles []tile
	var p Splitter
	for y := 0; y < whole.NY; y += size {
		for x := 0; x < whole.NX; x += size {
			owned := Window{whole.GX + x, whole.GY + y, size, size}.Intersect(whole)
			cut := func(from *Columns) *Columns {
				w := owned.Grow(r.StepMargin())
				out := &Columns{}
				out.Reset(w)
				for i, c := range from.Cell {
					if gx, gy := from.At(int(c)); w.Has(gx, gy) {
						out.Append(int32(w.Cell(gx, gy)), from.H[i])
					}
				}
				out.Finish(r.Climb)
				return out
			}
			own := cut(t)
			part, of, err := p.Split(r, own, cut(s), owned)
			if err != nil {
				tb.Fatal(err)
			}
			k := tile{part: part, of: slices.Clone(of)}
			for i := range own.H {
				if at := own.place(i); owned.Has(int(at.GX), int(at.GY)) {
					k.at = append(k.at, at)
				}
			}
			if len(k.at) != len(of) {
				tb.Fatal("components of", len(of), "records of", len(k.at))
			}
			tiles = append(tiles, k)
		}
	}
	rng.Shuffle(len(tiles), func(i, j int) { tiles[i], tiles[j] = tiles[j], tiles[i] })
	var parts []*Part
	for _, k := range tiles {
		parts = append(parts, k.part)
	}
	joined, err := JoinComponents(context.Background(), parts)
	if err != nil {
		tb.Fatal(err)
	}
	comp := map[Place]uint32{}
	for i, k := range tiles {
		for j, at := range k.at {
			comp[at] = joined.Number[i][k.of[j]-1]
		}
	}
	out := make([]uint32, len(t.H))
	for i := range out {
		out[i] = comp[t.place(i)]
	}
	return joined, out
}

// plainComponents finds components by who reaches whom.
func plainComponents(t, s *Columns) (edges []Edge, comp []uint32) {
	n := len(t.H)
	next := make([][]int, n)
	for i, c := range t.Cell {
		x, y := int(c)%t.NX, int(c)/t.NX
		for j, d := range t.Cell {
			dx, dy := int(d)%t.NX-x, int(d)/t.NX-y
			if max(dx, -dx, dy, -dy) == 1 && plainRise(s, x, y, dx, dy, t.H[i], t.H[j], true) {
				next[i] = append(next[i], j)
			}
		}
	}
	reach := make([][]bool, n)
	for i := range reach {
		reach[i] = make([]bool, n)
		reach[i][i] = true
		for queue := []int{i}; len(queue) > 0; queue = queue[1:] {
			for _, v := range next[queue[0]] {
				if !reach[i][v] {
					reach[i][v] = true
					queue = append(queue, v)
				}
			}
		}
	}
	comp = make([]uint32, n)
	count := uint32(0)
	for i := range comp {
		if comp[i] != 0 {
			continue
		}
		count++
		for j := i; j < n; j++ {
			if reach[i][j] && reach[j][i] {
				comp[j] = count
			}
		}
	}
	for i := range next {
		for _, j := range next[i] {
			if comp[i] != comp[j] {
				edges = append(edges, Edge{From: comp[i], To: comp[j]})
			}
		}
	}
	slices.SortFunc(edges, compareEdges)
	return slices.Compact(edges), comp
}

func TestComponentsAreWhoReachesWhom(t *testing.T) {
	most, withEdges := uint32(0), 0
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, rapid.IntRange(1, 9).Draw(t, "nx"), rapid.IntRange(1, 7).Draw(t, "ny"), 4)
		own, s := w.tables()
		edges, comp := plainComponents(own, s)
		rng := rand.New(rand.NewPCG(12, rapid.Uint64().Draw(t, "order")))
		for _, size := range []int{1, 2, 3, 5, 64} {
			joined, got := cutAndJoin(t, own, s, size, rng)
			if i, bad := firstOther(got, comp); bad {
				t.Fatalf("tiles of %d: %v is in component %d, want %d", size, own.place(i), got[i], comp[i])
			}
			if diff := cmp.Diff(edges, slices.Clone(joined.Edges)); diff != "" {
				t.Fatalf("tiles of %d: edges\n%s", size, diff)
			}
			if want := slices.Max(append(comp, 0)); joined.Components != want {
				t.Fatalf("tiles of %d: %d components, want %d", size, joined.Components, want)
			}
			most = max(most, joined.Components)
			if len(edges) > 0 {
				withEdges++
			}
		}
	})
	if most < 10 || withEdges < 100 {
		t.Errorf("hardly anything was tried: %d components, %d graphs with edges", most, withEdges)
	}
}

// stage makes a region of one layer from rows of digits, metres, and letters
// for the halves: 'a' is 0.5, 'b' 1.5 and so on.
func stage(rows ...string) *Columns {
	const margin = 4
	w := Window{-7, 3, len(rows[0]) + 2*margin, len(rows) + 2*margin}
	cols := make([][]float32, w.Cells())
	for y, row := range rows {
		for x, c := range row {
			cell := (y+margin)*w.NX + x + margin
			switch {
			case c >= '0' && c <= '9':
				cols[cell] = []float32{float32(c - '0')}
			case c >= 'a' && c <= 'z':
				cols[cell] = []float32{float32(c-'a') + .5}
			}
		}
	}
	return columnsOf(w, cols)
}

func TestComponentsOfStages(t *testing.T) {
	for _, k := range []struct {
		name  string
		rows  string
		want  string
		edges []Edge
	}{
		{"flat square", "000 000 000", "111 111 111", nil},
		{"drop", "500000", "122222", []Edge{{From: 1, To: 2}}},
		{"ledge of 2 m, one region", "2222 2222 0000 0000", "1111 1111 2222 2222", []Edge{{From: 1, To: 2}}},
		{"5 m beside two of 2.5 m", "5555 5555 ccee 0000 0000 0000 0000 0000", "", nil},
		{"pit of a metre, one cell wide", "000000 00.000", "", nil},
	} {
		if k.want == "" {
			continue
		}
		s := stage(strings.Fields(k.rows)...)
		joined, comp := cutAndJoin(t, s, s, 3, rand.New(rand.NewPCG(1, 1)))
		var want []uint32
		for _, c := range strings.ReplaceAll(k.want, " ", "") {
			want = append(want, uint32(c-'0'))
		}
		if !slices.Equal(comp, want) || !slices.Equal(joined.Edges, k.edges) {
			t.Errorf("%s: components %v, edges %v", k.name, comp, joined.Edges)
		}
	}
}

// TestLedgesOfOneRegion: from a roof one can drop 5 m, or go down over a shelf of
// half the height.
func TestLedgesOfOneRegion(t *testing.T) {
	s := stage(
		"5555ccc000",
		"5555ccc000",
		"5555ccc000",
		"5555000000",
		"5555000000",
	)
	joined, comp := cutAndJoin(t, s, s, 4, rand.New(rand.NewPCG(1, 1)))
	want := []Edge{{From: 1, To: 2}, {From: 1, To: 3}, {From: 2, To: 3}}
	if joined.Components != 3 || !slices.Equal(joined.Edges, want) {
		t.Errorf("%d components %v, edges %v", joined.Components, comp, joined.Edges)
	}
}

// TestNoDropThroughASlit: a deck with a gap of 2 to 4 cells over a lower floor.
// Its floor goes on within four cells; a gap of five is an edge.
func TestNoDropThroughASlit(t *testing.T) {
	for gap := 2; gap <= 6; gap++ {
		w := Window{NX: 30 + 8, NY: 1 + 8}
		cols := make([][]float32, w.Cells())
		for x := range 30 {
			c := 4*w.NX + x + 4
			cols[c] = []float32{0}
			if x < 12 || x >= 12+gap {
				cols[c] = append(cols[c], 5)
			}
		}
		s := columnsOf(w, cols)
		joined, _ := cutAndJoin(t, s, s, 9, rand.New(rand.NewPCG(1, 1)))
		// The floor, and two halves of the deck, which begin and end over it.
		want := 0
		if gap >= 4 {
			want = 2
		}
		if joined.Components != 3 || len(joined.Edges) != want {
			t.Errorf("gap of %d: %d components, edges %v", gap, joined.Components, joined.Edges)
		}
	}
}

func TestSplitRefusesWindows(t *testing.T) {
	s := stage("00")
	var p Splitter
	for _, k := range []struct {
		s     *Columns
		owned Window
	}{
		{stage("000"), s.Window.Grow(-4)},
		{s, s.Window.Grow(-3)},
		{s, Window{1000, 1000, 4, 4}},
	} {
		if _, _, err := p.Split(reference(), s, k.s, k.owned); err == nil || !strings.HasPrefix(err.Error(), "spangrid: ") {
			t.Errorf("owned %v: error %v", k.owned, err)
		}
	}
	part, of, err := p.Split(reference(), s, s, Window{5, 5, 0, 3})
	if err != nil || len(part.First) != 0 || len(of) != 0 {
		t.Errorf("nothing owned: %v, %v, %v", part, of, err)
	}
}

func TestJoinRefusesParts(t *testing.T) {
	at := Place{1, 2, 3}
	for name, parts := range map[string][]*Part{
		"edge from nowhere":      {{First: []Place{at}, Edges: []Edge{{From: 2, To: 1}}}},
		"edge to component 0":    {{First: []Place{at}, Edges: []Edge{{From: 1, To: 0}}}},
		"step to no record":      {{First: []Place{at}, Out: []Member{{Place{2, 2, 3}, 1}}}},
		"step from no component": {{First: []Place{at}, Out: []Member{{at, 5}}, Rim: []Member{{at, 1}}}},
		"rim of no component":    {{First: []Place{at}, Rim: []Member{{at, 9}}}},
	} {
		if _, err := JoinComponents(context.Background(), parts); err == nil || !strings.HasPrefix(err.Error(), "spangrid: ") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	joined, err := JoinComponents(context.Background(), nil)
	if err != nil || joined.Components != 0 || len(joined.Edges) != 0 {
		t.Errorf("no parts: %v, %v", joined, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := JoinComponents(ctx, []*Part{{First: []Place{at}}}); err != context.Canceled {
		t.Errorf("cancelled: error %v", err)
	}
}

func BenchmarkSplit(b *testing.B) {
	own, s := town(Window{0, 0, 520, 520})
	owned := own.Window.Grow(-4)
	var p Splitter
	var comps, edges, out int
	b.ReportAllocs()
	for b.Loop() {
		part, _, err := p.Split(reference(), own, s, owned)
		if err != nil {
			b.Fatal(err)
		}
		comps, edges, out = len(part.First), len(part.Edges), len(part.Out)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(own.H)), "ns/span")
	b.ReportMetric(float64(comps), "components")
	b.ReportMetric(float64(edges), "edges")
	b.ReportMetric(float64(out), "out")
}

// BenchmarkJoin joins parts of 64 components each, a million in all, where each
// component steps to two later ones and every part has a cycle with the next.
func BenchmarkJoin(b *testing.B) {
	const parts, each = 15625, 64
	var list []*Part
	for k := range parts {
		p := &Part{}
		for c := range int32(each) {
			p.First = append(p.First, Place{c, int32(k), 0})
			if c+1 < each {
				p.Edges = append(p.Edges, Edge{From: uint32(c + 1), To: uint32(c + 2)})
			}
			p.Rim = append(p.Rim, Member{Place{c, int32(k), 0}, uint32(c + 1)})
			if k+1 < parts {
				p.Out = append(p.Out, Member{Place{c, int32(k + 1), 0}, uint32(c + 1)})
			}
		}
		list = append(list, p)
	}
	b.ReportAllocs()
	for b.Loop() {
		joined, err := JoinComponents(context.Background(), list)
		if err != nil {
			b.Fatal(err)
		}
		if joined.Components != parts*each {
			b.Fatal(joined.Components)
		}
	}
}
