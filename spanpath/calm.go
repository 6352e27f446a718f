package spanpath

import "math"

// calmBits is the size of the blocks of cells that a chord may pass at once, as
// a power of two.
const (
	calmBits = 3
	calmSide = PageSide >> calmBits // blocks to a page's side
)

// A calm says what a chord may meet in a block of cells.
type calm struct {
	lo, hi float32 // heights of its surfaces; lo is NaN where a cell has several
	banned bool    // a step in it or to and from it is forbidden
}

// findCalm fills p.calm: where all surfaces of a block lie so near to one
// another that any may follow any, the order in which a chord meets them does not
// matter. Most open ground is like that.
func (p *Page) findCalm() {
	p.calm = make([]calm, calmSide*calmSide)
	for by := range calmSide {
		for bx := range calmSide {
			p.calm[by*calmSide+bx] = p.calmOf(Apron+bx<<calmBits, Apron+by<<calmBits)
		}
	}
}

func (p *Page) calmOf(x0, y0 int) calm {
	const side = 1 << calmBits
	b := calm{lo: float32(math.Inf(1)), hi: float32(math.Inf(-1))}
	for y := y0 - 1; y <= y0+side; y++ {
		for x := x0 - 1; x <= x0+side; x++ {
			b.banned = b.banned || p.Bans[y*pageSpan+x] != 0
		}
	}
	for y := y0; y < y0+side; y++ {
		for x := x0; x < x0+side; x++ {
			h := p.Table.Heights(y*pageSpan + x)
			if len(h) > 1 {
				b.lo = unknown
				return b
			}
			if len(h) == 1 {
				b.lo, b.hi = min(b.lo, h[0]), max(b.hi, h[0])
			}
		}
	}
	return b
}

// leap goes on along a digital line to the last column of the block that the
// next cell lies in, where nothing on the way can stop a walk; it reports whether
// it did, and that column. lo and hi are the least and the greatest height that the
// walk may be at, and become those of the blocks.
func (s *sighting) leap(l *line, limit float64, lo, hi *float32) (end int, ok bool) {
	from := *l
	from.step()
	fromM := from.minor()
	gx, gy := l.ax+from.k*l.mx+fromM*l.sx, l.ay+from.k*l.my+fromM*l.sy
	const inBlock = 1<<calmBits - 1
	left := 0 // columns after this one in the block
	switch {
	case l.mx > 0:
		left = inBlock - gx&inBlock
	case l.mx < 0:
		left = gx & inBlock
	case l.my > 0:
		left = inBlock - gy&inBlock
	default:
		left = gy & inBlock
	}
	end = min(from.k+left, l.n)
	if end <= from.k+1 {
		return end, false // no less work
	}
	to := *l
	to.goTo(end)
	toM := to.minor()
	tx, ty := l.ax+to.k*l.mx+toM*l.sx, l.ay+to.k*l.my+toM*l.sy
	// As many columns lead through one block, or two side by side.
	bx, by, cx, cy := gx>>calmBits, gy>>calmBits, tx>>calmBits, ty>>calmBits
	a, ok := s.calmAt(bx, by)
	if !ok {
		return end, false
	}
	if bx != cx || by != cy {
		b, ok := s.calmAt(cx, cy)
		if !ok {
			return end, false
		}
		a.lo, a.hi = min(a.lo, b.lo), max(a.hi, b.hi)
		a.banned = a.banned || b.banned
	}
	if s.v.Bans && a.banned {
		return end, false
	}
	if s.v.Heights {
		// A NaN is not within any limit.
		if !(float64(max(a.hi, *hi)-min(a.lo, *lo)) <= limit) {
			return end, false
		}
		if a.lo <= a.hi {
			*lo, *hi = a.lo, a.hi
		}
	}
	*l = to
	l.gx, l.gy = tx, ty
	return end, true
}

// calmAt returns a block by its column and row, false where it has shut surfaces
// or there is no page.
func (s *sighting) calmAt(bx, by int) (calm, bool) {
	const shift = pageBits - calmBits
	p := s.g.pageAt(bx>>shift, by>>shift)
	if p == nowhere || p.anyShut {
		return calm{}, false
	}
	return p.calm[by&(calmSide-1)*calmSide+bx&(calmSide-1)], true
}

// catchUp finds the height that a walk is at after leaps that began in a column:
// that of the last cell with a surface, which is the only one there. It returns
// that cell's column, or at where there is none and the walk is where it was.
func (s *sighting) catchUp(l *line, w *walker, began, at int) int {
	back := *l
	for k := l.k; k > began; k-- {
		back.goTo(k)
		m := back.minor()
		gx, gy := l.ax+k*l.mx+m*l.sx, l.ay+k*l.my+m*l.sy
		p := s.g.pageAt(gx>>pageBits, gy>>pageBits)
		if h := p.Table.Heights((gy-p.Table.GY)*pageSpan + gx - p.Table.GX); len(h) > 0 {
			w.cur = append(w.cur[:0], h[0])
			w.x, w.y = gx, gy
			return k
		}
	}
	return at
}
