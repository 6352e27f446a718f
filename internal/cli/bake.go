package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"wend/bake"
	"wend/scene"
)

type bakeCmd struct {
	Levels  []string `arg:"" name:"level" help:"Level files (OBJ, glTF, GLB, triangulation JSON); several make one world."`
	Navmesh string   `placeholder:"X.bin" help:"Save the navmesh as a Detour tile set; a further body B goes to X.B.bin."`
	Report  string   `placeholder:"R.json" help:"Save what the bake found out: areas, islands, skipped regions, time and memory by stage."`
	Radius  *float64 `placeholder:"R" help:"Radius of the body, metres, instead of the profile's."`
	Force   bool     `help:"Overwrite a file that is no navmesh with one."`
	levelFlags
	packFlags
}

func (bakeCmd) Help() string {
	return `A level may have a file beside it, town.wend.toml beside town.obj, that adds links, volumes, no-go polygons and marks on parts.

Examples:

    wend bake town.obj --navmesh town.bin
    wend bake town.glb --navmesh town.bin --radius 0.4 --report town.json
    wend bake town.obj -o town.nav.gz --memory 2000
    wend bake terrain.obj houses.obj --navmesh world.bin --tiled --jobs 4
    wend bake export.obj --up z --unit cm --profile giant.toml --navmesh giant.bin`
}

func (c *bakeCmd) Run(e *env) error {
	if err := checkRadius(c.Radius); err != nil {
		return err
	}
	p, err := c.profile(c.Radius)
	if err != nil {
		return err
	}
	files := c.navmeshFiles(p)
	packs, err := c.checkPack()
	if err != nil {
		return err
	}
	if err := c.checkOutputs(files, packs); err != nil {
		return err
	}
	o, err := c.readLevels(e, c.Levels, c.Radius)
	if err != nil {
		return err
	}
	if !c.Triangulation && !(c.Zones && packs != nil && len(c.Levels) > 1) {
		if err := c.bake(e, o); err != nil {
			return err
		}
	}
	saved, err := c.save(e, o, files)
	if err != nil {
		return err
	}
	var spans *savedPack
	if packs != nil {
		if spans, err = c.savePack(e, o, packs); err != nil {
			return err
		}
	}
	if c.Report != "" {
		if err := writeFile(c.Report, func(w io.Writer) error { return writeReport(w, o, saved, spans) }); err != nil {
			return err
		}
	}
	return printBake(e.stdout, o, saved, spans)
}

// navmeshFiles names the file of each body of a profile, the agent's first.
func (c *bakeCmd) navmeshFiles(p bake.Profile) []string {
	if c.Navmesh == "" {
		return nil
	}
	files := []string{c.Navmesh}
	ext := filepath.Ext(c.Navmesh)
	for i, b := range p.Bodies {
		files = append(files, strings.TrimSuffix(c.Navmesh, ext)+"."+fileWord(b.Name, i+1)+ext)
	}
	return files
}

// fileWord makes a word for a file name out of a body's name.
func fileWord(name string, i int) string {
	word := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return -1
	}, name)
	if word == "" || word != name {
		return fmt.Sprintf("%s%d", word, i)
	}
	return word
}

// checkOutputs refuses bad targets before the work is done. A navmesh only
// replaces a navmesh: a slip of the hand must not overwrite a level.
func (c *bakeCmd) checkOutputs(files, packs []string) error {
	inputs := c.inputs(c.Levels)
	for _, file := range files {
		if err := checkOutput(file, inputs...); err != nil {
			return err
		}
		if !strings.EqualFold(filepath.Ext(file), ".bin") {
			return badInputf("--navmesh %s: the name has to end in .bin", file)
		}
		if c.Force {
			continue
		}
		if ok, err := replaceable(file); err != nil {
			return badInput(err)
		} else if !ok {
			return badInputf("%s exists and is no navmesh; --force overwrites it", file)
		}
	}
	if c.Report != "" {
		if err := checkOutput(c.Report, inputs...); err != nil {
			return err
		}
	}
	return checkDistinct(append(append(files, packs...), c.Report)...)
}

// replaceable reports whether a navmesh may be written there: nothing, an
// empty file, a device or another navmesh is in the place.
func replaceable(file string) (bool, error) {
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
	var head [4]byte
	n, _ := io.ReadFull(f, head[:]) // a short file is no navmesh
	return bytes.Equal(head[:n], navmeshMagic), nil
}

// savedMesh is a navmesh file that was written.
type savedMesh struct {
	File  string `json:"file"`
	Body  string `json:"body"`
	Bytes int64  `json:"bytes"`
}

// save writes the navmesh of each body. files are in the order of the
// profile, bodies in the world by size.
func (c *bakeCmd) save(e *env, o *opened, files []string) ([]savedMesh, error) {
	var saved []savedMesh
	if o.world == nil {
		return nil, nil
	}
	for i, b := range append([]bake.Body{o.profile.Agent}, o.profile.Bodies...) {
		if i >= len(files) {
			break
		}
		for j, have := range o.world.Bodies() {
			if have != b {
				continue
			}
			if err := e.ctx.Err(); err != nil {
				return nil, err
			}
			s := savedMesh{File: files[i], Body: b.Name}
			err := writeFile(s.File, func(w io.Writer) error {
				n := counter{w: w}
				err := o.world.WriteNavmesh(&n, j)
				s.Bytes = n.n
				return err
			})
			if err != nil {
				return nil, err
			}
			saved = append(saved, s)
		}
	}
	return saved, nil
}

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// printBake prints what was read and made.
func printBake(w io.Writer, o *opened, saved []savedMesh, spans *savedPack) error {
	var b strings.Builder
	for _, r := range o.imports {
		b.WriteString(importSummary(r))
	}
	if o.report != nil {
		for i := range o.report.Bodies {
			b.WriteString(bodySummary(&o.report.Bodies[i]))
		}
	}
	for _, s := range saved {
		fmt.Fprintf(&b, "%s: %d bytes\n", s.File, s.Bytes)
	}
	if spans != nil {
		b.WriteString(packSummary(spans))
	}
	if o.world != nil {
		fmt.Fprintf(&b, "world %s\n", o.world.Fingerprint())
	}
	if len(saved) == 0 && spans == nil {
		b.WriteString("nothing was saved: --navmesh FILE.bin saves the navmesh, -o FILE.nav.gz the span grid\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// importSummary is the reader's report without the warnings, which went to
// standard error.
func importSummary(r *scene.Report) string {
	quiet := *r
	quiet.Warnings = nil
	return quiet.String()
}

func bodySummary(r *bake.BodyReport) string {
	var b strings.Builder
	tiles := "one piece"
	if r.Tiled {
		tiles = plural(r.Tiles, "tile")
	}
	fmt.Fprintf(&b, "%s (radius %g, height %g): %s in %s, %.2f m², %s, %s\n", r.Body, r.Radius, r.Height,
		plural(r.Polygons, "polygon"), tiles, r.Area, plural(len(r.Islands), "island"), shortDuration(r.Total))
	for i, is := range r.Islands {
		if i == 5 && len(r.Islands) > 6 {
			fmt.Fprintf(&b, "  and %d smaller islands\n", len(r.Islands)-i)
			break
		}
		fmt.Fprintf(&b, "  island %d: %s, %.2f m², at %.2f,%.2f,%.2f\n", i+1, plural(is.Polygons, "polygon"), is.Size, is.At.X, is.At.Y, is.At.Z)
	}
	for _, a := range r.Areas {
		if a.Area != 0 {
			fmt.Fprintf(&b, "  %s: %s, %.2f m²\n", areaName(a.Area), plural(a.Polygons, "polygon"), a.Size)
		}
	}
	if r.PrunedPolys > 0 {
		fmt.Fprintf(&b, "  pruned with their islands: %s\n", plural(r.PrunedPolys, "polygon"))
	}
	if r.Slivers > 0 {
		fmt.Fprintf(&b, "  thinner than half a cell: %s\n", plural(r.Slivers, "polygon"))
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(&b, "  skipped region %d of tile %d,%d at %.2f,%.2f,%.2f: %s\n", s.Region, s.TileX, s.TileZ, s.At.X, s.At.Y, s.At.Z, s.Reason)
	}
	for _, u := range r.Unattached {
		fmt.Fprintf(&b, "  link %s leads nowhere: its %s at %s: %s", u.Link, u.End, places(triple(u.At)), u.Cause)
		if u.Distance >= 0 {
			fmt.Fprintf(&b, ", the nearest is %.2f m away", u.Distance)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// areaName names an area id as the user does: the one after the last is what
// no-go polygons cover.
func areaName(id uint8) string {
	if scene.AreaID(id) > scene.MaxArea {
		return "no-go"
	}
	return fmt.Sprintf("area %d", id)
}

// reportFile is the form of --report. Names are fixed; more may be added.
type reportFile struct {
	World   string         `json:"world"`
	Levels  []importReport `json:"levels"`
	Bake    *bake.Report   `json:"bake"`
	Navmesh []savedMesh    `json:"navmesh"`
	Pack    *savedPack     `json:"pack,omitempty"`
}

type importReport struct {
	File       string       `json:"file"`
	Format     string       `json:"format"`
	Triangles  int          `json:"triangles"`
	Read       int          `json:"read"`
	Dropped    []dropReport `json:"dropped"`
	Parts      int          `json:"parts"`
	Min        [3]float64   `json:"min"`
	Max        [3]float64   `json:"max"`
	Area       float64      `json:"area"`
	SteepShare float64      `json:"steep_share"`
	Warnings   []string     `json:"warnings"`
}

type dropReport struct {
	Reason   string   `json:"reason"`
	Count    int      `json:"count"`
	Examples []string `json:"examples"`
}

func newImportReport(r *scene.Report) importReport {
	out := importReport{
		File: r.File, Format: r.Format, Triangles: r.Kept, Read: r.Read, Parts: r.Parts, Area: r.Area, SteepShare: r.SteepShare(),
		Min: triple(r.Bounds.Min), Max: triple(r.Bounds.Max), Dropped: []dropReport{}, Warnings: []string{},
	}
	for _, d := range r.Dropped {
		out.Dropped = append(out.Dropped, dropReport{d.Reason.String(), d.Count, d.Examples})
	}
	for _, w := range r.Warnings {
		out.Warnings = append(out.Warnings, w.Text)
	}
	return out
}

func writeReport(w io.Writer, o *opened, saved []savedMesh, spans *savedPack) error {
	r := reportFile{Bake: o.report, Levels: []importReport{}, Navmesh: []savedMesh{}, Pack: spans}
	if o.world != nil {
		r.World = o.world.Fingerprint()
	}
	for _, i := range o.imports {
		r.Levels = append(r.Levels, newImportReport(i))
	}
	r.Navmesh = append(r.Navmesh, saved...)
	return writeJSON(w, r)
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
