package spanroute

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/route"
)

// TestGoldenRoutes hashes every bit of 50 routes on each level, with falls,
// discs, bodies and failures. They are the same on every platform; a change of
// them is meant or a mistake. Run it with GOAMD64=v3, and for arm64 under
// emulation, before changing the file.
func TestGoldenRoutes(t *testing.T) {
	for _, name := range []string{"town", "nav_test.obj", "dungeon.obj"} {
		t.Run(name, func(t *testing.T) {
			if underRace && !long() {
				t.Skip("the same bits with the race detector as without it (WEND_LONG=1 makes sure)")
			}
			w := baked(t, name)
			box := w.scene.Bounds() // places are eighths of a metre, which nothing rounds
			lo, size := box.Min, box.Size()
			rnd := rand.New(rand.NewPCG(50, 0))
			at := func() geom.Vec3 {
				v := func(lo, size float64) float64 { return math.Floor(lo*8)/8 + float64(rnd.IntN(int(size*8)+1))/8 }
				return geom.V3(v(lo.X, size.X), v(lo.Y, size.Y), v(lo.Z, size.Z))
			}
			p := w.engine.NewPlanner()
			h := sha256.New()
			bits := func(list ...float64) {
				var buf [8]byte
				for _, v := range list {
					binary.LittleEndian.PutUint64(buf[:], math.Float64bits(v))
					h.Write(buf[:])
				}
			}
			count := map[route.Status]int{}
			length := 0.0
			for n := 0; count[route.Complete] < 50 && n < 400; n++ {
				r := &Request{From: End{At: at(), Storey: NearFloor}, To: End{At: at(), Storey: Storey(1 + rnd.IntN(2))}, Windows: Windows(n % 3)}
				switch n % 4 {
				case 1:
					r.Discs = []Disc{{At: geom.Lerp(r.From.At, r.To.At, 0.5), Radius: 2.5}}
				case 2:
					r.Body = Body{MaxDrop: 2, Radius: 0.75, Preferred: 1.5}
				}
				got := w.plan(t, p, r)
				count[got.Status]++
				length += got.Length
				bits(float64(got.Status), got.Length, got.Cost, got.SnapStart, got.SnapEnd, float64(len(got.Points)))
				for _, q := range got.Points {
					bits(q.Pos.X, q.Pos.Y, q.Pos.Z, q.Clearance, float64(q.Storey), float64(q.Kind))
				}
				for _, k := range got.Waypoints {
					bits(float64(k))
				}
				for _, d := range got.Drops {
					bits(float64(d.Index), d.Y)
				}
				if got.Failure != nil {
					h.Write([]byte(got.Failure.Code))
				}
			}
			var out bytes.Buffer
			fmt.Fprintf(&out, "%x\n%d complete, %d unreachable, %d off the mesh, %d in no-go zones, %.3f m\n", h.Sum(nil),
				count[route.Complete], count[route.Unreachable], count[route.OffMesh], count[route.NoGo], length)
			wendtest.Golden(t, "routes-"+name+".txt", out.Bytes())
		})
	}
}

// TestAllocations: a planner that has planned a leg before allocates no more than
// a handful of small things for it.
func TestAllocations(t *testing.T) {
	w := baked(t, "town")
	p := w.engine.NewPlanner()
	var dst route.Route
	most := 0.0
	for i, r := range w.requests(4, 6) {
		plan := func() {
			if err := p.Plan(t.Context(), r, &dst); err != nil {
				t.Fatal(err)
			}
		}
		plan()
		got := testing.AllocsPerRun(3, plan)
		most = max(most, got)
		t.Logf("leg %d: %v, %d points, %d pages, window %s: %v allocations", i, dst.Status, len(dst.Points), dst.Stats.Pages, dst.Stats.Window, got)
	}
	if most > 500 {
		t.Errorf("%v allocations for a leg", most)
	}
}
