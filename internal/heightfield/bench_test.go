package heightfield

import (
	"context"
	"slices"
	"testing"
)

// The settings of the benchmarks: the body that the profile "human" describes,
// in cells of 0.3 and 0.2 m.
const (
	benchHeight = 10
	benchClimb  = 4
	benchRadius = 2
)

func benchLevels(b *testing.B, run func(b *testing.B, m *mesh)) {
	for _, l := range levels {
		b.Run(l.file, func(b *testing.B) {
			m := l.load(b, 0.3, 0.2)
			b.ReportAllocs()
			run(b, m)
		})
	}
}

func benchSolid(b *testing.B, m *mesh, workers int) *Solid {
	s, err := Rasterize(context.Background(), m.grid, m.verts, m.tris, benchClimb, workers)
	if err != nil {
		b.Fatal(err)
	}
	return s
}

func BenchmarkRasterize(b *testing.B) {
	benchLevels(b, func(b *testing.B, m *mesh) {
		var s *Solid
		for b.Loop() {
			s = benchSolid(b, m, 1)
		}
		b.ReportMetric(float64(len(s.Spans)), "spans")
	})
}

func BenchmarkRasterizeTwoWorkers(b *testing.B) {
	benchLevels(b, func(b *testing.B, m *mesh) {
		for b.Loop() {
			benchSolid(b, m, 2)
		}
	})
}

// BenchmarkRasterizeFineCells has ten times the cells along each side.
func BenchmarkRasterizeFineCells(b *testing.B) {
	m := levels[0].load(b, 0.03, 0.02)
	b.ReportAllocs()
	for b.Loop() {
		benchSolid(b, m, 1)
	}
}

func BenchmarkFilters(b *testing.B) {
	benchLevels(b, func(b *testing.B, m *mesh) {
		s := benchSolid(b, m, 1)
		spans := slices.Clone(s.Spans)
		for b.Loop() {
			copy(s.Spans, spans)
			s.FilterLowHanging(benchClimb)
			s.FilterLedges(benchHeight, benchClimb)
			s.FilterLowHeight(benchHeight)
		}
	})
}

func benchFiltered(b *testing.B, m *mesh) *Solid {
	s := benchSolid(b, m, 1)
	s.FilterLowHanging(benchClimb)
	s.FilterLedges(benchHeight, benchClimb)
	s.FilterLowHeight(benchHeight)
	return s
}

func BenchmarkCompact(b *testing.B) {
	benchLevels(b, func(b *testing.B, m *mesh) {
		s := benchFiltered(b, m)
		for b.Loop() {
			s.Compact(benchHeight, benchClimb)
		}
	})
}

func BenchmarkErode(b *testing.B) {
	for _, r := range []struct {
		name   string
		radius float64
	}{{"radius=2", benchRadius}, {"radius=12", 12}} {
		b.Run(r.name, func(b *testing.B) {
			benchLevels(b, func(b *testing.B, m *mesh) {
				c := benchFiltered(b, m).Compact(benchHeight, benchClimb)
				area := slices.Clone(c.Area)
				for b.Loop() {
					copy(c.Area, area)
					c.Erode(r.radius)
				}
			})
		})
	}
}
