package spanroute

import (
	"math"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/internal/wendtest/packtest"
	"wend/spanbake"
	"wend/spanpath"
)

// TestNoSpikesBesideNeedles bakes a steep ramp with a triangle in it that is long
// and thin. The grid takes heights of its corners where it only reaches into a cell;
// pages have the ramp alone there.
func TestNoSpikesBesideNeedles(t *testing.T) {
	const slope = 0.8
	at := func(x, z float64) geom.Vec3 { return geom.V3(x, slope*math.Min(math.Max(x, 0), 12), z) }
	b := wendtest.NewBuilder()
	b.Poly(at(0, 0), at(0, 2), at(12, 2), at(12, 0))
	b.Poly(at(0, 2), at(12, 2.25), at(12, 2))
	b.Poly(at(0, 2), at(0, 4), at(12, 4), at(12, 2.25))
	b.Poly(at(-6, 0), at(-6, 4), at(0, 4), at(0, 2), at(0, 0))
	b.Poly(at(12, 0), at(12, 2), at(12, 2.25), at(12, 4), at(18, 4), at(18, 0))
	in, _, err := spanbake.FromTriangles(t.Context(), b.Scene, &spanbake.Level{Zone: "ramp", Cell: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	e := openPacks(t, packtest.Run(t, in), nil)
	z := openZone(t, e)
	off := func(x float64, h float32) float64 { return math.Abs(float64(h) - at(x, 0).Y) }

	all, spikes := decodeAll(t, z), 0
	for i, r := range all.f.Records {
		if gx, gy := all.at(i); off(z.worldAt(middleOf(gx, gy), 0).X, r.H) > 1 {
			spikes++
		}
	}
	if spikes < 5 {
		t.Fatalf("%d spikes in the grid: no fair trial", spikes)
	}
	seen := 0
	region := all.f.Records[0].Region
	for py := spanpath.PageOf(int(all.win.GY0)); py <= spanpath.PageOf(int(all.win.GY0+all.win.NY)); py++ {
		for px := spanpath.PageOf(int(all.win.GX0)); px <= spanpath.PageOf(int(all.win.GX0+all.win.NX)); px++ {
			p, err := z.source(region, false).Page(t.Context(), px, py)
			if err != nil {
				t.Fatal(err)
			}
			if p == nil {
				continue
			}
			for c := range p.Table.NX * p.Table.NY {
				gx, gy := p.Table.At(c)
				x := z.worldAt(middleOf(gx, gy), 0).X
				// A spike nearer to the ramp than a floor may be to its surface stays.
				for s, end := p.Column(gx, gy); s < end; s++ {
					if seen++; off(x, p.Table.H[s]) > 1.3 {
						t.Errorf("at x = %.2f a surface at %.2f m", x, p.Table.H[s])
					}
				}
			}
		}
	}
	if seen < 1000 {
		t.Errorf("%d surfaces", seen)
	}
}
