package heightfield

import (
	"fmt"
	"math"

	"wend/geom"
)

// MaxCells is the largest number of cells, W times D, of a grid. A grid of
// that size takes half a gigabyte before the first span.
const MaxCells = 1 << 27

// maxSide is the largest number of cells along one side.
const maxSide = 1 << 24

// maxSpans keeps every index of a field within an int32.
const maxSpans = math.MaxInt32

// GridError reports a grid whose numbers make no sense.
type GridError struct {
	Field string  // "W", "D", "Cell", "CellHeight" or "Origin"
	Value float64 // what it holds; for Origin the first coordinate at fault
}

func (e *GridError) Error() string {
	want := "a positive number"
	switch e.Field {
	case "Origin":
		want = "finite"
	case "W", "D":
		want = "at least 1"
	}
	return fmt.Sprintf("heightfield: grid %s is %g, must be %s", e.Field, e.Value, want)
}

// GridSizeError reports a grid with more than MaxCells cells, or with more
// than 2^24 along one side.
type GridSizeError struct{ W, D int }

func (e *GridSizeError) Error() string {
	return fmt.Sprintf("heightfield: grid of %d x %d cells (%.3g in all) exceeds the limit of %d, or of %d along a side: cut it into tiles or raise the cell size",
		e.W, e.D, float64(e.W)*float64(e.D), MaxCells, maxSide)
}

// SpanCountError reports a field with too many spans to number.
type SpanCountError struct{ Spans int }

func (e *SpanCountError) Error() string {
	return fmt.Sprintf("heightfield: %d spans exceed the limit of %d: cut the grid into tiles or raise the cell size", e.Spans, maxSpans)
}

// TriError reports a triangle that cannot be rasterized.
type TriError struct {
	Tri    int       // index of the triangle
	Vert   uint32    // index of the vertex at fault
	Pos    geom.Vec3 // where that vertex is, when there is one
	Reason string    // "is not finite", "is out of range", "does not exist"
}

func (e *TriError) Error() string {
	if e.Reason == reasonMissing {
		return fmt.Sprintf("heightfield: triangle %d: vertex %d %s", e.Tri, e.Vert, e.Reason)
	}
	return fmt.Sprintf("heightfield: triangle %d: vertex %d at (%g, %g, %g) %s", e.Tri, e.Vert, e.Pos.X, e.Pos.Y, e.Pos.Z, e.Reason)
}

const (
	reasonMissing   = "does not exist"
	reasonNotFinite = "is not finite"
	reasonFar       = "is out of range: more than a billion cells from the grid's origin"
)

// HeightRangeError reports triangles that reach higher above the base of the
// grid than a column can count.
type HeightRangeError struct {
	Low, High  float64 // lowest and highest point of the triangles over the grid, metres
	Voxels     float64 // voxels needed above the base of the grid, a whole number
	CellHeight float64 // metres

	// Tri is the triangle that lies farthest from the average height of the
	// others: the stray one, if one is. TriY is its extreme height, metres.
	Tri  int
	TriY float64
}

func (e *HeightRangeError) Error() string {
	return fmt.Sprintf("heightfield: heights from %g to %g m need %.0f voxels of %g m, the limit is %d: "+
		"triangle %d at height %g m lies farthest from the rest, remove it if it is stray, or raise the cell height to %.3g m",
		e.Low, e.High, e.Voxels, e.CellHeight, MaxHeight, e.Tri, e.TriY, e.CellHeight*e.Voxels/(MaxHeight-1))
}

// check reports what makes g unusable.
func (g *Grid) check() error {
	for _, f := range []struct {
		name string
		n    int
	}{{"W", g.W}, {"D", g.D}} {
		if f.n < 1 {
			return &GridError{Field: f.name, Value: float64(f.n)}
		}
	}
	for _, f := range []struct {
		name string
		v    float64
	}{{"Cell", g.Cell}, {"CellHeight", g.CellHeight}} {
		// The reciprocal must be a number too.
		if !(f.v > 0) || math.IsInf(f.v, 0) || math.IsInf(1/f.v, 0) {
			return &GridError{Field: f.name, Value: f.v}
		}
	}
	for _, v := range []float64{g.Origin.X, g.Origin.Y, g.Origin.Z} {
		if v-v != 0 {
			return &GridError{Field: "Origin", Value: v}
		}
	}
	if g.W > maxSide || g.D > maxSide || g.W > MaxCells/g.D {
		return &GridSizeError{W: g.W, D: g.D}
	}
	return nil
}
