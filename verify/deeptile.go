package verify

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"wend/pack"
	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// The rules of a tile's records; those from ruleNoGraph on are of its columns.
const (
	ruleOrder = iota
	ruleHeights
	ruleFill
	ruleRegion
	ruleAdded
	ruleAlone
	ruleMask
	ruleSame
	ruleGate
	ruleSmooth
	ruleNoGraph
	ruleComponent
	ruleSteps2
	ruleSeg
	ruleMedial
	ruleSameFields
	ruleCount
)

var ruleKinds = [ruleCount]error{
	ruleOrder: pack.ErrOrder, ruleHeights: pack.ErrDuplicate, ruleFill: pack.ErrRange, ruleRegion: pack.ErrRange, ruleAdded: pack.ErrRange,
	ruleAlone: pack.ErrDuplicate, ruleMask: pack.ErrRange, ruleSame: pack.ErrRange, ruleGate: pack.ErrRange, ruleSmooth: pack.ErrRange,
	ruleNoGraph: pack.ErrMissing, ruleComponent: pack.ErrRange, ruleSteps2: pack.ErrRange, ruleSeg: pack.ErrRange,
	ruleMedial: pack.ErrRange, ruleSameFields: pack.ErrRange,
}

// deepScratch is what one goroutine keeps from tile to tile.
type deepScratch struct {
	broken  [ruleCount]breach
	number  []int32 // of the records at hand in their tile
	heights []float32
	cells   []regionCell
}

// breach is the number of the first record that breaks a rule, and how many do.
type breach struct {
	n, record int
	text      string
}

// regionCell is a region in a cell.
type regionCell struct {
	cell   int32
	region uint32
	record int
	clr    uint16
	core   bool
}

// broke notes that record k breaks a rule.
func (s *deepScratch) broke(rule, k int, format string, args ...any) {
	b := &s.broken[rule]
	if b.n == 0 {
		b.record, b.text = int(s.number[k]), fmt.Sprintf(format, args...)
	}
	b.n++
}

// tile checks the owned records of a tile and notes what the zone as a whole
// has to know. number is the place of each record in its tile; cols is nil
// where there are none.
func (z *deepZone) tile(s *deepScratch, tile int, recs []bnav.Record, number []int32, cols *bnvf.Columns) (onGrid, onField []Fault) {
	s.broken, s.number = [ruleCount]breach{}, number
	t := &z.gz.Tiles[tile]
	if k := firstUnsorted(recs); k > 0 {
		if z.d.own {
			a, b := &recs[k-1], &recs[k]
			s.broke(ruleOrder, k, "region %d at %v in cell %d, after region %d at %v in cell %d", b.Region, b.H, b.Cell, a.Region, a.H, a.Cell)
		}
		sort.Stable(&byCell{recs, number, cols})
	}
	for k := range recs {
		z.checkRecord(s, k, &recs[k])
		if cols != nil {
			z.checkFields(s, k, &recs[k], cols)
		}
	}
	s.checkCells(recs, cols, z.d.own)
	s.checkSmooth(t)
	z.collect(s, tile, recs, cols)

	for rule := range s.broken {
		b := &s.broken[rule]
		if b.n == 0 {
			continue
		}
		text := b.text
		if b.n > 1 {
			text += fmt.Sprintf(" (and %d more in this tile)", b.n-1)
		}
		where := pack.Where{File: z.d.p.Name, Section: "BGRD", Zone: z.gz.Name}
		if rule < ruleNoGraph {
			where = where.In("tile", tile).In("record", b.record)
			onGrid = append(onGrid, newFault(where.File, where.At(z.d.p.Grid.TileOffset(z.grid, tile), ruleKinds[rule], "%s", text)))
			continue
		}
		where.File, where.Section = z.d.f.Name, "FSPN"
		where = where.In("tile", tile).In("record", b.record)
		onField = append(onField, newFault(where.File, where.At(z.d.f.Zones[z.side].TileOffset(tile), ruleKinds[rule], "%s", text)))
	}
	return onGrid, onField
}

// compareRecords orders the records of a tile by cell, region and height.
func compareRecords(a, b *bnav.Record) int {
	return cmp.Or(cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Region, b.Region), cmp.Compare(a.H, b.H))
}

// firstUnsorted returns the first record that does not come after the one
// before it, 0 where there is none.
func firstUnsorted(recs []bnav.Record) int {
	for k := 1; k < len(recs); k++ {
		if compareRecords(&recs[k-1], &recs[k]) >= 0 {
			return k
		}
	}
	return 0
}

// byCell sorts records with their numbers and columns.
type byCell struct {
	recs   []bnav.Record
	number []int32
	cols   *bnvf.Columns // nil for none
}

func (s *byCell) Len() int           { return len(s.recs) }
func (s *byCell) Less(i, j int) bool { return compareRecords(&s.recs[i], &s.recs[j]) < 0 }

func (s *byCell) Swap(i, j int) {
	s.recs[i], s.recs[j] = s.recs[j], s.recs[i]
	s.number[i], s.number[j] = s.number[j], s.number[i]
	if c := s.cols; c != nil {
		c.Component[i], c.Component[j] = c.Component[j], c.Component[i]
		c.StepsXor[i], c.StepsXor[j] = c.StepsXor[j], c.StepsXor[i]
		c.Seg[i], c.Seg[j] = c.Seg[j], c.Seg[i]
		c.Tax[i], c.Tax[j] = c.Tax[j], c.Tax[i]
		c.ClrDrop[i], c.ClrDrop[j] = c.ClrDrop[j], c.ClrDrop[i]
		c.Medial[i], c.Medial[j] = c.Medial[j], c.Medial[i]
	}
}

// checkRecord checks a record alone.
func (z *deepZone) checkRecord(s *deepScratch, k int, r *bnav.Record) {
	if r.Region == 0 {
		s.broke(ruleRegion, k, "region 0, numbers start at 1")
	}
	if added := r.Flags & (bnav.Ghost | bnav.Fill); added == bnav.Ghost|bnav.Fill || added != 0 && r.Flags&bnav.Dead != 0 {
		s.broke(ruleAdded, k, "flags %#02x: a ghost, a fill and a dead surface are three different things", r.Flags)
	}
	if z.d.own && r.Flags&bnav.Fill != 0 {
		s.broke(ruleFill, k, "flags %#02x: a fill, which our bake does not make", r.Flags)
	}
	walk, core := r.Flags&bnav.Walk != 0, r.Flags&bnav.Core != 0
	if walk != core || core != (r.Clr > 0) {
		s.broke(ruleMask, k, "flags %#02x with clearance %d: walk, core and a clearance go together", r.Flags, r.Clr)
	}
	// Bits 0, 2, 4, 6 forbid the way there, the bit above each the way back.
	if both := r.Steps & (r.Steps >> 1) & 0x55; both != 0 {
		s.broke(ruleGate, k, "steps %#02x forbid a direction there and back", r.Steps)
	}
}

// checkFields checks the fields of a record.
func (z *deepZone) checkFields(s *deepScratch, k int, r *bnav.Record, cols *bnvf.Columns) {
	if z.graphs != nil {
		n, ok := uint32(0), false
		if int(r.Region) < len(z.regions) {
			n = z.slot[r.Region+1] - z.slot[r.Region]
			ok = n > 0
		}
		c := cols.Component[k]
		switch fill := r.Flags&bnav.Fill != 0; {
		case !ok:
			s.broke(ruleNoGraph, k, "region %d has no component graph", r.Region)
		case fill && c != 0:
			s.broke(ruleComponent, k, "component %d of a fill, want 0", c)
		case !fill && (c == 0 || c > n):
			s.broke(ruleComponent, k, "component %d in region %d, want 1 to %d", c, r.Region, n)
		}
	}
	if steps2 := cols.StepsXor[k] ^ r.Steps; steps2&^r.Steps != 0 {
		s.broke(ruleSteps2, k, "re-judged steps %#02x forbid more than the main pack, %#02x", steps2, r.Steps)
	}
	for i := range 2 {
		if cols.Seg[k]>>i&1 != 0 && r.Steps>>(2*i)&3 == 0 {
			s.broke(ruleSeg, k, "facade in direction %d, where no step is forbidden (%#02x)", i, r.Steps)
		}
	}
	clr := r.Clr - cols.ClrDrop[k] // not below 0: checked before
	if cols.Medial[k] != 0 && (clr == 0 || clr >= z.mostClr) {
		s.broke(ruleMedial, k, "clearance %d on the medial axis, want 1 to %d", clr, z.mostClr-1)
	}
}

// checkCells checks what the records of a cell, and those of a region in it,
// are to one another, and lists the regions of the cells.
func (s *deepScratch) checkCells(recs []bnav.Record, cols *bnvf.Columns, own bool) {
	const mask = bnav.Walk | bnav.Core
	s.cells = s.cells[:0]
	for from := 0; from < len(recs); {
		to := from + 1
		for to < len(recs) && recs[to].Cell == recs[from].Cell {
			to++
		}
		if own {
			s.checkHeights(from, recs[from:to])
		}
		first := from // of the region
		for k := from; k < to; k++ {
			r, a := &recs[k], &recs[first]
			if k == from || r.Region != a.Region {
				first = k
				s.cells = append(s.cells, regionCell{r.Cell, r.Region, k, r.Clr, r.Flags&bnav.Core != 0})
				continue
			}
			if (r.Flags|a.Flags)&(bnav.Ghost|bnav.Fill) != 0 {
				s.broke(ruleAlone, k, "flags %#02x beside %#02x: a region has a ghost or fill where it has nothing else", r.Flags, a.Flags)
			}
			if r.Flags&mask != a.Flags&mask || r.Clr != a.Clr || r.Steps != a.Steps {
				s.broke(ruleSame, k, "flags %#02x, clearance %d, steps %#02x, but %#02x, %d, %#02x in the same cell of region %d",
					r.Flags, r.Clr, r.Steps, a.Flags, a.Clr, a.Steps, r.Region)
			}
			if cols != nil && (cols.StepsXor[k] != cols.StepsXor[first] || cols.Seg[k] != cols.Seg[first] || cols.Tax[k] != cols.Tax[first] ||
				cols.ClrDrop[k] != cols.ClrDrop[first] || cols.Medial[k] != cols.Medial[first]) {
				s.broke(ruleSameFields, k, "fields differ from those of the same cell of region %d", r.Region)
			}
		}
		from = to
	}
}

// checkHeights checks that the surfaces of a cell that are really there have
// different heights. from is the number of its first record.
func (s *deepScratch) checkHeights(from int, cell []bnav.Record) {
	if len(cell) == 1 {
		return
	}
	s.heights = s.heights[:0]
	for k := range cell {
		if cell[k].Flags&(bnav.Ghost|bnav.Fill) == 0 {
			s.heights = append(s.heights, cell[k].H)
		}
	}
	slices.Sort(s.heights)
	for i := 1; i < len(s.heights); i++ {
		if s.heights[i] == s.heights[i-1] {
			s.broke(ruleHeights, from, "two surfaces at %v in cell %d", s.heights[i], cell[0].Cell)
		}
	}
}

// checkSmooth compares the clearances of neighbouring cells of a region. The
// list is sorted by cell and region, and stays so when all cells are moved by
// a step: one pass finds all neighbours.
func (s *deepScratch) checkSmooth(t *bnav.Tile) {
	for _, step := range [2]int32{1, t.NX} {
		j := 0
		for i := range s.cells {
			a := &s.cells[i]
			if !a.core || step == 1 && a.cell%t.NX == t.PX1 {
				continue
			}
			for j < len(s.cells) && (s.cells[j].cell < a.cell+step || s.cells[j].cell == a.cell+step && s.cells[j].region < a.region) {
				j++
			}
			if j == len(s.cells) {
				break
			}
			if b := &s.cells[j]; b.cell == a.cell+step && b.region == a.region && b.core && !smooth(a.clr, b.clr) {
				s.broke(ruleSmooth, a.record, "clearance %d beside %d of the same region: distances differ by more than a cell", a.clr, b.clr)
			}
		}
	}
}

// collect notes what the zone has to know of a tile.
func (z *deepZone) collect(s *deepScratch, tile int, recs []bnav.Record, cols *bnvf.Columns) {
	t := &z.gz.Tiles[tile]
	at := func(r *bnav.Record) (gx, gy int32) { return t.GX0 + r.Cell%t.NX, t.GY0 + r.Cell/t.NX }
	z.mu.Lock()
	defer z.mu.Unlock()
	for k := range recs {
		r := &recs[k]
		gx, gy := at(r)
		p := place{gy, gx, r.H}
		if r.Flags&(bnav.Ghost|bnav.Fill) == 0 && int(r.Region) < len(z.regions) {
			z.regions.add(r.Region, p)
		}
		if cols != nil && z.graphs != nil && int(r.Region) < len(z.regions) && r.Flags&bnav.Fill == 0 {
			first := z.slot[r.Region]
			if c := cols.Component[k]; c > 0 && c <= z.slot[r.Region+1]-first {
				z.components.add(first+c-1, p)
			}
		}
	}
	for i := range s.cells {
		c := &s.cells[i]
		x, y := c.cell%t.NX, c.cell/t.NX
		if x == t.PX0 || x == t.PX1 || y == t.PY0 || y == t.PY1 {
			z.border = append(z.border, borderCell{t.GY0 + y, t.GX0 + x, c.region, int32(tile), c.clr, c.core})
		}
	}
	x0, x1, y0, y1 := t.GX0+t.PX0, t.GX0+t.PX1, t.GY0+t.PY0, t.GY0+t.PY1
	i, _ := slices.BinarySearchFunc(z.openings, y0, func(o bnvf.Opening, y int32) int { return cmp.Compare(o.GY, y) })
	for ; i < len(z.openings) && z.openings[i].GY <= y1; i++ {
		o := &z.openings[i]
		if o.GX < x0 || o.GX > x1 {
			continue
		}
		from, to := cellOf(recs, (o.GY-t.GY0)*t.NX+o.GX-t.GX0)
		for k := from; k < to; k++ {
			if math.Float32bits(recs[k].H) != math.Float32bits(o.H) {
				continue
			}
			state := uint8(openGood)
			if recs[k].Flags&bnav.Core != 0 {
				state = openCore
			}
			z.opened[i] = max(z.opened[i], state)
		}
	}
	i, _ = slices.BinarySearchFunc(z.sides, y0, func(l landingSide, y int32) int { return cmp.Compare(l.gy, y) })
	for ; i < len(z.sides) && z.sides[i].gy <= y1; i++ {
		l := &z.sides[i]
		if l.gx < x0 || l.gx > x1 {
			continue
		}
		from, to := cellOf(recs, (l.gy-t.GY0)*t.NX+l.gx-t.GX0)
		z.d.ends[l.landing][l.side] = z.land(l, recs, cols, from, to)
	}
}

// cellOf returns the range of the records of a cell.
func cellOf(recs []bnav.Record, cell int32) (from, to int) {
	by := func(r bnav.Record, c int32) int { return cmp.Compare(r.Cell, c) }
	from, _ = slices.BinarySearchFunc(recs, cell, by)
	for to = from; to < len(recs) && recs[to].Cell == cell; to++ {
	}
	return from, to
}
