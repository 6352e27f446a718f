package spanpath

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"wend/pack/bnav"
	"wend/spangrid"
	"wend/zone"
)

// meshOf makes a zone of triangles.
func meshOf(t testing.TB, corners [][3][3]float32) *zone.Zone {
	t.Helper()
	c := &bnav.Content{Zones: []bnav.Zone{{ID: 1, Name: "zone", TriCount: uint32(len(corners))}}}
	for _, tri := range corners {
		var n bnav.Triangle
		for k, p := range tri {
			n.V[k] = uint32(len(c.Vertices))
			n.N[k] = -1
			c.Vertices = append(c.Vertices, bnav.Vertex{U: p[0], V: p[1], H: p[2]})
		}
		c.Triangles = append(c.Triangles, n)
	}
	z, err := zone.Clean(context.Background(), c, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// quad is a rectangle of two triangles.
func quad(u0, v0, u1, v1, h float32) [][3][3]float32 {
	a, b, c, d := [3]float32{u0, v0, h}, [3]float32{u1, v0, h}, [3]float32{u1, v1, h}, [3]float32{u0, v1, h}
	return [][3][3]float32{{a, b, c}, {a, c, d}}
}

// drivableTwin is the test of a chord on the mesh with all triangles tried for
// each sample.
func drivableTwin(z *zone.Zone, a, b Point, half, seed float64) bool {
	line := func(a, b Point) bool {
		n := max(1, int(math.Hypot(b.U-a.U, b.V-a.V)/0.5))
		last := seed
		for i := 0; i <= n; i++ {
			t := float64(i) / float64(n)
			u, v := a.U+float64((b.U-a.U)*t), a.V+float64((b.V-a.V)*t)
			found, best := false, 0.0
			z.Over(nil, u, v, func(tri int32, _ float64, _ bool) {
				h := z.MeanHeight(tri)
				switch {
				case !found, math.IsNaN(last) && h < best, math.Abs(h-last) < math.Abs(best-last):
					found, best = true, h
				}
			})
			if !found || i > 0 && math.Abs(best-last) > 3 {
				return false
			}
			last = best
		}
		return true
	}
	if !line(a, b) {
		return false
	}
	l := math.Hypot(b.U-a.U, b.V-a.V)
	if half <= 0 || l == 0 {
		return true
	}
	eu, ev := (b.U-a.U)/l, (b.V-a.V)/l
	in := math.Min(half, l/2)
	for _, s := range []float64{1, -1} {
		p := Point{a.U + eu*in - s*half*ev, a.V + ev*in + s*half*eu}
		q := Point{b.U - eu*in - s*half*ev, b.V - ev*in + s*half*eu}
		if !line(p, q) {
			return false
		}
	}
	return true
}

// TestDrivableAgainstTwin compares ways over random soups of triangles.
func TestDrivableAgainstTwin(t *testing.T) {
	var counts [2]int
	for n := range worlds(20) {
		rnd := rand.New(rand.NewPCG(uint64(n), 51))
		tris := quad(0, 0, 20, 12, 1)
		for range 14 {
			u, v, h := rnd.Float32()*18, rnd.Float32()*10, float32(rnd.IntN(9))
			tris = append(tris, quad(u, v, u+1+rnd.Float32()*6, v+1+rnd.Float32()*5, h)...)
		}
		z := meshOf(t, tris[rnd.IntN(3):])
		w := newWorld()
		w.floor(0, 0, 4, 4, 0)
		g := w.ground(t, spangrid.Window{GX: 0, GY: 0, NX: 10, NY: 10})
		g.scr.mesh.use(z)
		for range 200 {
			a := Point{rnd.Float64()*19 + 0.2, rnd.Float64()*11 + 0.2}
			b := Point{rnd.Float64()*19 + 0.2, rnd.Float64()*11 + 0.2}
			half, seed := float64(rnd.IntN(3))*0.7, float64(rnd.IntN(9))
			if rnd.IntN(4) == 0 {
				seed = math.NaN()
			}
			got, want := g.drivable(a, b, half, seed), drivableTwin(z, a, b, half, seed)
			if got != want {
				t.Fatalf("world %d: from %v to %v, half a width of %v, from height %v: %v", n, a, b, half, seed, got)
			}
			counts[b2i(got)]++
		}
	}
	if min(counts[0], counts[1]) < 500 {
		t.Errorf("%v of the ways are free", counts)
	}
}

func TestWaypoints(t *testing.T) {
	// A hall with a hole in its middle, on a mesh that knows of the hole too.
	w := newWorld()
	w.floor(0, 0, 100, 60, 0)
	for y := 20; y <= 40; y++ {
		for x := 40; x <= 60; x++ {
			delete(w.cells, Cell{int32(x), int32(y)})
		}
	}
	tris := slices.Concat(quad(0, 0, 10, 15.25, 0), quad(10, 0, 15.25, 5, 0), quad(10, 10.25, 15.25, 15.25, 0), quad(15.25, 0, 25.25, 15.25, 0))
	z := meshOf(t, tris)
	g := w.ground(t, spangrid.Window{GX: 0, GY: 0, NX: 110, NY: 70})
	var pts []Point
	for x := 10; x <= 90; x += 5 { // around below the hole
		y := 30 - max(0, 20-abs(x-50)/2)
		pts = append(pts, middle(x, y))
	}
	d := &Drive{Zone: z, Clearance: make([]float32, len(pts)), Heights: make([]float32, len(pts)), Need: MarkWalk}
	got := g.Waypoints(nil, pts, d)
	checkWaypoints(t, got, len(pts), d)
	if len(got) > 4 || len(got) < 2 {
		t.Errorf("%v", got)
	}
	at := pts[0]
	for _, i := range got {
		if !g.Sees(View{Need: MarkWalk, Walls: true}, at, pts[i], 0, 0) {
			t.Errorf("no straight way to %v", pts[i])
		}
		at = pts[i]
	}
	// A drop stays, and a wide body makes more turns.
	d.Drops = []Drop{{Index: 2}, {Index: 7}}
	got = g.Waypoints(nil, pts, d)
	checkWaypoints(t, got, len(pts), d)
	d.Drops = nil
	for i := range d.Clearance {
		d.Clearance[i] = 3
	}
	if wide := g.Waypoints(nil, pts, d); len(wide) <= 2 {
		t.Errorf("with width to spare: %v", wide)
	}
	// Without ground below every corner is one.
	d.Zone = meshOf(t, quad(80, 80, 90, 90, 0))
	if got := g.Waypoints(nil, pts, d); len(got) != len(pts)-1 {
		t.Errorf("off the mesh: %v", got)
	}
	for _, few := range [][]Point{nil, pts[:1]} {
		if got := g.Waypoints(nil, few, d); got != nil {
			t.Errorf("of %d corners: %v", len(few), got)
		}
	}
	if got := g.Waypoints(nil, pts[:2], d); !slices.Equal(got, []int{1}) {
		t.Errorf("of two corners: %v", got)
	}
	// Corners in one place, more than may be skipped.
	many := make([]Point, 200)
	for i := range many {
		many[i] = middle(10+i/4, 10)
	}
	d = &Drive{Zone: z, Clearance: make([]float32, 200), Need: MarkWalk}
	if got := g.Waypoints(nil, many, d); !slices.Equal(got, []int{64, 128, 192, 199}) {
		t.Errorf("on a straight line: %v", got)
	}
}

func checkWaypoints(t *testing.T, got []int, n int, d *Drive) {
	t.Helper()
	last := 0
	for _, i := range got {
		if i <= last || i-last > maxSkip {
			t.Errorf("%d after %d: %v", i, last, got)
		}
		last = i
	}
	if last != n-1 {
		t.Errorf("the last is %d of %d corners", last, n)
	}
	for _, drop := range d.Drops {
		if !slices.Contains(got, drop.Index) {
			t.Errorf("landing %d is not among %v", drop.Index, got)
		}
	}
}

// TestWaypointsOfRandomLines checks what holds for all lines, and compares the
// choice with the rule told again.
func TestWaypointsOfRandomLines(t *testing.T) {
	skipped := 0
	for n := range worlds(25) {
		rnd := rand.New(rand.NewPCG(uint64(n), 61))
		w, win := randomWorld(rnd)
		g := w.ground(t, win)
		pts, heights := randomWalk(rnd, g, 100)
		z := meshOf(t, append(quad(26, 27, 38, 38, 1), quad(30, 30, 34, 34, 7)...))
		d := &Drive{Zone: z, Heights: heights, Clearance: g.Clearances(nil, pts), Need: MarkWalk}
		for i := range d.Clearance {
			d.Clearance[i] /= 4
		}
		for range rnd.IntN(3) {
			d.Drops = append(d.Drops, Drop{Index: 1 + rnd.IntN(98)})
		}
		got := g.Waypoints(nil, pts, d)
		checkWaypoints(t, got, len(pts), d)
		var want []int
		last := len(pts) - 1
		for at := 0; at+1 < last; {
			limit := min(last, at+64)
			for _, drop := range d.Drops {
				if at < drop.Index && drop.Index < limit {
					limit = drop.Index
				}
			}
			reach, narrow := at, math.Inf(1)
			for reach < limit {
				need := narrow
				if math.IsInf(need, 1) {
					need = 0
				}
				if !drivableTwin(z, pts[at], pts[reach+1], need, float64(heights[at])) ||
					!g.Sees(View{Need: MarkWalk, Walls: true}, pts[at], pts[reach+1], heights[at], heights[reach+1]) {
					break
				}
				narrow = math.Min(narrow, float64(d.Clearance[reach+1]))
				reach++
			}
			if reach == at {
				reach++
			}
			if reach >= last {
				break
			}
			want = append(want, reach)
			at = reach
		}
		if want = append(want, last); !slices.Equal(got, want) {
			t.Fatalf("world %d: %v, want %v", n, got, want)
		}
		skipped += last - len(got)
	}
	if skipped < 200 {
		t.Errorf("%d corners skipped", skipped)
	}
}

// TestPostAllocatesNothing runs all that makes a line of a path twice over the
// same slices.
func TestPostAllocatesNothing(t *testing.T) {
	w, win := randomWorld(rand.New(rand.NewPCG(9, 1)))
	g := w.ground(t, win)
	var path []Point
	var heights []float32
	z := meshOf(t, quad(26, 27, 38, 38, 1))
	var keep, way []int
	var inner, line []Point
	var hz, clr []float32
	var moves []Move
	var drops []Drop
	v := testViews[7]
	run := func() {
		keep = g.Pull(keep[:0], path, heights, v)
		inner = inner[:0]
		for _, i := range keep {
			inner = append(inner, path[i])
		}
		line = Splice(line[:0], Point{path[0].U + 0.1, path[0].V}, inner, path[len(path)-1], true)
		hz, _ = SearchHeights(hz[:0], line, path, heights)
		moves = g.Lift(moves[:0], line, heights[0], View{Walls: true, Bans: true, Heights: true})
		hz, _ = g.WalkedHeights(hz[:0], line, heights[0], true)
		clr = g.Clearances(clr[:0], line)
		drops = g.LandingMargin(drops[:0], line, hz, clr, nil, bodyRadius)
		way = g.Waypoints(way[:0], line, &Drive{Zone: z, Clearance: clr, Heights: hz, Drops: drops, Need: MarkWalk})
		g.Crossings(line, hz)
	}
	for seed := uint64(0); len(line) < 4 && seed < 100; seed++ {
		path, heights = randomWalk(rand.New(rand.NewPCG(9, seed)), g, 60)
		run()
	}
	if n := testing.AllocsPerRun(20, run); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if len(line) < 4 {
		t.Fatalf("a line of %d points", len(line))
	}
}

// TestMeshIndexForgets fills the index beyond what it remembers.
func TestMeshIndexForgets(t *testing.T) {
	z := meshOf(t, quad(0, 0, 2000, 2000, 2))
	var m meshIndex
	m.use(z)
	for x := range int32(220) {
		for y := range int32(220) {
			if n := len(m.at(x, y)); n < 1 {
				t.Fatalf("square %d, %d has %d triangles", x, y, n)
			}
			if x > 0 && len(m.at(x-1, y)) < 1 {
				t.Fatalf("square %d, %d lost", x-1, y)
			}
		}
	}
	if len(m.slots) > mostSlots || 2*m.n > len(m.slots) {
		t.Errorf("%d of %d slots", m.n, len(m.slots))
	}
}

// BenchmarkWaypoints chooses among the corners of a winding line of 250 px.
func BenchmarkWaypoints(b *testing.B) {
	w := newWorld()
	w.floor(0, 0, 1050, 140, 0)
	g := w.ground(b, spangrid.Window{GX: 0, GY: 0, NX: 1051, NY: 141})
	var tris [][3][3]float32
	for y := range 36 {
		for x := range 264 {
			tris = append(tris, quad(float32(x), float32(y), float32(x+1), float32(y+1), 0)...)
		}
	}
	z := meshOf(b, tris)
	var pts []Point
	for i := range 200 {
		pts = append(pts, middle(15+5*i, 70+i%5*(i%7)))
	}
	d := &Drive{Zone: z, Clearance: g.Clearances(nil, pts), Need: MarkWalk}
	for i := range d.Clearance {
		d.Clearance[i] = 1.75
	}
	var way []int
	b.ReportAllocs()
	for b.Loop() {
		way = g.Waypoints(way[:0], pts, d)
	}
	b.ReportMetric(float64(len(way)), "waypoints")
}
