package spanroute

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"wend/geom"
	"wend/pack/bnav"
	"wend/spangrid"
	"wend/spanpath"
	"wend/zone"
)

// probes returns cells to ask about: those of records, and some around.
func probes(a *everything, n int, seed uint64) [][2]int {
	rnd := rand.New(rand.NewPCG(seed, 1))
	var list [][2]int
	for range n {
		gx, gy := a.at(rnd.IntN(len(a.f.Records)))
		list = append(list, [2]int{gx, gy}, [2]int{gx + rnd.IntN(141) - 70, gy + rnd.IntN(141) - 70})
	}
	return append(list, [2]int{1 << 40, 0}, [2]int{0, math.MinInt32})
}

// bruteNearest goes through all records.
func bruteNearest(a *everything, gx, gy, half int, key func(*bnav.Record) float64) (best found, ok bool) {
	bestKey := 0.0
	y0, y1 := max(gy-half-int(a.win.GY0), 0), min(gy+half+1-int(a.win.GY0), int(a.win.NY))
	if y0 >= y1 {
		return best, false
	}
	for _, i := range a.order[a.rows[y0]:a.rows[y1]] {
		x, y := a.at(i)
		if max(x-gx, gx-x, y-gy, gy-y) > half {
			continue
		}
		r := &a.f.Records[i]
		k := key(r)
		if k < 0 {
			continue
		}
		d := (x-gx)*(x-gx) + (y-gy)*(y-gy)
		if !ok || d < best.distance || d == best.distance && k < bestKey {
			best = found{spangrid.Place{GX: int32(x), GY: int32(y), H: r.H}, r.Region, a.f.Component[i], r.Flags, d}
			bestKey, ok = k, true
		}
	}
	return best, ok
}

// rimsOf returns the records that reach into cells over lower ones without a
// floor over the middle of the cell.
func rimsOf(z *zoneEntry, a *everything) map[*bnav.Record]bool {
	lowest := map[int32]float32{}
	real := func(r *bnav.Record) bool { return r.Flags&(bnav.Fill|bnav.Ghost) == 0 }
	for i := range a.f.Records {
		r := &a.f.Records[i]
		if h, ok := lowest[r.Cell]; real(r) && (!ok || r.H < h) {
			lowest[r.Cell] = r.H
		}
	}
	out := map[*bnav.Record]bool{}
	for i := range a.f.Records {
		r := &a.f.Records[i]
		if !real(r) || r.Flags&bnav.Dead == 0 || r.H == lowest[r.Cell] {
			continue
		}
		gx, gy := a.at(i)
		inside := false
		for _, h := range z.floorsOver()(nil, middleOf(gx, gy)) {
			inside = inside || math.Abs(h-float64(r.H)) <= 1
		}
		out[r] = !inside
	}
	return out
}

func TestPicksAgainstBruteForce(t *testing.T) {
	z := openZone(t, openTerraces(t, nil))
	a := decodeAll(t, z)
	rims := rimsOf(z, a)
	rnd := rand.New(rand.NewPCG(8, 8))
	hits := 0
	for _, c := range probes(a, 30, 3) {
		h := float64(rnd.IntN(40))/4 - 1
		for _, deck := range []bool{false, true} {
			band, without, pick := 3.0, uint8(bnav.Ghost|bnav.Fill), z.pickStart
			if deck {
				band, without, pick = 2.0, uint8(bnav.Fill), z.pickDeck
			}
			got, ok, err := pick(t.Context(), c[0], c[1], h)
			if err != nil {
				t.Fatal(err)
			}
			want, wantOK := bruteNearest(a, c[0], c[1], 32, func(r *bnav.Record) float64 {
				if d := math.Abs(float64(r.H) - h); r.Flags&bnav.Walk != 0 && r.Flags&without == 0 && d <= band {
					return d
				}
				return -1
			})
			// Pages leave out what only reaches into a cell over other ground.
			inner, innerOK := bruteNearest(a, c[0], c[1], 32, func(r *bnav.Record) float64 {
				if d := math.Abs(float64(r.H) - h); r.Flags&bnav.Walk != 0 && r.Flags&without == 0 && d <= band && !rims[r] {
					return d
				}
				return -1
			})
			if (got != want || ok != wantOK) && (got != inner || ok != innerOK) {
				t.Fatalf("cell %v, height %v, deck %v: %+v %v, want %+v %v", c, h, deck, got, ok, want, wantOK)
			}
			if ok {
				hits++
			}
		}
	}
	if hits < 30 {
		t.Errorf("only %d picks found anything", hits)
	}
}

func TestCoreDistanceAgainstBruteForce(t *testing.T) {
	z := openZone(t, openTerraces(t, nil))
	a := decodeAll(t, z)
	kinds := [3]int{}
	for _, c := range probes(a, 40, 5) {
		if c[0] > 1<<30 || c[1] < -1<<30 {
			continue
		}
		at := middleOf(c[0], c[1])
		got, err := z.coreDistance(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		f, ok := bruteNearest(a, c[0], c[1], 64, func(r *bnav.Record) float64 {
			if r.Flags&bnav.Core != 0 {
				return 0
			}
			return -1
		})
		want := 16.0
		if ok {
			want = math.Sqrt(float64(f.distance)) * 0.25
		}
		if got != want {
			t.Fatalf("cell %v: open ground at %v px, want %v", c, got, want)
		}
		switch {
		case !ok:
			kinds[2]++
		case got > 0:
			kinds[1]++
		default:
			kinds[0]++
		}
	}
	if min(kinds[0], kinds[1], kinds[2]) == 0 {
		t.Errorf("on, near and far from open ground: %v, want some of each", kinds)
	}
}

// TestSurface looks for a region's surface in each cell of a sample.
func TestSurface(t *testing.T) {
	z := openZone(t, openTerraces(t, nil))
	a := decodeAll(t, z)
	for i := 0; i < len(a.f.Records); i += 2999 {
		r := &a.f.Records[i]
		gx, gy := a.at(i)
		for _, dh := range []float64{-0.1, 0, 0.1} {
			got, ok, err := z.surface(t.Context(), gx, gy, r.Region, float64(r.H)+dh)
			if err != nil {
				t.Fatal(err)
			}
			want, wantOK := bruteNearest(a, gx, gy, 0, func(q *bnav.Record) float64 {
				if q.Region != r.Region || q.Flags&bnav.Fill != 0 {
					return -1
				}
				return math.Abs(float64(q.H) - (float64(r.H) + dh))
			})
			if got != want || ok != wantOK {
				t.Fatalf("cell (%d, %d), region %d: %+v %v, want %+v %v", gx, gy, r.Region, got, ok, want, wantOK)
			}
		}
		if _, ok, err := z.surface(t.Context(), gx, gy, math.MaxUint32, 0); ok || err != nil {
			t.Errorf("a region that is none has a surface: %v", err)
		}
	}
}

// TestSnapOnto compares the choice among storeys with all triangles in order of
// the snap's own keys.
func TestSnapOnto(t *testing.T) {
	z := openZone(t, openTerraces(t, nil))
	a := decodeAll(t, z)
	differs := 0
	for _, c := range probes(a, 25, 9) {
		if c[0] > 1<<30 || c[1] < -1<<30 {
			continue
		}
		at := middleOf(c[0], c[1])
		for region := uint32(1); region <= 4; region++ {
			got, ok, err := z.snapOnto(t.Context(), at, snapRadius, optional{}, region)
			if err != nil {
				t.Fatal(err)
			}
			plain, plainOK := z.snap(at, snapRadius, optional{}, optional{}, nil)
			want, wantOK := bruteSnapOnto(t, z, at, region)
			if ok != wantOK || ok && got.Triangle != want {
				t.Fatalf("cell %v, region %d: triangle %d %v, want %d %v", c, region, got.Triangle, ok, want, wantOK)
			}
			if ok && (!plainOK || plain.Triangle != got.Triangle) {
				differs++
			}
		}
	}
	if differs == 0 {
		t.Error("the region never decided: the test looks at too little")
	}
}

func bruteSnapOnto(t *testing.T, z *zoneEntry, at spanpath.Point, region uint32) (int32, bool) {
	for _, radius := range []float64{8, 16} {
		best, found := int32(-1), false
		var least [3]float64
		for k := range int32(len(z.mesh.Tris)) {
			u, v := z.mesh.Nearest(k, at.U, at.V)
			d := math.Sqrt(float64((u-at.U)*(u-at.U)) + float64((v-at.V)*(v-at.V)))
			if !z.mesh.Walkable[k] || d > radius {
				continue
			}
			seed, ok, err := z.startSurface(t.Context(), at, spanpath.Point{U: u, V: v}, z.mesh.MeanHeight(k))
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				continue
			}
			if _, ok, _ = z.surface(t.Context(), int(seed.GX), int(seed.GY), region, 0); !ok {
				continue
			}
			island := 0.0
			if z.mesh.Island[k] {
				island = 1
			}
			key := [3]float64{d, -z.mesh.MeanHeight(k), island}
			if !found || slices.Compare(key[:], least[:]) < 0 {
				best, least, found = k, key, true
			}
		}
		if found {
			return best, true
		}
	}
	return 0, false
}

// TestRegionsNearMissesNone picks surfaces in all ways a route could and wants
// their regions listed, and no region that is far.
func TestRegionsNearMissesNone(t *testing.T) {
	e := openTerraces(t, nil)
	z := openZone(t, e)
	a := decodeAll(t, z)
	rnd := rand.New(rand.NewPCG(1, 9))
	var points []geom.Vec3
	for _, c := range probes(a, 15, 11) {
		points = append(points, z.worldAt(spanpath.Point{
			U: (float64(c[0]) + rnd.Float64()) * spangrid.Side, V: (float64(c[1]) + rnd.Float64()) * spangrid.Side,
		}, 0))
	}
	points = append(points, geom.V3(math.NaN(), 0, 0), geom.V3(0, 0, math.Inf(1)))
	lists, err := e.RegionsNear(t.Context(), "terraces", points)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range points {
		if !slices.IsSorted(lists[i]) || len(slices.Compact(slices.Clone(lists[i]))) != len(lists[i]) {
			t.Fatalf("point %v: %v is not a set in order", p, lists[i])
		}
		at := z.plane(p)
		if !(math.Abs(at.U) < zone.MaxPlane && math.Abs(at.V) < zone.MaxPlane) {
			if len(lists[i]) != 0 {
				t.Errorf("point %v: %v", p, lists[i])
			}
			continue
		}
		want := func(f found, ok bool, err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			if _, listed := slices.BinarySearch(lists[i], f.region); ok && !listed {
				t.Fatalf("point %v: region %d is missing in %v", p, f.region, lists[i])
			}
		}
		gx, gy := spangrid.CellOf(at.U), spangrid.CellOf(at.V)
		for h := -2.0; h < 12; h += 2.5 {
			want(z.pickDeck(t.Context(), gx, gy, h))
			for _, floor := range []optional{{}, {h, true}} {
				for _, deck := range []optional{{}, {h, true}} {
					if spot, ok := z.snap(at, snapRadius, deck, floor, nil); ok {
						want(z.startSurface(t.Context(), at, spanpath.Point{U: spot.U, V: spot.V}, spot.Height))
					}
				}
			}
		}
		for _, region := range lists[i] {
			_, ok := bruteNearest(a, gx, gy, 97, func(r *bnav.Record) float64 {
				if r.Region == region && r.Flags&bnav.Fill == 0 {
					return 0
				}
				return -1
			})
			if !ok {
				t.Errorf("point %v: region %d is listed and far", p, region)
			}
		}
	}
}

func BenchmarkEnds(b *testing.B) {
	z := openZone(b, openTerraces(b, nil))
	a := decodeAll(b, z)
	list := probes(a, 100, 1)
	list = list[:len(list)-2]
	b.Run("pick", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			c := list[i%len(list)]
			if _, _, err := z.pickStart(b.Context(), c[0], c[1], 0); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("core", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			c := list[i%len(list)]
			if _, err := z.coreDistance(b.Context(), middleOf(c[0], c[1])); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("snap", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			c := list[i%len(list)]
			z.snap(middleOf(c[0], c[1]), snapRadius, optional{}, optional{}, nil)
		}
	})
	b.Run("regions", func(b *testing.B) {
		var s nearScratch
		for i := 0; b.Loop(); i++ {
			c := list[i%len(list)]
			if _, err := z.regionsNear(b.Context(), middleOf(c[0], c[1]), &s); err != nil {
				b.Fatal(err)
			}
		}
	})
}
