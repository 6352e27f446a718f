package obj

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"wend/geom"
)

type pt struct{ x, y int64 }

func cross(a, b, c pt) int64 { return (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x) }

// ringArea2 returns twice the signed area of a ring.
func ringArea2(ring []pt) int64 {
	var sum int64
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		sum += p.x*q.y - p.y*q.x
	}
	return sum
}

// within reports whether a ring contains the centroid of a triangle, by
// counting the edges to the right of it. Coordinates are tripled, so that it
// is on the lattice; on an edge counts as within.
func within(ring []pt, a, b, c pt) bool {
	g := pt{a.x + b.x + c.x, a.y + b.y + c.y}
	in := false
	for i := range ring {
		p, q := ring[i], ring[(i+1)%len(ring)]
		p, q = pt{3 * p.x, 3 * p.y}, pt{3 * q.x, 3 * q.y}
		if cross(p, q, g) == 0 && min(p.x, q.x) <= g.x && g.x <= max(p.x, q.x) && min(p.y, q.y) <= g.y && g.y <= max(p.y, q.y) {
			return true
		}
		if (p.y > g.y) != (q.y > g.y) {
			if d := cross(p, q, g); (q.y > p.y) == (d > 0) {
				in = !in
			}
		}
	}
	return in
}

// planes are bases of planes in space, on the lattice: flat, upright, tilted.
var planes = [][2]geom.Vec3{
	{{Z: 1}, {X: 1}},
	{{X: 1}, {Y: 1}},
	{{Y: 1}, {Z: 1}},
	{{X: 1, Y: 1}, {Z: 1, Y: -1}},
	{{X: 3, Y: -2, Z: 1}, {X: 1, Y: 1, Z: -1}},
}

// checkCut cuts a ring from every start corner, both ways round, in several
// planes, and compares with the ring: the triangles are wound like it, lie in
// it and are as large as it together.
func checkCut(t interface {
	Helper()
	Fatalf(string, ...any)
}, ring []pt,
) {
	t.Helper()
	var c cutter
	n := len(ring)
	want := ringArea2(ring)
	for start := range n {
		turned := append(slices.Clone(ring[start:]), ring[:start]...)
		for _, reverse := range []bool{false, true} {
			sign := int64(1)
			if reverse {
				slices.Reverse(turned)
				sign = -1
			}
			plane := planes[(start+len(ring))%len(planes)]
			pts := make([]geom.Vec3, n)
			for i, p := range turned {
				pts[i] = plane[0].Scale(float64(p.x)).Add(plane[1].Scale(float64(p.y))).Add(geom.V3(1000, -3, 70))
			}
			tris, ok := c.polygon(pts)
			if !ok || len(tris) != n-2 {
				t.Fatalf("start %d: ok = %v, %d triangles, want %d: %v", start, ok, len(tris), n-2, turned)
			}
			var sum int64
			for _, tri := range tris {
				a, b, d := turned[tri[0]], turned[tri[1]], turned[tri[2]]
				area := sign * cross(a, b, d)
				if area < 0 || (area > 0 && !within(turned, a, b, d)) {
					t.Fatalf("start %d: triangle %v %v %v of area %d leaves the ring %v", start, a, b, d, area, turned)
				}
				sum += area
			}
			if sum != want {
				t.Fatalf("start %d: the triangles have twice the area %d, want %d: %v", start, sum, want, turned)
			}
		}
	}
}

func TestCutShapes(t *testing.T) {
	for name, ring := range map[string][]pt{
		"square":            {{0, 0}, {4, 0}, {4, 4}, {0, 4}},
		"L":                 {{0, 0}, {4, 0}, {4, 2}, {2, 2}, {2, 4}, {0, 4}},
		"dart":              {{0, 0}, {4, 4}, {0, 2}, {-4, 4}},
		"flat corners":      {{0, 0}, {1, 0}, {2, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 2}},
		"flat triangle":     {{0, 0}, {2, 0}, {4, 0}, {2, 2}, {0, 4}, {0, 2}},
		"one flat side":     {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {0, 3}},
		"comb":              {{0, 0}, {9, 0}, {9, 5}, {8, 5}, {8, 1}, {7, 1}, {7, 5}, {6, 5}, {6, 1}, {5, 1}, {5, 5}, {4, 5}, {4, 1}, {0, 1}},
		"spiral":            {{0, 0}, {7, 0}, {7, 7}, {1, 7}, {1, 3}, {4, 3}, {4, 4}, {2, 4}, {2, 6}, {6, 6}, {6, 1}, {0, 1}},
		"square hole":       {{0, 0}, {6, 0}, {6, 6}, {0, 6}, {0, 0}, {2, 2}, {2, 4}, {4, 4}, {4, 2}, {2, 2}},
		"hole at edge":      {{0, 0}, {3, 0}, {2, 2}, {4, 2}, {3, 0}, {6, 0}, {6, 6}, {0, 6}},
		"holes touch":       {{0, 0}, {8, 0}, {8, 8}, {0, 8}, {0, 0}, {2, 2}, {2, 4}, {4, 4}, {4, 6}, {6, 6}, {6, 4}, {4, 4}, {4, 2}, {2, 2}},
		"touch from within": {{0, 0}, {2, 0}, {4, 0}, {4, 4}, {3, 4}, {2, 0}, {1, 4}, {0, 4}},
		"wedge on edge":     {{0, 0}, {8, 0}, {8, 8}, {5, 8}, {4, 0}, {3, 8}, {0, 8}},
	} {
		t.Run(name, func(t *testing.T) { checkCut(t, ring) })
	}
}

// A corner of one of two neighbours lies on the edge of the other: the other's
// flat corner must stay a corner of a triangle, or a seam opens.
func TestFlatCornersStay(t *testing.T) {
	var c cutter
	ring := []geom.Vec3{{}, {X: 1}, {X: 2}, {X: 2, Z: 2}, {Z: 2}}
	tris, ok := c.polygon(ring)
	used := map[int32]bool{}
	for _, tri := range tris {
		a, b, d := ring[tri[0]], ring[tri[1]], ring[tri[2]]
		if geom.Area2(a, b, d) == 0 {
			t.Errorf("triangle %v has no area", tri)
		}
		for _, v := range tri {
			used[v] = true
		}
	}
	if !ok || !used[1] {
		t.Errorf("triangles %v do not use the flat corner", tris)
	}
}

func TestTangledPolygons(t *testing.T) {
	var c cutter
	for name, ring := range map[string][]geom.Vec3{
		"bow tie":        {{}, {X: 2, Z: 2}, {X: 2}, {Z: 2}},
		"uneven bow tie": {{}, {X: 2, Z: 3}, {X: 2}, {Z: 2}},
		"pentagram":      {{Z: 10}, {X: 6, Z: -8}, {X: -10, Z: 3}, {X: 10, Z: 3}, {X: -6, Z: -8}},
	} {
		tris, ok := c.polygon(ring)
		if len(tris) != len(ring)-2 {
			t.Errorf("%s: %d triangles, want %d", name, len(tris), len(ring)-2)
		}
		if ok {
			t.Errorf("%s passes for a simple polygon", name)
		}
	}
	for name, ring := range map[string][]geom.Vec3{
		"a line":  {{}, {X: 1}, {X: 2}, {X: 3}, {X: 1.5}},
		"a point": {{X: 1}, {X: 1}, {X: 1}, {X: 1}},
		"huge":    {{}, {X: 1e300}, {X: 1e300, Z: 1e300}, {Z: 1e300}},
		"tiny":    {{}, {X: 1e-290}, {X: 1e-290, Z: 1e-290}, {Z: 1e-290}},
	} {
		if tris, ok := c.polygon(ring); !ok || len(tris) != len(ring)-2 {
			t.Errorf("%s: ok = %v, %d triangles", name, ok, len(tris))
		}
	}
}

// star draws a ring around the origin, which every ray from there meets once.
func star(t *rapid.T) []pt {
	coord := rapid.Int64Range(-50, 50)
	var ring []pt
	for range rapid.IntRange(4, 24).Draw(t, "corners") {
		if p := (pt{coord.Draw(t, "x"), coord.Draw(t, "y")}); p != (pt{}) {
			ring = append(ring, p)
		}
	}
	half := func(p pt) int {
		if p.y > 0 || (p.y == 0 && p.x > 0) {
			return 0
		}
		return 1
	}
	slices.SortFunc(ring, func(p, q pt) int {
		if h := half(p) - half(q); h != 0 {
			return h
		}
		switch d := cross(pt{}, p, q); {
		case d > 0:
			return -1
		case d < 0:
			return 1
		}
		return int(max(abs(p.x), abs(p.y)) - max(abs(q.x), abs(q.y)))
	})
	// One corner a direction, and no gap of half a turn.
	ring = slices.CompactFunc(ring, func(p, q pt) bool { return half(p) == half(q) && cross(pt{}, p, q) == 0 })
	for i, p := range ring {
		if cross(pt{}, p, ring[(i+1)%len(ring)]) <= 0 {
			return nil
		}
	}
	return ring
}

func TestCutStars(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if ring := star(t); len(ring) >= 4 {
			checkCut(t, ring)
		}
	})
}

// skyline draws a ring with many flat, upright and level edges: towers over a
// floor, and cellars below it.
func skyline(t *rapid.T) []pt {
	h := rapid.Int64Range(1, 5)
	n := rapid.Int64Range(2, 8).Draw(t, "towers")
	var ring []pt
	for i := range n {
		y := -h.Draw(t, "cellar")
		ring = append(ring, pt{i, y}, pt{i + 1, y})
	}
	for i := n; i > 0; i-- {
		y := h.Draw(t, "tower")
		ring = append(ring, pt{i, y}, pt{i - 1, y})
	}
	return slices.Compact(ring)
}

func TestCutSkylines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkCut(t, skyline(t)) })
}

// holed draws a square with square holes that are joined to its rim by
// bridges, as exporters write polygons with holes. Holes may touch the bridge
// of another, or its corner.
func holed(t *rapid.T) []pt {
	const size = 40
	ring := []pt{{size, 0}, {size, size}, {0, size}, {0, 0}}
	x := int64(0)
	for range rapid.IntRange(1, 4).Draw(t, "holes") {
		x += rapid.Int64Range(1, 4).Draw(t, "gap")
		y := rapid.Int64Range(1, 9).Draw(t, "y")
		w, h := rapid.Int64Range(1, 5).Draw(t, "w"), rapid.Int64Range(1, 20).Draw(t, "h")
		// Down to the hole from the rim, round it clockwise, and back.
		ring = append(ring, pt{x, 0}, pt{x, y}, pt{x, y + h}, pt{x + w, y + h}, pt{x + w, y}, pt{x, y}, pt{x, 0})
		x += w
	}
	return slices.Compact(ring)
}

func TestCutHoles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkCut(t, holed(t)) })
}

// Corners with all digits in use: areas agree to the lattice's resolution.
func TestCutFloats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ring := star(t)
		if len(ring) < 4 {
			return
		}
		scale := rapid.Float64Range(1e-3, 1e3).Draw(t, "scale")
		var pts []geom.Vec3
		for _, p := range ring {
			pts = append(pts, geom.V3(float64(p.x)*scale+1000, float64(p.x+p.y)*scale*0.3, float64(p.y)*scale-77))
		}
		var c cutter
		tris, ok := c.polygon(pts)
		got := 0.0
		for _, tri := range tris {
			got += geom.Area2(pts[tri[0]], pts[tri[1]], pts[tri[2]])
		}
		want := -float64(ringArea2(ring)) * scale * scale
		if !ok || math.Abs(got-want) > 1e-6*math.Abs(want) {
			t.Fatalf("ok = %v, twice the area %v, want %v", ok, got, want)
		}
	})
}

// The largest polygon allowed, in its worst form, is still cut quickly.
func TestCutLargest(t *testing.T) {
	var pts []geom.Vec3
	for i := range maxCorners / 2 { // a saw with many corners that are not convex
		pts = append(pts, geom.V3(float64(2*i), 0, float64(i%2)*500))
	}
	for i := maxCorners / 2; i > 0; i-- {
		pts = append(pts, geom.V3(float64(2*i-1), 0, 1000+float64(i%2)*499))
	}
	var c cutter
	tris, ok := c.polygon(pts)
	if !ok || len(tris) != len(pts)-2 {
		t.Errorf("ok = %v, %d triangles", ok, len(tris))
	}
	slices.SortFunc(pts, func(a, b geom.Vec3) int { // and one that makes no sense
		return strings.Compare(fmt.Sprint(a.Z, a.X), fmt.Sprint(b.Z, b.X))
	})
	c.polygon(pts)
}

func BenchmarkCut(b *testing.B) {
	for _, n := range []int{4, 16, 256, maxCorners} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var pts []geom.Vec3
			for i := range n / 2 {
				pts = append(pts, geom.V3(float64(i), 0, float64(i%2)))
			}
			for i := n / 2; i > 0; i-- {
				pts = append(pts, geom.V3(float64(i), 0, 3+float64(i%2)))
			}
			var c cutter
			b.ReportAllocs()
			for b.Loop() {
				c.polygon(pts)
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "corners/s")
		})
	}
}
