package contour

import (
	"os"
	"testing"

	"wend/internal/region"
	"wend/internal/wendtest/fieldtest"
)

var levels = []struct {
	name  string
	scale float64
}{
	{"nav_test.obj", 1},
	{"dungeon.obj", 1},
	{"undulating.obj", 1},
	{"sauerbraten-pandora.obj", 0.125},
	{"tesseract-complex.obj", 0.125},
}

func TestLevels(t *testing.T) {
	for _, l := range levels {
		t.Run(l.name, func(t *testing.T) {
			if l.scale != 1 && os.Getenv("WEND_LONG") == "" {
				t.Skip("a large level: set WEND_LONG=1 to run")
			}
			c := fieldtest.Level(t, l.name, l.scale)
			for _, border := range []int{0, 5} {
				r, err := region.Watershed(t.Context(), c, region.Options{MinArea: 64, MergeArea: 400, Border: border})
				if err != nil {
					t.Fatal(err)
				}
				s, err := Build(t.Context(), c, r, Options{MaxError: 1.3, MaxEdgeLen: 40, Border: border})
				if err != nil {
					t.Fatal(err)
				}
				if len(s.Skipped) > 0 {
					t.Errorf("skipped: %+v", s.Skipped)
				}
				checkSet(t, c, r, s)
				corners := 0
				for i := range s.Contours {
					corners += len(s.Contours[i].Verts)
				}
				t.Logf("%d x %d columns, %d cells, border %d: %d regions, %d corners", c.W, c.D, c.Len(), border, r.Max, corners)
			}
		})
	}
}

func BenchmarkLevel(b *testing.B) {
	for _, l := range levels {
		b.Run(l.name, func(b *testing.B) {
			c := fieldtest.Level(b, l.name, l.scale)
			r, err := region.Watershed(b.Context(), c, region.Options{MinArea: 64, MergeArea: 400})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Build(b.Context(), c, r, Options{MaxError: 1.3, MaxEdgeLen: 40}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
