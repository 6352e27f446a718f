// Package wend plans ways through levels: it bakes a navmesh from geometry and
// answers where one can stand, what way leads from here to there, and why none
// does.
//
// Three lines make a first route:
//
//	world, err := wend.Open(os.DirFS("levels"), "town.obj", nil)
//	q := world.NewQuery()
//	r, err := q.Plan(ctx, wend.V3(0, 0, 0), wend.V3(40, 0, -20), wend.Agent{}, nil)
//
// Open reads a baked navmesh (a Detour tile set) or a level file, which it
// bakes first. A World is immutable and shared by all goroutines; a Query is
// for one goroutine and is reused. A Route carries a Status that the caller
// looks at: Complete, Partial, Unreachable and so on. An error means that the
// request made no sense, that the context ended, or that data are broken; "no
// way" is an answer.
//
// # Packs
//
// A level may be baked further, into a span grid, which "wend bake -o" saves as
// packs: each place one can stand on, cell by cell, with its clearance and the
// headroom over it. Routes over packs come from OpenPacks:
//
//	packs, err := wend.OpenPacks(os.DirFS("packs"), "town.nav.gz", nil)
//	q := packs.NewQuery()
//	r, err := q.Plan(ctx, wend.V3(0, 0, 0), wend.V3(40, 0, -20), wend.Agent{}, nil)
//
// The same Route comes back. A navmesh is smaller and faster, and its shortest
// ways brush against corners. Packs serve any body that is at least as wide as
// the one they were baked for, keep routes in the open where that costs little,
// let them fall where a fall leads on, take obstacles of a single request, and
// say at each point how much room there is.
//
// Coordinates are metres, right-handed, Y up.
package wend
