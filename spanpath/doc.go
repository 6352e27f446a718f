// Package spanpath finds ways over a layered voxel grid.
//
// The ground of one region of a zone comes in square pages of [PageSide] cells,
// made when a search first looks at them and shared by all queries: a [Page] is
// immutable. A [Ground] is what one query sees of them: a window of cells, which
// surfaces it may stand on, and marks of its own on cells. All other parts of
// the package work on a Ground: searches over spans and over cells, sight along
// a chord, corridors, and what turns a path of cells into a polyline.
//
// # Why nothing depends on the window
//
// Cells and spans have the same data in every window, since pages know nothing
// of windows. Searches order equal keys by row, column and height. So as long as
// a search does not come near the edge of its window, a larger one gives the
// same result to the bit; package spanroute proves that it did not.
//
// # Units
//
// Coordinates are px of the zone's plane, heights and climbs metres, costs
// cells. A cell is a square of [spangrid.Side] px.
package spanpath
