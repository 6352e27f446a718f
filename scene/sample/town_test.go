package sample_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"testing"

	"wend/geom"
	"wend/scene"
	"wend/scene/obj"
	"wend/scene/sample"
)

// surfaces returns the heights of the faces that look up (or down) at a place,
// by testing every triangle.
func surfaces(s *scene.Scene, x, z float64, up bool) []float64 {
	var out []float64
	p := geom.V3(x, 0, z)
	for _, t := range s.Tris {
		a, b, c := s.Verts[t.V[0]], s.Verts[t.V[1]], s.Verts[t.V[2]]
		area := geom.Area2(a, b, c)
		if area == 0 || (area > 0) != up {
			continue
		}
		u, v, w := geom.Area2(b, c, p)/area, geom.Area2(c, a, p)/area, geom.Area2(a, b, p)/area
		if u >= 0 && v >= 0 && w >= 0 {
			out = append(out, u*a.Y+v*b.Y+w*c.Y)
		}
	}
	return out
}

func TestTownPlacesAreFloorWithHeadroom(t *testing.T) {
	s := sample.Town()
	for _, p := range sample.Places() {
		// Off the lattice of the ground, where triangles meet.
		x, z := p.Pos.X+0.013, p.Pos.Z+0.007
		floor := math.Inf(-1)
		for _, y := range surfaces(s, x, z, true) {
			if math.Abs(y-p.Pos.Y) < math.Abs(floor-p.Pos.Y) {
				floor = y
			}
		}
		if math.Abs(floor-p.Pos.Y) > 0.05 {
			t.Errorf("%s: nearest floor to %v is at %.3f", p.Name, p.Pos, floor)
			continue
		}
		for _, up := range []bool{true, false} {
			for _, y := range surfaces(s, x, z, up) {
				if y > floor+0.05 && y < floor+2 {
					t.Errorf("%s: a face at %.2f, less than 2 m over the floor at %.2f", p.Name, y, floor)
				}
			}
		}
	}
}

func TestTownHasWhatItPromises(t *testing.T) {
	s := sample.Town()
	b := s.Bounds()
	if b.Min.X != -60 || b.Max.X != 60 || b.Min.Z != -45 || b.Max.Z != 45 {
		t.Errorf("bounds %v", b)
	}
	if n := len(s.Tris); n < 3000 || n > 8000 {
		t.Errorf("%d triangles", n)
	}
	materials := map[string]scene.AreaID{}
	for _, a := range sample.Areas() {
		if a.Material != "" {
			materials[a.Material] = a.ID
		}
	}
	for i, tri := range s.Tris {
		p := s.Parts[tri.Part]
		if want := materials[p.Material]; tri.Area != want {
			t.Fatalf("triangle %d of %q/%q has area %d, want %d", i, p.Name, p.Material, tri.Area, want)
		}
	}
	// The tunnel: a road below, a hill above, a ceiling between.
	up, down := surfaces(s, -42.3, 0.2, true), surfaces(s, -42.3, 0.2, false)
	if len(up) != 2 || len(down) != 1 || down[0] != 3 {
		t.Errorf("at the tunnel: faces up at %v, down at %v", up, down)
	}
	// The bridge: road, deck, and the deck's underside.
	up, down = surfaces(s, 14.1, 0.2, true), surfaces(s, 14.1, 0.2, false)
	if len(up) != 2 || len(down) != 1 || down[0] != 3.5 {
		t.Errorf("at the bridge: faces up at %v, down at %v", up, down)
	}
	if len(s.Links) != 2 || len(s.Volumes) != 1 || len(s.NoGo) != 1 {
		t.Errorf("%d links, %d volumes, %d no-go polygons", len(s.Links), len(s.Volumes), len(s.NoGo))
	}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
}

// The ground has no hole and no overlap away from solids: one face that looks
// up at each of many places.
func TestTownGroundIsWhole(t *testing.T) {
	s := sample.Town()
	for x := -59.35; x < 60; x += 1.7 {
		for z := -44.15; z < 45; z += 1.3 {
			if len(surfaces(s, x, z, true)) == 0 {
				t.Errorf("no ground at %.2f, %.2f", x, z)
			}
		}
	}
}

func objOf(t *testing.T, s *scene.Scene) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := sample.WriteOBJ(&buf, s); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestTownIsTheSameEverywhere(t *testing.T) {
	const want = "5971933ee931894d"
	if got := fmt.Sprintf("%x", sha256.Sum256(objOf(t, sample.Town())))[:16]; got != want {
		t.Errorf("hash of the town is %s, want %s: it changed, or this platform computes it differently", got, want)
	}
}

func TestWriteOBJReadsBack(t *testing.T) {
	want := sample.Town()
	got, _, err := obj.Read(bytes.NewReader(objOf(t, want)), "town.obj", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Tris) != len(want.Tris) {
		t.Fatalf("%d triangles, want %d", len(got.Tris), len(want.Tris))
	}
	for i := range want.Tris {
		for k := range 3 {
			g, w := got.Verts[got.Tris[i].V[k]], want.Verts[want.Tris[i].V[k]]
			if g != w {
				t.Fatalf("triangle %d corner %d at %v, want %v", i, k, g, w)
			}
		}
		g, w := got.Parts[got.Tris[i].Part], want.Parts[want.Tris[i].Part]
		if g.Name != w.Name || g.Material != w.Material {
			t.Fatalf("triangle %d is of %q/%q, want %q/%q", i, g.Name, g.Material, w.Name, w.Material)
		}
	}
}

type fullDisk struct{}

var errFull = errors.New("disk full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteOBJErrors(t *testing.T) {
	if err := sample.WriteOBJ(fullDisk{}, sample.Town()); !errors.Is(err, errFull) {
		t.Errorf("error %v, want the writer's", err)
	}
	bad := &scene.Scene{Verts: make([]geom.Vec3, 3), Parts: make([]scene.Part, 1), Tris: []scene.Tri{{V: [3]uint32{0, 1, 3}}}}
	if err := sample.WriteOBJ(&bytes.Buffer{}, bad); err == nil {
		t.Error("no error for a vertex that does not exist")
	}
}

func TestTripsUseKnownPlaces(t *testing.T) {
	known := map[geom.Vec3]bool{}
	for _, p := range sample.Places() {
		known[p.Pos] = true
	}
	for _, trip := range sample.Trips() {
		if !known[trip.From] || !known[trip.To] || trip.From == trip.To {
			t.Errorf("%s: from %v to %v", trip.Name, trip.From, trip.To)
		}
	}
}

func TestMazeIsATree(t *testing.T) {
	const n = 9
	s := sample.Maze(n)
	// A wall stands between two rooms when the middle of their border is
	// covered by a face at its top.
	open := func(a, b geom.Vec3) bool {
		m := geom.Lerp(a, b, 0.5)
		for _, y := range surfaces(s, m.X+0.01, m.Z+0.02, true) {
			if y > 0 {
				return false
			}
		}
		return true
	}
	edges, seen := 0, map[[2]int]bool{{0, 0}: true}
	queue := [][2]int{{0, 0}}
	for len(queue) > 0 {
		r := queue[0]
		queue = queue[1:]
		for _, d := range [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
			q := [2]int{r[0] + d[0], r[1] + d[1]}
			if q[0] < 0 || q[1] < 0 || q[0] >= n || q[1] >= n || !open(sample.MazeRoom(r[0], r[1]), sample.MazeRoom(q[0], q[1])) {
				continue
			}
			edges++
			if !seen[q] {
				seen[q] = true
				queue = append(queue, q)
			}
		}
	}
	if len(seen) != n*n || edges != 2*(n*n-1) {
		t.Errorf("%d of %d rooms reached over %d doors, want %d", len(seen), n*n, edges/2, n*n-1)
	}
}

func TestTerrain(t *testing.T) {
	s := sample.Terrain(40)
	if len(s.Tris) != 2*40*40 {
		t.Errorf("%d triangles", len(s.Tris))
	}
	b := s.Bounds()
	if h := b.Size().Y; h < 2 || h > 8 {
		t.Errorf("height difference %v", h)
	}
	for i, tri := range s.Tris {
		if geom.Area2(s.Verts[tri.V[0]], s.Verts[tri.V[1]], s.Verts[tri.V[2]]) <= 0 {
			t.Fatalf("triangle %d does not look up", i)
		}
	}
}
