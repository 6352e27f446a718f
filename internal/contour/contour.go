// Package contour walks around regions and simplifies their outlines.
//
// An outline is cut into chains where what lies across it changes. A chain
// along a wall is simplified within an error, as Douglas and Peucker do (1973);
// one between two regions of the same area becomes a straight line. Both sides
// of a shared chain give the same corners, heights included, so that polygons
// can be joined by their corners alone. Holes are joined to their outline by
// bridges. The scheme and its constants follow Mikko Mononen's Recast.
//
// Simplifying may fold an outline or make it cross itself or its holes. Such a
// region is done again with a smaller error, together with the chains its
// neighbours share with it, until it is sound; see the ladder of tolerances.
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
//
// The outline does not cross itself, but it may touch itself: at corners, and
// along pairs of opposite edges, which are bridges to holes (Region is then the
// contour's own) or walls without thickness (Region 0).
type Contour struct {
	Verts    []Vertex   // simplified
	Raw      []Vertex   // every cell corner of the outer outline; for pictures and checks
	RawHoles [][]Vertex // likewise of each hole, clockwise
	Region   region.ID
	Area     uint8 // area code, see heightfield
}

// Set is the contours of a field.
type Set struct {
	heightfield.Grid // without the border
	Contours         []Contour
	MaxError         float64 // cells
	BorderSize       int     // width of the frame that was cut off, cells; 0 without tiles
	Headroom         int     // floors above each other are farther apart than this, voxels; 0: unknown
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
