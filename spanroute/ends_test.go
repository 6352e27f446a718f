package spanroute

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/route"
)

// TestEndBesideGround plans from and to places beside the floor. Where a body
// would touch a wall a route begins and ends as asked, farther away at the floor,
// and warns; and past the limit such a place is none.
func TestEndBesideGround(t *testing.T) {
	s := build(t, wendtest.NewBuilder().Floor(0, 0, 20, 10, 0).Floor(0, 10, 20, 20, 4), nil)
	const far, off = route.Complete, route.OffMesh
	for _, c := range []struct {
		name        string
		from, to    End
		max         float64
		start, goal float64 // m to the ground, 0: as asked
		status      route.Status
		code        string
	}{
		{"on it", on(3, 0, 5), on(17, 0, 5), 0, 0, 0, far, ""},
		{"at its rim", on(-0.25, 0, 5), on(17, 0, 5), 0, 0, 0, far, ""},
		{"a start beside it", on(-1.5, 0, 5), on(17, 0, 5), 0, 1.5, 0, far, ""},
		{"a goal beside it", on(3, 0, 5), on(21.9, 0, 5), 0, 0, 1.9, far, ""},
		{"a goal farther away", on(3, 0, 5), on(22.5, 0, 5), 0, 0, 0, off, route.CodeGoalOffMesh},
		{"a goal farther away, by its column", on(3, 0, 5), column(22.5, 5), 0, 0, 0, off, route.CodeGoalOffMesh},
		{"a start farther away", on(-3, 0, 5), on(17, 0, 5), 0, 0, 0, off, route.CodeStartOffMesh},
		{"farther away, and allowed", on(-3, 0, 5), on(25, 0, 5), 6, 3, 5, far, ""},
		{"however far", on(-3, 0, 5), on(27, 0, 5), 1000, 3, 7, far, ""},
		{"beside it, and not allowed", on(-0.6, 0, 5), on(17, 0, 5), 0.5, 0, 0, off, route.CodeStartOffMesh},
		{"no farther than beside a wall", on(-0.25, 0, 5), on(20.25, 0, 5), 0.3, 0, 0, far, ""},
		{"a start under another floor", on(3, 4, 8.5), on(17, 4, 15), 0, 1.5, 0, far, ""},
		{"a goal in the air over the lower floor", on(3, 4, 15), on(17, 4, 5), 0, 0, 0, off, CodeNoGoalDeck},
		{"a start in the air over the lower floor", on(3, 4, 5), on(17, 4, 15), 0, 0, 0, off, CodeNoStartSpan},
		{"both", on(3, 4, 8.5), on(17, 4, 8.2), 0, 1.5, 1.8, far, ""},
		{"a little in the air", on(3, 1.5, 5), on(17, -1.5, 5), 0, 0, 0, far, ""},
	} {
		r := ends(c.from, c.to)
		r.MaxSnap = c.max
		got := s.want(r, c.status, c.code)
		if t.Failed() {
			t.Fatalf("%s: %+v", c.name, got.Failure)
		}
		if got.Status != route.Complete {
			continue
		}
		want := 0
		for i, e := range []struct {
			at, asked geom.Vec3
			snap, far float64
		}{{got.Points[0].Pos, c.from.At, got.SnapStart, c.start}, {got.Points[len(got.Points)-1].Pos, c.to.At, got.SnapEnd, c.goal}} {
			if up := e.asked.Y - e.at.Y; math.Abs(up) > 0.9 {
				want++
				text := fmt.Sprintf("the %s is %.2f m %s the surface that the route %s on", endNames[i], math.Abs(up),
					map[bool]string{true: "above", false: "below"}[up > 0], [2]string{"begins", "ends"}[i])
				if !slices.Contains(got.Warnings, text) {
					t.Errorf("%s: warnings %q, want %q", c.name, got.Warnings, text)
				}
			}
			if e.far == 0 {
				if flat(e.at, e.asked) > 1e-9 || e.snap > 0.65 {
					t.Errorf("%s: the %s is at %v, %v m beside the ground", c.name, endNames[i], e.at, e.snap)
				}
				continue
			}
			want++
			if math.Abs(e.snap-e.far) > 0.5 || math.Abs(flat(e.at, e.asked)-e.far) > 0.5 {
				t.Errorf("%s: the %s is at %v, by its own word %v m beside the ground, want %v", c.name, endNames[i], e.at, e.snap, e.far)
			}
			if e.at.X < 0 || e.at.X > 20 || e.at.Z < 0 || e.at.Z > 20 || (e.at.Z < 10) != (e.at.Y < 2) {
				t.Errorf("%s: the %s is at %v, which is not on the floor", c.name, endNames[i], e.at)
			}
			if !slices.Contains(got.Warnings, besideGround(i, e.snap, true)) {
				t.Errorf("%s: warnings %q", c.name, got.Warnings)
			}
		}
		if len(got.Warnings) != want {
			t.Errorf("%s: warnings %q", c.name, got.Warnings)
		}
	}
}

// TestGoalInsideBlock plans to a place in a block without a floor: with Partial the
// way ends at its wall, and the answer does not say complete.
func TestGoalInsideBlock(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 40, 10, 0).Floor(0, 10, 15, 20, 0).Floor(25, 10, 40, 20, 0)
	s := build(t, b, nil)
	for _, storey := range []Storey{OnSurface, NearFloor, AnyHeight} {
		r := ends(on(3, 0, 5), End{At: geom.V3(20, 0, 14), Storey: storey})
		got := s.want(r, route.OffMesh, route.CodeGoalOffMesh)
		if f := got.Failure; f == nil || !strings.Contains(f.Message, " m beside the nearest floor, at most 2.00 m will do") {
			t.Errorf("storey %d: %+v", storey, f)
		}
		r.Partial = true
		got = s.plan(r)
		if got.Status != route.Partial {
			t.Errorf("storey %d: partial: %v %+v", storey, got.Status, got.Failure)
			continue
		}
		if last := got.Points[len(got.Points)-1].Pos; flat(last, geom.V3(20, 0, 10)) > 0.7 || math.Abs(got.Failure.Gap.Width-4) > 0.7 {
			t.Errorf("storey %d: partial: ends at %v, %+v", storey, last, got.Failure.Gap)
		}
		r.Partial, r.MaxSnap = false, 5
		got = s.complete(r)
		if last := got.Points[len(got.Points)-1].Pos; flat(last, geom.V3(20, 0, 10)) > 0.7 {
			t.Errorf("storey %d: with a limit of 5 m: ends at %v", storey, last)
		}
	}
}

// TestEndInsideBodyWall gives a wide body ends where only a narrow one stands: at
// a wall it touches that is complete as asked, in a passage it does not fit it is
// not.
func TestEndInsideBodyWall(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 40, 10, 0).Floor(19, 10, 21, 30, 0)
	s := build(t, b, nil)
	r := ends(on(3, 0, 5), on(30, 0, 1))
	r.Body.Radius = 1.4
	if got := s.complete(r); len(got.Warnings) > 0 || flat(got.Points[len(got.Points)-1].Pos, r.To.At) > 1e-9 {
		t.Errorf("at a wall: %v, %q", got.Points, got.Warnings)
	}
	r.To = on(20, 0, 17)
	s.want(r, route.Unreachable, CodeGoalDeckBlocked)
	r.From, r.To = r.To, r.From
	s.want(r, route.Unreachable, CodeStartDeckBlocked)
	r.From, r.To = on(3, 0, 5), on(20, 0, 17)
	r.Body.Radius = 0
	s.complete(r)
}

// TestEndUnderWideDisc puts discs over an end: it is refused where one is wider than
// ends may be beside the ground, and else kept as asked.
func TestEndUnderWideDisc(t *testing.T) {
	s := build(t, wendtest.NewBuilder().Floor(0, 0, 40, 20, 0), nil)
	for i, r := range []*Request{ends(on(30, 0, 10), on(5, 0, 10)), ends(on(5, 0, 10), on(30, 0, 10))} {
		r.Discs = []Disc{{At: geom.V3(30, 0, 10), Radius: 4}}
		s.want(r, route.Unreachable, [2]string{CodeStartDeckBlocked, CodeGoalDeckBlocked}[i])
		for _, c := range [][2]float64{{4, 4.5}, {1.6, 0}} {
			r.Discs[0].Radius, r.MaxSnap = c[0], c[1]
			got := s.complete(r)
			if len(got.Points) == 0 || flat(got.Points[0].Pos, r.From.At)+flat(got.Points[len(got.Points)-1].Pos, r.To.At) > 1e-9 || len(got.Warnings) != 1 {
				t.Errorf("a disc of %v m, allowed %v: %v, %q", c[0], c[1], got.Points, got.Warnings)
			}
		}
	}
}

// TestReferenceKeepsEndsAsAsked: under the original rules ends may be far beside the
// ground, and are joined to it by straight stretches.
func TestReferenceKeepsEndsAsAsked(t *testing.T) {
	s := build(t, wendtest.NewBuilder().Floor(0, 0, 20, 10, 0), nil)
	r := ends(on(-4, 0, 5), on(26, 0, 5))
	r.Reference, r.Windows = true, Ladder
	got := s.complete(r)
	if flat(got.Points[0].Pos, r.From.At)+flat(got.Points[len(got.Points)-1].Pos, r.To.At) > 1e-9 {
		t.Errorf("%v", got.Points)
	}
}

// TestBadMaxSnap asks for limits that are none.
func TestBadMaxSnap(t *testing.T) {
	s := build(t, wendtest.NewBuilder().Floor(0, 0, 20, 10, 0), nil)
	for _, m := range []float64{-1, math.NaN(), math.Inf(1)} {
		r := ends(on(3, 0, 5), on(17, 0, 5))
		r.MaxSnap = m
		var out route.Route
		var bad *RequestError
		if err := s.p.Plan(context.Background(), r, &out); !errors.As(err, &bad) || bad.Field != "snap" || out.Status != route.BadInput {
			t.Errorf("%v: %v, %v", m, out.Status, err)
		}
	}
}
