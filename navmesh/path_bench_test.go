package navmesh_test

import (
	"context"
	"testing"

	"wend/navmesh"
)

// benchQueries are the snapped ends of the peer's queries of a level.
func benchQueries(b *testing.B, m *navmesh.Mesh, level string) (from, to []navmesh.Location) {
	q := m.NewQuery()
	for _, r := range peerRoutes(b, level, false) {
		s, err := q.Nearest(r.from, nil)
		if err != nil {
			b.Fatal(err)
		}
		g, err := q.Nearest(r.to, nil)
		if err != nil {
			b.Fatal(err)
		}
		from, to = append(from, s.Location), append(to, g.Location)
	}
	return from, to
}

func BenchmarkPath(b *testing.B) {
	for _, c := range []struct{ mesh, level string }{{"nav_test_solo.bin", "nav_test"}, {"dungeon_tiled.bin", "dungeon"}} {
		m, _ := peerMesh(b, c.mesh)
		routes := peerRoutes(b, c.level, false)
		from, to := benchQueries(b, m, c.level)
		for _, s := range []struct {
			name   string
			search navmesh.Search
		}{{"exact", navmesh.SearchExact}, {"corridor", navmesh.SearchCorridor}} {
			o := &navmesh.PathOptions{AllowPartial: true, Search: s.search}
			b.Run(c.mesh+"/"+s.name, func(b *testing.B) {
				q := m.NewQuery()
				var path navmesh.Path
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					k := i % len(from)
					if err := q.Path(context.Background(), from[k], to[k], nil, o, &path); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(c.mesh+"/"+s.name+"+nearest", func(b *testing.B) {
				q := m.NewQuery()
				var path navmesh.Path
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					r := &routes[i%len(routes)]
					from, err := q.Nearest(r.from, nil)
					if err != nil {
						b.Fatal(err)
					}
					to, err := q.Nearest(r.to, nil)
					if err != nil {
						b.Fatal(err)
					}
					if err := q.Path(context.Background(), from.Location, to.Location, nil, o, &path); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkRaycast(b *testing.B) {
	m, _ := peerMesh(b, "nav_test_solo.bin")
	from, to := benchQueries(b, m, "nav_test")
	q := m.NewQuery()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		k := i % len(from)
		if _, err := q.Raycast(from[k], to[k].Pos, nil); err != nil {
			b.Fatal(err)
		}
	}
}
