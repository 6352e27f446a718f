package wend_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math"
	"math/rand/v2"
	"testing"

	"wend"
	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/scene"
	"wend/scene/sample"
)

// The bytes of navmeshes and the bits of routes are the same on every
// platform; a change of them is meant or a mistake. Run this test with
// GOAMD64=v3, and for arm64 under emulation, before changing the file.
func TestGolden(t *testing.T) {
	// Ends are drawn as whole numbers: no platform rounds them in another way.
	inTown := func(rng *rand.Rand) geom.Vec3 {
		places := sample.Places()
		if rng.IntN(4) == 0 {
			return places[rng.IntN(len(places))].Pos
		}
		return geom.V3(float64(rng.IntN(1200)-600)/10, 0, float64(rng.IntN(900)-450)/10)
	}
	onTerrain := func(rng *rand.Rand) geom.Vec3 {
		return geom.V3(float64(rng.IntN(960))/10, 4, float64(rng.IntN(960))/10)
	}
	var out bytes.Buffer
	fmt.Fprintln(&out, "# level, tiling: SHA-256 of the navmesh file; of 50 routes with their statuses, points, lengths, costs and clearances")
	for _, l := range []struct {
		name  string
		scene *scene.Scene
		point func(*rand.Rand) geom.Vec3
	}{
		{"town", sample.Town(), inTown},
		{"terrain", sample.Terrain(96), onTerrain},
		{"maze", sample.Maze(12), func(rng *rand.Rand) geom.Vec3 { return sample.MazeRoom(rng.IntN(12), rng.IntN(12)) }},
	} {
		for _, tiling := range []bake.Tiling{bake.TilingOff, bake.TilingOn} {
			w := mustWorld(t, l.scene, func(p *bake.Profile) {
				p.Navmesh.Tiling = tiling
				if l.name == "town" {
					p.Bodies = []bake.Body{{Name: "thin", Radius: 0.25, Height: 1.6, MaxClimb: 0.5, MaxSlopeDeg: 40}}
				}
			})
			label := map[bake.Tiling]string{bake.TilingOff: "one piece", bake.TilingOn: "tiles"}[tiling]
			for i, b := range w.Bodies() {
				var file bytes.Buffer
				if err := w.WriteNavmesh(&file, i); err != nil {
					t.Fatal(err)
				}
				routes, summary := hashRoutes(t, w, b, l.point)
				fmt.Fprintf(&out, "%s, %s, %s\n  file   %x (%d bytes)\n  routes %x (%s)\n", l.name, label, b.Name, sha256.Sum256(file.Bytes()), file.Len(), routes, summary)
			}
		}
	}
	wendtest.Golden(t, "meshes-and-routes.txt", out.Bytes())
}

// hashRoutes plans 50 routes and hashes every bit of them.
func hashRoutes(t *testing.T, w *wend.World, b bake.Body, point func(*rand.Rand) geom.Vec3) (sum []byte, summary string) {
	t.Helper()
	h := sha256.New()
	rng := rand.New(rand.NewPCG(50, 0))
	q := w.NewQuery()
	var r wend.Route
	complete, length := 0, 0.0
	for range 50 {
		from, to := point(rng), point(rng)
		err := q.PlanInto(t.Context(), &r, from, to, wend.Agent{Radius: b.Radius, Height: b.Height}, &wend.PlanOptions{MaxClearance: 3})
		if err != nil {
			t.Fatal(err)
		}
		hashBits(h, float64(r.Status), r.Length, r.Cost, r.SnapStart, r.SnapEnd, float64(r.Stats.Expanded), float64(len(r.Points)))
		for _, p := range r.Points {
			hashBits(h, p.Pos.X, p.Pos.Y, p.Pos.Z, p.Clearance, float64(p.Storey), float64(p.Kind))
		}
		if r.Status == wend.Complete {
			complete++
			length += r.Length
		}
	}
	return h.Sum(nil), fmt.Sprintf("%d complete, %.3f m", complete, length)
}

func hashBits(h hash.Hash, values ...float64) {
	var buf [8]byte
	for _, v := range values {
		binary.LittleEndian.PutUint64(buf[:], math.Float64bits(v))
		h.Write(buf[:])
	}
}
