package wend_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"

	"wend"
	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/scene"
	"wend/scene/level"
)

// peerLevel is a level with queries that Recast and Detour answered.
type peerLevel struct {
	name  string
	scale float64
}

var peerLevels = []peerLevel{
	{"nav_test", 1},
	{"dungeon", 1},
	{"sauerbraten-pandora", 0.125},
	{"tesseract-complex", 0.125},
}

func (l peerLevel) scene(tb testing.TB) *scene.Scene {
	tb.Helper()
	sc, _, err := level.Open(os.DirFS(wendtest.Data(tb, "levels")), l.name+".obj", &level.Options{Options: scene.Options{Scale: l.scale}})
	if err != nil {
		tb.Fatal(err)
	}
	return sc
}

func (l peerLevel) bake(tb testing.TB, change func(*bake.Profile)) (*wend.World, *bake.Report) {
	tb.Helper()
	p := bake.Human()
	if change != nil {
		change(&p)
	}
	w, rep, err := wend.Bake(tb.Context(), l.scene(tb), p, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return w, rep
}

// peerQuery is a row of the peer's answers.
type peerQuery struct {
	from, to    geom.Vec3
	solo, tiled peerAnswer
}

type peerAnswer struct {
	complete bool
	length   float64
}

// queries reads every step-th query of the level.
func (l peerLevel) queries(tb testing.TB, step int) []peerQuery {
	tb.Helper()
	f, err := os.Open(wendtest.Data(tb, "queries", "route-"+l.name+".csv"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		tb.Fatal(err)
	}
	var out []peerQuery
	for i := 1; i < len(rows); i += step {
		var v [17]float64
		for k := range v {
			if v[k], err = strconv.ParseFloat(rows[i][k], 64); err != nil {
				tb.Fatal(err)
			}
		}
		out = append(out, peerQuery{
			from: geom.V3(v[1], v[2], v[3]), to: geom.V3(v[4], v[5], v[6]),
			solo:  peerAnswer{v[7] == 1 && v[8] == 0, v[11]},
			tiled: peerAnswer{v[12] == 1 && v[13] == 0, v[16]},
		})
	}
	return out
}

// distribution describes a list of numbers.
func distribution(v []float64) string {
	if len(v) == 0 {
		return "none"
	}
	slices.Sort(v)
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return fmt.Sprintf("n %d, mean %.5f, min %.4f, p1 %.4f, median %.5f, p95 %.4f, p99 %.4f, p99.9 %.4f, max %.4f",
		len(v), sum/float64(len(v)), v[0], at(v, 0.01), at(v, 0.5), at(v, 0.95), at(v, 0.99), at(v, 0.999), v[len(v)-1])
}

// at returns a percentile of sorted numbers.
func at(sorted []float64, p float64) float64 {
	return sorted[min(len(sorted)-1, int(p*float64(len(sorted))))]
}

// Routes must be found wherever the peer found them, and be no longer.
func TestRoutesAgainstPeer(t *testing.T) {
	step := 10
	if os.Getenv("WEND_LONG") != "" {
		step = 1
	}
	for _, l := range peerLevels {
		t.Run(l.name, func(t *testing.T) {
			queries := l.queries(t, step)
			w, _ := l.bake(t, nil)
			q := w.NewQuery()
			var r wend.Route
			both, ours, peers := 0, 0, 0
			var ratios []float64
			for i, c := range queries {
				if err := q.PlanInto(t.Context(), &r, c.from, c.to, wend.Agent{}, nil); err != nil {
					t.Fatalf("query %d: %v", i, err)
				}
				if r.Status == wend.Complete {
					ours++
					goal, err := q.Locate(c.to, nil)
					if err != nil || !goal.Found {
						t.Fatalf("query %d: complete, but the goal is not on the mesh: %v", i, err)
					}
					if d := geom.Dist(r.Points[len(r.Points)-1].Pos, goal.Pos); d > 0.1 {
						t.Errorf("query %d: complete, but ends %.2f m from the snapped goal", i, d)
					}
				}
				if !c.solo.complete {
					continue
				}
				peers++
				if r.Status != wend.Complete {
					if peers-both < 10 {
						t.Logf("query %d: %v to %v: peer complete %.2f, ours %v", i, c.from, c.to, c.solo.length, r.Status)
					}
					continue
				}
				both++
				if c.solo.length > 5 {
					ratios = append(ratios, r.Length/c.solo.length)
					if ratio := r.Length / c.solo.length; ratio > 1.05 || ratio < 0.9 {
						t.Logf("query %d: %.2f m, peer %.2f (ratio %.3f): %v to %v", i, r.Length, c.solo.length, ratio, c.from, c.to)
					}
				}
			}
			t.Logf("complete: peer %d, both %d (%.2f %%), ours %d of %d", peers, both, 100*float64(both)/float64(peers), ours, len(queries))
			t.Logf("length ours/peer over 5 m: %s", distribution(ratios))
			if float64(both) < 0.99*float64(peers) {
				t.Errorf("the peer answers %d queries, of those ours %d: want at least 99 %%", peers, both)
			}
			if m := at(ratios, 0.5); m > 1.002 {
				t.Errorf("median ratio %.4f, want at most 1.002", m)
			}
			if p := at(ratios, 0.99); p > 1.02 {
				t.Errorf("p99 ratio %.4f, want at most 1.02", p)
			}
		})
	}
}
