package region

import (
	"context"

	"wend/internal/heightfield"
)

// run is a row of linked cells of one area, the unit of the sweep.
type run struct {
	above   ID   // the only region the cells of the run touch in the row before
	touches int  // how many of its cells do
	split   bool // it touches several
	id      ID
}

// Monotone partitions the field by a sweep along z: a run of cells continues
// the region of the row before when the two touch each other and nothing else.
// It runs in O(n) for n cells and is safe for concurrent use. The field is only
// read. It fails when ctx ends or when c is malformed.
func Monotone(ctx context.Context, c *heightfield.Compact, o Options) (*Result, error) {
	if err := validate(c, o); err != nil {
		return nil, err
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)

	reg := make([]ID, c.Len())
	paintFrame(c, o.Border, reg)
	last := ID(0)
	var runs []run
	var touched []int // per region: cells of the present row below it
	for z := o.Border; z < c.D-o.Border; z++ {
		if z%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		touched = sized(touched, int(last)+1)
		clear(touched)
		runs = append(runs[:0], run{})
		lo, hi := c.Start[z*c.W], c.Start[(z+1)*c.W]
		for i := lo; i < hi; i++ {
			a := c.Area[i]
			if a == heightfield.Unwalkable || reg[i]&Border != 0 {
				continue
			}
			// While the row is swept its cells hold the number of their run.
			r := ID(0)
			if k := c.Nei[i][0]; k >= 0 && c.Area[k] == a && reg[k]&Border == 0 {
				r = reg[k]
			}
			if r == 0 {
				r = ID(len(runs))
				runs = append(runs, run{})
			}
			reg[i] = r
			if k := c.Nei[i][3]; k >= 0 && c.Area[k] == a && reg[k] != 0 && reg[k]&Border == 0 {
				up, cur := reg[k], &runs[r]
				if cur.above == 0 || cur.above == up {
					cur.above = up
					cur.touches++
					touched[up]++
				} else {
					cur.split = true
				}
			}
		}
		for k := 1; k < len(runs); k++ {
			cur := &runs[k]
			if cur.above != 0 && !cur.split && touched[cur.above] == cur.touches {
				cur.id = cur.above
			} else {
				last++
				cur.id = last
			}
		}
		for i := lo; i < hi; i++ {
			if r := reg[i]; r != 0 && r&Border == 0 {
				reg[i] = runs[r].id
			}
		}
	}
	return s.mergeAndFilter(ctx, c, reg, last, o)
}
