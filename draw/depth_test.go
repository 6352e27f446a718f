package draw

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// nearAt returns the nearness of a triangle at a place on paper, and how far,
// in pixels, the place is from its outline (negative outside).
func nearAt(ps []deep, p point) (near, inside float64) {
	a, b, c := ps[0], ps[1], ps[2]
	area := (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x)
	inside = math.Inf(1)
	var weight [3]float64
	for i := range 3 {
		q, r := ps[(i+1)%3], ps[(i+2)%3]
		cross := (q.x-p.x)*(r.y-p.y) - (q.y-p.y)*(r.x-p.x)
		weight[i] = cross / area
		inside = min(inside, weight[i]*math.Abs(area)/math.Hypot(r.x-q.x, r.y-q.y))
	}
	return weight[0]*a.near + weight[1]*b.near + weight[2]*c.near, inside
}

// Painting pieces in the tree's order shows at every pixel the triangle that a
// search through all triangles finds nearest, also where they pass through
// each other.
func TestDepthOrderAgainstSearch(t *testing.T) {
	const size = 28
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "triangles")
		coord := rapid.IntRange(0, size)
		var tree depthTree
		var tris [][]deep
		for len(tris) < n {
			ps := make([]deep, 3)
			for k := range ps {
				ps[k] = deep{point{float64(coord.Draw(t, "x")), float64(coord.Draw(t, "y"))}, float64(coord.Draw(t, "near"))}
			}
			if math.Abs(area2(flat(ps))) < 2 {
				ps = []deep{{point{0, 0}, 1}, {point{size, 0}, 2}, {point{0, size}, 3}}
			}
			tree.add(mark{kind: Fill, index: len(tris)}, append([]deep(nil), ps...))
			tris = append(tris, ps)
		}
		var shown [size][size]int
		tree.paint(func(p *piece) {
			poly := flat(p.pts)
			for y := range size {
				for x := range size {
					if insideNonZero(poly, point{float64(x) + 0.37, float64(y) + 0.41}) {
						shown[y][x] = p.mark.index + 1
					}
				}
			}
		})
		for y := range size {
			for x := range size {
				at := point{float64(x) + 0.37, float64(y) + 0.41}
				best, bestNear, second := 0, math.Inf(-1), math.Inf(-1)
				border := false
				for i, ps := range tris {
					near, inside := nearAt(ps, at)
					border = border || math.Abs(inside) < 0.05
					switch {
					case inside < 0:
					case near > bestNear:
						best, bestNear, second = i+1, near, bestNear
					default:
						second = max(second, near)
					}
				}
				// Cuts move within planeEps, which a steep triangle
				// magnifies: only clear cases count.
				if border || bestNear-second < 3 {
					continue
				}
				if shown[y][x] != best {
					t.Fatalf("%d,%d shows triangle %d, want %d", x, y, shown[y][x]-1, best-1)
				}
			}
		}
	})
}

func TestDepthTreeKeepsArrowsOnce(t *testing.T) {
	var tree depthTree
	// A wall across a line.
	tree.add(mark{kind: Fill}, []deep{{point{10, 0}, 0}, {point{10.5, 20}, 0}, {point{10.5, 20}, 20}, {point{10, 0}, 20}})
	tree.add(mark{kind: Line, index: 1, style: Style{Arrow: true}}, []deep{{point{0, 10}, 5}, {point{15, 10}, 5}, {point{20, 10}, 5}})
	arrows, pieces := 0, 0
	tree.paint(func(p *piece) {
		if p.mark.kind != Line {
			return
		}
		pieces++
		if p.arrow {
			arrows++
			if end := p.pts[len(p.pts)-1].point; end != (point{20, 10}) {
				t.Errorf("arrow at %v", end)
			}
		}
	})
	if arrows != 1 || pieces != 3 {
		t.Errorf("%d arrows on %d pieces, want 1 on 3", arrows, pieces)
	}
}
