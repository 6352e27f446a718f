package spangrid

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Regions are the connected components of spans: two are linked when their
// cells share a side and their heights differ by at most the climb. Links go
// both ways. A zone is labelled tile by tile, and then the tiles are joined
// along their borders.

// A Place is a span: a cell of the zone and a height. Places are ordered by row,
// column and height.
type Place struct {
	GX, GY int32
	H      float32
}

// Compare orders places by row, then column, then height.
func (p Place) Compare(q Place) int {
	return cmp.Or(cmp.Compare(p.GY, q.GY), cmp.Compare(p.GX, q.GX), cmp.Compare(p.H, q.H))
}

// A BorderSpan is a span in one of the four outermost lines of a tile.
type BorderSpan struct {
	At     int32 // column or row along the border, counted in the tile
	H      float32
	Region uint32 // local region
}

// The borders of a tile, in the order of [TileRegions.Border].
const (
	Low  = iota // first column
	High        // last column
	Near        // first row
	Far         // last row
)

// TileRegions are the regions of a tile taken by itself, numbered from 0 in
// the order of their least spans, and what joins them to those of other tiles.
// The zero value is ready, and may be reused.
type TileRegions struct {
	Window
	Region []uint32        // of each span
	First  []Place         // least span of each region
	Border [4][]BorderSpan // spans of the outermost lines, by place

	parent []int32
}

// LabelTile finds the regions of a tile from its spans, which are ordered by
// cell and height. Time is nearly linear in the spans, as long as the columns
// are not much denser than those of merged samples.
func LabelTile(t *TileRegions, w Window, cell []int32, h []float32, climb float64) {
	t.Window = w
	t.link(cell, h, climb)
	t.Region = sized(t.Region, len(cell))
	t.First = t.First[:0]
	for b := range t.Border {
		t.Border[b] = t.Border[b][:0]
	}
	for i, p := range t.parent {
		// Parents come before their children, so theirs is known.
		if int(p) != i {
			t.Region[i] = t.Region[p]
			continue
		}
		t.Region[i] = uint32(len(t.First))
		gx, gy := w.At(int(cell[i]))
		t.First = append(t.First, Place{int32(gx), int32(gy), h[i]})
	}
	t.borders(cell, h)
}

// link joins the spans of neighbouring cells.
func (t *TileRegions) link(cell []int32, h []float32, climb float64) {
	t.parent = sized(t.parent, len(cell))
	for i := range t.parent {
		t.parent[i] = int32(i)
	}
	below := 0 // first span of the cell one row on, or of the next after it
	nx := int32(t.NX)
	for a := 0; a < len(cell); {
		c := cell[a]
		end := a + 1
		for end < len(cell) && cell[end] == c {
			end++
		}
		for below < len(cell) && cell[below] < c+nx {
			below++
		}
		if end < len(cell) && cell[end] == c+1 && (c+1)%nx != 0 {
			t.linkColumns(h, a, end, end, columnEnd(cell, end), climb)
		}
		if below < len(cell) && cell[below] == c+nx {
			t.linkColumns(h, a, end, below, columnEnd(cell, below), climb)
		}
		a = end
	}
}

func columnEnd(cell []int32, i int) int {
	end := i + 1
	for end < len(cell) && cell[end] == cell[i] {
		end++
	}
	return end
}

// linkColumns joins the spans a..aEnd of a cell and b..bEnd of a neighbour.
func (t *TileRegions) linkColumns(h []float32, a, aEnd, b, bEnd int, climb float64) {
	for ; a < aEnd; a++ {
		for b < bEnd && float64(h[a])-float64(h[b]) > climb {
			b++
		}
		for k := b; k < bEnd && float64(h[k])-float64(h[a]) <= climb; k++ {
			union(t.parent, int32(a), int32(k))
		}
	}
}

// union joins two sets of a forest in which no parent is greater than its
// child, so that a root is the least of its set.
func union(parent []int32, a, b int32) {
	a, b = root(parent, a), root(parent, b)
	if a < b {
		parent[b] = a
	} else {
		parent[a] = b
	}
}

// root halves the path on the way.
func root(parent []int32, a int32) int32 {
	for parent[a] != a {
		parent[a] = parent[parent[a]]
		a = parent[a]
	}
	return a
}

// borders collects the spans of the outermost lines.
func (t *TileRegions) borders(cell []int32, h []float32) {
	nx, ny := int32(t.NX), int32(t.NY)
	for i, c := range cell {
		x, y := c%nx, c/nx
		if x == 0 {
			t.Border[Low] = append(t.Border[Low], BorderSpan{y, h[i], t.Region[i]})
		}
		if x == nx-1 {
			t.Border[High] = append(t.Border[High], BorderSpan{y, h[i], t.Region[i]})
		}
		if y == 0 {
			t.Border[Near] = append(t.Border[Near], BorderSpan{x, h[i], t.Region[i]})
		}
		if y == ny-1 {
			t.Border[Far] = append(t.Border[Far], BorderSpan{x, h[i], t.Region[i]})
		}
	}
}

// maxRegions is how many local regions can be joined.
const maxRegions = math.MaxInt32

// A TooManyRegionsError says that the tiles of a zone have more regions than
// can be numbered.
type TooManyRegionsError struct{ Regions int }

func (e *TooManyRegionsError) Error() string {
	return fmt.Sprintf("spangrid: %d regions in the tiles of a zone, at most %d can be numbered", e.Regions, maxRegions)
}

// JoinRegions joins the regions of the tiles of a zone. It returns for each tile
// and each of its regions the region of the zone, and how many there are. Those
// of the zone are numbered from 1 in the order of their least spans, whatever
// the order of the tiles and the way the zone was cut.
//
// Tiles are cut by lines that run through the whole zone; where a tile is
// missing, there are no spans. Of each tile only Window, First and Border are
// read. The only error is *[TooManyRegionsError].
func JoinRegions(tiles []*TileRegions, climb float64) (regions [][]uint32, n int, err error) {
	return joinRegions(tiles, climb, maxRegions)
}

func joinRegions(tiles []*TileRegions, climb float64, limit int) ([][]uint32, int, error) {
	base := make([]int32, len(tiles)) // number of each tile's first region
	total := 0
	for i, t := range tiles {
		base[i] = int32(min(total, maxRegions))
		total += len(t.First)
	}
	if total > limit {
		return nil, 0, &TooManyRegionsError{total}
	}
	parent := make([]int32, total)
	for i := range parent {
		parent[i] = int32(i)
	}
	at := make(map[[2]int]int, len(tiles))
	for i, t := range tiles {
		at[[2]int{t.GX, t.GY}] = i
	}
	for i, t := range tiles {
		if j, ok := at[[2]int{t.GX + t.NX, t.GY}]; ok {
			linkBorders(parent, base[i], t.Border[High], base[j], tiles[j].Border[Low], climb)
		}
		if j, ok := at[[2]int{t.GX, t.GY + t.NY}]; ok {
			linkBorders(parent, base[i], t.Border[Far], base[j], tiles[j].Border[Near], climb)
		}
	}
	return number(tiles, base, parent)
}

// linkBorders joins the regions on two lines that face each other.
func linkBorders(parent []int32, baseP int32, p []BorderSpan, baseQ int32, q []BorderSpan, climb float64) {
	first := 0
	for _, a := range p {
		for first < len(q) && (q[first].At < a.At || q[first].At == a.At && float64(a.H)-float64(q[first].H) > climb) {
			first++
		}
		for _, b := range q[first:] {
			if b.At != a.At || float64(b.H)-float64(a.H) > climb {
				break
			}
			union(parent, baseP+int32(a.Region), baseQ+int32(b.Region))
		}
	}
}

// number gives each set of the forest its number.
func number(tiles []*TileRegions, base, parent []int32) ([][]uint32, int, error) {
	type set struct {
		least Place
		root  int32
	}
	index := make([]int32, len(parent)) // of a root's set
	var sets []set
	for i, t := range tiles {
		for k, first := range t.First {
			me := base[i] + int32(k)
			r := root(parent, me)
			if r == me { // before all others of its set
				index[me] = int32(len(sets))
				sets = append(sets, set{first, me})
			} else if s := &sets[index[r]]; first.Compare(s.least) < 0 {
				s.least = first
			}
		}
	}
	slices.SortFunc(sets, func(a, b set) int { return a.least.Compare(b.least) })
	for n, s := range sets {
		index[s.root] = int32(n + 1)
	}
	regions := make([][]uint32, len(tiles))
	for i, t := range tiles {
		regions[i] = make([]uint32, len(t.First))
		for k := range regions[i] {
			regions[i][k] = uint32(index[root(parent, base[i]+int32(k))])
		}
	}
	return regions, len(sets), nil
}

// Flood appends to dst[:0] the numbers of the spans in the region of a span, the
// seed first, in the order in which a breadth-first search meets them. It needs
// no labels, and memory for the spans of the table.
func Flood(dst []int32, t *Columns, seed int, climb float64) []int32 {
	seen := make([]bool, len(t.H))
	seen[seed] = true
	dst = append(dst[:0], int32(seed))
	for n := 0; n < len(dst); n++ {
		i := int(dst[n])
		gx, gy := t.At(int(t.Cell[i]))
		for _, d := range neighbours8[:4] {
			if !t.Has(gx+d[0], gy+d[1]) {
				continue
			}
			a, b := t.Range(t.Window.Cell(gx+d[0], gy+d[1]))
			for k := a; k < b; k++ {
				if !seen[k] && math.Abs(float64(t.H[k])-float64(t.H[i])) <= climb {
					seen[k] = true
					dst = append(dst, int32(k))
				}
			}
		}
	}
	return dst
}
