package spanpath

// flood is what a flood knows of a page: 64 cells of a row to a word, words by
// row and then column.
type flood struct {
	mask, seen [floodWords]uint64
	next       [floodWords]uint64 // cells to go on from
	queued     [floodWords]bool
}

const (
	floodRow   = PageSide / 64
	floodWords = PageSide * floodRow
)

// floodAt is a word of a page.
type floodAt struct {
	page *page
	word int
}

// Linked reports whether a cell can be reached from another over neighbouring
// cells that have all marks of need and over links, heights and corners of
// diagonal steps left aside. Where it is false no search with these marks finds
// a way. It works on 64 cells at once, and takes a small part of the time of a
// search.
func (g *Ground) Linked(from, to Cell, need uint16) (linked bool, err error) {
	g.nextEpoch()
	f := flooding{g: g, need: need, list: g.floodList[:0]}
	goal, c := g.at(int(to.X), int(to.Y))
	if c < 0 || goal.marks[c]&need != need || !f.start(int(from.X), int(from.Y)) {
		return false, g.Err()
	}
	f.enter(goal)
	gx, gy := int(to.X), int(to.Y)
	word, bit := floodCell(gx, gy)
	for n := 0; ; {
		for len(f.list) > 0 && goal.flood.seen[word]&bit == 0 {
			if n++; n%checkEvery == 0 && g.Err() != nil {
				break
			}
			at := f.list[len(f.list)-1]
			f.list = f.list[:len(f.list)-1]
			f.spread(at.page, at.word)
		}
		if goal.flood.seen[word]&bit != 0 || g.err != nil || !f.followLinks() {
			break
		}
	}
	g.floodList = f.list
	return goal.flood.seen[word]&bit != 0, g.Err()
}

type flooding struct {
	g    *Ground
	need uint16
	list []floodAt
}

// floodCell returns word and bit of a cell in its page.
func floodCell(gx, gy int) (word int, bit uint64) {
	x, y := gx&(PageSide-1), gy&(PageSide-1)
	return y*floodRow + x>>6, 1 << (x & 63)
}

// enter makes a page take part.
func (f *flooding) enter(p *page) {
	if p.epoch == f.g.epoch {
		return
	}
	if p.stage != f.g.stage {
		f.g.refresh(p)
	}
	p.epoch = f.g.epoch
	if p.flood == nil {
		p.flood = new(flood)
	}
	*p.flood = flood{}
	for w := range p.flood.mask {
		c := (w/floodRow+Apron)*pageSpan + Apron + w%floodRow*64
		var mask uint64
		for i, m := range p.marks[c : c+64] {
			if m&f.need == f.need {
				mask |= 1 << i
			}
		}
		p.flood.mask[w] = mask
	}
}

// start floods from a cell too, if it is in the mask and new.
func (f *flooding) start(gx, gy int) bool {
	p, c := f.g.at(gx, gy)
	if c < 0 || p.marks[c]&f.need != f.need {
		return false
	}
	f.enter(p)
	word, bit := floodCell(gx, gy)
	if p.flood.seen[word]&bit != 0 {
		return false
	}
	f.offer(p, word, bit)
	return true
}

// offer notes cells to go on from.
func (f *flooding) offer(p *page, word int, cells uint64) {
	cells &= p.flood.mask[word] &^ p.flood.seen[word]
	if cells == 0 {
		return
	}
	p.flood.next[word] |= cells
	if !p.flood.queued[word] {
		p.flood.queued[word] = true
		f.list = append(f.list, floodAt{p, word})
	}
}

// spread floods the runs of a word that are to go on from, and offers the cells
// around them.
func (f *flooding) spread(p *page, word int) {
	fl := p.flood
	mask := fl.mask[word]
	run := fl.next[word]
	fl.next[word], fl.queued[word] = 0, false
	for m, up, s := mask, mask, 1; s < 64; s <<= 1 {
		// Runs that reach s cells on in one step, and those that come back.
		run |= (run<<s)&m | (run>>s)&up
		m &= m << s
		up &= up >> s
	}
	run &^= fl.seen[word]
	if run == 0 {
		return
	}
	fl.seen[word] |= run
	wide := run | run<<1 | run>>1
	y, x := word/floodRow, word%floodRow
	f.around(p, x, y-1, wide)
	f.around(p, x, y+1, wide)
	if run&1 != 0 {
		for d := -1; d <= 1; d++ {
			f.around(p, x-1, y+d, 1<<63)
		}
	}
	if run>>63 != 0 {
		for d := -1; d <= 1; d++ {
			f.around(p, x+1, y+d, 1)
		}
	}
}

// around offers cells of a word that may lie in a neighbouring page.
func (f *flooding) around(p *page, x, y int, cells uint64) {
	if uint(x) >= floodRow || uint(y) >= PageSide {
		gx, gy := p.PX<<pageBits+x<<6, p.PY<<pageBits+y
		px, py := PageOf(gx), PageOf(gy)
		if px < f.g.px || px >= f.g.px+f.g.nx || py < f.g.py || py >= f.g.py+f.g.ny {
			return
		}
		if p = f.g.pageAt(px, py); p == nowhere {
			return
		}
		f.enter(p)
		x, y = gx>>6&(floodRow-1), gy&(PageSide-1)
	}
	f.offer(p, y*floodRow+x, cells)
}

// followLinks floods from where links lead that start in flooded cells.
func (f *flooding) followLinks() (some bool) {
	g := f.g
	for i := range g.Links {
		l := &g.Links[i]
		p, c := g.at(int(l.From.GX), int(l.From.GY))
		if c < 0 {
			continue
		}
		f.enter(p)
		word, bit := floodCell(int(l.From.GX), int(l.From.GY))
		if p.flood.seen[word]&bit != 0 && f.start(int(l.To.GX), int(l.To.GY)) {
			some = true
		}
	}
	return some
}
