package grid

import (
	"fmt"
	"math"
)

// Clearance is, for the middle of every cell, the exact distance to the nearest
// blocked square; all around the map counts as blocked. Distances are exact
// because they are kept as squares of half cells: whole numbers. It is made
// for squares.
type Clearance struct {
	w, h    int32
	limit   int
	half    []uint16 // squared distance in half cells, at most (2*limit)^2
	version uint64
}

// MaxClearance is the largest limit of a clearance map, in cells.
const MaxClearance = 64

// NewClearance measures a ground. Distances from limit cells on count as limit,
// 1 to MaxClearance; it should be a little more than the largest body's
// radius. Time grows with cells times limit, memory is two bytes a cell.
func NewClearance(g Ground, limit int) (*Clearance, error) {
	if absent(g) || limit < 1 || limit > MaxClearance {
		return nil, fmt.Errorf("%w: clearance limit %d (1 to %d)", ErrOptions, limit, MaxClearance)
	}
	w, h := g.Size()
	c := &Clearance{w: int32(w), h: int32(h), limit: limit, half: make([]uint16, w*h), version: g.Version()}
	top := uint16(4 * limit * limit)
	// Rows to the nearest blocked cell of the column, downwards, then upwards.
	rows := make([]uint8, w*h)
	for y := range h {
		for x := range w {
			if g.Passable(Cell{int32(x), int32(y)}) {
				above := 0
				if y > 0 {
					above = int(rows[(y-1)*w+x])
				}
				rows[y*w+x] = uint8(min(above+1, limit+1))
			}
		}
	}
	for y := h - 1; y >= 0; y-- {
		for x := range w {
			below := uint8(0)
			if y < h-1 {
				below = rows[(y+1)*w+x]
			}
			rows[y*w+x] = min(rows[y*w+x], below+1)
		}
	}
	square := func(cells int) uint16 { // the near edge of a cell so many away
		d := max(2*cells-1, 0)
		return uint16(min(d*d, int(top)))
	}
	for y := range h {
		line := rows[y*w:][:w]
		for x := range w {
			best := min(square(int(line[x])), top)
			for d := 1; d <= limit; d++ {
				beside := square(d)
				if beside >= best {
					break
				}
				if x-d < 0 || x+d >= w {
					best = beside
					break
				}
				near := min(line[x-d], line[x+d])
				best = min(best, beside+square(int(near)))
			}
			c.half[y*w+x] = best
		}
	}
	return c, nil
}

// At returns the distance from the middle of a cell to the nearest blocked
// square, in cell sides, 0 for blocked cells and outside.
func (c *Clearance) At(at Cell) float64 { return math.Sqrt(float64(c.squared(at))) / 2 }

// Fits reports whether a disc of a radius around the middle of a cell stays off
// all blocked squares; it may be tangent to them, so one with the radius At fits. A
// radius beyond the limit fits nowhere.
func (c *Clearance) Fits(at Cell, radius float64) bool {
	// Of two numbers the one that is not larger has the root that is not
	// larger, rounded or not; squaring a rounded root may make it larger.
	return radius <= float64(c.limit) && radius <= c.At(at)
}

// Version returns the version of the ground that was measured.
func (c *Clearance) Version() uint64 { return c.version }

func (c *Clearance) squared(at Cell) uint16 {
	if at.X < 0 || at.Y < 0 || at.X >= c.w || at.Y >= c.h {
		return 0
	}
	return c.half[at.Y*c.w+at.X]
}
