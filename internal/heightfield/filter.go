package heightfield

// noCeiling is the height of the open sky, above every voxel by more than any
// headroom.
const noCeiling = 4 * MaxHeight

// column returns the spans of column c, bottom to top.
func (s *Solid) column(c int) []Span { return s.Spans[s.Start[c]:s.Start[c+1]] }

// FilterLowHanging makes obstacles walkable that a body steps onto without
// noticing: an unwalkable span whose top is at most climb voxels above the top
// of a walkable span directly below takes that one's area. Curbs, low beams
// and the undersides of stair treads become ground.
//
// Walkable means: before this filter. A pile of obstacles is therefore not
// climbed one by one. Time is linear in the spans.
func (s *Solid) FilterLowHanging(climb int) {
	for c := range s.W * s.D {
		col := s.column(c)
		below := Unwalkable // area of the span below before the filter
		for i := range col {
			area := col[i].Area
			if area == Unwalkable && below != Unwalkable && int(col[i].Max)-int(col[i-1].Max) <= climb {
				col[i].Area = below
			}
			below = area
		}
	}
}

// FilterLedges makes walkable spans unwalkable that end at a drop or belong to
// a slope too steep to stand on, so that the mesh keeps away from edges.
//
// A neighbour column offers the floors that are open to the span: those with
// at least height voxels in common between both floors and both ceilings. A
// span is a ledge when
//   - the lowest floor open to it, over all four sides, lies more than climb
//     voxels below, or a side is open all the way down, or
//   - the floors open to it and within climb of it differ by more than climb
//     from one another (the span itself among them).
//
// Outside the grid everything is a drop. Both limits are inclusive: a drop of
// exactly climb is a step. Time is linear in the spans where columns are short.
func (s *Solid) FilterLedges(height, climb int) {
	climb = min(max(climb, 0), MaxHeight)
	height = max(height, 1)
	c := 0
	for z := range s.D {
		for x := range s.W {
			col := s.column(c)
			for i := range col {
				if col[i].Area == Unwalkable {
					continue
				}
				if x == 0 || z == 0 || x == s.W-1 || z == s.D-1 || s.ledge(c, col, i, height, climb) {
					col[i].Area = Unwalkable
				}
			}
			c++
		}
	}
}

// ledge reports whether span i of column c, which has four neighbours, is one.
// It reads no areas, so the order of the spans does not matter.
func (s *Solid) ledge(c int, col []Span, i, height, climb int) bool {
	floor, ceiling := int(col[i].Max), noCeiling
	if i+1 < len(col) {
		ceiling = int(col[i+1].Min)
	}
	low, high := floor, floor // floors within climb
	for _, n := range [4]int{c - 1, c + s.W, c + 1, c - s.W} {
		nei := s.column(n)
		// The space below the lowest span has no floor at all.
		top := noCeiling
		if len(nei) > 0 {
			top = int(nei[0].Min)
		}
		if min(ceiling, top)-floor >= height {
			return true
		}
		for k := range nei {
			f := int(nei[k].Max)
			if ceiling-f < height {
				break // this one and all above it are shut off by the ceiling
			}
			top = noCeiling
			if k+1 < len(nei) {
				top = int(nei[k+1].Min)
			}
			if min(ceiling, top)-max(floor, f) < height {
				continue
			}
			if f < floor-climb {
				return true
			}
			if f > floor+climb {
				break
			}
			low, high = min(low, f), max(high, f)
		}
	}
	return high-low > climb
}

// FilterLowHeight makes walkable spans unwalkable that have fewer than height
// voxels of open space above them.
func (s *Solid) FilterLowHeight(height int) {
	for c := range s.W * s.D {
		col := s.column(c)
		for i := range col[:max(len(col)-1, 0)] {
			if int(col[i+1].Min)-int(col[i].Max) < height {
				col[i].Area = Unwalkable
			}
		}
	}
}
