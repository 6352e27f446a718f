package wend_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"
	"testing/fstest"

	"wend"
	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/navmesh"
	"wend/route"
	"wend/scene"
)

// saved writes the world's meshes and opens them again.
func saved(t *testing.T, w *wend.World) *wend.World {
	t.Helper()
	fsys := fstest.MapFS{}
	var names []string
	for i, b := range w.Bodies() {
		var buf bytes.Buffer
		if err := w.WriteNavmesh(&buf, i); err != nil {
			t.Fatal(err)
		}
		name := b.Name + ".bin"
		fsys[name] = &fstest.MapFile{Data: buf.Bytes()}
		names = append(names, name)
	}
	opened, err := wend.OpenNavmeshes(fsys, names...)
	if err != nil {
		t.Fatal(err)
	}
	if opened.Fingerprint() != w.Fingerprint() {
		t.Errorf("saved and opened again the world is %s, it was %s", opened.Fingerprint(), w.Fingerprint())
	}
	return opened
}

// bothWorlds runs a test on a world as baked, in one piece and in tiles, and on
// each saved and opened again, which has to give the same routes.
func bothWorlds(t *testing.T, sc *scene.Scene, test func(*testing.T, func(from, to geom.Vec3) *wend.Route)) {
	t.Helper()
	for tiling, label := range map[bake.Tiling]string{bake.TilingOff: "one piece", bake.TilingOn: "tiles"} {
		t.Run(label, func(t *testing.T) {
			p := bake.Human()
			p.Navmesh.Tiling = tiling
			w, rep, err := wend.Bake(t.Context(), sc, p, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, u := range rep.Bodies[0].Unattached {
				t.Errorf("link %q hangs at its end %q: %s", u.Link, u.End, u.Cause)
			}
			q, again := w.NewQuery(), saved(t, w).NewQuery()
			test(t, func(from, to geom.Vec3) *wend.Route {
				t.Helper()
				r, r2 := plan(t, q, from, to, nil), plan(t, again, from, to, nil)
				if answer(r) != answer(r2) {
					t.Errorf("%v to %v: saved and opened again the route is\n%v, it was\n%v", from, to, answer(r2), answer(r))
				}
				return r
			})
		})
	}
}

// linksOf counts the links on a route.
func linksOf(r *wend.Route) int {
	n := 0
	for _, p := range r.Points {
		if p.Kind == route.Link {
			n++
		}
	}
	return n
}

// A link leads to any distance, not just to the next tile.
func TestFarLink(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 20, 20, 0).Floor(900, 300, 920, 320, 0)
	from, to := geom.V3(10, 0, 10), geom.V3(910, 0, 310)
	b.Scene.Links = []scene.Link{{Name: "portal", From: from, To: to, Radius: 0.5, Cost: 5}}
	length := geom.Dist(from, to)
	bothWorlds(t, b.Scene, func(t *testing.T, plan func(from, to geom.Vec3) *wend.Route) {
		for _, ends := range [][2]geom.Vec3{{geom.V3(5, 0, 10), geom.V3(910, 0, 315)}, {geom.V3(910, 0, 315), geom.V3(5, 0, 10)}} {
			r := plan(ends[0], ends[1])
			if r.Status != wend.Complete || linksOf(r) != 1 || math.Abs(r.Length-length-10) > 0.1 || math.Abs(r.Cost-15) > 0.1 {
				t.Errorf("%v, %d links, %.2f m, cost %.2f", r.Status, linksOf(r), r.Length, r.Cost)
			}
		}
	})
}

// A link one way is used that way only; both ways it leads back as well.
func TestOneWayAndBothWays(t *testing.T) {
	for _, oneWay := range []bool{true, false} {
		t.Run(fmt.Sprintf("one way %v", oneWay), func(t *testing.T) {
			b := wendtest.NewBuilder().Floor(0, 0, 20, 20, 0).Floor(24, 0, 44, 20, 0)
			b.Scene.Links = []scene.Link{{Name: "jump", From: geom.V3(18, 0, 10), To: geom.V3(26, 0, 10), Radius: 0.5, OneWay: oneWay}}
			bothWorlds(t, b.Scene, func(t *testing.T, plan func(from, to geom.Vec3) *wend.Route) {
				west, east := geom.V3(5, 0, 10), geom.V3(39, 0, 10)
				if r := plan(west, east); r.Status != wend.Complete || linksOf(r) != 1 || math.Abs(r.Length-34) > 0.1 {
					t.Errorf("there: %v, %d links, %.2f m", r.Status, linksOf(r), r.Length)
				}
				back, want := plan(east, west), wend.Complete
				if oneWay {
					want = wend.Partial
				}
				if back.Status != want {
					t.Errorf("back: %v, want %v", back.Status, want)
				}
			})
		})
	}
}

// A ledge with a drop one way and a ramp round: down it is the drop, up the
// ramp.
func TestLedgeWithRamp(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 80, 20, 0)
	b.Box(geom.V3(0, 0, 10), geom.V3(40, 2.5, 20)) // ledge along z = 10
	b.Ramp(40, 14, 60, 20, 2.5, 0)                 // down from its far end
	b.Scene.Links = []scene.Link{{Name: "drop", From: geom.V3(5, 2.5, 11), To: geom.V3(5, 0, 9), Radius: 0.6, OneWay: true}}
	bothWorlds(t, b.Scene, func(t *testing.T, plan func(from, to geom.Vec3) *wend.Route) {
		up, down := geom.V3(5, 2.5, 12), geom.V3(5, 0, 8)
		r := plan(up, down)
		if r.Status != wend.Complete || linksOf(r) != 1 || math.Abs(r.Length-2-math.Hypot(2.5, 2)) > 0.5 {
			t.Errorf("down: %v, %d links, %.2f m", r.Status, linksOf(r), r.Length)
		}
		if r = plan(down, up); r.Status != wend.Complete || linksOf(r) != 0 || r.Length < 90 || r.Length > 125 {
			t.Errorf("up: %v, %d links, %.2f m", r.Status, linksOf(r), r.Length)
		}
	})
}

// A lift of five storeys in one column: its links lie over one another seen
// from above, and each storey is reached from each.
func TestLift(t *testing.T) {
	b := wendtest.NewBuilder()
	for i := range 5 {
		y := float64(3 * i)
		b.Box(geom.V3(0, y-0.25, 0), geom.V3(20, y, 20))
	}
	for i := range 4 {
		y := float64(3 * i)
		b.Scene.Links = append(b.Scene.Links, scene.Link{Name: fmt.Sprintf("lift %d", i), From: geom.V3(10, y, 10), To: geom.V3(10, y+3, 10), Radius: 0.5})
	}
	bothWorlds(t, b.Scene, func(t *testing.T, plan func(from, to geom.Vec3) *wend.Route) {
		for i := range 5 {
			for k := range 5 {
				r := plan(geom.V3(4, float64(3*i), 10), geom.V3(16, float64(3*k), 10))
				rides := max(i-k, k-i)
				if r.Status != wend.Complete || linksOf(r) != rides || math.Abs(r.Length-12-3*float64(rides)) > 0.05 {
					t.Errorf("storey %d to %d: %v, %d rides, %.2f m", i, k, r.Status, linksOf(r), r.Length)
				}
				if n := len(r.Points); n > 0 && i != k && r.Points[0].Storey == r.Points[n-1].Storey {
					t.Errorf("storey %d to %d: both ends are on storey %d", i, k, r.Points[0].Storey)
				}
			}
		}
	})
}

// Many links from one polygon all stay.
func TestManyLinksFromOnePlace(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 10, 10, 0)
	var isles []geom.Vec3
	for i := range 8 {
		z := float64(12 * i)
		b.Floor(30, z, 40, z+10, 0)
		isles = append(isles, geom.V3(35, 0, z+5))
		b.Scene.Links = append(b.Scene.Links, scene.Link{Name: fmt.Sprint(i), From: geom.V3(5, 0, 5), To: isles[i], Radius: 0.5})
	}
	bothWorlds(t, b.Scene, func(t *testing.T, plan func(from, to geom.Vec3) *wend.Route) {
		hub := geom.V3(5, 0, 5)
		for i, isle := range isles {
			r := plan(hub, isle)
			if r.Status != wend.Complete || linksOf(r) != 1 || math.Abs(r.Length-geom.Dist(hub, isle)) > 0.01 {
				t.Errorf("to isle %d: %v, %d links, %.2f m", i, r.Status, linksOf(r), r.Length)
			}
			next := isles[(i+3)%len(isles)]
			if r = plan(isle, next); r.Status != wend.Complete || linksOf(r) != 2 || math.Abs(r.Length-geom.Dist(hub, isle)-geom.Dist(hub, next)) > 0.01 {
				t.Errorf("isle %d to the third next: %v, %d links, %.2f m", i, r.Status, linksOf(r), r.Length)
			}
		}
	})
}

// The cost of a link decides whether it is worth taking; 0 stands for its
// length, and the price of its area multiplies it.
func TestLinkCost(t *testing.T) {
	for _, tt := range []struct {
		cost  float64
		taken bool
	}{{0, true}, {1, true}, {20, true}, {100, false}, {1e9, false}} {
		t.Run(fmt.Sprint(tt.cost), func(t *testing.T) {
			// Round the wall it is about 63 m, over it 10.
			b := wendtest.NewBuilder().Floor(0, 0, 40, 40, 0)
			b.Box(geom.V3(19, 0, 0), geom.V3(21, 3, 34))
			b.Scene.Links = []scene.Link{{Name: "ladder", From: geom.V3(16, 0, 5), To: geom.V3(24, 0, 5), Radius: 0.5, Cost: tt.cost, Area: 5}}
			from, to := geom.V3(15, 0, 5), geom.V3(25, 0, 5)
			bothWorlds(t, b.Scene, func(t *testing.T, plan func(from, to geom.Vec3) *wend.Route) {
				r := plan(from, to)
				if r.Status != wend.Complete || (linksOf(r) == 1) != tt.taken {
					t.Fatalf("%v, %d links, %.2f m", r.Status, linksOf(r), r.Length)
				}
				if !tt.taken {
					if math.Abs(r.Cost-r.Length) > 1e-9 || r.Length < 55 {
						t.Errorf("round the wall it is %.2f m at a cost of %.2f", r.Length, r.Cost)
					}
					return
				}
				want := tt.cost + 2
				if tt.cost == 0 {
					want = 10
				}
				if math.Abs(r.Length-10) > 0.05 || math.Abs(r.Cost-want) > 0.05 {
					t.Errorf("%.2f m at a cost of %.2f, want %.2f", r.Length, r.Cost, want)
				}
			})
			f := &navmesh.Filter{}
			f.AreaCost[5] = 1000
			r := plan(t, mustWorld(t, b.Scene, nil).NewQuery(), from, to, &wend.PlanOptions{Filter: f})
			if r.Status != wend.Complete || linksOf(r) != 0 {
				t.Errorf("at a thousand times the price: %v, %d links", r.Status, linksOf(r))
			}
		})
	}
}

// What a link cannot do is said: its ends hang, and no route takes it.
func TestHangingLinksCarryNobody(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 20, 20, 0).Floor(30, 0, 50, 20, 0)
	b.Scene.Links = []scene.Link{{Name: "short plank", From: geom.V3(19, 0, 10), To: geom.V3(25, 0, 10), Radius: 0.5}}
	w, rep, err := wend.Bake(t.Context(), b.Scene, bake.Human(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if u := rep.Bodies[0].Unattached; len(u) != 1 || u[0].Link != "short plank" || u[0].End != "to" || math.Abs(u[0].Distance-5.9) > 0.5 {
		t.Errorf("unattached: %+v", u)
	}
	for _, w := range []*wend.World{w, saved(t, w)} {
		if r := plan(t, w.NewQuery(), geom.V3(5, 0, 10), geom.V3(45, 0, 10), nil); r.Status != wend.Partial || linksOf(r) != 0 {
			t.Errorf("%v with %d links", r.Status, linksOf(r))
		}
	}
}

// Worlds of several bodies come back as they were.
func TestSavedBodies(t *testing.T) {
	w := mustWorld(t, hall(), func(p *bake.Profile) {
		p.Bodies = []bake.Body{{Name: "cat", Radius: 0.2, Height: 0.4, MaxClimb: 0.3, MaxSlopeDeg: 45}, {Name: "troll", Radius: 1.35, Height: 3.1, MaxClimb: 1.1, MaxSlopeDeg: 45}}
	})
	again := saved(t, w)
	a, b := w.Bodies(), again.Bodies()
	for i := range a {
		a[i].MaxSlopeDeg = 0 // the file does not say
		if a[i] != b[i] {
			t.Errorf("body %d is %+v, saved and opened again %+v", i, a[i], b[i])
		}
		if w.Mesh(i).Fingerprint() != again.Mesh(i).Fingerprint() {
			t.Errorf("the mesh of body %d has changed", i)
		}
	}
	for _, agent := range []wend.Agent{{}, {Radius: 0.6}, {Radius: 1.35, Height: 3.1}} {
		r, err := w.NewQuery().Plan(t.Context(), geom.V3(5, 0, 5), geom.V3(35, 0, 5), agent, nil)
		r2, err2 := again.NewQuery().Plan(t.Context(), geom.V3(5, 0, 5), geom.V3(35, 0, 5), agent, nil)
		if err != nil || err2 != nil || r.Status != wend.Complete || answer(r) != answer(r2) {
			t.Errorf("%+v: %v, %v\n%v\n%v", agent, err, err2, answer(r), answer(r2))
		}
	}
}
