// Package fieldtest builds small compact fields from pictures, for the tests
// of the stages that work on them.
package fieldtest

import (
	"strings"

	"wend/internal/heightfield"
)

// Cell is one floor cell of a column, see heightfield.Compact.
type Cell struct {
	Y    int
	Area uint8
}

// Layer is a storey drawn as text: a line for each z, a character for each x.
//
//	.        ground at the layer's height
//	2 to 9   floor with that area code
//	x        floor that is not walkable
//	^        ground one climb higher, + two climbs higher
//	others   nothing
type Layer struct {
	Y   int
	Map string
}

// FromLayers builds the field of the layers, bottom to top, with a headroom of
// 10 voxels and a climb of 2.
func FromLayers(layers ...Layer) *heightfield.Compact {
	const headroom, climb = 10, 2
	w, d := 0, 0
	grids := make([][]string, len(layers))
	for i, l := range layers {
		grids[i] = strings.Split(strings.Trim(l.Map, "\n"), "\n")
		d = max(d, len(grids[i]))
		for _, line := range grids[i] {
			w = max(w, len(line))
		}
	}
	cols := make([][]Cell, w*d)
	for i, rows := range grids {
		for z, row := range rows {
			for x := range row {
				cell := Cell{Y: layers[i].Y, Area: heightfield.Ground}
				switch ch := row[x]; {
				case ch == '.':
				case ch >= '2' && ch <= '9':
					cell.Area = ch - '0'
				case ch == 'x':
					cell.Area = heightfield.Unwalkable
				case ch == '^':
					cell.Y += climb
				case ch == '+':
					cell.Y += 2 * climb
				default:
					continue
				}
				cols[x+z*w] = append(cols[x+z*w], cell)
			}
		}
	}
	return New(w, d, headroom, climb, cols)
}

// New builds a field from its columns. The cells of a column must be in rising
// order, at least headroom+1 apart. Neighbours are linked when the step between
// them is at most climb and the gap they share at least headroom.
func New(w, d, headroom, climb int, cols [][]Cell) *heightfield.Compact {
	c := &heightfield.Compact{
		Grid:     heightfield.Grid{W: w, D: d, Cell: 1, CellHeight: 1},
		Headroom: headroom, Climb: climb,
		Start: make([]uint32, w*d+1),
	}
	for i, col := range cols {
		for k, cell := range col {
			open := heightfield.MaxHeight
			if k+1 < len(col) {
				open = col[k+1].Y - cell.Y - 1
			}
			c.Y = append(c.Y, uint16(cell.Y))
			c.Open = append(c.Open, uint16(open))
			c.Area = append(c.Area, cell.Area)
		}
		c.Start[i+1] = uint32(len(c.Y))
	}
	c.Nei = make([][4]int32, len(c.Y))
	for z := range d {
		for x := range w {
			for i := c.Start[x+z*w]; i < c.Start[x+z*w+1]; i++ {
				for dir := range 4 {
					c.Nei[i][dir] = link(c, i, x+heightfield.DirX[dir], z+heightfield.DirZ[dir])
				}
			}
		}
	}
	return c
}

func link(c *heightfield.Compact, i uint32, x, z int) int32 {
	if x < 0 || z < 0 || x >= c.W || z >= c.D {
		return -1
	}
	top := func(k uint32) int { return int(c.Y[k]) + int(c.Open[k]) }
	for k := c.Start[x+z*c.W]; k < c.Start[x+z*c.W+1]; k++ {
		step := int(c.Y[k]) - int(c.Y[i])
		gap := min(top(k), top(i)) - int(max(c.Y[k], c.Y[i]))
		if step <= c.Climb && -step <= c.Climb && gap >= c.Headroom {
			return int32(k)
		}
	}
	return -1
}
