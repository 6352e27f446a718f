package spanpath

import (
	"context"
	"math"
	"testing"
)

// countedLooks is a context that ends when it has been looked at so many times.
type countedLooks struct {
	context.Context
	looks, most int
}

func (c *countedLooks) Err() error {
	if c.looks++; c.looks > c.most {
		return context.Canceled
	}
	return nil
}

const (
	partedSide = 280
	partedHalf = partedSide * partedSide / 2 // cells
)

// parted returns a field of two halves that no way joins, with a span in each.
func parted(t *testing.T) (g *Ground, start, goal Span) {
	g = newDrawn(partedSide, func(solid []bool) {
		for y := range partedSide {
			solid[y*partedSide+partedSide/2] = true
		}
	}).ground(t)
	return g, spanAt(t, g, 5, partedSide/2, 0), spanAt(t, g, partedSide-5, partedSide/2, 0)
}

// TestAllSearchesLookAtTheContext: whatever goes over much ground looks at the
// context now and then, and ends when it does. The field is parted in two, so that
// everything looks at one half. (The flood over cells takes 64 of
// them at once, and comes to an end before it would look.)
func TestAllSearchesLookAtTheContext(t *testing.T) {
	g, start, goal := parted(t)
	from, to := Cell{5, partedSide / 2}, Cell{partedSide - 5, partedSide / 2}
	solve := func(q Problem) func() error {
		q.Need, q.Start, q.Goals, q.GiveUp = MarkOn, start, []Span{goal}, math.Inf(1)
		return func() error {
			_, err := g.Solve(&q, new(Path))
			return err
		}
	}
	for _, c := range []struct {
		name string
		do   func() error
	}{
		{"search", solve(Problem{})},
		{"search at prices", solve(Problem{Prices: NewPrices(0.25, 1.75)})},
		{"search by straight distance", solve(Problem{Euclid: true})},
		{"search with sight", solve(Problem{Sight: true})},
		{"search around the goal", solve(Problem{Around: []Round{{0, 30_000}}, MaxExpanded: 30_000})},
		{"search over cells", func() error {
			_, err := g.SolveCells(from, to, MarkOn, nil, new(CellPath))
			return err
		}},
		{"way to open ground", func() error {
			_, err := g.Access(from, MarkOn, MarkExtra, 0, new(Access))
			return err
		}},
		{"flood from both sides", func() error {
			_, _, err := g.Joined(start, []Span{goal}, MarkOnCore, 0)
			return err
		}},
		{"flood for the nearest place", func() error {
			_, _, _, _, err := g.NearestReached(start, to, 0, MarkOnCore, 0)
			return err
		}},
	} {
		free := &countedLooks{Context: context.Background(), most: math.MaxInt}
		if g.ctx = free; c.do() != nil {
			t.Fatalf("%s: cannot be done", c.name)
		}
		if free.looks < 30_000/checkEvery-1 { // MaxExpanded ends one of them there
			t.Errorf("%s: the context was looked at %d times", c.name, free.looks)
		}
		for _, most := range []int{0, 2, free.looks / 2} {
			some := &countedLooks{Context: context.Background(), most: most}
			g.ctx = some
			if err := c.do(); err != context.Canceled || some.looks > most+2 {
				t.Errorf("%s: %v, looked %d times where %d was the end", c.name, err, some.looks, most)
			}
			g.err = nil
		}
	}
}

// TestBreachesLookAtTheContext: what goes over a large pocket to find what parts it
// from the other side ends with the context too.
func TestBreachesLookAtTheContext(t *testing.T) {
	g, start, goal := parted(t)
	breach := func(most int) (looks int, err error) {
		g.ctx = context.Background()
		joined, pocket, err := g.Joined(start, []Span{goal}, MarkOnCore, 0)
		if joined || err != nil || pocket.Spans < partedHalf*9/10 {
			t.Fatalf("joined %v, %d spans, %v: no fair trial", joined, pocket.Spans, err)
		}
		c := &countedLooks{Context: context.Background(), most: most}
		g.ctx = c
		var b Breach
		found, err := g.FindBreach(&pocket, 0.3, 400_000, &b)
		if found != (err == nil) {
			t.Errorf("found %v, %v", found, err)
		}
		g.err = nil
		return c.looks, err
	}
	all, err := breach(math.MaxInt)
	if err != nil || all < 12 { // six pages at least twice
		t.Errorf("%v after %d looks at the context", err, all)
	}
	for _, most := range []int{0, 3, all / 2, all - 1} {
		if looks, err := breach(most); err != context.Canceled || looks > most+2 {
			t.Errorf("%v, looked %d times where %d was the end", err, looks, most)
		}
	}
}
