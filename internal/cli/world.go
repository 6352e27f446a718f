package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"wend"
	"wend/bake"
	"wend/internal/config"
	"wend/scene"
	"wend/scene/level"
)

// levelFlags say how level files are read and baked. Every command that takes
// a world has them, since a level is a world that is yet to be baked.
type levelFlags struct {
	Up      string  `enum:"y,z" default:"y" group:"level" help:"Axis of the level file that points up: y or z."`
	Unit    string  `enum:"m,cm,mm,in,ft" default:"m" group:"level" help:"Unit of the level file: m, cm, mm, in or ft."`
	Scale   float64 `default:"1" group:"level" help:"Factor on top of the unit."`
	Profile string  `default:"human" placeholder:"human|reference|FILE.toml" group:"level" help:"Bake profile: a preset, or a TOML file."`
	Tiled   bool    `xor:"tiling" group:"level" help:"Cut the mesh into tiles, whatever the profile says."`
	Untiled bool    `xor:"tiling" group:"level" help:"Make the mesh of one piece, whatever the profile says."`
	Jobs    int     `short:"j" default:"0" help:"Goroutines to work with; 0: one for each processor."`

	// intermediate, when set, is given what the stages of a bake made.
	intermediate func(body string, im *bake.Intermediate)
}

// check refuses values that the grammar cannot.
func (f *levelFlags) check() error {
	if !(f.Scale > 0) || math.IsInf(f.Scale, 0) {
		return badInputf("--scale %v: want a finite number above 0", f.Scale)
	}
	if f.Jobs < 0 || f.Jobs > 4096 {
		return badInputf("--jobs %d: want 0 to 4096", f.Jobs)
	}
	return nil
}

// checkUnused refuses level flags beside a baked navmesh: they would do
// nothing.
func (f *levelFlags) checkUnused(file, what string) error {
	var name string
	switch {
	case f.Up != "y":
		name = "--up"
	case f.Unit != "m":
		name = "--unit"
	case f.Scale != 1:
		name = "--scale"
	case f.Profile != "human":
		name = "--profile"
	case f.Tiled:
		name = "--tiled"
	case f.Untiled:
		name = "--untiled"
	default:
		return nil
	}
	return badInputf("%s is for level files, and %s is a %s that is baked already", name, file, what)
}

func (f *levelFlags) importOptions(maxSlopeDeg float64) (*level.Options, error) {
	up, err := scene.ParseAxis(f.Up)
	if err != nil {
		return nil, badInput(err)
	}
	unit, err := scene.ParseUnit(f.Unit)
	if err != nil {
		return nil, badInput(err)
	}
	return &level.Options{Options: scene.Options{Up: up, Unit: unit, Scale: f.Scale, MaxSlopeDeg: maxSlopeDeg}}, nil
}

// inputs lists the files that a command reads for a world: no output may take
// the place of one.
func (f *levelFlags) inputs(files []string) []string {
	var all []string
	for _, file := range files {
		all = append(append(all, file), besideNames(file)...)
	}
	if f.Profile != "human" && f.Profile != "reference" {
		all = append(all, f.Profile)
	}
	return all
}

// profile reads the bake profile; a radius replaces that of its agent.
func (f *levelFlags) profile(radius *float64) (bake.Profile, error) {
	p := bake.Human()
	switch f.Profile {
	case "human":
	case "reference":
		p = bake.Reference()
	default:
		data, err := os.ReadFile(f.Profile)
		if err != nil {
			return p, badInputf("--profile %s: %w (the presets are human and reference)", f.Profile, withoutPath(err))
		}
		if p, err = config.ReadProfile(f.Profile, data); err != nil {
			return p, badInput(err)
		}
	}
	if radius != nil {
		p.Agent.Radius = *radius
	}
	switch {
	case f.Tiled:
		p.Navmesh.Tiling = bake.TilingOn
	case f.Untiled:
		p.Navmesh.Tiling = bake.TilingOff
	}
	if err := p.Validate(); err != nil {
		return p, badInput(err)
	}
	return p, nil
}

// checkRadius refuses a --radius that was given and makes no sense.
func checkRadius(r *float64) error {
	if r == nil || *r >= 0 && *r <= 1000 {
		return nil
	}
	return badInputf("--radius %v: want 0 to 1000 metres", *r)
}

// opened is a world with what was learnt on the way to it.
type opened struct {
	world *wend.World
	files []string

	// For levels baked on the spot; nil for navmesh files.
	scene   *scene.Scene
	profile bake.Profile
	imports []*scene.Report
	report  *bake.Report
}

// open opens what WORLD names: navmesh files, one for each body, or level
// files, which are baked together in memory.
func (f *levelFlags) open(e *env, files []string, radius *float64) (*opened, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	baked := 0
	for _, file := range files {
		is, err := isNavmesh(file)
		if err != nil {
			return nil, badInput(err)
		}
		if is {
			baked++
		}
	}
	switch {
	case baked == len(files):
		if err := f.checkUnused(files[0], "navmesh"); err != nil {
			return nil, err
		}
		w, err := wend.OpenNavmeshes(diskFS{}, files...)
		if err != nil {
			return nil, badInput(err)
		}
		return &opened{world: w, files: files}, nil
	case baked > 0:
		return nil, badInputf("%s: navmeshes and level files cannot make a world together", strings.Join(files, " "))
	}
	o, err := f.readLevels(e, files, radius)
	if err != nil {
		return nil, err
	}
	return o, f.bake(e, o)
}

// readLevels reads level files into one scene, each with the file beside it.
func (f *levelFlags) readLevels(e *env, files []string, radius *float64) (*opened, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	p, err := f.profile(radius)
	if err != nil {
		return nil, err
	}
	opt, err := f.importOptions(p.Agent.MaxSlopeDeg)
	if err != nil {
		return nil, err
	}
	o := &opened{files: files, profile: p}
	for _, file := range files {
		if err := checkRegular(file); err != nil {
			return nil, badInput(err)
		}
		sc, rep, err := level.Open(&cancelFS{e.ctx, os.DirFS(filepath.Dir(file))}, filepath.Base(file), opt)
		if err != nil {
			return nil, badInput(levelError(file, err))
		}
		rep.File = file
		for _, w := range rep.Warnings {
			e.note("%s: warning: %s", file, w.Text)
		}
		if err := applyBeside(e, file, sc); err != nil {
			return nil, err
		}
		o.imports = append(o.imports, rep)
		if o.scene == nil {
			o.scene = sc
		} else {
			join(o.scene, sc)
		}
	}
	return o, nil
}

// levelError says which file could not be opened in the words of the user.
func levelError(file string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) && pe.Path == filepath.Base(file) {
		return fmt.Errorf("%s: %w", file, pe.Err)
	}
	return err
}

// bake turns the scene that was read into a world.
func (f *levelFlags) bake(e *env, o *opened) error {
	p := e.progress()
	w, rep, err := wend.Bake(e.ctx, o.scene, o.profile, &bake.Options{
		Workers:      f.Jobs,
		Progress:     bakeProgress(p, len(o.profile.Bodies) > 0),
		Intermediate: f.intermediate,
	})
	p.finish()
	if err != nil {
		return bakeError(err)
	}
	o.world, o.report = w, rep
	return nil
}

// bakeError tells bad input from what failed.
func bakeError(err error) error {
	var size *bake.SizeError
	var field *bake.FieldError
	var value *scene.ValueError
	if errors.As(err, &size) || errors.As(err, &field) || errors.As(err, &value) {
		return badInput(err)
	}
	return err
}

// besideNames are the names that the file beside a level may have: town.obj
// has town.wend.toml, or town.obj.wend.toml where town.glb lies there as well.
func besideNames(file string) []string {
	return []string{
		strings.TrimSuffix(file, filepath.Ext(file)) + config.Suffix,
		file + config.Suffix,
	}
}

// applyBeside adds what the file beside a level says, if there is one.
func applyBeside(e *env, file string, sc *scene.Scene) error {
	found := ""
	for _, name := range besideNames(file) {
		if _, err := os.Stat(name); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			return badInput(err)
		}
		if found != "" && found != name {
			return badInputf("%s and %s both belong to %s: keep one", found, name, file)
		}
		found = name
	}
	if found == "" {
		return nil
	}
	data, err := os.ReadFile(found)
	if err != nil {
		return badInput(err)
	}
	l, err := config.ReadLevel(found, data)
	if err != nil {
		return badInput(err)
	}
	for _, w := range l.Apply(found, sc) {
		e.note("%s", w)
	}
	return nil
}

// join appends scene b to a.
func join(a, b *scene.Scene) {
	verts, parts := uint32(len(a.Verts)), uint32(len(a.Parts))
	a.Verts = append(a.Verts, b.Verts...)
	a.Parts = append(a.Parts, b.Parts...)
	a.Tris = slices.Grow(a.Tris, len(b.Tris))
	for _, t := range b.Tris {
		for i := range t.V {
			t.V[i] += verts
		}
		t.Part += parts
		a.Tris = append(a.Tris, t)
	}
	a.Links = append(a.Links, b.Links...)
	a.Volumes = append(a.Volumes, b.Volumes...)
	a.NoGo = append(a.NoGo, b.NoGo...)
}

// navmeshMagic is how a Detour tile set begins: the number 'MSET',
// little-endian.
var navmeshMagic = []byte("TESM")

// checkRegular refuses what is no file that can be read twice: a format is
// told by a first look, and a pipe would be short of what was looked at.
func checkRegular(file string) error {
	return checkFile(file, "a level or a navmesh file", "level or navmesh")
}

// checkFile is checkRegular for a file that should be want, or thing for short.
func checkFile(file, want, thing string) error {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", file, withoutPath(err))
	case info.IsDir():
		return fmt.Errorf("%s: is a folder, want %s", file, want)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: is a pipe or a device; save the %s as a file first", file, thing)
	}
	return nil
}

// isNavmesh tells a navmesh from a level by its first bytes, whatever it is
// called. A file called .bin that is none is taken for a damaged navmesh.
func isNavmesh(file string) (bool, error) {
	if err := checkRegular(file); err != nil {
		return false, err
	}
	f, err := os.Open(file)
	if err != nil {
		return false, fmt.Errorf("%s: %w", file, withoutPath(err))
	}
	defer f.Close()
	var head [4]byte
	n, err := io.ReadFull(f, head[:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, fmt.Errorf("%s: %w", file, withoutPath(err))
	}
	return bytes.Equal(head[:n], navmeshMagic) || strings.EqualFold(filepath.Ext(file), ".bin"), nil
}

// cancelFS is a file system whose files stop to be read when a context ends:
// an interrupt reaches a reader in the middle of a large level.
type cancelFS struct {
	ctx context.Context
	fs.FS
}

func (c *cancelFS) Open(name string) (fs.File, error) {
	f, err := c.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return &cancelFile{f, c.ctx}, nil
}

type cancelFile struct {
	fs.File
	ctx context.Context
}

func (f *cancelFile) Read(p []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	return f.File.Read(p)
}

// diskFS opens the names of the command line as they are; os.DirFS takes
// neither absolute names nor those that climb.
type diskFS struct{}

func (diskFS) Open(name string) (fs.File, error) { return os.Open(name) }
