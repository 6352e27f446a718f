package spanroute

import (
	"fmt"
	"math"
	"testing"

	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/navmesh"
	"wend/route"
	"wend/spanbake"
	"wend/spanpath"
)

// passageTurns and passageShift place passages among the cells: axis-aligned,
// diagonal and between, and moved by parts of a cell.
var passageTurns = []float64{22.5, 45, 63, 0, 11, 33, 78}

func passageShift(k int) (x, z float64) {
	return math.Mod(float64(k)*0.0613, 0.3), math.Mod(float64(k)*0.1171, 0.3)
}

// doorway is a hall of 12 x 8 m with a wall across that has a door: a wall 3 m
// high, or where there is no floor.
type doorway struct {
	width, thick, turn float64
	shift              int
	void               bool
}

func (d *doorway) plan() *turned {
	x, z := passageShift(d.shift)
	w := turn(d.turn, x, z)
	if d.void {
		w.floor(-6, -4, -d.thick/2, 4)
		w.floor(-d.thick/2, -d.width/2, d.thick/2, d.width/2)
		w.floor(d.thick/2, -4, 6, 4)
		return w
	}
	w.floor(-6, -4, 6, 4)
	w.block(-d.thick/2, -5, d.thick/2, -d.width/2)
	w.block(-d.thick/2, d.width/2, d.thick/2, 5)
	return w
}

// level adds a floor at a height.
func (t *turned) level(y, x0, z0, x1, z1 float64) {
	t.b.Poly(t.at(x0, y, z0), t.at(x0, y, z1), t.at(x1, y, z1), t.at(x1, y, z0))
}

// block adds a box 3 m high.
func (t *turned) block(x0, z0, x1, z1 float64) {
	var lo, hi [4]geom.Vec3
	for i, p := range [4][2]float64{{x0, z0}, {x0, z1}, {x1, z1}, {x1, z0}} {
		lo[i], hi[i] = t.at(p[0], 0, p[1]), t.at(p[0], 3, p[1])
	}
	t.b.Poly(hi[:]...)
	for i := range lo {
		k := (i + 1) % 4
		t.b.Poly(lo[i], lo[k], hi[k], hi[i])
	}
}

// TestDoorsOfANavmesh: over a pack of a navmesh, which keeps the radius of the body
// off all walls, a door is open exactly if the navmesh goes through it, however
// wide, thick, turned and placed it is; and the way through is one.
func TestDoorsOfANavmesh(t *testing.T) {
	profile := bake.Human()
	rules, err := spanbake.RulesFor(&profile)
	if err != nil {
		t.Fatal(err)
	}
	open := map[float64][3]int{} // doors, open in the mesh, open
	least := math.Inf(1)
	for _, width := range some([]float64{1.95, 2.25, 2.4, 1.5, 1.65, 1.8, 2.1, 2.7}, 3) {
		for _, deg := range some(passageTurns, 3) {
			for k := range some(make([]int, 8), 3) {
				for _, thick := range some([]float64{2, 0.2, 0.5, 3}, 2) {
					d := doorway{width, thick, deg, k, thick > 1 && k%2 == 0}
					w := d.plan()
					from, to := w.at(-4, 0, 1), w.at(4, 0, -1.5)
					res, err := bake.Run(t.Context(), w.b.Scene, profile, nil)
					if err != nil {
						t.Fatal(err)
					}
					m := res.Meshes[0].Mesh
					input, _, err := spanbake.FromNavmesh(t.Context(), m, w.b.Scene, &spanbake.Level{
						Zone: "level", Cell: profile.Navmesh.Cell, Rules: rules, Body: profile.Agent, WeldHeight: profile.Agent.MaxClimb,
					})
					if err != nil {
						t.Fatal(err)
					}
					packs, err := spanbake.Run(t.Context(), input, &spanbake.Options{Tile: 64, Level: 1})
					if err != nil {
						t.Fatal(err)
					}
					out := openScenario(t, packs, nil).plan(ends(End{At: from}, End{At: to}))
					mesh, span := joins(t, m, from, to), out.Status == route.Complete
					if mesh != span {
						t.Errorf("%+v: the mesh joins the rooms is %v, the planner says %v", d, mesh, out.Status)
					}
					n := open[width]
					n[0]++
					if mesh {
						n[1]++
					}
					if span {
						n[2]++
						least = min(least, passes(t, &d, w, out))
					}
					open[width] = n
				}
			}
		}
	}
	for _, width := range some([]float64{1.95, 2.25, 2.4}, 3) {
		if n := open[width]; n[1] == 0 {
			t.Errorf("no mesh goes through a door of %v m", width)
		}
	}
	t.Logf("doors, open in the mesh, open: %v; nearest to a post %.3f m", open, least)
}

// joins reports whether a navmesh leads from one place to another.
func joins(t *testing.T, m *navmesh.Mesh, from, to geom.Vec3) bool {
	t.Helper()
	q := m.NewQuery()
	var in [2]navmesh.PolyID
	for k, p := range []geom.Vec3{from, to} {
		near, err := q.Nearest(p, nil)
		if err != nil || !near.Over {
			t.Fatalf("nothing at %v: %v", p, err)
		}
		in[k] = near.Poly
	}
	return m.CanReach(in[0], in[1])
}

// passes checks a way through a door and returns how near it comes to a post.
func passes(t *testing.T, d *doorway, w *turned, out *route.Route) float64 {
	t.Helper()
	if len(out.Warnings) > 0 {
		t.Errorf("%+v: %v", *d, out.Warnings)
	}
	var points []geom.Vec3
	for i := range out.Points {
		points = append(points, out.Points[i].Pos)
	}
	walker := wendtest.NewWalker(w.b.Scene)
	if err := walker.Check(points); err != nil {
		t.Errorf("%+v: %v", *d, err)
	}
	nearest := math.Inf(1)
	along(out, func(_ int, at geom.Vec3) {
		for _, x := range []float64{-d.thick / 2, d.thick / 2} {
			for _, z := range []float64{-d.width / 2, d.width / 2} {
				nearest = min(nearest, flat(at, w.at(x, 0, z)))
			}
		}
	})
	if nearest < 0.6-0.15 {
		t.Errorf("%+v: %.3f m from a post", *d, nearest)
	}
	return nearest
}

// TestPassages goes through passages of floor as it is, for a body without
// radius: straight ones of half a cell and more, bends by right angles of two
// thirds and more; on two storeys over each other, and over a bridge whose road
// below stays open. Through those of up to two cells the channel leads.
func TestPassages(t *testing.T) {
	const cell = 0.3
	for _, width := range some([]float64{cell / 2, cell, 0.6, 0.2, 0.25, 0.4, 0.5, 0.8}, 3) {
		for _, kind := range []string{"wall", "corridor", "bend", "storeys", "bridge"} {
			if kind == "bend" && width < cell*2/3 {
				continue
			}
			for _, deg := range some(passageTurns, 2) {
				for k := range some(make([]int, 4), 1) {
					passage(t, kind, width, deg, k+1)
				}
			}
		}
	}
}

func passage(t *testing.T, kind string, width, deg float64, shift int) {
	t.Helper()
	x, z := passageShift(shift)
	w, h := turn(deg, x, z), width/2
	from, to := w.at(-4, 0, 2), w.at(4, 0, -2)
	w.floor(-6, -4, -2, 4)
	switch kind {
	case "wall":
		w.floor(-2, -4, -0.05, 4)
		w.floor(-0.05, -h, 0.05, h)
		w.floor(0.05, -4, 6, 4)
	case "corridor":
		w.floor(-2, -h, 2, h)
		w.floor(2, -4, 6, 4)
	case "bend":
		w.floor(-2, -h, -h, h)
		w.floor(-h, -h, h, h)
		w.floor(-h, h, h, 2-h)
		w.floor(-h, 2-h, h, 2+h)
		w.floor(h, 2-h, 2, 2+h)
		w.floor(2, -4, 6, 4)
	case "storeys":
		w.floor(-2, -h, 2, h)
		w.floor(2, -4, 6, 4)
		w.level(4, -6, -4, -2, 4)
		w.level(4, -2, -h, 2, h)
		w.level(4, 2, -4, 6, 4)
		w.b.Poly(w.at(6, 0, 0), w.at(6, 0, 3), w.at(16, 4, 3), w.at(16, 4, 0))
		w.level(4, 16, -3, 18, 3)
		w.level(4, 6, -3, 16, -1)
		to = w.at(-4, 4, -2) // through the door below, and back through the one above
	case "bridge":
		w.floor(-2, -h, 4, h)
		w.floor(4, -4, 8, 4)
		w.level(-4, -1, -6, 3, 6)
		to = w.at(6, 0, -2)
	}
	s := build(t, w.b, nil)
	what := fmt.Sprintf("%s of %.2f m, turned by %v, place %d", kind, width, deg, shift)
	out := s.plan(ends(End{At: from}, End{At: to}))
	if out.Status != route.Complete {
		t.Errorf("%s: %v", what, out.Status)
		return
	}
	if len(out.Warnings) > 0 && width <= 0.6 {
		t.Errorf("%s: %v", what, out.Warnings)
	}
	// All of it lies over the floor, which is all that there is: a chord that comes
	// onto a ramp is above or below it.
	zone := openZone(t, s.e)
	along(out, func(i int, at geom.Vec3) {
		floor := false
		for _, off := range [5][2]float64{{}, {0.01}, {-0.01}, {0, 0.01}, {0, -0.01}} { // as near as two walls make a kerb, a corner may be cut
			p := zone.plane(at.Add(geom.V3(off[0], 0, off[1])))
			zone.mesh.Over(nil, p.U, p.V, func(_ int32, y float64, _ bool) { floor = floor || math.Abs(y-at.Y) < 1.5 })
		}
		if !floor && i > 0 && i < len(out.Points)-2 {
			t.Errorf("%s: no floor at %v", what, at)
		}
	})
	if kind == "bridge" {
		under := s.plan(ends(End{At: w.at(1, -4, -5)}, End{At: w.at(1, -4, 5)}))
		if under.Status != route.Complete || under.Length > 11 {
			t.Errorf("%s: under it %v, %v m", what, under.Status, under.Length)
		}
	}
}

// TestPagesAgreeOnNarrows: where one stands and what is open is the same in a
// page and in the apron of the one beside it.
func TestPagesAgreeOnNarrows(t *testing.T) {
	w := turn(22.5, 0.07, 0.02)
	// Slits across a floor, so that some lie on every side of pages.
	for i := range max(light(24), 12) {
		x := float64(i) * 4
		w.floor(x, 0, x+3, 60)
		for k := range 15 {
			z := float64(k)*4 + 0.5
			w.floor(x+3, z, x+4, z+0.15+float64(k%5)*0.1)
		}
	}
	s := build(t, w.b, nil)
	z := openZone(t, s.e)
	all := decodeAll(t, z)
	region := largest(all, 1)[0]
	px0, py0, px1, py1 := pageRange(z, all)
	src := z.source(region, false)
	page := func(px, py int) *spanpath.Page {
		p, err := src.Page(t.Context(), px, py)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	const bits = spanpath.CellCore | spanpath.CellLayer
	off := 0
	for py := py0; py <= py1; py++ {
		for px := px0; px <= px1; px++ {
			p := page(px, py)
			if p == nil {
				continue
			}
			for c := range p.Cells {
				gx, gy := p.Table.At(c)
				q := page(spanpath.PageOf(gx), spanpath.PageOf(gy))
				if q == nil || q == p {
					continue
				}
				n := q.Table.Window.Cell(gx, gy)
				if p.Cells[c]&bits != q.Cells[n]&bits {
					t.Fatalf("cell (%d, %d): %b beside the page, %b in it", gx, gy, p.Cells[c], q.Cells[n])
				}
				beside := gx == p.Table.GX+spanpath.Apron-1 || gx == p.Table.GX+spanpath.Apron+spanpath.PageSide ||
					gy == p.Table.GY+spanpath.Apron-1 || gy == p.Table.GY+spanpath.Apron+spanpath.PageSide
				if beside && gx >= p.Table.GX+spanpath.Apron-1 && gx <= p.Table.GX+spanpath.Apron+spanpath.PageSide &&
					gy >= p.Table.GY+spanpath.Apron-1 && gy <= p.Table.GY+spanpath.Apron+spanpath.PageSide &&
					p.Cells[c]&spanpath.CellMedial != q.Cells[n]&spanpath.CellMedial {
					t.Fatalf("cell (%d, %d): the channel differs beside the page and in it", gx, gy)
				}
				first, end := p.Column(gx, gy)
				at, _ := q.Column(gx, gy)
				for k := first; k < end; k, at = k+1, at+1 {
					if p.Point(k) != q.Point(at) {
						t.Fatalf("cell (%d, %d): one stands at %v beside the page, at %v in it", gx, gy, p.Point(k), q.Point(at))
					}
					if p.Point(k) != middleOf(gx, gy) {
						off++
					}
				}
			}
		}
	}
	if off == 0 {
		t.Error("no narrow lies beside a page")
	}
}
