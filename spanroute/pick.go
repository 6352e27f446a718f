package spanroute

import (
	"cmp"
	"context"
	"math"
	"slices"

	"wend/pack/bnav"
	"wend/spangrid"
	"wend/spanpath"
)

const (
	// pickReach is how far from an end's cell a surface for it is looked for,
	// to either side, cells.
	pickReach = 32
	startBand = 3.0 // half height of the band of surfaces to start from, m
)

// A found is a record of the grid.
type found struct {
	spangrid.Place
	region, component uint32
	flags             uint8
	distance          int // squared, in the plane, from the cell asked about; cells
}

// pickStart returns the surface that something at height h near a cell stands
// on: walkable, real, within startBand; of those the nearest in the plane, then
// in height, then the first by row, column and the grid's order.
func (z *zoneEntry) pickStart(ctx context.Context, gx, gy int, h float64) (found, bool, error) {
	return z.pick(ctx, gx, gy, h, startBand, bnav.Ghost|bnav.Fill)
}

// pickDeck returns the surface that a declared height h near a cell means: like
// pickStart, within deckBand, and ghosts count.
func (z *zoneEntry) pickDeck(ctx context.Context, gx, gy int, h float64) (found, bool, error) {
	return z.pick(ctx, gx, gy, h, deckBand, bnav.Fill)
}

func (z *zoneEntry) pick(ctx context.Context, gx, gy int, h, band float64, without uint8) (found, bool, error) {
	return z.nearest(ctx, gx, gy, pickReach, func(r *bnav.Record) float64 {
		if r.Flags&(bnav.Walk|without) != bnav.Walk {
			return -1
		}
		if d := math.Abs(float64(r.H) - h); d <= band {
			return d
		}
		return -1
	})
}

// nearest returns the record nearest to a cell in the square of half cells to
// either side: by squared distance, then by what key says, then by row, column and
// the grid's order. key is negative for a record that does not count. Errors have
// code GridDecode.
//
// Tiles and rows are looked at from near to far and no farther than the best
// that was found, so the cost is that of the empty ground around the cell.
func (z *zoneEntry) nearest(ctx context.Context, gx, gy, half int, key func(*bnav.Record) float64) (best found, ok bool, err error) {
	if max(gx, -gx, gy, -gy) > math.MaxInt32/2 {
		return found{}, false, nil
	}
	square := spangrid.Window{GX: gx - half, GY: gy - half, NX: 2*half + 1, NY: 2*half + 1}
	var buf [16]*tileRect
	list := z.tilesIn(buf[:0], square)
	if regions, few, err := z.fewRegions(list); err != nil {
		return found{}, false, dataError(ctx, GridDecode, z.name, err)
	} else if few {
		return z.nearestOnPages(ctx, gx, gy, half, regions, key)
	}
	slices.SortStableFunc(list, func(a, b *tileRect) int { return cmp.Compare(a.distance(gx, gy), b.distance(gx, gy)) })
	bestKey := 0.0
	var r bnav.Record
	for _, rect := range list {
		if ok && rect.distance(gx, gy) > best.distance {
			break
		}
		t, err := z.tile(ctx, rect)
		if err != nil {
			return found{}, false, dataError(ctx, GridDecode, z.name, err)
		}
		for k := range 2*half + 1 { // rows 0, -1, 1, -2, 2, ...
			dy := (k + 1) / 2
			if k%2 == 1 {
				dy = -dy
			}
			reach := half
			if ok {
				if dy*dy > best.distance {
					break
				}
				reach = min(half, isqrt(best.distance-dy*dy))
			}
			first, end := t.span(gy+dy, gx-reach, gx+reach+1)
			base := t.win.GX - (gy+dy-t.win.GY)*t.win.NX
			for i := first; i < end; i++ {
				r = t.record(gy+dy, i)
				v := key(&r)
				if v < 0 {
					continue
				}
				x := base + int(r.Cell)
				dx := x - gx
				f := found{Place: spangrid.Place{GX: int32(x), GY: int32(gy + dy), H: r.H}, distance: dx*dx + dy*dy}
				if ok && cmp.Or(
					cmp.Compare(f.distance, best.distance), cmp.Compare(v, bestKey),
					cmp.Compare(f.GY, best.GY), cmp.Compare(f.GX, best.GX),
				) >= 0 {
					continue
				}
				f.region, f.component, f.flags = r.Region, t.component.at(i), r.Flags
				best, bestKey, ok = f, v, true
			}
		}
	}
	return best, ok, nil
}

// distance returns the squared distance from a cell to the nearest one of the
// tile.
func (r *tileRect) distance(gx, gy int) int {
	dx := max(int(r.x0)-gx, gx-int(r.x1), 0)
	dy := max(int(r.y0)-gy, gy-int(r.y1), 0)
	return dx*dx + dy*dy
}

// isqrt returns the root of a small number, rounded down.
func isqrt(n int) int { return int(math.Sqrt(float64(n))) }

// surface returns the surface of a region in a cell that is nearest to a height,
// of two the lower one, and false where the cell has none. Ghosts count.
func (z *zoneEntry) surface(ctx context.Context, gx, gy int, region uint32, h float64) (s found, ok bool, err error) {
	if max(gx, -gx, gy, -gy) > math.MaxInt32/2 {
		return found{}, false, nil
	}
	page, err := z.source(region, false).Page(ctx, spanpath.PageOf(gx), spanpath.PageOf(gy))
	if page == nil || err != nil {
		return found{}, false, asGridDecode(err)
	}
	best := math.Inf(1)
	first, end := page.Column(gx, gy)
	for i := first; i < end; i++ {
		if page.Spans[i]&spanpath.SpanOwn == 0 {
			continue
		}
		r := recordOf(page, i, region)
		if d := math.Abs(float64(r.H) - h); d < best {
			best, ok = d, true
			s = found{spangrid.Place{GX: int32(gx), GY: int32(gy), H: r.H}, region, page.Component(i), r.Flags, 0}
		}
	}
	return s, ok, nil
}

// coreReach is how far from an end open ground is looked for, to either side,
// cells.
const coreReach = 64

// coreDistance returns how far a point's cell is from the nearest cell of core
// ground in the plane, px: 16 where there is none in the square of 16 px to
// either side. Openings count as core.
func (z *zoneEntry) coreDistance(ctx context.Context, at spanpath.Point) (float64, error) {
	d, _, err := z.openGround(ctx, at)
	return d, err
}

// openGround is coreDistance, and says whether there is such ground.
func (z *zoneEntry) openGround(ctx context.Context, at spanpath.Point) (px float64, ok bool, err error) {
	f, ok, err := z.nearest(ctx, spangrid.CellOf(at.U), spangrid.CellOf(at.V), coreReach, func(r *bnav.Record) float64 {
		if r.Flags&(bnav.Core|bnav.Fill) != bnav.Core {
			return -1
		}
		return 0
	})
	if err != nil || !ok {
		return coreReach * spangrid.Side, false, err
	}
	return math.Sqrt(float64(f.distance)) * spangrid.Side, true, nil
}
