package navmesh_test

import (
	"context"
	"testing"

	"wend/navmesh"
)

func TestPathReachesWhatIslandsSay(t *testing.T) {
	for _, name := range []string{"nav_test_solo.bin", "nav_test_tiled.bin", "dungeon_tiled.bin"} {
		t.Run(name, func(t *testing.T) {
			m, _ := peerMesh(t, name)
			q := m.NewQuery()
			var path navmesh.Path
			for a := range navmesh.PolyID(m.Len()) {
				for b := range navmesh.PolyID(m.Len()) {
					if m.Poly(a).Kind() != navmesh.KindGround || m.Poly(b).Kind() != navmesh.KindGround {
						continue
					}
					from := navmesh.Location{Poly: a, Pos: m.Poly(a).Center()}
					to := navmesh.Location{Poly: b, Pos: m.Poly(b).Center()}
					if err := q.Path(context.Background(), from, to, nil, nil, &path); err != nil {
						t.Fatal(err)
					}
					if got, want := path.Outcome == navmesh.Complete, m.CanReach(a, b); got != want {
						{
							t.Errorf("from %d %v to %d %v: complete %v, CanReach %v, expanded %d", a, from.Pos, b, to.Pos, got, want, path.Expanded)
						}
					}
				}
			}
		})
	}
}
