package spanpath

import (
	"math"

	"wend/spangrid"
)

// Gap is where two parts of the ground that do not hang together come nearest to
// each other.
type Gap struct {
	From, To Cell    // the one can be reached from the start, from the other a goal can
	Weight   int32   // from one to the other, hundredths of a cell, a diagonal step being 141
	Distance float64 // between their middles, px
}

const (
	gapForward  = spanClosed // can be reached from the start
	gapBackward = spanMarked // a goal can be reached from it
)

// FindGap finds where a search for a way fails: of the cells that a way from the
// start can reach the one nearest to those from which a way to a goal leads, by
// the rules of [Ground.Solve]. Distances are those of a chamfer of 100 and 141
// over all cells of the window, whether there is ground or not. Of equally near
// pairs the one with the first cell From by row and column counts, then with the
// first cell To. Where both parts lie above each other the distance is 0.
//
// found is false where the start or all goals are not usable. Time is that of
// both floods and of the cells between them.
func (g *Ground) FindGap(start Span, goals []Span, need uint16, dst *Gap) (found bool, err error) {
	*dst = Gap{}
	if !g.stands(start, need) {
		return false, g.Err()
	}
	g.nextEpoch()
	f := gapFinder{g: g, need: need}
	f.add(uint32(start), gapForward)
	f.flood(gapForward)
	for _, s := range goals {
		if g.stands(s, need) {
			f.add(uint32(s), gapBackward)
			found = true
		}
	}
	if !found {
		return false, g.Err()
	}
	f.flood(gapBackward)
	if err := g.Err(); err != nil {
		return false, err
	}
	f.near(dst)
	return true, g.Err()
}

type gapFinder struct {
	g    *Ground
	need uint16
	list []uint32 // spans to go on from

	tiles   []*gapTile // by page
	buckets [planeDiagonal + 1][]uint32
	waiting int // cells in buckets
}

// add marks a span that is not marked yet.
func (f *gapFinder) add(id uint32, mark uint32) bool {
	p, i := f.g.of(id)
	f.g.enter(p)
	st := &p.state[i]
	if !st.known(f.g.epoch) {
		st.stamp = f.g.epoch
	}
	if st.stamp&mark != 0 {
		return false
	}
	st.stamp |= mark
	f.list = append(f.list, id)
	return true
}

// has reports whether a span is marked.
func (f *gapFinder) has(s *spanState, mark uint32) bool {
	return s.known(f.g.epoch) && s.stamp&mark != 0
}

// flood spreads a mark, and takes links when there is nothing else to do.
func (f *gapFinder) flood(mark uint32) {
	for n := 1; ; {
		for len(f.list) > 0 {
			if n++; n%checkEvery == 0 && f.g.Err() != nil {
				return
			}
			id := f.list[len(f.list)-1]
			f.list = f.list[:len(f.list)-1]
			f.spread(id, mark)
		}
		if !f.followLinks(mark) {
			return
		}
	}
}

func (f *gapFinder) spread(id uint32, mark uint32) {
	g := f.g
	p, i := g.of(id)
	c := int(p.cellOf[i])
	h := p.Table.H[i]
	ok := openSteps(p.marks, c, f.need)
	for d := range 8 {
		if ok>>d&1 == 0 {
			continue
		}
		q, cq := g.owner(p, c+stepCell[d])
		if cq < 0 {
			continue
		}
		g.enter(q)
		for n := int(q.first[cq]); n < int(q.first[cq+1]); n++ {
			if !q.use[n] || f.has(&q.state[n], mark) {
				continue
			}
			hn := q.Table.H[n]
			if mark == gapForward && g.mayStep(p, c, d, h, hn) || mark == gapBackward && g.mayStep(q, cq, stepBack[d], hn, h) {
				f.add(q.base+uint32(n), mark)
			}
		}
	}
}

func (f *gapFinder) followLinks(mark uint32) (some bool) {
	g := f.g
	usable := func(at spangrid.Place) (uint32, bool) {
		p, i, ok := g.landing(at)
		return p.base + uint32(i), ok && p.use[i] && p.marks[p.cellOf[i]]&f.need == f.need
	}
	for k := range g.Links {
		from, ok := usable(g.Links[k].From)
		if !ok {
			continue
		}
		to, ok := usable(g.Links[k].To)
		if !ok {
			continue
		}
		if mark == gapBackward {
			from, to = to, from
		}
		p, i := g.of(from)
		g.enter(p)
		if f.has(&p.state[i], mark) && f.add(to, mark) {
			some = true
		}
	}
	return some
}

// gapTile is what is known of the cells of a page's square, ground or not.
type gapTile struct {
	dist   [PageSide * PageSide]int32
	source [PageSide * PageSide]uint32 // number of the nearest cell of the backward flood
	target [PageSide * PageSide / 64]uint64
}

func (f *gapFinder) tile(px, py int) *gapTile {
	slot := &f.tiles[(py-f.g.py)*f.g.nx+px-f.g.px]
	if *slot == nil {
		t := new(gapTile)
		for i := range t.dist {
			t.dist[i] = math.MaxInt32
		}
		*slot = t
	}
	return *slot
}

// near runs Dijkstra's algorithm over the plane from the backward flood until it
// meets the forward one.
func (f *gapFinder) near(dst *Gap) {
	g := f.g
	f.tiles = make([]*gapTile, len(g.dir))
	for _, p := range g.used {
		if p.epoch != g.epoch {
			continue
		}
		t := f.tile(p.PX, p.PY)
		for i := range p.state {
			st := &p.state[i]
			if !st.known(g.epoch) {
				continue
			}
			gx, gy := p.Table.At(int(p.cellOf[i]))
			c := (gy&(PageSide-1))<<pageBits + gx&(PageSide-1)
			if st.stamp&gapForward != 0 {
				t.target[c>>6] |= 1 << (c & 63)
			}
			if st.stamp&gapBackward != 0 && t.dist[c] != 0 {
				f.offer(t, c, 0, g.number(gx, gy), g.number(gx, gy))
			}
		}
	}
	best := uint32(none)
	for d := int32(0); f.waiting > 0 && best == none; d++ {
		bucket := &f.buckets[d%int32(len(f.buckets))]
		for _, n := range *bucket {
			gx, gy := g.numbered(n)
			t, c := f.at(gx, gy)
			if t.dist[c] == d && t.target[c>>6]>>(c&63)&1 != 0 {
				best = min(best, n)
			}
		}
		if best != none {
			break
		}
		if d&255 == 0 && g.Err() != nil {
			return
		}
		f.settle(bucket, d)
	}
	if best == none {
		return
	}
	fx, fy := g.numbered(best)
	t, c := f.at(fx, fy)
	tx, ty := g.numbered(t.source[c])
	dst.From, dst.To = Cell{int32(fx), int32(fy)}, Cell{int32(tx), int32(ty)}
	dst.Weight = t.dist[c]
	dst.Distance = distance(middle(fx, fy), middle(tx, ty))
}

func (f *gapFinder) at(gx, gy int) (*gapTile, int) {
	return f.tile(PageOf(gx), PageOf(gy)), (gy&(PageSide-1))<<pageBits + gx&(PageSide-1)
}

// offer notes that a cell is so far from a source.
func (f *gapFinder) offer(t *gapTile, c int, dist int32, source, number uint32) {
	switch {
	case dist < t.dist[c]:
		t.dist[c], t.source[c] = dist, source
		b := &f.buckets[dist%int32(len(f.buckets))]
		*b = append(*b, number)
		f.waiting++
	case dist == t.dist[c]:
		t.source[c] = min(t.source[c], source)
	}
}

// settle goes on from the cells at a distance.
func (f *gapFinder) settle(bucket *[]uint32, d int32) {
	g := f.g
	w := g.Clip
	// Steps cost less than the number of buckets and more than nothing, so
	// nothing is put into this one meanwhile.
	for _, n := range *bucket {
		gx, gy := g.numbered(n)
		t, c := f.at(gx, gy)
		if t.dist[c] != d {
			continue
		}
		for k := range 8 {
			x, y := gx+stepX[k], gy+stepY[k]
			if w.Has(x, y) {
				u, cu := f.at(x, y)
				f.offer(u, cu, d+planeCost[k], t.source[c], g.number(x, y))
			}
		}
	}
	f.waiting -= len(*bucket)
	*bucket = (*bucket)[:0]
}
