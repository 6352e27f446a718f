package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"wend"
	"wend/geom"
	"wend/navmesh"
)

type inspectCmd struct {
	File string `arg:"" help:"Level, navmesh or pack file."`
	JSON bool   `name:"json" help:"Print one JSON document."`
	levelFlags
}

func (inspectCmd) Help() string {
	return `A level is read, not baked: what it holds, what was dropped and why, and what looks wrong with its axis or unit. Of a pack come zones, counts, sections with their sizes, the hashes, and which packs stand beside it.

Examples:

    wend inspect town.bin
    wend inspect town.obj --up z --unit cm
    wend inspect town.bin --json
    wend inspect town.nav.gz`
}

func (c *inspectCmd) Run(e *env) error {
	if err := c.check(); err != nil {
		return err
	}
	if kind, err := packKind(c.File); err != nil {
		return badInput(err)
	} else if kind != "" {
		return c.inspectPack(e, kind)
	}
	baked, err := isNavmesh(c.File)
	if err != nil {
		return badInput(err)
	}
	if !baked {
		return c.inspectLevel(e)
	}
	o, err := c.open(e, []string{c.File}, nil)
	if err != nil {
		return err
	}
	info := newMeshInfo(c.File, o.world)
	if c.JSON {
		return writeJSON(e.stdout, info)
	}
	return info.print(e.stdout)
}

func (c *inspectCmd) inspectLevel(e *env) error {
	o, err := c.readLevels(e, []string{c.File}, nil)
	if err != nil {
		return err
	}
	s := o.scene
	if c.JSON {
		return writeJSON(e.stdout, struct {
			Kind string `json:"kind"`
			importReport
			Vertices int `json:"vertices"`
			Links    int `json:"links"`
			Volumes  int `json:"volumes"`
			NoGo     int `json:"nogo"`
		}{"level", newImportReport(o.imports[0]), len(s.Verts), len(s.Links), len(s.Volumes), len(s.NoGo)})
	}
	var b strings.Builder
	b.WriteString(importSummary(o.imports[0]))
	fmt.Fprintf(&b, "  %s, %s, %s, %s\n", plural(len(s.Verts), "point"), plural(len(s.Links), "link"),
		plural(len(s.Volumes), "volume"), plural(len(s.NoGo), "no-go polygon"))
	_, err = io.WriteString(e.stdout, b.String())
	return err
}

// meshInfo is what inspect says about a navmesh.
type meshInfo struct {
	Kind        string       `json:"kind"`
	File        string       `json:"file"`
	Fingerprint string       `json:"fingerprint"`
	Body        bodyInfo     `json:"body"`
	Tiles       int          `json:"tiles"`
	Polygons    int          `json:"polygons"`
	Vertices    int          `json:"vertices"`
	DetailTris  int          `json:"detail_triangles"`
	OffMesh     int          `json:"off_mesh"`
	Min         [3]float64   `json:"min"`
	Max         [3]float64   `json:"max"`
	TileSize    [2]float64   `json:"tile_size"`
	Area        float64      `json:"area"`
	Storeys     int          `json:"storeys"`
	Areas       []areaInfo   `json:"areas"`
	Islands     []islandInfo `json:"islands"` // largest first
}

type bodyInfo struct {
	Radius float64 `json:"radius"`
	Height float64 `json:"height"`
	Climb  float64 `json:"climb"`
}

type areaInfo struct {
	Area     uint8   `json:"area"`
	Polygons int     `json:"polygons"`
	Size     float64 `json:"size"`
}

type islandInfo struct {
	Polygons int        `json:"polygons"`
	Size     float64    `json:"size"`
	At       [3]float64 `json:"at"` // the middle of its first polygon
}

func triple(v geom.Vec3) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

func newMeshInfo(file string, w *wend.World) meshInfo {
	m := w.Mesh(0)
	body := w.Bodies()[0]
	par := m.Params()
	info := meshInfo{
		Kind: "navmesh", File: file, Fingerprint: w.Fingerprint(), Tiles: m.TileLen(), Storeys: m.StoreyCount(),
		Body:     bodyInfo{body.Radius, body.Height, body.MaxClimb},
		TileSize: [2]float64{float64(par.TileWidth), float64(par.TileDepth)},
		Areas:    []areaInfo{}, Islands: []islandInfo{},
	}
	if b := m.Bounds(); !b.IsEmpty() {
		info.Min, info.Max = triple(b.Min), triple(b.Max)
	}
	for _, t := range m.Tiles() {
		info.Vertices += len(t.Verts)
		info.DetailTris += len(t.DetailTris)
		info.OffMesh += len(t.OffMesh)
	}
	var areas [64]areaInfo
	islands := make([]islandInfo, m.IslandCount())
	for id := range navmesh.PolyID(m.Len()) {
		p := m.Poly(id)
		if p.Kind() == navmesh.KindOffMesh {
			continue
		}
		size := p.PlanArea()
		info.Polygons++
		info.Area += size
		a := &areas[p.Area()]
		a.Polygons++
		a.Size += size
		if int(p.Island()) >= len(islands) {
			continue
		}
		is := &islands[p.Island()]
		if is.Polygons == 0 {
			is.At = triple(p.Center())
		}
		is.Polygons++
		is.Size += size
	}
	for i, a := range areas {
		if a.Polygons > 0 {
			a.Area = uint8(i)
			info.Areas = append(info.Areas, a)
		}
	}
	for _, is := range islands {
		if is.Polygons > 0 {
			info.Islands = append(info.Islands, is)
		}
	}
	slices.SortStableFunc(info.Islands, func(a, b islandInfo) int { return cmp.Compare(b.Size, a.Size) })
	return info
}

func (i meshInfo) print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: navmesh for radius %g, height %g, climb %g\n", i.File, i.Body.Radius, i.Body.Height, i.Body.Climb)
	fmt.Fprintf(&b, "  %s, %s, %s, %s, %s\n", plural(i.Tiles, "tile"), plural(i.Polygons, "polygon"), plural(i.Vertices, "corner"),
		plural(i.DetailTris, "detail triangle"), plural(i.OffMesh, "off-mesh link"))
	fmt.Fprintf(&b, "  from %s to %s, %.2f m², %s\n", places(i.Min), places(i.Max), i.Area, plural(i.Storeys, "storey"))
	for _, a := range i.Areas {
		fmt.Fprintf(&b, "  %s: %s, %.2f m²\n", areaName(a.Area), plural(a.Polygons, "polygon"), a.Size)
	}
	for n, is := range i.Islands {
		if n == 10 && len(i.Islands) > 11 {
			fmt.Fprintf(&b, "  and %d smaller islands\n", len(i.Islands)-n)
			break
		}
		fmt.Fprintf(&b, "  island %d: %s, %.2f m², at %s\n", n+1, plural(is.Polygons, "polygon"), is.Size, places(is.At))
	}
	fmt.Fprintf(&b, "  fingerprint %s\n", i.Fingerprint)
	_, err := io.WriteString(w, b.String())
	return err
}

func places(v [3]float64) string { return fmt.Sprintf("%.2f,%.2f,%.2f", v[0], v[1], v[2]) }
