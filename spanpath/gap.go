package spanpath

import "math"

// Gap is where two parts of the ground that do not hang together come nearest to
// each other.
type Gap struct {
	From, To Cell    // the one can be reached from the start, from the other a goal can
	Weight   int32   // from one to the other, hundredths of a cell, a diagonal step being 141
	Distance float64 // between their middles, px
}

// FindGap finds where a search for a way fails: of the cells that a way from the
// start can reach the one nearest to those from which a way to a goal leads, by
// the rules of [Ground.Solve]. Distances are those of a chamfer of 100 and 141
// over all cells of the window, whether there is ground or not. Of equally near
// pairs the one with the first cell From by row and column counts, then with the
// first cell To. Where both parts lie above each other the distance is 0.
//
// found is false where the start or all goals are not usable. Time is that of
// both floods and of the cells between them.
func (g *Ground) FindGap(start Span, goals []Span, need uint16, dst *Gap) (found bool, err error) {
	*dst = Gap{}
	if !g.stands(start, need) {
		return false, g.Err()
	}
	g.nextEpoch()
	flood := &g.floods[0]
	flood.begin(g, need, floodForward, g.Place(start))
	flood.add(g.of(uint32(start)))
	flood.run(math.MaxInt, false)
	flood.begin(g, need, floodBackward, g.Place(start))
	for _, s := range goals {
		if g.stands(s, need) {
			flood.add(g.of(uint32(s)))
			found = true
		}
	}
	if !found {
		return false, g.Err()
	}
	flood.run(math.MaxInt, false)
	if err := g.Err(); err != nil {
		return false, err
	}
	f := &g.gap
	f.begin(g, need)
	f.near(dst)
	return true, g.Err()
}

// gapFinder looks for what of a forward flood is nearest to a backward one.
type gapFinder struct {
	g    *Ground
	need uint16

	tiles   []*gapTile // by page
	used    []*gapTile
	free    []*gapTile
	buckets [planeDiagonal + 1][]uint32
	waiting int // cells in buckets
}

func (f *gapFinder) begin(g *Ground, need uint16) {
	f.g, f.need = g, need
	f.tiles = zeroed(f.tiles, len(g.dir))
	f.free = append(f.free, f.used...)
	f.used = f.used[:0]
	for i := range f.buckets {
		f.buckets[i] = f.buckets[i][:0]
	}
	f.waiting = 0
}

// gapTile is what is known of the cells of a page's square, ground or not.
type gapTile struct {
	dist   [PageSide * PageSide]int32
	source [PageSide * PageSide]uint32 // number of the nearest cell of the backward flood
}

func (f *gapFinder) tile(px, py int) *gapTile {
	slot := &f.tiles[(py-f.g.py)*f.g.nx+px-f.g.px]
	if *slot == nil {
		var t *gapTile
		if n := len(f.free); n > 0 {
			t, f.free = f.free[n-1], f.free[:n-1]
		} else {
			t = new(gapTile)
		}
		for i := range t.dist {
			t.dist[i] = math.MaxInt32
		}
		f.used = append(f.used, t)
		*slot = t
	}
	return *slot
}

// near runs Dijkstra's algorithm over the plane from the backward flood until it
// meets the forward one.
func (f *gapFinder) near(dst *Gap) {
	g := f.g
	for _, p := range g.used {
		if p.epoch != g.epoch {
			continue
		}
		for i := range p.state {
			st := &p.state[i]
			if !st.known(g.epoch) || st.stamp&floodBackward == 0 {
				continue
			}
			t := f.tile(p.PX, p.PY)
			gx, gy := p.Table.At(int(p.cellOf[i]))
			c := (gy&(PageSide-1))<<pageBits + gx&(PageSide-1)
			if t.dist[c] != 0 {
				f.offer(t, c, 0, g.number(gx, gy), g.number(gx, gy))
			}
		}
	}
	// From comes first where pairs are equally near.
	found := false
	var from, to uint32
	for d := int32(0); f.waiting > 0 && !found; d++ {
		bucket := &f.buckets[d%int32(len(f.buckets))]
		for _, n := range *bucket {
			gx, gy := g.numbered(n)
			t, c := f.at(gx, gy)
			if t.dist[c] != d || !f.isTarget(gx, gy) {
				continue
			}
			if b := t.source[c]; !found || n < from || n == from && b < to {
				found, from, to = true, n, b
				dst.Weight = d
			}
		}
		if found || d&255 == 0 && g.Err() != nil {
			break
		}
		f.settle(bucket, d)
	}
	if !found {
		return // the context ended
	}
	fx, fy := g.numbered(from)
	tx, ty := g.numbered(to)
	dst.From, dst.To = Cell{int32(fx), int32(fy)}, Cell{int32(tx), int32(ty)}
	dst.Distance = distance(middle(fx, fy), middle(tx, ty))
}

// isTarget reports whether a cell has a span of the forward flood.
func (f *gapFinder) isTarget(gx, gy int) bool {
	g := f.g
	if !g.entered(gx, gy) {
		return false
	}
	p, c := g.at(gx, gy)
	if c < 0 || p.marks[c]&f.need != f.need {
		return false
	}
	for n := p.first[c]; n < p.first[c+1]; n++ {
		if st := &p.state[n]; p.use[n] && st.known(g.epoch) && st.stamp&floodForward != 0 {
			return true
		}
	}
	return false
}

func (f *gapFinder) at(gx, gy int) (*gapTile, int) {
	return f.tile(PageOf(gx), PageOf(gy)), (gy&(PageSide-1))<<pageBits + gx&(PageSide-1)
}

// offer notes that a cell is so far from a source.
func (f *gapFinder) offer(t *gapTile, c int, dist int32, source, number uint32) {
	switch {
	case dist < t.dist[c]:
		t.dist[c], t.source[c] = dist, source
		b := &f.buckets[dist%int32(len(f.buckets))]
		*b = append(*b, number)
		f.waiting++
	case dist == t.dist[c]:
		t.source[c] = min(t.source[c], source)
	}
}

// settle goes on from the cells at a distance.
func (f *gapFinder) settle(bucket *[]uint32, d int32) {
	g := f.g
	w := g.Clip
	// Steps cost less than the number of buckets and more than nothing, so
	// nothing is put into this one meanwhile.
	for _, n := range *bucket {
		gx, gy := g.numbered(n)
		t, c := f.at(gx, gy)
		if t.dist[c] != d {
			continue
		}
		for k := range 8 {
			x, y := gx+stepX[k], gy+stepY[k]
			if w.Has(x, y) {
				u, cu := f.at(x, y)
				f.offer(u, cu, d+planeCost[k], t.source[c], g.number(x, y))
			}
		}
	}
	f.waiting -= len(*bucket)
	*bucket = (*bucket)[:0]
}
