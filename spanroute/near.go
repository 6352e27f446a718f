package spanroute

import (
	"context"
	"math"
	"slices"

	"wend/geom"
	"wend/pack/bnav"
	"wend/spangrid"
	"wend/spanpath"
	"wend/zone"
)

// RegionsNear returns for each point the regions that a route may start or end
// in there, ascending, whatever height the point is taken to have. So two points
// whose regions have none in common are not joined by a walk: only a fall can
// lead from one to the other. A point without regions is too far from all ground
// for any route.
//
// A region that no route takes may be among them, since all surfaces are counted
// that the choice of a surface looks at: those around the point, and around each
// place of the mesh that it may be snapped to.
//
// Points are in metres, their heights do not matter. Time is that of looking at
// 48 px around each point; tiles are decoded once for all points.
func (e *Engine) RegionsNear(ctx context.Context, zoneName string, points []geom.Vec3) ([][]uint32, error) {
	z, err := e.zone(ctx, zoneName)
	if err != nil {
		return nil, err
	}
	defer z.release()
	out := make([][]uint32, len(points))
	var s nearScratch
	for i, p := range points {
		at := z.plane(p)
		if !(math.Abs(at.U) <= zone.MaxPlane && math.Abs(at.V) <= zone.MaxPlane) {
			continue // not a number, or beyond any zone
		}
		if out[i], err = z.regionsNear(ctx, at, &s); err != nil {
			return nil, err
		}
	}
	return out, nil
}

const (
	// nearReach is how far from a point's cell a surface can be chosen: a snap,
	// and a pick around where it ended, cells.
	nearReach = int(zone.SnapFallback/spangrid.Side) + 1 + pickReach
	nearSide  = 2*nearReach + 1
)

type nearScratch struct {
	tris []int32
	// mark counts, as differences along rows and columns, the squares that
	// cover a cell.
	mark [(nearSide + 1) * (nearSide + 1)]int32
}

func (z *zoneEntry) regionsNear(ctx context.Context, at spanpath.Point, s *nearScratch) ([]uint32, error) {
	gx, gy := spangrid.CellOf(at.U), spangrid.CellOf(at.V)
	clear(s.mark[:])
	s.square(0, 0)
	reach := zone.Box{U0: at.U - zone.SnapFallback, V0: at.V - zone.SnapFallback, U1: at.U + zone.SnapFallback, V1: at.V + zone.SnapFallback}
	s.tris = z.mesh.Near(s.tris[:0], reach)
	for _, t := range s.tris {
		if !z.mesh.Walkable[t] || !z.mesh.BoxOf(t).Touches(reach) {
			continue
		}
		u, v := z.mesh.Nearest(t, at.U, at.V)
		du, dv := u-at.U, v-at.V
		if math.Sqrt(float64(du*du)+float64(dv*dv)) <= zone.SnapFallback {
			s.square(spangrid.CellOf(u)-gx, spangrid.CellOf(v)-gy)
		}
	}
	s.sum()
	var regions []uint32
	window := spangrid.Window{GX: gx - nearReach, GY: gy - nearReach, NX: nearSide, NY: nearSide}
	err := z.records(ctx, window, func(t *tile, gy, i int) {
		r := t.record(gy, i)
		if r.Flags&bnav.Fill != 0 || len(regions) > 0 && regions[len(regions)-1] == r.Region {
			return
		}
		x, y := t.win.At(int(r.Cell))
		if s.mark[(y-window.GY)*(nearSide+1)+x-window.GX] > 0 {
			regions = append(regions, r.Region)
		}
	})
	if err != nil {
		return nil, dataError(ctx, GridDecode, z.name, err)
	}
	slices.Sort(regions)
	return slices.Compact(regions), nil
}

// square marks the cells that a pick around a cell looks at, counted from the
// point's.
func (s *nearScratch) square(dx, dy int) {
	x0, y0 := nearReach+dx-pickReach, nearReach+dy-pickReach
	x1, y1 := x0+2*pickReach+1, y0+2*pickReach+1
	const w = nearSide + 1
	s.mark[y0*w+x0]++
	s.mark[y0*w+x1]--
	s.mark[y1*w+x0]--
	s.mark[y1*w+x1]++
}

// sum turns the marks into the numbers of squares over each cell.
func (s *nearScratch) sum() {
	const w = nearSide + 1
	for y := range w {
		row := s.mark[y*w : y*w+w]
		for x := 1; x < w; x++ {
			row[x] += row[x-1]
		}
		if y > 0 {
			for x, v := range s.mark[(y-1)*w : y*w] {
				row[x] += v
			}
		}
	}
}
