package detail

import (
	"wend/internal/heightfield"
	"wend/internal/polygonize"
	"wend/internal/region"
)

// patch holds the heights of the cells around one polygon, in cells of the
// compact field. It owns its scratch memory and can be used again.
type patch struct {
	x0, z0, w, d int
	y            []int32 // voxels; unset where no height is known
	queue        []cell
}

// cell is an entry of the field and its place.
type cell struct{ x, z, entry int32 }

// unset marks a cell without height; visited one that the walk to the middle
// of a polygon has met.
const (
	unset   = int32(-1)
	visited = int32(-2)
)

// place sets the patch to the bounds of a polygon and a cell around them, as
// far as the field reaches, and forgets all heights.
func (p *patch) place(poly []polygonize.Vert, c *heightfield.Compact, border int) {
	lo, hi := poly[0], poly[0]
	for _, v := range poly[1:] {
		lo.X, lo.Z = min(lo.X, v.X), min(lo.Z, v.Z)
		hi.X, hi.Z = max(hi.X, v.X), max(hi.Z, v.Z)
	}
	p.x0 = min(max(int(lo.X)+border-1, 0), c.W)
	p.z0 = min(max(int(lo.Z)+border-1, 0), c.D)
	p.w = max(min(int(hi.X)+border+1, c.W)-p.x0, 0)
	p.d = max(min(int(hi.Z)+border+1, c.D)-p.z0, 0)
	if n := p.w * p.d; cap(p.y) < n {
		p.y = make([]int32, n)
	} else {
		p.y = p.y[:n]
	}
	p.clear()
	p.queue = p.queue[:0]
}

func (p *patch) clear() {
	for i := range p.y {
		p.y[i] = unset
	}
}

// fill takes the heights of a polygon's region. For a polygon of several
// regions, or one whose region has no cell here, it takes those of the cells
// under the polygon that connect with one near its middle.
//
// From the rim of these cells heights spread over connected cells, as many
// steps as it takes to go round a cell that is reach away: an outline does not
// leave its region by more, and cells that are further along the ground may be
// another storey's.
func (p *patch) fill(poly []polygonize.Vert, c *heightfield.Compact, reg *region.Result, border int, id region.ID, reach int) {
	p.place(poly, c, border)
	if len(p.y) == 0 {
		return
	}
	if id == polygonize.Mixed || !p.fillRegion(c, reg, id) {
		p.clear()
		p.queue = p.queue[:0]
		if at, ok := p.middle(poly, c, border); ok {
			p.clear()
			p.queue = append(p.queue[:0], at)
			p.y[p.index(at)] = int32(c.Y[at.entry])
			p.spread(c, len(p.y), poly, border)
		}
	}
	p.spread(c, 2*(reach+1), nil, border)
}

func (p *patch) index(at cell) int {
	return int(at.x) - p.x0 + (int(at.z)-p.z0)*p.w
}

// fillRegion takes the heights of the cells of region id and queues those that
// lead out of it. It reports whether there are any.
func (p *patch) fillRegion(c *heightfield.Compact, reg *region.Result, id region.ID) bool {
	found := false
	for z := range p.d {
		row := p.x0 + (p.z0+z)*c.W
		starts := c.Start[row : row+p.w+1]
		heights := p.y[z*p.w : (z+1)*p.w]
		lo := starts[0]
		for x := range heights {
			hi := starts[x+1]
			for i := lo; i < hi; i++ {
				if reg.Region[i] != id {
					continue
				}
				heights[x] = int32(c.Y[i])
				found = true
				for _, n := range c.Nei[i] {
					if n >= 0 && reg.Region[n] != id {
						p.queue = append(p.queue, cell{int32(p.x0 + x), int32(p.z0 + z), int32(i)})
						break
					}
				}
				break // a region has one floor in a column
			}
			lo = hi
		}
	}
	return found
}

// spread floods from the queue over connected cells that have no height yet,
// nearest first, up to a number of steps, and with a polygon only over cells
// that touch it. The queue keeps the cells it has met.
func (p *patch) spread(c *heightfield.Compact, steps int, within []polygonize.Vert, border int) {
	ringEnd := len(p.queue)
	for head := 0; head < len(p.queue); head++ {
		if head == ringEnd {
			ringEnd = len(p.queue)
			steps--
		}
		if steps <= 0 {
			return
		}
		at := p.queue[head]
		for dir, n := range c.Nei[at.entry] {
			if n < 0 {
				continue
			}
			to := cell{at.x + int32(heightfield.DirX[dir]), at.z + int32(heightfield.DirZ[dir]), n}
			x, z := int(to.x)-p.x0, int(to.z)-p.z0
			if uint(x) >= uint(p.w) || uint(z) >= uint(p.d) {
				continue
			}
			y := &p.y[x+z*p.w]
			if *y != unset || within != nil && !touches(within, int(to.x)-border, int(to.z)-border) {
				continue
			}
			*y = int32(c.Y[n])
			p.queue = append(p.queue, to)
		}
	}
}

// touches reports whether a cell and a convex polygon overlap; near its
// corners it may say so of a cell just outside.
func touches(poly []polygonize.Vert, x, z int) bool {
	a := poly[len(poly)-1]
	for _, b := range poly {
		dx, dz := int64(b.X-a.X), int64(b.Z-a.Z)
		// Twice the cross product at the cell's middle, and how much it grows
		// towards the cell's best corner.
		middle := dz*int64(2*x+1-2*int(a.X)) - dx*int64(2*z+1-2*int(a.Z))
		if middle+max(dx, -dx)+max(dz, -dz) <= 0 {
			return false
		}
		a = b
	}
	return true
}

// middle finds the cell in the middle of a polygon on its own storey: it
// starts at the cell beside a corner that is nearest in height and walks over
// connected cells, straight where it can. Where the middle cannot be reached
// it returns the last cell it tried, and false when there is nowhere to start.
func (p *patch) middle(poly []polygonize.Vert, c *heightfield.Compact, border int) (cell, bool) {
	start, ok := p.cornerCell(poly, c, border)
	if !ok {
		return cell{}, false
	}
	var sumX, sumZ int
	for _, v := range poly {
		sumX, sumZ = sumX+int(v.X), sumZ+int(v.Z)
	}
	midX, midZ := int32(sumX/len(poly)+border), int32(sumZ/len(poly)+border)

	at := start
	stack := append(p.queue[:0], start)
	p.y[p.index(start)] = visited
	for len(stack) > 0 {
		at = stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at.x == midX && at.z == midZ {
			break
		}
		ahead := towards(midX-at.x, midZ-at.z)
		// The straight step goes on the stack last, so it is the next taken.
		for k := 1; k <= 4; k++ {
			dir := (ahead + k) & 3
			n := c.Nei[at.entry][dir]
			if n < 0 {
				continue
			}
			to := cell{at.x + int32(heightfield.DirX[dir]), at.z + int32(heightfield.DirZ[dir]), n}
			x, z := int(to.x)-p.x0, int(to.z)-p.z0
			if uint(x) >= uint(p.w) || uint(z) >= uint(p.d) || p.y[x+z*p.w] == visited {
				continue
			}
			p.y[x+z*p.w] = visited
			stack = append(stack, to)
		}
	}
	p.queue = stack[:0]
	return at, true
}

// towards returns the direction of a step along dx, dz: along X first.
func towards(dx, dz int32) int {
	switch {
	case dx < 0:
		return 0
	case dx > 0:
		return 2
	case dz > 0:
		return 1
	default:
		return 3
	}
}

// cornerCell finds the cell at or around a corner that is nearest to it in
// height; of equals the first.
func (p *patch) cornerCell(poly []polygonize.Vert, c *heightfield.Compact, border int) (best cell, ok bool) {
	around := [9][2]int32{{0, 0}, {-1, -1}, {0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}}
	bestDist := int32(heightfield.MaxHeight)
	for _, v := range poly {
		for _, o := range around {
			x, z := int(v.X+o[0])+border, int(v.Z+o[1])+border
			if uint(x-p.x0) >= uint(p.w) || uint(z-p.z0) >= uint(p.d) {
				continue
			}
			col := x + z*c.W
			for i := c.Start[col]; i < c.Start[col+1]; i++ {
				if dist := abs(v.Y - int32(c.Y[i])); dist < bestDist {
					best, bestDist, ok = cell{int32(x), int32(z), int32(i)}, dist, true
				}
			}
			if ok && bestDist == 0 {
				return best, true
			}
		}
	}
	return best, ok
}

// height returns the height of the field, in voxels, at a place given in cells
// of the field. Where the cell has none the nearest ring of cells that has, up
// to radius away, gives the one nearest to near. false: there is none.
func (p *patch) height(x, z float64, near float64, radius int) (int32, bool) {
	if len(p.y) == 0 {
		return 0, false
	}
	// A place on the line between two cells belongs to the higher one, even
	// when rounding has put it just short of the line.
	const snap = 0.01
	cx := clampInt(x+snap, p.x0, p.x0+p.w-1) - p.x0
	cz := clampInt(z+snap, p.z0, p.z0+p.d-1) - p.z0
	if y := p.y[cx+cz*p.w]; y != unset {
		return y, true
	}
	for r := 1; r <= radius; r++ {
		best, found, bestDist := int32(0), false, 0.0
		for dz := -r; dz <= r; dz++ {
			step := 1
			if dz != -r && dz != r {
				step = 2 * r
			}
			for dx := -r; dx <= r; dx += step {
				tx, tz := cx+dx, cz+dz
				if uint(tx) >= uint(p.w) || uint(tz) >= uint(p.d) {
					continue
				}
				y := p.y[tx+tz*p.w]
				if y == unset {
					continue
				}
				dist := float64(y) - near
				if dist < 0 {
					dist = -dist
				}
				if !found || dist < bestDist {
					best, found, bestDist = y, true, dist
				}
			}
		}
		if found {
			return best, true
		}
	}
	return 0, false
}

// clampInt rounds down and clamps to lo..hi.
func clampInt(v float64, lo, hi int) int {
	if !(v > float64(lo)) {
		return lo
	}
	if v >= float64(hi) {
		return hi
	}
	return int(v)
}

func abs(v int32) int32 {
	if v < 0 {
		return -v
	}
	return v
}
