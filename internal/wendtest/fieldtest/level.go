package fieldtest

import (
	"context"
	"math"
	"os"
	"testing"

	"wend/geom"
	"wend/internal/heightfield"
	"wend/internal/wendtest"
	"wend/scene"
	"wend/scene/obj"
)

// Level returns the field of an OBJ level of the shared test data, made for a
// body of radius 0.6 m, height 2 m, climb 0.9 m and slope 45 degrees with cells
// of 0.3 x 0.2 m. Coordinates are multiplied by scale first. It skips the test
// when the data are not there.
func Level(tb testing.TB, name string, scale float64) *heightfield.Compact {
	tb.Helper()
	f, err := os.Open(wendtest.Data(tb, "levels", name))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	sc, _, err := obj.Read(f, name, &scene.Options{Scale: scale})
	if err != nil {
		tb.Fatal(err)
	}
	const cell, cellHeight = 0.3, 0.2
	box := geom.EmptyBox()
	tris := make([]heightfield.Tri, len(sc.Tris))
	for i, t := range sc.Tris {
		a, b, c := sc.Verts[t.V[0]], sc.Verts[t.V[1]], sc.Verts[t.V[2]]
		box = box.Extend(a).Extend(b).Extend(c)
		tris[i] = heightfield.Tri{A: t.V[0], B: t.V[1], C: t.V[2]}
		if n := b.Sub(a).Cross(c.Sub(a)); n.Y > 0 && n.Y >= n.Len()*math.Sqrt(0.5) {
			tris[i].Area = heightfield.Ground
		}
	}
	g := heightfield.Grid{Origin: box.Min, Cell: cell, CellHeight: cellHeight}
	g.W, g.D = int(math.Ceil(box.Size().X/cell)), int(math.Ceil(box.Size().Z/cell))
	height, climb := heightfield.HeadroomVoxels(2, cellHeight), heightfield.ClimbVoxels(0.9, cellHeight)
	solid, err := heightfield.Rasterize(context.Background(), g, sc.Verts, tris, climb, 1)
	if err != nil {
		tb.Fatal(err)
	}
	solid.FilterLowHanging(climb)
	solid.FilterLedges(height, climb)
	solid.FilterLowHeight(height)
	c := solid.Compact(height, climb)
	c.Erode(0.6 / cell)
	return c
}
