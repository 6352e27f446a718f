package geom

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func genVec3(lim int) *rapid.Generator[Vec3] {
	return rapid.Custom(func(t *rapid.T) Vec3 {
		c := rapid.IntRange(-lim, lim)
		return Vec3{float64(c.Draw(t, "x")), float64(c.Draw(t, "y")), float64(c.Draw(t, "z"))}
	})
}

// Seen from above in a right-handed world with Y up, +Z points towards the
// viewer's feet when +X points right: facing +X, the left hand is at -Z.
func TestArea2Side(t *testing.T) {
	a, b := Vec3{}, Vec3{X: 1}
	if got := Area2(a, b, Vec3{X: 1, Z: -1}); got != 1 {
		t.Errorf("left of +X: got %v, want 1", got)
	}
	if got := Area2(a, b, Vec3{X: 1, Z: 1}); got != -1 {
		t.Errorf("right of +X: got %v, want -1", got)
	}
	if n := b.Sub(a).Cross(Vec3{Z: -1}); n.Y <= 0 {
		t.Errorf("a triangle that turns left has the normal %v, want it up", n)
	}
}

func TestArea2Laws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := genVec3(1 << 20)
		a, b, c := g.Draw(t, "a"), g.Draw(t, "b"), g.Draw(t, "c")
		s := Area2(a, b, c)
		if got := Area2(b, c, a); got != s {
			t.Fatalf("rotating the corners changes %v to %v", s, got)
		}
		if got := Area2(b, a, c); got != -s {
			t.Fatalf("swapping two corners gives %v, want %v", got, -s)
		}
		if n := b.Sub(a).Cross(c.Sub(a)); n.Y != s {
			t.Fatalf("normal %v, area %v", n.Y, s)
		}
	})
}

func TestClosestOnSegXZ(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := genVec3(1000)
		p, a, b := g.Draw(t, "p"), g.Draw(t, "a"), g.Draw(t, "b")
		u, d := ClosestOnSegXZ(p, a, b)
		if u < 0 || u > 1 {
			t.Fatalf("parameter %v", u)
		}
		if got := DistXZSq(p, Lerp(a, b, u)); math.Abs(got-d) > 1e-6*(1+d) {
			t.Fatalf("distance %v, at the point it is %v", d, got)
		}
		for i := 0; i <= 16; i++ {
			if q := DistXZSq(p, Lerp(a, b, float64(i)/16)); q < d-1e-6*(1+d) {
				t.Fatalf("a closer point at %d/16: %v < %v", i, q, d)
			}
		}
	})
}

func TestIsFinite(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for i := range 3 {
			p := [3]float64{1, 2, 3}
			p[i] = v
			if V3(p[0], p[1], p[2]).IsFinite() {
				t.Errorf("%v counts as finite", p)
			}
		}
		if (Vec2{v, 0}).IsFinite() || (Vec2{0, v}).IsFinite() {
			t.Errorf("%v counts as finite", v)
		}
	}
	if !V3(1e300, -1e300, 5e-324).IsFinite() {
		t.Error("a finite point does not count")
	}
}

func TestLerpEnds(t *testing.T) {
	a, b := V3(0.1, 0.2, 0.3), V3(7.7, -3.3, 1e9)
	if Lerp(a, b, 0) != a || Lerp(a, b, 1) != b {
		t.Error("the ends are not exact")
	}
}

func TestBox(t *testing.T) {
	e := EmptyBox()
	if !e.IsEmpty() || e.Overlaps(e) {
		t.Error("the empty box is not empty")
	}
	b := e.Extend(V3(1, 2, 3)).Extend(V3(-1, 0, 5))
	if b.IsEmpty() || b.Min != V3(-1, 0, 3) || b.Max != V3(1, 2, 5) {
		t.Errorf("box %v", b)
	}
	if b.Union(e) != b || e.Union(b) != b {
		t.Error("the empty box is not neutral")
	}
	if !b.Overlaps(Box{V3(1, 2, 5), V3(9, 9, 9)}) {
		t.Error("boxes that touch do not overlap")
	}
	if b.Center() != V3(0, 1, 4) || b.Size() != V3(2, 2, 2) {
		t.Errorf("centre %v, size %v", b.Center(), b.Size())
	}
}
