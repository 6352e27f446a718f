package zone

import (
	"context"
	"errors"
	"slices"
	"testing"

	"wend/pack/bnav"
)

// stack makes a content whose triangles have one corner each at the same place,
// at the given heights.
func stack(heights ...float32) *bnav.Content {
	c := &bnav.Content{Zones: []bnav.Zone{{ID: 3, Name: "old", TriCount: uint32(len(heights))}}}
	for i, h := range heights {
		a := uint32(3 * i)
		c.Vertices = append(c.Vertices, bnav.Vertex{U: 7, V: 7, H: h}, bnav.Vertex{U: 9 + float32(i), V: 3}, bnav.Vertex{U: 9 + float32(i), V: 5})
		c.Triangles = append(c.Triangles, bnav.Triangle{V: [3]uint32{a, a + 1, a + 2}, N: [3]int32{-1, -1, -1}})
	}
	return c
}

func TestWeldOldHeights(t *testing.T) {
	for _, test := range []struct{ in, want []float32 }{
		{[]float32{0, 2.5, 5}, []float32{0, 0, 0}},
		{[]float32{0, 2.5, 5.6, 8.5}, []float32{0, 0, 5.6, 5.6}},
		{[]float32{8.5, 5.6, 2.5, 0}, []float32{5.6, 5.6, 0, 0}},
		{[]float32{0, 3, 6.001}, []float32{0, 0, 6.001}}, // 3 m is still welded
	} {
		c := stack(test.in...)
		out := WeldOld(c, 0)
		var got []float32
		for i := range out.Triangles {
			got = append(got, out.Vertices[out.Triangles[i].V[0]].H)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%v: %v, want %v", test.in, got, test.want)
		}
		if !slices.Equal(c.Triangles, stack(test.in...).Triangles) {
			t.Errorf("%v: the pack's triangles changed", test.in)
		}
	}
}

func TestWeldOldPlaces(t *testing.T) {
	c := stack(0, 0)
	c.Vertices[0].U, c.Vertices[0].V = 10.125, 10.375
	c.Vertices[3].U, c.Vertices[3].V = 10.08, 10.42
	c.Vertices = append(c.Vertices, bnav.Vertex{U: 0.03}) // nobody's
	out := WeldOld(c, 0)
	if got := out.Vertices[0]; got.U != 10.1 || got.V != 10.4 {
		t.Errorf("corner at %v, want 10.1, 10.4", got)
	}
	if a, b := out.Triangles[0].V[0], out.Triangles[1].V[0]; a != 0 || b != 0 {
		t.Errorf("corners %d and %d, want 0 both", a, b)
	}
	if out.Vertices[6].U != 0.03 {
		t.Error("a corner of no triangle moved")
	}
}

// Squares whose triangles share no corner are one piece after the weld.
func TestWeldOldJoins(t *testing.T) {
	var verts []bnav.Vertex
	for _, i := range []int{0, 1, 2, 0, 2, 3} {
		v := square4[i]
		v.U += float32(len(verts)) * 0.004
		verts = append(verts, v)
	}
	c := mesh(verts, [3]uint32{0, 1, 2}, [3]uint32{3, 4, 5})
	c.Links = []bnav.Link{{Source: 0, Target: 1}, {Source: 1, Target: 0}}
	if z := clean(t, c); z.Component[1] != 1 {
		t.Fatal("joined before the weld")
	}
	if z := clean(t, WeldOld(c, 0)); z.Component[1] != 0 || !slices.Equal(z.Boundary, []uint8{0b011, 0b110}) {
		t.Errorf("components %v, boundary %03b", z.Component, z.Boundary)
	}
}

// Two corners of a triangle that meet are named by Clean.
func TestWeldOldFaults(t *testing.T) {
	c := stack(0, 0)
	c.Vertices[4].U, c.Vertices[4].V = 7.01, 7.01
	var e *Error
	if _, err := Clean(context.Background(), WeldOld(c, 0), 0, 1); !errors.As(err, &e) || e.Triangle != 1 || e.Zone != "old" {
		t.Errorf("%v, want an error about triangle 1", err)
	}
	for _, index := range []int{-1, 1} {
		if out := WeldOld(c, index); !slices.Equal(out.Triangles, c.Triangles) {
			t.Errorf("zone %d: something changed", index)
		}
	}
	c.Triangles[0].V[0] = 99
	if _, err := Clean(context.Background(), WeldOld(c, 0), 0, 1); !errors.As(err, &e) || e.Triangle != 0 {
		t.Errorf("%v, want an error about triangle 0", err)
	}
}

func TestOld(t *testing.T) {
	for _, test := range []struct {
		version  uint16
		surfaces int
		want     bool
	}{{4, 0, true}, {4, 2, false}, {5, 0, false}} {
		p := &bnav.Pack{Content: *stack(0, 1), Version: test.version}
		if test.surfaces > 0 {
			p.Surfaces = make([]bnav.Surface, test.surfaces)
		}
		if got := Old(p); got != test.want {
			t.Errorf("version %d with %d surfaces: old %t", test.version, test.surfaces, got)
		}
	}
}
