package bake_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/navmesh"
	"wend/scene"
)

// fine is a profile for small test worlds: cells of 0.25 x 0.125 m, a body of
// radius 0.5, height 2, climb 0.5, and no region too small.
func fine() bake.Profile {
	p := bake.Human()
	p.Agent = bake.Body{Name: "test", Radius: 0.5, Height: 2, MaxClimb: 0.5, MaxSlopeDeg: 45}
	p.Navmesh.Cell, p.Navmesh.CellHeight = 0.25, 0.125
	p.Navmesh.RegionMinSize, p.Navmesh.RegionMergeSize = 1, 20
	return p
}

func mustBake(tb testing.TB, sc *scene.Scene, p bake.Profile) (*navmesh.Mesh, *bake.BodyReport) {
	tb.Helper()
	res, err := bake.Run(tb.Context(), sc, p, nil)
	if err != nil {
		tb.Fatal(err)
	}
	checkPolygons(tb, res.Meshes[0].Mesh)
	return res.Meshes[0].Mesh, &res.Report.Bodies[0]
}

// checkPolygons fails unless every ground polygon is convex, counter-clockwise
// and has an area.
func checkPolygons(tb testing.TB, m *navmesh.Mesh) {
	tb.Helper()
	for id := range navmesh.PolyID(m.Len()) {
		p := m.Poly(id)
		if p.Kind() != navmesh.KindGround {
			continue
		}
		n := p.Len()
		if n < 3 || !(p.PlanArea() > 0) {
			tb.Fatalf("polygon %d has %d corners and area %v", id, n, p.PlanArea())
		}
		for i := range n {
			a, b, c := p.Corner(i), p.Corner((i+1)%n), p.Corner((i+2)%n)
			// Stored coordinates are rounded to float32.
			if geom.Area2(a, b, c) < -1e-4 {
				tb.Fatalf("polygon %d is not convex and counter-clockwise at corner %d", id, (i+1)%n)
			}
		}
	}
}

// heightAt returns the surface nearest to a point and fails when there is
// none straight over or under it.
func heightAt(t *testing.T, q *navmesh.Query, p geom.Vec3) float64 {
	t.Helper()
	near, err := q.Nearest(p, nil)
	if err != nil || !near.Found || !near.Over {
		t.Fatalf("no surface at %v: %+v, %v", p, near, err)
	}
	return near.Pos.Y
}

// A triangle far below or above must not move the floor.
func TestStrayTriangle(t *testing.T) {
	for _, tt := range []struct {
		y   float64
		err bool
	}{{-6000, false}, {60000, true}} {
		t.Run(fmt.Sprint(tt.y), func(t *testing.T) {
			b := wendtest.NewBuilder().Floor(0, 0, 30, 30, 1)
			b.Poly(geom.V3(10, tt.y, 10), geom.V3(10, tt.y, 11), geom.V3(11, tt.y, 10))
			res, err := bake.Run(t.Context(), b.Scene, fine(), nil)
			var size *bake.SizeError
			if tt.err {
				if !errors.As(err, &size) || !strings.Contains(err.Error(), "height range exceeds") {
					t.Fatalf("got %v, want a height range error", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			q := res.Meshes[0].Mesh.NewQuery()
			for _, p := range []geom.Vec3{{X: 15, Y: 1, Z: 15}, {X: 3, Y: 1, Z: 27}} {
				if y := heightAt(t, q, p); math.Abs(y-1) > 0.0625+1e-6 {
					t.Errorf("floor at %v is stored at %v, want 1 within half a voxel", p, y)
				}
			}
		})
	}
}

// Floors and steps on every position of the voxel lattice: heights are within
// half a voxel, limits hold inclusively.
func TestHeightsOnEveryLattice(t *testing.T) {
	for i := range 8 {
		up := float64(i) * 0.0625 / 2
		b := wendtest.NewBuilder().Floor(-20, -20, 20, 20, -1).Floor(0, 0, 10, 10, up)
		m, _ := mustBake(t, b.Scene, fine())
		if y := heightAt(t, m.NewQuery(), geom.V3(5, up, 5)); math.Abs(y-up) > 0.0625+1e-6 {
			t.Errorf("floor at %v is stored at %v", up, y)
		}
	}
}

func TestHeadroomAndStepLimits(t *testing.T) {
	// Two floors 12 m long that meet at x = 12; what lies there decides
	// whether one leads to the other.
	for _, up := range []float64{0, 0.0625} {
		for _, tt := range []struct {
			name string
			make func(*wendtest.Builder)
			open bool
		}{
			{"ceiling 1.875", func(b *wendtest.Builder) {
				b.Floor(0, 0, 24, 8, up).Box(geom.V3(10, up+1.875, -1), geom.V3(14, up+4, 9))
			}, false},
			{"ceiling 2.0", func(b *wendtest.Builder) {
				b.Floor(0, 0, 24, 8, up).Box(geom.V3(10, up+2, -1), geom.V3(14, up+4, 9))
			}, true},
			{"ceiling 2.125", func(b *wendtest.Builder) {
				b.Floor(0, 0, 24, 8, up).Box(geom.V3(10, up+2.125, -1), geom.V3(14, up+4, 9))
			}, true},
			{"step 0.375", func(b *wendtest.Builder) { b.Floor(0, 0, 12, 8, up).Floor(12, 0, 24, 8, up+0.375) }, true},
			{"step 0.5", func(b *wendtest.Builder) { b.Floor(0, 0, 12, 8, up).Floor(12, 0, 24, 8, up+0.5) }, true},
			{"step 0.625", func(b *wendtest.Builder) { b.Floor(0, 0, 12, 8, up).Floor(12, 0, 24, 8, up+0.625) }, false},
			{"ledge of 0.5, then 3", func(b *wendtest.Builder) {
				b.Floor(0, 0, 12, 8, up).Floor(12, 0, 16, 8, up-0.5).Floor(16, 0, 24, 8, up-3.5)
			}, false},
		} {
			t.Run(fmt.Sprintf("%s, %v up", tt.name, up), func(t *testing.T) {
				b := wendtest.NewBuilder()
				tt.make(b)
				m, _ := mustBake(t, b.Scene, fine())
				q := m.NewQuery()
				at := func(x float64) navmesh.PolyID {
					near, err := q.Nearest(geom.V3(x, up, 4), &navmesh.NearestOptions{HalfExtents: geom.V3(1, 5, 1)})
					if err != nil || !near.Found {
						t.Fatalf("nothing at x = %v: %v", x, err)
					}
					return near.Poly
				}
				if got := m.CanReach(at(4), at(20)); got != tt.open {
					t.Errorf("one side reaches the other: %v, want %v", got, tt.open)
				}
			})
		}
	}
}

// Floors about as wide as the body give a mesh or the reason why not.
func TestNarrowFloors(t *testing.T) {
	for _, tt := range []struct {
		side float64
		open bool
	}{{0.9, false}, {1, false}, {1.5, false}, {10, true}} {
		t.Run(fmt.Sprint(tt.side), func(t *testing.T) {
			b := wendtest.NewBuilder().Floor(0, 0, tt.side, tt.side, 0)
			_, err := bake.Run(t.Context(), b.Scene, fine(), nil)
			var empty *bake.EmptyError
			switch {
			case tt.open && err != nil:
				t.Errorf("got %v", err)
			case !tt.open && !errors.As(err, &empty):
				t.Errorf("got %v, want an EmptyError", err)
			case !tt.open && tt.side <= 1 && !strings.Contains(err.Error(), "nothing wide enough for radius 0.5"):
				t.Errorf("error is %q", err)
			}
		})
	}
	t.Run("slab", func(t *testing.T) {
		b := wendtest.NewBuilder().Box(geom.V3(0, 0, 0), geom.V3(10, 0.2, 10))
		m, _ := mustBake(t, b.Scene, fine())
		q := m.NewQuery()
		near, err := q.Nearest(geom.V3(5, 0.5, 5), nil)
		if err != nil || !near.Found {
			t.Errorf("0.3 above the slab: %+v, %v", near, err)
		}
		near, err = q.Nearest(geom.V3(15, 0.2, 5), nil)
		if err != nil || near.Found || !(near.MissDistance > 5 && near.MissDistance < 6.5) {
			t.Errorf("5 aside: %+v, %v", near, err)
		}
	})
}

// A file whose axis points elsewhere bakes to nothing and says why.
func TestSteepLevelNamesTheCure(t *testing.T) {
	b := wendtest.NewBuilder().Poly(geom.V3(0, 0, 0), geom.V3(40, 0, 0), geom.V3(40, 40, 0), geom.V3(0, 40, 0))
	_, err := bake.Run(t.Context(), b.Scene, fine(), nil)
	if err == nil || !strings.Contains(err.Error(), "100 % of the area is steeper than 45 degrees") || !strings.Contains(err.Error(), "--up z") {
		t.Errorf("got %v", err)
	}
}

// Outlines that are hard to simplify must not kill the bake.
func TestDifficultOutlines(t *testing.T) {
	combs := wendtest.NewBuilder()
	combs.Floor(0, 0, 42, 20, 0)
	combs.Scene.Volumes = nil
	for i := range 40 {
		x := 1 + float64(i)
		combs.Scene.Volumes = append(combs.Scene.Volumes, scene.Volume{
			Ring: []geom.Vec2{{X: x, Y: 4}, {X: x + 0.25, Y: 4}, {X: x + 0.25, Y: 7}, {X: x, Y: 7}}, MinY: -1, MaxY: 1, Area: 5,
		})
	}
	combs.Scene.Volumes = append(combs.Scene.Volumes, scene.Volume{
		Ring: []geom.Vec2{{X: 1, Y: 7}, {X: 41, Y: 7}, {X: 41, Y: 12}, {X: 1, Y: 12}}, MinY: -1, MaxY: 1, Area: 5,
	})
	hole := wendtest.NewBuilder()
	hole.Floor(0, 0, 10, 10, 0)
	hole.Scene.Volumes = []scene.Volume{{
		Ring: []geom.Vec2{{X: 1.5, Y: 5}, {X: 7, Y: 3}, {X: 7, Y: 7}}, MinY: -1, MaxY: 1, Unwalkable: true,
	}}
	for name, sc := range map[string]*scene.Scene{"facing combs": combs.Scene, "triangular hole": hole.Scene} {
		for _, partition := range []bake.Partition{bake.Watershed, bake.Monotone} {
			for _, e := range []float64{0, 1.3, 4} {
				t.Run(fmt.Sprintf("%s/%d/%g", name, partition, e), func(t *testing.T) {
					p := fine()
					p.Agent.Radius = 0.25
					p.Navmesh.Partition, p.Navmesh.EdgeMaxError = partition, e
					var cells float64
					res, err := bake.Run(t.Context(), sc, p, &bake.Options{Intermediate: func(_ string, im *bake.Intermediate) {
						for i, id := range im.Regions.Region {
							if id != 0 && im.Compact.Area[i] != 0 {
								cells++
							}
						}
					}})
					if err != nil {
						t.Fatal(err)
					}
					checkPolygons(t, res.Meshes[0].Mesh)
					rep := res.Report.Bodies[0]
					want := cells * 0.0625
					// The simplification may cut corners off by its error; the
					// voxel area is only kept where it is small.
					if e == 0 && math.Abs(rep.Area-want) > 0.01*want {
						t.Errorf("polygons cover %.2f of %.2f square metres; skipped %v", rep.Area, want, rep.Skipped)
					}
					if rep.Area < 0.8*want {
						t.Errorf("polygons cover %.2f of %.2f square metres; skipped %v", rep.Area, want, rep.Skipped)
					}
				})
			}
		}
	}
}

// Heights come from the storey a polygon lies on, under bridges and beside
// stairs.
func TestHeightsKeepToTheirStorey(t *testing.T) {
	b := wendtest.NewBuilder()
	b.Floor(-10, -10, 40, 20, 0)
	b.Ramp(0, 0, 12, 4, 0, 4)
	b.Box(geom.V3(4, 4.25, -6), geom.V3(8, 4.5, 10)) // a deck over the low end of the ramp
	for i := range 16 {
		y := 0.25 * float64(i+1)
		x := 20 + 0.3*float64(i)
		b.Box(geom.V3(x, 0, 0), geom.V3(24.8, y, 4))
	}
	b.Box(geom.V3(19, 0, 4), geom.V3(26, 6, 4.5)) // a wall beside the stairs
	for _, partition := range []bake.Partition{bake.Watershed, bake.Monotone} {
		for _, tiling := range []bake.Tiling{bake.TilingOff, bake.TilingOn} {
			t.Run(fmt.Sprintf("%d/%d", partition, tiling), func(t *testing.T) {
				p := fine()
				p.Navmesh.Partition, p.Navmesh.Tiling = partition, tiling
				m, _ := mustBake(t, b.Scene, p)
				q := m.NewQuery()
				rng := rand.New(rand.NewPCG(5, 6))
				seen := 0
				for range 5000 {
					x, z := -10+50*rng.Float64(), -10+30*rng.Float64()
					places, err := q.AppendSurfaces(nil, x, z, 0, nil)
					if err != nil {
						t.Fatal(err)
					}
					for _, pl := range places {
						seen++
						best := math.Inf(1)
						for _, tri := range b.Scene.Tris {
							v0, v1, v2 := b.Scene.Verts[tri.V[0]], b.Scene.Verts[tri.V[1]], b.Scene.Verts[tri.V[2]]
							n := v1.Sub(v0).Cross(v2.Sub(v0))
							if n.Y < 0.7*n.Len() {
								continue
							}
							// Within a cell of the triangle in plan, as voxels are.
							near := pl.Pos
							near.X = min(max(near.X, min(v0.X, v1.X, v2.X)), max(v0.X, v1.X, v2.X))
							near.Z = min(max(near.Z, min(v0.Z, v1.Z, v2.Z)), max(v0.Z, v1.Z, v2.Z))
							if geom.DistXZ(near, pl.Pos) > 0.25*math.Sqrt2 {
								continue
							}
							y := v0.Y - (n.X*(near.X-v0.X)+n.Z*(near.Z-v0.Z))/n.Y
							best = min(best, math.Abs(y-pl.Pos.Y))
						}
						if best > 0.5 {
							t.Fatalf("at (%.2f, %.2f) the surface is at %.2f, %.2f from any walkable triangle", x, z, pl.Pos.Y, best)
						}
					}
				}
				if seen < 2000 {
					t.Errorf("only %d surfaces seen", seen)
				}
			})
		}
	}
}
