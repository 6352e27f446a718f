package spanroute

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"testing/fstest"

	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/internal/wendtest/packtest"
	"wend/scene"
	"wend/scene/sample"
	"wend/spanbake"
	"wend/spanpath"
)

// long reports whether the tests that take minutes were asked for.
func long() bool { return os.Getenv("WEND_LONG") != "" }

// light returns how many of n things to try: under the race detector, which is after
// races and not after answers, a third, unless long tests were asked for.
func light(n int) int {
	if underRace && !long() {
		return (n + 2) / 3
	}
	return n
}

// A patch is a rectangle of floor, level or rising in x.
type patch struct{ x0, z0, x1, z1, y0, y1 float64 }

func (p *patch) at(rnd *rand.Rand) geom.Vec3 {
	u, v := rnd.Float64(), rnd.Float64()
	return geom.V3(p.x0+u*(p.x1-p.x0), p.y0+u*(p.y1-p.y0), p.z0+v*(p.z1-p.z0))
}

// randomWorld makes a level of walkable triangles that are not what an author
// would build: blocks of floor side by side, most at heights that can be
// stepped, some with a hole in the middle or a slit that only narrow bodies
// pass, ledges to fall from, ramps, upper storeys, bridges a few cells wide,
// links both ways and one way, colliders at ledges, no-go polygons with and
// without a band.
func randomWorld(seed uint64, blocks int) (*scene.Scene, []patch) {
	const side = 9.0
	rnd := rand.New(rand.NewPCG(seed, 77))
	b := wendtest.NewBuilder()
	b.Scene.Parts[0].Collider = true // colliders without floors say nothing of falls
	var list []patch
	floor := func(x0, z0, x1, z1, y float64) {
		b.Floor(x0, z0, x1, z1, y)
		list = append(list, patch{x0, z0, x1, z1, y, y})
	}
	ramp := func(x0, z0, x1, z1, y0, y1 float64) {
		b.Ramp(x0, z0, x1, z1, y0, y1)
		list = append(list, patch{x0, z0, x1, z1, y0, y1})
	}
	heights := []float64{0, 0, 0, 0, 0.25, 0.3, 0.35, 0.8, 2, 4.5}
	for bz := range blocks {
		for bx := range blocks {
			x, z := float64(bx)*side, float64(bz)*side
			y := heights[rnd.IntN(len(heights))]
			if rnd.IntN(3) > 0 {
				y = 0
			}
			switch k := rnd.IntN(14); {
			case k < 6:
				floor(x, z, x+side, z+side, y)
			case k < 8: // a hole in the middle
				a, c := 1.5+rnd.Float64()*2, 5.5+rnd.Float64()*2
				floor(x, z, x+side, z+a, y)
				floor(x, z+c, x+side, z+side, y)
				floor(x, z+a, x+a, z+c, y)
				floor(x+c, z+a, x+side, z+c, y)
			case k < 10: // two halves and a neck
				m, w := 2+rnd.Float64()*4, 0.6+rnd.Float64()*1.5
				floor(x, z, x+4, z+side, y)
				floor(x+4, z+m, x+4.8, z+m+w, y)
				floor(x+4.8, z, x+side, z+side, y)
			case k == 10: // a bridge over nothing
				m, w := 2+rnd.Float64()*4, 0.9+rnd.Float64()*2
				floor(x, z+m, x+side, z+m+w, y)
			case k == 11: // up and over
				ramp(x, z, x+3, z+side, 0, 2)
				floor(x+3, z, x+6, z+side, 2)
				ramp(x+6, z, x+side, z+side, 2, 0)
			case k == 12: // a podium without stairs
				floor(x, z, x+side, z+2, y)
				floor(x, z+7, x+side, z+side, y)
				floor(x, z+2, x+side, z+7, y+1+rnd.Float64()*2)
			}
			if rnd.IntN(5) == 0 { // a storey above, perhaps with a way up
				floor(x, z+3, x+side, z+side, 5)
				if rnd.IntN(2) == 0 {
					ramp(x, z, x+side, z+2.4, 0, 5)
					floor(x+side, z, x+side+1.5, z+4.5, 5)
				}
			}
		}
	}
	// Colliders stand where floors end, so that they bar some falls.
	b.Part("rails", "")
	b.Scene.Parts[len(b.Scene.Parts)-1].Collider = true
	b.Scene.Parts[len(b.Scene.Parts)-1].NoSurface = true
	for range blocks * 2 {
		x, z := float64(rnd.IntN(blocks))*side, float64(rnd.IntN(blocks))*side
		b.Box(geom.V3(x-0.1, -1, z), geom.V3(x+0.1, 7, z+side))
	}
	for i := range blocks {
		from, to := &list[rnd.IntN(len(list))], &list[rnd.IntN(len(list))]
		b.Scene.Links = append(b.Scene.Links, scene.Link{
			From: from.at(rnd), To: to.at(rnd), Radius: 1, OneWay: i%2 == 0, UserID: uint32(i), Cost: float64(rnd.IntN(40)),
		})
	}
	for i := range blocks / 2 {
		m := list[rnd.IntN(len(list))].at(rnd)
		no := scene.NoGo{Name: "no", MinY: -100, MaxY: 100}
		for _, c := range [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			no.Ring = append(no.Ring, geom.Vec2{X: m.X + c[0]*(1+4*rnd.Float64()), Y: m.Z + c[1]*(1+4*rnd.Float64())})
		}
		if i%2 == 0 {
			no.MinY, no.MaxY = m.Y-1, m.Y+1
		}
		b.Scene.NoGo = append(b.Scene.NoGo, no)
	}
	return b.Scene, list
}

// propertyWorld is a level to plan at random in.
type propertyWorld struct {
	name   string
	scene  *scene.Scene
	engine *Engine
	files  fstest.MapFS
	where  func(*rand.Rand) geom.Vec3
}

func openPacks(t testing.TB, set fstest.MapFS, o *Options) *Engine {
	t.Helper()
	e, err := Open(t.Context(), set, packtest.Name, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

var worldCache sync.Map // of bakes that several tests use

// bakeOnce bakes a level once for all tests.
func bakeOnce(t testing.TB, name string, bake func() fstest.MapFS) fstest.MapFS {
	if set, ok := worldCache.Load(name); ok {
		return set.(fstest.MapFS)
	}
	set := bake()
	worldCache.Store(name, set)
	return set
}

// generated returns a random world of blocks of floor: with an odd seed by the
// rules of the profile human, else by the reference rules, which take a fall of
// 3 m for a step.
func generated(t testing.TB, seed uint64, blocks int) *propertyWorld {
	t.Helper()
	sc, list := randomWorld(seed, blocks)
	name := "generated " + string(rune('a'+seed)) + string(rune('a'+blocks))
	set := bakeOnce(t, name, func() fstest.MapFS {
		l := &spanbake.Level{Zone: packtest.Zone}
		if seed%2 == 1 {
			human := bake.Human()
			human.Agent.Radius = 0
			rules, err := spanbake.RulesFor(&human)
			if err != nil {
				t.Fatal(err)
			}
			l.Rules, l.Body, l.Cell = rules, human.Agent, human.Navmesh.Cell
		}
		in, _, err := spanbake.FromTriangles(t.Context(), sc, l)
		if err != nil {
			t.Fatal(err)
		}
		// Several tiles, so that engines that keep few of them decode a part.
		res, err := spanbake.Run(t.Context(), in, &spanbake.Options{Tile: 128, Level: 1})
		if err != nil {
			t.Fatal(err)
		}
		return files(t, res)
	})
	return &propertyWorld{name, sc, openPacks(t, set, nil), set, func(rnd *rand.Rand) geom.Vec3 { return list[rnd.IntN(len(list))].at(rnd) }}
}

// baked returns a level that was baked from its geometry; places are drawn on
// the triangles of its mesh, by area.
func baked(t testing.TB, name string) *propertyWorld {
	t.Helper()
	var sc *scene.Scene
	if name == "town" {
		sc = sample.Town()
	} else {
		sc = packtest.Level(t, name)
	}
	var set fstest.MapFS
	if name == "town" {
		set, _ = packtest.Town(t)
	} else {
		set = bakeOnce(t, name, func() fstest.MapFS { return packtest.Bake(t, sc, false, nil) })
	}
	e := openPacks(t, set, nil)
	z := openZone(t, e)
	var sums []float64
	total := 0.0
	for i := range z.mesh.Tris {
		if z.mesh.Walkable[i] {
			a, b, c := corners(z, i)
			total += geom.Area2(a, b, c)
		}
		sums = append(sums, math.Abs(total))
	}
	return &propertyWorld{name, sc, e, set, func(rnd *rand.Rand) geom.Vec3 {
		i, _ := slices.BinarySearch(sums, rnd.Float64()*math.Abs(total))
		a, b, c := corners(z, min(i, len(sums)-1))
		u, v := rnd.Float64(), rnd.Float64()
		if u+v > 1 {
			u, v = 1-u, 1-v
		}
		return a.Add(b.Sub(a).Scale(u)).Add(c.Sub(a).Scale(v))
	}}
}

// corners returns those of a triangle of a zone's mesh, in the world.
func corners(z *zoneEntry, i int) (a, b, c geom.Vec3) {
	at := func(k int) geom.Vec3 {
		v := &z.mesh.Verts[z.mesh.Tris[i][k]]
		return z.worldAt(spanpath.Point{U: float64(v.U), V: float64(v.V)}, float64(v.H))
	}
	return at(0), at(1), at(2)
}

// randomRequest asks for a leg: ends on the floor, now and then beside it, with
// their storeys declared or not, any body, discs.
func (w *propertyWorld) randomRequest(rnd *rand.Rand) *Request {
	r := &Request{}
	for _, e := range []*End{&r.From, &r.To} {
		e.At = w.where(rnd)
		if rnd.IntN(8) == 0 {
			e.At.X += rnd.Float64()*2 - 1
			e.At.Z += rnd.Float64()*2 - 1
		}
		e.Storey = Storey(rnd.IntN(3))
	}
	if rnd.IntN(4) > 0 { // a short way
		for range 20 {
			if geom.DistXZ(r.From.At, r.To.At) < 25 {
				break
			}
			r.To.At = w.where(rnd)
		}
	}
	if rnd.IntN(3) == 0 {
		r.Body.MaxDrop = []float64{0.5, 2, 4}[rnd.IntN(3)]
	}
	if rnd.IntN(4) == 0 {
		r.Body.MaxStep = 0.3
	}
	if rnd.IntN(4) == 0 {
		r.Body.Preferred = 0.5 + rnd.Float64()*1.5
	}
	if rnd.IntN(8) == 0 {
		r.Body.Radius = 0.6 + rnd.Float64()*0.6
	}
	for range max(0, rnd.IntN(6)-2) {
		m := r.From.At.Add(r.To.At.Sub(r.From.At).Scale(0.2 + 0.6*rnd.Float64()))
		r.Discs = append(r.Discs, Disc{At: m, Radius: rnd.Float64() * 3})
	}
	return r
}
