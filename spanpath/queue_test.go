package spanpath

import (
	"math/rand/v2"
	"testing"

	"wend/spangrid"
)

// TestQueueOrder compares a queue with one heap over all entries: keys that come
// again, keys before the last one taken, and keys far beyond all buckets.
func TestQueueOrder(t *testing.T) {
	w := newWorld()
	w.floor(120, 120, 135, 135, 0)
	g := w.ground(t, spangrid.Window{GX: 110, GY: 110, NX: 40, NY: 40})
	spans := usableSpans(g, MarkOn)
	rnd := rand.New(rand.NewPCG(1, 72))
	s := solver{g: g, q: &Problem{Sight: true}}
	q := &s.queue
	far := 0
	for range 300 {
		first := rnd.Float64() * 100
		last := first
		q.reset(g, first)
		h := spanHeap{g: g}
		push := func(key float64) {
			e := entry{key, uint32(rnd.IntN(3)), uint32(spans[rnd.IntN(len(spans))])}
			q.push(e)
			h.push(e)
		}
		push(first)
		span := []float64{0.5, 20, 3000, 1e7, 1e18}[rnd.IntN(5)]
		for n := 0; len(h.list) > 0; n++ {
			for k := rnd.IntN(6); k > 0 && n < 400; k-- {
				switch rnd.IntN(6) {
				case 0:
					push(last)
				case 1:
					push(last - rnd.Float64())
				case 2:
					push(last + float64(rnd.IntN(3)))
				default:
					push(last + rnd.Float64()*span)
				}
			}
			if len(q.far) > 0 {
				far++
			}
			if !s.next() {
				t.Fatalf("empty, %d entries are left", len(h.list))
			}
			got, want := q.heap.pop(), h.pop()
			if got != want {
				t.Fatalf("entry %d: %v, want %v", n, got, want)
			}
			last = got.key
		}
		if s.next() {
			t.Fatal("not empty")
		}
	}
	if far < 10000 {
		t.Errorf("%d times something was far: no fair trial", far)
	}
}
