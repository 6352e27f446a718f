package search

import (
	"cmp"
	"container/heap"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// plain is the same list on container/heap, keys lowered by looking for them.
type plain []Item[float64]

func (p plain) Len() int           { return len(p) }
func (p plain) Less(i, j int) bool { return order(p[i], p[j]) < 0 }
func (p plain) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *plain) Push(x any)        { *p = append(*p, x.(Item[float64])) }
func (p *plain) Pop() any {
	last := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return last
}

func order(a, b Item[float64]) int {
	return cmp.Or(cmp.Compare(a.F, b.F), cmp.Compare(b.G, a.G), cmp.Compare(a.ID, b.ID))
}

func (p *plain) put(it Item[float64]) bool {
	i := slices.IndexFunc(*p, func(x Item[float64]) bool { return x.ID == it.ID })
	if i < 0 {
		heap.Push(p, it)
		return true
	}
	if order(it, (*p)[i]) < 0 {
		(*p)[i] = it
		heap.Fix(p, i)
	}
	return false
}

func TestOpenAgreesWithContainerHeap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var open Open[float64]
		// Few values, so that ties of every kind come up.
		for range rapid.IntRange(1, 3).Draw(t, "searches") {
			var twin plain
			open.Reset()
			for range rapid.IntRange(0, 200).Draw(t, "steps") {
				if twin.Len() > 0 && rapid.IntRange(0, 2).Draw(t, "what") == 0 {
					if got, want := open.Min(), twin[0]; got != want {
						t.Fatalf("Min = %v, want %v", got, want)
					}
					got, want := open.Pop(), heap.Pop(&twin).(Item[float64])
					if got != want {
						t.Fatalf("Pop = %v, want %v", got, want)
					}
					if open.Has(got.ID) {
						t.Fatalf("Has(%d) after Pop", got.ID)
					}
					continue
				}
				it := Item[float64]{
					F:  float64(rapid.IntRange(0, 6).Draw(t, "f")),
					G:  float64(rapid.IntRange(0, 3).Draw(t, "g")),
					ID: uint32(rapid.IntRange(0, 90).Draw(t, "id")),
				}
				if got, want := open.Push(it), twin.put(it); got != want {
					t.Fatalf("Push(%v) = %v, want %v", it, got, want)
				}
				if open.Len() != twin.Len() || !open.Has(it.ID) {
					t.Fatalf("after Push(%v): Len %d, want %d; Has %v", it, open.Len(), twin.Len(), open.Has(it.ID))
				}
			}
		}
	})
}

func TestOpenAllocatesNothingWarm(t *testing.T) {
	var open Open[float64]
	run := func() {
		open.Reset()
		for i := range uint32(1000) {
			open.Push(Item[float64]{F: float64(i * 7919 % 1000), ID: i})
		}
		for range 500 {
			open.Pop()
		}
	}
	run()
	if n := testing.AllocsPerRun(20, run); n != 0 {
		t.Errorf("a warm list allocates %v times a search, want 0", n)
	}
}

func TestPoolForgetsWithoutClearing(t *testing.T) {
	var p Pool[int]
	for round := range 5 {
		p.Reset(100 + 10*round)
		if p.Len() != 0 {
			t.Fatalf("Len = %d after Reset", p.Len())
		}
		for id := uint32(round); id < 100; id += 7 {
			if _, ok := p.Find(id); ok {
				t.Fatalf("round %d: id %d has a record before Add", round, id)
			}
			*p.At(p.Add(id)) = int(id) * (round + 1)
		}
		for id := range uint32(100) {
			slot, ok := p.Find(id)
			if want := id >= uint32(round) && (id-uint32(round))%7 == 0; ok != want {
				t.Fatalf("round %d: Find(%d) = %v, want %v", round, id, ok, want)
			}
			if ok && *p.At(slot) != int(id)*(round+1) {
				t.Fatalf("round %d: record of %d is %d", round, id, *p.At(slot))
			}
		}
	}
}

func TestPoolEpochWraps(t *testing.T) {
	var p Pool[int]
	p.Reset(4)
	p.Add(2)
	p.epoch = ^uint32(0)
	p.Reset(4)
	if p.epoch != 1 {
		t.Fatalf("epoch = %d after wrapping, want 1", p.epoch)
	}
	if _, ok := p.Find(2); ok {
		t.Error("a record of epoch 1 came back when the epoch wrapped to 1")
	}
}

func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{16, 256, 16384} {
		rng := rand.New(rand.NewPCG(1, 2))
		keys := make([]float64, n)
		for i := range keys {
			keys[i] = rng.Float64()
		}
		b.Run(fmt.Sprintf("typed/%d", n), func(b *testing.B) {
			var open Open[float64]
			for b.Loop() {
				open.Reset()
				for i, k := range keys {
					open.Push(Item[float64]{F: k, ID: uint32(i)})
				}
				for open.Len() > 0 {
					open.Pop()
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/item")
		})
		b.Run(fmt.Sprintf("container/%d", n), func(b *testing.B) {
			var p plain
			for b.Loop() {
				for i, k := range keys {
					heap.Push(&p, Item[float64]{F: k, ID: uint32(i)})
				}
				for p.Len() > 0 {
					heap.Pop(&p)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/item")
		})
	}
}
