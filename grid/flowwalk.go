package grid

import (
	"fmt"
	"math"
)

// Walked counts what became of the units of one Walk.
type Walked struct {
	Moving  int // on their way
	Arrived int // in the middle of a goal
	Lost    int // where the field is not known, or nothing leads to a goal
}

// Walk moves every unit by the given distance along the field, from the middle
// of a cell to that of the next, and writes the new places to units. It stops
// at the goals, and leaves units alone where the field does not know the way.
// Between two cells a unit stays in the squares that the step's rule asks to
// be free, so with Never no blocked cell is touched. The distance is in cell
// sides, from 0 to 1,000. It is for squares; hexagons fail with
// ErrUnsupported. Parts of one slice may be walked by several goroutines.
func (f *Flow) Walk(units []Point, distance float64) (Walked, error) {
	var n Walked
	switch {
	case f.ground == nil:
		return n, ErrNotBegun
	case !(distance >= 0 && distance <= 1000):
		return n, fmt.Errorf("%w: distance %v (0 to 1000)", ErrOptions, distance)
	case f.moves.Neighbours == Six:
		return n, &UnsupportedError{Moves: f.moves, Weighted: f.costs != nil, By: "flow walk"}
	}
	w, h, stride := float64(f.rows.w), float64(f.rows.h), f.rows.stride
	mark := f.mark
	for i := range units {
		p := units[i]
		if !(p.X >= 0 && p.Y >= 0 && p.X < w && p.Y < h) {
			n.Lost++
			continue
		}
		x, y := int32(p.X), int32(p.Y)
		for left := distance; ; {
			m := mark[(y+1)*stride+x]
			if m&flowFinal == 0 {
				n.Lost++
				break
			}
			d := m & flowDir
			if d != dirNone {
				x, y = x-dirX[d], y-dirY[d]
			}
			dx, dy := float64(x)+0.5-p.X, float64(y)+0.5-p.Y
			away := math.Sqrt(float64(dx*dx) + float64(dy*dy))
			if away > left {
				share := left / away
				p.X += float64(dx * share)
				p.Y += float64(dy * share)
				n.Moving++
				break
			}
			p = Point{float64(x) + 0.5, float64(y) + 0.5}
			left -= away
			if d == dirNone {
				n.Arrived++
				break
			}
		}
		units[i] = p
	}
	return n, nil
}
