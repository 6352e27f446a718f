package spangrid

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// regionsOf labels spans by flood: cells that share a side, heights within the
// climb.
func regionsOf(s *Columns) []uint32 {
	of := make([]uint32, len(s.H))
	count := uint32(0)
	for i := range of {
		if of[i] != 0 {
			continue
		}
		count++
		of[i] = count
		for queue := []int{i}; len(queue) > 0; queue = queue[1:] {
			k := queue[0]
			x, y := int(s.Cell[k])%s.NX, int(s.Cell[k])/s.NX
			for _, d := range neighbours8[:4] {
				u, v := x+d[0], y+d[1]
				if u < 0 || v < 0 || u >= s.NX || v >= s.NY {
					continue
				}
				first, end := s.Range(v*s.NX + u)
				for j := first; j < end; j++ {
					if dh := s.H[j] - s.H[k]; of[j] == 0 && max(dh, -dh) <= 3 {
						of[j] = count
						queue = append(queue, j)
					}
				}
			}
		}
	}
	return of
}

// columnsOfRegion returns the spans of one region.
func columnsOfRegion(s *Columns, of []uint32, region uint32) *Columns {
	t := &Columns{}
	t.Reset(s.Window)
	for i, r := range of {
		if r == region {
			t.Append(s.Cell[i], s.H[i])
		}
	}
	t.Finish(reference().Climb)
	return t
}

func TestDropsBetweenRegions(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, rapid.IntRange(1, 12).Draw(t, "nx"), rapid.IntRange(1, 8).Draw(t, "ny"), 4)
		_, s := w.tables()
		of := regionsOf(s)
		r := reference()
		rng := rand.New(rand.NewPCG(13, rapid.Uint64().Draw(t, "cut")))
		size := 1 + rng.IntN(8)
		var got, want []RegionDrop
		for region := uint32(1); region <= slices.Max(append(of, 0)); region++ {
			own := columnsOfRegion(s, of, region)
			for y := 0; y < s.NY; y += size {
				for x := 0; x < s.NX; x += size {
					begin := len(got)
					got = r.AppendDrops(got, region, own, s, s, of, Window{s.GX + x, s.GY + y, size, size})
					if tail := got[begin:]; !slices.IsSortedFunc(tail, compareDrops) || len(slices.Compact(slices.Clone(tail))) != len(tail) {
						t.Fatalf("not ascending or not distinct: %v", tail)
					}
				}
			}
		}
		for i, c := range s.Cell {
			for j, d := range s.Cell {
				dx, dy := int(d)%s.NX-int(c)%s.NX, int(d)/s.NX-int(c)/s.NX
				if max(dx, -dx)+max(dy, -dy) == 1 && of[i] != of[j] && s.H[j]-s.H[i] < -3 &&
					plainRise(s, int(c)%s.NX, int(c)/s.NX, dx, dy, s.H[i], s.H[j], true) {
					want = append(want, RegionDrop{of[i], of[j]})
				}
			}
		}
		rng.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		if got, want = MergeDrops(got), MergeDrops(want); !slices.Equal(got, want) {
			t.Fatalf("tiles of %d: %v, want %v", size, got, want)
		}
		found += len(got)
	})
	if found < 100 {
		t.Errorf("only %d drops were tried", found)
	}
}

// TestDropsFromADeck: a deck over ground, with a shelf under its edge that is too
// near to land elsewhere.
func TestDropsFromADeck(t *testing.T) {
	r := reference()
	for _, k := range []struct {
		strip string
		want  []RegionDrop
	}{
		{"{0,9},{0,9},{0,9},0,0,0,0,0", []RegionDrop{{2, 1}}},
		{"{0,9},{0,9},{0,9},0,{0,9},0,0,0", []RegionDrop{{3, 1}}}, // only from beyond the slit
		{"{0,9},{0,9},{0,9},{0,5},0,0,0,0,0", []RegionDrop{{2, 1}, {2, 3}, {3, 1}}},
		{"{0,9},{0,9},{0,9},0,0,0,6,0", []RegionDrop{{3, 4}}}, // a floor within the climb ahead, and the way back
	} {
		cols := parseStrip(t, k.strip)
		// Nothing before the deck: its other end is no edge.
		s := columnsOf(Window{NX: len(cols), NY: 1}, cols)
		of := regionsOf(s)
		var got []RegionDrop
		for region := uint32(1); region <= slices.Max(of); region++ {
			got = r.AppendDrops(got, region, columnsOfRegion(s, of, region), s, s, of, s.Window)
		}
		if got = MergeDrops(got); !slices.Equal(got, k.want) {
			t.Errorf("%s: %v, want %v", k.strip, got, k.want)
		}
	}
}
