// Package packtest bakes levels into packs for tests.
package packtest

import (
	"context"
	"maps"
	"os"
	"sync"
	"testing"
	"testing/fstest"

	"wend/bake"
	"wend/internal/wendtest"
	"wend/navmesh"
	"wend/pack"
	"wend/scene"
	"wend/scene/level"
	"wend/scene/sample"
	"wend/spanbake"
)

// Name is the name of the main pack in the file systems of this package, Zone
// that of its zone.
const (
	Name = "level.nav"
	Zone = "level"
)

// Bake bakes a scene with the profile human, changed by the function where it is
// not nil. walkable takes the scene's triangles for floor as they are.
func Bake(tb testing.TB, sc *scene.Scene, walkable bool, change func(*bake.Profile)) fstest.MapFS {
	tb.Helper()
	set, err := Make(tb.Context(), sc, walkable, change)
	if err != nil {
		tb.Fatal(err)
	}
	return set
}

// Make is Bake for examples, which have no test.
func Make(ctx context.Context, sc *scene.Scene, walkable bool, change func(*bake.Profile)) (fstest.MapFS, error) {
	set, _, err := makeBoth(ctx, sc, walkable, change)
	return set, err
}

// makeBoth also returns the navmesh, nil where there is none.
func makeBoth(ctx context.Context, sc *scene.Scene, walkable bool, change func(*bake.Profile)) (set fstest.MapFS, mesh *navmesh.Mesh, err error) {
	p := bake.Human()
	if change != nil {
		change(&p)
	}
	rules, err := spanbake.RulesFor(&p)
	if err != nil {
		return nil, nil, err
	}
	l := &spanbake.Level{Zone: Zone, Cell: p.Navmesh.Cell, Rules: rules, Body: p.Agent, Files: []string{"level.obj"}}
	l.Frame.Up, l.Frame.Unit, l.Frame.Scale = "y", "m", 1
	var in *spanbake.Input
	if walkable {
		in, _, err = spanbake.FromTriangles(ctx, sc, l)
	} else {
		var res *bake.Result
		if res, err = bake.Run(ctx, sc, p, nil); err != nil {
			return nil, nil, err
		}
		mesh = res.Meshes[0].Mesh
		l.WeldHeight = p.Agent.MaxClimb
		in, _, err = spanbake.FromNavmesh(ctx, mesh, sc, l)
	}
	if err != nil {
		return nil, nil, err
	}
	set, err = files(ctx, in)
	return set, mesh, err
}

// Run bakes an input.
func Run(tb testing.TB, in *spanbake.Input) fstest.MapFS {
	tb.Helper()
	set, err := files(tb.Context(), in)
	if err != nil {
		tb.Fatal(err)
	}
	return set
}

func files(ctx context.Context, in *spanbake.Input) (fstest.MapFS, error) {
	res, err := spanbake.Run(ctx, in, &spanbake.Options{})
	if err != nil {
		return nil, err
	}
	fields, occluder := pack.SideNames(Name)
	set := fstest.MapFS{Name: &fstest.MapFile{Data: res.Main}, fields: &fstest.MapFile{Data: res.Fields}}
	if res.Occluder != nil {
		data, err := pack.Gzip(res.Occluder, 1)
		if err != nil {
			return nil, err
		}
		set[occluder] = &fstest.MapFile{Data: data}
	}
	return set, nil
}

// Town is the sample town, baked once for all tests of a package, and the navmesh
// that its packs were made from.
func Town(tb testing.TB) (fstest.MapFS, *navmesh.Mesh) {
	tb.Helper()
	t, err := town()
	if err != nil {
		tb.Fatal(err)
	}
	return maps.Clone(t.set), t.mesh
}

type bakedTown struct {
	set  fstest.MapFS
	mesh *navmesh.Mesh
}

var town = sync.OnceValues(func() (t bakedTown, err error) {
	t.set, t.mesh, err = makeBoth(context.Background(), sample.Town(), false, nil)
	return t, err
})

// Level reads a level of the shared data.
func Level(tb testing.TB, file string) *scene.Scene {
	tb.Helper()
	sc, _, err := level.Open(os.DirFS(wendtest.Data(tb, "levels")), file, &level.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return sc
}
