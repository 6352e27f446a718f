package grid_test

import (
	"testing"

	"wend/grid"
)

func TestMeasure(t *testing.T) {
	m, err := grid.Parse(
		"..#.",
		"..#.",
		"..#.",
		"####",
		"...#",
	)
	must(err)
	got, err := grid.Measure(m, grid.Moves{})
	must(err)
	// Six cells two wide, three one wide, three one high.
	want := grid.Stats{W: 4, H: 5, Passable: 12, Share: 0.6, Width: 1.5, Islands: 3, Largest: 6}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
