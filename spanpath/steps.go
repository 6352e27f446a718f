package spanpath

import (
	"encoding/binary"
	"math"
	"sync/atomic"
)

// What a search asks for at every span lies together, since large searches wait
// for memory more than for anything else: a cell has its first span and its
// clearance in four bytes, a span all its steps in four more.

// cellBrief is what a search knows of a cell.
type cellBrief struct {
	off uint16 // first span of the cell, from the first one of its row
	clr uint16 // as in Page.Clr
}

// The steps of a span of a page, as Page.steps has them: a bit for each of the eight
// that lead to one surface alone and are easy, above them one for each that is hard:
// it has to be looked at in the query, since more than one surface is there, or a
// fall. Steps that are neither lead nowhere, whoever asks. Those that lead from the
// span are in the lower half of a word, those that lead to it in the upper one.
const (
	stepsHard = 8
	stepsMask = 1<<16 - 1
	stepsBack = 16
	// stepsUnknown stands for steps that have not been judged: no step is both.
	stepsUnknown = 1 | 1<<stepsHard
)

// brief makes what searches look at, when everything else is there. A page that
// has more spans in a row than can be counted goes without: all its steps are hard.
func (p *Page) brief() {
	p.briefs = make([]cellBrief, pageSpan*pageSpan)
	p.crowded = false
	for y := range pageSpan {
		p.rows[y] = p.first[y*pageSpan]
		p.crowded = p.crowded || p.first[(y+1)*pageSpan]-p.rows[y] > 1<<16-1
		for x := range pageSpan {
			c := y*pageSpan + x
			p.briefs[c] = cellBrief{uint16(p.first[c] - p.rows[y]), p.Clr[c]}
		}
	}
	p.steps = p.unjudged(nil)
}

// unjudged returns steps of which nothing is known yet.
func (p *Page) unjudged(steps []uint32) []uint32 {
	steps = resize(steps, len(p.cellOf))
	for s := range steps {
		steps[s] = stepsUnknown<<stepsBack | stepsUnknown
	}
	return steps
}

// note notes half of the steps of a span, which are the same whoever finds them.
func (p *page) note(i int, half, shift uint32) {
	for {
		old := atomic.LoadUint32(&p.steps[i])
		if atomic.CompareAndSwapUint32(&p.steps[i], old, old&^(stepsMask<<shift)|half<<shift) {
			return
		}
	}
}

// judge finds the steps from a span in an own cell of a page. Only
// what all queries with these rules have in common counts: surfaces that some of
// them cannot use are in, and falls are hard whatever their depth and the body's
// headroom. An easy step
// leads to one surface alone, the one that has as many others below it in its
// cell as the span.
func (g *Ground) judge(p *page, i, c int) uint32 {
	rank, h := int32(i)-p.first[c], p.Table.H[i]
	deep := max(g.Rules.StepUp, g.Rules.SlopeDiag) // steps down by more may be too deep for a body
	word := uint32(0)
	for d := range 8 {
		cn := c + stepCell[d]
		first, end := p.first[cn], p.first[cn+1]
		found, hard := int32(-1), p.crowded
		for n := first; n < end; n++ {
			if p.Spans[n]&(SpanOwn|SpanNoGo) != SpanOwn {
				continue
			}
			drop := float64(h) - float64(p.Table.H[n])
			fall := drop > g.Rules.Climb
			switch {
			case fall && hard || !g.mightStep(p, c, d, h, p.Table.H[n]):
			case fall:
				hard = true
			default:
				hard = hard || found >= 0 || drop > deep || n-first != rank
				found = n
			}
		}
		switch {
		case hard:
			word |= 1 << (stepsHard + d)
		case found >= 0:
			word |= 1 << d
		}
	}
	p.note(i, word, 0)
	return word
}

// stepsOf returns the steps from a span in an own cell of a page, or those that
// lead to it: the latter not on its rim.
func (g *Ground) stepsOf(p *page, i, c int, back bool) uint32 {
	word := atomic.LoadUint32(&p.steps[i])
	switch {
	case back && word>>stepsBack == stepsUnknown:
		return g.judgeBack(p, i, c)
	case back:
		return word >> stepsBack
	case word&stepsMask == stepsUnknown:
		return g.judge(p, i, c)
	}
	return word & stepsMask
}

// stepsToLook is stepsOf for any cell: on the rim of its page, where others may have
// other surfaces, a step takes a look at all of them.
func (g *Ground) stepsToLook(p *page, i, c int, back bool) uint32 {
	if onRim(c) {
		return math.MaxUint32
	}
	return g.stepsOf(p, i, c, back)
}

// across returns the surfaces of a neighbouring cell that a step, the lowest of a
// word, may join with the one of a rank in its cell: one alone if it is easy.
func (p *page) across(cell, rank int, word uint32) (n, end int, easy bool) {
	n, end = int(p.first[cell]), int(p.first[cell+1])
	if easy = word>>stepsHard&1 == 0; easy {
		n += rank
		end = n + 1
	}
	return n, end, easy
}

// judgeBack finds the steps that lead to a span in an own cell of a page, not on
// its rim: bits as judge has them, each for the direction that the step comes
// from. An easy one comes from one surface alone, the one that has as many others
// below it in its cell as the span.
func (g *Ground) judgeBack(p *page, i, c int) uint32 {
	rank := int32(i) - p.first[c]
	word := uint32(0)
	for d := range 8 {
		cn, back := c+stepCell[d], stepBack[d]
		first, end := p.first[cn], p.first[cn+1]
		for n := first; n < end; n++ {
			if p.Spans[n]&(SpanOwn|SpanNoGo) != SpanOwn {
				continue
			}
			from := g.stepsOf(p, int(n), cn, false)
			switch {
			case from>>(stepsHard+back)&1 != 0 && g.mightStep(p, cn, back, p.Table.H[n], p.Table.H[i]):
				word |= 1 << (stepsHard + d)
			case from>>back&1 != 0 && n-first == rank:
				word |= 1 << d
			}
		}
		if word>>(stepsHard+d)&1 != 0 {
			word &^= 1 << d
		}
	}
	p.note(i, word, stepsBack)
	return word
}

// mightStep reports whether some query with these rules may go from a height in
// an own cell of a page to one in the neighbour.
func (g *Ground) mightStep(p *page, c, d int, h, hn float32) bool {
	rise := p.rise
	rise.Gate = nil
	cn := c + stepCell[d]
	if float64(h)-float64(hn) > g.Rules.Climb {
		return (g.PassWalls || p.opensOnto(cn, stepX[d], stepY[d], h, hn, 0)) && rise.OK(c, stepX[d], stepY[d], h, hn)
	}
	return p.Bans[c]&banLeave[d]|p.Bans[cn]&banEnter[d] == 0 && rise.OK(c, stepX[d], stepY[d], h, hn) &&
		(g.PassWalls || !p.stepMeetsWall(c, stepX[d], stepY[d], h, hn, wallBand))
}

// leads reports whether the step d from span i in own cell c of a page to span n
// of the neighbour, in the page too, is allowed. The neighbour is in the mask.
func (g *Ground) leads(p *page, i, c, d, n int) bool {
	word := g.stepsOf(p, i, c, false)
	switch {
	case word>>(stepsHard+d)&1 != 0:
		return g.mayStep(p, c, d, p.Table.H[i], p.Table.H[n])
	case word>>d&1 != 0:
		return int32(n)-p.first[c+stepCell[d]] == int32(i)-p.first[c]
	}
	return false
}

// takeSteps gives a page of a query its steps: the ones that all queries share,
// unless its rules are its own.
func (g *Ground) takeSteps(p *page) {
	if p.steps != nil {
		return
	}
	p.steps = p.Page.steps
	if g.PassWalls || g.Rules != p.rules {
		p.ownSteps = p.unjudged(p.ownSteps)
		p.steps = p.ownSteps
	}
}

// openSet has a bit for each cell of a page that has all marks of a search: two
// bytes of a row hold the neighbours of any cell.
type openSet [pageSpan * openStride]uint8

const openStride = pageSpan/8 + 2

func (o *openSet) set(marks []uint16, need uint16) {
	for y := Apron - 1; y <= Apron+PageSide; y++ {
		row, to := marks[y*pageSpan:(y+1)*pageSpan], o[y*openStride:(y+1)*openStride]
		for k := range pageSpan / 8 {
			m := row[k*8 : k*8+8]
			bit := func(j int) uint32 { return (uint32(m[j]&need^need) - 1) >> 31 << j }
			to[k] = uint8(bit(0) | bit(1) | bit(2) | bit(3) | bit(4) | bit(5) | bit(6) | bit(7))
		}
	}
}

// around returns a bit for each step from an own cell, as openSteps does.
func (o *openSet) around(x, y int) uint32 {
	at, shift := y*openStride+(x-1)>>3, (x-1)&7
	b := o[at-openStride : at+openStride+2]
	return uint32(openAround[uint(binary.LittleEndian.Uint16(b))>>shift&7|
		uint(binary.LittleEndian.Uint16(b[openStride:]))>>shift&7<<3|
		uint(binary.LittleEndian.Uint16(b[2*openStride:]))>>shift&7<<6])
}

// openAround has the steps for all ways in which a cell and its neighbours, row by
// row, can be open.
var openAround = func() (list [1 << 9]uint8) {
	var marks [2*pageSpan + 3]uint16
	for set := range list {
		for k := range 9 {
			marks[k/3*pageSpan+k%3] = uint16(set >> k & 1)
		}
		list[set] = uint8(openSteps(marks[:], pageSpan+1, 1))
	}
	return list
}()
