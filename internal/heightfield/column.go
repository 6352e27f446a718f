package heightfield

import "slices"

// scatter brings the band's raw spans into column order, in s.sorted.
// Afterwards the spans of column c end at s.count[c] and begin where those of
// the column before end.
func (s *scratch) scatter() {
	if cap(s.sorted) < len(s.raw) {
		s.sorted = make([]uint64, len(s.raw)+len(s.raw)/4)
	}
	sorted := s.sorted[:len(s.raw)]
	sum := uint32(0)
	for c, n := range s.count {
		s.count[c] = sum
		sum += n
	}
	for _, v := range s.raw {
		at := &s.count[v>>rawCol]
		sorted[*at] = v
		*at++
	}
	s.sorted = sorted
}

// sortRaw sorts the spans of a column; most columns have a handful.
func sortRaw(v []uint64) {
	if len(v) > 24 {
		slices.Sort(v)
		return
	}
	for i := 1; i < len(v); i++ {
		x := v[i]
		k := i
		for k > 0 && v[k-1] > x {
			v[k] = v[k-1]
			k--
		}
		v[k] = x
	}
}

// cluster returns the length of the run of touching spans that v, sorted and
// not empty, begins with, and the top of the run.
func cluster(v []uint64) (n int, top uint64) {
	top = v[0] >> rawMax & rawMask
	n = 1
	for n < len(v) && v[n]>>rawMin&rawMask <= top {
		top = max(top, v[n]>>rawMax&rawMask)
		n++
	}
	return n, top
}

// merge turns the band's raw spans into spans of the result.
func (s *scratch) merge(b int) {
	s.scatter()
	j := s.job
	cols := (s.row1 - s.row0) * j.grid.W
	start := j.start[s.row0*j.grid.W+1:][:cols]
	out := s.merged
	begin := uint32(0)
	for c, end := range s.count[:cols] {
		col := s.sorted[begin:end]
		begin = end
		if len(col) > 1 {
			sortRaw(col)
		}
		before := len(out)
		for len(col) > 0 {
			n, top := cluster(col)
			area := uint8(col[0])
			if n > 1 {
				area = s.topArea(col[:n], top)
			}
			out = append(out, Span{
				Min:  uint16(col[0] >> rawMin),
				Max:  uint16(top),
				Area: area,
			})
			col = col[n:]
		}
		start[c] = uint32(len(out) - before)
	}
	j.out[b] = bandOut{s.worker, len(s.merged), len(out)}
	s.merged = out
}

// topArea returns the greatest area code among spans whose top is close enough
// to the cluster's.
func (s *scratch) topArea(v []uint64, top uint64) uint8 {
	var area uint8
	for _, r := range v {
		if r>>rawMax&rawMask+uint64(s.job.mergeClimb) >= top {
			area = max(area, uint8(r))
		}
	}
	return area
}

// reduce shrinks the raw spans of a band where thousands of triangles overlap,
// without changing what they will merge to: of a cluster of touching spans only
// its extent and, for each area code, the highest top with it can matter.
func (s *scratch) reduce() {
	s.scatter()
	s.raw = s.raw[:0]
	begin := uint32(0)
	var tops [256]uint16 // highest top per area code, 0 for none
	for c, end := range s.count {
		col := s.sorted[begin:end]
		begin = end
		s.count[c] = 0
		sortRaw(col)
		for len(col) > 0 {
			n, _ := cluster(col)
			for _, r := range col[:n] {
				tops[uint8(r)] = max(tops[uint8(r)], uint16(r>>rawMax))
			}
			// A lower area code counts only where it reaches higher.
			highest := uint16(0)
			for a := 255; a >= 0; a-- {
				top := tops[a]
				tops[a] = 0
				if top > highest {
					highest = top
					s.raw = append(s.raw, col[0]>>rawMin<<rawMin|uint64(top)<<rawMax|uint64(a))
					s.count[c]++
				}
			}
			col = col[n:]
		}
	}
	// What is left cannot be reduced further.
	s.limit = max(s.job.rawLimit, 2*len(s.raw))
}
