package occluder

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"wend/geom"
	"wend/pack/ocls"
)

// compareScenes asks two scenes of the same source the same questions.
func compareScenes(t testing.TB, s, o *Scene, a, b geom.Vec3, lo, hi float64) {
	t.Helper()
	hits := s.AppendHits(nil, a, b)
	if other := o.AppendHits(nil, a, b); !slices.EqualFunc(hits, other, func(g, h Hit) bool {
		return math.Float64bits(g.T) == math.Float64bits(h.T) && g.Instance == h.Instance && g.Triangle == h.Triangle
	}) {
		t.Fatalf("line %v to %v: %v and %v", a, b, hits, other)
	}
	for _, x := range []*Scene{s, o} {
		if h, ok := x.First(a, b); ok != (len(hits) > 0) || ok && h != hits[0] || x.Clear(a, b) != (len(hits) == 0) {
			t.Fatalf("line %v to %v: first %v %v, all %v", a, b, h, ok, hits)
		}
	}
	if c, d := s.AppendColumn(nil, a.X, a.Z, lo, hi), o.AppendColumn(nil, a.X, a.Z, lo, hi); !slices.Equal(c, d) {
		t.Fatalf("column at %v, %v: %v and %v", a.X, a.Z, c, d)
	}
	if c, d := s.Curtain(a, b, lo, hi), o.Curtain(a, b, lo, hi); c != d {
		t.Fatalf("curtain %v to %v, %v to %v: %v and %v", a, b, lo, hi, c, d)
	}
	if c, d := s.DropBlocked(a, b, DropClimb, DropHeight), o.DropBlocked(a, b, DropClimb, DropHeight); c != d {
		t.Fatalf("drop %v to %v: %v and %v", a, b, c, d)
	}
}

// Answers do not depend on how items are spread over leaves: one item a leaf,
// the usual, or everything in one, which is a loop over all.
func TestLeafSizeChangesNothing(t *testing.T) {
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 11))
		src := randomScene(rng, 6, 50, 4, 10)
		small, usual, flat := build(src, 1, 1), build(src, maxLeaf, maxBigLeaf), build(src, 1<<30, 1<<30)
		if len(flat.world.nodes) != 1 || len(small.world.nodes) < 2*len(usual.world.nodes)-1 {
			t.Fatal("leaf sizes have no effect")
		}
		for range 100 {
			p := func() geom.Vec3 {
				return geom.V3((rng.Float64()-0.5)*22, (rng.Float64()-0.5)*6, (rng.Float64()-0.5)*22)
			}
			a, b := p(), p()
			compareScenes(t, usual, flat, a, b, -3, 3*rng.Float64())
			compareScenes(t, usual, small, a, b, -3, 3*rng.Float64())
		}
	}
}

// The cells that a block looks at hold every triangle whose box is in reach,
// also where corners are rounded by more than a cell.
func TestCellsInReach(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 41))
	for range 20000 {
		n := terrainShape{samples: 2 + rng.IntN(20), cell: []float64{2, 0.1, 1. / 3, 1e-3, 7e5}[rng.IntN(5)]}
		x0 := (rng.Float64() - 0.5) * []float64{0, 10, 1e6, 1e15, 1e17}[rng.IntN(5)]
		at := func(u int) float64 { return x0 + float64(float64(u)*n.cell) }
		lo := at(rng.IntN(n.samples)) + []float64{0, 1e-6, -1e-6, 0.3, -0.3}[rng.IntN(5)]*n.cell
		hi := lo + []float64{0, 0, 1, 5}[rng.IntN(4)]*n.cell
		first, last := n.cells(x0, lo, hi)
		if first < 0 || last > n.samples-2 {
			t.Fatalf("cells %d to %d of %d", first, last, n.samples-1)
		}
		for u := range n.samples - 1 {
			b := widen(geom.Box{Min: geom.V3(at(u), 0, 0), Max: geom.V3(at(u+1), 0, 0)}, worldPad)
			if in := b.Min.X <= hi && b.Max.X >= lo; in && (u < first || u > last) {
				t.Fatalf("block at %v, cell %v: %v to %v reaches cell %d, looked at %d to %d", x0, n.cell, lo, hi, u, first, last)
			}
		}
		if last-first > 6 && x0 < 1e7 && x0 > -1e7 {
			t.Fatalf("%d cells for a reach of %v cells", last-first+1, (hi-lo)/n.cell)
		}
	}
}

// A line from the other side of the solar system still meets what is there.
func TestLinesFromFarAway(t *testing.T) {
	src := randomScene(rand.New(rand.NewPCG(8, 51)), 6, 60, 0, 6)
	s, twin := build(src, maxLeaf, maxBigLeaf), newPlain(src)
	rng := rand.New(rand.NewPCG(9, 51))
	met := 0
	for range 3000 {
		p := geom.V3((rng.Float64()-0.5)*12, (rng.Float64()-0.5)*3, (rng.Float64()-0.5)*12)
		d := geom.V3(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5).Scale(2e12)
		a, b := p.Sub(d), p.Add(d)
		want := twin.hits(a, b)
		if got := s.AppendHits(nil, a, b); !slices.Equal(got, want) {
			t.Fatalf("line %v to %v: %v, want %v", a, b, got, want)
		}
		met += len(want)
	}
	if met < 1000 {
		t.Errorf("only %d hits", met)
	}
}

// FuzzScene takes any scene that can be read, extreme numbers included: trees
// never change an answer, and no query panics.
func FuzzScene(f *testing.F) {
	for seed := range uint64(3) {
		one, err := ocls.AppendScene(nil, randomScene(rand.New(rand.NewPCG(seed, 21)), 2, 4, 1, 4))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(one, 0.5, 1.5, -3.0, 2.0, 0.0, 4.0)
	}
	f.Fuzz(func(t *testing.T, body []byte, ax, ay, az, bx, by, bz float64) {
		src, err := (&ocls.Record{Name: "A", Body: body}).Decode()
		if err != nil {
			return
		}
		s, flat := build(src, maxLeaf, maxBigLeaf), build(src, 1<<30, 1<<30)
		a, b := geom.V3(ax, ay, az), geom.V3(bx, by, bz)
		compareScenes(t, s, flat, a, b, min(ay, by), max(ay, by))
		if box := s.Bounds(); !box.IsEmpty() { // and through the middle of what is there
			d := box.Size()
			p := func(x, y, z float64) geom.Vec3 {
				return geom.V3(box.Min.X+d.X*x, box.Min.Y+d.Y*y, box.Min.Z+d.Z*z)
			}
			compareScenes(t, s, flat, p(0, 0.9, 0.3), p(1, 0.2, 0.7), box.Min.Y, box.Max.Y)
			compareScenes(t, s, flat, p(0.5, 1, 0.5), p(0.5, 0, 0.5), box.Min.Y, box.Max.Y)
		}
	})
}

// A scene is shared: the race detector watches.
func TestQueriesTogether(t *testing.T) {
	s := build(randomScene(rand.New(rand.NewPCG(5, 5)), 6, 100, 4, 12), maxLeaf, maxBigLeaf)
	a, b := geom.V3(-12, 1, -11), geom.V3(11, 2, 12)
	want := s.AppendHits(nil, a, b)
	drop := s.DropBlocked(geom.V3(1, 3, 1), geom.V3(2, 0, 1), DropClimb, DropHeight)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				if got := s.AppendHits(nil, a, b); !slices.Equal(got, want) {
					t.Errorf("hits %v, want %v", got, want)
				}
				if s.DropBlocked(geom.V3(1, 3, 1), geom.V3(2, 0, 1), DropClimb, DropHeight) != drop {
					t.Error("the drop test differs")
				}
				s.AppendColumn(nil, 1, 1, -9, 9)
			}
		})
	}
	wg.Wait()
}
