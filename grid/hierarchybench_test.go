package grid_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"wend/grid"
	"wend/grid/sample"
)

// vastMap returns a large map, always the same: squares of 512 cells of open
// ground, towns, mazes with corridors of 1 to 6 cells, rooms with doors, and
// caves, all open to each other along their edges.
func vastMap(side int32) *grid.Map {
	rnd := rand.New(rand.NewPCG(4096, 1))
	m, err := grid.New(int(side), int(side))
	must(err)
	must(m.Fill(grid.Cell{}, grid.Cell{X: side - 1, Y: side - 1}, true))
	const part = 512
	block := func(x, y int32) {
		if x < side && y < side {
			must(m.SetPassable(grid.Cell{X: x, Y: y}, false))
		}
	}
	kind := 0
	for y0 := int32(0); y0 < side; y0 += part {
		for x0 := int32(0); x0 < side; x0 += part {
			switch kind % 5 {
			case 0:
				paste(m, x0, y0, 1, func() (*grid.Map, error) { return sample.Plain(part-2, part-2, rnd.Uint64()) })
			case 1:
				paste(m, x0, y0, 1, func() (*grid.Map, error) { return sample.Mixed(part-2, part-2, rnd.Uint64()) })
			case 2:
				wide := 1 + rnd.Int32N(6)
				paste(m, x0, y0, wide, func() (*grid.Map, error) {
					return sample.Maze(int((part-2)/wide), int((part-2)/wide), rnd.Uint64())
				})
			case 3:
				const room = 24
				for a := int32(1); a < part-1; a++ {
					for b := int32(1); b < part-1; b += room {
						block(x0+a, y0+b)
						block(x0+b, y0+a)
					}
				}
				for a := int32(0); a < part; a += room {
					for b := int32(0); b < part; b += room {
						for range 2 + rnd.IntN(3) {
							c := grid.Cell{X: x0 + a + 1, Y: y0 + b + 2 + rnd.Int32N(room-4)}
							if rnd.IntN(2) == 0 {
								c = grid.Cell{X: x0 + a + 2 + rnd.Int32N(room-4), Y: y0 + b + 1}
							}
							for i := range 1 + rnd.Int32N(2) {
								d := grid.Cell{X: min(c.X+i, side-1), Y: min(c.Y+i, side-1)}
								must(m.SetPassable(d, true))
							}
						}
					}
				}
			case 4:
				caves(m, rnd, x0+1, y0+1, min(part-2, side-x0-1), min(part-2, side-y0-1))
			}
			kind += 1 + int(x0/part)%2
		}
	}
	return m
}

func paste(m *grid.Map, x0, y0, scale int32, make func() (*grid.Map, error)) {
	p, err := make()
	must(err)
	w, h := p.Size()
	side, _ := m.Size()
	for y := range int32(h) * scale {
		for x := range int32(w) * scale {
			if c := (grid.Cell{X: x0 + 1 + x, Y: y0 + 1 + y}); c.X < int32(side) && c.Y < int32(side) {
				must(m.SetPassable(c, p.Passable(grid.Cell{X: x / scale, Y: y / scale})))
			}
		}
	}
}

// caves strews blocks and lets each cell become as most of those around it are.
func caves(m *grid.Map, rnd *rand.Rand, x0, y0, w, h int32) {
	wall := make([]bool, w*h)
	for i := range wall {
		wall[i] = rnd.IntN(100) < 44
	}
	for range 4 {
		next := make([]bool, w*h)
		for y := range h {
			for x := range w {
				n := 0
				for dy := max(y-1, 0); dy < min(y+2, h); dy++ {
					for dx := max(x-1, 0); dx < min(x+2, w); dx++ {
						if wall[dy*w+dx] {
							n++
						}
					}
				}
				next[y*w+x] = n >= 5
			}
		}
		wall = next
	}
	for i, b := range wall {
		if b {
			must(m.SetPassable(grid.Cell{X: x0 + int32(i)%w, Y: y0 + int32(i)/w}, false))
		}
	}
}

// TestHierarchyVast: on a large map the bound holds for every query, against
// jump point search.
func TestHierarchyVast(t *testing.T) {
	t.Parallel()
	side, queries := int32(many(256, 4096)), many(16, 1000)
	m := vastMap(side)
	begin := time.Now()
	h := newHierarchy(t, m, nil)
	built := time.Since(begin)
	ratio, plus := h.Bound()
	q, qq := grid.NewQuery(), grid.NewQuery()
	var r, rough grid.HierarchyResult
	var best grid.Result
	ctx := context.Background()
	var worst, sum, worstRough, sumRough, proof, worstProof float64
	var times, roughTimes, lowerTimes, jps []time.Duration
	timed := func(list *[]time.Duration, f func() error) {
		begin := time.Now()
		must(f())
		*list = append(*list, time.Since(begin))
	}
	for _, p := range sample.Pairs(m, queries, 5) {
		timed(&times, func() error { return h.FindInto(ctx, q, &r, p.From, p.To, nil) })
		timed(&roughTimes, func() error {
			return h.FindInto(ctx, q, &rough, p.From, p.To, &grid.HierarchyFind{Rough: true})
		})
		timed(&lowerTimes, func() error {
			return h.FindInto(ctx, q, &r, p.From, p.To, &grid.HierarchyFind{Lower: true})
		})
		timed(&jps, func() error {
			return qq.FindInto(ctx, &best, m, p.From, p.To, &grid.Options{Algorithm: grid.JPS})
		})
		for _, r := range []*grid.HierarchyResult{&r, &rough} {
			if r.Status != grid.Complete || r.Cost < best.Cost || r.Cost > ratio*best.Cost+plus || r.Lower > best.Cost {
				t.Fatalf("%v-%v: %v, cost %v, lower %v, best %v", p.From, p.To, r.Status, r.Cost, r.Lower, best.Cost)
			}
			if err := checkPath(m, &r.Result, p.From, p.To, grid.Moves{}); err != nil {
				t.Fatal(err)
			}
		}
		worst, sum = max(worst, r.Cost/best.Cost), sum+r.Cost/best.Cost
		worstRough, sumRough = max(worstRough, rough.Cost/best.Cost), sumRough+rough.Cost/best.Cost
		worstProof, proof = max(worstProof, r.Cost/r.Lower), proof+r.Cost/r.Lower
	}
	n := float64(queries)
	t.Logf("%d x %d, built in %v, %d gates, %.1f MB; bound %.3f + %.1f", side, side, built, h.Gates(), float64(h.Bytes())/1e6, ratio, plus)
	t.Logf("cost/shortest: mean %.5f worst %.5f; rough mean %.5f worst %.5f; proven mean %.4f worst %.4f",
		sum/n, worst, sumRough/n, worstRough, proof/n, worstProof)
	for name, list := range map[string][]time.Duration{"route": times, "rough": roughTimes, "lower": lowerTimes, "jps": jps} {
		slices.Sort(list)
		var all time.Duration
		for _, d := range list {
			all += d
		}
		t.Logf("%s: mean %v p50 %v p99 %v", name, all/time.Duration(len(list)), list[len(list)/2], list[len(list)*99/100])
	}
	if h.Bytes() > 24*int(side)*int(side) {
		t.Errorf("takes %d bytes", h.Bytes())
	}
}

// BenchmarkHierarchy is a hierarchy of 2048 x 2048 cells: built, updated after an
// edit, and searched, beside jump point search on the same queries.
func BenchmarkHierarchy(b *testing.B) {
	m := vastMap(2048)
	ctx := context.Background()
	pairs := sample.Pairs(m, 200, 5)
	for _, cluster := range []int{64, 128} {
		o := &grid.HierarchyOptions{Cluster: cluster}
		h := newHierarchy(b, m, o)
		b.Run(fmt.Sprintf("build/%d", cluster), func(b *testing.B) {
			for b.Loop() {
				newHierarchy(b, m, o)
			}
			b.ReportMetric(float64(h.Bytes())/1e6, "MB")
		})
		b.Run(fmt.Sprintf("edit/%d", cluster), func(b *testing.B) {
			c := grid.Cell{X: 1000, Y: 1010}
			for b.Loop() {
				must(m.SetPassable(c, !m.Passable(c)))
				next, err := h.Update(ctx)
				must(err)
				h = next
			}
		})
		for _, f := range []grid.HierarchyFind{{}, {Rough: true}, {Lower: true}} {
			b.Run(fmt.Sprintf("find/%d/rough=%v,lower=%v", cluster, f.Rough, f.Lower), func(b *testing.B) {
				q := grid.NewQuery()
				var r grid.HierarchyResult
				each(b, pairs, func(p sample.Pair) error { return h.FindInto(ctx, q, &r, p.From, p.To, &f) })
			})
		}
	}
	b.Run("jps", func(b *testing.B) {
		q := grid.NewQuery()
		var r grid.Result
		each(b, pairs, func(p sample.Pair) error {
			return q.FindInto(ctx, &r, m, p.From, p.To, &grid.Options{Algorithm: grid.JPS})
		})
	})
}

func each(b *testing.B, pairs []sample.Pair, find func(sample.Pair) error) {
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range pairs {
			must(find(p))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(pairs)), "us/query")
}
