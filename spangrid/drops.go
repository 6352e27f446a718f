package spangrid

import (
	"cmp"
	"slices"
)

// A RegionDrop says that somebody can step off a ledge of one region and land on
// another one.
type RegionDrop struct{ From, To uint32 }

func compareDrops(a, b RegionDrop) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
}

// AppendDrops appends the drops from a region to others that begin in the owned
// cells of a tile: a step to one of the four neighbours, more than the climb
// down to a span of another region, while ahead the floor it leaves does not go
// on. t holds the columns of the region, s those [Rise] looks at, and all the
// spans of all regions, without ghosts, with their regions in of; all are on one
// window, which reaches [Rules.StepMargin] cells beyond what is owned. No
// collider is asked. What is appended is ascending and distinct.
func (r *Rules) AppendDrops(dst []RegionDrop, region uint32, t, s, all *Columns, of []uint32, owned Window) []RegionDrop {
	rise := r.Rise(s, true, nil)
	begin := len(dst)
	for i, h := range t.H {
		cell := int(t.Cell[i])
		gx, gy := t.At(cell)
		if !owned.Has(gx, gy) {
			continue
		}
		for _, d := range neighbours8[:4] {
			x, y := gx-t.GX+d[0], gy-t.GY+d[1]
			if x < 0 || y < 0 || x >= t.NX || y >= t.NY {
				continue
			}
			first, end := all.Range(y*t.NX + x)
			for k := first; k < end && float64(all.H[k])-float64(h) < -r.Climb; k++ {
				drop := RegionDrop{region, of[k]}
				if drop.To == region {
					continue
				}
				at, known := slices.BinarySearchFunc(dst[begin:], drop, compareDrops)
				if !known && rise.OK(cell, d[0], d[1], h, all.H[k]) {
					dst = slices.Insert(dst, begin+at, drop)
				}
			}
		}
	}
	return dst
}

// MergeDrops sorts drops of any number of tiles and removes repeated ones.
func MergeDrops(drops []RegionDrop) []RegionDrop {
	slices.SortFunc(drops, compareDrops)
	return slices.Compact(drops)
}
