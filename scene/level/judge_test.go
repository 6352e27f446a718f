package level_test

import (
	"fmt"
	"os"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/scene"
	"wend/scene/level"
	"wend/scene/sample"
)

// read puts a scene through the builder as a file would hold it whose
// coordinates are to(world).
func read(t *testing.T, s *scene.Scene, o *scene.Options, to func(geom.Vec3) geom.Vec3) *scene.Report {
	t.Helper()
	b, err := scene.NewBuilder("town", "test", o)
	if err != nil {
		t.Fatal(err)
	}
	b.Where = func(src uint32) string { return fmt.Sprint("triangle ", src) }
	for _, v := range s.Verts {
		b.Vertex(to(v))
	}
	b.Part("", "")
	for i, tri := range s.Tris {
		b.Triangle(scene.Tri{V: tri.V}, uint32(i))
	}
	_, r, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The walls of a town point up when it lies on its side, so that no share of
// steep faces gives it away by itself.
func TestTownFromOtherTools(t *testing.T) {
	same := func(p geom.Vec3) geom.Vec3 { return p }
	zUp := func(p geom.Vec3) geom.Vec3 { return geom.V3(p.X, -p.Z, p.Y) }
	times := func(f float64, to func(geom.Vec3) geom.Vec3) func(geom.Vec3) geom.Vec3 {
		return func(p geom.Vec3) geom.Vec3 { return to(p).Scale(f) }
	}
	const axis, unit = scene.WarnAxis, scene.WarnUnit
	for _, tc := range []struct {
		name string
		o    scene.Options
		to   func(geom.Vec3) geom.Vec3
		want []scene.WarningCode
	}{
		{"as it is", scene.Options{}, same, nil},
		{"Z-up, not said", scene.Options{}, zUp, []scene.WarningCode{axis}},
		{"Z-up, said", scene.Options{Up: scene.UpZ}, zUp, nil},
		{"Y-up, called Z-up", scene.Options{Up: scene.UpZ}, same, []scene.WarningCode{axis}},
		{"centimetres, not said", scene.Options{}, times(100, same), []scene.WarningCode{unit}},
		{"centimetres, said", scene.Options{Unit: scene.Centimetre}, times(100, same), nil},
		{"centimetres, called inches", scene.Options{Unit: scene.Inch}, times(100, same), nil},
		{"Z-up centimetres, not said", scene.Options{}, times(100, zUp), []scene.WarningCode{axis, unit}},
		{"Z-up centimetres, half said", scene.Options{Up: scene.UpZ}, times(100, zUp), []scene.WarningCode{unit}},
		{"Z-up centimetres, said", scene.Options{Up: scene.UpZ, Unit: scene.Centimetre}, times(100, zUp), nil},
		{"ten towns wide", scene.Options{}, times(10, same), nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := read(t, sample.Town(), &tc.o, tc.to)
			var got []scene.WarningCode
			for _, w := range r.Warnings {
				got = append(got, w.Code)
			}
			if fmt.Sprint(got) != fmt.Sprint(tc.want) {
				t.Errorf("warnings %v, want %v", r.Warnings, tc.want)
			}
		})
	}
}

// No level that people made is suspected when it is read as it should be. Laid
// on its side, one with more ground than walls is; in dungeons and halls the
// walls make as much ground as the floors.
func TestLevelsAreNotSuspected(t *testing.T) {
	dir := wendtest.Data(t, "levels")
	names, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	landscapes := map[string]bool{
		"nav_test.obj": true, "undulating.obj": true, "navcat-crowd-stress.glb": true,
		"three-pathfinding-level.glb": true, "three-pathfinding-level.nav.glb": true,
	}
	for _, file := range names {
		if file.Name() == "README.md" {
			continue
		}
		t.Run(file.Name(), func(t *testing.T) {
			_, r, err := level.Open(os.DirFS(dir), file.Name(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if r.Warned(scene.WarnAxis) || r.Warned(scene.WarnUnit) || r.Warned(scene.WarnWinding) {
				t.Errorf("as it is: %v", r.Warnings)
			}
			_, r, err = level.Open(os.DirFS(dir), file.Name(), &level.Options{Options: scene.Options{Up: scene.UpZ}})
			if err != nil {
				t.Fatal(err)
			}
			if r.Warned(scene.WarnAxis) != landscapes[file.Name()] {
				t.Errorf("on its side, %.0f %% steep: warnings %v, want one about the axis: %v",
					100*r.SteepShare(), r.Warnings, landscapes[file.Name()])
			}
		})
	}
}
