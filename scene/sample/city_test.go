package sample

import "testing"

func TestCityIsTheSameEachTime(t *testing.T) {
	a, b := City(2), City(2)
	if len(a.Tris) != len(b.Tris) || len(a.Tris) < 2000 {
		t.Fatalf("%d and %d triangles", len(a.Tris), len(b.Tris))
	}
	for i, v := range a.Verts {
		if v != b.Verts[i] {
			t.Fatalf("vertex %d differs", i)
		}
	}
	if err := a.Validate(); err != nil {
		t.Fatal(err)
	}
}
