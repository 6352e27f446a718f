package bake_test

import (
	"os"
	"testing"

	"wend/bake"
	"wend/internal/wendtest"
	"wend/scene"
	"wend/scene/obj"
)

type levelFile struct {
	name  string
	scale float64
}

var levelFiles = []levelFile{
	{"nav_test", 1}, {"dungeon", 1}, {"undulating", 1}, {"sauerbraten-pandora", 0.125}, {"tesseract-complex", 0.125},
}

func (l levelFile) open(tb testing.TB) *scene.Scene {
	tb.Helper()
	f, err := os.Open(wendtest.Data(tb, "levels", l.name+".obj"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	sc, _, err := obj.Read(f, l.name, &scene.Options{Scale: l.scale})
	if err != nil {
		tb.Fatal(err)
	}
	return sc
}

func BenchmarkLevels(b *testing.B) {
	for _, l := range levelFiles {
		sc := l.open(b)
		for _, workers := range []int{1, 2} {
			b.Run(l.name+map[int]string{1: "/workers=1", 2: "/workers=2"}[workers], func(b *testing.B) {
				b.ReportAllocs()
				var rep bake.BodyReport
				n := 0
				stages := map[string]float64{}
				for b.Loop() {
					res, err := bake.Run(b.Context(), sc, bake.Human(), &bake.Options{Workers: workers})
					if err != nil {
						b.Fatal(err)
					}
					rep = res.Report.Bodies[0]
					for _, s := range rep.Stages {
						stages[s.Stage] += float64(s.Time.Microseconds())
					}
					n++
				}
				b.ReportMetric(float64(rep.Polygons), "polys")
				for _, s := range rep.Stages {
					b.ReportMetric(stages[s.Stage]/float64(n), s.Stage+"-us")
				}
			})
		}
	}
}
