package spanroute

import (
	"context"

	"wend/spangrid"
	"wend/spanpath"
)

// partFinder looks for the nearest surfaces of two parts of the ground, tile by
// tile.
type partFinder struct {
	p     *parts
	z     *zoneEntry
	state []tileParts // by place in zoneEntry.rects
	left  int         // surfaces that may still be looked at
	start spangrid.Place
}

// tileParts are the surfaces of both sides in a tile.
type tileParts struct {
	done   bool
	has    [2]bool // something of a side, whether one can stand there or not
	queued [2]bool // to be looked at for a side
	places [2][]spangrid.Place
}

// find first gathers one side as a whole, whichever is the smaller one, then the
// other one in windows around it that grow as long as something nearer may lie
// outside.
func (f *partFinder) find(ctx context.Context) (*gap, error) {
	f.place()
	side, ok, err := f.gather(ctx)
	if !ok || err != nil {
		return nil, err
	}
	var inner []spangrid.Place
	var box, whole *tileRect
	for i := range f.state {
		inner = append(inner, f.state[i].places[side]...)
		whole = whole.with(f.z.rects[i].x0, f.z.rects[i].y0).with(f.z.rects[i].x1, f.z.rects[i].y1)
	}
	for i := range inner {
		box = box.with(inner[i].GX, inner[i].GY)
	}
	if box == nil {
		return nil, nil
	}
	var pairs spanpath.PairFinder
	cell := spangrid.Side / f.z.scale()
	all := whole.window()
	var list []spangrid.Place
	for grow := spanpath.PageSide / 2; ; grow *= 2 {
		w := box.window().Grow(grow).Intersect(all)
		list = list[:0]
		for i := range f.z.rects {
			if f.z.rects[i].window().Intersect(w).Empty() {
				continue
			}
			if err := f.look(ctx, i); err != nil {
				return nil, err
			}
			if f.left <= 0 {
				return nil, nil
			}
			for _, at := range f.state[i].places[1-side] {
				if w.Has(int(at.GX), int(at.GY)) {
					list = append(list, at)
				}
			}
		}
		from, to := inner, list
		if side == goalSide {
			from, to = list, inner
		}
		i, j, d2, ok := pairs.Find(&spanpath.PairQuery{A: from, B: to, Cell: cell, Start: f.start, Goal: f.p.goal.Place})
		if m := float64(grow) * cell; ok && (d2 <= m*m || w == all) {
			return &gap{from[i], to[j]}, nil
		}
		if w == all {
			return nil, nil
		}
	}
}

// place puts the surfaces that are known into their tiles.
func (f *partFinder) place() {
	for side := range f.p.exact {
		k := 0
		for _, at := range f.p.exact[side] {
			for n := 0; n < len(f.z.rects) && !f.z.rects[k].window().Has(int(at.GX), int(at.GY)); n++ {
				k = (k + 1) % len(f.z.rects)
			}
			f.state[k].places[side] = append(f.state[k].places[side], at)
		}
	}
}

// with returns a rectangle that has a cell too.
func (r *tileRect) with(x, y int32) *tileRect {
	if r == nil {
		return &tileRect{x0: x, y0: y, x1: x, y1: y}
	}
	r.x0, r.y0, r.x1, r.y1 = min(r.x0, x), min(r.y0, y), max(r.x1, x), max(r.y1, y)
	return r
}

// gather looks at tiles for both sides in turn, until one of them is complete. ok
// is false where there is too much of both.
func (f *partFinder) gather(ctx context.Context) (side int, ok bool, err error) {
	var queue [2][]int
	for side := range queue {
		if queue[side], err = f.begin(ctx, side); err != nil {
			return 0, false, err
		}
	}
	var seen [2]int
	for {
		for side := range queue {
			if len(queue[side]) == 0 {
				return side, true, nil
			}
		}
		side := startSide
		if seen[goalSide] <= seen[startSide] {
			side = goalSide
		}
		i := queue[side][0]
		queue[side] = queue[side][1:]
		before := f.left
		if err := f.look(ctx, i); err != nil {
			return 0, false, err
		}
		if f.left <= 0 {
			return 0, false, nil
		}
		seen[side] += max(before-f.left, 1)
		if !f.state[i].has[side] {
			continue
		}
		// What it has may go on in those beside it.
		w := f.z.rects[i].window().Grow(1)
		for n := range f.z.rects {
			if !f.state[n].queued[side] && !f.z.rects[n].window().Intersect(w).Empty() {
				f.state[n].queued[side] = true
				queue[side] = append(queue[side], n)
			}
		}
	}
}

// begin returns the tiles to begin a side from: that of its end, those of links of
// its region, and all that have a region which belongs to it as a whole.
func (f *partFinder) begin(ctx context.Context, side int) ([]int, error) {
	l := f.p.l
	region, at := f.p.own(side), []spangrid.Place{f.p.goal.Place}
	if side == startSide {
		seed, ok, err := l.seed(ctx)
		if err != nil {
			return nil, err
		}
		if ok {
			at[0], f.start = seed.Place, seed.Place
		}
	}
	links, err := f.z.regionLinks(ctx, region)
	if err != nil {
		return nil, err
	}
	for i := range links {
		k := &links[i]
		if f.p.of(region)[side].has(k.from) {
			at = append(at, k.From)
		}
		if f.p.of(region)[side].has(k.to) {
			at = append(at, k.To)
		}
	}
	var list []int
	for i := range f.z.rects {
		r := &f.z.rects[i]
		regions, err := f.z.tileRegions(r)
		if err != nil {
			return nil, dataError(ctx, WindowDecode, f.z.name, err)
		}
		want := false
		for _, n := range regions {
			s := f.p.side[n]
			want = want || s != nil && s[side].all
		}
		for _, p := range at {
			want = want || r.window().Has(int(p.GX), int(p.GY))
		}
		if want {
			f.state[i].queued[side] = true
			list = append(list, i)
		}
	}
	return list, nil
}

// look finds what of a tile belongs to which side.
func (f *partFinder) look(ctx context.Context, i int) error {
	s := &f.state[i]
	if s.done {
		return nil
	}
	t, err := f.z.tile(ctx, &f.z.rects[i])
	if err != nil {
		return dataError(ctx, WindowDecode, f.z.name, err)
	}
	s.done = true
	f.left -= t.len()
	var last *[2]partOf
	lastRegion, known := uint32(0), false
	for y := range t.win.NY {
		gy := t.win.GY + y
		for n := int(t.rows[y]); n < int(t.rows[y+1]); n++ {
			if r := t.region.at(n); !known || r != lastRegion {
				last, lastRegion, known = f.p.side[r], r, true
			}
			if last == nil {
				continue
			}
			c := t.component.at(n)
			gx := t.win.GX + int(t.x[n])
			for side := range last {
				if !last[side].has(c) {
					continue
				}
				s.has[side] = true
				if f.p.l.stands(t, gx, gy, n) {
					s.places[side] = append(s.places[side], spangrid.Place{GX: int32(gx), GY: int32(gy), H: t.h[n]})
				}
			}
		}
	}
	return nil
}
