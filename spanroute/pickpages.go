package spanroute

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"wend/pack/bnav"
	"wend/spangrid"
	"wend/spanpath"
)

// mostPicked is for how many regions picks look at pages of ground, which a
// search will want anyway, instead of decoding tiles.
const mostPicked = 4

// fewRegions returns the regions that occur in tiles, ascending, where they are
// so few that picks look at pages. What is kept in memory has no say in it.
func (z *zoneEntry) fewRegions(list []*tileRect) (regions []uint32, few bool, err error) {
	for _, r := range list {
		of, err := z.tileRegions(r)
		if err != nil {
			return nil, false, err
		}
		if len(of) > mostPicked {
			return nil, false, nil
		}
		for _, region := range of {
			if !slices.Contains(regions, region) {
				regions = append(regions, region)
			}
		}
	}
	slices.Sort(regions)
	return regions, len(regions) <= mostPicked, nil
}

// nearestOnPages is nearest for records of some regions that are not Fill. The
// record that key gets has no steps, and no clearance.
func (z *zoneEntry) nearestOnPages(ctx context.Context, gx, gy, half int, regions []uint32, key func(*bnav.Record) float64) (best found, ok bool, err error) {
	bestKey := 0.0
	var r bnav.Record // one for all: key lets it escape
	for _, region := range regions {
		source := z.source(region, false)
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
			y := gy + dy
			for px := spanpath.PageOf(gx - reach); px <= spanpath.PageOf(gx+reach); px++ {
				page, err := source.Page(ctx, px, spanpath.PageOf(y))
				if err != nil {
					return found{}, false, asGridDecode(err)
				}
				if page == nil {
					continue
				}
				x1 := min(gx+reach, (px+1)*spanpath.PageSide-1)
				for x := max(gx-reach, px*spanpath.PageSide); x <= x1; x++ {
					first, end := page.Column(x, y)
					for s := first; s < end; s++ {
						if page.Spans[s]&spanpath.SpanOwn == 0 {
							continue
						}
						r = recordOf(page, s, region)
						v := key(&r)
						if v < 0 {
							continue
						}
						dx := x - gx
						f := found{
							Place: spangrid.Place{GX: int32(x), GY: int32(y), H: r.H}, region: region,
							flags: r.Flags, distance: dx*dx + dy*dy,
						}
						if ok && cmp.Or(
							cmp.Compare(f.distance, best.distance), cmp.Compare(v, bestKey),
							cmp.Compare(f.GY, best.GY), cmp.Compare(f.GX, best.GX),
						) >= 0 {
							continue
						}
						f.component = page.Component(s)
						best, bestKey, ok = f, v, true
					}
				}
			}
		}
	}
	return best, ok, nil
}

// recordOf returns what a page knows of the record of a span.
func recordOf(p *spanpath.Page, s int, region uint32) bnav.Record {
	r := bnav.Record{H: p.Table.H[s], Region: region}
	for _, f := range [...]struct {
		bit, flag uint8
	}{
		{spanpath.SpanWalk, bnav.Walk}, {spanpath.SpanCore, bnav.Core}, {spanpath.SpanGhost, bnav.Ghost}, {spanpath.SpanDead, bnav.Dead},
	} {
		if p.Spans[s]&f.bit != 0 {
			r.Flags |= f.flag
		}
	}
	return r
}

// asGridDecode tells a tile near an end point that cannot be decoded from one
// that a search came upon.
func asGridDecode(err error) error {
	var d *DataError
	if errors.As(err, &d) && d.Code == WindowDecode {
		return &DataError{GridDecode, d.Zone, d.Err}
	}
	return err
}
