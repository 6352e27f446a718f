// Package navmesh holds a polygon navmesh and answers questions about it:
// what surface is here, is the straight way free, which way leads there.
//
// A Mesh is a set of convex polygons, counter-clockwise seen from above, in
// one or more tiles, flattened into arrays. It is immutable: any number of
// goroutines may read it. A Query owns the scratch memory of one goroutine.
// Building the polygons is package bake's work; reading and writing files is
// package navmesh/detour's.
//
// Start with New, Mesh.NewQuery, Query.Nearest and Query.Path.
package navmesh
