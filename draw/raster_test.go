package draw

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// insideNonZero reports whether p has a winding number other than 0.
func insideNonZero(poly []point, p point) bool {
	wind := 0
	a := poly[len(poly)-1]
	for _, b := range poly {
		if (a.y <= p.y) != (b.y <= p.y) {
			cross := (b.x-a.x)*(p.y-a.y) - (b.y-a.y)*(p.x-a.x)
			if b.y > a.y && cross > 0 {
				wind++
			} else if b.y < a.y && cross < 0 {
				wind--
			}
		}
		a = b
	}
	return wind != 0
}

// The coverage of a pixel is the share of a fine grid of points that lie in the
// polygon.
func TestRasterCoverage(t *testing.T) {
	const w, h, fine = 24, 16, 32
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 3).Draw(t, "corners")
		poly := make([]point, n)
		for i := range poly {
			// On the raster's own lattice, so that nothing is rounded.
			poly[i] = point{
				float64(rapid.IntRange(0, w*256).Draw(t, "x")) / 256,
				float64(rapid.IntRange(0, h*256).Draw(t, "y")) / 256,
			}
		}
		r := newRaster(w, h)
		var got [h][w]uint32
		for range 2 { // again after use: the buffer has to be clean
			got = [h][w]uint32{}
			r.add(poly)
			r.sweep(func(y, x0, x1 int, cover uint32) {
				for x := x0; x < x1; x++ {
					got[y][x] = cover
				}
			})
		}
		for y := range h {
			for x := range w {
				count := 0
				for i := range fine * fine {
					p := point{float64(x) + (float64(i%fine)+0.5)/fine, float64(y) + (float64(i/fine)+0.5)/fine}
					if insideNonZero(poly, p) {
						count++
					}
				}
				want := float64(count) / fine / fine
				if diff := math.Abs(float64(got[y][x])/255 - want); diff > 0.05 {
					t.Fatalf("pixel %d,%d is covered %d/255, want %.3f", x, y, got[y][x], want)
				}
			}
		}
	})
}

func TestRasterNeighboursFillUp(t *testing.T) {
	// Two triangles that share a diagonal cover each pixel to 255 together.
	const size = 20
	a := []point{{0, 0}, {0, size}, {size, size}}
	b := []point{{0, 0}, {size, size}, {size, 0}}
	var sum [size][size]uint32
	r := newRaster(size, size)
	for _, poly := range [][]point{a, b} {
		r.add(poly)
		r.sweep(func(y, x0, x1 int, cover uint32) {
			for x := x0; x < x1; x++ {
				sum[y][x] += cover
			}
		})
	}
	for y := range size {
		for x := range size {
			if sum[y][x] < 255 || sum[y][x] > 256 {
				t.Fatalf("pixel %d,%d: %d", x, y, sum[y][x])
			}
		}
	}
}

func TestClipKeepsWhatIsInside(t *testing.T) {
	c := clipper{w: 10, h: 10}
	big := []point{{-1e7, -1e7}, {-1e7, 1e7}, {1e7, 1e7}, {1e7, -1e7}}
	if got := math.Abs(area2(c.polygon(big))) / 2; math.Abs(got-100) > 1e-6 {
		t.Errorf("area %v of a picture that is covered, want 100", got)
	}
	if got := c.polygon([]point{{20, 0}, {30, 0}, {30, 10}}); len(got) != 0 {
		t.Errorf("%v of a triangle outside", got)
	}
	a, b, ok := c.segment(point{-5, 5}, point{15, 5}, 0)
	if !ok || a != (point{0, 5}) || b != (point{10, 5}) {
		t.Errorf("segment %v %v %v", a, b, ok)
	}
	if _, _, ok := c.segment(point{-5, -1}, point{15, -1}, 0); ok {
		t.Error("a segment above the picture is seen")
	}
}
