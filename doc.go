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
// Coordinates are metres, right-handed, Y up.
package wend
