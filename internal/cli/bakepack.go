package cli

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"

	"wend/pack"
	"wend/pack/annex"
	"wend/scene"
	"wend/spanbake"
	"wend/zone"
)

// packFlags say how the packs of a level are made.
type packFlags struct {
	Out           string `short:"o" placeholder:"X.nav.gz" group:"pack" help:"Save the span grid: X.nav.gz, with X.fields.nav.gz and, where parts are colliders, X.occluder.gz beside it."`
	Zone          string `placeholder:"NAME" group:"pack" help:"Name of the zone in the pack; default: the first level's."`
	Zones         bool   `group:"pack" help:"Each level becomes a zone of its own, named after its file."`
	Triangulation bool   `group:"pack" help:"The level is walkable ground already, as an engine exports its own navigation mesh: no navmesh is baked first."`
	SpanTile      int    `default:"512" placeholder:"N" group:"pack" help:"Side of a tile of the span grid, cells: a multiple of 64 up to 1024."`
	Memory        int64  `placeholder:"MIB" group:"pack" help:"About how much memory the span bake may use, MiB; 0: no limit."`
	Restart       bool   `group:"pack" help:"Do not go on with the work of a bake that was interrupted."`
}

// workSuffix is what the folder of an unfinished bake is called after its
// output.
const workSuffix = ".work"

// checkPack refuses bad flags before the work is done, and returns the files
// that will be written.
func (c *bakeCmd) checkPack() ([]string, error) {
	if c.Out == "" {
		for _, used := range []struct {
			flag string
			set  bool
		}{{"--zone", c.Zone != ""}, {"--zones", c.Zones}, {"--triangulation", c.Triangulation}, {"--memory", c.Memory != 0}} {
			if used.set {
				return nil, badInputf("%s is for the span grid: -o X.nav.gz saves it", used.flag)
			}
		}
		return nil, nil
	}
	if !strings.HasSuffix(c.Out, ".nav.gz") && !strings.HasSuffix(c.Out, ".nav") {
		return nil, badInputf("-o %s: the name has to end in .nav.gz or .nav", c.Out)
	}
	for _, ext := range []string{".nav.gz", ".nav"} {
		if main, ok := strings.CutSuffix(c.Out, ".fields"+ext); ok && main != "" {
			return nil, badInputf("-o %s: that is the name of the fields sidecar of %s", c.Out, main+ext)
		}
	}
	if c.Triangulation && c.Navmesh != "" {
		return nil, badInputf("--navmesh needs a level to bake, and --triangulation says there is none")
	}
	if c.Zones && (c.Zone != "" || c.Navmesh != "") {
		return nil, badInputf("--zones makes several worlds, and --zone and --navmesh are about one")
	}
	if c.Memory < 0 {
		return nil, badInputf("--memory %d: want 0 or more", c.Memory)
	}
	fields, occluder := pack.SideNames(c.Out)
	files := []string{c.Out, fields, occluder}
	for _, file := range files {
		if err := checkOutput(file, c.inputs(c.Levels)...); err != nil {
			return nil, err
		}
	}
	if c.Force {
		return files, nil
	}
	for _, file := range files {
		if ok, err := replaceablePack(file); err != nil {
			return nil, badInput(err)
		} else if !ok {
			return nil, badInputf("%s exists and is no pack; --force overwrites it", file)
		}
	}
	return files, nil
}

// replaceablePack reports whether a pack may be written there: nothing, an
// empty file or another pack is in the place.
func replaceablePack(file string) (bool, error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case err != nil:
		return false, err
	case !info.Mode().IsRegular() || info.Size() == 0:
		return true, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return false, err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(file, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return false, nil //nolint:nilerr // no gzip file is no pack
		}
	}
	var head [4]byte
	n, _ := io.ReadFull(r, head[:]) // a short file is no pack
	switch string(head[:n]) {
	case "BNAV", "BNVF", "OCLS":
		return true, nil
	}
	return false, nil
}

// zoneName names the zone of a pack after a level.
func (c *bakeCmd) zoneName(file string) string {
	if c.Zone != "" {
		return c.Zone
	}
	base := filepath.Base(file)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// savedPack says which files of a pack were written, and what the bake found.
type savedPack struct {
	Files []savedFile           `json:"files"`
	Level *spanbake.LevelReport `json:"level"`
	Bake  *spanbake.Report      `json:"bake"`
}

type savedFile struct {
	File  string `json:"file"`
	Bytes int64  `json:"bytes"`
}

// savePack bakes the span grid and writes its files.
func (c *bakeCmd) savePack(e *env, o *opened, files []string) (*savedPack, error) {
	in, level, err := c.packInputs(e, o)
	if err != nil {
		return nil, spanBakeError(err)
	}
	if !c.Triangulation && in.Bodies[0].Radius == 0 {
		// Nothing keeps the ground on both sides of a wall apart then but the cells
		// that the wall runs through, and gaps of up to three cells are closed.
		e.note("warning: a bake without a radius knows no clearance from walls thinner than %.2g m; --radius %g keeps a cell from them", 3*o.profile.Navmesh.Cell, o.profile.Navmesh.Cell)
	}
	dir := c.Out + workSuffix
	if c.Restart {
		if err := spanbake.Discard(dir); err != nil {
			return nil, err
		}
	}
	if c.Memory > 0 {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(c.Memory << 20))
	}
	p := e.progress()
	res, err := spanbake.Run(e.ctx, in, &spanbake.Options{
		Tile: c.SpanTile, Workers: c.Jobs, Memory: c.Memory << 20, Dir: dir,
		Progress: func(s spanbake.Progress) { p.step(s.Stage, s.Done, s.Total) },
	})
	p.finish()
	if err != nil {
		return nil, spanBakeError(err)
	}
	saved := &savedPack{Level: level, Bake: res.Report}
	// The main pack comes last: as long as it is the old one, the old sidecar
	// or none fits, and the readers of a moment in between are told so.
	for _, f := range []struct {
		name string
		data []byte
	}{{files[2], res.Occluder}, {files[1], res.Fields}, {files[0], res.Main}} {
		if f.data == nil {
			if err := os.Remove(f.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			continue
		}
		if err := pack.WriteFile(f.name, f.data); err != nil {
			return nil, err
		}
		if info, err := os.Stat(f.name); err == nil {
			saved.Files = append(saved.Files, savedFile{f.name, info.Size()})
		}
	}
	return saved, nil
}

// packInputs makes a zone of the levels together, or of each.
func (c *bakeCmd) packInputs(e *env, o *opened) (*spanbake.Input, *spanbake.LevelReport, error) {
	if !c.Zones || len(c.Levels) == 1 {
		return c.packInput(e.ctx, o, c.Levels)
	}
	sum := &spanbake.LevelReport{}
	var list []*spanbake.Input
	for _, file := range c.Levels {
		one, err := c.readLevels(e, []string{file}, c.Radius)
		if err != nil {
			return nil, nil, err
		}
		if !c.Triangulation {
			if err := c.bake(e, one); err != nil {
				return nil, nil, err
			}
		}
		in, level, err := c.packInput(e.ctx, one, []string{file})
		if err != nil {
			return nil, nil, err
		}
		list = append(list, in)
		sum.Add(level)
	}
	in, err := spanbake.Merge(list...)
	return in, sum, err
}

// packInput makes a zone of the level.
func (c *bakeCmd) packInput(ctx context.Context, o *opened, files []string) (*spanbake.Input, *spanbake.LevelReport, error) {
	// The ground is inset by the smallest body to be served; wider ones ask for
	// clearance.
	profile := o.profile
	for _, b := range profile.Bodies {
		if b.Radius < profile.Agent.Radius {
			profile.Agent = b
		}
	}
	rules, err := spanbake.RulesFor(&profile)
	if err != nil {
		return nil, nil, err
	}
	l := &spanbake.Level{
		Zone: c.zoneName(files[0]), Cell: o.profile.Navmesh.Cell,
		Rules: rules,
		Body:  profile.Agent,
		Frame: annex.Frame{Up: c.Up, Unit: c.Unit, Scale: c.unit()},
	}
	for _, file := range files {
		l.Files = append(l.Files, filepath.Base(file))
	}
	if c.Triangulation {
		return spanbake.FromTriangles(ctx, o.scene, l)
	}
	// At the borders of tiles the two sides have floors of their own voxels.
	l.WeldHeight = max(profile.Agent.MaxClimb, o.profile.Navmesh.CellHeight)
	for i, b := range o.world.Bodies() {
		if b == profile.Agent {
			return spanbake.FromNavmesh(ctx, o.world.Mesh(i), o.scene, l)
		}
	}
	return nil, nil, fmt.Errorf("no navmesh of body %s", profile.Agent.Name)
}

// unit returns the metres of a unit of the level file.
func (c *bakeCmd) unit() float64 {
	u, err := scene.ParseUnit(c.Unit)
	if err != nil {
		return c.Scale // the flags were checked: not reached
	}
	return u.Metres() * c.Scale
}

// spanBakeError tells bad input from what failed.
func spanBakeError(err error) error {
	var input *spanbake.InputError
	var memory *spanbake.MemoryError
	var busy *spanbake.BusyError
	var mesh *zone.Error
	if errors.As(err, &input) || errors.As(err, &memory) || errors.As(err, &busy) || errors.As(err, &mesh) {
		return badInput(err)
	}
	return err
}

// packSummary is what a bake of packs prints.
func packSummary(s *savedPack) string {
	var b strings.Builder
	for _, z := range s.Bake.Zones {
		fmt.Fprintf(&b, "zone %s: %s, %s in %s, %s, %s, heights %.2f to %.2f\n", z.Zone,
			plural(int(z.Records), "record"), plural(z.Regions, "region"), plural(z.Tiles[0]*z.Tiles[1], "tile"),
			plural(int(z.Components), "component"), plural(z.Drops, "drop")+" between regions", z.Heights[0], z.Heights[1])
	}
	if s.Level.NonManifold > 0 {
		fmt.Fprintf(&b, "  edges of more than two triangles, closed: %d\n", s.Level.NonManifold)
	}
	if n := s.Bake.Resumed; n > 0 {
		fmt.Fprintf(&b, "  taken over from an interrupted bake: %s\n", plural(n, "finished tile"))
	}
	for _, u := range s.Bake.Unused {
		name := strconv.Itoa(int(u.Link))
		if names := s.Level.LinkNames; int(u.Link) < len(names) && names[u.Link] != "" {
			name = names[u.Link]
		}
		fmt.Fprintf(&b, "  link %s leads nowhere: start %s, end %s\n", name, u.Start, u.End)
	}
	for _, f := range s.Files {
		fmt.Fprintf(&b, "%s: %d bytes\n", f.File, f.Bytes)
	}
	return b.String()
}
