package grid_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"wend/grid"
)

func TestClearanceAgainstBruteForce(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 4))
	for range 60 {
		m := randomMap(rnd, 22, false)
		limit := 1 + rnd.IntN(6)
		c, err := grid.NewClearance(m, limit)
		must(err)
		w, h := m.Size()
		for i := range w * h {
			at := grid.Cell{X: int32(i % w), Y: int32(i / w)}
			want := float64(limit)
			for y := int32(-1); y <= int32(h); y++ {
				for x := int32(-1); x <= int32(w); x++ {
					if !m.Passable(grid.Cell{X: x, Y: y}) {
						want = min(want, discGap(at, x, y))
					}
				}
			}
			if got := c.At(at); math.Abs(got-want) > 1e-12 {
				t.Fatalf("limit %d: clearance at %v is %v, want %v", limit, at, got, want)
			}
		}
	}
}

func discGap(at grid.Cell, x, y int32) float64 {
	dx := max(math.Abs(float64(at.X-x))-0.5, 0)
	dy := max(math.Abs(float64(at.Y-y))-0.5, 0)
	return math.Hypot(dx, dy)
}

// touches looks at 64 places along a line for a blocked square (or the world
// beyond the map) nearer than the radius.
func touches(m *grid.Map, p, q grid.Point, radius float64) bool {
	n := 64.0
	for i := 0.0; i <= n; i++ {
		x, y := p.X+(q.X-p.X)*i/n, p.Y+(q.Y-p.Y)*i/n
		for cy := math.Floor(y - radius); cy <= y+radius; cy++ {
			for cx := math.Floor(x - radius); cx <= x+radius; cx++ {
				dx, dy := max(cx-x, x-cx-1, 0), max(cy-y, y-cy-1, 0)
				if !m.Passable(grid.Cell{X: int32(cx), Y: int32(cy)}) && math.Hypot(dx, dy) < radius-1e-6 {
					return true
				}
			}
		}
	}
	return false
}

func centre(c grid.Cell) grid.Point { return grid.Point{X: float64(c.X) + 0.5, Y: float64(c.Y) + 0.5} }

// TestBodyTouchesNothing walks discs along paths, pulled or not.
func TestBodyTouchesNothing(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(9, 4))
	ctx := context.Background()
	q := grid.NewQuery()
	routes, narrow, saved := 0, 0, 0
	for round := range 300 {
		m := openMap(t, 12+rnd.IntN(40), 12+rnd.IntN(40))
		w, h := m.Size()
		for range w * h / 30 {
			must(m.SetPassable(grid.Cell{X: int32(rnd.IntN(w)), Y: int32(rnd.IntN(h))}, false))
		}
		radius := []float64{0, 0.5, 0.7, 1, 1.5, 2}[round%6]
		body, err := grid.NewBody(m, radius)
		must(err)
		from, to := randomCell(rnd, m), randomCell(rnd, m)
		r, err := body.Squeeze(ctx, q, from, to, nil)
		must(err)
		if r.Status != grid.Complete {
			continue
		}
		if n := grid.Walkable(m, r.Path, grid.Moves{}); n != len(r.Path) || r.Path[0] != from || r.Path[n-1] != to {
			t.Fatalf("path breaks at %d of %d", n, len(r.Path))
		}
		tight := make([]bool, len(r.Path)+1)
		for _, s := range r.Narrow {
			narrow++
			for i := s[0]; i <= s[1]; i++ {
				tight[i] = true // the step off the stretch too
			}
		}
		for i := 1; i < len(r.Path); i++ {
			if !tight[i] && touches(m, centre(r.Path[i-1]), centre(r.Path[i]), radius) {
				t.Fatalf("radius %v touches between %v and %v", radius, r.Path[i-1], r.Path[i])
			}
		}
		if len(r.Narrow) > 0 {
			continue
		}
		routes++
		for _, guard := range []float64{0, 0.3} {
			points, err := body.Pull(r.Path, guard)
			must(err)
			saved += len(r.Path) - len(points)
			for i := 1; i < len(points); i++ {
				if touches(m, points[i-1], points[i], radius) {
					t.Fatalf("radius %v, guard %v: pulled line %v to %v touches", radius, guard, points[i-1], points[i])
				}
			}
			if points[0] != centre(from) || points[len(points)-1] != centre(to) {
				t.Fatal("pulled line has other ends")
			}
		}
	}
	if routes < 50 || narrow < 20 || saved < 500 {
		t.Errorf("%d routes, %d narrow stretches, %d points saved: too few to tell", routes, narrow, saved)
	}
}

func TestBodyGapTooNarrow(t *testing.T) {
	m, err := grid.Parse(
		"...........",
		"...........",
		"...........",
		"#####.#####",
		"...........",
		"...........",
		"...........",
	)
	must(err)
	body, err := grid.NewBody(m, 1)
	must(err)
	q := grid.NewQuery()
	from, to := grid.Cell{X: 2, Y: 1}, grid.Cell{X: 8, Y: 5}
	r, err := body.Find(t.Context(), q, from, to, nil)
	must(err)
	if r.Status != grid.Unreachable {
		t.Errorf("a disc two across passes a gap of one: %v", r.Status)
	}
	r, err = body.Squeeze(t.Context(), q, from, to, nil)
	must(err)
	if r.Status != grid.Complete || len(r.Narrow) != 1 {
		t.Errorf("squeezed: %v, narrow %v", r.Status, r.Narrow)
	}
	if _, err := body.Pull(r.Path, 0); !errors.Is(err, grid.ErrOptions) {
		t.Errorf("pulled through the gap: %v", err)
	}
	huge, err := grid.NewBody(m, 40)
	must(err)
	if r, err := huge.Find(t.Context(), q, from, to, nil); err != nil || r.Status != grid.StartBlocked {
		t.Errorf("a unit larger than the map: %v, %v", r, err)
	}
	for _, radius := range []float64{-1, math.NaN(), 65} {
		if _, err := grid.NewBody(m, radius); !errors.Is(err, grid.ErrOptions) {
			t.Errorf("radius %v: %v", radius, err)
		}
	}
	if _, err := body.Find(t.Context(), q, from, to, &grid.Options{Moves: grid.Moves{Corners: grid.Always}}); !errors.Is(err, grid.ErrUnsupported) {
		t.Errorf("corner rule Always: %v", err)
	}
}

// TestClearanceFitsItself: a disc as large as the clearance is tangent, of any
// clearance there is, and fits.
func TestClearanceFitsItself(t *testing.T) {
	rnd := rand.New(rand.NewPCG(12, 12))
	for _, limit := range []int{3, 20, grid.MaxClearance} {
		m := openMap(t, 150, 150)
		for range 12 {
			must(m.SetPassable(randomCell(rnd, m), false))
		}
		c, err := grid.NewClearance(m, limit)
		must(err)
		for at := range m.Cells() {
			if r := c.At(at); !c.Fits(at, r) || c.Fits(at, math.Nextafter(r, 1000)) {
				t.Fatalf("limit %d, %v: clearance %v, fits %v, a hair more %v", limit, at, r, c.Fits(at, r), c.Fits(at, math.Nextafter(r, 1000)))
			}
		}
	}
}
