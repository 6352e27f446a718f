// Package sample builds levels from code: a small town to try things on, and
// generators that tests and benchmarks share. Nothing is random; every call
// returns the same triangles.
//
// Town fits a body of radius 0.6 m and height 2 m that climbs 0.9 m, baked
// with cells of 0.3 m. Places and Trips name what is to be seen there, Areas
// its kinds of ground. WriteOBJ writes any scene as a file to play with.
package sample
