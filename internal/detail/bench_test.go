package detail

import (
	"context"
	"fmt"
	"testing"

	"wend/internal/heightfield"
	"wend/internal/polygonize"
)

// benchWorld is rolling ground of side x side cells under a grid of hexagons
// with the given radius in cells.
func benchWorld(side, radius int) (*world, *polygonize.Mesh) {
	hill := func(x, z int) int {
		x, z = min(max(x, 0), side-1), min(max(z, 0), side-1)
		return 100 + (x%40-20)*(x%40-20)/12 + (z%64-32)*(z%64-32)/24
	}
	w := &world{
		grid:   heightfield.Grid{W: side, D: side, Cell: 0.3, CellHeight: 0.2},
		border: 2, climb: 8,
		floors: func(x, z int) []floor { return []floor{{hill(x, z), 1}, {900, 2}} },
	}
	var polys []polyOf
	r := radius
	for z := 0; z+2*r <= side; z += 2 * r {
		for x := 0; x+2*r <= side; x += 2 * r {
			p := polyOf{reg: 1}
			for _, c := range [6][2]int{{0, r}, {r / 2, 2 * r}, {3 * r / 2, 2 * r}, {2 * r, r}, {3 * r / 2, 0}, {r / 2, 0}} {
				vx, vz := x+c[0], z+c[1]
				p.verts = append(p.verts, polygonize.Vert{X: int32(vx), Y: int32(hill(vx, vz)), Z: int32(vz)})
			}
			polys = append(polys, p)
		}
	}
	return w, w.meshOf(polys...)
}

func BenchmarkBuild(b *testing.B) {
	for _, c := range []struct{ side, radius, workers int }{{240, 12, 1}, {240, 12, 2}, {1000, 100, 1}, {1000, 6, 1}} {
		w, pm := benchWorld(c.side, c.radius)
		field, reg := w.build()
		b.Run(fmt.Sprintf("side %d, %d polygons, %d workers", c.side, pm.Len(), c.workers), func(b *testing.B) {
			b.ReportAllocs()
			verts := 0
			for b.Loop() {
				m, err := Build(context.Background(), pm, field, reg, w.border, Options{1.8, 0.2}, c.workers)
				if err != nil {
					b.Fatal(err)
				}
				verts = len(m.Verts)
			}
			b.ReportMetric(float64(verts)/float64(pm.Len()), "verts/polygon")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*pm.Len()), "ns/polygon")
		})
	}
}
