// Package region splits a compact heightfield into regions: connected sets of
// cells without overlap seen from above, the pieces that contours go round.
//
// Watershed gives few chunky regions, Monotone is faster and gives long thin
// ones. Both finish the same way: islands that are too small are removed,
// small regions join a neighbour where the union is still one piece without a
// hole. The watershed on a distance field follows Haumont, Debunne and Sillion,
// "Volumetric Cell-and-Portal Generation" (2003), in the form and with the
// constants that Mikko Mononen gave it in Recast.
package region

import (
	"fmt"
	"sync"

	"wend/internal/heightfield"
)

// ID is a region number, 1-based and dense; 0 is no region. Regions that only
// fill a tile's border carry Border.
type ID uint32

// Border marks a cell in the frame of a tile that another tile owns.
const Border ID = 1 << 31

// Options control the partition. Areas are in cells.
type Options struct {
	Border    int // width of the frame that belongs to neighbour tiles, cells
	MinArea   int // smaller islands are removed
	MergeArea int // smaller regions are merged into a neighbour where possible
}

// Result is a partition of a compact field.
//
// Every region is connected through links, has one area code and at most one
// cell in a column. Numbers follow the order of the first cell. Walkable cells
// of the frame have Border plus 1 (low x), 2 (high x), 3 (low z) or 4 (high z),
// corners belonging to the z sides; cells of removed islands have 0.
type Result struct {
	Region []ID // per entry of the field
	Max    ID   // the largest number in use, Border aside
}

// checkEvery is the number of rows or levels between two looks at the context.
const checkEvery = 64

// validate reports what makes the input useless.
func validate(c *heightfield.Compact, o Options) error {
	if o.Border < 0 {
		return fmt.Errorf("region: border of %d cells, want 0 or more", o.Border)
	}
	n := len(c.Y)
	if c.W < 0 || c.D < 0 || len(c.Start) != c.W*c.D+1 || int(c.Start[c.W*c.D]) != n {
		return fmt.Errorf("region: column table of %d entries does not fit %d x %d columns with %d cells", len(c.Start), c.W, c.D, n)
	}
	if len(c.Area) != n || len(c.Nei) != n {
		return fmt.Errorf("region: %d area codes and %d link sets for %d cells", len(c.Area), len(c.Nei), n)
	}
	return nil
}

// scratch is the working memory of a partition; its contents mean nothing
// between two runs.
type scratch struct {
	dist, blur []uint16 // distance to the nearest boundary, two per cell
	grown      []uint16 // how far a cell lies from the flood it was grown from
	bucket     []int32  // cells by falling level
	bucketEnd  []int32
	open       []int32 // cells waiting at the present level
	wave       []claim
	flood      []int32
	edge       []uint8 // bit d: the neighbour in direction d is of another region
	cyc        []ID    // neighbour sequences of all loops
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// sized returns s with length n, contents undefined.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

// paintFrame numbers the walkable cells of the tile's frame.
func paintFrame(c *heightfield.Compact, border int, reg []ID) {
	if border == 0 {
		return
	}
	bx, bz := min(border, c.W), min(border, c.D)
	paint := func(x0, x1, z0, z1 int, id ID) {
		for z := z0; z < z1; z++ {
			for i := c.Start[x0+z*c.W]; i < c.Start[x1+z*c.W]; i++ {
				if c.Area[i] != heightfield.Unwalkable {
					reg[i] = id
				}
			}
		}
	}
	paint(0, bx, 0, c.D, Border|1)
	paint(c.W-bx, c.W, 0, c.D, Border|2)
	paint(0, c.W, 0, bz, Border|3)
	paint(0, c.W, c.D-bz, c.D, Border|4)
}
