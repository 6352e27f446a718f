package spanpath

import (
	"math"
	"math/rand/v2"
	"testing"

	"wend/spangrid"
)

// TestNearestAgainstBruteForce compares rings with a look at every cell.
func TestNearestAgainstBruteForce(t *testing.T) {
	found, decks := 0, 0
	for n := range worlds(15) {
		rnd := rand.New(rand.NewPCG(uint64(n), 51))
		w := newWorld()
		clip := spangrid.Window{GX: 100 + rnd.IntN(30), GY: -20, NX: 10 + rnd.IntN(40), NY: 10 + rnd.IntN(40)}
		for range 1 + rnd.IntN(30) {
			x, y := clip.GX+rnd.IntN(clip.NX+6)-3, clip.GY+rnd.IntN(clip.NY+6)-3
			w.put(x, y, cellSpan{h: float32(rnd.IntN(9)), component: uint32(1 + rnd.IntN(2))})
			w.put(x, y, cellSpan{h: float32(rnd.IntN(9)) + 0.5})
		}
		g := w.ground(t, clip, func(s *Setup) { s.Reach = []uint64{1 << 1} })
		for range 20 {
			gx, gy := clip.GX+rnd.IntN(clip.NX+40)-20, clip.GY+rnd.IntN(clip.NY+40)-20
			most := rnd.IntN(60) - 2
			deck := float32(rnd.IntN(10))
			var cell Cell
			var place spangrid.Place
			best, deckBest, off := math.MaxInt, math.MaxInt, 0.0
			for y := clip.GY; y < clip.GY+clip.NY; y++ {
				for x := clip.GX; x < clip.GX+clip.NX; x++ {
					d2 := (x-gx)*(x-gx) + (y-gy)*(y-gy)
					if g.Marks(x, y)&MarkOn == 0 || most < 0 || d2 > most*most {
						continue
					}
					if d2 < best {
						best, cell = d2, Cell{int32(x), int32(y)}
					}
					for _, s := range g.Standing(nil, x, y, MarkOn) {
						p := g.Place(s)
						h := math.Abs(float64(p.H) - float64(deck))
						if h <= 2 && (d2 < deckBest || d2 == deckBest && h < off) {
							deckBest, off, place = d2, h, p
						}
					}
				}
			}
			at, d2, ok := g.NearestOn(gx, gy, most, MarkOn)
			if ok != (best < math.MaxInt) || ok && (at != cell || d2 != best) {
				t.Fatalf("world %d: (%d, %d) within %d: %v %d %v, want %v %d", n, gx, gy, most, at, d2, ok, cell, best)
			}
			if ok {
				found++
			}
			s, d2, ok := g.NearestDeck(gx, gy, most, MarkOn, deck, 2)
			if ok != (deckBest < math.MaxInt) || ok && (g.Place(s) != place || d2 != deckBest) {
				t.Fatalf("world %d: (%d, %d) at %v within %d: %v, want %v %d", n, gx, gy, deck, most, ok, place, deckBest)
			}
			if ok {
				decks++
			}
		}
	}
	if found < 75 || decks < 75 {
		t.Errorf("%d cells and %d decks found: no fair trial", found, decks)
	}
}
