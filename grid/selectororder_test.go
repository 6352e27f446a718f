package grid_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"wend/grid"
	"wend/grid/sample"
)

// hardPairs returns pairs whose searches take more nodes than a frame of 1,500 has.
func hardPairs(t *testing.T, n int) (*grid.Map, []sample.Pair) {
	t.Helper()
	m, err := sample.Maze(200, 200, 1)
	must(err)
	var hard []sample.Pair
	q := grid.NewQuery()
	for _, p := range sample.Pairs(m, 200, 1) {
		r, err := q.Find(t.Context(), m, p.From, p.To, &grid.Options{Algorithm: grid.JPS})
		must(err)
		if r.Expanded > 1700 {
			hard = append(hard, p)
		}
	}
	if len(hard) < n {
		t.Fatalf("%d hard pairs, want %d", len(hard), n)
	}
	return m, hard[:n]
}

// TestSelectorServesFirst: a search under way ends though in each frame many
// others are asked for before it, and so do then the others.
func TestSelectorServesFirst(t *testing.T) {
	m, hard := hardPairs(t, 31)
	s, err := grid.NewSelector(&grid.SelectorOptions{Shortest: true, Frame: 1500})
	must(err)
	ask := func(p sample.Pair) *grid.SelectorResult {
		r, err := s.Find(t.Context(), m, p.From, p.To)
		must(err)
		return r
	}
	ask(hard[0])
	for f := 1; ; f++ {
		s.Frame(time.Duration(f) * 16 * time.Millisecond)
		for _, p := range hard[1:] {
			ask(p)
		}
		if ask(hard[0]).Status != grid.Unfinished {
			break
		}
		if f == 100 {
			t.Fatal("the search under way gets nothing in 100 frames")
		}
	}
}

// TestSelectorEveryOrder: whatever the order in which queries come in a frame,
// all are answered, in not many more frames than their nodes take.
func TestSelectorEveryOrder(t *testing.T) {
	m, hard := hardPairs(t, 8)
	q := grid.NewQuery()
	nodes := 0
	for _, p := range hard {
		r, err := q.Find(t.Context(), m, p.From, p.To, &grid.Options{Algorithm: grid.JPS})
		must(err)
		nodes += r.Expanded
	}
	for _, frame := range []int{1500, 2500} {
		for _, order := range []string{"as they are", "last first", "any"} {
			s, err := grid.NewSelector(&grid.SelectorOptions{Shortest: true, Frame: frame, Life: time.Hour})
			must(err)
			rnd := rand.New(rand.NewPCG(1, 1))
			done := map[int]bool{}
			limit := 2*nodes/frame + 2*len(hard)
			for f := 0; len(done) < len(hard); f++ {
				if f > limit {
					t.Errorf("%d nodes a frame, %s: %d of %d answered in %d frames", frame, order, len(done), len(hard), limit)
					break
				}
				s.Frame(time.Duration(f) * 16 * time.Millisecond)
				list := rnd.Perm(len(hard))
				for i := range list {
					switch order {
					case "as they are":
						list[i] = i
					case "last first":
						list[i] = len(list) - 1 - i
					}
				}
				spent := 0
				for _, i := range list {
					r, err := s.Find(t.Context(), m, hard[i].From, hard[i].To)
					must(err)
					if spent += r.Nodes; r.Status != grid.Unfinished {
						done[i] = true
					}
				}
				if spent > frame {
					t.Fatalf("%d nodes in a frame of %d", spent, frame)
				}
			}
		}
	}
}
