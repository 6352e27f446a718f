package spanpath

import (
	"cmp"
	"math"

	"wend/spangrid"
)

// A Breach is where a way is wanting: the one surface can be reached from the
// start, from the other a way leads to a goal.
type Breach struct {
	From, To Span
	// Crossing: ground leads from the one to the other that is closed to this
	// query alone, by discs, no-go zones or what the body cannot do. Where it is
	// not set, nothing does, and both are nearest to each other in space.
	Crossing bool

	Looked    int  // spans that were looked at
	OverLimit bool // there were too many: nothing is known
}

// FindBreach finds what parts the start from the goals after [Ground.Joined] has
// just found a pocket with them.
//
// It looks for the shortest crossing: a way from what can be reached to what leads
// to a goal over ground of the region that may be closed: by discs and no-go zones,
// or because it is too narrow, low, steep or deep for the body, or beside the
// middle of its cell, or a collider bars a fall. Steps obey the rise rule and walls
// of the ground itself. Lengths are those of a chamfer of 100 and 141, ten times as
// much where the middle of a cell has no floor; falls and links count with their
// heights too. Of equally short crossings the one counts
// whose From is nearest to the start, seen from above, then whose To is nearest to
// the goal, then the order of places, of From before To.
//
// Where there is no crossing it finds the two surfaces nearest to each other in
// space, of equally near ones those that come first by the same order; a cell is so
// many metres wide.
//
// It never takes a surface that belongs to neither side for an end. What the larger
// side has is only looked at as far as that takes, and limit ends it after so many
// spans: then OverLimit is set. Where found is false and it is not, one of both
// sides has nothing, or the ground was searched since. A pocket serves once.
func (g *Ground) FindBreach(pocket *Pocket, cell float64, limit int, dst *Breach) (found bool, err error) {
	*dst = Breach{}
	if pocket.epoch != g.epoch || pocket.Spans == 0 || pocket.OverBudget {
		return false, g.Err()
	}
	b := &g.breach
	b.begin(g, pocket, cell, limit)
	if b.other.spans == 0 {
		return false, g.Err()
	}
	found = b.cross()
	dst.Crossing = found
	if !found && b.left > 0 {
		found = b.inSpace()
	}
	dst.From, dst.To = Span(b.from), Span(b.to)
	dst.Looked, dst.OverLimit = limit-b.left, b.left <= 0 && !found
	pocket.epoch = 0 // marks of the third part are not right any more
	if err := g.Err(); err != nil {
		return false, err
	}
	return found, nil
}

// Enclose returns a pocket that has a span alone, be it that nobody can stand there:
// so [Ground.FindBreach] finds what parts it from what can be reached from the
// start.
func (g *Ground) Enclose(start, goal Span, need uint16) Pocket {
	g.nextEpoch()
	p := Pocket{Goal: true, Spans: 1, need: need, epoch: g.epoch, start: g.Place(start), goal: g.Place(goal)}
	there, back := &g.floods[0], &g.floods[1]
	there.begin(g, need, floodForward, p.goal)
	if g.stands(start, need) {
		there.add(g.of(uint32(start)))
	}
	back.begin(g, need, floodBackward, p.start)
	back.add(g.of(uint32(goal)))
	return p
}

// SpanAt returns the span of the ground's region that a link's end at a place would
// be on: of those in its cell the one nearest in height, and not far.
func (g *Ground) SpanAt(at spangrid.Place) (Span, bool) {
	p, i, ok := g.landing(at)
	return Span(p.base + uint32(i)), ok
}

// breacher looks for a breach.
type breacher struct {
	g     *Ground
	need  uint16
	cell  float64 // m
	back  bool    // the pocket is the goals'
	inner uint32  // mark of its spans
	other *spanFlood
	whole bool // the other side is known as a whole
	third spanFlood
	left  int // spans that may still be looked at

	ends     [2]spangrid.Place // of the pocket's side and the other one
	links    map[Cell][]int32  // by the cell where they are come to
	nodes    []*[1 << blockBits]breachNode
	used     []*[1 << blockBits]breachNode
	free     []*[1 << blockBits]breachNode
	heap     breachHeap
	met      []uint32 // surfaces that crossings of the length in hand lead to
	from, to uint32

	pairs  PairFinder
	places [2][]spangrid.Place // of the pocket and of what may be the other side
	spans  [2][]uint32
}

// breachNode is what is known of a span in search of a crossing.
type breachNode struct {
	dist   int32
	source uint32 // span of the pocket that the crossing begins at
}

func (b *breacher) begin(g *Ground, pocket *Pocket, cell float64, limit int) {
	b.g, b.need, b.cell, b.back, b.left = g, pocket.need, cell, pocket.Goal, limit
	b.inner, b.other = floodForward, &g.floods[1]
	b.ends = [2]spangrid.Place{pocket.start, pocket.goal}
	if b.back {
		b.inner, b.other = floodBackward, &g.floods[0]
		b.ends[0], b.ends[1] = b.ends[1], b.ends[0]
	}
	b.other.met, b.other.meets, b.whole = false, floodApart, false
	b.third.begin(g, b.need, floodApart, b.ends[1])
	b.third.back = b.back
	b.third.meets, b.third.avoid = b.other.mark, b.inner
	b.links = map[Cell][]int32{}
	for k := range g.Links {
		at := g.Links[k].From
		if b.back {
			at = g.Links[k].To
		}
		c := Cell{at.GX, at.GY}
		b.links[c] = append(b.links[c], int32(k))
	}
	clear(b.nodes)
	b.nodes = b.nodes[:0]
	b.free = append(b.free, b.used...)
	b.used, b.heap, b.met = b.used[:0], b.heap[:0], b.met[:0]
	b.from, b.to = 0, 0
}

// node returns what is known of a span.
func (b *breacher) node(id uint32) *breachNode {
	k := int(id >> blockBits)
	for len(b.nodes) <= k {
		b.nodes = append(b.nodes, nil)
	}
	if b.nodes[k] == nil {
		var t *[1 << blockBits]breachNode
		if n := len(b.free); n > 0 {
			t, b.free = b.free[n-1], b.free[:n-1]
		} else {
			t = new([1 << blockBits]breachNode)
		}
		for i := range t {
			t[i].dist = math.MaxInt32
		}
		b.used = append(b.used, t)
		b.nodes[k] = t
	}
	return &b.nodes[k][id&(1<<blockBits-1)]
}

// isWhole reports whether nothing more can be of the other side than has its mark.
func (b *breacher) isWhole() bool {
	b.whole = b.whole || b.other.over()
	return b.whole
}

// isInner reports whether a span is of the pocket.
func (b *breacher) isInner(p *page, i int) bool {
	st := &p.state[i]
	return p.epoch == b.g.epoch && st.known(b.g.epoch) && st.stamp&b.inner != 0
}

// stands reports whether a span may be an end of a breach.
func (b *breacher) stands(p *page, i int) bool {
	return p.use[i] && p.marks[p.cellOf[i]]&b.need == b.need
}

// each calls do with every span of the pocket, and reports whether the context let
// it.
func (b *breacher) each(do func(p *page, i int)) bool {
	for _, p := range b.g.used {
		if p.epoch != b.g.epoch {
			continue
		}
		if b.g.Err() != nil {
			return false
		}
		for i := range p.state {
			if b.isInner(p, i) {
				do(p, i)
			}
		}
	}
	return true
}

// belongs reports whether a span that is not of the pocket is of the other side.
// Where that is not known yet, the side is flooded towards the span, and the
// ground from the span on towards the side, in turn, until they meet or the latter
// is a part of its own. It returns false too where the limit is met.
func (b *breacher) belongs(id uint32) bool {
	g := b.g
	p, i := g.of(id)
	if b.other.has(&p.state[i]) {
		return true
	}
	if b.third.has(&p.state[i]) || b.isWhole() {
		return false
	}
	x := &b.third
	x.add(p, i)
	aimed := false
	for turn := 16 * floodTurn; b.left > 0; turn = floodTurn {
		n := x.run(min(turn, b.left), true)
		b.left -= n
		switch {
		case x.met:
			return true
		case g.err != nil:
			return false
		case x.over():
			return false
		}
		if !aimed {
			aimed = true
			b.other.aim(g.Place(Span(id)))
		}
		b.left -= b.other.run(min(floodTurn, b.left), true)
		switch {
		case b.other.met:
			return true
		case b.left > 0 && b.isWhole():
			return false // and so nothing is that x has come to
		}
	}
	return false
}

// compareCrossings orders two crossings of the same length by their ends on the
// pocket's side and on the other one.
func (b *breacher) compareCrossings(u, x, v, y uint32) int {
	g := b.g
	pu, px, pv, py := g.Place(Span(u)), g.Place(Span(x)), g.Place(Span(v)), g.Place(Span(y))
	du, dx, dv, dy := off(pu, b.ends[0]), off(px, b.ends[1]), off(pv, b.ends[0]), off(py, b.ends[1])
	if b.back {
		pu, px, pv, py, du, dx, dv, dy = px, pu, py, pv, dx, du, dy, dv
	}
	return cmp.Or(cmp.Compare(du, dv), cmp.Compare(dx, dy), pu.Compare(pv), px.Compare(py))
}
