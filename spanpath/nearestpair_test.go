package spanpath

import (
	"cmp"
	"math/rand/v2"
	"testing"

	"wend/spangrid"
)

// TestPairFinder compares pairs with the nearest of all.
func TestPairFinder(t *testing.T) {
	var f PairFinder
	if _, _, _, ok := f.Find(&PairQuery{B: []spangrid.Place{{}}, Cell: 1}); ok {
		t.Error("a pair of nothing")
	}
	ties := 0
	for n := range 300 {
		rnd := rand.New(rand.NewPCG(uint64(n), 9))
		lists := [2][]spangrid.Place{}
		for k := range lists {
			side := int32(1 + rnd.IntN(90))
			x, y := rnd.Int32N(100)-50, rnd.Int32N(100)-50
			for range 1 + rnd.IntN(150) {
				lists[k] = append(lists[k], spangrid.Place{
					GX: x + rnd.Int32N(side), GY: y + rnd.Int32N(side), H: float32(rnd.IntN(4)) * 1.5,
				})
			}
		}
		a, b := lists[0], lists[1]
		cell := []float64{0.3, 0.25, 1}[n%3]
		out := -1
		if n%2 == 0 {
			out = rnd.IntN(len(b))
		}
		skip := func(i int) bool { return i == out }
		q := PairQuery{A: a, B: b, Cell: cell, SkipB: skip, Start: a[rnd.IntN(len(a))], Goal: b[rnd.IntN(len(b))]}
		var bi, bj int
		best, found := 0.0, false
		for i := range a {
			for j := range b {
				if skip(j) {
					continue
				}
				d := pairDistance(&a[i], &b[j], cell)
				c := cmp.Or(off(a[i], q.Start)-off(a[bi], q.Start), off(b[j], q.Goal)-off(b[bj], q.Goal), a[i].Compare(a[bi]), b[j].Compare(b[bj]))
				if found && d == best && c != 0 {
					ties++
				}
				if !found || d < best || d == best && c < 0 {
					bi, bj, best, found = i, j, d, true
				}
			}
		}
		i, j, d2, ok := f.Find(&q)
		if ok != found || ok && (a[i] != a[bi] || b[j] != b[bj] || d2 != best) {
			t.Fatalf("lists %d: %v to %v, %v %v; want %v to %v, %v", n, a[i], b[j], d2, ok, a[bi], b[bj], best)
		}
	}
	if ties < 20 {
		t.Errorf("%d ties: no fair trial", ties)
	}
}

func BenchmarkPairFinder(b *testing.B) {
	square := func(x, y, side int32, h float32) (list []spangrid.Place) {
		for v := range side {
			for u := range side {
				list = append(list, spangrid.Place{GX: x + u, GY: y + v, H: h})
			}
		}
		return list
	}
	for _, c := range []struct {
		name string
		b    []spangrid.Place
	}{{"beside", square(302, 0, 300, 0)}, {"far", square(900, 900, 300, 0)}, {"over", square(100, 100, 50, 3)}} {
		a := square(0, 0, 300, 0)
		b.Run(c.name, func(b *testing.B) {
			var f PairFinder
			for b.Loop() {
				f.Find(&PairQuery{A: a, B: c.b, Cell: 0.3})
			}
		})
	}
}
