package spanpath

import (
	"cmp"
	"math"
	"slices"

	"wend/spangrid"
)

// linksAt returns the range of the links that start in a cell.
func (g *Ground) linksAt(gx, gy int) (first, end int) {
	first, _ = slices.BinarySearchFunc(g.Links, Cell{int32(gx), int32(gy)}, func(l Link, c Cell) int {
		return cmp.Or(cmp.Compare(l.From.GY, c.Y), cmp.Compare(l.From.GX, c.X))
	})
	end = first
	for end < len(g.Links) && int(g.Links[end].From.GX) == gx && int(g.Links[end].From.GY) == gy {
		end++
	}
	return first, end
}

// landing returns the surface of the region that an end of a link means: of its
// cell the one nearest to the declared height, the lower of two equally near
// ones, and none farther than linkReach.
func (g *Ground) landing(at spangrid.Place) (p *page, i int, ok bool) {
	p, c := g.at(int(at.GX), int(at.GY))
	if c < 0 {
		return p, 0, false
	}
	best := float32(linkReach)
	for n := int(p.first[c]); n < int(p.first[c+1]); n++ {
		if p.Spans[n]&SpanOwn == 0 {
			continue
		}
		d := float32(math.Abs(float64(p.Table.H[n] - at.H)))
		if d < best || d == best && !ok {
			best, i, ok = d, n, true
		}
	}
	return p, i, ok
}

// followLinks offers a span's cost to the ends of the links that start there.
func (s *solver) followLinks(id uint32, p *page, i, c int) {
	g := s.g
	gx, gy := p.Table.At(c)
	first, end := g.linksAt(gx, gy)
	for k := first; k < end; k++ {
		l := &g.Links[k]
		if fp, fi, ok := g.landing(l.From); !ok || fp != p || fi != i {
			continue
		}
		q, n, ok := g.landing(l.To)
		if !ok || !q.use[n] || q.marks[q.cellOf[n]]&s.q.Need != s.q.Need {
			continue
		}
		if !s.q.Sight {
			s.join(q)
			if to := p.best[i].ticks() + linkTicks(l.Cost); to < q.best[n].ticks() {
				q.best[n] = bestOf(to, wayFar)
				s.far[q.base+uint32(n)] = id | viaLink
				s.offer(q, n, int(l.To.GX), int(l.To.GY), to)
			}
			continue
		}
		g.enter(q)
		st := &q.state[n]
		to := p.state[i].cost + float64(l.Cost)
		if st.known(g.epoch) && (to >= st.cost-lessSlack || st.stamp&spanClosed != 0) {
			continue
		}
		*st = spanState{to, id | viaLink, g.epoch}
		e := s.estimate(q, int(n), int(l.To.GX), int(l.To.GY))
		s.queue.push(entry{to + e, left(e), q.base + uint32(n)})
		s.pushed++
	}
}

// linkBetween returns the cheapest link from one span to another, the first of
// equally cheap ones.
func (g *Ground) linkBetween(from, to uint32) int {
	p, i := g.of(from)
	gx, gy := p.Table.At(int(p.cellOf[i]))
	first, end := g.linksAt(gx, gy)
	best := -1
	for k := first; k < end; k++ {
		l := &g.Links[k]
		fp, fi, ok := g.landing(l.From)
		if !ok || fp.base+uint32(fi) != from || best >= 0 && l.Cost >= g.Links[best].Cost {
			continue
		}
		if tp, ti, ok := g.landing(l.To); ok && tp.base+uint32(ti) == to {
			best = k
		}
	}
	return best
}
