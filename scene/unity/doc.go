// Package unity reads an engine's navigation triangulation as JSON: what
// Unity's NavMesh.CalculateTriangulation returns, written out.
//
//	{"vertices": [{"x":0,"y":0,"z":0}, ...], "indices": [0,1,2, ...], "areas": [0, ...]}
//
// Vertices may also be arrays [x, y, z], or one flat list of numbers. areas
// holds one id per triangle and may be missing; Unity's id 1 means "not
// walkable" and becomes Tri.Unwalkable, all others are kept as they are.
// Members of other names are passed over.
//
// Unity's world is left-handed, Y up. By default the coordinates stay as they
// are in the file, because a game asks with its own coordinates: what is at
// (3, 0, 5) in the engine is at (3, 0, 5) here. Left and right are then those
// of a mirror image, which no query notices. Options.Handedness can mirror the
// level into the right-handed world instead.
//
// All triangles are ground, so those that face down are turned round.
package unity
