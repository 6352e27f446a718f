package spanpath

import (
	"math"
	"slices"

	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/spangrid"
)

// PageScratch is memory that [NewPage] makes pages in, some 5 bytes a record and
// 20 a cell. The zero value is ready. It is for one goroutine.
type PageScratch struct {
	order      []int32  // records by cell, height and region
	start, at  []int32  // by cell
	components []uint32 // of spans

	main  []uint8   // forbidden steps of the main pack, by cell
	steps []uint8   // and what is left of them
	top   []float32 // height of the highest surface of the region, by cell

	seen   []int32 // see indexWalls
	listed []wallInCell
}

// addRecords makes spans and cells of the records, in their order, but for those
// that edges leave out.
func (p *Page) addRecords(in *PageInput, s *PageScratch, edges *rims) {
	const n = pageSpan * pageSpan
	s.main, s.steps, s.top = zeroed(s.main, n), zeroed(s.steps, n), resize(s.top, n)
	for i := range s.top {
		s.top[i] = float32(math.Inf(-1))
	}
	recs, kept := in.Fields.Records, s.order[:0]
	for i, k := range s.order {
		r := &recs[k]
		own := r.Region == in.Region
		if own {
			c, seg := r.Cell, in.Fields.Seg[k]
			p.Cells[c] |= CellOwn | seg<<3&(CellFacadeX|CellFacadeY)
			if r.Flags&bnav.Walk != 0 || r.Flags&bnav.Core == 0 {
				p.Cells[c] |= CellLayer
			}
			if r.Flags&bnav.Core != 0 {
				p.Cells[c] |= CellCore
			}
			if seg&bnvf.MedialBit != 0 {
				p.Cells[c] |= CellMedial
			}
			p.Clr[c] = r.Clr
			s.main[c] |= r.Steps
			s.steps[c] |= in.Fields.Steps2[k]
			if r.Flags&(bnav.Ghost|bnav.Fill) == 0 {
				s.top[c] = max(s.top[c], r.H)
			}
		}
		if r.Flags&bnav.Fill != 0 || !own && r.Flags&bnav.Ghost != 0 || edges != nil && edges.out[i] {
			continue
		}
		kept = append(kept, k)
	}
	p.addSpans(in, s, kept)
}

// addSpans makes spans of records by cell and height.
func (p *Page) addSpans(in *PageInput, s *PageScratch, list []int32) {
	recs, n := in.Fields.Records, len(list)
	h := make([]float32, n)
	p.Spans, p.cellOf, p.first = make([]uint8, n), make([]uint16, n), make([]int32, pageSpan*pageSpan+1)
	s.components = resize(s.components, n)
	next := 0 // cells before this one know their first span
	for i, k := range list {
		r := &recs[k]
		for ; next <= int(r.Cell); next++ {
			p.first[next] = int32(i)
		}
		h[i], p.cellOf[i] = r.H, uint16(r.Cell)
		p.Spans[i], s.components[i] = spanBits[r.Flags&(bnav.AllFlags)], 0
		if r.Region == in.Region {
			p.Spans[i] |= SpanOwn
			s.components[i] = in.Fields.Component[k]
		}
	}
	for ; next < len(p.first); next++ {
		p.first[next] = int32(n)
	}
	p.Table = spangrid.DenseColumns(p.Table.Window, p.first, h, in.Rules.Climb)
	p.setComponents(s.components)
	if in.Headroom != nil && slices.ContainsFunc(list, func(k int32) bool { return in.Headroom[k] != 0 }) {
		p.Headroom = make([]uint8, n)
		for i, k := range list {
			p.Headroom[i] = in.Headroom[k]
		}
	}
}

// spanBits are the bits of a span by the flags of its record, without SpanOwn.
var spanBits = func() (list [bnav.AllFlags + 1]uint8) {
	for flags := range list {
		for _, b := range [...]struct{ flag, bit uint8 }{
			{bnav.Ghost, SpanGhost}, {bnav.Dead, SpanDead}, {bnav.Core, SpanCore}, {bnav.Walk, SpanWalk},
		} {
			if uint8(flags)&b.flag != 0 {
				list[flags] |= b.bit
			}
		}
	}
	return list
}()

// setComponents keeps the component of each span, by its place in a list where
// the list is not too long for that.
func (p *Page) setComponents(list []uint32) {
	p.component = make([]uint8, len(list))
	for s, c := range list {
		if s > 0 && c == list[s-1] {
			p.component[s] = p.component[s-1]
			continue
		}
		at := slices.Index(p.components, c)
		if at < 0 {
			if at = len(p.components); at > math.MaxUint8 {
				p.components, p.component, p.wide = nil, nil, slices.Clone(list)
				return
			}
			p.components = append(p.components, c)
		}
		p.component[s] = uint8(at)
	}
}

// sortRecords finds the order of records by cell, height and region, and reports
// whether one is of the region. Time is linear: cells hold few records, and
// commonly they come by cell.
func (s *PageScratch) sortRecords(recs []bnav.Record, region uint32) bool {
	sorted, any := true, false
	last := int32(-1)
	for i := range recs {
		r := &recs[i]
		sorted = sorted && r.Cell >= last
		last = r.Cell
		any = any || r.Region == region
	}
	if !any {
		return false
	}
	s.order = resize(s.order, len(recs))
	order := s.order
	if sorted {
		first := int32(0) // of the cell
		for i := range recs {
			r := &recs[i]
			if r.Cell != recs[first].Cell {
				first = int32(i)
			}
			j := int32(i)
			for ; j > first && before(r, &recs[order[j-1]]); j-- {
				order[j] = order[j-1]
			}
			order[j] = int32(i)
		}
		return true
	}
	s.start = zeroed(s.start, pageSpan*pageSpan+1)
	for i := range recs {
		s.start[recs[i].Cell+1]++
	}
	for c := range pageSpan * pageSpan {
		s.start[c+1] += s.start[c]
	}
	s.at = append(s.at[:0], s.start...)
	for i := range recs {
		r := &recs[i]
		j := s.at[r.Cell]
		s.at[r.Cell]++
		for ; j > s.start[r.Cell] && before(r, &recs[order[j-1]]); j-- {
			order[j] = order[j-1]
		}
		order[j] = int32(i)
	}
	return true
}

// before reports whether one record of a cell comes before another.
func before(a, b *bnav.Record) bool { return a.H < b.H || a.H == b.H && a.Region < b.Region }
