package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"wend/pack"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/pack/ocls"
)

// packInfo is what inspect says about a pack. Parts that a kind of pack does
// not have are left out.
type packInfo struct {
	Kind        string        `json:"kind"` // main pack, fields sidecar, occluder pack
	File        string        `json:"file"`
	FileBytes   int64         `json:"file_bytes"`
	Bytes       int64         `json:"bytes"` // decompressed
	Version     int           `json:"version"`
	BuildHash   string        `json:"build_hash,omitempty"`
	Fingerprint string        `json:"fingerprint"` // of the decompressed bytes
	Profile     *profileInfo  `json:"profile,omitempty"`
	Geometry    *geometryInfo `json:"geometry,omitempty"`
	Zones       []zoneInfo    `json:"zones,omitempty"`
	Grid        *gridInfo     `json:"grid,omitempty"`
	Annex       *annexInfo    `json:"annex,omitempty"` // our own sections
	Belongs     *belongsInfo  `json:"belongs,omitempty"`
	Scenes      []sceneInfo   `json:"scenes,omitempty"`
	Sections    []sectionInfo `json:"sections,omitempty"`
	Sides       []sideInfo    `json:"side_packs,omitempty"`
}

type profileInfo struct {
	Reference bool   `json:"reference"`
	Name      string `json:"name,omitempty"`
	Rules     int    `json:"rules_version"`
}

type geometryInfo struct {
	Vertices       int    `json:"vertices"`
	Triangles      int    `json:"triangles"`
	Links          int    `json:"links"`
	LinksDropped   int    `json:"links_dropped"`
	OffMesh        int    `json:"off_mesh"`
	OffMeshVersion int    `json:"off_mesh_version"`
	Surfaces       bool   `json:"surfaces"`
	ChunkLengths   [3]int `json:"chunk_lengths"`
}

type zoneInfo struct {
	Name      string      `json:"name"`
	ID        int         `json:"id"`
	TierOf    string      `json:"tier_of,omitempty"`
	Triangles int         `json:"triangles"`
	Size      [2]float32  `json:"size"`   // px
	Affine    [4]float32  `json:"affine"` // sx, tx, sy, ty
	World     bool        `json:"world"`  // the affine ties the plane to the world
	Floor     *float32    `json:"floor,omitempty"`
	Grid      *zoneCounts `json:"grid,omitempty"`

	inTable bool // the zone table has it: the numbers above are known
}

type zoneCounts struct {
	Tiles   int    `json:"tiles"`
	Empty   int    `json:"empty_tiles,omitempty"`
	Records uint64 `json:"records"`
	Regions uint32 `json:"regions"`
}

type gridInfo struct {
	Version        int     `json:"version"`
	Tile           float64 `json:"tile"`  // px
	Apron          float64 `json:"apron"` // px
	Bytes          int     `json:"bytes"`
	Records        uint64  `json:"records"`
	BytesPerRecord float64 `json:"bytes_per_record"`
}

// belongsInfo says which main pack a sidecar was made for.
type belongsInfo struct {
	BuildHash   string `json:"build_hash"`
	Fingerprint string `json:"fingerprint"`
	Rules       uint32 `json:"rules_version"`
}

type sceneInfo struct {
	Zone      string `json:"zone"`
	Hidden    bool   `json:"hidden,omitempty"` // a later scene of the same zone counts
	Bytes     int    `json:"bytes"`
	Templates int    `json:"templates"`
	Triangles int    `json:"triangles"`
	Instances int    `json:"instances"`
	Blocks    int    `json:"blocks"`
}

type sectionInfo struct {
	Tag    string `json:"tag"`
	Offset uint64 `json:"offset"`
	Bytes  uint64 `json:"bytes"`
	Known  bool   `json:"known"`
}

type sideInfo struct {
	Kind  string `json:"kind"`
	File  string `json:"file"`
	State string `json:"state"` // found, missing, unusable
	Error string `json:"error,omitempty"`

	// Of a sidecar and an occluder pack.
	Fields *fieldsInfo `json:"fields,omitempty"`
	Scenes []sceneInfo `json:"scenes,omitempty"`
}

type fieldsInfo struct {
	Components uint64 `json:"components"`
	Edges      uint64 `json:"edges"`
	Walls      int    `json:"walls"`
	Landings   int    `json:"landings"`
	Openings   int    `json:"openings"`
	Drops      *int   `json:"drops,omitempty"` // between regions, where they are listed
	Headroom   bool   `json:"headroom"`        // known for each record

	Sections []sectionInfo `json:"sections"`
}

// The tags that readers of each format understand.
var (
	mainTags   = []string{"BGEO", "BOML", "BSRF", "BGRD", "WPRF"}
	fieldsTags = []string{"FCON", "FZON", "FSPN", "FSCC", "FWAL", "FLNK", "FOPN"}
)

func sectionList(list []pack.Section, known []string) []sectionInfo {
	out := make([]sectionInfo, len(list))
	for i, s := range list {
		quoted := strconv.QuoteToASCII(s.Tag) // a tag is any four bytes
		out[i] = sectionInfo{quoted[1 : len(quoted)-1], s.Offset, s.Size, slices.Contains(known, s.Tag) || slices.Contains(annex.Tags(), s.Tag)}
	}
	return out
}

func hex64(v uint64) string { return fmt.Sprintf("%016x", v) }

// inspectPack says what a pack holds.
func (c *inspectCmd) inspectPack(e *env, kind string) error {
	if err := c.checkUnused(c.File, "pack"); err != nil {
		return err
	}
	stat, err := os.Stat(c.File)
	if err != nil {
		return badInput(err)
	}
	data, err := pack.ReadFile(packFS(e), c.File, 0)
	if err != nil {
		return damaged(c.File, packError(err))
	}
	info := &packInfo{File: c.File, FileBytes: stat.Size(), Bytes: int64(len(data)), Fingerprint: hex64(pack.Fingerprint(data))}
	switch kind {
	case magicMain:
		err = info.main(e, data, c.Jobs)
	case magicFields:
		err = info.fields(e, data, c.Jobs)
	case magicOccluder:
		info.Kind, info.Version = "occluder pack", 1
		info.Scenes, err = scenesOf(c.File, data)
	}
	if err != nil {
		return damaged(c.File, err)
	}
	if c.JSON {
		return writeJSON(e.stdout, info)
	}
	return info.print(e.stdout)
}

// damaged marks an error of a pack and says who lists all that is wrong.
func damaged(file string, err error) error {
	if errors.Is(err, pack.ErrOpen) || errors.Is(err, pack.ErrRead) || pack.Kind(err) == "" {
		return badInput(err)
	}
	return badInputf("%w\nall faults: wend verify %s", err, file)
}

// main fills in what a main pack holds and what stands beside it.
func (i *packInfo) main(e *env, data []byte, jobs int) error {
	p, err := bnav.Load(e.ctx, data, &bnav.Options{Name: i.File, Workers: jobs})
	if err != nil {
		return err
	}
	i.Kind, i.Version, i.BuildHash = "main pack", int(p.Version), hex64(p.BuildHash)
	i.Profile = &profileInfo{Reference: p.Profile == nil, Rules: int(p.Rules().RulesVersion)}
	if p.Profile != nil {
		i.Profile.Name = p.Profile.Name
	}
	i.Geometry = &geometryInfo{
		Vertices: len(p.Vertices), Triangles: len(p.Triangles), Links: len(p.Links), LinksDropped: p.LinksDropped,
		OffMesh: len(p.OffMesh), OffMeshVersion: p.OffMeshVersion, Surfaces: p.Surfaces != nil,
		ChunkLengths: [3]int{int(p.ChunkLen.Vertices), int(p.ChunkLen.Triangles), int(p.ChunkLen.Links)},
	}
	names := map[uint32]string{}
	for k := range p.Table {
		names[uint32(p.Table[k].ID)] = p.Table[k].Name
	}
	for k := range p.Table {
		z := &p.Table[k]
		zi := zoneInfo{
			Name: z.Name, ID: int(z.ID), Triangles: int(z.TriCount), Size: [2]float32{z.Width, z.Height},
			Affine: [4]float32{z.SX, z.TX, z.SY, z.TY}, World: !z.IsTier() && z.HasWorld(),
			inTable: true,
		}
		if z.IsTier() {
			zi.TierOf, zi.Triangles = names[z.Components], 0
		}
		if y, ok := z.Floor(); ok {
			zi.Floor = &y
		}
		i.Zones = append(i.Zones, zi)
	}
	i.grid(p.Grid)
	if i.Annex, err = newAnnexInfo(p); err != nil {
		return err
	}
	i.Sections = sectionList(p.Sections, mainTags)
	fields, occluder := pack.SideNames(i.File)
	i.Sides = []sideInfo{sidecarBeside(e, fields, p, jobs), occluderBeside(e, occluder)}
	return e.ctx.Err()
}

// grid fills in the grid, zone by zone.
func (i *packInfo) grid(g *bnav.Grid) {
	if g == nil {
		return
	}
	i.Grid = &gridInfo{Version: int(g.Version), Tile: g.Tile, Apron: g.Apron, Bytes: g.PackedLen()}
	for k := range g.Zones {
		z := &g.Zones[k]
		n := zoneCounts{Tiles: len(z.Tiles), Records: z.Records(), Regions: z.GlobalRegions}
		for t := range z.Tiles {
			if z.Tiles[t].Records == 0 {
				n.Empty++
			}
		}
		i.Grid.Records += n.Records
		at := -1
		for m := range i.Zones {
			if i.Zones[m].Name == z.Name {
				at = m
			}
		}
		if at < 0 { // a grid may have zones that the zone table lacks
			i.Zones = append(i.Zones, zoneInfo{Name: z.Name})
			at = len(i.Zones) - 1
		}
		i.Zones[at].Grid = &n
	}
	if i.Grid.Records > 0 {
		i.Grid.BytesPerRecord = float64(i.Grid.Bytes) / float64(i.Grid.Records)
	}
}

// sidecarBeside says what the fields sidecar of a main pack holds.
func sidecarBeside(e *env, name string, p *bnav.Pack, jobs int) sideInfo {
	side := sideInfo{Kind: "fields sidecar", File: name, State: "found"}
	f, err := bnvf.Open(e.ctx, packFS(e), name, p, &bnvf.Options{Workers: jobs})
	if side.failed(err) {
		return side
	}
	n := &fieldsInfo{Landings: len(f.Landings), Openings: len(f.Openings), Sections: sectionList(f.Sections, fieldsTags)}
	for k := range f.Zones {
		g, err := f.Graphs(k)
		if side.failed(err) {
			return side
		}
		for _, r := range g.Regions() {
			graph, _ := g.Region(r)
			n.Components += uint64(graph.Components)
			n.Edges += uint64(len(graph.Edges))
		}
		w, err := f.Walls(k)
		if side.failed(err) {
			return side
		}
		n.Walls += w.Len()
	}
	if side.failed(n.annexOfFields(f)) {
		return side
	}
	side.Fields = n
	return side
}

func occluderBeside(e *env, name string) sideInfo {
	side := sideInfo{Kind: "occluder pack", File: name, State: "found"}
	data, err := pack.ReadFile(packFS(e), name, 0)
	if side.failed(err) {
		return side
	}
	side.Scenes, err = scenesOf(name, data)
	side.failed(err)
	return side
}

// failed notes why a side pack cannot be used.
func (s *sideInfo) failed(err error) bool {
	switch {
	case err == nil:
		return false
	case errors.Is(err, fs.ErrNotExist):
		s.State = "missing"
	default:
		s.State, s.Error = "unusable", packError(err).Error()
	}
	return true
}

// fields fills in what a sidecar says of itself, and looks for its main pack.
func (i *packInfo) fields(e *env, data []byte, jobs int) error {
	h, sections, err := bnvf.ReadHeader(i.File, data)
	if err != nil {
		return err
	}
	i.Kind, i.Version = "fields sidecar", 2
	i.Belongs = &belongsInfo{hex64(h.BuildHash), hex64(h.Fingerprint), h.RulesVersion}
	i.Sections = sectionList(sections, fieldsTags)
	name := mainOfSidecar(i.File)
	if name == i.File {
		return nil // its name does not tell
	}
	beside := sideInfo{Kind: "main pack", File: name, State: "found"}
	p, err := bnav.Open(e.ctx, packFS(e), name, &bnav.Options{Workers: jobs})
	if !beside.failed(err) {
		var f *bnvf.Fields
		if f, err = bnvf.Load(e.ctx, data, p, &bnvf.Options{Name: i.File, Workers: jobs}); !beside.failed(err) {
			for k := range f.Zones {
				z := &f.Zones[k]
				i.Zones = append(i.Zones, zoneInfo{
					Name: z.Name, Grid: &zoneCounts{Tiles: z.Tiles(), Records: z.Records(), Regions: z.GlobalRegions},
				})
			}
		}
	}
	i.Sides = []sideInfo{beside}
	return e.ctx.Err()
}

// scenesOf lists the collider scenes of an occluder pack.
func scenesOf(name string, data []byte) ([]sceneInfo, error) {
	records, err := ocls.Scan(name, data)
	if err != nil {
		return nil, err
	}
	out := []sceneInfo{}
	for k := range records {
		s, err := records[k].Decode()
		if err != nil {
			return nil, err
		}
		n := sceneInfo{
			Zone: records[k].Name, Hidden: !records[k].Wins, Bytes: len(records[k].Body),
			Templates: len(s.Templates), Instances: len(s.Instances), Blocks: len(s.Blocks),
		}
		for t := range s.Templates {
			n.Triangles += len(s.Templates[t].Tris)
		}
		out = append(out, n)
	}
	return out, nil
}

func (i *packInfo) print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, version %d, %d bytes", i.File, i.Kind, i.Version, i.Bytes)
	if i.FileBytes != i.Bytes {
		fmt.Fprintf(&b, " (%d in the file)", i.FileBytes)
	}
	b.WriteByte('\n')
	if g := i.Geometry; g != nil {
		fmt.Fprintf(&b, "  %d vertices, %s, %s", g.Vertices, plural(g.Triangles, "triangle"), plural(g.Links, "link"))
		if g.LinksDropped > 0 {
			fmt.Fprintf(&b, " (and %d to nowhere)", g.LinksDropped)
		}
		fmt.Fprintf(&b, ", %s\n", plural(g.OffMesh, "off-mesh link"))
	}
	if p := i.Profile; p != nil {
		switch {
		case p.Reference:
			fmt.Fprintf(&b, "  reference profile, rules version %d\n", p.Rules)
		default:
			fmt.Fprintf(&b, "  profile %q, rules version %d\n", p.Name, p.Rules)
		}
	}
	for k := range i.Zones {
		i.Zones[k].print(&b)
	}
	if g := i.Grid; g != nil {
		fmt.Fprintf(&b, "  grid version %d, tiles of %g px with a margin of %g: %d records, %.2f bytes each\n", g.Version, g.Tile, g.Apron, g.Records, g.BytesPerRecord)
	}
	if i.Annex != nil {
		i.Annex.print(&b)
	}
	if h := i.Belongs; h != nil {
		fmt.Fprintf(&b, "  for build hash %s, fingerprint %s, rules version %d\n", h.BuildHash, h.Fingerprint, h.Rules)
	}
	printScenes(&b, "  ", i.Scenes)
	printSections(&b, "  ", i.Sections)
	if i.BuildHash != "" {
		fmt.Fprintf(&b, "  build hash %s\n", i.BuildHash)
	}
	fmt.Fprintf(&b, "  fingerprint %s\n", i.Fingerprint)
	for k := range i.Sides {
		s := &i.Sides[k]
		fmt.Fprintf(&b, "  %s %s: %s", s.Kind, s.File, s.State)
		if s.Error != "" {
			fmt.Fprintf(&b, ": %s", s.Error)
		}
		if f := s.Fields; f != nil {
			fmt.Fprintf(&b, ", %s with %s, %s, %s, %s", plural(int(f.Components), "component"), plural(int(f.Edges), "edge"),
				plural(f.Walls, "wall edge"), plural(f.Landings, "landing"), plural(f.Openings, "opening"))
			if f.Drops != nil {
				fmt.Fprintf(&b, ", %s between regions", plural(*f.Drops, "drop"))
			}
			if f.Headroom {
				b.WriteString(", headroom")
			}
		}
		b.WriteByte('\n')
		if s.Fields != nil {
			printSections(&b, "    ", s.Fields.Sections)
		}
		printScenes(&b, "    ", s.Scenes)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (z *zoneInfo) print(b *strings.Builder) {
	if z.TierOf != "" {
		fmt.Fprintf(b, "  tier %q (id %d) of zone %q", z.Name, z.ID, z.TierOf)
	} else {
		fmt.Fprintf(b, "  zone %q", z.Name)
		if z.inTable {
			fmt.Fprintf(b, " (id %d): %s, %g x %g px", z.ID, plural(z.Triangles, "triangle"), z.Size[0], z.Size[1])
			if z.World {
				fmt.Fprintf(b, ", %g x %g px a metre", z.Affine[0], z.Affine[2])
			}
		}
	}
	if z.Floor != nil {
		fmt.Fprintf(b, ", floor at %g m", *z.Floor)
	}
	if n := z.Grid; n != nil {
		fmt.Fprintf(b, ", %s", plural(n.Tiles, "tile"))
		if n.Empty > 0 {
			fmt.Fprintf(b, " (%d empty)", n.Empty)
		}
		fmt.Fprintf(b, ", %s in %s", plural(int(n.Records), "record"), plural(int(n.Regions), "region"))
	}
	b.WriteByte('\n')
}

func printSections(b *strings.Builder, indent string, list []sectionInfo) {
	for _, s := range list {
		unknown := ""
		if !s.Known {
			unknown = ", unknown"
		}
		fmt.Fprintf(b, "%ssection %s: %s%s\n", indent, s.Tag, plural(int(s.Bytes), "byte"), unknown)
	}
}

func printScenes(b *strings.Builder, indent string, list []sceneInfo) {
	for _, s := range list {
		hidden := ""
		if s.Hidden {
			hidden = ", hidden by a later one"
		}
		fmt.Fprintf(b, "%sscene %q: %s (%s) in %s, %s, %s%s\n", indent, s.Zone, plural(s.Templates, "mesh template"), plural(s.Triangles, "triangle"),
			plural(s.Instances, "place"), plural(s.Blocks, "terrain block"), plural(s.Bytes, "byte"), hidden)
	}
}
