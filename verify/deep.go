package verify

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"wend/pack"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// deepPack is the deep check of a set: what goes across zones.
type deepPack struct {
	c *checker
	p *bnav.Pack
	f *bnvf.Fields // nil: the grid alone

	own bool // check what only our bake promises

	// ends[i] is what the grid has where landing i ends.
	ends [][2]ground
	lost bool // something is missing that landings are compared with
}

func newDeepPack(c *checker, p *bnav.Pack, f *bnvf.Fields) *deepPack {
	d := &deepPack{c: c, p: p, f: f, own: c.opts.Own || slices.ContainsFunc(annex.Tags(), p.HasSection)}
	if f != nil {
		d.ends = make([][2]ground, len(f.Landings))
		for i := range d.ends {
			for k := range d.ends[i] {
				d.ends[i][k].why = bnvf.WhyOutside // until a tile owns the cell
			}
		}
		d.lost = slices.ContainsFunc(c.faults[ofFields], func(f Fault) bool { return f.Section == "FOPN" })
	}
	return d
}

// zone returns the check of a zone of the grid and its part of the sidecar.
func (d *deepPack) zone(grid, side int) *deepZone {
	z := &deepZone{d: d, grid: grid, side: side, gz: &d.p.Grid.Zones[grid], band: d.p.Rules().LandingBand}
	far := d.p.Rules().ClearanceCap / bnav.CellSize
	z.mostClr = uint16(max(0, min(far*far, math.MaxUint16)))
	if z.room(uint64(z.gz.GlobalRegions) + 1) {
		z.regions = newFirsts(int(z.gz.GlobalRegions) + 1)
	} else {
		z.fault(ofMain, "BGRD", sectionOffset(d.p.Sections, "BGRD"), pack.ErrLimit, "%d regions are too many to be checked", z.gz.GlobalRegions)
	}
	if side >= 0 {
		z.joinFields()
	} else if d.f != nil {
		z.lostFields = true
	}
	return z
}

// deepZone is the deep check of one zone. Tiles are looked at by several
// goroutines; what they find goes into it under the lock and does not depend
// on their order.
type deepZone struct {
	d          *deepPack
	grid, side int // side -1: no fields
	gz         *bnav.GridZone
	band       float64 // half height of the band around a landing, m
	mostClr    uint16  // clearance of a cell with nothing near

	graphs   *bnvf.Graphs // nil where they cannot be read
	slot     []uint32     // by region: number of its first component in firsts
	openings []bnvf.Opening
	sides    []landingSide // ascending by row and column

	lost       bool // a tile could not be decoded,
	lostFields bool // or its columns

	mu         sync.Mutex
	regions    firsts // by region
	components firsts // by slot
	border     []borderCell
	opened     []uint8 // by opening: what its key was found to be
}

const (
	openNothing = iota
	openCore    // records are there, but all are core already
	openGood
)

// landingSide is an end of a landing in this zone.
type landingSide struct {
	gx, gy        int32
	landing, side int
}

// ground is what stands in a cell for a landing.
type ground struct {
	why    uint8
	h      float32
	region uint32
	clr    uint16
	flags  uint8
}

func (z *deepZone) joinFields() {
	f := z.d.f
	if g, err := f.Graphs(z.side); err == nil && z.regions != nil {
		z.joinGraphs(g)
	}
	i := z.d.p.Content.ZoneIndex(z.gz.Name)
	if i < 0 {
		return
	}
	id := z.d.p.Zones[i].ID
	z.openings = f.ZoneOpenings(id)
	z.opened = make([]uint8, len(z.openings))
	for n := range f.Landings {
		if l := &f.Landings[n]; l.ZoneID == id {
			z.sides = append(z.sides, landingSide{l.Lo.GX, l.Lo.GY, n, 0}, landingSide{l.Hi.GX, l.Hi.GY, n, 1})
		}
	}
	slices.SortFunc(z.sides, func(a, b landingSide) int {
		return cmp.Or(cmp.Compare(a.gy, b.gy), cmp.Compare(a.gx, b.gx), cmp.Compare(a.landing, b.landing), cmp.Compare(a.side, b.side))
	})
}

// room reports whether so many places may be kept.
func (z *deepZone) room(places uint64) bool { return places <= uint64(z.d.c.opts.MaxBytes)/12 }

// joinGraphs numbers the components of all regions in one row.
func (z *deepZone) joinGraphs(g *bnvf.Graphs) {
	z.slot = make([]uint32, len(z.regions)+1)
	total := uint64(0)
	for _, r := range g.Regions() {
		n, _ := g.Components(r)
		total += uint64(n)
		z.slot[r+1] = n
	}
	if n := z.gz.Records(); total > n || total > math.MaxUint32 || !z.room(total) {
		z.fault(ofFields, "FSCC", sectionOffset(z.d.f.Sections, "FSCC"), pack.ErrLimit, "%d components in %d records", total, n)
		return
	}
	for i := 1; i < len(z.slot); i++ {
		z.slot[i] += z.slot[i-1]
	}
	z.graphs = g
	z.components = newFirsts(int(total))
}

// place is where a record is, in the order in which regions and components
// are numbered: by row, column and height.
type place struct {
	gy, gx int32
	h      float32
}

var nowhere = place{math.MaxInt32, math.MaxInt32, math.MaxFloat32} // no cell has this column

func (p place) before(q place) bool {
	return cmp.Or(cmp.Compare(p.gy, q.gy), cmp.Compare(p.gx, q.gx), cmp.Compare(p.h, q.h)) < 0
}

// firsts is the first place of each of a row of numbers.
type firsts []place

func newFirsts(n int) firsts {
	f := make(firsts, n)
	for i := range f {
		f[i] = nowhere
	}
	return f
}

func (f firsts) add(i uint32, p place) {
	if p.before(f[i]) {
		f[i] = p
	}
}

// check says which numbers of first..first+n-1 never occur, and which occur
// first before a lower one does.
func (f firsts) check(first, n int) (missing, disorder numbers) {
	last := place{math.MinInt32, math.MinInt32, 0}
	for i := first; i < first+n; i++ {
		switch {
		case f[i] == nowhere:
			missing.add(i)
		case f[i].before(last):
			disorder.add(i)
		default:
			last = f[i]
		}
	}
	return missing, disorder
}

// numbers counts numbers and keeps the first.
type numbers struct{ first, n int }

func (n *numbers) add(i int) {
	if n.n == 0 {
		n.first = i
	}
	n.n++
}

func (n numbers) more() string {
	if n.n < 2 {
		return ""
	}
	return fmt.Sprintf(" (and %d more)", n.n-1)
}

// fault adds a fault of the zone as a whole.
func (z *deepZone) fault(of int, section string, offset int64, kind error, format string, args ...any) {
	file := z.d.p.Name
	if of == ofFields {
		file = z.d.f.Name
	}
	z.d.c.addFault(of, newFault(file, pack.Where{File: file, Section: section, Zone: z.gz.Name}.At(offset, kind, format, args...)))
}

// sectionOffset is where a section starts.
func sectionOffset(list []pack.Section, tag string) int64 {
	s, _ := pack.FindSection(list, tag)
	return int64(s.Offset)
}

// finish checks what the zone's tiles tell together.
func (z *deepZone) finish() {
	at := sectionOffset(z.d.p.Sections, "BGRD")
	if a, b, overlap := overlap(z.gz.Tiles); overlap {
		z.fault(ofMain, "BGRD", at, pack.ErrRange, "tiles %d and %d own a cell both", a, b)
	}
	if z.d.own {
		z.checkCover(at)
	}
	z.checkBorder(at)
	if z.lost || z.lostFields {
		z.d.lost = true
	}
	if !z.lost && z.regions != nil { // what a lost tile has would be missing
		missing, disorder := z.regions.check(1, len(z.regions)-1)
		if missing.n > 0 {
			z.fault(ofMain, "BGRD", at, pack.ErrMissing, "region %d has no record%s", missing.first, missing.more())
		}
		if z.d.own && disorder.n > 0 {
			z.fault(ofMain, "BGRD", at, pack.ErrOrder, "region %d starts before region %d%s", disorder.first, disorder.first-1, disorder.more())
		}
	}
	if z.side >= 0 {
		z.checkComponents(!z.lost && !z.lostFields)
		if !z.lost {
			z.checkOpenings()
		}
	}
}

// checkCover checks that the rectangles of the tiles make up one rectangle. They
// do not overlap, or that was said.
func (z *deepZone) checkCover(at int64) {
	tiles := z.gz.Tiles
	if len(tiles) == 0 {
		return
	}
	x0, y0, x1, y1 := int64(math.MaxInt64), int64(math.MaxInt64), int64(math.MinInt64), int64(math.MinInt64)
	owned := int64(0) // a tile has less than 2^31 cells
	for i := range tiles {
		t := &tiles[i]
		x, y := int64(t.GX0), int64(t.GY0)
		x0, y0 = min(x0, x+int64(t.PX0)), min(y0, y+int64(t.PY0))
		x1, y1 = max(x1, x+int64(t.PX1)), max(y1, y+int64(t.PY1))
		owned += int64(t.PX1-t.PX0+1) * int64(t.PY1-t.PY0+1)
	}
	// Sides stay below 2^33: as a float the product is near enough to tell.
	if all := float64(x1-x0+1) * float64(y1-y0+1); all > float64(owned) {
		z.fault(ofMain, "BGRD", at, pack.ErrMissing, "tiles own %d of %.0f cells between (%d, %d) and (%d, %d)", owned, all, x0, y0, x1, y1)
	}
}

// overlap finds two tiles whose owned rectangles have a common cell. A line
// sweeps over the rows; the rectangles it crosses are kept in order of their
// columns, so that only neighbours have to be compared. O(n log n) and the
// moves of a slice.
func overlap(tiles []bnav.Tile) (a, b int, found bool) {
	type event struct {
		gy    int64
		start bool
		tile  int
	}
	events := make([]event, 0, 2*len(tiles))
	for i := range tiles {
		t := &tiles[i]
		events = append(events, event{int64(t.GY0) + int64(t.PY0), true, i}, event{int64(t.GY0) + int64(t.PY1) + 1, false, i})
	}
	slices.SortFunc(events, func(a, b event) int {
		ends := func(e event) int {
			if e.start {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(a.gy, b.gy), cmp.Compare(ends(a), ends(b)), cmp.Compare(a.tile, b.tile))
	})
	left := func(i int) int32 { return tiles[i].GX0 + tiles[i].PX0 }
	right := func(i int) int32 { return tiles[i].GX0 + tiles[i].PX1 }
	var active []int
	for _, e := range events {
		at, same := slices.BinarySearchFunc(active, left(e.tile), func(i int, x int32) int { return cmp.Compare(left(i), x) })
		switch {
		case !e.start:
			active = slices.Delete(active, at, at+1)
			continue
		case same:
			return active[at], e.tile, true
		case at > 0 && right(active[at-1]) >= left(e.tile):
			return active[at-1], e.tile, true
		case at < len(active) && left(active[at]) <= right(e.tile):
			return active[at], e.tile, true
		}
		active = slices.Insert(active, at, e.tile)
	}
	return 0, 0, false
}

// borderCell is the clearance of a region in a cell at the edge of what its
// tile owns.
type borderCell struct {
	gy, gx int32
	region uint32
	tile   int32
	clr    uint16
	core   bool
}

func compareBorder(a, b borderCell) int {
	return cmp.Or(cmp.Compare(a.gy, b.gy), cmp.Compare(a.gx, b.gx), cmp.Compare(a.region, b.region))
}

// checkBorder compares clearances across the borders of tiles.
func (z *deepZone) checkBorder(at int64) {
	list := z.border
	z.border = nil
	slices.SortFunc(list, func(a, b borderCell) int { return cmp.Or(compareBorder(a, b), cmp.Compare(a.tile, b.tile)) })
	var bad numbers
	for _, step := range [2][2]int32{{1, 0}, {0, 1}} {
		j := 0
		for i := range list {
			want := list[i]
			want.gx, want.gy = want.gx+step[0], want.gy+step[1]
			for j < len(list) && compareBorder(list[j], want) < 0 {
				j++
			}
			if j == len(list) {
				break
			}
			b := &list[j]
			if compareBorder(*b, want) == 0 && b.tile != list[i].tile && b.core && want.core && !smooth(b.clr, want.clr) {
				if bad.n == 0 {
					bad.first = i
				}
				bad.n++
			}
		}
	}
	if bad.n > 0 {
		c := &list[bad.first]
		z.fault(ofMain, "BGRD", at, pack.ErrRange, "region %d in cell (%d, %d) has clearance %d, a neighbour in another tile differs by more than a cell%s",
			c.region, c.gx, c.gy, c.clr, bad.more())
	}
}

// smooth reports whether |√a - √b| <= 1, in integers: a step of one cell
// changes a distance by one cell at most.
func smooth(a, b uint16) bool {
	x, y := int64(a), int64(b)
	s := x + y - 1
	return s <= 0 || s*s <= 4*x*y
}
