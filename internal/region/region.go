// Package region splits a compact heightfield into regions: connected sets of
// cells without overlap seen from above, the pieces that contours go round.
package region

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
type Result struct {
	Region []ID // per entry of the field
	Max    ID   // the largest number in use, Border aside
}
