package sample_test

import (
	"hash/fnv"
	"testing"

	"wend/grid"
	"wend/grid/sample"
)

func TestMaps(t *testing.T) {
	for _, c := range []struct {
		name       string
		make       func() (*grid.Map, error)
		low, high  float64 // passable share
		islands    int     // 0: not looked at
		widthBelow float64 // of the mean corridor; 0: not looked at
	}{
		{"plain", func() (*grid.Map, error) { return sample.Plain(500, 500, 1) }, 0.94, 0.99, 1, 0},
		{"maze", func() (*grid.Map, error) { return sample.Maze(200, 200, 1) }, 0.45, 0.5, 1, 2},
		{"mixed", func() (*grid.Map, error) { return sample.Mixed(500, 500, 1) }, 0.6, 0.85, 0, 0},
		{"corridor", func() (*grid.Map, error) { return sample.Corridor(200, 60, 1) }, 0.4, 0.55, 1, 2},
		{"smallest", func() (*grid.Map, error) { return sample.Mixed(1, 1, 1) }, 0.05, 1, 0, 0},
	} {
		m, err := c.make()
		if err != nil {
			t.Fatal(c.name, err)
		}
		st, err := grid.Measure(m, grid.Moves{})
		if err != nil {
			t.Fatal(c.name, err)
		}
		if st.Share < c.low || st.Share > c.high || c.islands > 0 && st.Islands != c.islands || c.widthBelow > 0 && st.Width > c.widthBelow {
			t.Errorf("%s: %+v", c.name, st)
		}
		again, err := c.make()
		if err != nil || digest(m) != digest(again) {
			t.Errorf("%s: two maps of one seed differ, %v", c.name, err)
		}
	}
	if _, err := sample.Plain(1<<20, 20, 1); err == nil {
		t.Error("a map too wide is made")
	}
}

// TestMazeIsTree: a maze with one way between any two cells has one step less
// than cells.
func TestMazeIsTree(t *testing.T) {
	m, err := sample.Maze(61, 40, 5)
	if err != nil {
		t.Fatal(err)
	}
	cells, steps := 0, 0
	for c := range m.Cells() {
		cells++
		for _, n := range [2]grid.Cell{{X: c.X + 1, Y: c.Y}, {X: c.X, Y: c.Y + 1}} {
			if m.Passable(n) {
				steps++
			}
		}
	}
	if steps != cells-1 || cells < 500 {
		t.Errorf("%d cells, %d steps", cells, steps)
	}
}

func TestPairs(t *testing.T) {
	m, err := sample.Mixed(120, 120, 3)
	if err != nil {
		t.Fatal(err)
	}
	pairs := sample.Pairs(m, 50, 9)
	q := grid.NewQuery()
	for _, p := range pairs {
		r, err := q.Find(t.Context(), m, p.From, p.To, nil)
		if err != nil || r.Status != grid.Complete || p.From == p.To {
			t.Fatalf("%v: %v %v", p, r, err)
		}
	}
	blocked, err := grid.New(20, 20)
	if err != nil {
		t.Fatal(err)
	}
	if len(pairs) != 50 || sample.Pairs(blocked, 5, 1) != nil || len(sample.Pairs(m, -1, 1)) != 0 {
		t.Errorf("%d pairs", len(pairs))
	}
}

func digest(m *grid.Map) uint64 {
	h := fnv.New64a()
	for c := range m.Cells() {
		h.Write([]byte{byte(c.X), byte(c.X >> 8), byte(c.Y), byte(c.Y >> 8)})
	}
	return h.Sum64()
}
