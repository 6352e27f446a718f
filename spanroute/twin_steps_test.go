package spanroute

import (
	"math"
	"slices"

	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/spangrid"
	"wend/spanpath"
)

// in reports whether a cell is in the mask of a search.
func (w *twin) in(c int, channel bool) bool {
	k := &w.cells[c]
	return k.core && k.layer && k.on && (!channel || k.extra || k.medial || float64(bnav.Clearance(k.clr)) >= w.leg.body.Preferred)
}

func (w *twin) banned(x, y, u, v int) bool {
	bit, there := spangrid.StepBit(u-x, v-y)
	if there {
		x, y = u, v
	}
	return w.cells[w.number(x, y)].bans&bit != 0
}

// point returns where one stands on a surface.
func (w *twin) point(c int, h float32) spanpath.Point {
	gx, gy := w.place(c)
	if p, ok := w.points[spangrid.Place{GX: int32(gx), GY: int32(gy), H: h}]; ok {
		return p
	}
	return middleOf(gx, gy)
}

func (w *twin) wallBetween(c, n int, a, b float32) bool {
	p, q := w.point(c, a), w.point(n, b)
	var list []spanpath.Segment
	for _, k := range w.near[c] {
		list = append(list, w.walls[k])
	}
	return wallInTheWay(list, p, q, float64(a), float64(b), 1.25, w.z.e.rules.StepUp, 1e-7)
}

// wallInTheWay reports whether one of some walls bars the way from p to q at
// heights of up to band from its own: it is crossed, and no other one is crossed
// at the same place, the other way round and a step higher or lower, which makes
// both a kerb. slack is how far beyond its ends a wall reaches, as a share.
func wallInTheWay(walls []spanpath.Segment, p, q spanpath.Point, a, b, band, step, slack float64) bool {
	type hit struct {
		t, u, h float64
		s       *spanpath.Segment
	}
	var hits []hit
	for k := range walls {
		s := &walls[k]
		rx, ry, sx, sy := q.U-p.U, q.V-p.V, s.BU-s.AU, s.BV-s.AV
		d := rx*sy - ry*sx
		if math.Abs(d) <= 1e-12 {
			continue
		}
		t := ((s.AU-p.U)*sy - (s.AV-p.V)*sx) / d
		u := ((s.AU-p.U)*ry - (s.AV-p.V)*rx) / d
		if t > 1e-7 && t < 1-1e-7 && u > -1e-7 && u < 1+1e-7 {
			hits = append(hits, hit{t, u, s.HA + (s.HB-s.HA)*u, s})
		}
	}
	length := math.Hypot(q.U-p.U, q.V-p.V)
	for _, w := range hits {
		if math.Abs(a+(b-a)*w.t-w.h) > band || w.u < -slack || w.u > 1+slack {
			continue
		}
		kerb := slices.ContainsFunc(hits, func(o hit) bool {
			dot := (w.s.BU-w.s.AU)*(o.s.BU-o.s.AU) + (w.s.BV-w.s.AV)*(o.s.BV-o.s.AV)
			return dot < 0 && dot <= -0.9*math.Hypot(w.s.BU-w.s.AU, w.s.BV-w.s.AV)*math.Hypot(o.s.BU-o.s.AU, o.s.BV-o.s.AV) &&
				math.Abs(o.t-w.t)*length <= 0.02 && math.Abs(o.h-w.h) <= step && strays(w.s, o.s) <= 0.04 && strays(o.s, w.s) <= 0.04
		})
		if !kerb {
			return true
		}
	}
	return false
}

// strays returns how far the ends of b are from a, those that lie beside it.
func strays(a, b *spanpath.Segment) float64 {
	most := 0.0
	du, dv := a.BU-a.AU, a.BV-a.AV
	for _, e := range [2]spanpath.Point{{U: b.AU, V: b.AV}, {U: b.BU, V: b.BV}} {
		if t := ((e.U-a.AU)*du + (e.V-a.AV)*dv) / (du*du + dv*dv); t > 0 && t < 1 {
			most = math.Max(most, math.Hypot(a.AU+t*du-e.U, a.AV+t*dv-e.V))
		}
	}
	return most
}

// openFurtherOut reports whether there is a floor at about a landing's height within
// three cells beyond it over which nothing hangs below the height of the take-off
// and the body above it.
func (w *twin) openFurtherOut(n, dx, dy int, to, from float32) bool {
	x, y := w.place(n)
	for k := 1; k <= 3; k++ {
		c := w.number(x+k*dx, y+k*dy)
		for i, h := range w.cells[c].heights {
			if math.Abs(float64(h)-float64(to)) <= w.leg.rules.Climb &&
				w.cells[c].rooms[i]-(float64(from)-float64(h))+1./16 > annex.HeadroomMetres(w.leg.body.Headroom) {
				return true
			}
		}
	}
	return false
}

// may reports whether a step between spans of neighbouring cells is allowed.
func (w *twin) may(a, b int) bool {
	c, n := w.spans[a].cell, w.spans[b].cell
	x, y := w.place(c)
	u, v := w.place(n)
	from, to := w.spans[a].h, w.spans[b].h
	if down := float64(from) - float64(to); down > w.leg.rules.Climb {
		for i, h := range w.cells[n].heights {
			if h > to && h < from {
				return false // nobody falls through a floor
			}
			// Nor through a ceiling, which the edge of one's own floor is not. A
			// body that asks for headroom has it over the landing too.
			over := w.cells[n].rooms[i] - down
			if h == to && over < -0.25 && !w.openFurtherOut(n, u-x, v-y, to, from) || h == to && over > 0.25 && over+1./16 <= annex.HeadroomMetres(w.leg.body.Headroom) && w.leg.body.Headroom > 0 {
				return false
			}
		}
		return down <= w.leg.body.MaxDrop && w.rise.OK(c, u-x, v-y, from, to)
	}
	if deepest := max(w.leg.body.MaxDrop, w.leg.rules.StepUp, w.leg.rules.SlopeDiag); float64(from)-float64(to) > deepest {
		return false
	}
	return !w.banned(x, y, u, v) && w.rise.OK(c, u-x, v-y, from, to) && !w.wallBetween(c, n, from, to)
}
