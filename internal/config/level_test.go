package config

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"wend/geom"
	"wend/scene"
)

func TestLevelEverySetting(t *testing.T) {
	l, err := ReadLevel("l.toml", []byte(`
[[link]]
name = "ladder"
from = [3, 0, 4]
to = [3, 5, 4.5]
radius = 0.75
one_way = true
area = 5
cost = 8
id = 4294967295

[[link]]
from = [0, 0, 0]
to = [900, 0, 0]

[[volume]]
name = "pond"
ring = [[0, 0], [8, 0], [8, 6], [0, 6], [0, 0]]
min_y = -1
max_y = 2
area = 0

[[volume]]
ring = [[0, 0], [0, 6], [8, 6]]
unwalkable = true

[[nogo]]
name = "garden"
ring = [[20, 0], [24, 0], [22, 5]]
max_y = 3

[[part]]
match = "fence*"
material = "w?od"
collider = true
no_surface = true
area = 4
`))
	if err != nil {
		t.Fatal(err)
	}
	want := &Level{
		Links: []scene.Link{
			{Name: "ladder", From: geom.V3(3, 0, 4), To: geom.V3(3, 5, 4.5), Radius: 0.75, OneWay: true, Area: 5, Cost: 8, UserID: 1<<32 - 1},
			{To: geom.V3(900, 0, 0), Radius: 0.6},
		},
		Volumes: []scene.Volume{
			{Name: "pond", Ring: []geom.Vec2{{X: 0, Y: 0}, {X: 8, Y: 0}, {X: 8, Y: 6}, {X: 0, Y: 6}}, MinY: -1, MaxY: 2},
			{Ring: []geom.Vec2{{X: 0, Y: 0}, {X: 0, Y: 6}, {X: 8, Y: 6}}, MinY: -scene.MaxCoordinate, MaxY: scene.MaxCoordinate, Unwalkable: true},
		},
		NoGo:  []scene.NoGo{{Name: "garden", Ring: []geom.Vec2{{X: 20}, {X: 24}, {X: 22, Y: 5}}, MinY: -scene.MaxCoordinate, MaxY: 3}},
		Parts: []PartRule{{Match: "fence*", Material: "w?od", Collider: true, NoSurface: true, HasArea: true, Area: 4}},
	}
	if diff := cmp.Diff(want, l, cmpopts.IgnoreUnexported(PartRule{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLevelFaultsNameThePlace(t *testing.T) {
	const link = "[[link]]\nfrom = [0, 0, 0]\nto = [1, 0, 0]\n"
	const ring = "[[nogo]]\nring = [[0, 0], [4, 0], [0, 4]]\n"
	for name, c := range map[string]struct{ in, want string }{
		"no end":            {"[[link]]\nname='up'\nfrom = [0, 0, 0]", `l.toml:1:3: link "up" has no to`},
		"two coordinates":   {"[[link]]\nfrom = [0, 0]\nto = [1, 0, 0]", "l.toml:2:1: from is a list of 2, want [x, y, z]"},
		"NaN":               {"[[link]]\nfrom = [0, nan, 0]\nto = [1, 0, 0]", "l.toml:2:12: from[1] is NaN, want a finite number"},
		"infinity":          {"[[link]]\nfrom = [0, 0, 0]\nto = [1, +inf, 0]", "l.toml:3:10: to[1] is +Inf"},
		"too far":           {"[[link]]\nfrom = [0, 0, 0]\nto = [1, 1e300, 0]", "l.toml:3:10: to[1] is 1e+300, want -1048576 to 1048576 metres"},
		"no length":         {"[[link]]\nname='x'\nfrom = [0, 1, 0]\nto = [0, 1, 0]", `l.toml:4:1: link "x" has both ends in one place`},
		"denormal length":   {"[[link]]\nfrom = [0, 1, 0]\nto = [5e-324, 1, 0]", "both ends in one place"},
		"radius":            {link + "radius = 0", "l.toml:4:10: radius is 0, want 0.001 to 1000 metres"},
		"cost":              {link + "cost = -1", "l.toml:4:8: cost is -1, want 0 to 1.048576e+06 metres"},
		"id":                {link + "id = 4294967296", "l.toml:4:6: id is 4294967296, want 0 to 4294967295"},
		"area":              {link + "area = 63", "l.toml:4:8: area is 63, want 0 to 62"},
		"one way":           {link + "oneway = true", "l.toml:4:1: unknown key oneway; did you mean one_way?"},
		"second link":       {link + link + "radius = 'far'", "l.toml:7:10: radius is a text"},
		"no ring":           {"[[nogo]]\nname = 'a'", "l.toml:1:3: no ring"},
		"two points":        {"[[nogo]]\nring = [[0, 0], [1, 0]]", "l.toml:2:1: ring has 2 points, want at least 3"},
		"closed two points": {"[[nogo]]\nring = [[0, 0], [1, 0], [0, 0]]", "not a simple polygon"},
		"bow tie":           {"[[nogo]]\nring = [[0, 0], [4, 4], [4, 0], [0, 4]]", "its side from [4 0] to [0 4] meets the one from [0 0] to [4 4]"},
		"spike":             {"[[nogo]]\nring = [[0, 0], [4, 0], [2, 0], [2, 4]]", "not a simple polygon"},
		"point twice":       {"[[nogo]]\nring = [[0, 0], [4, 0], [4, 0], [2, 4]]", "not a simple polygon"},
		"corner on side":    {"[[nogo]]\nring = [[0, 0], [4, 0], [4, 4], [2, 0], [0, 4]]", "not a simple polygon"},
		"3D ring":           {"[[nogo]]\nring = [[0, 0, 0], [4, 0, 0], [0, 4, 0]]", "ring[0] is a list of 3, want [x, z]"},
		"heights":           {ring + "min_y = 2\nmax_y = 2", "l.toml:4:9: min_y 2 is not below max_y 2"},
		"nogo area":         {ring + "area = 1", "l.toml:3:1: unknown key area"},
		"volume of nothing": {"[[volume]]\nname='v'\nring = [[0, 0], [4, 0], [0, 4]]", `l.toml:1:3: volume "v" needs either area or unwalkable = true`},
		"volume of both":    {"[[volume]]\nring = [[0, 0], [4, 0], [0, 4]]\narea=1\nunwalkable=true", "needs either area or unwalkable"},
		"part of nothing":   {"[[part]]\ncollider = true", "l.toml:1:3: part has neither match nor material"},
		"part pattern":      {"[[part]]\nmatch = 'a[b'", `l.toml:2:9: match is "a[b": not a pattern`},
		"part of both":      {"[[part]]\nmatch = 'a'\narea = 1\nunwalkable = true", "l.toml:4:14: part has an area and is unwalkable"},
		"one link":          {"[link]\nfrom = [0, 0, 0]", "l.toml:1:2: link is a table, want entries that each start with [[link]]"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadLevel("l.toml", []byte(c.in))
			if err == nil {
				t.Fatal("accepted")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			checkFaults(t, err)
		})
	}
	big := "[[nogo]]\nring = [" + strings.Repeat("[0, 0],", maxRing+1) + "]"
	if _, err := ReadLevel("l.toml", []byte(big)); err == nil || !strings.Contains(err.Error(), "at most 10000") {
		t.Errorf("ring of %d points: %v", maxRing+1, err)
	}
}

// The exact test has to see through rings that rounding would call clean.
func TestRingsThatAlmostTouch(t *testing.T) {
	at := func(y float64) []geom.Vec2 { // a notch whose tip comes down to the lower side at y
		return []geom.Vec2{{X: 0, Y: 0}, {X: 3, Y: 1}, {X: 3, Y: 9}, {X: 1.5, Y: y}, {X: 0, Y: 9}}
	}
	for y, bad := range map[float64]bool{0.5: true, math.Nextafter(0.5, 0): true, math.Nextafter(0.5, 1): false} {
		if _, _, got := crossing(at(y)); got != bad {
			t.Errorf("tip at %.17g: crossing %v, want %v", y, got, bad)
		}
	}
}

func TestCrossingAgreesWithEveryPair(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	simple := 0
	for range 20000 {
		ring := make([]geom.Vec2, 3+rng.IntN(5))
		for i := range ring {
			ring[i] = geom.Vec2{X: float64(rng.IntN(7)), Y: float64(rng.IntN(7))}
		}
		_, _, got := crossing(ring)
		if want := crossesSlowly(ring); got != want {
			t.Fatalf("%v: crossing %v, want %v", ring, got, want)
		}
		if !got {
			simple++
		}
	}
	if simple < 1000 {
		t.Errorf("only %d simple rings were tried", simple)
	}
}

// crossesSlowly takes every pair of sides and counts the points they have in
// common: neighbours may have one, others none.
func crossesSlowly(ring []geom.Vec2) bool {
	n := len(ring)
	for i := range n {
		for j := range n {
			if i == j {
				continue
			}
			allowed := 0
			if (i+1)%n == j || (j+1)%n == i {
				allowed = 1
			}
			if commonPoints(ring[i], ring[(i+1)%n], ring[j], ring[(j+1)%n]) > allowed {
				return true
			}
		}
		if ring[i] == ring[(i+1)%n] {
			return true
		}
	}
	return false
}

// commonPoints counts the common points of two segments up to two, by solving
// for the parameters in integers.
func commonPoints(a, b, c, d geom.Vec2) int {
	rx, ry := int(b.X-a.X), int(b.Y-a.Y)
	sx, sy := int(d.X-c.X), int(d.Y-c.Y)
	qx, qy := int(c.X-a.X), int(c.Y-a.Y)
	den := rx*sy - ry*sx
	if den != 0 {
		t, u := qx*sy-qy*sx, qx*ry-qy*rx
		if den < 0 {
			den, t, u = -den, -t, -u
		}
		if t >= 0 && t <= den && u >= 0 && u <= den {
			return 1
		}
		return 0
	}
	if qx*ry-qy*rx != 0 {
		return 0 // parallel
	}
	// On one line (or points): project on the longer direction.
	dx, dy := rx, ry
	if dx == 0 && dy == 0 {
		dx, dy = sx, sy
	}
	at := func(p geom.Vec2) int { return int(p.X)*dx + int(p.Y)*dy }
	lo := max(min(at(a), at(b)), min(at(c), at(d)))
	hi := min(max(at(a), at(b)), max(at(c), at(d)))
	switch {
	case hi < lo:
		return 0
	case hi == lo:
		return 1
	}
	return 2
}

func TestApplyMarksParts(t *testing.T) {
	l, err := ReadLevel("l.toml", []byte(`
[[part]]
match = "fence*"
collider = true
[[part]]
material = "mud"
area = 3
[[part]]
match = "fence2"
unwalkable = true
[[part]]
match = "tpyo"
no_surface = true
[[link]]
from = [0, 0, 0]
to = [1, 0, 0]
`))
	if err != nil {
		t.Fatal(err)
	}
	s := &scene.Scene{
		Parts: []scene.Part{{Name: "fence1", Material: "mud"}, {Name: "fence2", Material: "mud"}, {Name: "floor", Material: "oak", Collider: true}},
		Tris:  []scene.Tri{{Part: 0}, {Part: 1}, {Part: 2, Area: 9}},
	}
	warnings := l.Apply("l.toml", s)
	want := &scene.Scene{
		Parts: []scene.Part{
			{Name: "fence1", Material: "mud", Collider: true},
			{Name: "fence2", Material: "mud", Collider: true},
			{Name: "floor", Material: "oak", Collider: true},
		},
		Tris:  []scene.Tri{{Part: 0, Area: 3}, {Part: 1, Unwalkable: true}, {Part: 2, Area: 9}},
		Links: []scene.Link{{To: geom.V3(1, 0, 0), Radius: 0.6}},
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"l.toml:11:3: no part of the level matches this rule"}, warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func FuzzReadLevel(f *testing.F) {
	f.Add([]byte("[[link]]\nfrom=[0,0,0]\nto=[1,0,0]\nradius=1\n[[volume]]\nring=[[0,0],[1,0],[0,1]]\narea=2\n"))
	f.Add([]byte("[[nogo]]\nring=[[0,0],[4,4],[4,0],[0,4]]\n[[part]]\nmatch='a*'\ncollider=true\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := ReadLevel("l.toml", data)
		if err != nil {
			checkFaults(t, err)
			return
		}
		for _, k := range l.Links {
			if !k.From.IsFinite() || !k.To.IsFinite() || k.Radius <= 0 || k.From == k.To || k.Area > scene.MaxArea {
				t.Errorf("accepted link %+v", k)
			}
		}
		for _, v := range l.Volumes {
			if len(v.Ring) < 3 || v.MinY >= v.MaxY {
				t.Errorf("accepted volume %+v", v)
			}
		}
		var b bytes.Buffer
		if err := WriteLevel(&b, l); err != nil {
			t.Fatal(err)
		}
		again, err := ReadLevel("again.toml", b.Bytes())
		if err != nil {
			t.Fatalf("%v; written as\n%s", err, b.Bytes())
		}
		if diff := cmp.Diff(l, again, cmpopts.IgnoreUnexported(PartRule{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("(-first +written and read again):\n%s\n%s", diff, b.Bytes())
		}
		l.Apply("l.toml", &scene.Scene{Parts: []scene.Part{{Name: "a"}}, Tris: []scene.Tri{{}}})
	})
}

func ExampleReadLevel() {
	_, err := ReadLevel("town.wend.toml", []byte("[[link]]\nname = \"ladder\"\nfrom = [3, 0, 4]\nto   = [3, 5]\n"))
	fmt.Println(err)
	// Output: town.wend.toml:4:1: to is a list of 2, want [x, y, z]
}
