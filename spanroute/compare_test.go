package spanroute_test

import (
	"context"
	"math/rand/v2"
	"os"
	"sort"
	"testing"
	"testing/fstest"

	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest/packtest"
	"wend/navmesh"
	"wend/route"
	"wend/spanroute"
)

// long reports whether the long tests were asked for.
func long() bool { return os.Getenv("WEND_LONG") != "" }

func mustOpen(tb testing.TB, set fstest.MapFS, o *spanroute.Options) *spanroute.Engine {
	tb.Helper()
	e, err := spanroute.Open(context.Background(), set, packtest.Name, o)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// TestAgainstMesh plans random pairs on the navmesh and over the spans baked
// from it: what can be reached must agree.
func TestAgainstMesh(t *testing.T) {
	n := 40
	if long() {
		n = 1000
		for _, file := range []string{"nav_test.obj", "dungeon.obj", "undulating.obj"} {
			t.Run(file, func(t *testing.T) {
				sc := packtest.Level(t, file)
				res, err := bake.Run(t.Context(), sc, bake.Human(), nil)
				if err != nil {
					t.Fatal(err)
				}
				compareWithMesh(t, packtest.Bake(t, sc, false, nil), res.Meshes[0].Mesh, n)
			})
		}
	}
	t.Run("town", func(t *testing.T) {
		set, mesh := packtest.Town(t)
		compareWithMesh(t, set, mesh, n)
	})
}

func compareWithMesh(t *testing.T, set fstest.MapFS, m *navmesh.Mesh, n int) {
	mesh := route.NewMeshPlanner(m, 0.6, "")
	p := mustOpen(t, set, nil).NewPlanner()
	rnd := rand.New(rand.NewPCG(1, 2))
	var ratios []float64
	agree, lost, more := 0, 0, 0
	for range n {
		var ends [2]geom.Vec3
		for i := range ends {
			ends[i] = randomPoint(m, rnd)
		}
		var a, b route.Route
		if err := mesh.Plan(t.Context(), ends[0], ends[1], &route.Options{NoPartial: true}, &a); err != nil {
			t.Fatal(err)
		}
		if err := p.Plan(t.Context(), &spanroute.Request{From: spanroute.End{At: ends[0]}, To: spanroute.End{At: ends[1]}}, &b); err != nil {
			t.Fatal(err)
		}
		switch ok, got := a.Status == route.Complete, b.Status == route.Complete; {
		case ok && got:
			agree++
			if a.Length > 5 {
				ratios = append(ratios, b.Length/a.Length)
			}
		case ok:
			lost++
			if lost <= 10 {
				t.Errorf("%v to %v: mesh %.2f m, spans %v (%v: %v)", ends[0], ends[1], a.Length, b.Status, b.Failure.Code, b.Failure.Message)
			}
		case got:
			// The mesh knows no falls. Without them there must be no way.
			more++
			no := spanroute.Request{From: spanroute.End{At: ends[0]}, To: spanroute.End{At: ends[1]}, Body: spanroute.Body{MaxDrop: 1}}
			length := b.Length
			if err := p.Plan(t.Context(), &no, &b); err != nil {
				t.Fatal(err)
			}
			if b.Status == route.Complete {
				t.Errorf("%v to %v: mesh %v, spans %.2f m, and %.2f m without falls", ends[0], ends[1], a.Status, length, b.Length)
			}
		default:
			agree++
		}
	}
	sort.Float64s(ratios)
	at := func(f float64) float64 {
		if len(ratios) == 0 {
			return 0
		}
		return ratios[int(f*float64(len(ratios)-1))]
	}
	t.Logf("%d agree, %d only on the mesh, %d only over spans, by falls; length ratio median %.4f, p10 %.4f, p90 %.4f, most %.4f",
		agree, lost, more, at(0.5), at(0.1), at(0.9), at(1))
}

// randomPoint returns a point on the mesh: more of them in large polygons.
func randomPoint(m *navmesh.Mesh, rnd *rand.Rand) geom.Vec3 {
	for {
		p := m.Poly(navmesh.PolyID(rnd.IntN(m.Len())))
		if p.Flags()&navmesh.FlagNoGo != 0 || p.Len() < 3 || rnd.Float64()*40 > p.PlanArea() {
			continue
		}
		var at geom.Vec3
		sum := 0.0
		for i := range p.Len() {
			w := rnd.Float64()
			at = at.Add(p.Corner(i).Scale(w))
			sum += w
		}
		at = at.Scale(1 / sum)
		if h, ok := m.Height(p.ID(), at.X, at.Z); ok {
			at.Y = h
			return at
		}
	}
}
