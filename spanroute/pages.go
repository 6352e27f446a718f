package spanroute

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"wend/pack"
	"wend/pack/bnvf"
	"wend/spangrid"
	"wend/spanpath"
	"wend/zone"
)

type pageKey struct {
	grid   int32
	region uint32
	px, py int32
	planar bool
}

// absentBytes is about what it takes to remember that there is no page.
const absentBytes = 160

// source returns the ground of a region. planar gives it as the original rules
// have it, see [spanpath.PageInput.PlanarNoGo]: no edges of floors over floors are
// looked for.
func (z *zoneEntry) source(region uint32, planar bool) *source {
	return &source{z, region, planar, z.e.workers}
}

// A source is the [spanpath.Source] of a region, over the engine's pages.
type source struct {
	z       *zoneEntry
	region  uint32
	planar  bool
	workers int // goroutines that decode tiles for one page
}

// mostPage is the last page that the cells of a grid can lie in.
const mostPage = math.MaxInt32 / spanpath.PageSide

func (s *source) key(px, py int) pageKey {
	return pageKey{int32(s.z.grid), s.region, int32(px), int32(py), s.planar}
}

// Page implements [spanpath.Source]. Errors are *DataError and the context's
// cause.
func (s *source) Page(ctx context.Context, px, py int) (*spanpath.Page, error) {
	if px < -mostPage || px > mostPage || py < -mostPage || py > mostPage {
		return nil, nil // no grid reaches there
	}
	key := s.key(px, py)
	if p, ok := s.z.e.pages.peek(key); ok {
		return p, nil
	}
	if r := s.lostTile(px, py); r != nil {
		if err := s.cutTile(ctx, r); err != nil {
			return nil, err
		}
	}
	return s.page(ctx, px, py)
}

// page is Page for one page alone.
func (s *source) page(ctx context.Context, px, py int) (*spanpath.Page, error) {
	return s.z.e.pages.get(ctx, s.key(px, py), func() (*spanpath.Page, int64, error) {
		p, err := s.build(ctx, px, py)
		if err != nil || p == nil {
			return nil, absentBytes, err
		}
		return p, absentBytes + p.Memory(), nil
	})
}

// cutShare is which part of the memory for pages those of a tile may take to be
// made together.
const cutShare = 4

// lostTile returns the tile that owns the middle of a page, where it was decoded
// and forgotten. Pages are made one by one, since a search may want few of a
// tile's, and most of them need the tiles beside it too. But where there are
// more tiles than are kept, it takes less time to make all of a tile's pages at
// once than to decode it for each of them.
func (s *source) lostTile(px, py int) *tileRect {
	z := s.z
	gx, gy := px*spanpath.PageSide+spanpath.PageSide/2, py*spanpath.PageSide+spanpath.PageSide/2
	list := z.tilesIn(nil, spangrid.Window{GX: gx, GY: gy, NX: 1, NY: 1})
	if len(list) == 0 {
		return nil
	}
	r := list[0]
	if z.rims[r.tile].Load() == nil {
		return nil
	}
	if has, err := z.hasRegion(r, s.region); !has || err != nil {
		return nil // what is wrong shows when the page is made
	}
	if _, ok := z.e.tiles.peek(z.tileKey(r)); ok {
		return nil
	}
	const perRecord = 16 // bytes, about
	if int64(z.e.main.Grid.Zones[z.grid].Tiles[r.tile].Records)*perRecord > z.e.pages.limit/cutShare {
		return nil
	}
	return r
}

// cutTile makes all pages whose middles a tile owns, by as many goroutines as
// the engine may use.
func (s *source) cutTile(ctx context.Context, r *tileRect) error {
	key := cutKey{int32(s.z.grid), r.tile, s.region, s.planar}
	_, err := s.z.e.cuts.get(ctx, key, func() (struct{}, int64, error) {
		if _, err := s.z.tile(ctx, r); err != nil {
			return struct{}{}, 0, dataError(ctx, WindowDecode, s.z.name, err)
		}
		const half = spanpath.PageSide / 2
		var list [][2]int
		for py := spanpath.PageOf(int(r.y0) - half); py <= spanpath.PageOf(int(r.y1)); py++ {
			for px := spanpath.PageOf(int(r.x0) - half); px <= spanpath.PageOf(int(r.x1)); px++ {
				if x, y := px*spanpath.PageSide+half, py*spanpath.PageSide+half; r.window().Has(x, y) {
					list = append(list, [2]int{px, py})
				}
			}
		}
		one := *s
		one.workers = 1
		return struct{}{}, 1, pack.Parallel(ctx, s.workers, len(list), func(_, i int) error {
			_, err := one.page(ctx, list[i][0], list[i][1])
			return err
		})
	})
	return err
}

type cutKey struct {
	grid, tile int32
	region     uint32
	planar     bool
}

// prefetch makes the pages along the line between two points, as many at once
// as the engine may: a search is likely to want them.
func (s *source) prefetch(ctx context.Context, a, b spanpath.Point) error {
	list := pagesAlong(a, b)
	missing := list[:0]
	for _, p := range list {
		if _, ok := s.z.e.pages.peek(s.key(p[0], p[1])); !ok {
			missing = append(missing, p)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	one := *s
	one.workers = 1
	return pack.Parallel(ctx, s.workers, len(missing), func(_, i int) error {
		_, err := one.Page(ctx, missing[i][0], missing[i][1])
		return err
	})
}

// mostAlong bounds how many pages are made beforehand: a straight line says
// little about a way that is long.
const mostAlong = 64

// pagesAlong returns pages that a line runs through, from its start.
func pagesAlong(a, b spanpath.Point) [][2]int {
	const side = spanpath.PageSide * spangrid.Side
	n := int(math.Min(math.Max(math.Abs(b.U-a.U), math.Abs(b.V-a.V))/side*2, 4*mostAlong)) + 1
	var list [][2]int
	for i := 0; i <= n && len(list) < mostAlong; i++ {
		t := float64(i) / float64(n)
		p := [2]int{
			spanpath.PageOf(spangrid.CellOf(a.U + float64(t*(b.U-a.U)))),
			spanpath.PageOf(spangrid.CellOf(a.V + float64(t*(b.V-a.V)))),
		}
		if k := len(list); k == 0 || list[k-1] != p {
			list = append(list, p)
		}
	}
	return list
}

// work is the scratch of one page.
type work struct {
	rects    []*tileRect
	tiles    []*tile
	f        bnvf.Window
	headroom []uint8
	edges    []zone.Edge
	floors   floors
	page     spanpath.PageScratch
}

// A pagePool keeps what making pages and decoding tiles takes.
type pagePool struct{ pool, tiles sync.Pool }

func (p *pagePool) get() *work {
	if w, ok := p.pool.Get().(*work); ok {
		return w
	}
	return new(work)
}

func (p *pagePool) put(w *work) {
	clear(w.tiles)
	w.tiles, w.rects = w.tiles[:0], w.rects[:0]
	w.floors.mesh = nil
	p.pool.Put(w)
}

// build makes a page of the tiles around it.
func (s *source) build(ctx context.Context, px, py int) (*spanpath.Page, error) {
	z := s.z
	w := z.e.works.get()
	defer z.e.works.put(w)
	win := spanpath.PageWindow(px, py)
	w.rects = z.tilesIn(w.rects, win)
	found := false
	for _, r := range w.rects {
		has, err := z.hasRegion(r, s.region)
		if err != nil {
			return nil, dataError(ctx, WindowDecode, z.name, err)
		}
		found = found || has
	}
	if !found {
		return nil, nil
	}
	w.tiles = append(w.tiles, make([]*tile, len(w.rects))...)
	err := pack.Parallel(ctx, s.workers, len(w.rects), func(_, i int) (err error) {
		w.tiles[i], err = z.rimmed(ctx, w.rects[i], win)
		return err
	})
	if err != nil {
		return nil, dataError(ctx, WindowDecode, z.name, err)
	}
	w.cut(win)
	walls, err := s.wallsNear(w, win)
	if err != nil {
		return nil, err
	}
	in := spanpath.PageInput{
		PX: px, PY: py, Region: s.region, Fields: &w.f, Walls: walls,
		NoGo: z.noGo, Rules: z.e.rulesFor(s.planar), PlanarNoGo: s.planar, Over: w.floors.over, Scratch: &w.page,
	}
	w.floors.reset(z.mesh, win)
	if z.e.headroom != nil {
		in.Headroom = w.headroom
	}
	return spanpath.NewPage(&in), nil
}

// cut collects the records of a window from the tiles, by cell.
func (w *work) cut(win spangrid.Window) {
	f := &w.f
	f.Records, f.Component = f.Records[:0], f.Component[:0]
	f.Steps2, f.Seg, w.headroom = f.Steps2[:0], f.Seg[:0], w.headroom[:0]
	slices.SortFunc(w.tiles, func(a, b *tile) int { return cmp.Compare(a.win.GX, b.win.GX) })
	n := 0
	for gy := win.GY; gy < win.GY+win.NY; gy++ {
		for _, t := range w.tiles {
			first, end := t.span(gy, win.GX, win.GX+win.NX)
			n += end - first
		}
	}
	f.Records, f.Component = slices.Grow(f.Records, n), slices.Grow(f.Component, n)
	f.Steps2, f.Seg, w.headroom = slices.Grow(f.Steps2, n), slices.Grow(f.Seg, n), slices.Grow(w.headroom, n)
	for gy := win.GY; gy < win.GY+win.NY; gy++ {
		for _, t := range w.tiles {
			if first, end := t.span(gy, win.GX, win.GX+win.NX); first < end {
				w.headroom = t.appendTo(f, w.headroom, int32(win.Cell(t.win.GX, gy)), first, end)
			}
		}
	}
}

// Walls implements [spanpath.WallSource].
func (s *source) Walls(_ context.Context, dst []spanpath.Segment, win spangrid.Window) ([]spanpath.Segment, error) {
	w := s.z.e.works.get()
	defer s.z.e.works.put(w)
	walls, err := s.wallsNear(w, win)
	return append(dst, walls...), err
}

// wallsNear returns the walls of the region that come near a window, in order
// of the edges' keys.
func (s *source) wallsNear(w *work, win spangrid.Window) ([]spanpath.Segment, error) {
	near := win.Grow(1)
	box := zone.Box{
		U0: float64(near.GX) * spangrid.Side, V0: float64(near.GY) * spangrid.Side,
		U1: float64(near.GX+near.NX) * spangrid.Side, V1: float64(near.GY+near.NY) * spangrid.Side,
	}
	w.edges = s.z.mesh.BoundaryEdges(w.edges[:0], box)
	var walls []spanpath.Segment
	for i := range w.edges {
		e := &w.edges[i]
		if !box.Touches(zone.Box{U0: min(e.AU, e.BU), V0: min(e.AV, e.BV), U1: max(e.AU, e.BU), V1: max(e.AV, e.BV)}) {
			continue
		}
		keep, err := s.z.walls.IsWall(e.Key/3, int(e.Key%3), s.region)
		if err != nil {
			return nil, &DataError{WallTable, s.z.name, err}
		}
		if keep {
			walls = append(walls, spanpath.Segment{AU: e.AU, AV: e.AV, BU: e.BU, BV: e.BV, HA: e.HA, HB: e.HB})
		}
	}
	return walls, nil
}
