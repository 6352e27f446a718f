package detail

import (
	"testing"

	"wend/internal/heightfield"
)

func TestPatchHeight(t *testing.T) {
	// The height of cell (x, z) is z*10+x; there is a hole of 3 x 3 cells.
	w := &world{
		grid: heightfield.Grid{W: 8, D: 8, Cell: 1, CellHeight: 1}, climb: 100,
		floors: func(x, z int) []floor {
			if x >= 2 && x <= 4 && z >= 2 && z <= 4 {
				return nil
			}
			return []floor{{z*10 + x, 1}}
		},
	}
	c, r := w.build()
	var p patch
	p.fill(rect(1, 0, 0, 8, 8, flat).verts, c, r, 0, 1, 1)
	tests := []struct {
		name       string
		x, z, near float64
		radius     int
		want       int32
		ok         bool
	}{
		{"inside a cell", 5.5, 6.9, 0, 1, 65, true},
		{"just short of the next cell", 5.999999, 6.5, 0, 1, 66, true},
		{"beyond the field", 99, -99, 0, 1, 7, true},
		{"hole, too far from its rim", 3.5, 3.5, 0, 1, 0, false},
		{"hole, low", 3.5, 3.5, 0, 2, 11, true},
		{"hole, high", 3.5, 3.5, 100, 2, 55, true},
		{"hole, between", 3.5, 3.5, 32, 2, 31, true},
		{"hole, near the rim: one cell away wins", 2.5, 2.5, 55, 2, 31, true},
	}
	for _, tt := range tests {
		got, ok := p.height(tt.x, tt.z, tt.near, tt.radius)
		if got != tt.want || ok != tt.ok {
			t.Errorf("%s: %d, %v, want %d, %v", tt.name, got, ok, tt.want, tt.ok)
		}
	}
}
