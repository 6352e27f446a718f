package spangrid

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wend/pack/bnav"
)

// plainRaster asks every cell of every triangle's box by the definition: five
// axes, then barycentric coordinates at the middle.
func plainRaster(w Window, verts []bnav.Vertex, tris [][3]uint32, list []int32) *Samples {
	var s Samples
	for _, t := range list {
		var p [3][2]float64
		var h [3]float64
		for k, v := range tris[t] {
			p[k], h[k] = [2]float64{float64(verts[v].U), float64(verts[v].V)}, float64(verts[v].H)
		}
		lo, hi := p[0], p[0]
		for _, v := range p {
			for a := range 2 {
				lo[a], hi[a] = math.Min(lo[a], v[a]), math.Max(hi[a], v[a])
			}
		}
		for gy := int(math.Floor(lo[1] / .25)); gy <= int(math.Floor(hi[1]/.25)); gy++ {
			for gx := int(math.Floor(lo[0] / .25)); gx <= int(math.Floor(hi[0]/.25)); gx++ {
				if !w.Has(gx, gy) {
					continue
				}
				c := [2]float64{(float64(gx) + .5) * .25, (float64(gy) + .5) * .25}
				if plainTouch(p, c) {
					v, in := plainHeight(p, h, c)
					s.add(w.Cell(gx, gy), v, in)
				}
			}
		}
	}
	for _, t := range list {
		a, b, c := verts[tris[t][0]], verts[tris[t][1]], verts[tris[t][2]]
		gx := int(math.Floor((float64(a.U) + float64(b.U) + float64(c.U)) / 3 / .25))
		gy := int(math.Floor((float64(a.V) + float64(b.V) + float64(c.V)) / 3 / .25))
		if w.Has(gx, gy) {
			s.add(w.Cell(gx, gy), float32((float64(a.H)+float64(b.H)+float64(c.H))/3), false)
		}
	}
	return &s
}

func plainTouch(p [3][2]float64, c [2]float64) bool {
	axes := [][2]float64{{1, 0}, {0, 1}}
	for k := range p {
		l := (k + 1) % 3
		axes = append(axes, [2]float64{-(p[l][1] - p[k][1]), p[l][0] - p[k][0]})
	}
	for _, n := range axes {
		r := .125 * (math.Abs(n[0]) + math.Abs(n[1]))
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, v := range p {
			d := float64((v[0]-c[0])*n[0]) + float64((v[1]-c[1])*n[1])
			lo, hi = math.Min(lo, d), math.Max(hi, d)
		}
		if lo > r || hi < -r {
			return false
		}
	}
	return true
}

func plainHeight(p [3][2]float64, h [3]float64, c [2]float64) (float32, bool) {
	cross := func(ax, ay, bx, by float64) float64 { return float64(ax*by) - float64(ay*bx) }
	e1x, e1y, e2x, e2y := p[1][0]-p[0][0], p[1][1]-p[0][1], p[2][0]-p[0][0], p[2][1]-p[0][1]
	qx, qy := c[0]-p[0][0], c[1]-p[0][1]
	den := cross(e1x, e1y, e2x, e2y)
	if math.Abs(den) < 1e-12 {
		den = 1e-12
	}
	t, s := cross(qx, qy, e2x, e2y)/den, cross(e1x, e1y, qx, qy)/den
	in := t >= -1e-12 && s >= -1e-12 && t+s <= 1+1e-12
	t = math.Max(0, math.Min(1, t))
	s = math.Max(0, math.Min(1-t, s))
	return float32(h[0] + float64(t*(h[1]-h[0])) + float64(s*(h[2]-h[0]))), in
}

// oneTriangle rasterises a triangle into a window.
func oneTriangle(t testing.TB, w Window, a, b, c bnav.Vertex) *Samples {
	t.Helper()
	var s Samples
	if err := Rasterize(&s, w, []bnav.Vertex{a, b, c}, [][3]uint32{{0, 1, 2}}, []int32{0}); err != nil {
		t.Fatal(err)
	}
	return &s
}

func TestSamplesOfATriangle(t *testing.T) {
	// Its lower and left sides lie on cell lines: no sample beyond them.
	w := Window{NX: 6, NY: 6}
	got := oneTriangle(t, w, bnav.Vertex{U: .25, V: .25}, bnav.Vertex{U: 1, V: .25, H: 3}, bnav.Vertex{U: .25, V: 1, H: 6})
	var want Samples
	for _, s := range []struct {
		x, y int
		h    float32
		in   bool
	}{
		{1, 1, 1.5, true}, {2, 1, 2.5, true}, {3, 1, 3.5, true}, {4, 1, 3, false},
		{1, 2, 3.5, true}, {2, 2, 4.5, true}, {3, 2, 3.5, false},
		{1, 3, 5.5, true}, {2, 3, 4.5, false},
		{1, 4, 5.5, false},
		{2, 2, 3, false},
	} {
		want.add(w.Cell(s.x, s.y), s.h, s.in)
	}
	if diff := cmp.Diff(&want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSamplesOfALine(t *testing.T) {
	w := Window{NX: 4, NY: 4}
	got := oneTriangle(t, w, bnav.Vertex{U: .3, V: .125}, bnav.Vertex{U: .3, V: .875, H: 2}, bnav.Vertex{U: .3, V: .5, H: 5})
	var want Samples
	for y := range 4 {
		want.add(w.Cell(1, y), 2, false)
	}
	want.add(w.Cell(1, 2), 7./3, false)
	if diff := cmp.Diff(&want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSamplesOfHalfAPixel(t *testing.T) {
	w := Window{-1, -1, 7, 7}
	got := oneTriangle(t, w, bnav.Vertex{}, bnav.Vertex{U: 1}, bnav.Vertex{V: 1})
	var rows [7]int
	inside := 0
	for i, c := range got.Cell[:got.Len()-1] { // without the centroid
		rows[int(c)/w.NX]++
		if got.In[i] {
			inside++
		}
	}
	if want := [7]int{0, 5, 4, 3, 2, 1, 0}; rows != want || inside != 10 {
		t.Errorf("%v a row and %d inside, want %v and 10", rows, inside, want)
	}
}

// drawTriangles draws triangles of the kinds that rounding is hard on: with
// corners on cell lines and middles, on lines, needles, and next to nothing away
// from all that.
func drawTriangles(rng *rand.Rand, n int) (verts []bnav.Vertex, tris [][3]uint32, list []int32) {
	coordinate := func(kind int) float32 {
		switch kind {
		case 0:
			return float32(rng.IntN(40)-20) * .125
		case 1:
			return float32(rng.IntN(20)-10)*.25 + float32(float32(rng.IntN(3)-1)*1e-7)
		case 2:
			return float32(rng.IntN(3)-1) * 1e-20
		}
		return rng.Float32()*8 - 4
	}
	for i := range n {
		kind := rng.IntN(6)
		for k := range 3 {
			v := bnav.Vertex{U: coordinate(kind), V: coordinate(rng.IntN(6)), H: rng.Float32()*16 - 8}
			if kind == 5 && k == 2 { // nearly on the line of the first two
				a, b := verts[len(verts)-2], verts[len(verts)-1]
				f := rng.Float32()*2 - .5
				v.U, v.V = a.U+float32(f*(b.U-a.U)), a.V+float32(f*(b.V-a.V))
			}
			verts = append(verts, v)
		}
		tris = append(tris, [3]uint32{uint32(3 * i), uint32(3*i + 1), uint32(3*i + 2)})
		if rng.IntN(8) != 0 {
			list = append(list, int32(i))
		}
	}
	return verts, tris, list
}

func TestRasterAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "triangles")))
		verts, tris, list := drawTriangles(rng, 12)
		w := Window{rng.IntN(20) - 20, rng.IntN(20) - 20, 1 + rng.IntN(40), 1 + rng.IntN(40)}
		var got Samples
		if err := Rasterize(&got, w, verts, tris, list); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(plainRaster(w, verts, tris, list), &got); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Where the touched cells of a row are guessed to be has no influence.
func TestRowsFromAnyGuess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "triangles")))
		verts, tris, _ := drawTriangles(rng, 4)
		for _, tri := range tris {
			var r rasterizer
			r.set(verts, tri)
			gx0, gx1 := CellOf(r.minX), CellOf(r.maxX)
			for gy := CellOf(r.minY); gy <= CellOf(r.maxY); gy++ {
				var touched []int
				for gx := gx0; gx <= gx1; gx++ {
					if r.touches(Center(gx), Center(gy)) {
						touched = append(touched, gx)
					}
				}
				lo := gx0 + rng.IntN(gx1-gx0+1)
				first, last := r.run(Center(gy), gx0, gx1, lo, lo+rng.IntN(gx1-lo+1))
				if n := max(last-first+1, 0); n != len(touched) || n > 0 && (first != touched[0] || last != touched[n-1]) {
					t.Fatalf("row %d: %d to %d, want %v", gy, first, last, touched)
				}
			}
		}
	})
}

// An edge that crosses a cell line at a slope too small to be seen in the
// projections counts as on the line along its whole length.
func TestRasterAtVanishingSlope(t *testing.T) {
	verts := []bnav.Vertex{{U: 0, V: 1e-20}, {U: 9, V: -1e-20}, {U: 5, V: -1}}
	tris, list := [][3]uint32{{0, 1, 2}}, []int32{0}
	w := Window{0, -6, 40, 10}
	var got Samples
	if err := Rasterize(&got, w, verts, tris, list); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, c := range got.Cell {
		if int(c)/w.NX == 6 {
			n++
		}
	}
	if n != 37 {
		t.Errorf("%d cells above the line, want 37", n)
	}
	if diff := cmp.Diff(plainRaster(w, verts, tris, list), &got); diff != "" {
		t.Error(diff)
	}
}

func TestTooManySamples(t *testing.T) {
	w := Window{NX: 4, NY: 4}
	verts := []bnav.Vertex{{U: 0, V: 0}, {U: 4, V: 0}, {U: 0, V: 4}}
	tris, list := [][3]uint32{{0, 1, 2}}, []int32{0, 0, 0}
	var s Samples
	if err := rasterize(&s, w, verts, tris, list, 48); err != nil || s.Len() != 48 {
		t.Fatalf("%d samples of 48, %v; the centroid lies outside", s.Len(), err)
	}
	for limit := range 48 {
		s.Reset()
		var e *TooManySamplesError
		if err := rasterize(&s, w, verts, tris, list, limit); !errors.As(err, &e) || s.Len() > limit {
			t.Fatalf("limit %d: %d samples, %v", limit, s.Len(), err)
		}
	}
	verts = []bnav.Vertex{{U: 0, V: 0}, {U: 1, V: 0}, {U: 0, V: 1}}
	s.Reset()
	var e *TooManySamplesError
	if err := rasterize(&s, w, verts, tris, list[:1], 13); !errors.As(err, &e) {
		t.Fatalf("the centroid's sample is beyond the limit, but %v", err)
	}
}

// Samples, spans and regions are the same on every machine, to the bit.
func TestSameBitsEverywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	verts, tris, list := drawTriangles(rng, 3000)
	w := Window{-20, -20, 40, 40}
	var s Samples
	if err := Rasterize(&s, w, verts, tris, list); err != nil {
		t.Fatal(err)
	}
	spans := build(w, &s)
	var cols Columns
	cols.Reset(w)
	for i, c := range spans.Cell {
		cols.Append(c, spans.H[i])
	}
	cols.Finish(3)
	for range 50 {
		e := drawWall(rng)
		StampDead(spans.Bits, &cols, []Wall{e}, []int32{0}, reference())
	}
	digest := fnv.New64a()
	for i, h := range s.H {
		fmt.Fprintln(digest, s.Cell[i], math.Float32bits(h), s.In[i])
	}
	for i, h := range spans.H {
		fmt.Fprintln(digest, spans.Cell[i], math.Float32bits(h), spans.Bits[i])
	}
	const want = 0x57c1a224edd15e80
	if got := digest.Sum64(); got != want {
		t.Errorf("%d samples, %d spans: digest %#x, want %#x", s.Len(), spans.Len(), got, uint64(want))
	}
}

// Coordinates out of all reason give samples of the window, if any.
func TestRasterOfNonsense(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	values := []float32{0, 1, nan, inf, -inf, math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32}
	w := Window{-3, -3, 9, 9}
	var s Samples
	var b SpanBuilder
	var out Spans
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		verts := make([]bnav.Vertex, 3)
		for k := range verts {
			v := func() float32 { return values[rng.IntN(len(values))] }
			verts[k] = bnav.Vertex{U: v(), V: v(), H: v()}
		}
		s.Reset()
		if err := Rasterize(&s, w, verts, [][3]uint32{{0, 1, 2}}, []int32{0}); err != nil {
			t.Fatal(err)
		}
		for _, c := range s.Cell {
			if c < 0 || int(c) >= w.Cells() {
				t.Fatalf("%v: cell %d", verts, c)
			}
		}
		b.Build(&out, w, &s, reference())
	}
}

// mesh makes a wavy floor of right triangles with the given legs, px, that covers a
// window, with a second layer above half of it.
func mesh(w Window, leg float64) (verts []bnav.Vertex, tris [][3]uint32, list []int32) {
	x0, y0 := float64(w.GX)*Side-.1, float64(w.GY)*Side-.1
	nx, ny := int(float64(w.NX)*Side/leg)+2, int(float64(w.NY)*Side/leg)+2
	for layer := range 2 {
		base := uint32(len(verts))
		for y := range ny + 1 {
			for x := range nx + 1 {
				h := float64((x*7+y*5)%11)*.04 + float64(layer)*6
				verts = append(verts, bnav.Vertex{U: float32(x0 + float64(x)*leg), V: float32(y0 + float64(y)*leg), H: float32(h)})
			}
		}
		for y := range ny {
			for x := range nx >> layer {
				a := base + uint32(y*(nx+1)+x)
				b, c, d := a+1, a+uint32(nx)+2, a+uint32(nx)+1
				tris = append(tris, [3]uint32{a, b, c}, [3]uint32{a, c, d})
			}
		}
	}
	for i := range tris {
		list = append(list, int32(i))
	}
	return verts, tris, list
}

func BenchmarkRasterize(b *testing.B) {
	for _, bench := range []struct {
		name string
		leg  float64
	}{{"leg=1px", 1}, {"leg=8px", 8}, {"leg=100px", 100}} {
		b.Run(bench.name, func(b *testing.B) {
			w := Window{-100, -100, 514, 514}
			verts, tris, list := mesh(w, bench.leg)
			var s Samples
			for b.Loop() {
				s.Reset()
				if err := Rasterize(&s, w, verts, tris, list); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(s.Len())*float64(b.N)/b.Elapsed().Seconds()/1e6, "Msamples/s")
		})
	}
}
