package spanbake

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"wend/bake"
	"wend/geom"
	"wend/pack/bnav"
	"wend/scene"
	"wend/spangrid"
)

// A ceiling over a whole country is found over each cell, and takes no more
// memory than one over a house.
func TestHugeCeiling(t *testing.T) {
	sc := &scene.Scene{
		Verts: []geom.Vec3{
			geom.V3(-9e5, 7, -9e5), geom.V3(9e5, 7, -9e5), geom.V3(-9e5, 7, 9e5),
			geom.V3(-20, 5, -20), geom.V3(0, 5, -20), geom.V3(-20, 5, 0),
		},
		Parts: make([]scene.Part, 1),
		Tris:  []scene.Tri{{V: [3]uint32{0, 1, 2}}, {V: [3]uint32{3, 4, 5}}},
	}
	z := &bnav.Zone{ID: 1, Name: "a", SX: 1, SY: 1}
	o := NewOverhead(sc, z)
	if len(o.bucket) > 100 {
		t.Errorf("%d squares hold triangles", len(o.bucket))
	}
	for _, test := range []struct {
		u, v float64 // px
		want []float64
	}{
		{-15, 15, []float64{5, 7}},
		{-300, 100, []float64{7}},
		{-5e5, -3e5, []float64{7}},
		{5e5, -5e5, nil},
	} {
		w := spangrid.Window{GX: spangrid.CellOf(test.u), GY: spangrid.CellOf(test.v), NX: 1, NY: 1}
		solid, err := o.columns(context.Background(), w)
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		if solid != nil {
			for _, s := range solid.Spans[solid.Start[0]:solid.Start[1]] {
				got = append(got, o.base+float64(s.Min)*o.voxel)
			}
		}
		ok := len(got) == len(test.want)
		for i := 0; ok && i < len(got); i++ {
			ok = got[i] <= test.want[i] && got[i] > test.want[i]-2*o.voxel
		}
		if !ok {
			t.Errorf("over %v, %v: undersides %v, want %v", test.u, test.v, got, test.want)
		}
	}
}

// A level that is too wide for tiles of its size is refused before anything is
// allocated for them.
func TestTooManyTiles(t *testing.T) {
	sc := &scene.Scene{
		Verts: []geom.Vec3{geom.V3(0, 0, 0), geom.V3(2e5, 0, 0), geom.V3(0, 0, 2e5)},
		Parts: make([]scene.Part, 1),
		Tris:  []scene.Tri{{V: [3]uint32{0, 2, 1}}},
	}
	in, _, err := FromTriangles(context.Background(), sc, &Level{Zone: "a", Cell: 0.3, Body: bake.Body{Radius: 0.5, Height: 2}})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "work")
	_, err = Run(context.Background(), in, &Options{Tile: 64, Dir: dir})
	var input *InputError
	const want = "spanbake: zone a: 666667 x 666667 cells, 108513889 tiles of 64 cells a side, want at most 1048576: look for stray triangles far away, or use larger cells or tiles"
	if !errors.As(err, &input) || err.Error() != want {
		t.Errorf("error %v\nwant  %s", err, want)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a bake that was refused left its work folder: %v", err)
	}
}
