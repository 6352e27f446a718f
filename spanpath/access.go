package spanpath

// Costs of a step over a plane without heights, in hundredths of a cell.
const (
	planeStep     = 100
	planeDiagonal = 141
)

var planeCost = [8]int32{
	planeStep, planeStep, planeStep, planeStep,
	planeDiagonal, planeDiagonal, planeDiagonal, planeDiagonal,
}

// Access is a way over cells to ground of some kind.
type Access struct {
	Cells  []Cell // both ends included; none where the start is such ground
	Cost   int32  // hundredths of a cell, a diagonal step being 141
	Narrow uint16 // least squared clearance of the cells, the start included
	Near   []Cell // those no farther from the start than Cost and NearLimit, where the start is not such ground; in order of cost
}

// NearLimit is how far from the start the cells of [Access.Near] may be, in
// hundredths of a cell.
const NearLimit = 16 * planeStep

// Access finds the way from a cell to the nearest one that has all marks of
// target as well, over cells that have all of need. It looks at marks alone,
// neither at heights nor at the corners of diagonal steps: it is to say which
// cells to open for a search that looks at everything. Of equally long ways the
// one with the greatest least clearance counts, and then of two cells that could
// come before a third the first one by row and column.
//
// A limit other than 0 ends the search at the first cell, in order of cost, that
// is not target and costs as much. The start has to be in the mask only if it is
// not target. The method is Dijkstra's, time is that of n cells log n.
func (g *Ground) Access(from Cell, need, target uint16, limit int32, dst *Access) (found bool, err error) {
	*dst = Access{Cells: dst.Cells[:0], Near: dst.Near[:0]}
	p, c := g.at(int(from.X), int(from.Y))
	if c < 0 {
		return false, g.Err()
	}
	if p.marks[c]&target == target {
		dst.Narrow = p.Clr[c]
		return true, g.Err()
	}
	if p.marks[c]&need != need {
		return false, g.Err()
	}
	g.nextEpoch()
	g.enterCells(p)
	p.cells[c] = cellState{parent: none, stamp: g.epoch, narrow: p.Clr[c]}
	heap := &g.cellHeap
	*heap = (*heap)[:0]
	heap.push(accessEntry(0, p.Clr[c], g.number(int(from.X), int(from.Y))))
	for n := 1; len(*heap) > 0; n++ {
		if n%checkEvery == 0 && g.Err() != nil {
			break
		}
		e := heap.pop()
		gx, gy := g.numbered(e.cell)
		p, c := g.at(gx, gy)
		st := &p.cells[c]
		cost, narrow := int32(e.key>>16), 0xffff-uint16(e.key)
		if float64(cost) != st.cost || narrow != st.narrow {
			continue
		}
		if !found && p.marks[c]&target == target {
			found, limit = true, cost
			dst.Cost, dst.Narrow = cost, narrow
			dst.Cells = g.traceCells(dst.Cells, e.cell, nil)
		}
		if found && (cost > limit || cost > NearLimit) {
			break
		}
		if cost <= NearLimit {
			dst.Near = append(dst.Near, Cell{int32(gx), int32(gy)})
		}
		if found {
			continue // what is as far away has been reached
		}
		if limit != 0 && cost >= limit {
			break
		}
		for d := range 8 {
			if p.marks[c+stepCell[d]]&need != need {
				continue
			}
			q, cq := g.owner(p, c+stepCell[d])
			if cq < 0 {
				continue
			}
			g.enterCells(q)
			next := &q.cells[cq]
			to, width := float64(cost+planeCost[d]), min(narrow, q.Clr[cq])
			switch {
			case next.stamp != g.epoch || to < next.cost || to == next.cost && width > next.narrow:
				*next = cellState{cost: to, parent: e.cell, stamp: g.epoch, narrow: width}
				heap.push(accessEntry(cost+planeCost[d], width, g.number(gx+stepX[d], gy+stepY[d])))
			case to == next.cost && width == next.narrow && e.cell < next.parent && next.parent != none:
				next.parent = e.cell
			}
		}
	}
	if !found {
		dst.Near = dst.Near[:0]
	}
	return found, g.Err()
}

func accessEntry(cost int32, narrow uint16, cell uint32) cellEntry {
	return cellEntry{key: uint64(cost)<<16 | uint64(0xffff-narrow), cell: cell}
}

// traceCells appends the cells that lead to one, and the links among them.
func (g *Ground) traceCells(dst []Cell, end uint32, links *[]int) []Cell {
	for n := end; n != none; {
		gx, gy := g.numbered(n)
		dst = append(dst, Cell{int32(gx), int32(gy)})
		p, c := g.at(gx, gy)
		if via := p.cells[c].via; via != 0 {
			*links = append(*links, int(via-1))
		}
		n = p.cells[c].parent
	}
	reverse(dst)
	return dst
}
