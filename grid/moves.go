package grid

import "fmt"

// Cell is a column and a row. (0, 0) is the upper left cell, rows grow
// downwards.
type Cell struct{ X, Y int32 }

// String writes the cell as (column,row).
func (c Cell) String() string { return fmt.Sprintf("(%d,%d)", c.X, c.Y) }

// Neighbours says which cells touch.
type Neighbours uint8

const (
	// Eight: squares with steps to all eight cells around.
	Eight Neighbours = iota
	// Four: squares with steps across edges only.
	Four
	// Six: hexagons with a corner up, rows shifted: every odd row lies half a
	// cell further right ("odd-r" offset coordinates).
	Six
)

// String returns the name of the topology.
func (n Neighbours) String() string {
	return nameOf("Neighbours", uint8(n), "eight", "four", "six")
}

// Corners is the rule for a diagonal step between squares: what must be free
// of the two cells it passes between. It has no meaning for Four and Six.
type Corners uint8

const (
	// Never: both cells must be free; no corner is touched. The rule of the
	// MovingAI benchmark sets.
	Never Corners = iota
	// OneFree: one of the two is enough; a corner may be brushed.
	OneFree
	// Always: a step may pass between two blocked cells.
	Always
)

// String returns the name of the rule.
func (c Corners) String() string {
	return nameOf("Corners", uint8(c), "never", "one-free", "always")
}

// Diagonal is the length of a diagonal step.
type Diagonal uint8

const (
	// Octile: the square root of two, the true length.
	Octile Diagonal = iota
	// Unit: one, so that distance on open ground is the Chebyshev distance.
	// Routes are then shortest in steps, not in length: a zigzag costs no more
	// than a straight walk.
	Unit
)

// String returns the name of the cost model.
func (d Diagonal) String() string {
	return nameOf("Diagonal", uint8(d), "octile", "unit")
}

// Moves says how a unit moves. The zero value is the benchmark's: eight
// neighbours, no corner cut, octile lengths.
type Moves struct {
	Neighbours Neighbours
	Corners    Corners
	Diagonal   Diagonal
}

// String returns the three names.
func (m Moves) String() string {
	if m.Neighbours != Eight {
		return m.Neighbours.String()
	}
	return m.Neighbours.String() + "/" + m.Corners.String() + "/" + m.Diagonal.String()
}

func (m Moves) valid() bool {
	return m.Neighbours <= Six && m.Corners <= Always && m.Diagonal <= Unit
}

func nameOf(kind string, v uint8, names ...string) string {
	if int(v) < len(names) {
		return names[v]
	}
	return fmt.Sprintf("%s(%d)", kind, v)
}

// A direction is the place of a neighbour in the 3 x 3 block around a cell,
// read row by row without the middle:
//
//	0 1 2
//	3 . 4
//	5 6 7
//
// so that 7-d is the way back, and the free cells around are one byte. Cells
// of a hexagonal grid have their neighbours in the same block: the even rows
// lack the right column above and below, the odd rows the left one.
const (
	dirNW = iota
	dirN
	dirNE
	dirW
	dirE
	dirSW
	dirS
	dirSE
	_
	dirNone // no direction: the start

	// markGoOn, added to a diagonal direction, marks a node of which nothing but
	// the step in this direction is worth making.
	markGoOn = 8
)

var (
	dirX = [16]int32{-1, 0, 1, -1, 1, -1, 0, 1}
	dirY = [16]int32{-1, -1, -1, 0, 0, 1, 1, 1}
)

const (
	maskDiagonal = 1<<dirNW | 1<<dirNE | 1<<dirSW | 1<<dirSE
	maskStraight = 0xff &^ maskDiagonal
	maskHexEven  = 1<<dirNW | 1<<dirN | 1<<dirW | 1<<dirE | 1<<dirSW | 1<<dirS
	maskHexOdd   = 1<<dirN | 1<<dirNE | 1<<dirW | 1<<dirE | 1<<dirS | 1<<dirSE
)

// beside holds, for a diagonal direction, the two straight ones next to it.
var beside = [8][2]uint8{
	dirNW: {dirN, dirW},
	dirNE: {dirN, dirE},
	dirSW: {dirS, dirW},
	dirSE: {dirS, dirE},
}

// stepTable maps the byte of free cells around a square to the steps that may
// be made from it.
type stepTable [256]uint8

// pruneTable maps the direction by which a cell was entered and the free cells
// around it to the steps worth making: a step is left out when the cell before
// reaches its end within the 3 x 3 block without the middle, at less cost or,
// at the same cost, with the diagonal step earlier (with four neighbours: the
// vertical one). Nodes with markGoOn have a table of their own. Every optimal cost is reached over the steps that are left
// (Harabor and Grastien 2011, "Online graph pruning for pathfinding on grid
// maps"; with four neighbours Baum 2024). Both step lengths agree on the table.
type pruneTable [16]stepTable

type moveTables struct {
	step  stepTable
	prune pruneTable
}

// squareTables are indexed by tableIndex; built once, never written again.
var squareTables = buildTables()

const tableFour = 3

func tableIndex(m Moves) int {
	if m.Neighbours == Four {
		return tableFour
	}
	return int(m.Corners)
}

func buildTables() (t [4]moveTables) {
	for i := range t {
		for free := range 256 {
			t[i].step[free] = allowedSteps(i, uint8(free))
		}
		for free := range 256 {
			for _, d := range [9]uint8{dirNW, dirN, dirNE, dirW, dirE, dirSW, dirS, dirSE, dirNone} {
				t[i].prune[d][free] = worthwhile(i, &t[i].step, uint8(free), d)
			}
			for _, d := range [4]uint8{dirNW, dirNE, dirSW, dirSE} {
				t[i].prune[d+markGoOn][free] = 1 << d
			}
		}
	}
	return t
}

func allowedSteps(table int, free uint8) uint8 {
	out := free & maskStraight
	if table == tableFour {
		return out
	}
	for d := range uint8(8) {
		if maskDiagonal>>d&1 == 0 || free>>d&1 == 0 {
			continue
		}
		a, b := free>>beside[d][0]&1, free>>beside[d][1]&1
		if Corners(table) == Always || a+b == 2 || Corners(table) == OneFree && a+b == 1 {
			out |= 1 << d
		}
	}
	return out
}

// worthwhile lists the steps from a cell entered by direction in.
func worthwhile(table int, step *stepTable, free, in uint8) uint8 {
	all := step[free]
	if in == dirNone {
		return all
	}
	back := 7 - in
	if free>>back&1 == 0 {
		return all // cannot happen: the cell before is free
	}
	all &^= 1 << back
	out := all
	for d := range uint8(8) {
		if all>>d&1 == 1 && around(table, free, back, d, in) {
			out &^= 1 << d
		}
	}
	return out
}

// around reports whether the neighbour "from" reaches the neighbour "to" in one
// or two steps inside the block without its middle, not worse than over the
// middle, where the first step is in.
func around(table int, free, from, to, in uint8) bool {
	length := func(d uint8) int { // five to seven is near enough for two steps
		if maskDiagonal>>d&1 == 1 {
			return 7
		}
		return 5
	}
	first := func(d uint8) bool { // whether the order of steps prefers d first
		if table == tableFour {
			return d == dirN || d == dirS
		}
		return maskDiagonal>>d&1 == 1
	}
	via := length(in) + length(to)
	for a := range uint8(8) {
		mid, ok := blockStep(table, free, from, a)
		if !ok {
			continue
		}
		if mid == to {
			return true // one step is shorter than any two
		}
		for b := range uint8(8) {
			end, ok := blockStep(table, free, mid, b)
			if !ok || end != to {
				continue
			}
			alt := length(a) + length(b)
			if alt < via || alt == via && first(a) && !first(in) {
				return true
			}
		}
	}
	return false
}

// blockStep makes one step inside the 3 x 3 block, from the neighbour n by
// direction d; it fails at the middle, outside, and where the rules forbid it.
func blockStep(table int, free, n, d uint8) (uint8, bool) {
	at := func(x, y int32) (uint8, bool) { // direction of the block's cell
		if x < -1 || x > 1 || y < -1 || y > 1 {
			return 0, false
		}
		i := (y+1)*3 + x + 1
		switch {
		case i == 4:
			return dirNone, true
		case i > 4:
			i--
		}
		return uint8(i), true
	}
	isFree := func(x, y int32) bool {
		i, ok := at(x, y)
		return ok && (i == dirNone || free>>i&1 == 1)
	}
	x, y := dirX[n]+dirX[d], dirY[n]+dirY[d]
	end, ok := at(x, y)
	if !ok || end == dirNone || !isFree(x, y) {
		return 0, false
	}
	if maskDiagonal>>d&1 == 1 {
		a, b := isFree(dirX[n], y), isFree(x, dirY[n])
		switch {
		case table == tableFour,
			Corners(table) == Never && !(a && b),
			Corners(table) == OneFree && !a && !b:
			return 0, false
		}
	}
	return end, true
}
