package wend_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"wend"
	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/scene"
)

// long reports whether the long suites are wanted.
func long() bool { return os.Getenv("WEND_LONG") != "" }

// Every route must be walkable by a body on the source triangles, whatever the
// voxels and polygons say.
func TestRoutesAreWalkable(t *testing.T) {
	step := 100
	if long() {
		step = 10
	}
	for _, l := range peerLevels {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			w, _ := l.bake(t, nil)
			walker := wendtest.NewWalker(l.scene(t))
			q := w.NewQuery()
			var r wend.Route
			bad, walked := 0, 0
			for i, c := range l.queries(t, step) {
				if err := q.PlanInto(t.Context(), &r, c.from, c.to, wend.Agent{}, nil); err != nil {
					t.Fatal(err)
				}
				if len(r.Points) == 0 {
					continue
				}
				walked++
				points := make([]geom.Vec3, len(r.Points))
				for k, p := range r.Points {
					points[k] = p.Pos
				}
				if err := walker.Check(points); err != nil {
					bad++
					if bad <= 5 {
						t.Errorf("query %d, %v to %v (%v): %v", i*step, c.from, c.to, r.Status, err)
					}
				}
			}
			t.Logf("%d routes walked, %d not walkable", walked, bad)
			if bad > 0 {
				t.Errorf("%d of %d routes are not walkable", bad, walked)
			}
		})
	}
}

// A mesh in tiles must answer like one without.
func TestTiledAgainstUntiled(t *testing.T) {
	pairs := 200
	if long() {
		pairs = 1000
	}
	for _, l := range peerLevels {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			solo, _ := l.bake(t, func(p *bake.Profile) { p.Navmesh.Tiling = bake.TilingOff })
			tiled, _ := l.bake(t, func(p *bake.Profile) { p.Navmesh.Tiling = bake.TilingOn })
			qs, qt := solo.NewQuery(), tiled.NewQuery()
			rng := rand.New(rand.NewPCG(1, 2))
			queries := l.queries(t, 1)
			var a, b wend.Route
			var ratios []float64
			within, reach := 0, 0
			for range pairs {
				from := queries[rng.IntN(len(queries))].from
				to := queries[rng.IntN(len(queries))].to
				if err := qs.PlanInto(t.Context(), &a, from, to, wend.Agent{}, nil); err != nil {
					t.Fatal(err)
				}
				if err := qt.PlanInto(t.Context(), &b, from, to, wend.Agent{}, nil); err != nil {
					t.Fatal(err)
				}
				if (a.Status == wend.Complete) != (b.Status == wend.Complete) {
					reach++
					if reach <= 5 {
						t.Errorf("%v to %v: untiled %v, tiled %v", from, to, a.Status, b.Status)
					}
					continue
				}
				if a.Status != wend.Complete || a.Length < 1 {
					continue
				}
				ratio := b.Length / a.Length
				ratios = append(ratios, math.Abs(ratio-1))
				if math.Abs(ratio-1) <= 0.02 {
					within++
				} else {
					t.Logf("%v to %v: untiled %.2f, tiled %.2f (%+.1f %%)", from, to, a.Length, b.Length, 100*(ratio-1))
				}
			}
			t.Logf("difference of length: %s", distribution(ratios))
			if reach > 0 {
				t.Errorf("%d pairs are reachable in one mesh only", reach)
			}
			if m := at(ratios, 0.5); m > 0.001 {
				t.Errorf("median difference %.4f, want at most 0.001", m)
			}
			if share := float64(within) / float64(len(ratios)); share < 0.95 {
				t.Errorf("%.1f %% of pairs within 2 %%, want 95", 100*share)
			}
		})
	}
}

// navmeshBytes bakes and returns the file.
func navmeshBytes(t *testing.T, sc *scene.Scene, workers int, tiling bake.Tiling) []byte {
	t.Helper()
	p := bake.Human()
	p.Navmesh.Tiling = tiling
	w, _, err := wend.Bake(t.Context(), sc, p, &bake.Options{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	if err := w.WriteNavmesh(&buf, 0); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// The bytes of a navmesh depend on the level alone: not on the number of
// workers, and not on the order of the triangles.
func TestBytesDependOnTheLevelAlone(t *testing.T) {
	levels := peerLevels[:2]
	if long() {
		levels = peerLevels
	}
	for _, l := range levels {
		for name, tiling := range map[string]bake.Tiling{"untiled": bake.TilingOff, "tiled": bake.TilingOn} {
			t.Run(l.name+"/"+name, func(t *testing.T) {
				sc := l.scene(t)
				want := navmeshBytes(t, sc, 1, tiling)
				for _, workers := range []int{2, 4} {
					if !bytes.Equal(navmeshBytes(t, sc, workers, tiling), want) {
						t.Errorf("%d workers give other bytes than one", workers)
					}
				}
				shuffled := *sc
				shuffled.Tris = append([]scene.Tri(nil), sc.Tris...)
				rng := rand.New(rand.NewPCG(3, 4))
				rng.Shuffle(len(shuffled.Tris), func(i, k int) {
					shuffled.Tris[i], shuffled.Tris[k] = shuffled.Tris[k], shuffled.Tris[i]
				})
				for i := range shuffled.Tris {
					v := &shuffled.Tris[i].V
					n := rng.IntN(3)
					*v = [3]uint32{v[n], v[(n+1)%3], v[(n+2)%3]}
				}
				if !bytes.Equal(navmeshBytes(t, &shuffled, 2, tiling), want) {
					t.Error("another order of triangles and corners gives other bytes")
				}
			})
		}
	}
}

// A peer's own files must open, and its queries on them give its lengths.
func TestPeerFiles(t *testing.T) {
	for _, f := range []struct {
		file  string
		level peerLevel
		tiled bool
	}{
		{"nav_test_solo.bin", peerLevels[0], false},
		{"nav_test_tiled.bin", peerLevels[0], true},
		{"dungeon_tiled.bin", peerLevels[1], true},
	} {
		t.Run(strings.TrimSuffix(f.file, ".bin"), func(t *testing.T) {
			w, err := wend.Open(os.DirFS(wendtest.Data(t, "navmesh")), f.file, nil)
			if err != nil {
				t.Fatal(err)
			}
			q := w.NewQuery()
			var r wend.Route
			ours, peers := 0.0, 0.0
			var ratios []float64
			equal := 0
			for i, c := range f.level.queries(t, 1) {
				answer := c.solo
				if f.tiled {
					answer = c.tiled
				}
				if err := q.PlanInto(t.Context(), &r, c.from, c.to, wend.Agent{}, nil); err != nil {
					t.Fatal(err)
				}
				if answer.complete && r.Status != wend.Complete {
					t.Errorf("query %d: the peer reaches the goal, here it is %v", i, r.Status)
				}
				if !answer.complete || r.Status != wend.Complete || answer.length < 0.01 {
					continue
				}
				ours += r.Length
				peers += answer.length
				ratio := r.Length / answer.length
				ratios = append(ratios, ratio)
				if math.Abs(ratio-1) <= 0.001 {
					equal++
				}
			}
			t.Logf("ours %.1f m, the peer %.1f m; within 0.1 %%: %.1f %%; ratio %s", ours, peers, 100*float64(equal)/float64(len(ratios)), distribution(ratios))
			if m := at(ratios, 0.5); math.Abs(m-1) > 0.001 {
				t.Errorf("median ratio %.5f, want 1 within 0.001", m)
			}
			if p := at(ratios, 0.99); p > 1.02 {
				t.Errorf("p99 ratio %.4f: longer than the peer on its own mesh", p)
			}
		})
	}
}
