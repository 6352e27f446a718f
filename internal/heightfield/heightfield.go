// Package heightfield turns triangles into voxel columns and into the compact
// field of walkable cells that all later bake stages work on.
//
// Two forms: Solid holds the matter (spans from bottom to top), Compact the
// open space above each walkable span with links to its four neighbours. The
// order of work is
//
//	Rasterize -> FilterLowHanging, FilterLedges, FilterLowHeight
//	          -> Compact -> Erode -> MarkPrism
//
// Geometry is float64 until a triangle has become spans; from there on
// everything is integer. The result does not depend on the order of the
// triangles or on the number of workers.
//
// The stages follow the voxel pipeline of Recast (Mikko Mononen) in what they
// compute. Where this package differs, the method says so and why: merged
// areas do not depend on the order of the triangles, links are mutual, and
// erosion is Euclidean.
//
// # How heights round
//
// A flat surface at height h, counted in voxels from the base of the grid,
// becomes the span from floor(h) to floor(h)+1, also when h is a whole number.
// Floors therefore come out up to one voxel too high, but all by the same
// rule: two flat floors a whole number of voxels apart stay exactly that far
// apart, wherever the lattice lies. A step of exactly n voxels passes a climb
// of n, and moving the level up by half a voxel changes no answer.
//
// A flat ceiling at height c becomes floor(c) to floor(c)+1 as well, so
// between a floor and a ceiling n voxels apart n-1 voxels are open: the floor
// sheet itself fills one. HeadroomVoxels allows for that.
//
// Surfaces that are not flat fill floor(lowest) to ceil(highest) of each cell.
package heightfield

import "wend/geom"

// Grid is the lattice of a field: W x D cells of side Cell in the ground
// plane, heights in steps of CellHeight, both metres. Cell (x, z) covers
// [Origin.X + x*Cell, Origin.X + (x+1)*Cell) and likewise in Z; voxel height y
// is the world height Origin.Y + y*CellHeight.
type Grid struct {
	W, D             int
	Origin           geom.Vec3
	Cell, CellHeight float64
}

// FloorAbove returns how far above Origin.Y a floor recorded at height y, in
// voxels, is taken to lie, in metres. A span records the top of the voxel that
// the floor lies in, so the floor is up to a voxel lower: the middle is at most
// half a voxel wrong. (Recast stores the top, and samples a voxel higher yet.)
func (g *Grid) FloorAbove(y float64) float64 { return float64((y - 0.5) * g.CellHeight) }

// MaxHeight is the number of voxels a column may be high.
const MaxHeight = 0xffff

// Area codes. A walkable span stores its scene.AreaID plus one.
const (
	Unwalkable uint8 = 0 // no code below means walkable
	Ground     uint8 = 1 // ordinary ground, area id 0
)

// Solid holds the merged spans of every column, bottom to top. The spans of
// column x + z*W are Spans[Start[x+z*W]:Start[x+z*W+1]]; they neither overlap
// nor touch: each Min is above the Max before it.
type Solid struct {
	Grid
	Start []uint32 // len W*D + 1
	Spans []Span
}

// Span is solid matter from Min to Max, in voxels, Min < Max.
type Span struct {
	Min, Max uint16
	Area     uint8 // area code of its top
}

// The directions of Compact.Nei: step in x and z. Opposite directions differ
// by two.
var (
	DirX = [4]int{-1, 0, 1, 0}
	DirZ = [4]int{0, 1, 0, -1}
)

// Compact holds one entry for each walkable span, in column order, bottom to
// top within a column. The entries of column x + z*W are the indices
// Start[x+z*W] to Start[x+z*W+1].
type Compact struct {
	Grid
	Headroom int // voxels a body needs above the floor
	Climb    int // voxels a body can step up or down

	Start []uint32   // len W*D + 1
	Y     []uint16   // floor height, voxels
	Open  []uint16   // open height above the floor, voxels; MaxHeight when unbounded
	Area  []uint8    // area code; Unwalkable after erosion or marking
	Nei   [][4]int32 // entry reached in each direction; -1 where there is none
}

// Len returns the number of entries.
func (c *Compact) Len() int { return len(c.Y) }
