package navmesh

import (
	"testing"

	"wend/geom"
)

func TestNearestPolicies(t *testing.T) {
	m, _ := mustNew(t, plainParams(), sheetTile(
		sheet{8, 0, 12, 20, 2.5}, // deck
		sheet{0, 0, 20, 20, 0},   // floor
		sheet{0, 0, 20, 20, -3},  // cave
	))
	if m.StoreyCount() != 3 {
		t.Fatalf("%d storeys, want 3", m.StoreyCount())
	}
	q := m.NewQuery()
	storey := func(s uint32) *NearestOptions { return &NearestOptions{Storey: s, StoreySet: true} }
	for _, c := range []struct {
		name string
		y    float64
		o    *NearestOptions
		want float64
	}{
		{"on the floor", 0.1, nil, 0},
		{"under the deck, below first", 1.2, &NearestOptions{Policy: PolicyBelow}, 0},
		{"nearer the deck, below first", 1.3, &NearestOptions{Policy: PolicyBelow}, 0},
		{"nearer the deck", 1.3, nil, 2.5},
		{"nearer the floor", 1.2, nil, 0},
		{"halfway: the lower one", 1.25, nil, 0},
		{"on the deck", 2.6, nil, 2.5},
		{"over the deck", 4, nil, 2.5},
		{"over the deck, below first", 4, &NearestOptions{Policy: PolicyBelow}, 2.5},
		{"under the floor, below first", -1, &NearestOptions{Policy: PolicyBelow}, -3},
		{"under the floor, above first", -1.6, &NearestOptions{Policy: PolicyAbove}, 0},
		{"floor within a climb, below first", -0.5, &NearestOptions{Policy: PolicyBelow}, 0},
		{"nothing below, so above", -5, &NearestOptions{Policy: PolicyBelow}, -3},
		{"nothing above, so below", 4, &NearestOptions{Policy: PolicyAbove}, 2.5},
		{"highest", 0.1, &NearestOptions{Policy: PolicyHighest}, 2.5},
		{"cave by number", 0.1, storey(0), -3},
		{"floor by number", 2.6, storey(1), 0},
		{"deck by number", 0.1, storey(2), 2.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := q.Nearest(geom.V3(10, c.y, 10), c.o)
			if err != nil || !r.Found || r.Pos != geom.V3(10, c.want, 10) {
				t.Errorf("got %+v, %v, want height %v", r, err, c.want)
			}
		})
	}
	got, err := q.AppendSurfaces(nil, 10, 10, 0.5, nil)
	if err != nil || len(got) != 3 || got[0].Pos.Y != -3 || got[1].Pos.Y != 0 || got[2].Pos.Y != 2.5 {
		t.Errorf("surfaces: %v, %v", got, err)
	}
	got, err = q.AppendSurfaces(got[:0], 7.8, 10, 0.5, nil)
	if err != nil || len(got) != 3 || got[2].Pos != geom.V3(8, 2.5, 10) {
		t.Errorf("surfaces aside of the deck: %v, %v", got, err)
	}
	got, err = q.AppendSurfaces(got[:0], 7, 10, 0.5, nil)
	if err != nil || len(got) != 2 {
		t.Errorf("surfaces far from the deck: %v, %v", got, err)
	}
}
