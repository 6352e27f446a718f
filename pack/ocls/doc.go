// Package ocls reads and writes the collider pack: per zone, meshes that stand
// in many places and blocks of terrain. It holds the plain data; package
// occluder searches them.
//
// [Scene] is what a file holds, number by number: integers on the lattices of
// the format, so that reading and writing lose nothing. Methods such as
// [Scene.Place], [Template.Vertex] and [Scene.BlockPoint] give the metres.
// [Quantize] goes the other way: meshes, placements and heights in metres to a
// Scene, with the error it cost.
//
// # Files
//
// [Read] takes all scenes of a file, [ReadZone] only that of one zone and
// skips the bytes of the others; both take decompressed bytes. [Append] writes
// a file. What was written by Append is read and written again with the same
// bytes; files of other writers may have used freedoms of the format (numbers
// in more bytes than needed) that are not kept.
//
// # Triangles
//
// The corners of a mesh triangle are stored clockwise seen from outside, in a
// right-handed world with Y up: the outside of a floor is above. [Quantize]
// takes them counter-clockwise, like the rest of this module, and turns them.
//
// # Bounds
//
// Every count is compared with the bytes that must carry it before memory is
// taken: a scene takes at most 16 times the bytes of its record in the file.
// Sums of positions stay within ±2^53 steps, where float64 holds every
// integer.
package ocls
