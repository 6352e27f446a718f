package spanpath

import (
	"math"

	"wend/spangrid"
)

// AppendReached appends the places of all spans that a way leads to from a span,
// or from where a way leads to it if back is set, by the rules of [Ground.Solve]:
// of those the ones in cells with the marks of list. limit ends it after so many
// spans: then all is false.
func (g *Ground) AppendReached(dst []spangrid.Place, from Span, back bool, need, list uint16, limit int) (places []spangrid.Place, all bool, err error) {
	if !g.stands(from, need) {
		return dst, true, g.Err()
	}
	mark := uint32(floodForward)
	if back {
		mark = floodBackward
	}
	g.nextEpoch()
	f := &g.floods[0]
	f.begin(g, need, mark, g.Place(from))
	f.add(g.of(uint32(from)))
	n := f.run(limit, false)
	if err := g.Err(); err != nil || n == limit {
		return dst, false, err
	}
	for _, p := range g.used {
		if p.epoch != g.epoch {
			continue
		}
		for i := range p.state {
			if f.has(&p.state[i]) && p.marks[p.cellOf[i]]&list == list {
				dst = append(dst, g.Place(Span(p.base+uint32(i))))
			}
		}
	}
	return dst, true, nil
}

// NearestReached returns the span nearest to the middle of a cell of all that a
// way leads to from start, by the rules of [Ground.Solve], and the squared
// distance of its cell: of equally near ones that nearest to a height, and then
// the first by row, column and height. It looks at everything that can be reached.
// limit ends it after so many spans, 0 never does: then Pocket.OverBudget is set.
//
// ok is false where start is not usable.
func (g *Ground) NearestReached(start Span, to Cell, h float64, need uint16, limit int) (at Span, d2 int, all Pocket, ok bool, err error) {
	if !g.stands(start, need) {
		return 0, 0, all, false, g.Err()
	}
	g.nextEpoch()
	f := &g.floods[0]
	f.begin(g, need, floodForward, g.Place(start))
	f.add(g.of(uint32(start)))
	most := limit
	if most <= 0 {
		most = math.MaxInt
	}
	all.Expanded = f.run(most, false)
	all.Spans, all.OverBudget = f.spans, all.Expanded == most
	if err := g.Err(); err != nil || all.OverBudget {
		return 0, 0, all, false, err
	}
	off := 0.0
	for _, p := range g.used {
		if p.epoch != g.epoch {
			continue
		}
		for i := range p.state {
			st := &p.state[i]
			if !st.known(g.epoch) || st.stamp&floodForward == 0 {
				continue
			}
			gx, gy := p.Table.At(int(p.cellOf[i]))
			dx, dy := gx-int(to.X), gy-int(to.Y)
			d, dh := dx*dx+dy*dy, math.Abs(float64(p.Table.H[i])-h)
			id := p.base + uint32(i)
			if !ok || d < d2 || d == d2 && (dh < off || dh == off && g.placeBefore(id, uint32(at))) {
				at, d2, off, ok = Span(id), d, dh, true
			}
		}
	}
	return at, d2, all, ok, nil
}
