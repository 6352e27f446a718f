// Package contour walks around regions and simplifies their outlines.
package contour

import (
	"wend/internal/heightfield"
	"wend/internal/region"
)

// Vertex is a corner of an outline on the lattice of the field: X and Z are
// cell corners, Y voxels.
type Vertex struct {
	X, Y, Z int32
	// Region is the region across the edge that starts here; 0 for a wall,
	// with region.Border set for the frame of a tile.
	Region region.ID
	// AreaBorder marks an edge between two areas, BorderVertex a corner that
	// exists only because two tiles meet and that may be removed.
	AreaBorder, BorderVertex bool
}

// Contour is the closed outline of one region, counter-clockwise seen from
// above, holes already joined to it.
type Contour struct {
	Verts  []Vertex // simplified
	Raw    []Vertex // every cell corner; kept for pictures and checks
	Region region.ID
	Area   uint8 // area code, see heightfield
}

// Set is the contours of a field.
type Set struct {
	heightfield.Grid // without the border
	Contours         []Contour
	MaxError         float64 // cells
	BorderSize       int     // width of the frame that was cut off, cells; 0 without tiles
	Skipped          []Skip
}

// Skip names a region, or a part of it, that gives no usable polygon.
type Skip struct {
	Region  region.ID
	X, Y, Z int32 // a corner of it, on the lattice of the set
	Reason  string
}

// Options control the simplification.
type Options struct {
	MaxError   float64 // how far the simplified outline may leave the raw one, cells
	MaxEdgeLen int     // longest edge along a wall, cells; 0: no limit
	Border     int     // width of the frame of a tile, cells
}
