// Package sample makes grids of typical kinds from seeds, for benchmarks, tests
// and demonstrations: a plain with a few buildings, a maze, a town beside a
// plain, a long corridor. The same arguments give the same map on any machine.
package sample

import (
	"math/rand/v2"

	"wend/grid"
)

// MinSide is the smallest side of a map that these functions make.
const MinSide = 16

// Plain returns open ground with a building of 4 to 24 cells a side for each
// 6,000 cells. The sides are at least MinSide.
func Plain(w, h int, seed uint64) (*grid.Map, error) {
	m, err := open(w, h)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	for range w * h / 6000 {
		building(m, rng, 0, w, h, 4, 24)
	}
	return m, nil
}

// Mixed returns open ground whose right half is a town: blocks of buildings
// with streets of 2 to 5 cells, every third building a wall around a yard with
// one gate.
func Mixed(w, h int, seed uint64) (*grid.Map, error) {
	m, err := open(w, h)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(seed, 2))
	for range w * h / 12000 {
		building(m, rng, 0, w/2, h, 4, 24)
	}
	for y := 2; y < h-4; {
		deep := 6 + rng.IntN(14)
		for x := w / 2; x < w-4; {
			wide := 6 + rng.IntN(14)
			lo := grid.Cell{X: int32(x), Y: int32(y)}
			hi := grid.Cell{X: int32(min(x+wide, w-2)), Y: int32(min(y+deep, h-2))}
			fill(m, lo, hi, false)
			if rng.IntN(3) == 0 && hi.X-lo.X > 2 && hi.Y-lo.Y > 2 {
				fill(m, grid.Cell{X: lo.X + 1, Y: lo.Y + 1}, grid.Cell{X: hi.X - 1, Y: hi.Y - 1}, true)
				gate := grid.Cell{X: (lo.X + hi.X) / 2, Y: [2]int32{lo.Y, hi.Y}[rng.IntN(2)]}
				fill(m, gate, gate, true)
			}
			x += wide + 2 + rng.IntN(4)
		}
		y += deep + 2 + rng.IntN(4)
	}
	return m, nil
}

// Maze returns a maze whose corridors and walls are one cell wide, with exactly
// one way between any two of its free cells.
func Maze(w, h int, seed uint64) (*grid.Map, error) {
	m, err := grid.New(max(w, MinSide), max(h, MinSide))
	if err != nil {
		return nil, err
	}
	w, h = m.Size()
	rng := rand.New(rand.NewPCG(seed, 3))
	// Rooms are the cells with odd coordinates; a walk that backs up where it
	// is walled in opens the walls between them.
	at := grid.Cell{X: 1, Y: 1}
	fill(m, at, at, true)
	stack := []grid.Cell{at}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		var ways [4]grid.Cell
		n := 0
		for _, d := range [4]grid.Cell{{X: 2}, {X: -2}, {Y: 2}, {Y: -2}} {
			to := grid.Cell{X: at.X + d.X, Y: at.Y + d.Y}
			if to.X > 0 && to.Y > 0 && int(to.X) < w-1 && int(to.Y) < h-1 && !m.Passable(to) {
				ways[n] = to
				n++
			}
		}
		if n == 0 {
			stack = stack[:len(stack)-1]
			continue
		}
		to := ways[rng.IntN(n)]
		fill(m, grid.Cell{X: min(at.X, to.X), Y: min(at.Y, to.Y)}, grid.Cell{X: max(at.X, to.X), Y: max(at.Y, to.Y)}, true)
		stack = append(stack, to)
	}
	return m, nil
}

// Corridor returns one corridor of the given width that winds through the map,
// forth and back: no branches, no rooms.
func Corridor(w, h, width int) (*grid.Map, error) {
	m, err := grid.New(max(w, MinSide), max(h, MinSide))
	if err != nil {
		return nil, err
	}
	w, h = m.Size()
	width = min(max(width, 1), h-2)
	for y, right := 1, true; y+width < h; y, right = y+width+1, !right {
		fill(m, grid.Cell{X: 1, Y: int32(y)}, grid.Cell{X: int32(w - 2), Y: int32(y + width - 1)}, true)
		if y+2*width+1 >= h {
			break
		}
		x := int32(1)
		if right {
			x = int32(max(w-1-width, 1))
		}
		fill(m, grid.Cell{X: x, Y: int32(y + width)}, grid.Cell{X: min(x+int32(width)-1, int32(w-2)), Y: int32(y + width)}, true)
	}
	return m, nil
}

// Pair is a start and a goal.
type Pair struct{ From, To grid.Cell }

// Pairs draws n pairs of different cells between which there is a way, each
// from all free cells of one island alike. A map without such cells has none.
func Pairs(m *grid.Map, n int, seed uint64) []Pair {
	var islands grid.Islands
	if islands.Label(m, grid.Moves{}) != nil {
		return nil
	}
	var cells []grid.Cell
	for c := range m.Cells() {
		if islands.Size(islands.Of(c)) > 1 {
			cells = append(cells, c)
		}
	}
	if len(cells) == 0 {
		return nil
	}
	rng := rand.New(rand.NewPCG(seed, 4))
	pairs := make([]Pair, 0, max(n, 0))
	for len(pairs) < n {
		p := Pair{cells[rng.IntN(len(cells))], cells[rng.IntN(len(cells))]}
		if p.From != p.To && islands.Connected(p.From, p.To) {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// open returns a map of free cells.
func open(w, h int) (*grid.Map, error) {
	m, err := grid.New(max(w, MinSide), max(h, MinSide))
	if err != nil {
		return nil, err
	}
	w, h = m.Size()
	fill(m, grid.Cell{}, grid.Cell{X: int32(w - 1), Y: int32(h - 1)}, true)
	return m, nil
}

// building blocks a rectangle at a random place right of x0.
func building(m *grid.Map, rng *rand.Rand, x0, x1, h, least, most int) {
	bw, bh := least+rng.IntN(most-least+1), least+rng.IntN(most-least+1)
	x, y := x0+rng.IntN(max(x1-x0-bw, 1)), rng.IntN(max(h-bh, 1))
	fill(m, grid.Cell{X: int32(x), Y: int32(y)}, grid.Cell{X: int32(x + bw - 1), Y: int32(y + bh - 1)}, false)
}

// fill fills what of a rectangle lies on the map.
func fill(m *grid.Map, lo, hi grid.Cell, free bool) {
	w, h := m.Size()
	lo.X, lo.Y = max(lo.X, 0), max(lo.Y, 0)
	hi.X, hi.Y = min(hi.X, int32(w-1)), min(hi.Y, int32(h-1))
	if lo.X <= hi.X && lo.Y <= hi.Y {
		_ = m.Fill(lo, hi, free) // both corners lie on the map
	}
}
