package spanroute

import (
	"math"

	"wend/geom"
	"wend/pack/annex"
	"wend/spangrid"
	"wend/spanpath"
)

// scale returns px a metre, 1 where the zone's plane has no place in the world.
func (z *zoneEntry) scale() float64 {
	if !z.place.HasWorld() {
		return 1
	}
	return math.Abs(float64(z.place.SX))
}

// plane returns the point of the zone's plane that a place of the world lies
// over.
func (z *zoneEntry) plane(at geom.Vec3) spanpath.Point {
	if !z.place.HasWorld() {
		return spanpath.Point{U: at.X, V: -at.Z}
	}
	u, v := z.place.ToPlane(at.X, at.Z)
	return spanpath.Point{U: u, V: v}
}

// worldAt returns the place in the world of a point of the plane and a height. A
// zone without a place in the world is taken for a plane in metres.
func (z *zoneEntry) worldAt(p spanpath.Point, h float64) geom.Vec3 {
	if !z.place.HasWorld() {
		return geom.Vec3{X: p.U, Y: h, Z: -p.V}
	}
	return geom.Vec3{
		X: (p.U - float64(z.place.TX)) / float64(z.place.SX),
		Y: h,
		Z: (float64(z.place.TY) - p.V) / float64(z.place.SY),
	}
}

// world returns the middle of a cell at a height.
func (z *zoneEntry) world(p spangrid.Place) geom.Vec3 {
	return z.worldAt(middleOf(int(p.GX), int(p.GY)), float64(p.H))
}

// defaultPreferred is the clearance from which on ground is open, px, and the
// greatest one for which clearances are kept that far.
const (
	defaultPreferred = 1.75
	maxPreferred     = 5.25
)

// leg turns a request into the plane of the zone.
func (z *zoneEntry) leg(r *Request) (*leg, error) {
	px := z.scale()
	l := &leg{
		maxSnap: z.maxSnap(r), room: z.room(&r.Body),
		z: z, rules: *z.e.rulesFor(r.Reference), windows: r.Windows, maxExpanded: r.MaxExpanded,
		reference: r.Reference, partial: r.Partial, debug: r.Debug, radius: r.Body.Radius,
		body: spanpath.Body{MaxDrop: math.Inf(1), Preferred: defaultPreferred},
	}
	for i, e := range []struct {
		to   *end
		from End
	}{{&l.from, r.From}, {&l.to, r.To}} {
		e.to.at = z.plane(e.from.At)
		if math.Abs(e.to.at.U) > maxPlane || math.Abs(e.to.at.V) > maxPlane || e.from.Storey != AnyHeight && math.Abs(e.from.At.Y) > maxHeight {
			return nil, &RequestError{[2]string{"start", "goal"}[i], e.from.At, "lies farther out than any zone"}
		}
		switch e.from.Storey {
		case OnSurface:
			e.to.deck = optional{e.from.At.Y, true}
		case NearFloor:
			e.to.floor = optional{e.from.At.Y, true}
		}
	}
	for _, d := range r.Discs {
		at := z.plane(d.At)
		l.discs = append(l.discs, spanpath.Disc{U: at.U, V: at.V, Radius: math.Min(d.Radius*px, 2*maxPlane)})
	}
	if err := l.fit(&r.Body, px); err != nil {
		return nil, err
	}
	if r.Shortest { // all ground is open, at the same price
		l.shortest, l.body.Preferred = true, 0
		return l, nil
	}
	p := l.body.Preferred
	if !l.reference {
		l.body.Wide = float64(p * wideShare)
	}
	l.wide = spanpath.NewPricesBeyond(l.body.MinClr, float64(p*narrowShare), float64(p*wideShare))
	l.tight = spanpath.NewPricesBeyond(l.body.MinClr, math.Min(leastClearance, p), p)
	return l, nil
}

// Limits of coordinates, as package zone has them.
const (
	maxPlane  = 1 << 18 // px
	maxHeight = 1 << 17 // m
)

// fit sets what the body asks of the ground.
func (l *leg) fit(b *Body, px float64) error {
	z := l.z
	if b.Preferred > 0 {
		l.body.Preferred = b.Preferred * px
		if p := l.body.Preferred; p < spangrid.Side && p > spangrid.Side*(1-1e-6) {
			l.body.Preferred = spangrid.Side // a cell, but for the rounding of the scale
		}
		if l.body.Preferred < spangrid.Side || l.body.Preferred > maxPreferred {
			return &RequestError{"preferred clearance", b.Preferred,
				"want " + metres(spangrid.Side/px) + " to " + metres(maxPreferred/px) + ", for which clearances are kept"}
		}
	}
	if b.MaxDrop > 0 {
		l.body.MaxDrop = b.MaxDrop
	}
	if b.MaxStep > 0 {
		l.rules.StepUp = math.Min(l.rules.StepUp, b.MaxStep)
		l.rules.BumpUp = math.Min(l.rules.BumpUp, b.MaxStep)
	}
	if b.Radius > 0 {
		inset := 0.0
		if z.hasBody {
			inset = z.body.Radius
		}
		switch {
		case b.Radius < inset-1e-9:
			return &RequestError{"radius", b.Radius, "the ground was made for a body of radius " + metres(inset) + ", so that ways of a narrower one are not in it"}
		case float64((b.Radius-inset)*px)+float64(l.body.Preferred*wideShare) > spangrid.CapCells*spangrid.Side:
			return &RequestError{"radius", b.Radius, "with the clearance that is preferred clearances are kept for up to " +
				metres(inset+(spangrid.CapCells*spangrid.Side-float64(l.body.Preferred*wideShare))/px)}
		}
		l.body.MinClr = math.Max(b.Radius-inset, 0) * px
	}
	if b.Height > 0 {
		switch {
		case b.Height > annex.MaxHeadroom:
			return &RequestError{"height", b.Height, "headroom is kept up to " + metres(annex.MaxHeadroom)}
		case z.hasBody && b.Height <= z.body.Headroom: // all of it is high enough
		case z.e.headroom == nil:
			return &RequestError{"height", b.Height, "the pack does not know its headroom"}
		default:
			l.body.Headroom = headroomFor(b.Height)
		}
	}
	return nil
}

// headroomFor returns the least stored headroom that promises h metres.
func headroomFor(h float64) uint8 {
	s := uint8(1)
	for s < math.MaxUint8 && annex.HeadroomMetres(s) < h {
		s++
	}
	if annex.HeadroomMetres(s) < h {
		return math.MaxUint8
	}
	return s
}
