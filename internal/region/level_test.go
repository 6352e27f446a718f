package region

import (
	"os"
	"testing"

	"wend/internal/wendtest/fieldtest"
)

var levels = []struct {
	name  string
	scale float64
	most  ID // regions by watershed
}{
	{"nav_test.obj", 1, 55},
	{"dungeon.obj", 1, 20},
	{"undulating.obj", 1, 50},
	{"sauerbraten-pandora.obj", 0.125, 120},
	{"tesseract-complex.obj", 0.125, 50},
}

func TestLevels(t *testing.T) {
	for _, l := range levels {
		t.Run(l.name, func(t *testing.T) {
			if l.scale != 1 && os.Getenv("WEND_LONG") == "" {
				t.Skip("a large level: set WEND_LONG=1 to run")
			}
			c := fieldtest.Level(t, l.name, l.scale)
			for _, p := range partitions {
				for _, border := range []int{0, 5} {
					o := Options{MinArea: 64, MergeArea: 400, Border: border}
					r, err := p.run(t.Context(), c, o)
					if err != nil {
						t.Fatal(err)
					}
					checkPartition(t, c, r, o)
					if p.name == "watershed" && border == 0 && r.Max > l.most {
						t.Errorf("%d regions, want at most %d", r.Max, l.most)
					}
					t.Logf("%s, border %d: %d regions", p.name, border, r.Max)
				}
			}
		})
	}
}

func BenchmarkLevel(b *testing.B) {
	for _, l := range levels {
		c := fieldtest.Level(b, l.name, l.scale)
		for _, p := range partitions {
			b.Run(l.name+"/"+p.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := p.run(b.Context(), c, Options{MinArea: 64, MergeArea: 400}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
