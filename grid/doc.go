// Package grid searches two-dimensional grids, as real-time strategy games use
// them: large maps of cells that change while hundreds of units ask for routes.
//
// A Map holds what is passable, one bit a cell, and optionally what a cell
// costs. An Overlay is one side's view of a map that several sides share. Both
// are a Ground. A Query searches a ground; it owns the memory of its searches,
// so there is one for each goroutine, while the grounds are shared. Start with
// New or packages movingai and pngmap, which read files, then
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
// one is (Diagonal). All searches share these rules; one that does not serve
// some of them refuses with an UnsupportedError, and Algorithm.Serves tells in
// advance. A step costs its length times the cost of the cell it enters.
//
// # Which search
//
//   - AStar serves everything. JPS finds routes of the same cost on squares
//     without costs and is 5 to 25 times as fast on open ground; JPSPlus is
//     faster still with a JumpTable, which edits make it follow.
//   - Anya finds the shortest way at any angle for a point; Theta and LazyTheta
//     come near it under more rules, and are slower.
//   - A Hierarchy finds ways across maps of millions of cells from gate to gate
//     of clusters, with a stated bound of what they cost beyond the shortest. It
//     is a copy of the ground: searches may go on during edits.
//   - Trace follows walls without looking at the map as a whole.
//   - A Selector chooses among these for each order, within a budget of nodes a
//     frame.
//
// A search can have limits (MaxNodes, MaxCost), answer with the way to the
// nearest place (Partial), run in slices (Begin, Step) while units walk its
// SafePrefix, and be watched (Record).
//
// # Many units
//
//   - A Flow leads any number of units to one or several goals.
//   - A RouteCache shares routes among units that go from one neighbourhood to
//     another, and knows by its islands where there is no way.
//   - A Batch runs many searches on all cores.
//   - Formation gives each unit of a group a place of its own; a Trail tells a
//     unit how far it is off its path, and whether that was edited.
//   - Islands tell which cells can reach each other at all.
//
// # Large units
//
// A Body, a disc or a square of whole cells, is searched on the cells where it
// has room, by any search for steps; Pull makes straight lines of its path, and
// Squeeze finds the way with the least squeezing where there is none with room.
// Clearance is the distance to the nearest wall.
//
// # Equal answers
//
// Every algorithm that finds the shortest way by steps finds the same cost to
// the last bit, see cost.go. The same search gives the same path at any time,
// on any machine, in any number of slices, and whatever the Query did before.
//
// # Edits
//
// Maps and overlays are edited in place and count versions. A search sees the
// ground as it is when it begins; if it is stepped on (Begin, Step) after an
// edit, it ends as Stale. What was computed in advance says whether it is out of
// date. A JumpTable and Islands are brought up to date in place, and Update of a
// Hierarchy makes the next one, for less than it takes to make them anew; a Flow
// and a Body are made again. A RouteCache and a Selector forget by themselves.
// Nobody may edit a ground, or the map under it, while another goroutine
// searches it: hold a sync.RWMutex over searches (read) and edits (write), or
// edit between the ticks.
//
// # Bad input
//
// Nothing here panics on a cell outside the map, on numbers out of range or on
// no ground, be it a nil interface, a nil *Map in one, or an Overlay over no map:
// edits and options are refused with the errors below, ends that are outside or
// blocked are a Status. A nil context counts as Background. What needs a
// constructor and was made without it answers ErrOptions, a JumpTable ErrTable, and
// Stale is true of it. Methods without an error cannot say so: those of a nil
// pointer panic, as they do anywhere in Go.
package grid
