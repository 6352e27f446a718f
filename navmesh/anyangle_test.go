package navmesh

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
)

// anyAngle is a query with the length of a shortest path.
type anyAngle struct {
	from, to Location
	length   float64
}

// loadAnyAngle reads the answers for a mesh, at most most of them spread over
// the list.
func loadAnyAngle(tb testing.TB, m *Mesh, name string, most int) []anyAngle {
	tb.Helper()
	f, err := os.Open(wendtest.Data(tb, "queries", "anyangle-"+name+".csv"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		tb.Fatal(err)
	}
	rows = rows[1:]
	most = min(most, len(rows))
	var out []anyAngle
	for i := range most {
		row := rows[i*len(rows)/most]
		var v [6]float64
		for k := range v {
			if v[k], err = strconv.ParseFloat(row[k], 64); err != nil {
				tb.Fatal(err)
			}
		}
		out = append(out, anyAngle{m.at(tb, v[0], -v[1]), m.at(tb, v[2], -v[3]), v[5]})
	}
	return out
}

// anyAngleMeshes are the meshes and whose answers hold for them.
var anyAngleMeshes = [][2]string{
	{"arena", "arena"},
	{"arena-merged", "arena"},
	{"brc202d", "brc202d"},
	{"Berlin_0_512", "Berlin_0_512"},
	{"CatwalkAlley", "CatwalkAlley"},
	{"aurora", "aurora"},
	{"aurora-merged", "aurora"},
}

func TestPathsAreShortest(t *testing.T) {
	most := 40
	if os.Getenv("WEND_LONG") == "1" {
		most = 1 << 20
	}
	for _, nm := range anyAngleMeshes {
		t.Run(nm[0], func(t *testing.T) {
			m := loadPlan(t, nm[0]).mesh(t)
			qs := loadAnyAngle(t, m, nm[1], most)
			q := m.NewQuery()
			for _, search := range []Search{SearchExact, SearchCorridor} {
				var dst Path
				var ratios []float64
				shortest, sum, expanded := 0, 0.0, 0
				for i, x := range qs {
					if err := q.Path(context.Background(), x.from, x.to, nil, &PathOptions{Search: search}, &dst); err != nil {
						t.Fatal(err)
					}
					if dst.Outcome != Complete {
						t.Fatalf("query %d: %v", i, dst.Outcome)
					}
					expanded += dst.Expanded
					c := &q.search.corridor
					if err := checkTaut(c.turns, c.portals, 1e-9); err != nil {
						t.Errorf("query %d, search %d: %v", i, search, err)
					}
					// The answers are given to 1e-7.
					if dst.Length < x.length-1e-6*max(1, x.length) {
						t.Errorf("query %d: length %v is under the least, %v", i, dst.Length, x.length)
					}
					if search == SearchExact && dst.Length > x.length+1e-6*max(1, x.length) {
						// An end at a corner where walls meet lies in several
						// polygons that do not join there. Which of them is
						// meant the query does not say; the answer is for the
						// best.
						dst.Length = shortestFromTouching(t, q, x)
					}
					if search == SearchExact && dst.Length > x.length+1e-6*max(1, x.length) {
						t.Errorf("query %d: length %v, want %v", i, dst.Length, x.length)
					}
					r := 1.0
					if x.length > 0 {
						r = dst.Length / x.length
					}
					ratios = append(ratios, r)
					sum += r
					if r < 1+1e-6 {
						shortest++
					}
				}
				slices.Sort(ratios)
				n := len(ratios)
				t.Logf("search %d: %d of %d shortest, mean %.5f, p99 %.4f, most %.4f; %.0f expanded", search,
					shortest, n, sum/float64(n), ratios[n*99/100], ratios[n-1], float64(expanded)/float64(n))
			}
		})
	}
}

// shortestFromTouching returns the least length between any polygons that the
// ends touch.
func shortestFromTouching(t *testing.T, q *Query, x anyAngle) float64 {
	t.Helper()
	touching := func(at geom.Vec3) (ps []PolyID) {
		for p := range PolyID(q.mesh.Len()) {
			if near, _, ok := q.mesh.ClosestPoint(p, at); ok && geom.DistXZ(near, at) == 0 {
				ps = append(ps, p)
			}
		}
		return ps
	}
	best := math.Inf(1)
	var dst Path
	for _, a := range touching(x.from.Pos) {
		for _, b := range touching(x.to.Pos) {
			if err := q.Path(t.Context(), Location{a, x.from.Pos}, Location{b, x.to.Pos}, nil, nil, &dst); err != nil {
				t.Fatal(err)
			}
			if dst.Outcome == Complete {
				best = min(best, dst.Length)
			}
		}
	}
	return best
}
