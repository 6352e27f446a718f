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

// A stair may wind round a single corner: then the ground as a whole goes round
// it more than once, though no region does.
func TestStairRoundOneCorner(t *testing.T) {
	for _, turns := range []int{1, 2, 5} {
		cols := make([][]fieldtest.Cell, 4)
		for step := range 4*turns + 2 {
			col := [4]int{0, 1, 3, 2}[step%4]
			cols[col] = append(cols[col], fieldtest.Cell{Y: 4 * step, Area: heightfield.Ground})
		}
		c := fieldtest.New(2, 2, 8, 4, cols)
		for name, split := range map[string]func(context.Context, *heightfield.Compact, region.Options) (*region.Result, error){
			"watershed": region.Watershed, "monotone": region.Monotone,
		} {
			r, err := split(t.Context(), c, region.Options{})
			if err != nil {
				t.Fatal(err)
			}
			s, err := Build(t.Context(), c, r, Options{})
			if err != nil {
				t.Fatalf("%d turns, %s: %v", turns, name, err)
			}
			var area int64
			for _, ct := range s.Contours {
				area += ringArea2(ct.Verts)
			}
			if want := int64(2 * c.Len()); area != want || len(s.Skipped) > 0 {
				t.Errorf("%d turns, %s: contours of area2 %d, want %d; skipped %v", turns, name, area, want, s.Skipped)
			}
		}
	}
}
