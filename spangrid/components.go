package spangrid

import (
	"cmp"
	"fmt"
	"slices"

	"wend/pack/bnvf"
)

// A Member is a record and the component of its part that it belongs to.
type Member struct {
	At        Place
	Component uint32
}

func compareMembers(a, b Member) int {
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Component, b.Component))
}

// An Edge is a step from one component to another.
type Edge = bnvf.Edge

func compareEdges(a, b Edge) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
}

// A Part is the graph of steps between the records of a region in one tile, with
// each strongly connected set drawn together to one component. Components are
// numbered from 1, by their least records.
type Part struct {
	First []Place // least record of each component, ascending
	Edges []Edge  // steps between components, ascending and distinct

	// Steps that leave the tile, by where they lead to and the component they
	// come from, ascending and distinct; and the records on the rim of the
	// tile, ascending, where such steps of other tiles arrive.
	Out []Member
	Rim []Member
}

// A Splitter draws strongly connected sets of records together (Tarjan,
// "Depth-first search and linear graph algorithms", 1972, with a stack of its
// own instead of recursion). The graph is not stored: each step is judged when
// the search comes to it, once. Scratch is at most 36 bytes a span of the
// region's table, and 8 a step between components. The zero value is ready; it
// is for one goroutine.
type Splitter struct {
	order []int32  // when the search came to a span, from 1; 0 = not yet, notOwned
	low   []int32  // the earliest open span that a span leads back to
	comp  []uint32 // component, by completion from 1; 0 = none yet
	open  []int32  // spans that belong to no component yet
	path  []frame
	cross []crossing
	out   []crossing // span, and the span it leads to
	name  []uint32   // number of each component
	of    []uint32
}

// notOwned is the order of spans that belong to other tiles.
const notOwned = -1

// A frame is a span on the path of the search, and which of its steps come next.
type frame struct {
	span      int32
	next, end int32 // spans of the neighbouring cell
	dir       int32 // the neighbouring cell after that
}

// A crossing is a step from a span to a component that is complete, or to a
// span of another tile.
type crossing struct {
	span int32
	to   uint32
}

// Split computes the part of a region in the owned cells of a tile. t holds the
// columns of that region, ghosts included, and s those that [Rise] looks at; both
// are on one window, which reaches [Rules.StepMargin] cells beyond what is
// owned. Drops count as steps.
//
// It also returns the component of each owned record, in their order; the list
// is valid until the next call. An error says that windows do not fit. Time is
// linear in records times eight times layers.
func (p *Splitter) Split(r *Rules, t, s *Columns, owned Window) (*Part, []uint32, error) {
	if t.Window != s.Window {
		return nil, nil, fmt.Errorf("spangrid: columns of windows %v and %v do not belong together", t.Window, s.Window)
	}
	if m := owned.Grow(r.StepMargin()); !owned.Empty() && t.Intersect(m) != m {
		return nil, nil, fmt.Errorf("spangrid: window %v does not reach %d cells beyond %v", t.Window, r.StepMargin(), owned)
	}
	first, end := p.begin(t, owned)
	rise := r.Rise(s, true, nil)
	var offset [8]int
	for i, d := range neighbours8 {
		offset[i] = d[1]*t.NX + d[0]
	}
	seen, comps := int32(0), uint32(0)
	for root := first; root < end; root++ {
		if p.order[root] != 0 {
			continue
		}
		seen++
		p.enter(int32(root), seen)
		for len(p.path) > 0 {
			f := &p.path[len(p.path)-1]
			u := f.span
			if f.next == f.end {
				if f.dir < 8 {
					a, b := t.Range(int(t.Cell[u]) + offset[f.dir])
					f.next, f.end = int32(a), int32(b)
					f.dir++
					continue
				}
				if p.low[u] == p.order[u] {
					comps++
					p.complete(u, comps)
				}
				p.path = p.path[:len(p.path)-1]
				if len(p.path) == 0 {
					break
				}
				// The step that led to u comes to its end.
				if back := p.path[len(p.path)-1].span; p.comp[u] != 0 {
					p.crosses(back, p.comp[u])
				} else {
					p.low[back] = min(p.low[back], p.low[u])
				}
				continue
			}
			v := f.next
			f.next++
			if from, to := t.H[u], t.H[v]; !rise.easy(from, to) {
				d := &neighbours8[f.dir-1]
				if !rise.judge(int(t.Cell[u]), d[0], d[1], from, to) {
					continue
				}
			}
			switch {
			case p.order[v] == notOwned:
				p.out = append(p.out, crossing{u, uint32(v)})
			case p.comp[v] != 0:
				p.crosses(u, p.comp[v])
			case p.order[v] != 0:
				p.low[u] = min(p.low[u], p.order[v])
			default:
				seen++
				p.enter(v, seen)
			}
		}
	}
	return p.finish(t, owned, int(comps), first, end), p.of, nil
}

// begin makes room and marks what is not owned. Owned spans are between first
// and end.
func (p *Splitter) begin(t *Columns, owned Window) (first, end int) {
	n := len(t.H)
	p.order, p.low, p.comp = zeroed(p.order, n), sized(p.low, n), zeroed(p.comp, n)
	p.open, p.path, p.cross, p.out = p.open[:0], p.path[:0], p.cross[:0], p.out[:0]
	if owned.Empty() {
		return 0, 0
	}
	first, end = n, 0
	for i, c := range t.Cell {
		if gx, gy := t.At(int(c)); owned.Has(gx, gy) {
			first, end = min(first, i), i+1
		} else {
			p.order[i] = notOwned
		}
	}
	return first, end
}

func (p *Splitter) enter(span, order int32) {
	p.order[span], p.low[span] = order, order
	p.open = append(p.open, span)
	p.path = append(p.path, frame{span: span})
}

// complete makes a component of span and what was opened after it.
func (p *Splitter) complete(span int32, comp uint32) {
	for {
		v := p.open[len(p.open)-1]
		p.open = p.open[:len(p.open)-1]
		p.comp[v] = comp
		if v == span {
			return
		}
	}
}

func (p *Splitter) crosses(span int32, to uint32) {
	c := crossing{span, to}
	if k := len(p.cross) - 1; k >= 0 && p.cross[k] == c {
		return
	}
	p.cross = append(p.cross, c)
}

// finish numbers the components and fills the part.
func (p *Splitter) finish(t *Columns, owned Window, comps, first, end int) *Part {
	part := &Part{}
	p.name = zeroed(p.name, comps+1)
	p.of = p.of[:0]
	for i := first; i < end; i++ {
		if p.order[i] == notOwned {
			continue
		}
		at := t.place(i)
		c := &p.name[p.comp[i]]
		if *c == 0 {
			part.First = append(part.First, at)
			*c = uint32(len(part.First))
		}
		p.of = append(p.of, *c)
		x, y := int(at.GX)-owned.GX, int(at.GY)-owned.GY
		if x == 0 || y == 0 || x == owned.NX-1 || y == owned.NY-1 {
			part.Rim = append(part.Rim, Member{at, *c})
		}
	}
	for _, c := range p.cross {
		part.Edges = append(part.Edges, Edge{From: p.name[p.comp[c.span]], To: p.name[c.to]})
	}
	slices.SortFunc(part.Edges, compareEdges)
	part.Edges = slices.Compact(part.Edges)
	for _, c := range p.out {
		part.Out = append(part.Out, Member{t.place(int(c.to)), p.name[p.comp[c.span]]})
	}
	slices.SortFunc(part.Out, compareMembers)
	part.Out = slices.Compact(part.Out)
	return part
}

// place returns where span i is.
func (t *Columns) place(i int) Place {
	gx, gy := t.At(int(t.Cell[i]))
	return Place{int32(gx), int32(gy), t.H[i]}
}
