// Package geom holds the vectors, boxes and predicates every other package
// computes with.
//
// World coordinates are right-handed, Y up, in metres; the ground plane is XZ.
// "Left", "right" and "counter-clockwise" always mean: seen from above, that
// is looking down the Y axis. Area2 fixes the sign.
//
// Arithmetic is float64. Every product that meets a sum is rounded by an
// explicit conversion, so results do not depend on whether a processor fuses
// multiply and add: the same input gives the same bits on amd64 (any level)
// and arm64.
//
// All functions are pure and safe for concurrent use.
package geom
