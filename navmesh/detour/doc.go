// Package detour reads and writes navmeshes as RecastDemo's tile-set files:
// the format of its Save and Load buttons, which most ports of Detour take as
// well.
//
// A file is a set header ("MSET", version 1), then for each tile its reference,
// its size and its data: a header ("DNAV", version 7) and the arrays that Detour
// maps into memory. All numbers are little-endian.
//
// Read and Write keep everything that decides how a mesh behaves. What Detour
// computes anew when it loads a file (the links between polygons and the tile
// references) is left out on reading and written as RecastDemo would for a fresh
// mesh: Write after Read gives the same bytes but for the link section and the
// index of each polygon's first link, which are 0.
//
// The cost of an off-mesh connection has no place in the format. It is kept in
// the third and fourth neighbour of the connection's polygon, which Detour never
// reads.
package detour
