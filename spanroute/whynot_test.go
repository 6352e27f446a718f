package spanroute

import (
	"context"
	"errors"
	"strings"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/route"
)

// TestFailureMessages: a failure says in metres what there is instead of what was
// asked.
func TestFailureMessages(t *testing.T) {
	s := yard(t)
	good := on(50, 0, 6)
	for _, c := range []struct {
		name string
		r    *Request
		want string
	}{
		// A pixel is 1.2 m here, and a plank lies at z = 60.
		{"off the mesh", ends(good, on(50, 0, 40)), "no floor within 2.00 m of the goal; the nearest is 20.01 m away"},
		{"start off the mesh", ends(on(50, 0, -45), good), "no floor within 2.00 m of the start; the nearest is 45.00 m away"},
		{"off all", ends(good, on(50, 0, 4000)), "no floor within 2.00 m of the goal"},
		{"in the air", ends(good, on(50, 3, 6)), "no surface at 3.00 m near the goal; there are surfaces at 0.00 m"},
		{"between storeys", ends(good, on(30, -3, 6)), "no surface at -3.00 m near the goal; there are surfaces at 0.00 m, 5.00 m"},
		{"start under the floor", ends(on(50, -3.5, 6), good), "no surface at -3.50 m near the start can be walked on; there are surfaces at 0.00 m"},
		{"goal behind discs", behind(48, on(10, 0.25, 9), on(55, 0.25, 6)), "the goal's surface at 0.00 m cannot be reached from the start"},
		{"start in a disc", in(geom.V3(12, 0, 6), on(12, 0, 6), good), "the surface at the start is closed to this body; a disc lies over the place"},
		{"goal in a disc", in(geom.V3(20, 0, 6), on(55, 0, 6), on(20, 0, 6)), "the surface at the goal is closed to this body; a disc lies over the place"},
		{"start in a disc, any height", in(geom.V3(12, 0, 6), column(12, 6), good), "nothing within 2.00 m of the start can be walked on; a disc lies over the place"},
		{"goal in a disc, any height", in(geom.V3(12, 0, 6), good, column(12, 6)), "nothing within 2.00 m of the goal can be reached from the start; a disc lies over the place"},
	} {
		var out route.Route
		if err := s.p.Plan(t.Context(), c.r, &out); err != nil || out.Failure == nil || out.Failure.Message != c.want {
			t.Errorf("%s: %v, %+v, want %q", c.name, err, out.Failure, c.want)
		}
	}
}

func behind(x float64, from, to End) *Request {
	r := ends(from, to)
	r.Discs = wallOfDiscs(x, 1.5)
	return r
}

func in(at geom.Vec3, from, to End) *Request {
	r := ends(from, to)
	r.Discs = []Disc{{at, 11}}
	return r
}

// TestWhyClosed: what is too low or too narrow for the body is told with both
// numbers.
func TestWhyClosed(t *testing.T) {
	// A roof 3 m over half of the floor.
	s := build(t, wendtest.NewBuilder().Floor(0, 0, 60, 12, 0).Floor(0, 0, 30, 12, 3), nil)
	r := ends(on(10, 0, 6), on(50, 0, 6))
	r.Body.Height = 4
	var out route.Route
	if err := s.p.Plan(t.Context(), r, &out); err != nil || out.Failure == nil || out.Failure.Code != CodeStartDeckBlocked ||
		!strings.HasSuffix(out.Failure.Message, "; 3.00 m are free above the ground there, the body needs 4.00 m") {
		t.Errorf("%v, %+v", err, out.Failure)
	}
	r = ends(on(50, 0, 6), on(40, 0, 6))
	r.Body.Radius = 7
	if err := s.p.Plan(t.Context(), r, &out); err != nil || out.Failure == nil || out.Failure.Code != CodeStartDeckBlocked ||
		!strings.Contains(out.Failure.Message, "; the ground there has a clearance of 5.70 m, a radius of 7.00 m needs 7.00 m") {
		t.Errorf("%v, %+v", err, out.Failure)
	}
}

func TestHeightsText(t *testing.T) {
	for _, c := range []struct {
		list []float64
		band float64
		want string
	}{
		{[]float64{4.09375, 0.09375}, 0, "0.09 m, 4.09 m"},
		{[]float64{0.001, 0.002, -1}, 0, "-1.00 m, 0.00 m"},
		{[]float64{5, 6.9, 7.1, 1}, 2, "1.00 m, 5.00 m, 7.10 m"},
		{nil, 2, ""},
	} {
		if got := heightsText(c.list, c.band); got != c.want {
			t.Errorf("%v by %v: %q, want %q", c.list, c.band, got, c.want)
		}
	}
}

// TestWhyClosedCancelled: what explains a failure reads tiles, and ends with the
// request.
func TestWhyClosedCancelled(t *testing.T) {
	s := build(t, wendtest.NewBuilder().Floor(0, 0, 20, 12, 0), nil)
	l, err := openZone(t, s.e).leg(ends(on(5, 0, 6), on(15, 0, 6)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if why, err := l.whyClosed(ctx, &l.from); !errors.Is(err, context.Canceled) {
		t.Errorf("%q, %v", why, err)
	}
}
