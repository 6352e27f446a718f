package spanpath

import (
	"wend/pack/bnav"
	"wend/spangrid"
)

// A Fall is a step off a ledge of the ground's region onto another region.
type Fall struct {
	From      Span
	To        spangrid.Place
	Component uint32 // of the landing, inside its region
	Clr       uint16 // clearance of the landing's cell in its region, squared cells
}

// AppendFalls appends the falls from the cells of a page, which the query owns,
// onto another region, whose page of the same place is given: to one of the four
// neighbours, more than the climb down, from a surface that can be reached on
// core ground to one on core ground in no disc, where the rise rule and the gate
// agree.
// They come in order of their take-offs, then their landings.
func (g *Ground) AppendFalls(dst []Fall, px, py int, onto *Page) []Fall {
	if px < g.px || py < g.py || px >= g.px+g.nx || py >= g.py+g.ny || onto == nil {
		return dst
	}
	p := g.pageAt(px, py)
	if p == nowhere {
		return dst
	}
	for y := Apron; y < Apron+PageSide; y++ {
		for x := Apron; x < Apron+PageSide; x++ {
			c := y*pageSpan + x
			if p.marks[c]&MarkOnCore != 0 {
				dst = g.fallsFrom(dst, p, c, onto)
			}
		}
	}
	return dst
}

// fallSteps are the steps that falls are looked for in.
var fallSteps = [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}

func (g *Ground) fallsFrom(dst []Fall, p *page, c int, onto *Page) []Fall {
	for u := p.first[c]; u < p.first[c+1]; u++ {
		if !p.use[u] {
			continue
		}
		from := p.Table.H[u]
		for _, d := range fallSteps {
			n := c + d[1]*pageSpan + d[0]
			if onto.Cells[n]&CellCore == 0 || onto.Cells[n]&CellNoGo != 0 || g.inDisc(p.Table.At(n)) {
				continue
			}
			for v := onto.first[n]; v < onto.first[n+1]; v++ {
				const good = SpanOwn | SpanCore
				to := onto.Table.H[v]
				fall := float64(from) - float64(to)
				if onto.Spans[v]&(good|SpanGhost|SpanNoGo) != good || fall <= g.Rules.Climb || fall > g.Body.MaxDrop ||
					!g.lands(p, n, d[0], d[1], from, to) || !g.PassWalls && !onto.fallsClear(int(v), n, d[0], d[1], from, g.Body.Headroom) || !p.rise.OK(c, d[0], d[1], from, to) {
					continue
				}
				gx, gy := p.Table.At(n)
				dst = append(dst, Fall{
					From: Span(p.base + uint32(u)), To: spangrid.Place{GX: int32(gx), GY: int32(gy), H: to},
					Component: onto.Component(int(v)), Clr: onto.Clr[n],
				})
			}
		}
	}
	return dst
}

// Clearance returns the clearance of the landing, px.
func (f *Fall) Clearance() float32 { return bnav.Clearance(f.Clr) }
