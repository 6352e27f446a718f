package spanroute

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"wend/geom"
	"wend/route"
	"wend/spangrid"
)

// TestEndNoFartherThanAllowed: whatever closes the ground at an end, a complete route
// ends no farther from it than is allowed. Beyond it the answer says why, and with
// Partial there is the way to the nearest place.
func TestEndNoFartherThanAllowed(t *testing.T) {
	w := baked(t, "town")
	s := &scenario{t, w.engine, w.engine.NewPlanner()}
	for _, c := range []struct {
		name     string
		from, to geom.Vec3
		disc     Disc
		radius   float64
		code     string
		reach    float64 // what is complete with MaxSnap of this, m
		gap      float64 // the most from the nearest place to the goal, in the plane
	}{
		{"a disc over the foot of a bridge", geom.V3(23.37, 0.09, 2.32), geom.V3(39.2, 3.74, 7.29), Disc{geom.V3(38.98, 0, 10.1), 4.75}, 0, CodeGoalUnreachable, 0, 3.5}, // and over the head of the ladder that leads there
		{"a disc on a bridge that a ladder leads to", geom.V3(23.37, 0.09, 2.32), geom.V3(39.2, 3.74, 7.29), Disc{geom.V3(39, 0, 5.5), 4.5}, 0, CodeGoalDeckBlocked, 3.5, 5},
		{"in a building", geom.V3(9.0884, 0.0938, 16.0747), geom.V3(5.4943, 0.0764, 39.7031), Disc{}, 0, CodeNoGoalDeck, 2.3, 2.3},
		{"a wide body in a building", geom.V3(9.0884, 0.0938, 16.0747), geom.V3(5.4943, 0.0764, 39.7031), Disc{}, 1.0267, CodeNoGoalDeck, 2.6, 2.6},
		{"a disc on a hill", geom.V3(0, 0, 0), geom.V3(51.934, 3.047, -20.73), Disc{geom.V3(52, 0, -21.75), 3.135}, 0, CodeGoalDeckBlocked, 2.4, 2.4},
	} {
		r := ends(End{At: c.from}, End{At: c.to})
		r.Body.Radius = c.radius
		if c.disc.Radius > 0 {
			r.Discs = []Disc{c.disc}
		}
		r.Gap = true
		if got := s.plan(r); got.Status == route.Complete || got.Failure.Code != c.code || got.Failure.Gap == nil && c.code == CodeGoalDeckBlocked {
			t.Errorf("%s: %v %+v %q, want %s and where the way breaks off", c.name, got.Status, got.Failure, got.Warnings, c.code)
		}
		r.Partial = true
		if got := s.plan(r); got.Status != route.Partial || got.Failure.Gap == nil || flat(got.Failure.Gap.From, c.to) > c.gap {
			t.Errorf("%s: partial: %v %+v %+v", c.name, got.Status, got.Failure, got.Failure.Gap)
		}
		r.Partial, r.MaxSnap = false, c.reach
		if c.reach == 0 {
			s.want(r, route.Unreachable, c.code)
		} else if got := s.complete(r); len(got.Points) > 0 && flat(got.Points[len(got.Points)-1].Pos, c.to) > c.reach {
			t.Errorf("%s: allowed %v m, ends at %v", c.name, c.reach, got.Points[len(got.Points)-1].Pos)
		}
		// And the other way round.
		r.From, r.To, r.MaxSnap = r.To, r.From, 0
		if got := s.plan(r); got.Status == route.Complete || !strings.Contains("start_deck_blocked no_start_span goal_unreachable", got.Failure.Code) {
			t.Errorf("%s, from there: %v %+v", c.name, got.Status, got.Failure)
		}
	}
}

// TestRandomEndsNoFartherThanAllowed puts ends all over a level and beside it, under
// discs and for bodies of all kinds.
func TestRandomEndsNoFartherThanAllowed(t *testing.T) {
	w := baked(t, "town")
	z := openZone(t, w.engine)
	n := light(150)
	if long() {
		n = 4000
	}
	rnd := rand.New(rand.NewPCG(31, 7))
	p := w.engine.NewPlanner()
	anywhere := func(at geom.Vec3) geom.Vec3 { // beside the mesh, if there is such a place nearby
		for range 20 {
			q := geom.V3(at.X+(rnd.Float64()-0.5)*8, at.Y, at.Z+(rnd.Float64()-0.5)*8)
			if spot, ok := z.snap(z.plane(q), snapRadius, optional{}, optional{}, nil); ok && spot.Distance > 2*spangrid.Side {
				return q
			}
		}
		return at
	}
	whole, put, under := 0, 0, 0
	for range n {
		r := ends(End{At: w.where(rnd)}, End{At: anywhere(w.where(rnd)), Storey: Storey(rnd.IntN(3))})
		if rnd.IntN(2) == 0 {
			r.From, r.To = r.To, r.From
		}
		r.Body.Radius = []float64{0, 0, 0.6, 1}[rnd.IntN(4)]
		r.MaxSnap = []float64{0, 0, 0.4, 1, 5}[rnd.IntN(5)]
		if rnd.IntN(2) == 0 {
			at := r.To.At
			r.Discs = []Disc{{geom.V3(at.X+rnd.Float64()-0.5, 0, at.Z+rnd.Float64()-0.5), 0.3 + rnd.Float64()*3}}
		}
		got := w.plan(t, p, r)
		if got.Status != route.Complete {
			continue
		}
		whole++
		room := z.room(&r.Body)
		limit := r.MaxSnap
		if limit == 0 {
			limit = DefaultMaxSnap
		}
		limit = min(max(limit, room), snapRadius/z.scale()) + 1e-6
		for _, e := range endsOf(r, got) {
			// Of an end as asked it is told how far two cells are apart.
			most := limit
			if e.asAsked() {
				most += spangrid.Side / z.scale()
			}
			if d := flat(e.at.Pos, e.end.At); d > limit || e.snap > most {
				t.Errorf("%+v: the %s is %v m from where it was asked for, %v by its own word, allowed are %v", *r, e.name, d, e.snap, limit)
			}
			switch {
			case !e.asAsked():
				put++
			case e.snap > room:
				under++
			}
		}
	}
	t.Logf("%d routes; %d ends put on the ground, %d under discs", whole, put, under)
	if whole < n/4 || put < n/20 || under < n/30 {
		t.Errorf("%d routes; %d ends put on the ground, %d under discs: no fair trial", whole, put, under)
	}
}

// TestEndsUnderDiscsKeepTheirHeight: where a route ends as asked under a disc, its
// height is that of the surface there, and not of the ground beside the disc.
func TestEndsUnderDiscsKeepTheirHeight(t *testing.T) {
	w := baked(t, "town")
	s := &scenario{t, w.engine, w.engine.NewPlanner()}
	for _, c := range []struct {
		from, to geom.Vec3
		disc     Disc
	}{
		{geom.V3(0, 0, 0), geom.V3(51.934, 3.047, -20.73), Disc{geom.V3(52, 0, -21.75), 3.135}},                           // on the hill
		{geom.V3(-41.1368, 0.375, -14.1963), geom.V3(-9.6008, 1.4844, 26.4385), Disc{geom.V3(-10.987, 0, 26.842), 3.982}}, // on the stairs
	} {
		r := ends(End{At: c.from}, End{At: c.to})
		r.Discs, r.MaxSnap = []Disc{c.disc}, 5
		for range 2 {
			got := s.complete(r)
			for _, e := range endsOf(r, got) {
				if !e.asAsked() || math.Abs(e.at.Pos.Y-e.end.At.Y) > 0.3 {
					t.Errorf("%+v: the %s is at %v", *r, e.name, e.at.Pos)
				}
			}
			r.From, r.To = r.To, r.From
		}
	}
}

// TestEndsAreOnSurfaces: ends of routes have the height of a surface where they are,
// give or take a step, and that of the storey asked for, with discs over them and
// without.
func TestEndsAreOnSurfaces(t *testing.T) {
	const step = 0.5
	for i, w := range endWorlds(t) {
		n := light(100)
		if long() {
			n = 2000
		}
		z := openZone(t, w.engine)
		j := newJudge(w, z, decodeAll(t, z), true)
		rnd := rand.New(rand.NewPCG(33, uint64(i)))
		p := w.engine.NewPlanner()
		under := 0
		for range n {
			from, to := w.where(rnd), w.where(rnd)
			r := ends(End{At: from, Storey: Storey(rnd.IntN(2))}, End{At: to, Storey: Storey(rnd.IntN(2))})
			for _, at := range []geom.Vec3{from, to} {
				r.Discs = append(r.Discs, Disc{geom.V3(at.X+rnd.Float64()*2-1, 0, at.Z+rnd.Float64()*2-1), 0.3 + 1.5*rnd.Float64()})
			}
			got := w.plan(t, p, r)
			if got.Status != route.Complete {
				continue
			}
			for _, e := range endsOf(r, got) {
				off, has := j.offSurfaces(e.at.Pos)
				if e.end.Storey == NearFloor {
					// A floor that begins within a cell is right there too.
					const cell = 0.3
					for _, d := range [8][2]float64{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}} {
						o, _ := j.offSurfaces(geom.V3(e.at.Pos.X+d[0]*cell, e.at.Pos.Y, e.at.Pos.Z+d[1]*cell))
						off = min(off, o)
					}
				}
				// Beside a floor that was meant by its nearness there may be a rim of another one.
				if has && off > step && (e.end.Storey == OnSurface || j.onMesh(e.at.Pos)) {
					t.Errorf("%s: %+v: the %s is at %v, %v m off all surfaces", w.name, *r, e.name, e.at.Pos, off)
				}
				// Another storey is more than a step away, unless the place lies right on none;
				// at the edge of a floor one up to 2 m below may be nearer, which is said.
				if e.end.Storey == OnSurface && math.Abs(e.at.Pos.Y-e.end.At.Y) > 1 && e.asAsked() && j.onMesh(e.end.At) &&
					!slices.ContainsFunc(got.Warnings, func(w string) bool { return strings.Contains(w, " the surface that the route ") }) {
					t.Errorf("%s: %+v: the %s is at %v", w.name, *r, e.name, e.at.Pos)
				}
				if e.asAsked() && e.snap > 0 {
					under++
				}
			}
		}
		t.Logf("%s: %d ends stand for cells beside them", w.name, under)
		if under < n/20 {
			t.Errorf("%s: %d ends stand for cells beside them: no fair trial", w.name, under)
		}
	}
}

// TestNearestPlaceToAnyGoal asks for the way to the nearest place of goals that no
// route ends at, whatever it is that keeps it from them.
func TestNearestPlaceToAnyGoal(t *testing.T) {
	w := baked(t, "town")
	s := &scenario{t, w.engine, w.engine.NewPlanner()}
	z := openZone(t, w.engine)
	box := w.scene.Bounds()
	rnd := rand.New(rand.NewPCG(35, 1))
	count := map[string]int{}
	for k := range light(120) {
		at := w.where(rnd)
		switch k % 4 {
		case 0: // around the world
			at.X, at.Z = box.Min.X+(rnd.Float64()*3-1)*box.Size().X, box.Min.Z+(rnd.Float64()*3-1)*box.Size().Z
		case 1: // above and below it
			at.Y += (rnd.Float64() - 0.5) * 60
		case 2: // in what authors closed
			ring := w.scene.NoGo[rnd.IntN(len(w.scene.NoGo))]
			for !insideRing(ring.Ring, at) {
				at.X, at.Z = box.Min.X+rnd.Float64()*box.Size().X, box.Min.Z+rnd.Float64()*box.Size().Z
			}
			at.Y = max(ring.MinY, -10) + 0.5
		}
		r := ends(on(0, 0, 0), End{At: at, Storey: Storey(rnd.IntN(3))})
		plain := s.plan(r)
		r.Partial = true
		got := s.plan(r)
		if plain.Status == route.Complete {
			continue
		}
		count[plain.Failure.Code]++
		if got.Status != route.Partial || got.Failure.Gap == nil || got.Failure.Gap.From != got.Points[len(got.Points)-1].Pos {
			t.Errorf("to %v, %d: %v %+v, without the nearest place %+v", at, r.To.Storey, got.Status, got.Failure, plain.Failure)
			continue
		}
		// No place of a ring of steps around the goal is nearer and can be reached.
		d := flat(got.Failure.Gap.From, at)
		for range 20 {
			q := w.where(rnd)
			if flat(q, at) > d-2*spangrid.Side/z.scale() {
				continue
			}
			r := ends(on(0, 0, 0), on(q.X, q.Y, q.Z))
			if there := s.plan(r); there.Status == route.Complete && there.Points[len(there.Points)-1].Storey == got.Points[0].Storey &&
				flat(there.Points[len(there.Points)-1].Pos, at) < d-2*spangrid.Side/z.scale() {
				t.Errorf("to %v, %d: the way ends at %v, %v m away; %v can be reached", at, r.To.Storey, got.Failure.Gap.From, d, q)
			}
		}
	}
	t.Log(count)
	if count[route.CodeGoalOffMesh] < 3 || count[CodeNoGoalDeck] < 3 || count[route.CodeGoalNoGo] < 3 {
		t.Errorf("%v: no fair trial", count)
	}
}

// offSurfaces returns how far above or below the nearest surface of its cell a place
// is, and whether the cell has any.
func (j *judge) offSurfaces(at geom.Vec3) (off float64, has bool) {
	off = math.Inf(1)
	for _, k := range j.byCell[j.cellOf(at)] {
		off, has = min(off, math.Abs(float64(j.all.f.Records[k].H)-at.Y)), true
	}
	return off, has
}
