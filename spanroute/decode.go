package spanroute

import (
	"context"
	"slices"

	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// tileScratch is what it takes to decode a tile, some 20 bytes a record and 20 a
// cell. It is kept from one to the next.
type tileScratch struct {
	dec      bnvf.TileDecoder
	tile     bnvf.Tile
	annex    annex.HeadroomDecoder
	headroom []uint8
	runs     []run
}

// decode decodes a tile, and keeps its rim.
func (z *zoneEntry) decode(ctx context.Context, r *tileRect) (*tile, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	s, ok := z.e.works.tiles.Get().(*tileScratch)
	if !ok {
		s = new(tileScratch)
	}
	defer z.e.works.tiles.Put(s)
	if err := s.dec.Decode(z.e.fields, z.grid, int(r.tile), &s.tile); err != nil {
		return nil, err
	}
	if z.e.headroom != nil {
		var err error
		s.headroom = slices.Grow(s.headroom[:0], s.tile.Len())
		if s.headroom, err = s.annex.Decode(z.e.headroom, z.grid, int(r.tile), s.headroom[:0]); err != nil {
			return nil, err
		}
	}
	t := s.owned(z, r)
	if z.rims[r.tile].Load() == nil {
		z.rims[r.tile].CompareAndSwap(nil, t.rim())
	}
	return t, nil
}

// owned makes a tile of the decoded records that it owns.
func (s *tileScratch) owned(z *zoneEntry, r *tileRect) *tile {
	info, c := &z.e.main.Grid.Zones[z.grid].Tiles[r.tile], &s.tile
	t := &tile{win: r.window()}
	t.rows = make([]int32, t.win.NY+1)
	t.x = make([]uint16, 0, c.Len())
	s.runs = s.runs[:0]
	row := int32(0)
	for i, cell := range c.Cell {
		if !info.Owns(cell) {
			continue
		}
		first, end := int(c.First[i]), int(c.First[i+1])
		if n := len(s.runs); n > 0 && s.runs[n-1].end == first {
			s.runs[n-1].end = end
		} else {
			s.runs = append(s.runs, run{first, end})
		}
		x, y := cell%info.NX-info.PX0, cell/info.NX-info.PY0
		for ; row < y; row++ {
			t.rows[row+1] = int32(len(t.x))
		}
		for range end - first {
			t.x = append(t.x, uint16(x))
		}
	}
	for ; int(row) < t.win.NY; row++ {
		t.rows[row+1] = int32(len(t.x))
	}
	t.h = make([]float32, 0, len(t.x))
	for _, u := range s.runs {
		for k := u.first; k < u.end; k++ {
			h := float32(0)
			if c.Flags[k]&bnav.Fill == 0 {
				h = c.Height(k)
			}
			t.h = append(t.h, h)
		}
	}
	if len(c.Regions) == 1 {
		t.region.all = c.Regions[0]
	} else {
		for k, v := range c.Region {
			c.Region[k] = c.Regions[v]
		}
		t.region = numbersOf(c.Region, s.runs)
	}
	t.component = numbersOf(c.Component, s.runs)
	t.clr, t.flags, t.seg = claim(&c.Clr, s.runs), claim(&c.Flags, s.runs), claim(&c.Seg, s.runs)
	t.steps, t.steps2 = claim(&c.Steps, s.runs), claim(&c.Steps2, s.runs)
	if z.e.headroom != nil {
		t.headroom = claim(&s.headroom, s.runs)
	}
	return t
}

// A run is records from first to before end.
type run struct{ first, end int }

// claim returns the records of runs. Where that is all of a column, it is taken
// from the scratch, which costs neither a copy nor memory for both.
func claim[T any](column *[]T, runs []run) []T {
	c := *column
	if len(runs) == 1 && runs[0] == (run{0, len(c)}) && cap(c)-len(c) <= len(c)/16 {
		*column = nil
		return c
	}
	return take(c, runs)
}

// take returns a copy of the records of runs, nil where there is no column.
func take[T any](column []T, runs []run) []T {
	if column == nil || len(runs) == 0 {
		return nil
	}
	if len(runs) == 1 {
		return slices.Clone(column[runs[0].first:runs[0].end])
	}
	n := 0
	for _, u := range runs {
		n += u.end - u.first
	}
	out := make([]T, 0, n)
	for _, u := range runs {
		out = append(out, column[u.first:u.end]...)
	}
	return out
}

// numbers are a column of numbers in as few bytes as they need: none where all
// are the same.
type numbers struct {
	all    uint32
	narrow []uint16
	wide   []uint32
}

// numbersOf returns a column of the numbers of runs.
func numbersOf(values []uint32, runs []run) numbers {
	n, most, same := 0, uint32(0), true
	for _, u := range runs {
		n += u.end - u.first
		for _, v := range values[u.first:u.end] {
			most = max(most, v)
			same = same && v == values[runs[0].first]
		}
	}
	if n == 0 {
		return numbers{}
	}
	if same {
		return numbers{all: most}
	}
	if most >= 1<<16 {
		return numbers{wide: take(values, runs)}
	}
	narrow := make([]uint16, 0, n)
	for _, u := range runs {
		for _, v := range values[u.first:u.end] {
			narrow = append(narrow, uint16(v))
		}
	}
	return numbers{narrow: narrow}
}

// at returns a number of the column.
func (c *numbers) at(i int) uint32 {
	switch {
	case c.narrow != nil:
		return uint32(c.narrow[i])
	case c.wide != nil:
		return c.wide[i]
	}
	return c.all
}

// appendTo appends numbers from first to before end.
func (c *numbers) appendTo(dst []uint32, first, end int) []uint32 {
	for i := first; i < end; i++ {
		dst = append(dst, c.at(i))
	}
	return dst
}

// take returns a copy of the numbers of runs.
func (c *numbers) take(runs []run) numbers {
	return numbers{c.all, take(c.narrow, runs), take(c.wide, runs)}
}

func (c *numbers) bytes() int64 { return 2*int64(cap(c.narrow)) + 4*int64(cap(c.wide)) }
