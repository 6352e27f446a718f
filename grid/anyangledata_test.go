package grid_test

import (
	"bufio"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"wend/grid"
	"wend/internal/wendtest"
)

// TestAnyAngleOnMaps: on maps of the benchmark sets Anya is never longer than
// the published way by steps, Theta* and its lazy variant lie between Anya and
// the steps, and all reach what steps reach.
//
// Where lengths at any angle were published, they are from the upper left
// corners of the cells, half a diagonal from the middles that a search goes
// between: by the triangle inequality both differ by a diagonal at most.
func TestAnyAngleOnMaps(t *testing.T) {
	t.Parallel()
	corners := map[string]string{"brc202d": "brc202d", "CatwalkAlley": "CatwalkAlley", "Berlin_0_512": "Berlin_0_512", "Aurora": "aurora"}
	names, per := []string{"arena2", "brc202d", "Berlin_0_512"}, 5
	if os.Getenv("WEND_LONG") != "" {
		names, per = setNames(t), 400
	} else {
		t.Log("a few queries of some maps; more of all with WEND_LONG=1")
	}
	q := grid.NewQuery()
	var anya, r grid.Result
	compared := 0
	for _, name := range names {
		s := loadSet(t, name)
		published := map[[2]grid.Cell]float64{}
		if file := corners[name]; file != "" {
			published = readAnyAngle(t, file)
		}
		for _, sc := range s.every(per) {
			if !sc.Solvable() {
				for _, o := range []grid.Options{{Algorithm: grid.Anya, Moves: grid.Moves{Corners: grid.OneFree}}, {Algorithm: grid.Theta}, {Algorithm: grid.LazyTheta}} {
					find(t, q, &anya, s.m, sc.Start, sc.End, &grid.Options{Moves: o.Moves})
					find(t, q, &r, s.m, sc.Start, sc.End, &o)
					if r.Status != anya.Status {
						t.Errorf("%s line %d: %v %v, by steps %v", name, sc.Line, o.Algorithm, r.Status, anya.Status)
					}
				}
				continue
			}
			find(t, q, &anya, s.m, sc.Start, sc.End, &grid.Options{Algorithm: grid.Anya, Moves: grid.Moves{Corners: grid.OneFree}})
			if anya.Status != grid.Complete || anya.Cost > sc.Optimal+sc.Tolerance {
				t.Errorf("%s line %d: anya %v, %v; by steps %v", name, sc.Line, anya.Status, anya.Cost, sc.Optimal)
			}
			if want, ok := published[[2]grid.Cell{sc.Start, sc.End}]; ok {
				compared++
				if d := math.Abs(anya.Cost - want); d > math.Sqrt2+1e-6 {
					t.Errorf("%s line %d: anya %v between middles, published %v between corners", name, sc.Line, anya.Cost, want)
				}
			}
			for _, a := range []grid.Algorithm{grid.Theta, grid.LazyTheta} {
				find(t, q, &r, s.m, sc.Start, sc.End, &grid.Options{Algorithm: a})
				if r.Status != grid.Complete || r.Cost > sc.Optimal+sc.Tolerance || r.Cost < anya.Cost-1e-6 {
					t.Errorf("%s line %d: %v %v, %v; anya %v, by steps %v", name, sc.Line, a, r.Status, r.Cost, anya.Cost, sc.Optimal)
				}
			}
		}
	}
	if compared < per {
		t.Errorf("only %d lengths at any angle compared", compared)
	}
}

// readAnyAngle reads published lengths: sx, sy, gx, gy, length by steps, length
// at any angle.
func readAnyAngle(t *testing.T, name string) map[[2]grid.Cell]float64 {
	t.Helper()
	f, err := os.Open(wendtest.Data(t, "queries", "anyangle-"+name+".csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[[2]grid.Cell]float64{}
	in := bufio.NewScanner(f)
	in.Scan() // the header
	for in.Scan() {
		var v [6]float64
		parts := strings.Split(in.Text(), ",")
		for i := range v {
			if len(parts) != len(v) {
				t.Fatalf("%s: %q", name, in.Text())
			}
			if v[i], err = strconv.ParseFloat(parts[i], 64); err != nil {
				t.Fatal(err)
			}
		}
		out[[2]grid.Cell{{X: int32(v[0]), Y: int32(v[1])}, {X: int32(v[2]), Y: int32(v[3])}}] = v[5]
	}
	if in.Err() != nil || len(out) == 0 {
		t.Fatalf("%s: %d lengths, %v", name, len(out), in.Err())
	}
	return out
}
