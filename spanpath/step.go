package spanpath

import (
	"math"

	"wend/pack/annex"
	"wend/spangrid"
)

// The eight neighbours of a cell in the order in which searches look at them.
const (
	stepEast = iota
	stepWest
	stepSouth // towards y+1
	stepNorth
	stepSouthEast
	stepNorthEast
	stepSouthWest
	stepNorthWest
)

// diagonal is the length of a diagonal step: the square root of two as a
// float32. Like every price and the cost of every link it is a small multiple of
// 2^-23, so sums of them are exact as long as a way is shorter than 2^29 cells:
// costs do not depend on the order of a sum.
const diagonal = 1.4142135381698608

var (
	stepX = [8]int{1, -1, 0, 0, 1, 1, -1, -1}
	stepY = [8]int{0, 0, 1, -1, 1, -1, 1, -1}

	// stepCell is the step as a difference of cell numbers of a page.
	stepCell = [8]int{1, -1, pageSpan, -pageSpan, pageSpan + 1, 1 - pageSpan, pageSpan - 1, -pageSpan - 1}

	stepCost = [8]float64{1, 1, 1, 1, diagonal, diagonal, diagonal, diagonal}
	stepHalf = [8]float32{0.5, 0.5, 0.5, 0.5, diagonal / 2, diagonal / 2, diagonal / 2, diagonal / 2}

	// A step is forbidden by a bit of the cell that it leaves or by one of the
	// cell that it enters, see spangrid.StepBit.
	banLeave = [8]uint8{1 << 0, 0, 1 << 2, 0, 1 << 4, 1 << 6, 0, 0}
	banEnter = [8]uint8{0, 2 << 0, 0, 2 << 2, 0, 0, 2 << 6, 2 << 4}

	stepBack = [8]int{stepWest, stepEast, stepNorth, stepSouth, stepNorthWest, stepSouthWest, stepNorthEast, stepSouthEast}
)

// onRim reports whether some neighbour of an own cell of a page is another's.
func onRim(c int) bool {
	return uint(c%pageSpan-Apron-1) >= PageSide-2 || uint(c/pageSpan-Apron-1) >= PageSide-2
}

// openSteps returns a bit for each step from a cell of a page, not on its rim,
// that leads to a cell with all marks of need. A diagonal step has to have both
// cells beside it too.
func openSteps(marks []uint16, c int, need uint16) uint {
	m := marks[c-pageSpan-1 : c+pageSpan+2]
	_ = m[2*pageSpan+2]
	var ok uint
	if m[pageSpan+2]&need == need {
		ok = 1 << stepEast
	}
	if m[pageSpan]&need == need {
		ok |= 1 << stepWest
	}
	if m[2*pageSpan+1]&need == need {
		ok |= 1 << stepSouth
	}
	if m[1]&need == need {
		ok |= 1 << stepNorth
	}
	if ok&(1<<stepEast) != 0 {
		if ok&(1<<stepSouth) != 0 && m[2*pageSpan+2]&need == need {
			ok |= 1 << stepSouthEast
		}
		if ok&(1<<stepNorth) != 0 && m[2]&need == need {
			ok |= 1 << stepNorthEast
		}
	}
	if ok&(1<<stepWest) != 0 {
		if ok&(1<<stepSouth) != 0 && m[2*pageSpan]&need == need {
			ok |= 1 << stepSouthWest
		}
		if ok&(1<<stepNorth) != 0 && m[0]&need == need {
			ok |= 1 << stepNorthWest
		}
	}
	return ok
}

// mayStep reports whether the step d from a height in an own cell of a page to
// one in the neighbour is allowed. The neighbour is in the mask.
func (g *Ground) mayStep(p *page, c, d int, from, to float32) bool {
	drop := float64(from) - float64(to)
	if drop > g.Rules.Climb {
		return drop <= g.Body.MaxDrop && g.lands(p, c+stepCell[d], stepX[d], stepY[d], from, to) && p.rise.OK(c, stepX[d], stepY[d], from, to)
	}
	if drop > g.deepest || p.Bans[c]&banLeave[d]|p.Bans[c+stepCell[d]]&banEnter[d] != 0 {
		return false
	}
	return p.rise.OK(c, stepX[d], stepY[d], from, to) &&
		(g.PassWalls || !p.stepMeetsWall(c, stepX[d], stepY[d], from, to, wallBand))
}

// lands reports whether a fall past the surfaces of a cell, in the direction of
// the step into it, ends at a height: nobody falls through a floor, nor through
// what the pack says hangs over the landing. The original rules know of neither.
func (g *Ground) lands(p *page, c, dx, dy int, from, to float32) bool {
	return g.PassWalls || p.opensOnto(c, dx, dy, from, to, g.Body.Headroom)
}

// opensOnto reports whether nothing that the page knows of lies between two
// heights of a cell: no surface, and over one at the lower height, if its headroom
// is known, so much is free that a body with the given headroom passes.
func (p *Page) opensOnto(c, dx, dy int, from, to float32, body uint8) bool {
	for s := p.first[c]; s < p.first[c+1]; s++ {
		h := p.Table.H[s]
		if h > to && h < from || h == to && !p.fallsClear(int(s), c, dx, dy, from, body) {
			return false
		}
	}
	return true
}

// ownEdge is how far the underside of what hangs over a landing may be from the
// height of the take-off to be the edge of the take-off's own floor, headroom steps
// (0.25 m): a cell at a ledge is partly under it. Headroom is that of a column, to
// the step below, and columns are of voxels.
const ownEdge = annex.HeadroomSteps / 4

// fallsClear reports whether the headroom of a span in a cell, where it is known,
// is as high as a fall onto it and a body above, give or take less than a step, so
// that one roof over both ends is as high over either. Where it is not, the floor
// of the take-off may hang over the landing, since ground ends before its edge:
// then the same has to be so for the floor a few cells on.
func (p *Page) fallsClear(s, c, dx, dy int, from float32, body uint8) bool {
	if p.Headroom == nil || p.Headroom[s] == 0 {
		return true
	}
	over := p.overFall(s, from)
	if over > float64(body)-1 || math.Abs(over) <= ownEdge {
		return true
	}
	if over > 0 || dx == 0 && dy == 0 {
		return false
	}
	x, y, h := c%pageSpan, c/pageSpan, float64(p.Table.H[s])
	for range spangrid.LookAhead - 1 {
		if x, y = x+dx, y+dy; uint(x) >= pageSpan || uint(y) >= pageSpan {
			return false
		}
		c := y*pageSpan + x
		for n := p.first[c]; n < p.first[c+1]; n++ {
			if d := float64(p.Table.H[n]) - h; math.Abs(d) <= p.rules.Climb && (p.Headroom[n] == 0 || p.overFall(int(n), from) > float64(body)-1) {
				return true
			}
		}
	}
	return false
}

// overFall returns how much is free above the height that a fall onto a span
// begins at, headroom steps: less than 0 where something is below it.
func (p *Page) overFall(s int, from float32) float64 {
	fall := float64(from) - float64(p.Table.H[s])
	return float64(p.Headroom[s]) - float64(fall*annex.HeadroomSteps)
}
