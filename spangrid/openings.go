package spangrid

import (
	"math"
	"slices"

	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// A WallClass says what lies beyond a wall.
type WallClass uint8

const (
	Void  WallClass = iota // nothing
	Seam                   // more floor of about the same height
	Cliff                  // floor further down
	Solid                  // floor further up, or a surface that is not walkable
)

// How far beyond a wall one looks, px, and how far what is found may be from its
// height, m.
const (
	ProbeReach = 0.75
	SeamBand   = 3.0
	SolidBand  = 6.0
)

// ProbePoint returns the point beyond the middle of a wall from (au, av) to
// (bu, bv) where [ClassifyWall] wants the heights of triangles, px. The floor
// lies to the left of the wall when v points up. A wall of no length has no
// point.
func ProbePoint(au, av, bu, bv float64) (u, v float64, ok bool) {
	du, dv := bu-au, bv-av
	length := math.Sqrt(float64(du*du) + float64(dv*dv))
	if !(length > 0) {
		return 0, 0, false
	}
	k := ProbeReach / length
	return (au+bu)/2 + float64(dv*k), (av+bv)/2 - float64(du*k), true
}

// ClassifyWall returns the class of a wall of a mean height, given the heights of
// the walkable triangles over its probe point, and of the others.
func ClassifyWall(mean float64, floor, others []float64) WallClass {
	best := math.Inf(1)
	class := Void
	for _, h := range floor {
		off := math.Abs(h - mean)
		// Of two floors as near the lower one counts, in any order.
		if off > best || off == best && h >= mean {
			continue
		}
		best = off
		switch {
		case off <= SeamBand:
			class = Seam
		case h < mean:
			class = Cliff
		default:
			class = Solid
		}
	}
	if len(floor) > 0 {
		return class
	}
	for _, h := range others {
		if math.Abs(h-mean) <= SolidBand {
			return Solid
		}
	}
	return Void
}

// OpenInput is what [Opener.Open] wants to know of a region in a window.
type OpenInput struct {
	Window
	Layer, Core, Protect Mask
	Hit                  Mask    // cells that walls of the region run through
	Hard                 Mask    // the same without walls of class Seam
	Steps                []uint8 // forbidden steps after judging twice
}

// An Opener finds what cells of a region would be core if the seams that run
// through them were none, and keeps its scratch. It is for one goroutine.
type Opener struct {
	dist  Distances
	layer LayerScratch
	clr   []uint16

	keep, hit Mask

	// Core and Clr are the result: the core with what was opened, and the
	// clearance there that minds walls.
	Core Mask
	Clr  []uint16
}

// Open computes Core and Clr. A protected cell loses its protection where all
// walls in it and in its eight neighbours are seams, and its four neighbours are
// all of the layer; then cracks are closed as before. Walls do not count in
// opened cells where they are seams.
func (o *Opener) Open(in *OpenInput) {
	w, n := in.Window, in.Cells()
	o.keep, o.hit = sized(o.keep, n), sized(o.hit, n)
	for c := range n {
		o.keep[c] = in.Protect[c] && !gated(in, c)
	}
	o.Core = append(o.Core[:0], in.Core...)
	CloseCracks(o.Core, w, in.Layer, o.keep, &o.layer)
	for c := range n {
		o.hit[c] = in.Hit[c]
		if o.Core[c] && !in.Core[c] {
			o.hit[c] = in.Hard[c]
		}
	}
	o.clr = o.dist.Clearance(o.clr, w, o.Core, OpenBorder)
	o.Clr = o.dist.Boundary(o.Clr, o.clr, w, o.Core, o.hit, in.Steps)
}

// gated reports whether only seams keep a protected cell closed.
func gated(in *OpenInput, c int) bool {
	x, y := c%in.NX, c/in.NX
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			u, v := x+dx, y+dy
			if uint(u) >= uint(in.NX) || uint(v) >= uint(in.NY) {
				if dx == 0 || dy == 0 {
					return false
				}
				continue
			}
			b := v*in.NX + u
			if in.Hard[b] || (dx == 0) != (dy == 0) && !in.Layer[b] {
				return false
			}
		}
	}
	return true
}

// Append appends the openings of a region's dead spans in the owned cells, given
// the input and the result of Open, and the region's columns with the flags of
// each span. Ghosts are not opened.
func (o *Opener) Append(dst []bnvf.Opening, in *OpenInput, t *Columns, flags []uint8, owned Window) []bnvf.Opening {
	for i, cell := range t.Cell {
		if flags[i]&(bnav.Dead|bnav.Ghost|bnav.Fill) != bnav.Dead || !o.Core[cell] || in.Core[cell] {
			continue
		}
		gx, gy := t.At(int(cell))
		if !owned.Has(gx, gy) {
			continue
		}
		dst = append(dst, bnvf.Opening{
			GX: int32(gx), GY: int32(gy), H: t.H[i],
			Clr: max(o.Clr[cell], 1), Flags: bnav.Walk | bnav.Core, Src: OpenedSeam,
		})
	}
	return dst
}

// Sources of openings, bits of bnvf.Opening.Src.
const (
	OpenedSeam    = 1 // only a seam closed the cell
	OpenedLanding = 2 // an off-mesh link lands there
)

// OpenLanding returns the opening of the record that one end of an off-mesh link
// found, none but where it is not core.
func OpenLanding(s *bnvf.Side) (bnvf.Opening, bool) {
	if s.Why != bnvf.WhyNotCore {
		return bnvf.Opening{}, false
	}
	return bnvf.Opening{
		GX: s.GX, GY: s.GY, H: s.H,
		Clr: max(s.Clr, 1), Flags: bnav.Walk | bnav.Core, Src: OpenedLanding,
	}, true
}

// MergeOpenings sorts the openings of a zone and makes one of those of the same
// record: flags and sources of all, and the largest clearance.
func MergeOpenings(list []bnvf.Opening) []bnvf.Opening {
	slices.SortFunc(list, bnvf.CompareOpenings)
	out := list[:0]
	for _, o := range list {
		if k := len(out) - 1; k >= 0 && bnvf.CompareOpenings(out[k], o) == 0 {
			out[k].Flags |= o.Flags
			out[k].Src |= o.Src
			out[k].Clr = max(out[k].Clr, o.Clr)
			continue
		}
		out = append(out, o)
	}
	return out
}
