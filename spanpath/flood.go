package spanpath

import (
	"math/bits"

	"wend/spangrid"
)

const (
	floodForward  = spanClosed // can be reached from the start
	floodBackward = spanMarked // a goal can be reached from it
	floodApart    = spanSpoilt // neither: of a third part
)

// spanFlood marks all spans that can be reached from some, or that those can be
// reached from, by the rules of [Ground.Solve]. Spans near to a place are gone on
// from first, so two floods that go for each other's origin meet soon where
// nothing is between them.
type spanFlood struct {
	g     *Ground
	need  uint16
	mark  uint32
	back  bool   // against the direction of steps
	meets uint32 // marks that end it
	avoid uint32 // spans with these marks are left out

	gx, gy  int      // the place
	head    []uint32 // by distance: the first span to go on from; the others follow in spanState.parent
	low     int      // nearer than that there is none
	waiting int
	shift   uint // of distances
	since   int  // spans since the context was looked at

	spans int  // that have the mark
	met   bool // one has the mark of the other direction too
}

// floodRings is the most distances that a flood tells apart.
const floodRings = 1 << 14

// begin readies a flood that has no span yet.
func (f *spanFlood) begin(g *Ground, need uint16, mark uint32, toward spangrid.Place) {
	f.g, f.need, f.mark, f.back = g, need, mark, mark == floodBackward
	f.meets, f.avoid = stampMarks&^mark, 0
	f.gx, f.gy = int(toward.GX), int(toward.GY)
	f.shift = 0
	for (g.Clip.NX+g.Clip.NY)>>f.shift >= floodRings {
		f.shift++
	}
	f.head = resize(f.head, (g.Clip.NX+g.Clip.NY)>>f.shift+1)
	for i := range f.head {
		f.head[i] = none
	}
	f.low, f.waiting, f.since = len(f.head), 0, 0
	f.spans, f.met = 0, false
}

// add marks a span, and reports whether it did not have the mark.
func (f *spanFlood) add(p *page, i int) bool {
	g := f.g
	if p.epoch != g.epoch {
		g.enter(p)
	}
	st := &p.state[i]
	if !st.known(g.epoch) {
		st.stamp = g.epoch
	}
	if st.stamp&(f.mark|f.avoid) != 0 {
		return false
	}
	f.met = f.met || st.stamp&f.meets != 0
	st.stamp |= f.mark
	f.wait(p, i)
	f.spans++
	return true
}

// wait has a span gone on from later.
func (f *spanFlood) wait(p *page, i int) {
	c := int(p.cellOf[i])
	dx, dy := abs(p.Table.GX+c%pageSpan-f.gx), abs(p.Table.GY+c/pageSpan-f.gy)
	// About the length of the way over open ground.
	ring := (max(dx, dy) + min(dx, dy)>>1) >> f.shift
	p.state[i].parent = f.head[ring]
	f.head[ring] = p.base + uint32(i)
	f.low = min(f.low, ring)
	f.waiting++
}

// aim has the flood head for another place from now on.
func (f *spanFlood) aim(toward spangrid.Place) {
	var all []uint32
	for ring := f.low; ring < len(f.head); ring++ {
		for id := f.head[ring]; id != none; {
			all = append(all, id)
			p, i := f.g.of(id)
			id = p.state[i].parent
		}
		f.head[ring] = none
	}
	f.gx, f.gy = int(toward.GX), int(toward.GY)
	f.low, f.waiting = len(f.head), 0
	for _, id := range all {
		f.wait(f.g.of(id))
	}
}

// has reports whether a span is marked.
func (f *spanFlood) has(s *spanState) bool { return s.known(f.g.epoch) && s.stamp&f.mark != 0 }

// over reports whether there is nothing to go on from.
func (f *spanFlood) over() bool { return f.waiting == 0 && !f.followLinks() }

// run goes on from up to most spans and returns how many there were. It stops
// where the flood meets one of the other direction if meet is set.
func (f *spanFlood) run(most int, meet bool) (n int) {
	for n < most && !(meet && f.met) && !f.over() {
		if f.since++; f.since%checkEvery == 0 && f.g.Err() != nil {
			return n
		}
		for f.head[f.low] == none {
			f.low++
		}
		id := f.head[f.low]
		p, i := f.g.of(id)
		f.head[f.low] = p.state[i].parent
		f.waiting--
		f.spread(p, i)
		n++
	}
	return n
}

// spread marks the spans around a span.
func (f *spanFlood) spread(p *page, i int) {
	g := f.g
	c := int(p.cellOf[i])
	h := p.Table.H[i]
	rim := onRim(c)
	word := g.stepsToLook(p, i, c, f.back)
	rank := i - int(p.first[c])
	q := p
	for open := openSteps(p.marks, c, f.need) & uint(word|word>>stepsHard); open != 0; open &= open - 1 {
		d := bits.TrailingZeros8(uint8(open))
		cq := c + stepCell[d]
		if rim {
			if q, cq = g.owner(p, cq); cq < 0 {
				continue
			}
			if q.epoch != g.epoch {
				g.enter(q)
			}
		}
		n, end, easy := q.across(cq, rank, word>>d)
		for ; n < end; n++ {
			if !q.use[n] || f.has(&q.state[n]) {
				continue
			}
			ok := easy
			if !easy {
				switch hn := q.Table.H[n]; {
				case !f.back && q == p:
					ok = g.leads(p, i, c, d, n)
				case !f.back:
					ok = g.mayStep(p, c, d, h, hn)
				case q == p:
					ok = g.leads(p, n, cq, stepBack[d], i)
				default:
					ok = g.mayStep(q, cq, stepBack[d], hn, h)
				}
			}
			if ok {
				f.add(q, n)
			}
		}
	}
}

// followLinks goes on over links, and reports whether one led to a new span. It
// looks only at links whose near end is in the flood, so it asks for no page
// before it is needed.
func (f *spanFlood) followLinks() (some bool) {
	g := f.g
	for k := range g.Links {
		near, far := g.Links[k].From, g.Links[k].To
		if f.back {
			near, far = far, near
		}
		if !g.entered(int(near.GX), int(near.GY)) {
			continue
		}
		p, i, ok := g.landing(near)
		if !ok || !f.has(&p.state[i]) {
			continue
		}
		q, n, ok := g.landing(far)
		if ok && q.use[n] && q.marks[q.cellOf[n]]&f.need == f.need && f.add(q, n) {
			some = true
		}
	}
	return some
}

// entered reports whether the page of a cell takes part in the running search.
func (g *Ground) entered(gx, gy int) bool {
	if !g.Clip.Has(gx, gy) {
		return false
	}
	p := g.dir[(gy>>pageBits-g.py)*g.nx+gx>>pageBits-g.px]
	return p != nil && p.epoch == g.epoch
}
