package contour

import (
	"context"
	"errors"

	"wend/internal/heightfield"
	"wend/internal/region"
)

// errOneWay says that a field breaks its promise; heightfield never builds one
// that does.
var errOneWay = errors.New("contour: a cell links to a neighbour that does not link back")

// loop is one closed raw outline: raw[lo:hi].
type loop struct {
	lo, hi                 int32
	region                 region.ID
	area                   uint8
	walled                 bool  // nothing but walls across
	area2                  int64 // twice the signed area; not positive for a hole
	minX, maxX, minZ, maxZ int32
}

// extentSq is the squared diagonal of the bounding box.
func (l *loop) extentSq() float64 {
	dx, dz := int64(l.maxX-l.minX), int64(l.maxZ-l.minZ)
	return float64(dx*dx + dz*dz)
}

// tracer walks the outlines of all regions.
type tracer struct {
	c      *heightfield.Compact
	reg    []region.ID
	border int32
	marks  []uint8 // corners of walls to keep, see markWalls; nil: none
	edge   []uint8 // bit d: the cell's side in direction d is on an outline not yet walked
	raw    []Vertex
	seed   []bool // per raw corner: simplification keeps it
	loops  []loop

	wantSides bool
	sides     []uint32 // per raw corner, when wanted: the cell times 4 and the direction of the side that ends there
}

func (t *tracer) rawOf(l int32) []Vertex {
	lo, hi := t.loops[l].lo, t.loops[l].hi
	return t.raw[lo:hi:hi]
}

// run finds the loops, ordered by their first cell.
func (t *tracer) run(ctx context.Context) error {
	n := t.c.Len()
	nei, reg := t.c.Nei[:n], t.reg[:n]
	t.edge = make([]uint8, n)
	total := 0
	for i, r := range reg {
		if r == 0 || r&region.Border != 0 {
			continue
		}
		for dir, k := range nei[i] {
			if k < 0 || reg[k] != r {
				t.edge[i] |= 1 << dir
				total++
			}
		}
	}
	t.raw = make([]Vertex, 0, total)
	t.seed = make([]bool, 0, total)
	for z := range t.c.D {
		if z%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for x := range t.c.W {
			for i := t.c.Start[x+z*t.c.W]; i < t.c.Start[x+z*t.c.W+1]; i++ {
				for t.edge[i] != 0 {
					dir := 0
					for t.edge[i]&(1<<dir) == 0 {
						dir++
					}
					if err := t.walk(int32(i), int32(x)-t.border, int32(z)-t.border, dir); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// The corner at the end of a cell's side in direction d, counter-clockwise
// round the cell: offset from its low corner.
var (
	endX = [4]int32{0, 1, 1, 0}
	endZ = [4]int32{1, 1, 0, 0}
)

// walk follows the outline that begins at side dir of cell i, which is at x, z.
// The region stays on the left. Side by side it turns round the corner at the
// end: 0 cells further is a left turn, 1 straight on, 2 a right turn, 3 back
// along the other side of a wall without thickness. Where a stair winds round
// that very corner there are more, up to the next storey and beyond; regions
// have no such corners, but the ground as a whole does, see markWalls.
func (t *tracer) walk(i, x, z int32, dir int) error {
	nei, reg, area := t.c.Nei, t.reg, t.c.Area
	own := reg[i]
	first, firstDir := i, dir
	l := loop{lo: int32(len(t.raw)), region: own, area: area[i], walled: true}
	l.minX, l.minZ = x+1, z+1
	l.maxX, l.maxZ = x, z
	across, id, border := t.across(i, dir)
	var px, pz int32 // the corner before
	for {
		v := Vertex{X: x + endX[dir], Z: z + endZ[dir]}
		v.Y, v.BorderVertex = t.corner(i, dir)
		if i != first || dir != firstDir {
			t.edge[i] &^= 1 << dir
		}
		side, cell := dir, i
		turn := 0
		for dir = (dir + 1) & 3; t.edge[i]&(1<<dir) == 0; dir = (dir + 3) & 3 {
			k := nei[i][dir]
			if turn++; turn > len(nei) || k < 0 || reg[k] != own {
				return errOneWay
			}
			i = k
			x += int32(heightfield.DirX[dir])
			z += int32(heightfield.DirZ[dir])
		}
		nextAcross, nextID, nextBorder := t.across(i, dir)
		v.Region, v.AreaBorder = nextID, nextBorder
		t.raw = append(t.raw, v)
		t.seed = append(t.seed, id != nextID || border != nextBorder ||
			id != 0 && id&region.Border == 0 && !t.facing(across, nextAcross, side, turn) ||
			id == 0 && t.marks != nil && t.marks[cell]&(1<<side) != 0)
		if t.wantSides {
			t.sides = append(t.sides, uint32(cell)<<2|uint32(side))
		}
		across, id, border = nextAcross, nextID, nextBorder

		l.walled = l.walled && id == 0
		l.minX, l.maxX = min(l.minX, v.X), max(l.maxX, v.X)
		l.minZ, l.maxZ = min(l.minZ, v.Z), max(l.maxZ, v.Z)
		if int32(len(t.raw))-l.lo > 1 {
			l.area2 += cross(pz, px, v.Z, v.X)
		}
		px, pz = v.X, v.Z
		if i == first && dir == firstDir {
			t.edge[i] &^= 1 << dir
			break
		}
	}
	v := t.raw[l.lo]
	l.area2 += cross(pz, px, v.Z, v.X)
	l.hi = int32(len(t.raw))
	t.loops = append(t.loops, l)
	return nil
}

// across returns what lies beyond side dir of cell i: the cell, or -1, its
// region and whether that has another area.
func (t *tracer) across(i int32, dir int) (int32, region.ID, bool) {
	k := t.c.Nei[i][dir]
	if k < 0 || t.reg[k] == 0 {
		return k, 0, false
	}
	return k, t.reg[k], t.c.Area[k] != t.c.Area[i]
}

// facing reports whether the region across goes on, round the corner between
// side dir and the next side of the outline, from cell p to cell q, so that its
// outline passes the corner along the same two sides. Where it does not, the
// corner is the end of a wall for that region, and must be kept from here too.
func (t *tracer) facing(p, q int32, dir, turn int) bool {
	switch turn {
	case 0:
		diag := t.c.Nei[p][(dir+1)&3]
		return diag >= 0 && t.reg[diag] == t.reg[p] && t.c.Nei[diag][(dir+2)&3] == q
	case 1:
		return t.c.Nei[p][(dir+1)&3] == q
	case 2:
		return p == q
	}
	return false
}

// corner returns the height of the corner at the end of side dir of cell i,
// which is the highest of the up to four cells that meet there and can be
// reached round the corner, and whether it is a border vertex.
//
// All cells round a corner find the same height, unless a stair winds round
// that very corner and comes by again at another height; then each takes the
// cells up to three links away.
func (t *tracer) corner(i int32, dir int) (y int32, borderVertex bool) {
	nei := t.c.Nei
	turn := (dir + 1) & 3
	cells := [4]int32{i, nei[i][dir], -1, nei[i][turn]}
	diag := int32(-1) // reached the other way round
	if cells[1] >= 0 {
		cells[2] = nei[cells[1]][turn]
	}
	if cells[3] >= 0 {
		diag = nei[cells[3]][dir]
	}
	if cells[2] < 0 {
		cells[2] = diag
	}
	if cells[2] >= 0 {
		if cells[1] < 0 {
			cells[1] = nei[cells[2]][(dir+3)&3]
		}
		if cells[3] < 0 {
			cells[3] = nei[cells[2]][(dir+2)&3]
		}
	}
	y = int32(t.c.Y[i])
	for _, k := range cells[1:] {
		if k >= 0 {
			y = max(y, int32(t.c.Y[k]))
		}
	}
	if diag >= 0 {
		y = max(y, int32(t.c.Y[diag]))
	}
	return y, t.border > 0 && t.betweenTiles(&cells)
}

// betweenTiles reports whether a corner with these four cells, in circular
// order, is there only because two tiles meet: two cells of one frame side in a
// row, then two of the tile with one area, none missing.
func (t *tracer) betweenTiles(cells *[4]int32) bool {
	var id [4]region.ID
	var area [4]uint8
	for i, k := range cells {
		if k < 0 {
			return false
		}
		id[i], area[i] = t.reg[k], t.c.Area[k]
		if id[i] == 0 && area[i] == heightfield.Unwalkable {
			return false
		}
	}
	for a := range 4 {
		b, c, d := (a+1)&3, (a+2)&3, (a+3)&3
		if id[a]&region.Border != 0 && id[a] == id[b] && area[a] == area[b] &&
			(id[c]|id[d])&region.Border == 0 && area[c] == area[d] {
			return true
		}
	}
	return false
}
