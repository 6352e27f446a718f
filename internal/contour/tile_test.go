package contour

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"wend/internal/heightfield"
	"wend/internal/region"
	"wend/internal/wendtest/fieldtest"
)

// window returns the columns x0 to x1 of c as a field of their own.
func window(c *heightfield.Compact, x0, x1 int) *heightfield.Compact {
	cols := make([][]fieldtest.Cell, (x1-x0)*c.D)
	for z := range c.D {
		for x := x0; x < x1; x++ {
			for i := c.Start[x+z*c.W]; i < c.Start[x+z*c.W+1]; i++ {
				k := x - x0 + z*(x1-x0)
				cols[k] = append(cols[k], fieldtest.Cell{Y: int(c.Y[i]), Area: c.Area[i]})
			}
		}
	}
	return fieldtest.New(x1-x0, c.D, c.Headroom, c.Climb, cols)
}

// portal is a stretch of a seam that can be crossed.
type portal struct{ z0, y0, z1, y1 int32 }

// portals returns the stretches of the set's edges along X = x with frame side
// id across, those that meet joined, in the direction of +z. Where not all
// corners may go, that only joins those that meet at a border vertex.
func portals(s *Set, x int32, id region.ID, all bool) []portal {
	var ps []portal
	removable := map[[2]int32]bool{}
	for _, ct := range s.Contours {
		for i, v := range ct.Verts {
			w := ct.Verts[(i+1)%len(ct.Verts)]
			if v.X != x || w.X != x || v.Region != id {
				continue
			}
			p := portal{v.Z, v.Y, w.Z, w.Y}
			if v.Z > w.Z {
				p = portal{w.Z, w.Y, v.Z, v.Y}
			}
			ps = append(ps, p)
			removable[[2]int32{v.Z, v.Y}] = removable[[2]int32{v.Z, v.Y}] || v.BorderVertex
			removable[[2]int32{w.Z, w.Y}] = removable[[2]int32{w.Z, w.Y}] || w.BorderVertex
		}
	}
	order := func(a, b portal) int {
		return slices.Compare([]int32{a.y0, a.z0, a.z1, a.y1}, []int32{b.y0, b.z0, b.z1, b.y1})
	}
	for joined := true; joined; {
		joined = false
		for i := range ps {
			for j := range ps {
				at := [2]int32{ps[i].z1, ps[i].y1}
				if i != j && (all || removable[at]) && at == [2]int32{ps[j].z0, ps[j].y0} && !joined {
					ps[i].z1, ps[i].y1 = ps[j].z1, ps[j].y1
					ps = slices.Delete(ps, j, j+1)
					joined = true
					break
				}
			}
			if joined {
				break
			}
		}
	}
	slices.SortFunc(ps, order)
	return ps
}

// Two tiles baked apart have the same portals on their common side, in place
// and height.
func TestSeam(t *testing.T) {
	crossed := 0
	rapid.Check(t, func(t *rapid.T) {
		c := fieldtest.Random(t, 20)
		const border = 3
		if c.W <= 2*border || c.D <= 2*border {
			t.Skip("too small for a frame")
		}
		seam := rapid.IntRange(border, c.W-border).Draw(t, "seam")
		opt := region.Options{
			Border:    border,
			MinArea:   rapid.SampledFrom([]int{0, 20}).Draw(t, "min"),
			MergeArea: rapid.SampledFrom([]int{0, 40}).Draw(t, "merge"),
		}
		build := func(x0, x1 int) *Set {
			w := window(c, x0, x1)
			r, err := region.Watershed(context.Background(), w, opt)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Build(context.Background(), w, r, Options{MaxError: 1.3, Border: border})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		left, right := build(0, seam+border), build(seam-border, c.W)
		// Where several areas meet at the seam, only one of the tiles may have a
		// corner.
		areas := map[uint8]bool{}
		for _, a := range c.Area {
			areas[a] = a != heightfield.Unwalkable
		}
		delete(areas, heightfield.Unwalkable)
		a := portals(left, int32(left.W), region.Border|2, len(areas) > 1)
		b := portals(right, 0, region.Border|1, len(areas) > 1)
		if left.W == 0 || right.W == 0 {
			return
		}
		if !slices.Equal(a, b) {
			t.Fatalf("portals differ:\n%v\n%v", a, b)
		}
		crossed += len(a)
	})
	if crossed == 0 {
		t.Error("no portal at all")
	}
}
