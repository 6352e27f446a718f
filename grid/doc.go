// Package grid searches two-dimensional grids, as real-time strategy games use
// them: large maps of cells that change while hundreds of units ask for routes.
//
// A Map holds what is passable, one bit a cell, and optionally what a cell
// costs. An Overlay is one side's view of a map that several sides share. Both
// are a Ground. A Query searches a ground; it owns the memory of its searches,
// so there is one for each goroutine, while the grounds are shared. Start with
// New or package movingai, then
//
//	q := grid.NewQuery()
//	r, err := q.Find(ctx, m, from, to, &grid.Options{Algorithm: grid.JPS})
//
// and look at r.Status: an error is about the call, the status about the way.
//
// # Moves
//
// Moves says which cells touch (squares with eight or four neighbours,
// hexagons), what must be free beside a diagonal step (Corners) and how long
// one is (Diagonal). All algorithms share these rules; one that does not serve
// some of them refuses with an UnsupportedError, and Algorithm.Serves tells in
// advance. A step costs its length times the cost of the cell it enters.
//
// # Equal answers
//
// Every algorithm that finds the shortest way by steps finds the same cost to
// the last bit, see cost.go. The same search gives the same path at any time,
// on any machine, in any number of slices, and whatever the Query did before.
//
// # Very large maps
//
// A Hierarchy finds ways across maps of millions of cells from gate to gate of
// clusters, with a stated bound of what they cost beyond the shortest. It is
// a copy of the ground that never changes: searches may go on during edits, and
// Update makes the next one.
//
// # Edits
//
// Maps and overlays are edited in place and count versions. A search sees the
// ground as it is when it begins; if it is stepped on (Begin, Step) after an
// edit, it ends as Stale. Nobody may edit a ground, or the map under it, while
// another goroutine searches it: hold a sync.RWMutex over searches (read) and
// edits (write), or edit between the ticks.
package grid
