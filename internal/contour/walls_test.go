package contour

import (
	"context"
	"testing"

	"wend/internal/heightfield"
	"wend/internal/region"
	"wend/internal/wendtest/fieldtest"

	"pgregory.net/rapid"
)

// However the floor is split, the walls keep the same corners; a split can
// only add some.
func TestWallsDoNotDependOnTheSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := fieldtest.Random(t, 16)
		o := Options{MaxError: rapid.Float64Range(0, 3).Draw(t, "error")}
		marks := func(split func(context.Context, *heightfield.Compact, region.Options) (*region.Result, error)) []uint8 {
			r, err := split(t.Context(), c, region.Options{})
			if err != nil {
				t.Fatal(err)
			}
			m, err := markWalls(t.Context(), c, r, o)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		a, b := marks(region.Watershed), marks(region.Monotone)
		for i := range a {
			if a[i] != b[i] {
				t.Fatalf("cell %d keeps corners %04b with one split, %04b with another", i, a[i], b[i])
			}
		}
	})
}
