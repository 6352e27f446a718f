package zone

import (
	"cmp"
	"math"
	"slices"

	"wend/pack/bnav"
)

// WeldRise is how much higher than the corner below it a corner may be and still
// be welded to it, m.
const WeldRise = 3.0

// Old reports whether the corners of a pack must be welded before its zones are
// cleaned: packs before version 5 without surfaces come from exporters that gave
// each triangle corners of its own.
func Old(p *bnav.Pack) bool {
	return p.Version < 5 && (p.Surfaces == nil || len(p.Surfaces) != len(p.Triangles))
}

// WeldOld returns the content with the corners of one zone welded, in new tables
// of vertices and triangles; the rest is shared. Corners move to multiples of
// 1/20 px; of those at the same place, from the lowest up, each that is at most
// [WeldRise] above the one before it becomes the same as that one. So a stair of
// small rises becomes one corner, with the height of its foot.
//
// A triangle whose corners meet is left as it is, for [Clean] to name. Time is
// n log n in the zone's corners.
func WeldOld(c *bnav.Content, index int) *bnav.Content {
	out := *c
	if index < 0 || index >= len(c.Zones) {
		return &out // Clean names it
	}
	first, n := int(c.Zones[index].FirstTri), int(c.Zones[index].TriCount)
	if first > len(c.Triangles) || n > len(c.Triangles)-first {
		return &out
	}
	out.Vertices, out.Triangles = slices.Clone(c.Vertices), slices.Clone(c.Triangles)
	tris := out.Triangles[first : first+n]

	used := make([]bool, len(c.Vertices))
	for t := range tris {
		for _, v := range tris[t].V {
			if int(v) < len(used) {
				used[v] = true
			}
		}
	}
	type corner struct {
		u, v float64 // ten-thousandths of a px
		vert uint32
	}
	var corners []corner
	for i, u := range used {
		if !u {
			continue
		}
		p := &out.Vertices[i]
		p.U, p.V = twentieth(p.U), twentieth(p.V)
		corners = append(corners, corner{math.RoundToEven(float64(p.U) * 1e4), math.RoundToEven(float64(p.V) * 1e4), uint32(i)})
	}
	slices.SortFunc(corners, func(a, b corner) int {
		return cmp.Or(cmp.Compare(a.u, b.u), cmp.Compare(a.v, b.v),
			cmp.Compare(out.Vertices[a.vert].H, out.Vertices[b.vert].H), cmp.Compare(a.vert, b.vert))
	})
	same := make([]uint32, len(c.Vertices))
	for i, k := range corners {
		same[k.vert] = k.vert
		if i == 0 {
			continue
		}
		below := corners[i-1]
		rise := float64(out.Vertices[k.vert].H) - float64(out.Vertices[below.vert].H)
		if below.u == k.u && below.v == k.v && rise <= WeldRise {
			same[k.vert] = same[below.vert]
		}
	}
	for t := range tris {
		for k, v := range tris[t].V {
			if int(v) < len(same) {
				tris[t].V[k] = same[v]
			}
		}
	}
	return &out
}

// twentieth rounds to a multiple of 1/20, half to even.
func twentieth(v float32) float32 {
	return float32(math.RoundToEven(20*float64(v)) / 20)
}
