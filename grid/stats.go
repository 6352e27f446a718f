package grid

// Stats describes a ground.
type Stats struct {
	W, H     int
	Passable int     // cells
	Share    float64 // of passable cells, 0 to 1
	// Width is the mean corridor width in cells: over all passable cells, the
	// shorter of the free stretches through the cell along its row and column.
	Width    float64
	Islands  int
	Largest  int // cells of the largest island
	Weighted bool
}

// Measure counts a ground, with islands as moves make them. O(cells).
func Measure(g Ground, moves Moves) (Stats, error) {
	var islands Islands
	if err := islands.Label(g, moves); err != nil {
		return Stats{}, err
	}
	w, h := g.Size()
	m, _ := g.ground()
	s := Stats{W: w, H: h, Islands: islands.Count(), Weighted: m.Weighted()}
	for i := 1; i <= s.Islands; i++ {
		s.Largest = max(s.Largest, islands.Size(i))
	}
	across := make([]int32, w*h) // free stretch along the row
	for y := range h {
		for x := 0; x < w; x++ {
			from := x
			for x < w && islands.labels[y*w+x] != 0 {
				x++
			}
			for i := from; i < x; i++ {
				across[y*w+i] = int32(x - from)
			}
		}
	}
	sum := int64(0)
	for x := range w {
		for y := 0; y < h; y++ {
			from := y
			for y < h && islands.labels[y*w+x] != 0 {
				y++
			}
			for i := from; i < y; i++ {
				sum += int64(min(across[i*w+x], int32(y-from)))
			}
			s.Passable += y - from
		}
	}
	s.Share = float64(s.Passable) / float64(w*h)
	if s.Passable > 0 {
		s.Width = float64(sum) / float64(s.Passable)
	}
	return s, nil
}
