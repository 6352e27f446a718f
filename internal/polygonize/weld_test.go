package polygonize

import (
	"testing"

	"wend/internal/contour"
)

// Storeys for very low bodies stay apart, however near they are.
func TestLowStoreysStayApart(t *testing.T) {
	square := func(y int32) contour.Contour {
		return contour.Contour{Region: 1, Area: 1, Verts: []contour.Vertex{
			{X: 0, Y: y, Z: 0}, {X: 0, Y: y, Z: 4}, {X: 4, Y: y, Z: 4}, {X: 4, Y: y, Z: 0},
		}}
	}
	for _, tt := range []struct{ headroom, verts int }{{0, 4}, {1, 8}, {2, 4}, {9, 4}} {
		s := &contour.Set{Headroom: tt.headroom, Contours: []contour.Contour{square(5), square(7)}}
		m, err := Build(t.Context(), s, 6)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Verts) != tt.verts {
			t.Errorf("headroom %d: %d vertices, want %d", tt.headroom, len(m.Verts), tt.verts)
		}
	}
}
