package spanroute

import (
	"testing"

	"wend/internal/wendtest"
)

// TestBesideTheSameWall plans between places on narrow ground that are near each
// other: the way leads along the wall, and not out into the open and back. Those
// farther apart are worth the open ground between them.
func TestBesideTheSameWall(t *testing.T) {
	hall := func() *wendtest.Builder { return wendtest.NewBuilder().Floor(0, 0, 30, 30, 0) }
	s := build(t, hall(), nil)
	for _, c := range []struct {
		name     string
		from, to End
		most     float64 // times the straight distance
		open     bool    // some point has the preferred clearance
	}{
		{"at a wall", on(0.4, 0, 12), on(0.4, 0, 13.5), 1.02, false},
		{"one of them farther off", on(0.4, 0, 12), on(1.4, 0, 13), 1.02, false},
		{"far along the wall", on(0.4, 0, 5), on(0.4, 0, 25), 1.25, true},
	} {
		for _, w := range []Windows{WholeRegion, Exact} {
			r := ends(c.from, c.to)
			r.Windows = w
			got := s.complete(r)
			if far := flat(c.from.At, c.to.At); got.Length > c.most*far {
				t.Errorf("%s: %.2f m for %.2f m: %+v", c.name, got.Length, far, got.Points)
			}
			wide := 0.0
			for _, p := range got.Points {
				wide = max(wide, p.Clearance)
			}
			if (wide >= defaultPreferred/openZone(t, s.e).scale()) != c.open {
				t.Errorf("%s: the widest point has %.2f m", c.name, wide)
			}
			r.Reference = true
			if old := s.complete(r); !c.open && old.Length < 1.5*flat(c.from.At, c.to.At) {
				t.Errorf("%s, original rules: %.2f m: no fair trial", c.name, old.Length)
			}
		}
	}
}
