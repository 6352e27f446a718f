package spanroute

import (
	"slices"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/route"
	"wend/scene"
	"wend/spanbake"
)

// Tests of where this package departs from the original rules: in a small world
// made for it the original rule gives a worse answer, or a wrong one.

// byReference bakes a level by the reference rules: what rises by up to 3 m hangs
// together in a region, and can be walked up to 1.25 m.
func byReference(t *testing.T, b *wendtest.Builder) *scenario {
	t.Helper()
	in, _, err := spanbake.FromTriangles(t.Context(), b.Scene, &spanbake.Level{Zone: "level"})
	if err != nil {
		t.Fatal(err)
	}
	res, err := spanbake.Run(t.Context(), in, &spanbake.Options{Tile: 64, Level: 1})
	if err != nil {
		t.Fatal(err)
	}
	return openScenario(t, res, nil)
}

// tight makes windows of the first levels as small as they can be.
func tight(t *tiers) { t.ratio, t.slack = 1, 4 }

// TestLinksBeyondTheWindow has a goal on a terrace of the start's region, up to
// which only a ladder far away leads. With the links of its first window alone
// nothing beyond the foot of the terrace is in reach, and the answer is that there
// is no way; with those of the region there is one, in every kind of windows.
func TestLinksBeyondTheWindow(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 90, 8, 0).Floor(0, 8, 90, 16, 2)
	b.Scene.Links = []scene.Link{{From: geom.V3(85, 0, 4), To: geom.V3(85, 2, 12), Radius: 0.5, OneWay: true}}
	s := byReference(t, b)
	r := ends(on(5, 0, 4), on(5, 2, 12))
	var routes []*route.Route
	for _, w := range []Windows{WholeRegion, Ladder, Exact} {
		r.Windows, s.p.shape = w, tight
		out := s.complete(r)
		if kinds(out, route.Link) != 1 || out.Length < 150 {
			t.Errorf("windows %d: %v m, %v", w, out.Length, out.Points)
		}
		if w != WholeRegion && out.Stats.Tier == 0 {
			t.Errorf("windows %d: found in the first: no fair trial", w)
		}
		routes = append(routes, out)
	}
	for _, other := range routes[1:] {
		if d := differs(routes[0], other); d != "" {
			t.Error(d)
		}
	}
	regions, err := s.e.RegionsNear(t.Context(), "", []geom.Vec3{r.From.At})
	if err != nil || len(regions[0]) != 1 {
		t.Fatalf("%v: regions %v", err, regions)
	}
	old := byReference(t, b)
	none := func() ([]spanLink, int64, error) { return nil, 1, nil }
	if _, err := openZone(t, old.e).links.get(t.Context(), regions[0][0], none); err != nil {
		t.Fatal(err)
	}
	if out := old.plan(r); out.Status == route.Complete {
		t.Errorf("with the links of the first window: %v", out.Points)
	}
}

// twoRooms are rooms side by side with a passage of 2.4 m, of which a disc closes
// the middle, and links over a third one far away. Two more links have feet beside
// the disc.
func twoRooms(t *testing.T) (*scenario, *Request) {
	b := wendtest.NewBuilder().Floor(0, 0, 10, 8, 0).Floor(0, 12, 10, 20, 0).Floor(4, 8, 6.4, 12, 0).Floor(200, 0, 216, 20, 0)
	b.Floor(0, -3, 216, 0, 2) // joins the rooms to one region, and is too high for a way
	link := func(from, to geom.Vec3) {
		b.Scene.Links = append(b.Scene.Links, scene.Link{From: from, To: to, Radius: 0.5})
	}
	link(geom.V3(8, 0, 4), geom.V3(208, 0, 4))
	link(geom.V3(208, 0, 16), geom.V3(8, 0, 16))
	link(geom.V3(4.65, 0, 9.75), geom.V3(9, 0, 1))
	link(geom.V3(4.65, 0, 10.35), geom.V3(9, 0, 19))
	r := ends(on(5.2, 0, 3), on(5.2, 0, 17))
	r.Discs = []Disc{{geom.V3(5.2, 0, 10.05), 0.55}}
	return byReference(t, b), r
}

// TestChannelCutByTheWindow: in a window without the third room the channel leads
// nowhere. The original rules open the ways of all links in it then, and take the
// passage; the whole region has a way in the channel and opens none. So a small
// window must not either.
func TestChannelCutByTheWindow(t *testing.T) {
	s, r := twoRooms(t)
	r.Debug = true
	rooms := func(t *tiers) { t.ratio, t.slack = 1, 60 } // large enough for both, and no more
	whole := s.complete(r)
	if !slices.ContainsFunc(whole.Points, func(p route.Point) bool { return p.Pos.X > 200 }) {
		t.Fatalf("the whole region goes through the passage: %v", whole.Points)
	}
	for _, w := range []Windows{Ladder, Exact} {
		r.Windows, s.p.shape = w, rooms
		out := s.complete(r)
		if d := differs(whole, out); d != "" {
			t.Errorf("windows %d: %s\n%s", w, d, describe(out))
		}
		if !slices.Contains(out.Debug.Notes, "no way in the channel") {
			t.Errorf("windows %d: given up for %q: no fair trial", w, out.Debug.Notes)
		}
	}
	// What the original rules do in the first window: what is done in one that
	// nothing larger follows.
	r.Windows = WholeRegion
	s.p.shape = func(t *tiers) {
		rooms(t)
		t.full, _ = t.choose(0)
	}
	if out := s.complete(r); out.Length > whole.Length/2 {
		t.Errorf("with the ways of all links: %v m, round it are %v m", out.Length, whole.Length)
	}
}

// TestTilesAreDecodedOnce: windows that grow hold the tiles of the smaller ones;
// none is decoded for each of them anew.
func TestTilesAreDecodedOnce(t *testing.T) {
	s, r := twoRooms(t)
	var tried []*tiers
	r.Windows = Ladder
	s.p.shape = func(t *tiers) { tight(t); tried = append(tried, t) }
	out := s.complete(r)
	z := openZone(t, s.e)
	perWindow := 0
	for level := range out.Stats.Tier + 1 {
		w, _ := tried[0].choose(level)
		perWindow += len(z.tilesIn(nil, w))
	}
	misses := int(s.e.Stats().Tiles.Misses)
	if misses > len(z.rects) || perWindow <= len(z.rects) {
		t.Errorf("%d tiles, %d decoded, %d in windows", len(z.rects), misses, perWindow)
	}
	// A second leg decodes none.
	s.complete(r)
	if again := int(s.e.Stats().Tiles.Misses); again != misses {
		t.Errorf("%d more decoded", again-misses)
	}
}

// TestCutOffByANoGoZone has a pen in a field that no-go zones cut off. The original
// rules look at all of the field before they say so, and those in force at
// little more than the pen.
func TestCutOffByANoGoZone(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 62, 62, 0)
	for _, r := range [][4]float64{{50, 50, 60, 51}, {50, 59, 60, 60}, {50, 50, 51, 60}, {59, 50, 60, 60}} {
		b.Scene.NoGo = append(b.Scene.NoGo, scene.NoGo{
			Name: "fence", MinY: -1, MaxY: 2,
			Ring: []geom.Vec2{{X: r[0], Y: r[1]}, {X: r[2], Y: r[1]}, {X: r[2], Y: r[3]}, {X: r[0], Y: r[3]}},
		})
	}
	s := build(t, b, nil)
	for _, r := range []*Request{ends(column(55, 55), column(4, 4)), ends(column(4, 4), column(55, 55))} {
		for _, w := range some([]Windows{WholeRegion, Ladder}, 1) {
			r.Windows = w
			r.Reference = false
			ours := s.want(r, route.Unreachable, CodeDisconnected)
			r.Reference = true
			old := s.want(r, route.Unreachable, CodeDisconnected)
			if r.From.At.X < 50 && 2*ours.Stats.Expanded > old.Stats.Expanded {
				t.Errorf("windows %d, from %v: %d looked at, by the original rules %d", w, r.From.At, ours.Stats.Expanded, old.Stats.Expanded)
			}
		}
	}
}

// TestBodiesWantTheirOwnRoom: of a short narrow way and a long wide one, which is
// worth it depends on the clearance that a body prefers; one size for all takes
// the same way for both.
func TestBodiesWantTheirOwnRoom(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 8, 20, 0).Floor(28, 0, 36, 20, 0)
	b.Floor(8, 2, 28, 4.4, 0)                                                 // 20 m, 2.4 m wide
	b.Floor(0, 20, 8, 36, 0).Floor(28, 20, 36, 36, 0).Floor(8, 26, 28, 36, 0) // and round, 10 m wide
	s := build(t, b, nil)
	for _, c := range []struct {
		preferred float64 // m
		long      bool
	}{{0.3, false}, {0.6, false}, {0, true}, {2.1, true}} {
		r := ends(on(4, 0, 3.2), on(32, 0, 3.2))
		r.Body.Preferred = c.preferred
		if out := s.complete(r); (out.Length > 45) != c.long {
			t.Errorf("preferred clearance %v: %v m", c.preferred, out.Length)
		}
	}
}
