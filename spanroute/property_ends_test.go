package spanroute

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/pack/bnvf"
	"wend/route"
	"wend/scene"
	"wend/spangrid"
	"wend/spanpath"
)

// endWorlds are the levels that ends are looked at in.
func endWorlds(t *testing.T) []*propertyWorld {
	list := []*propertyWorld{generated(t, 1, 10), baked(t, "town")}
	if long() {
		list = append(list, generated(t, 2, 12), generated(t, 3, 14), baked(t, "nav_test.obj"), baked(t, "dungeon.obj"))
	}
	return list
}

// terraceWorld has the terraces: floors of many regions, between which falls and links
// lead.
func terraceWorld(t *testing.T) *propertyWorld {
	e := openTerraces(t, nil)
	z := openZone(t, e)
	a := decodeAll(t, z)
	return &propertyWorld{"terraces", nil, e, nil, func(rnd *rand.Rand) geom.Vec3 {
		i := rnd.IntN(len(a.f.Records))
		gx, gy := a.at(i)
		return z.worldAt(middleOf(gx, gy), float64(a.f.Records[i].H))
	}}
}

// islandWorld has three islands far apart, two of them joined by a link.
func islandWorld(t *testing.T) *propertyWorld {
	b := wendtest.NewBuilder()
	list := []patch{{0, 0, 24, 24, 0, 0}, {80, 0, 104, 24, 0, 0}, {0, 80, 24, 104, 3, 3}}
	for _, p := range list {
		b.Floor(p.x0, p.z0, p.x1, p.z1, p.y0)
	}
	b.Scene.Links = []scene.Link{{From: geom.V3(20, 0, 12), To: geom.V3(84, 0, 12), Radius: 1}}
	return &propertyWorld{"islands", nil, build(t, b, nil).e, nil, func(rnd *rand.Rand) geom.Vec3 { return list[rnd.IntN(3)].at(rnd) }}
}

// TestRoutesStandOnRegionsNearTheirEnds: a route begins on a region that is listed
// for its start and ends on one that is for its goal. So where the lists have none
// in common, a route goes from one region to another, over a fall or a link.
func TestRoutesStandOnRegionsNearTheirEnds(t *testing.T) {
	for i, w := range append(endWorlds(t), terraceWorld(t), islandWorld(t)) {
		n := light(16)
		if w.scene == nil { // small ones
			n = light(24)
		}
		if long() {
			n = 400
		}
		rnd := rand.New(rand.NewPCG(24, uint64(i)))
		p := w.engine.NewPlanner()
		whole, passed, apart := 0, 0, 0
		for range n {
			r := w.randomRequest(rnd)
			if w.name == "islands" { // not just short ways
				r = ends(End{At: w.where(rnd)}, End{At: w.where(rnd)})
			}
			r.MaxExpanded = 5_000
			regions, err := w.engine.RegionsNear(t.Context(), "", []geom.Vec3{r.From.At, r.To.At})
			if err != nil {
				t.Fatal(err)
			}
			common := slices.ContainsFunc(regions[0], func(k uint32) bool { return slices.Contains(regions[1], k) })
			if !common {
				apart++
			}
			got := w.plan(t, p, r)
			if got.Status != route.Complete {
				continue
			}
			first, last := got.Points[0].Storey, got.Points[len(got.Points)-1].Storey
			if !slices.Contains(regions[0], first) || !slices.Contains(regions[1], last) {
				t.Errorf("%s: %+v: from region %d to %d, near the ends are %v", w.name, *r, first, last, regions)
			}
			if whole++; first != last {
				passed++
				if kinds(got, route.Drop)+kinds(got, route.Link) == 0 {
					t.Errorf("%s: %+v: from region %d to %d without a passage", w.name, *r, first, last)
				}
			} else if !common {
				t.Errorf("%s: %+v: a route in region %d, near the ends are %v", w.name, *r, first, regions)
			}
		}
		t.Logf("%s: %d routes, %d from one region to another; of %d legs %d have ends without a common region", w.name, whole, passed, n, apart)
		if whole < n/10 || w.scene == nil && passed < 1 || w.name == "islands" && apart < 2 {
			t.Errorf("%s: %d routes, %d from one region to another, %d ends apart: no fair trial", w.name, whole, passed, apart)
		}
	}
}

// TestCoreDistanceIsTheLeast: no ground of a query has open ground nearer to an end
// than the check before the search says, whichever region it is of. So what the
// check refuses no window would have served.
func TestCoreDistanceIsTheLeast(t *testing.T) {
	n := light(120)
	if long() {
		n = 5000
	}
	all := make(bnvf.Set, 1024)
	for i := range all {
		all[i] = math.MaxUint64
	}
	for i, w := range endWorlds(t) {
		z := openZone(t, w.engine)
		rnd := rand.New(rand.NewPCG(26, uint64(i)))
		g := new(spanpath.Ground)
		box := w.scene.Bounds()
		near, far := 0, 0
		for range n {
			lo, size := box.Min, box.Size()
			at := geom.V3(lo.X-3+rnd.Float64()*(size.X+6), 0, lo.Z-3+rnd.Float64()*(size.Z+6))
			end := z.plane(at)
			d, err := z.coreDistance(t.Context(), end)
			if err != nil {
				t.Fatal(err)
			}
			if d == 0 {
				continue
			}
			regions, err := w.engine.RegionsNear(t.Context(), "", []geom.Vec3{at})
			if err != nil {
				t.Fatal(err)
			}
			gx, gy := spangrid.CellOf(end.U), spangrid.CellOf(end.V)
			for _, region := range regions[0] {
				reach := int(d/spangrid.Side) + 1
				err := g.Reset(t.Context(), &spanpath.Setup{
					Clip: spangrid.Window{GX: gx - reach, GY: gy - reach, NX: 2*reach + 1, NY: 2*reach + 1}, Rules: w.engine.rules, Source: z.source(region, false), Reach: all,
					Body: spanpath.Body{MaxDrop: math.Inf(1), Preferred: defaultPreferred},
				})
				if err != nil {
					t.Fatal(err)
				}
				if _, d2, ok := g.NearestOn(gx, gy, coreReach, spanpath.MarkCore); ok && math.Sqrt(float64(d2))*spangrid.Side < d {
					t.Errorf("%s: %v: open ground of region %d is %v px away, the check says %v", w.name, at, region, math.Sqrt(float64(d2))*spangrid.Side, d)
				}
			}
			if near++; d > snapRadius {
				far++
			}
		}
		g.Release()
		t.Logf("%s: %d of %d places off open ground, %d too far", w.name, near, n, far)
		if near < n/20 {
			t.Errorf("%s: %d places off open ground: no fair trial", w.name, near)
		}
	}
}

// TestNoGoIsOfAuthors: the answer is that an end lies in a no-go zone exactly where
// it lies in a polygon of the level whose band has its height, which ray casting
// tells; discs never make it so.
func TestNoGoIsOfAuthors(t *testing.T) {
	n := light(60)
	if long() {
		n = 2000
	}
	for i, w := range endWorlds(t) {
		rnd := rand.New(rand.NewPCG(29, uint64(i)))
		p := w.engine.NewPlanner()
		closed := func(at geom.Vec3) bool {
			return slices.ContainsFunc(w.scene.NoGo, func(no scene.NoGo) bool { return at.Y >= no.MinY && at.Y <= no.MaxY && insideRing(no.Ring, at) })
		}
		inside := 0
		for k := range n {
			at := [2]geom.Vec3{w.where(rnd), w.where(rnd)}
			if m := len(w.scene.NoGo); m > 0 && k%3 == 0 { // well inside one, most times
				ring := w.scene.NoGo[rnd.IntN(m)].Ring
				for range 200 {
					if insideRing(ring, at[k%2]) {
						break
					}
					at[k%2] = w.where(rnd)
				}
			}
			r := ends(End{At: at[0]}, End{At: at[1]})
			r.MaxExpanded = 1 // the checks are made before any search
			for range rnd.IntN(3) {
				r.Discs = append(r.Discs, Disc{at[rnd.IntN(2)], 1})
			}
			got := w.plan(t, p, r)
			want := ""
			switch {
			case closed(at[0]):
				want = route.CodeStartNoGo
			case closed(at[1]):
				want = route.CodeGoalNoGo
			}
			if want != "" {
				inside++
			}
			if (got.Status == route.NoGo) != (want != "") || want != "" && code(got) != want {
				t.Errorf("%s: %+v: %v %q, want %q", w.name, *r, got.Status, code(got), want)
			}
		}
		t.Logf("%s: %d of %d legs have an end in a no-go zone", w.name, inside, n)
		if inside < 3 && len(w.scene.NoGo) > 0 {
			t.Errorf("%s: %d ends in no-go zones: no fair trial", w.name, inside)
		}
	}
}

// TestBandsThatMeetNothing: polygons over the whole level whose band no surface is
// in change nothing, whether far above, far below or between storeys.
func TestBandsThatMeetNothing(t *testing.T) {
	w := generated(t, 1, 10)
	list, want := w.answered(t, 4, 28)
	e := openPacks(t, w.files, nil)
	z := openZone(t, e)
	whole := [][2]float64{{-1e4, -1e4}, {1e4, -1e4}, {1e4, 1e4}, {-1e4, 1e4}}
	var heights []float64
	a := decodeAll(t, z)
	for i := range a.f.Records {
		heights = append(heights, float64(a.f.Records[i].H))
	}
	slices.Sort(heights)
	bands := [][2]float64{{-900, -800}, {800, 900}}
	for i := 1; i < len(heights); i++ {
		if lo, hi := heights[i-1], heights[i]; hi-lo > 0.2 {
			bands = append(bands, [2]float64{lo + 0.05, hi - 0.05})
		}
	}
	rings := slices.Clone(z.noGo)
	for _, b := range bands {
		rings = append(rings, spanpath.NewRing(fmt.Sprint(b), whole, b[0], b[1]))
	}
	e = openPacks(t, w.files, nil)
	e.noGo["level"] = rings
	p := e.NewPlanner()
	for i, r := range list {
		if r.From.Storey != OnSurface || r.To.Storey != OnSurface {
			continue // heights between surfaces may be in the band
		}
		if d := differs(want[i], w.plan(t, p, r)); d != "" {
			t.Errorf("%+v: %s", *r, d)
		}
	}
	if len(bands) < 3 {
		t.Errorf("bands %v: no fair trial", bands)
	}
}
