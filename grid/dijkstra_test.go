package grid_test

import (
	"math"
	"math/rand/v2"
	"os"

	"wend/grid"
)

// The oracle: plain Dijkstra over a map's public methods, with costs as pairs
// of sums (straight, diagonal) in 256ths and no thought of speed.

type oracleCost struct{ straight, diagonal int64 }

func (c oracleCost) value() float64 {
	return (float64(c.straight) + float64(float64(c.diagonal)*math.Sqrt2)) / 256
}

// oracleSteps lists the cells reached from c by one step.
func oracleSteps(g grid.Ground, c grid.Cell, m grid.Moves) []grid.Cell {
	at := func(dx, dy int32) grid.Cell { return grid.Cell{X: c.X + dx, Y: c.Y + dy} }
	var out []grid.Cell
	add := func(n grid.Cell) {
		if g.Passable(n) {
			out = append(out, n)
		}
	}
	if m.Neighbours == grid.Six {
		odd := c.Y & 1
		for _, n := range []grid.Cell{at(-1, 0), at(1, 0), at(odd-1, -1), at(odd, -1), at(odd-1, 1), at(odd, 1)} {
			add(n)
		}
		return out
	}
	for _, n := range []grid.Cell{at(-1, 0), at(1, 0), at(0, -1), at(0, 1)} {
		add(n)
	}
	if m.Neighbours == grid.Four {
		return out
	}
	for _, d := range [][2]int32{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		a, b := g.Passable(at(d[0], 0)), g.Passable(at(0, d[1]))
		if m.Corners == grid.Always || a && b || m.Corners == grid.OneFree && (a || b) {
			add(at(d[0], d[1]))
		}
	}
	return out
}

// oracle returns the costs of reaching every cell, missing where none is.
func oracle(g grid.Ground, from grid.Cell, m grid.Moves) map[grid.Cell]oracleCost {
	dist := map[grid.Cell]oracleCost{}
	if !g.Passable(from) {
		return dist
	}
	dist[from] = oracleCost{}
	open := []grid.Cell{from}
	for len(open) > 0 { // label correcting: a cell comes back when it got cheaper
		c := open[0]
		open = open[1:]
		for _, n := range oracleSteps(g, c, m) {
			cost := dist[c]
			w := int64(g.Cost(n) * 256)
			if n.X != c.X && n.Y != c.Y && m.Neighbours == grid.Eight && m.Diagonal == grid.Octile {
				cost.diagonal += w
			} else {
				cost.straight += w
			}
			if old, ok := dist[n]; !ok || cost.value() < old.value() {
				dist[n] = cost
				open = append(open, n)
			}
		}
	}
	return dist
}

// randomMap returns a map with sides of 1 to side and 0 to 60 % blocked.
func randomMap(rnd *rand.Rand, side int, weighted bool) *grid.Map {
	w, h := 1+rnd.IntN(side), 1+rnd.IntN(side)
	m, err := grid.New(w, h)
	if err != nil {
		panic(err)
	}
	density := rnd.Float64() * 0.6
	for y := range int32(h) {
		for x := range int32(w) {
			c := grid.Cell{X: x, Y: y}
			if rnd.Float64() >= density {
				must(m.SetPassable(c, true))
			}
			if weighted && rnd.IntN(3) == 0 {
				must(m.SetCost(c, float64(1+rnd.IntN(2048))/256))
			}
		}
	}
	return m
}

// many is a number of rounds: few, or with WEND_LONG=1 all.
func many(few, all int) int {
	if os.Getenv("WEND_LONG") != "" {
		return all
	}
	return few
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func randomCell(rnd *rand.Rand, m *grid.Map) grid.Cell {
	w, h := m.Size()
	var c grid.Cell
	for range 20 {
		c = grid.Cell{X: int32(rnd.IntN(w)), Y: int32(rnd.IntN(h))}
		if m.Passable(c) {
			break
		}
	}
	return c
}

// everyMove lists all kinds of moves that differ.
func everyMove() []grid.Moves {
	out := []grid.Moves{{Neighbours: grid.Four}, {Neighbours: grid.Six}}
	for c := grid.Never; c <= grid.Always; c++ {
		for d := grid.Octile; d <= grid.Unit; d++ {
			out = append(out, grid.Moves{Corners: c, Diagonal: d})
		}
	}
	return out
}
