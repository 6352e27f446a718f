// Package spangrid holds the operators on a layered voxel grid: from triangles
// to spans, from spans to regions, masks, clearance, forbidden steps and
// components, and the questions a search asks of them.
//
// A cell is a square of [Side] px of a zone's plane. A span is one surface in
// one cell: a height in metres. A column is all spans of a cell, ascending. A
// region is a set of spans joined by neighbouring cells and small height
// differences; it may lie over itself where it winds, and other regions lie
// above and below it.
//
// Everything here is a pure function on plain arrays. Cells of a [Window] are
// numbered row by row, and a mask or field has one value per cell. No operator
// reads outside its window; what a window must be larger than a result so that
// the cut does not show is said with each operator.
//
// Heights are float32. The bake rounds them to 1/64 m first (see [Quantize]),
// so that differences are exact and every comparison has the same answer on
// every machine.
package spangrid
