package spangrid

import (
	"cmp"
	"slices"
)

// A TileRegions is what the regions of one tile show to the outside: how many
// there are inside, where each begins, and what lies along the four sides. It
// is what JoinRegions needs to know of the tile.
type TileRegions struct {
	Least []Place // least span of each local region, ascending
	Side  [4][]SideSpan
}

// Sides of a tile.
const (
	Left  = iota // lowest column
	Right        // highest column
	Lower        // lowest row
	Upper        // highest row
)

// A SideSpan is a span in the first or last row or column of a tile.
type SideSpan struct {
	Along int32 // row or column, counted from the tile's first
	H     float32
	Local uint32
}

// unionFind is a forest of sets whose roots are their least members.
type unionFind []int32

func (u *unionFind) reset(n int) {
	*u = sized(*u, n)
	for i := range *u {
		(*u)[i] = int32(i)
	}
}

func (u unionFind) find(i int32) int32 {
	for u[i] != i {
		u[i] = u[u[i]]
		i = u[i]
	}
	return i
}

func (u unionFind) join(a, b int32) {
	a, b = u.find(a), u.find(b)
	switch {
	case a < b:
		u[b] = a
	case b < a:
		u[a] = b
	}
}

// A Labeler finds the regions inside a window and keeps its scratch. It is for
// one goroutine.
type Labeler struct {
	set   unionFind
	name  []uint32
	start []int32
}

// Label returns, in dst[:0], the local region of each span of a window, and the
// number of regions: sets of spans joined by neighbouring cells and height
// differences up to the climb. They are numbered from 0 by their first spans.
func (l *Labeler) Label(dst []uint32, w Window, s *Spans, r *Rules) ([]uint32, int) {
	n := s.Len()
	l.set.reset(n)
	l.start = zeroed(l.start, w.Cells()+1)
	for _, c := range s.Cell {
		l.start[c+1]++
	}
	for c := range w.Cells() {
		l.start[c+1] += l.start[c]
	}
	climb := r.Climb
	for i, c := range s.Cell {
		if int(c)%w.NX+1 < w.NX {
			l.link(s, i, int(c)+1, climb)
		}
		if int(c)+w.NX < w.Cells() {
			l.link(s, i, int(c)+w.NX, climb)
		}
	}
	dst = sized(dst, n)
	l.name = sized(l.name, n)
	count := uint32(0)
	for i := range n {
		root := l.set.find(int32(i))
		if int(root) == i {
			l.name[i] = count
			count++
		}
		dst[i] = l.name[root]
	}
	return dst, int(count)
}

func (l *Labeler) link(s *Spans, i, cell int, climb float64) {
	h := float64(s.H[i])
	for k := l.start[cell]; k < l.start[cell+1]; k++ {
		d := float64(s.H[k]) - h
		if d > climb {
			return
		}
		if d >= -climb {
			l.set.join(int32(i), k)
		}
	}
}

// Outside returns what the labels of a tile show to the outside. The spans are
// those of the tile's own cells, the window w.
func Outside(w Window, s *Spans, label []uint32, count int) *TileRegions {
	t := &TileRegions{Least: make([]Place, 0, count)}
	for i, c := range s.Cell {
		x, y := int(c)%w.NX, int(c)/w.NX
		if int(label[i]) == len(t.Least) {
			t.Least = append(t.Least, Place{int32(w.GX + x), int32(w.GY + y), s.H[i]})
		}
		add := func(side, along int) {
			t.Side[side] = append(t.Side[side], SideSpan{int32(along), s.H[i], label[i]})
		}
		if x == 0 {
			add(Left, y)
		}
		if x == w.NX-1 {
			add(Right, y)
		}
		if y == 0 {
			add(Lower, x)
		}
		if y == w.NY-1 {
			add(Upper, x)
		}
	}
	return t
}

// JoinRegions joins the regions of tiles that stand in rows of nx; nil is a tile
// without spans. It returns the region of each local region of each tile, and the
// number of regions: they are numbered from 1 by their least spans, by row, column
// and height, which does not depend on the cut into tiles.
func JoinRegions(tiles []*TileRegions, nx int, r *Rules) (regions [][]uint32, count uint32) {
	base := make([]int32, len(tiles)+1)
	for i, t := range tiles {
		base[i+1] = base[i]
		if t != nil {
			base[i+1] += int32(len(t.Least))
		}
	}
	total := int(base[len(tiles)])
	var set unionFind
	set.reset(total)
	for i, t := range tiles {
		if t == nil {
			continue
		}
		if i%nx+1 < nx && tiles[i+1] != nil {
			joinSides(set, t.Side[Right], tiles[i+1].Side[Left], base[i], base[i+1], r.Climb)
		}
		if i+nx < len(tiles) && tiles[i+nx] != nil {
			joinSides(set, t.Side[Upper], tiles[i+nx].Side[Lower], base[i], base[i+nx], r.Climb)
		}
	}
	least := make([]Place, 0, total)
	for _, t := range tiles {
		if t != nil {
			least = append(least, t.Least...)
		}
	}
	roots := make([]int32, 0, total)
	for i := range total {
		root := set.find(int32(i))
		if int(root) == i {
			roots = append(roots, root)
		} else if ComparePlaces(least[i], least[root]) < 0 {
			least[root] = least[i]
		}
	}
	slices.SortFunc(roots, func(a, b int32) int { return ComparePlaces(least[a], least[b]) })
	name := make([]uint32, total)
	for i, root := range roots {
		name[root] = uint32(i + 1)
	}
	regions = make([][]uint32, len(tiles))
	for i := range tiles {
		regions[i] = make([]uint32, base[i+1]-base[i])
		for k := range regions[i] {
			regions[i][k] = name[set.find(base[i]+int32(k))]
		}
	}
	return regions, uint32(len(roots))
}

// joinSides joins what faces each other along a border of two tiles.
func joinSides(set unionFind, a, b []SideSpan, baseA, baseB int32, climb float64) {
	first := 0
	for i := range a {
		for first < len(b) && cmp.Compare(b[first].Along, a[i].Along) < 0 {
			first++
		}
		for k := first; k < len(b) && b[k].Along == a[i].Along; k++ {
			if d := float64(b[k].H) - float64(a[i].H); d >= -climb && d <= climb {
				set.join(baseA+int32(a[i].Local), baseB+int32(b[k].Local))
			}
		}
	}
}
