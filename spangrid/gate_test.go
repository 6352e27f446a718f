package spangrid

import (
	"context"
	"math"
	"testing"

	"wend/geom"
	"wend/occluder"
	"wend/pack/bnav"
	"wend/zone"
)

var _ Colliders = (*occluder.Scene)(nil)

// blocker is Colliders that remember what they were asked.
type blocker struct {
	asked   [][2]geom.Vec3
	blocked bool
}

func (b *blocker) DropBlocked(take, land geom.Vec3, climb, height float64) bool {
	if climb != 0.39 || height != 2.1 {
		panic("body of another size")
	}
	b.asked = append(b.asked, [2]geom.Vec3{take, land})
	return b.blocked
}

// floorOf cleans a zone of triangles (u, v, h); the last ones are not walkable.
func floorOf(t *testing.T, place bnav.Zone, blind int, tris ...[3]bnav.Vertex) (*zone.Zone, *bnav.Zone) {
	t.Helper()
	place.ID, place.Name, place.TriCount = 1, "yard", uint32(len(tris))
	c := &bnav.Content{Zones: []bnav.Zone{place}}
	for i, tri := range tris {
		k := uint32(len(c.Vertices))
		c.Vertices = append(c.Vertices, tri[:]...)
		c.Triangles = append(c.Triangles, bnav.Triangle{V: [3]uint32{k, k + 1, k + 2}, N: [3]int32{-1, -1, -1}})
		s := bnav.Surface{Flags: 1}
		if i >= len(tris)-blind {
			s.Flags = 2
		}
		c.Surfaces = append(c.Surfaces, s)
	}
	z, err := zone.Clean(context.Background(), c, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	return z, &c.Zones[0]
}

func TestGateProjectsOntoTheFloor(t *testing.T) {
	slope := [3]bnav.Vertex{{U: 0, V: 0, H: 5}, {U: 4, V: 0, H: 9}, {U: 0, V: 4, H: 5}} // h = 5 + u
	low := [3]bnav.Vertex{{U: 0, V: 0, H: 3.5}, {U: 4, V: 0, H: 3.5}, {U: 0, V: 4, H: 3.5}}
	upright := [3]bnav.Vertex{{U: 8, V: 0, H: 0}, {U: 8, V: 2, H: 3}, {U: 8, V: 4, H: 0}}
	blind := [3]bnav.Vertex{{U: 0, V: 0, H: 7}, {U: 4, V: 0, H: 7}, {U: 0, V: 4, H: 7}}
	away := [3]bnav.Vertex{{U: 20.1, V: 20.1, H: 5}, {U: 24, V: 20.1, H: 5}, {U: 20.1, V: 24, H: 5}}
	z, place := floorOf(t, bnav.Zone{SX: 2, TX: 10, SY: -0.5, TY: 3}, 1, slope, low, upright, away, blind)
	g := NewGate(z, place, &blocker{}).(*Gate)
	for _, k := range []struct {
		name      string
		gx, gy    int
		h         float32
		qu, qv, y float64
	}{
		{"inside, on the slope", 5, 1, 6.25, 1.375, 0.375, 6.375},
		{"inside, nearer to the floor below", 0, 0, 4, 0.125, 0.125, 3.5},
		{"no triangle within the band", 5, 1, 12, 1.375, 0.375, 12},
		{"beside the edge", 5, -1, 6.25, 1.375, 0, 6.375},
		{"more than a cell beside the edge", 5, -2, 6.25, 1.375, -0.375, 6.25},
		{"beside a corner", -1, -1, 5, 0, 0, 5},
		{"a corner of its square, more than a cell away", 79, 79, 4.5, 19.875, 19.875, 4.5},
		{"an upright triangle has its mean height", 31, 8, 1.5, 8, 2.125, 1},
	} {
		u, v, y := g.project(Center(k.gx), Center(k.gy), float64(k.h))
		if math.Abs(u-k.qu) > 1e-12 || math.Abs(v-k.qv) > 1e-12 || math.Abs(y-k.y) > 1e-12 {
			t.Errorf("%s: (%v, %v) at %v, want (%v, %v) at %v", k.name, u, v, y, k.qu, k.qv, k.y)
		}
		// u = 2X + 10, v = 3 + Z/2
		want := geom.V3((k.qu-10)/2, k.y, (k.qv-3)*2)
		if got := g.at(pointKey{int32(k.gx), int32(k.gy), k.h}); geom.Dist(got, want) > 1e-12 {
			t.Errorf("%s: in the world %v, want %v", k.name, got, want)
		}
	}
}

func TestGateRemembers(t *testing.T) {
	flat := [3]bnav.Vertex{{U: 0, V: 0, H: 5}, {U: 4, V: 0, H: 5}, {U: 0, V: 4, H: 5}}
	z, place := floorOf(t, bnav.Zone{SX: 1, SY: 1}, 0, flat)
	b := &blocker{blocked: true}
	g := NewGate(z, place, b)
	zero := float32(0)
	for _, to := range []float32{zero, -zero, float32(math.Copysign(0, -1))} {
		if g.Allow(3, 0, 4, 0, 5, to) {
			t.Error("a blocked drop passes")
		}
	}
	if len(b.asked) != 1 {
		t.Errorf("asked %d times about one drop", len(b.asked))
	}
	b.blocked = false
	if !g.Allow(4, 0, 3, 0, 5, 0) || !g.Allow(3, 0, 4, 0, 5, 1) || g.Allow(3, 0, 4, 0, 5, 0) {
		t.Error("answers are mixed up")
	}
	if len(b.asked) != 3 {
		t.Errorf("asked %d times about three drops", len(b.asked))
	}
	if want := geom.V3(0.875, 5, -0.125); b.asked[0][0] != want {
		t.Errorf("take-off at %v, want %v", b.asked[0][0], want)
	}
}

func TestGateOfNothing(t *testing.T) {
	flat := [3]bnav.Vertex{{U: 0, V: 0, H: 5}, {U: 4, V: 0, H: 5}, {U: 0, V: 4, H: 5}}
	for _, place := range []bnav.Zone{{SX: 0, SY: 1}, {SX: 1, SY: 0}} {
		z, meta := floorOf(t, place, 0, flat)
		if g := NewGate(z, meta, &blocker{}); g != nil {
			t.Errorf("scale %v, %v: %v", place.SX, place.SY, g)
		}
	}
	z, meta := floorOf(t, bnav.Zone{SX: 1, SY: 1}, 0, flat)
	if g := NewGate(z, meta, nil); g != nil {
		t.Errorf("no colliders: %v", g)
	}
}

func TestClosestOnPlanIsClosest(t *testing.T) {
	// All points of a fine grid of weights, seen from all around.
	tri := [3]geom.Vec3{geom.V3(1, 2, 1), geom.V3(3.5, 7, 1.5), geom.V3(1.25, -1, 3)}
	const n = 200
	for a := -4.0; a < 9; a += 0.37 {
		for b := -4.0; b < 9; b += 0.41 {
			p := geom.V3(a/2, 0, b/2)
			q := closestOnPlan(p, &tri)
			best := math.Inf(1)
			for i := range n + 1 {
				for j := range n + 1 - i {
					s, r := float64(i)/n, float64(j)/n
					o := tri[0].Add(tri[1].Sub(tri[0]).Scale(s)).Add(tri[2].Sub(tri[0]).Scale(r))
					best = min(best, geom.DistXZ(p, o))
				}
			}
			if d := geom.DistXZ(p, q); d > best+1e-5 || d < best-0.03 {
				t.Fatalf("from %v: %v is %v away, another point %v", p, q, d, best)
			}
			// The plane of the triangle through q.
			normal := tri[1].Sub(tri[0]).Cross(tri[2].Sub(tri[0]))
			if off := normal.Dot(q.Sub(tri[0])); math.Abs(off) > 1e-9 {
				t.Fatalf("from %v: %v is %v off the plane", p, q, off)
			}
		}
	}
}
