package navmesh_test

import (
	"context"
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/navmesh"
)

// peerRoute is a query that Detour answered: its two ends, and for one mesh
// whether the goal was reached and the length in three dimensions.
type peerRoute struct {
	from, to geom.Vec3
	complete bool
	length   float64
}

// peerRoutes reads the answers of a level. Columns of the solo mesh begin at
// 7, those of the tiled one at 12.
func peerRoutes(tb testing.TB, level string, tiled bool) []peerRoute {
	tb.Helper()
	f, err := os.Open(wendtest.Data(tb, "queries", "route-"+level+".csv"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		tb.Fatal(err)
	}
	at := 7
	if tiled {
		at = 12
	}
	var out []peerRoute
	for _, row := range rows[1:] {
		var v [17]float64
		for i := range v {
			if v[i], err = strconv.ParseFloat(row[i], 64); err != nil {
				tb.Fatal(err)
			}
		}
		out = append(out, peerRoute{
			from: geom.V3(v[1], v[2], v[3]), to: geom.V3(v[4], v[5], v[6]),
			complete: v[at] == 1 && v[at+1] == 0, length: v[at+4],
		})
	}
	return out
}

func TestPathAgainstPeer(t *testing.T) {
	for _, c := range []struct {
		mesh, level string
		tiled       bool
	}{
		{"nav_test_solo.bin", "nav_test", false},
		{"nav_test_tiled.bin", "nav_test", true},
		{"dungeon_tiled.bin", "dungeon", true},
	} {
		t.Run(c.mesh, func(t *testing.T) {
			m, _ := peerMesh(t, c.mesh)
			q := m.NewQuery()
			var path navmesh.Path
			var ratios []float64
			var micros []float64
			partial, expanded := 0, 0
			for i, r := range peerRoutes(t, c.level, c.tiled) {
				t0 := time.Now()
				a, err := q.Nearest(r.from, nil)
				if err != nil {
					t.Fatal(err)
				}
				b, err := q.Nearest(r.to, nil)
				if err != nil {
					t.Fatal(err)
				}
				if err := q.Path(context.Background(), a.Location, b.Location, nil, &navmesh.PathOptions{AllowPartial: true}, &path); err != nil {
					t.Fatal(err)
				}
				micros = append(micros, float64(time.Since(t0).Nanoseconds())/1e3)
				expanded += path.Expanded
				if path.Outcome == navmesh.Partial {
					partial++
				}
				if got := path.Outcome == navmesh.Complete; got != r.complete {
					t.Errorf("query %d: complete %v, the peer says %v", i, got, r.complete)
					continue
				}
				if r.complete && r.length > 5 {
					ratios = append(ratios, path.Length/r.length)
				}
			}
			slices.Sort(ratios)
			slices.Sort(micros)
			n := len(ratios)
			sum, over := 0.0, 0
			for _, x := range ratios {
				sum += x
				if x > 1.02 {
					over++
				}
			}
			t.Logf("%d complete routes over 5 m: length as a part of the peer's min %.4f p1 %.4f median %.6f mean %.5f p99 %.5f max %.5f, %d over 1.02; partial %d; median %.2f us p99 %.1f us, expanded %.1f",
				n, ratios[0], ratios[n/100], ratios[n/2], sum/float64(n), ratios[n*99/100], ratios[n-1], over, partial, micros[len(micros)/2], micros[len(micros)*99/100], float64(expanded)/1e4)
			if ratios[n/2] > 1.002 || ratios[n*99/100] > 1.02 {
				t.Error("paths are longer than the peer's")
			}
		})
	}
}
