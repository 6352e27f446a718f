package fieldtest

import (
	"pgregory.net/rapid"

	"wend/internal/heightfield"
)

// Headroom and Climb of the fields that Random draws. Four climbs are less
// than the headroom, so no stair can wind round a single corner.
const (
	Headroom = 10
	Climb    = 2
)

// Random draws a field of up to maxSide x maxSide columns and three storeys:
// floors with holes, steps, several areas and unwalkable patches, joined by
// ramps here and there.
func Random(t *rapid.T, maxSide int) *heightfield.Compact {
	w := rapid.IntRange(1, maxSide).Draw(t, "w")
	d := rapid.IntRange(1, maxSide).Draw(t, "d")
	storeys := rapid.IntRange(1, 3).Draw(t, "storeys")
	type spot struct {
		y    int
		area int // -1: nothing
	}
	floors := make([][]spot, storeys)
	for s := range floors {
		f := make([]spot, w*d)
		floors[s] = f
		base := -1
		if s == 0 || rapid.Bool().Draw(t, "full") {
			base = int(heightfield.Ground)
		}
		for i := range f {
			f[i].area = base
		}
		for range rapid.IntRange(0, 8).Draw(t, "patches") {
			x0, z0 := rapid.IntRange(0, w-1).Draw(t, "x"), rapid.IntRange(0, d-1).Draw(t, "z")
			x1 := min(w, x0+rapid.IntRange(1, max(1, w/2)).Draw(t, "dx"))
			z1 := min(d, z0+rapid.IntRange(1, max(1, d/2)).Draw(t, "dz"))
			area := rapid.SampledFrom([]int{-1, -1, 0, 1, 1, 2, 3}).Draw(t, "area")
			lift := rapid.IntRange(-1, 5).Draw(t, "lift")
			slope := rapid.IntRange(0, 2).Draw(t, "slope")
			for z := z0; z < z1; z++ {
				for x := x0; x < x1; x++ {
					f[x+z*w] = spot{y: lift + slope*(x-x0), area: area}
				}
			}
		}
		for range rapid.IntRange(0, w*d/6).Draw(t, "specks") {
			i := rapid.IntRange(0, w*d-1).Draw(t, "at")
			f[i].area = rapid.SampledFrom([]int{-1, 0, 1, 2}).Draw(t, "speck")
		}
	}
	cols := make([][]Cell, w*d)
	for i := range cols {
		for s := range floors {
			sp := floors[s][i]
			if sp.area < 0 {
				continue
			}
			y := s*(Headroom+4) + sp.y + 1
			if n := len(cols[i]); n > 0 && y < cols[i][n-1].Y+Headroom+1 {
				continue
			}
			cols[i] = append(cols[i], Cell{Y: y, Area: uint8(sp.area)})
		}
	}
	return New(w, d, Headroom, Climb, cols)
}
