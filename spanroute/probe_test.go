package spanroute

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	"wend/geom"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/spangrid"
	"wend/spanpath"
)

// TestProbe compares what is said of points with all records and triangles.
func TestProbe(t *testing.T) {
	e := openTerraces(t, nil)
	z := openZone(t, e)
	a := decodeAll(t, z)
	px := z.scale()
	closed, storeys := 0, 0
	list := probes(a, 25, 21)
	for x := 4.0; x < 16; x += 1.5 { // in the no-go zone and beside it
		at := z.plane(geom.V3(x, 0, x))
		list = append(list, [2]int{spangrid.CellOf(at.U), spangrid.CellOf(at.V)})
	}
	for _, c := range list {
		if c[0] > 1<<30 || c[1] < -1<<30 {
			continue
		}
		at := middleOf(c[0], c[1])
		p, err := e.ProbePlane(t.Context(), "terraces", at.U, at.V)
		if err != nil {
			t.Fatal(err)
		}
		if q, err := e.Probe(t.Context(), "", z.worldAt(at, 99)); err != nil || q.Cell != p.Cell || len(q.Surfaces) != len(p.Surfaces) {
			t.Errorf("cell %v: by the world %+v, %v", c, q, err)
		}
		if p.Cell != c {
			t.Errorf("cell %v, want %v", p.Cell, c)
		}
		n := 0
		for i := range a.f.Records {
			r := &a.f.Records[i]
			if x, y := a.at(i); x != c[0] || y != c[1] || r.Flags&bnav.Fill != 0 {
				continue
			}
			n++
			want := ProbeSurface{
				Cell: c, Y: float64(r.H), Region: r.Region, Component: a.f.Component[i],
				Clearance: math.Sqrt(float64(r.Clr)) * 0.25 / px, Headroom: -1,
				Walk: r.Flags&bnav.Walk != 0, Core: r.Flags&bnav.Core != 0, Dead: r.Flags&bnav.Dead != 0, Ghost: r.Flags&bnav.Ghost != 0,
				Medial: a.f.Seg[i]&bnvf.MedialBit != 0,
			}
			if a.headroom != nil {
				want.Headroom = annex.HeadroomMetres(a.headroom[i])
			}
			w := z.worldAt(at, 0)
			want.NoGo = inPit(w.X, w.Z) && r.H >= -1 && r.H <= 3
			if want.NoGo {
				closed++
			}
			if !hasSurface(p.Surfaces, want) {
				t.Errorf("cell %v: %+v is not among %+v", c, want, p.Surfaces)
			}
		}
		if n != len(p.Surfaces) {
			t.Errorf("cell %v: %d surfaces, want %d", c, len(p.Surfaces), n)
		}
		if n > 1 {
			storeys++
		}
		near, ok := bruteNearest(a, c[0], c[1], 64, func(r *bnav.Record) float64 {
			if r.Flags&(bnav.Walk|bnav.Ghost|bnav.Fill) == bnav.Walk {
				return 0
			}
			return -1
		})
		if ok != (p.Nearest != nil) || ok && (p.Nearest.Cell != [2]int{int(near.GX), int(near.GY)} || p.Nearest.Region != near.region) {
			t.Errorf("cell %v: nearest %+v, want %+v %v", c, p.Nearest, near, ok)
		}
		floors := 0
		for k := range int32(len(z.mesh.Tris)) {
			if _, ok := z.mesh.HeightAt(k, at.U, at.V); ok {
				floors++
			}
		}
		if floors != len(p.Floors) {
			t.Errorf("cell %v: %d floors, want %d", c, len(p.Floors), floors)
		}
		if spot, ok := z.snap(at, snapRadius, optional{}, optional{}, nil); ok != (p.Snap != nil) || ok && p.Snap.Triangle != spot.Triangle {
			t.Errorf("cell %v: snap %+v, want %+v", c, p.Snap, spot)
		}
		if _, err := json.Marshal(p); err != nil {
			t.Errorf("cell %v: %v", c, err)
		}
	}
	if closed == 0 || storeys == 0 {
		t.Errorf("%d closed surfaces, %d cells of several storeys: the test looks at too little", closed, storeys)
	}
}

func hasSurface(list []ProbeSurface, want ProbeSurface) bool {
	for _, s := range list {
		if math.Abs(s.Clearance-want.Clearance) > 1e-6 {
			continue
		}
		s.Clearance = want.Clearance
		if s == want {
			return true
		}
	}
	return false
}

// inPit is the no-go zone of the terraces, as half-planes.
func inPit(x, z float64) bool {
	ring := []geom.Vec2{{X: 3, Y: 3}, {X: 15, Y: 4}, {X: 14, Y: 16}, {X: 4, Y: 13}}
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		if (q.X-p.X)*(z-p.Y)-(q.Y-p.Y)*(x-p.X) < 0 {
			return false
		}
	}
	return true
}

func TestProbeFaults(t *testing.T) {
	e := openTerraces(t, nil)
	for _, at := range []geom.Vec3{geom.V3(math.NaN(), 0, 0), geom.V3(0, 0, math.Inf(-1)), geom.V3(1e300, 0, 0)} {
		_, err := e.Probe(t.Context(), "", at)
		var bad *RequestError
		if !errors.As(err, &bad) {
			t.Errorf("%v: %v", at, err)
		}
	}
	p, err := e.ProbePlane(t.Context(), "", 2e5, 2e5) // far from everything
	if err != nil || len(p.Floors)+len(p.Surfaces) != 0 || p.Snap != nil || p.Nearest != nil || p.CoreFound {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := e.Probe(t.Context(), "none", geom.Vec3{}); err == nil {
		t.Error("a zone that is none has a probe")
	}
}

// TestDistancesAreMetres stands half a metre beside open ground.
func TestDistancesAreMetres(t *testing.T) {
	z := openZone(t, openTerraces(t, nil))
	a := decodeAll(t, z)
	for i := range a.f.Records {
		x, y := a.at(i)
		for d := 1; d < 20; d++ {
			at := spanpath.Point{U: spangrid.Center(x - d), V: spangrid.Center(y)}
			p, err := z.probe(t.Context(), at)
			if err != nil {
				t.Fatal(err)
			}
			if n := p.Nearest; n != nil && n.Distance > 0 {
				from, to := z.worldAt(at, 0), z.worldAt(middleOf(n.Cell[0], n.Cell[1]), 0)
				if math.Abs(geom.Dist(from, to)-n.Distance) > 1e-6 {
					t.Fatalf("from %v to %v: %v m", from, to, n.Distance)
				}
				return
			}
		}
	}
	t.Fatal("all ground is walkable")
}
