package bake_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/navmesh"
	"wend/scene"
)

// turnAndMove turns a scene about the Y axis and then puts its least corner
// where the voxel lattice of a level at the origin has it moved by off: a speck
// of floor, too small to stand on, holds the corner down.
func turnAndMove(b *wendtest.Builder, degrees, off float64) (place func(x, z float64) geom.Vec3) {
	c, s := math.Cos(degrees*math.Pi/180), math.Sin(degrees*math.Pi/180)
	place = func(x, z float64) geom.Vec3 { return geom.V3(c*x+s*z, 0, c*z-s*x) }
	for i, v := range b.Scene.Verts {
		p := place(v.X, v.Z)
		p.Y = v.Y
		b.Scene.Verts[i] = p
	}
	lo := b.Scene.Bounds().Min
	x, z := lo.X-off, lo.Z-off
	b.Poly(geom.V3(x, 0, z), geom.V3(x, 0, z+0.01), geom.V3(x+0.01, 0, z))
	return place
}

// twins bakes a scene in one piece and in tiles of the given number of cells.
func twins(t *testing.T, sc *scene.Scene, p bake.Profile, cells int) (solo, tiled *navmesh.Mesh) {
	t.Helper()
	p.Navmesh.TileSize = cells
	p.Navmesh.Tiling = bake.TilingOff
	solo, _ = mustBake(t, sc, p)
	p.Navmesh.Tiling = bake.TilingOn
	tiled, rep := mustBake(t, sc, p)
	if rep.Tiles < 2 {
		t.Fatalf("%d tiles: nothing to compare", rep.Tiles)
	}
	return solo, tiled
}

// pairCount is how many pairs of points two meshes are compared at.
func pairCount() int {
	if long() {
		return 1000
	}
	return 200
}

// long reports whether the long suites are wanted.
func long() bool { return os.Getenv("WEND_LONG") != "" }

// comparePairs fails when the meshes disagree about what reaches what among
// pairs of the points, or about the lengths by over 2 %. It returns the
// share of pairs that are reachable.
func comparePairs(t *testing.T, solo, tiled *navmesh.Mesh, point func(*rand.Rand) geom.Vec3) float64 {
	t.Helper()
	pairs := pairCount()
	rng := rand.New(rand.NewPCG(11, 12))
	qs, qt := solo.NewQuery(), tiled.NewQuery()
	locate := func(q *navmesh.Query, p geom.Vec3) navmesh.Location {
		near, err := q.Nearest(p, nil)
		if err != nil || !near.Found {
			t.Fatalf("no surface near %v: %+v, %v", p, near, err)
		}
		return near.Location
	}
	reachable, bad := 0, 0
	var a, b navmesh.Path
	for range pairs {
		from, to := point(rng), point(rng)
		sf, st, tf, tt := locate(qs, from), locate(qs, to), locate(qt, from), locate(qt, to)
		can := solo.CanReach(sf.Poly, st.Poly)
		if can != tiled.CanReach(tf.Poly, tt.Poly) {
			if bad++; bad < 5 {
				t.Errorf("%v to %v: reachable in one piece %v, in tiles %v", from, to, can, !can)
			}
			continue
		}
		if !can {
			continue
		}
		reachable++
		if err := qs.Path(t.Context(), sf, st, nil, nil, &a); err != nil {
			t.Fatal(err)
		}
		if err := qt.Path(t.Context(), tf, tt, nil, nil, &b); err != nil {
			t.Fatal(err)
		}
		if a.Outcome != navmesh.Complete || b.Outcome != navmesh.Complete {
			t.Fatalf("%v to %v: outcomes %v and %v", from, to, a.Outcome, b.Outcome)
		}
		// Points of the two outlines may lie a fraction of a cell apart.
		if d := math.Abs(a.Length - b.Length); d > 0.02*a.Length && d > 0.1 {
			if bad++; bad < 5 {
				t.Errorf("%v to %v: %.3f m in one piece, %.3f in tiles", from, to, a.Length, b.Length)
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d pairs differ", bad, pairs)
	}
	return float64(reachable) / float64(pairs)
}

// corridor is 1.5 m wide and 50 m long between walls, with a room of 6 x 6 m at
// each end.
func corridor() *wendtest.Builder {
	b := wendtest.NewBuilder()
	b.Floor(-6, -3, 56, 3, 0)
	for _, side := range []float64{-1, 1} {
		z0, z1 := min(0.75*side, 3*side), max(0.75*side, 3*side)
		b.Box(geom.V3(0, 0, z0), geom.V3(50, 3, z1))
	}
	return b
}

// A corridor a few cells wide is cut by tile borders at every angle and
// offset: it stays open, or closed, as it is in one piece, and no wall runs along
// a seam.
func TestCorridorAcrossSeams(t *testing.T) {
	for _, cells := range []int{8, 32} {
		for _, degrees := range []float64{0, 7, 45} {
			for _, off := range []float64{0, 0.1, 0.24, 7.9} {
				for _, radius := range []float64{0.25, 0.8} {
					t.Run(fmt.Sprintf("tiles of %d/%g degrees/origin %g/radius %g", cells, degrees, off, radius), func(t *testing.T) {
						t.Parallel()
						b := corridor()
						place := turnAndMove(b, degrees, off)
						p := fine()
						p.Agent.Radius = radius
						solo, tiled := twins(t, b.Scene, p, cells)
						open := radius < 0.75
						reachable := comparePairs(t, solo, tiled, func(rng *rand.Rand) geom.Vec3 {
							x := -4.5 + 59*rng.Float64()
							if !open {
								// Either room.
								x = -4 + 2*rng.Float64() + 56*float64(rng.IntN(2))
							}
							return place(x, 0.2*rng.Float64()-0.1)
						})
						if open != (reachable == 1) || reachable < 0.4 {
							t.Errorf("%.1f %% of the pairs are reachable", 100*reachable)
						}
						if open {
							checkNoWallAlongSeams(t, tiled, place)
						}
					})
				}
			}
		}
	}
}

// checkNoWallAlongSeams walks along the middle of the corridor of a mesh in
// tiles: nowhere does a wall come nearer than the corridor's own, and a ray from
// end to end is free.
func checkNoWallAlongSeams(t *testing.T, tiled *navmesh.Mesh, place func(x, z float64) geom.Vec3) {
	t.Helper()
	q := tiled.NewQuery()
	at := func(x float64) navmesh.Location {
		near, err := q.Nearest(place(x, 0), nil)
		if err != nil || !near.Found || !near.Over {
			t.Fatalf("the middle of the corridor at %.2f is not on the mesh: %+v, %v", x, near, err)
		}
		return near.Location
	}
	// Half the width, less the radius and the cells that a turned wall takes:
	// one it cuts through, half of one by the erosion.
	const least = 0.75 - 0.25 - 1.5*0.25
	for i := range 1101 {
		x := -2.5 + 0.05*float64(i)
		d, err := q.DistanceToWall(at(x), 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d < least {
			t.Fatalf("at %.2f a wall is %.3f m away, want at least %.3f", x, d, least)
		}
	}
	for _, ends := range [][2]float64{{-3, 53}, {53, -3}} {
		hit, err := q.Raycast(at(ends[0]), place(ends[1], 0), nil)
		if err != nil || hit.Hit {
			t.Errorf("ray from %g to %g: %+v, %v", ends[0], ends[1], hit, err)
		}
	}
}

// A pillar exactly on the corner of four tiles is walked round as it is in one
// piece, and keeps its distance on all sides.
func TestPillarOnFourTiles(t *testing.T) {
	for _, cells := range []int{8, 32} {
		t.Run(fmt.Sprintf("tiles of %d", cells), func(t *testing.T) {
			t.Parallel()
			b := wendtest.NewBuilder().Floor(0, 0, 40, 40, 0)
			b.Box(geom.V3(15.5, 0, 15.5), geom.V3(16.5, 3, 16.5))
			solo, tiled := twins(t, b.Scene, fine(), cells)
			n := comparePairs(t, solo, tiled, func(rng *rand.Rand) geom.Vec3 {
				for {
					x, z := 2+36*rng.Float64(), 2+36*rng.Float64()
					if max(math.Abs(x-16), math.Abs(z-16)) > 1.2 {
						return geom.V3(x, 0, z)
					}
				}
			})
			if n != 1 {
				t.Errorf("%.1f %% of the pairs are reachable", 100*n)
			}
			q := tiled.NewQuery()
			for i := range 360 {
				a := float64(i) * math.Pi / 180
				p := geom.V3(16+3*math.Cos(a), 0, 16+3*math.Sin(a))
				near, err := q.Nearest(p, nil)
				if err != nil || !near.Over {
					t.Fatalf("no surface at %v: %v", p, err)
				}
				d, err := q.DistanceToWall(near.Location, 10, nil)
				if err != nil {
					t.Fatal(err)
				}
				aside := geom.V3(max(math.Abs(p.X-16)-0.5, 0), 0, max(math.Abs(p.Z-16)-0.5, 0))
				want := aside.Len() - 0.5
				// The outline of the pillar's mesh hole cuts corners by the
				// erosion's half cell and the simplification's 1.3.
				if d < want-1.3*0.25-0.125 || d > want+1.3*0.25+0.125 {
					t.Errorf("at %d degrees a wall is %.3f m away, want about %.3f", i, d, want)
				}
			}
		})
	}
}

// On open ground there is no wall at all but the outer edge, whichever way the
// borders of the tiles fall.
func TestNoWallOnOpenGround(t *testing.T) {
	for _, off := range []float64{0, 0.1, 0.24} {
		b := wendtest.NewBuilder().Floor(0, 0, 30, 30, 0)
		turnAndMove(b, 0, off)
		_, tiled := twins(t, b.Scene, fine(), 16)
		q := tiled.NewQuery()
		for i := range 41 {
			for k := range 41 {
				p := geom.V3(5+0.5*float64(i), 0, 5+0.5*float64(k))
				near, err := q.Nearest(p, nil)
				if err != nil || !near.Over {
					t.Fatalf("no surface at %v: %v", p, err)
				}
				if d, err := q.DistanceToWall(near.Location, 3.5, nil); err != nil || d != 3.5 {
					t.Fatalf("origin %g: a wall %.3f m from %v, %v", off, d, p, err)
				}
			}
			from, err := q.Nearest(geom.V3(2, 0, 2+0.65*float64(i)), nil)
			if err != nil {
				t.Fatal(err)
			}
			if hit, err := q.Raycast(from.Location, geom.V3(28, 0, 28-0.65*float64(i)), nil); err != nil || hit.Hit {
				t.Errorf("origin %g: a ray across hits %+v, %v", off, hit, err)
			}
		}
	}
}
