// Package spanroute plans routes over the span grid of packs.
//
// An [Engine] holds the packs of a level: the main pack with meshes and the
// grid, its fields, and optionally colliders and a table of no-go zones. It may
// be asked from any number of goroutines.
//
// # What is kept
//
// A zone is made ready when it is first planned in: its mesh is cleaned, its
// graphs of components and its table of walls are decoded. A few zones are kept,
// and one in use is never dropped. Ground is decoded where a search looks at it:
// the grid's tiles first, and of them the pages of one region, which package
// spanpath searches. Both are kept up to a limit of memory, the longest unused
// are dropped first, and all queries share them. Nothing that is kept ever
// shows in a result: a query says the same on a cold engine and on a warm one.
//
// # Data that cannot be used
//
// A tile or table that cannot be read ends a query with a *[DataError]: nothing
// was learnt about the route, which is another thing than that there is none.
package spanroute
