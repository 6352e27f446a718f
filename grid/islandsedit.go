package grid

// Update makes the labels what Label would make them. Where it knows them from
// an earlier version of the ground, and the edits since then neither join nor
// part islands nor move the first cell of one, it changes the labels of the
// edited cells alone; whether they do is decided from the cells around each.
// Else it labels anew.
func (s *Islands) Update(g Ground, moves Moves) error {
	if s.Current(g, moves) {
		return nil
	}
	if s.ground == nil || s.ground != g || s.moves != moves {
		return s.Label(g, moves)
	}
	m, over := g.ground()
	edited, ok := m.log.since(s.edits[0])
	if over != nil && ok {
		var more []Cell
		if more, ok = over.log.since(s.edits[1]); ok {
			edited = append(edited[:len(edited):len(edited)], more...)
		}
	}
	if !ok {
		return s.Label(g, moves)
	}
	for _, c := range edited {
		// The labels are those of some ground between the two versions all the
		// way; the order in which the differences go does not matter.
		at := c.Y*s.w + c.X
		switch passable := g.Passable(c); {
		case passable == (s.labels[at] != 0):
		case passable && !s.open(c, at), !passable && !s.close(c, at):
			return s.Label(g, moves)
		}
	}
	s.version, s.edits = g.Version(), editsOf(g)
	return nil
}

// ring lists the cells around a cell in order; of hexagons the first six, by
// the row's parity.
var ring = [8]Cell{{-1, -1}, {0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}}

var hexRing = [2][6]Cell{
	{{-1, -1}, {0, -1}, {1, 0}, {0, 1}, {-1, 1}, {-1, 0}},
	{{0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 0}},
}

// around returns the labels of the cells around one, in order, and of which of
// them a way leads to it, as islands go.
func (s *Islands) around(c Cell) (labels [8]int32, touch [8]bool, n int) {
	list := ring[:]
	if s.moves.Neighbours == Six {
		list = hexRing[c.Y&1][:]
	}
	always := s.moves.Neighbours == Six || s.moves.Neighbours == Eight && s.moves.Corners == Always
	for i, d := range list {
		labels[i] = int32(s.Of(Cell{c.X + d.X, c.Y + d.Y}))
		touch[i] = labels[i] != 0 && (always || d.X == 0 || d.Y == 0)
	}
	return labels, touch, len(list)
}

// open labels a cell that was opened; it fails where that makes an island, joins
// two, or gives one an earlier first cell.
func (s *Islands) open(c Cell, at int32) bool {
	labels, touch, n := s.around(c)
	label := int32(0)
	for i := range n {
		if touch[i] && label == 0 {
			label = labels[i]
		} else if touch[i] && labels[i] != label {
			return false
		}
	}
	if label == 0 || at < s.first[label] {
		return false
	}
	s.labels[at] = label
	s.sizes[label]++
	s.sizes[0]--
	return true
}

// close takes the label off a cell that was blocked; it fails where that may
// part the island, end it, or take its first cell: where the cells around that
// touch it do not all hang together without it, going round.
func (s *Islands) close(c Cell, at int32) bool {
	label := s.labels[at]
	labels, touch, n := s.around(c)
	if at == s.first[label] {
		return false
	}
	if s.moves.Neighbours == Eight && s.moves.Corners == Always {
		// Cells on both sides of a corner of the ring touch past it.
		for i := 1; i < n; i += 2 {
			if next := (i + 2) % n; labels[i] != 0 && labels[next] != 0 {
				labels[(i+1)%n] = label
			}
		}
	}
	// Stretches of the ring without a break; those that nothing of touches the
	// cell do not matter. A corner of the ring alone touches the cell only
	// under Always.
	stretches, touched, some := 0, false, false
	start := 0 // behind a break, if there is one
	for start < n && labels[start] != 0 {
		start++
	}
	for k := range n {
		i := (start + k) % n
		if labels[i] == 0 {
			touched = false
			continue
		}
		if touch[i] {
			some = true
			if !touched {
				stretches++
				touched = true
			}
		}
	}
	if !some || stretches > 1 {
		return false
	}
	s.labels[at] = 0
	s.sizes[label]--
	s.sizes[0]++
	return true
}
