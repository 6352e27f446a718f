package heightfield

import (
	"math"
	"slices"

	"wend/geom"
)

// MarkPrism gives the area code to every entry inside a vertical prism.
// Unwalkable cuts the ground away; entries that are Unwalkable stay so.
//
// ring is a simple polygon in XZ, metres, in either order; of a polygon that
// crosses itself the parts that are covered an odd number of times count. An
// entry is inside when its cell's centre is. A centre exactly on the border
// belongs to the side of the larger coordinates, so of two prisms that share a
// border exactly one has it.
//
// minY and maxY are metres, inclusive: they are rounded as floors are, so a
// flat floor at exactly either height is inside, and one up to a voxel beyond
// may be. A ring of fewer than three points or with a number that is not
// finite marks nothing; minY and maxY may be infinite.
//
// Time is linear in the entries under the ring's box plus the ring's points
// times the rows.
func (c *Compact) MarkPrism(ring []geom.Vec2, minY, maxY float64, area uint8) {
	if len(ring) < 3 || !(minY <= maxY) {
		return
	}
	lowZ, highZ := math.Inf(1), math.Inf(-1)
	for _, p := range ring {
		if !p.IsFinite() {
			return
		}
		lowZ, highZ = min(lowZ, p.Y), max(highZ, p.Y)
	}
	bottom := (minY - c.Origin.Y) / c.CellHeight
	top := math.Floor((maxY-c.Origin.Y)/c.CellHeight+slack) + 1
	if !(top >= 0) || !(bottom <= MaxHeight) {
		return
	}
	y0 := uint16(clampInt(math.Ceil(bottom-slack), MaxHeight))
	y1 := uint16(clampInt(top, MaxHeight))

	z0 := clampInt(math.Floor((lowZ-c.Origin.Z)/c.Cell-0.5), c.D)
	z1 := clampInt(math.Ceil((highZ-c.Origin.Z)/c.Cell+0.5), c.D)
	var cross []float64
	for z := z0; z < z1; z++ {
		cross = crossings(cross[:0], ring, c.Origin.Z+float64((float64(z)+0.5)*c.Cell))
		for i := 0; i+1 < len(cross); i += 2 {
			c.markRow(z, c.firstCell(cross[i]), c.firstCell(cross[i+1]), y0, y1, area)
		}
	}
}

// crossings appends where the ring crosses the line at z, in ascending order.
// Their number is even.
func crossings(dst []float64, ring []geom.Vec2, z float64) []float64 {
	p := ring[len(ring)-1]
	for _, q := range ring {
		a, b := p, q
		p = q
		if a.Y > b.Y {
			a, b = b, a // the same arithmetic whichever way the edge runs
		}
		if a.Y <= z && z < b.Y {
			t := (z - a.Y) / (b.Y - a.Y)
			dst = append(dst, a.X+float64(t*(b.X-a.X)))
		}
	}
	slices.Sort(dst)
	return dst
}

// firstCell returns the first cell whose centre is at x or beyond, at most W.
func (c *Compact) firstCell(x float64) int {
	return clampInt(math.Ceil((x-c.Origin.X)/c.Cell-0.5), c.W)
}

// markRow marks the cells x0 to x1, x1 excluded, of row z.
func (c *Compact) markRow(z, x0, x1 int, y0, y1 uint16, area uint8) {
	if x0 >= x1 {
		return
	}
	row := c.Start[z*c.W+x0 : z*c.W+x1+1]
	for i := row[0]; i < row[len(row)-1]; i++ {
		if c.Area[i] != Unwalkable && y0 <= c.Y[i] && c.Y[i] <= y1 {
			c.Area[i] = area
		}
	}
}
