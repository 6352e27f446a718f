package spanbake

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// twinWorld is a random world with water and a few triangles of any shape in it,
// some of them upright, some without any width.
func twinWorld(seed uint64) *Input {
	n := 8 + int(seed%6)
	if long() {
		n += int(seed % 14)
	}
	return twinWorldOf(seed, n)
}

// twinWorldOf is such a world of n by n px.
func twinWorldOf(seed uint64, n int) *Input {
	r := rand.New(rand.NewPCG(seed, 5))
	in := randomWorldOf(seed, n)
	c := &in.Content
	x0, y0 := c.Vertices[0].U, c.Vertices[0].V
	for range r.IntN(8) {
		first := uint32(len(c.Vertices))
		at := bnav.Vertex{U: x0 + float32(r.IntN(16*n))/16, V: y0 + float32(r.IntN(16*n))/16, H: float32(r.IntN(60)) / 10}
		for range 3 {
			v := at
			v.U += float32(r.IntN(48)-24) / 16
			v.V += float32(r.IntN(48)-24) / 16
			v.H += float32(r.IntN(40)-20) / 16
			c.Vertices = append(c.Vertices, v)
		}
		if r.IntN(4) == 0 { // upright
			c.Vertices[first+1].U, c.Vertices[first+1].V = c.Vertices[first].U, c.Vertices[first].V
		}
		c.Triangles = append(c.Triangles, bnav.Triangle{V: [3]uint32{first, first + 1, first + 2}})
		c.Surfaces = append(c.Surfaces, bnav.Surface{Flags: 1})
	}
	c.Zones[0].TriCount = uint32(len(c.Triangles))
	for range r.IntN(12) {
		c.Surfaces[r.IntN(len(c.Surfaces))].Flags = 2
	}
	joinNeighbours(c)
	return in
}

func long() bool { return os.Getenv("WEND_LONG") != "" }

// readBack returns what a result says of its first zone, in the numbers of the
// twin.
func readBack(t testing.TB, res *Result) (records []twinRecord, graphs []twinGraph, walls []string) {
	t.Helper()
	l := load(t, res)
	var (
		tiles   bnav.TileDecoder
		columns bnvf.ColumnDecoder
		cols    bnvf.Columns
	)
	zone := &l.main.Grid.Zones[0]
	for i := range zone.Tiles {
		tile := &zone.Tiles[i]
		recs, err := tiles.Decode(l.main.Grid, 0, i, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := columns.Decode(l.fields, 0, i, &cols); err != nil {
			t.Fatal(err)
		}
		for k, r := range recs {
			if r.H*64 != float32(int(r.H*64)) {
				t.Fatalf("height %v is no multiple of 1/64 m", r.H)
			}
			records = append(records, twinRecord{
				x: int(tile.GX0 + r.Cell%tile.NX), y: int(tile.GY0 + r.Cell/tile.NX), region: int(r.Region), h: int(r.H * 64),
				flags: int(r.Flags), clr: int(r.Clr), clr2: int(r.Clr - cols.ClrDrop[k]), steps: int(r.Steps),
				steps2: int(cols.StepsXor[k] ^ r.Steps), seg: int(cols.Seg[k]), tax: int(cols.Tax[k]),
				medial: int(cols.Medial[k]), component: int(cols.Component[k]),
			})
		}
	}
	sortTwin(records)
	g, err := l.fields.Graphs(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range g.Regions() {
		graph, _ := g.Region(r)
		out := twinGraph{components: int(graph.Components)}
		for _, e := range graph.Edges {
			out.edges = append(out.edges, [2]int{int(e.From), int(e.To)})
		}
		graphs = append(graphs, out)
	}
	w, err := l.fields.Walls(0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range w.Len() {
		walls = append(walls, fmt.Sprint(w.At(i).Key, w.At(i).Regions))
	}
	return records, graphs, walls
}

// twinBake is readBack of what the twin makes.
func twinBake(c *bnav.Content) (records []twinRecord, graphs []twinGraph, walls []string) {
	t := newTwin(c)
	records, graphs = t.bake()
	for i, e := range t.edges {
		walls = append(walls, fmt.Sprint(e.key, t.keeps[i]))
	}
	return records, graphs, walls
}

// diff tells the first entries in which two lists differ, "" for none.
func diff[T any](got, want []T) string {
	for i := range max(len(got), len(want)) {
		a, b := "nothing", "nothing"
		if i < len(got) {
			a = fmt.Sprintf("%+v", got[i])
		}
		if i < len(want) {
			b = fmt.Sprintf("%+v", want[i])
		}
		if a != b {
			return fmt.Sprintf("entry %d of %d is %s, want %s of %d", i, len(got), a, b, len(want))
		}
	}
	return ""
}

// A bake gives what the plain twin gives, in every record, graph and wall.
func TestTwin(t *testing.T) {
	worlds := uint64(6)
	if long() {
		worlds = 150
	}
	seen := map[string]int{}
	for seed := range worlds {
		in := twinWorld(seed)
		records, graphs, walls := twinBake(&in.Content)
		gotRecords, gotGraphs, gotWalls := readBack(t, bakeInput(t, in, Options{Tile: 64, Level: 1}))
		for _, d := range [3]string{diff(gotRecords, records), diff(gotGraphs, graphs), diff(gotWalls, walls)} {
			if d != "" {
				t.Fatalf("world %d: %s", seed, d)
			}
		}
		for _, r := range records {
			for what, has := range map[string]bool{
				"dead": r.flags&1 != 0, "ghost": r.flags&8 != 0, "core": r.flags&4 != 0, "no core": r.flags&4 == 0,
				"far": r.clr == 2304, "walls": r.clr2 < r.clr, "relieved": r.flags&5 == 5 && r.clr2 == r.clr,
				"gate": r.steps != 0, "released": r.steps2 != r.steps, "facade": r.seg != 0, "tax": r.tax != 0,
				"medial": r.medial != 0, "component": r.component > 1,
			} {
				if has {
					seen[what]++
				}
			}
		}
		for _, g := range graphs {
			seen["graph"] += len(g.edges)
		}
	}
	t.Log(seen)
	for _, what := range []string{"dead", "ghost", "core", "no core", "walls", "relieved", "gate", "released", "facade", "tax", "medial", "component", "graph"} {
		if seen[what] == 0 {
			t.Errorf("no world has what is called %q: too plain", what)
		}
	}
}
