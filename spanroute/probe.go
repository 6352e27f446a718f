package spanroute

import (
	"cmp"
	"context"
	"math"
	"slices"

	"wend/geom"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/spangrid"
	"wend/spanpath"
	"wend/zone"
)

// A Probe is what the packs say of one point seen from above.
type Probe struct {
	Zone string    `json:"zone"`
	At   geom.Vec3 `json:"at"`   // world, m; Y is 0
	U    float64   `json:"u"`    // plane, px
	V    float64   `json:"v"`    //
	Cell [2]int    `json:"cell"` // column and row

	Floors   []ProbeFloor   `json:"floors"`   // triangles over the point, from the highest down
	Surfaces []ProbeSurface `json:"surfaces"` // of its cell, from the highest down

	// Snap is where an end without a height comes to stand on the mesh, nil
	// where the mesh is too far.
	Snap *ProbeSnap `json:"snap"`

	// Nearest is the walkable surface nearest to the point's cell, of several
	// the first by row and column, nil where there is none within 16
	// px to either side.
	Nearest *ProbeSurface `json:"nearest"`

	// CoreDistance is how far open ground is in the plane, m; where CoreFound
	// is false there is none within 16 px to either side.
	CoreDistance float64 `json:"core_distance"`
	CoreFound    bool    `json:"core_found"`

	NoGo []ProbeNoGo `json:"no_go"` // polygons of the author over the point
}

// A ProbeFloor is a triangle of the mesh over a point.
type ProbeFloor struct {
	Y        float64 `json:"y"` // there, m
	Triangle int32   `json:"triangle"`
	Walkable bool    `json:"walkable"`
	Island   bool    `json:"island"` // of a small piece
}

// A ProbeSurface is a record of the grid.
type ProbeSurface struct {
	Cell      [2]int  `json:"cell"`
	Y         float64 `json:"y"`        // m
	Distance  float64 `json:"distance"` // from the point's cell in the plane, m
	Region    uint32  `json:"region"`
	Component uint32  `json:"component"`
	Clearance float64 `json:"clearance"` // m to the nearest obstacle
	Headroom  float64 `json:"headroom"`  // m that are free above, -1 where it is unknown
	Walk      bool    `json:"walk"`
	Core      bool    `json:"core"`  // away from edges and walls
	Dead      bool    `json:"dead"`  // a wall passes near
	Ghost     bool    `json:"ghost"` // a filled gap
	Medial    bool    `json:"medial"`
	NoGo      bool    `json:"no_go"` // in a polygon and its band of heights
}

// A ProbeSnap is a place of the mesh.
type ProbeSnap struct {
	At       geom.Vec3 `json:"at"`       // m; Y is the mean height of the triangle's corners
	Distance float64   `json:"distance"` // from the point in the plane, m
	Triangle int32     `json:"triangle"`
}

// A ProbeNoGo is a polygon of the author and its closed band of heights, nil
// standing for no end.
type ProbeNoGo struct {
	ID  string   `json:"id"`
	Min *float64 `json:"min"` // m
	Max *float64 `json:"max"`
}

// Probe returns what the packs say of a point of the world. The Y of at does
// not count. The error is a *RequestError for a point that is none, whose value is
// a geom.Vec2 of the point's X and Z. A nil context is one that never ends.
func (e *Engine) Probe(ctx context.Context, zoneName string, at geom.Vec3) (*Probe, error) {
	ctx = alive(ctx)
	z, err := e.zone(ctx, zoneName)
	if err != nil {
		return nil, err
	}
	defer z.release()
	p := z.plane(at)
	if !onPlane(p) {
		return nil, &RequestError{"point", geom.Vec2{X: at.X, Y: at.Z}, "lies farther out than any zone"}
	}
	return z.probe(ctx, p)
}

// ProbePlane is Probe for a point of the zone's plane, px.
func (e *Engine) ProbePlane(ctx context.Context, zoneName string, u, v float64) (*Probe, error) {
	ctx = alive(ctx)
	z, err := e.zone(ctx, zoneName)
	if err != nil {
		return nil, err
	}
	defer z.release()
	if p := (spanpath.Point{U: u, V: v}); onPlane(p) {
		return z.probe(ctx, p)
	}
	return nil, &RequestError{"point", [2]float64{u, v}, "lies farther out than any zone"}
}

// onPlane reports whether a zone may reach as far as a point.
func onPlane(p spanpath.Point) bool {
	return math.Abs(p.U) <= zone.MaxPlane && math.Abs(p.V) <= zone.MaxPlane
}

func (z *zoneEntry) probe(ctx context.Context, at spanpath.Point) (*Probe, error) {
	gx, gy := spangrid.CellOf(at.U), spangrid.CellOf(at.V)
	p := &Probe{
		Zone: z.name, At: z.worldAt(at, 0), U: at.U, V: at.V, Cell: [2]int{gx, gy},
		Floors: []ProbeFloor{}, Surfaces: []ProbeSurface{}, NoGo: []ProbeNoGo{},
	}
	z.mesh.Over(nil, at.U, at.V, func(t int32, h float64, walkable bool) {
		p.Floors = append(p.Floors, ProbeFloor{h, t, walkable, z.mesh.Island[t]})
	})
	slices.SortStableFunc(p.Floors, func(a, b ProbeFloor) int { return cmp.Compare(b.Y, a.Y) })
	err := z.records(ctx, spangrid.Window{GX: gx, GY: gy, NX: 1, NY: 1}, func(t *tile, row, i int) {
		if t.flags[i]&bnav.Fill == 0 {
			p.Surfaces = append(p.Surfaces, z.probeSurface(t, row, i, gx, gy))
		}
	})
	if err != nil {
		return nil, dataError(ctx, GridDecode, z.name, err)
	}
	slices.SortStableFunc(p.Surfaces, func(a, b ProbeSurface) int { return cmp.Compare(b.Y, a.Y) })
	if s, ok := z.snap(at, snapRadius, optional{}, optional{}, nil); ok {
		p.Snap = &ProbeSnap{z.worldAt(spanpath.Point{U: s.U, V: s.V}, s.Height), s.Distance / z.scale(), s.Triangle}
	}
	if p.Nearest, err = z.nearestWalkable(ctx, gx, gy); err != nil {
		return nil, err
	}
	core, found, err := z.openGround(ctx, at)
	if err != nil {
		return nil, err
	}
	p.CoreDistance, p.CoreFound = core/z.scale(), found
	for i := range z.noGo {
		if r := &z.noGo[i]; r.Has(at.U, at.V) {
			p.NoGo = append(p.NoGo, ProbeNoGo{r.ID, unlessInf(r.Min), unlessInf(r.Max)})
		}
	}
	return p, nil
}

func unlessInf(v float64) *float64 {
	if math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// nearestWalkable returns the walkable surface nearest to a cell in the plane.
func (z *zoneEntry) nearestWalkable(ctx context.Context, gx, gy int) (*ProbeSurface, error) {
	f, ok, err := z.nearest(ctx, gx, gy, coreReach, func(r *bnav.Record) float64 {
		if r.Flags&(bnav.Walk|bnav.Ghost|bnav.Fill) != bnav.Walk {
			return -1
		}
		return 0
	})
	if !ok || err != nil {
		return nil, err
	}
	var out *ProbeSurface
	err = z.records(ctx, spangrid.Window{GX: int(f.GX), GY: int(f.GY), NX: 1, NY: 1}, func(t *tile, row, i int) {
		if out == nil && t.region.at(i) == f.region && t.h[i] == f.H {
			s := z.probeSurface(t, row, i, gx, gy)
			out = &s
		}
	})
	return out, dataError(ctx, GridDecode, z.name, err)
}

// probeSurface describes a record of a row, as seen from a cell.
func (z *zoneEntry) probeSurface(t *tile, row, i, gx, gy int) ProbeSurface {
	r := t.record(row, i)
	x, y := t.win.At(int(r.Cell))
	px := z.scale()
	h := float64(r.H)
	s := ProbeSurface{
		Cell: [2]int{x, y}, Y: h, Region: r.Region, Component: t.component.at(i),
		Distance:  math.Sqrt(float64((x-gx)*(x-gx)+(y-gy)*(y-gy))) * spangrid.Side / px,
		Clearance: float64(bnav.Clearance(r.Clr)) / px, Headroom: -1,
		Walk: r.Flags&bnav.Walk != 0, Core: r.Flags&bnav.Core != 0, Dead: r.Flags&bnav.Dead != 0,
		Ghost: r.Flags&bnav.Ghost != 0, Medial: t.seg[i]&bnvf.MedialBit != 0,
	}
	if t.headroom != nil {
		s.Headroom = annex.HeadroomMetres(t.headroom[i])
	}
	s.NoGo = z.closedAt(middleOf(x, y), h) != nil
	return s
}
