package contour

import (
	"context"

	"wend/internal/heightfield"
	"wend/internal/region"
)

// markWalls returns which corners of walls are kept however the floor is split
// into regions: bit d of an entry stands for the corner at the end of that
// cell's side d.
//
// Where a region ends at a wall, its outline keeps a corner there, and what a
// simplification keeps depends on where it begins. So walls are simplified by
// themselves first; a region's outline takes what that keeps and adds what it
// needs. The walls of a field in tiles and of the same field in one piece then
// have almost the same corners, and so do the routes that turn at them.
func markWalls(ctx context.Context, c *heightfield.Compact, r *region.Result, o Options) ([]uint8, error) {
	labels := make([]region.ID, c.Len())
	for i, id := range r.Region {
		switch {
		case id&region.Border != 0:
			labels[i] = id
		case id != 0:
			labels[i] = region.ID(c.Area[i])
		}
	}
	t := tracer{c: c, reg: labels, border: int32(o.Border), wantSides: true}
	if err := t.run(ctx); err != nil {
		return nil, err
	}
	marks := make([]uint8, c.Len())
	var s simplifier
	errSq := o.MaxError * o.MaxError
	for l := range t.loops {
		lo, hi := t.loops[l].lo, t.loops[l].hi
		raw, sides := t.raw[lo:hi], t.sides[lo:hi]
		keep := s.reset(raw, t.seed[lo:hi])
		for from := 0; from < len(raw); {
			if !s.seeded[from] {
				from++
				continue
			}
			n := s.chainLen(from, len(raw))
			if raw[from].Region == 0 {
				s.chain(raw, from, n, errSq, 0)
				for k := 1; k <= n; k++ {
					if at := (from + k) % len(raw); keep[at] {
						marks[sides[at]>>2] |= 1 << (sides[at] & 3)
					}
				}
			}
			from += n
		}
	}
	return marks, nil
}
