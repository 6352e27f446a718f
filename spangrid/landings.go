package spangrid

import (
	"math"

	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// LandingEnds returns start and end of an off-mesh link that has four points:
// the middles of its two edges.
func LandingEnds(l *bnav.OffMeshLink) (start, end bnav.Vertex) {
	return between(l.Points[0], l.Points[1]), between(l.Points[2], l.Points[3])
}

func between(a, b bnav.Vertex) bnav.Vertex {
	mid := func(x, y float32) float32 { return float32((float64(x) + float64(y)) / 2) }
	return bnav.Vertex{U: mid(a.U, b.U), V: mid(a.V, b.V), H: mid(a.H, b.H)}
}

// LandSide ties one end of an off-mesh link to the grid. cell are all records of
// the cell it lies in, and inside says whether the grid has that cell at all. Of
// the records that are core and within [Rules.Band] of the declared height the
// nearest one is taken, of equally near ones the first. Where there is none,
// Why says so: nothing is lost.
//
// It also returns which record was taken: where only records that are not core
// are in the band the nearest of them, and -1 where there is none either.
func (r *Rules) LandSide(gx, gy int32, declared float32, inside bool, cell []bnav.Record) (bnvf.Side, int) {
	side := bnvf.Side{GX: gx, GY: gy, Declared: declared, Why: bnvf.WhyNoSurface}
	if !inside {
		side.Why = bnvf.WhyOutside
		return side, -1
	}
	core, other := -1, -1
	var coreOff, otherOff float64
	for i := range cell {
		if cell[i].Flags&bnav.Fill != 0 {
			continue
		}
		if side.Why == bnvf.WhyNoSurface {
			side.Why = bnvf.WhyNoBand
		}
		off := math.Abs(float64(cell[i].H) - float64(declared))
		switch {
		case !(off <= r.Band):
		case cell[i].Flags&bnav.Core != 0:
			if core < 0 || off < coreOff {
				core, coreOff = i, off
			}
		default:
			if other < 0 || off < otherOff {
				other, otherOff = i, off
			}
		}
	}
	taken := core
	switch {
	case core >= 0:
		side.Why = bnvf.WhyUsable
	case other >= 0:
		side.Why = bnvf.WhyNotCore
		taken = other
	default:
		return side, -1
	}
	c := &cell[taken]
	side.H, side.Region, side.Clr, side.Flags = c.H, c.Region, c.Clr, c.Flags
	return side, taken
}

// NewLanding makes the landing record of an off-mesh link from its two ends
// as [Rules.LandSide] ties them. The way from Lo to Hi is always usable, so
// ends change places where only the way back was. The second result is false
// for a link that neither way is usable for: it has no record.
func NewLanding(l *bnav.OffMeshLink, start, end bnvf.Side) (bnvf.Landing, bool) {
	const there, back = 1, 2
	if l.DirOK&(there|back) == 0 {
		return bnvf.Landing{}, false
	}
	out := bnvf.Landing{
		OffMesh: l.Index, ZoneID: l.ZoneID, Kind: l.Kind, IsExt: l.IsExt, Area: l.Area,
		LinkType: l.LinkType, Direction: l.Direction, Radius: l.Radius, CostModifier: l.CostModifier,
		Lo: start, Hi: end,
	}
	switch l.DirOK & (there | back) {
	case back:
		out.Lo, out.Hi = end, start
	case there | back:
		out.Bidirectional = 1
	}
	if out.Lo.Why == bnvf.WhyUsable {
		out.Valid |= bnvf.LoUsable
	}
	if out.Hi.Why == bnvf.WhyUsable {
		out.Valid |= bnvf.HiUsable
	}
	return out, true
}
