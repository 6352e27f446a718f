package region

import (
	"context"
	"slices"

	"wend/internal/heightfield"
)

const (
	growSteps = 8 // rounds of growth at each level before new regions start
	batch     = 8 // levels sorted together
)

// claim is a cell that a region takes in the present round of growth.
type claim struct {
	cell int32
	id   ID
	far  uint16
}

// Watershed partitions the field along the valleys of its distance field:
// regions start at the places farthest from any boundary and grow towards it.
// It runs in O(n log n) for n cells, mostly linear, and is safe for concurrent
// use. The field is only read. It fails when ctx ends or when c is malformed.
func Watershed(ctx context.Context, c *heightfield.Compact, o Options) (*Result, error) {
	if err := validate(c, o); err != nil {
		return nil, err
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)

	reg := make([]ID, c.Len())
	paintFrame(c, o.Border, reg)
	top := s.distances(c)
	last, err := s.floodLevels(ctx, c, reg, top)
	if err != nil {
		return nil, err
	}
	last = splitOverlaps(c, reg, last)
	return s.mergeAndFilter(ctx, c, reg, last, o)
}

// floodLevels lowers the water level two at a time. At each level the regions
// there are grow over the cells that came up, then what no region reached
// starts new ones. It returns the largest number in use.
func (s *scratch) floodLevels(ctx context.Context, c *heightfield.Compact, reg []ID, top int) (ID, error) {
	s.sortByLevel(c, reg, top>>1)
	if len(s.grown) < len(reg) {
		s.grown = make([]uint16, len(reg))
	}
	last := ID(0)
	next := 0 // cells of s.bucket that have been taken
	s.open = s.open[:0]
	// The first level lies at or just below the highest peak; level 0 always
	// gets its turn, also in corridors that are all boundary.
	for level, turn := max(((top+1)>>1)-1, 0), 0; level >= 0; level, turn = level-1, turn+1 {
		if turn%checkEvery == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		upto := int(s.bucketEnd[level])
		left := s.open
		if turn%batch == 0 {
			// Leftovers are mixed with the new cells by place, else they go last.
			left = append(left, s.bucket[next:upto]...)
			slices.Sort(left)
			s.open = left
		} else {
			fresh := s.bucket[next:upto]
			k := len(left)
			left = slices.Grow(left, len(fresh))[:k+len(fresh)]
			copy(left[len(fresh):], left[:k])
			copy(left, fresh)
			s.open = left
		}
		next = upto
		if last > 0 {
			s.grow(c, reg, level)
		}
		waterline := max(2*level-2, 0)
		keep := s.open[:0]
		for _, i := range s.open {
			if reg[i] != 0 {
				continue
			}
			if s.pour(c, reg, i, last+1, waterline) {
				last++
			} else {
				keep = append(keep, i)
			}
		}
		s.open = keep
	}
	// Cells that a flood touched and gave back lie beside a region.
	s.open = s.open[:0]
	for i, r := range reg {
		if r == 0 && c.Area[i] != heightfield.Unwalkable {
			s.open = append(s.open, int32(i))
		}
	}
	s.grow(c, reg, 0)
	return last, ctx.Err()
}

// sortByLevel fills s.bucket with the cells to number, by falling level and
// within a level by index. Those above the first level count as on it.
func (s *scratch) sortByLevel(c *heightfield.Compact, reg []ID, peak int) {
	end := sized(s.bucketEnd, peak+2)
	clear(end)
	dist := s.blur[:len(reg)]
	area := c.Area[:len(reg)]
	total := int32(0)
	for i, r := range reg {
		if r == 0 && area[i] != heightfield.Unwalkable {
			end[dist[i]>>1]++
			total++
		}
	}
	// Turn counts into places: highest level first.
	at := int32(0)
	for l := peak; l >= 0; l-- {
		at, end[l] = at+end[l], at
	}
	bucket := sized(s.bucket, int(total))
	for i, r := range reg {
		if r == 0 && area[i] != heightfield.Unwalkable {
			l := dist[i] >> 1
			bucket[end[l]] = int32(i)
			end[l]++
		}
	}
	s.bucket, s.bucketEnd = bucket, end
}

// grow lets regions take the open cells beside them, a ring in each round, up
// to growSteps rounds (at level 0: until nothing changes). A cell goes to the
// neighbour that has grown least. What is taken leaves s.open.
func (s *scratch) grow(c *heightfield.Compact, reg []ID, level int) {
	n := len(reg)
	nei, area, grown := c.Nei[:n], c.Area[:n], s.grown[:n]
	open := s.open
	for round := 0; len(open) > 0 && (level == 0 || round < growSteps); round++ {
		wave := s.wave[:0]
		keep := open[:0]
		for _, i := range open {
			if reg[i] != 0 {
				continue
			}
			best := claim{cell: i, far: 0xffff}
			a := area[i]
			for _, k := range nei[i] {
				if k < 0 {
					continue
				}
				if r := reg[k]; r != 0 && r&Border == 0 && area[k] == a {
					if far := min(grown[k], 0xfffc) + 2; far < best.far {
						best.id, best.far = r, far
					}
				}
			}
			if best.id != 0 {
				wave = append(wave, best)
			} else {
				keep = append(keep, i)
			}
		}
		for _, w := range wave {
			reg[w.cell], grown[w.cell] = w.id, w.far
		}
		s.wave = wave
		open = keep
		if len(wave) == 0 {
			break
		}
	}
	s.open = open
}

// pour starts region id at cell i and floods all that lies at the waterline or
// above. Cells beside another region are given back: they will be grown over.
// It reports whether any cell was kept.
func (s *scratch) pour(c *heightfield.Compact, reg []ID, i int32, id ID, waterline int) bool {
	n := len(reg)
	nei, area, dist, grown := c.Nei[:n], c.Area[:n], s.blur[:n], s.grown[:n]
	stack := append(s.flood[:0], i)
	reg[i], grown[i] = id, 0
	a := area[i]
	kept := false
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if besideOther(nei, area, reg, i, id, a) {
			reg[i] = 0
			continue
		}
		kept = true
		for _, k := range nei[i] {
			if k >= 0 && area[k] == a && reg[k] == 0 && int(dist[k]) >= waterline {
				reg[k], grown[k] = id, 0
				stack = append(stack, k)
			}
		}
	}
	s.flood = stack
	return kept
}

// besideOther reports whether one of the eight neighbours of cell i that can be
// reached within area a belongs to another region. Frame cells do not count: a
// strip along the frame is a region like any other.
func besideOther(nei [][4]int32, area []uint8, reg []ID, i int32, id ID, a uint8) bool {
	for dir, k := range nei[i] {
		if k < 0 || area[k] != a {
			continue
		}
		r := reg[k]
		if r&Border != 0 {
			continue
		}
		if r != 0 && r != id {
			return true
		}
		if k = nei[k][(dir+1)&3]; k >= 0 && area[k] == a {
			if r = reg[k]; r != 0 && r != id && r&Border == 0 {
				return true
			}
		}
	}
	return false
}
