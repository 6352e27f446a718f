package spanbake

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"wend/bake"
	"wend/geom"
	"wend/internal/detmath"
	"wend/internal/weld"
	"wend/navmesh"
	"wend/pack"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/ocls"
	"wend/scene"
	"wend/spangrid"
)

// Level says how a level becomes the zone of an [Input].
type Level struct {
	Zone string  // name of the zone; default "level"
	Cell float64 // side of a cell, metres; default 0.3

	// Rules are the constants of the fields; nil means the reference ones.
	// [RulesFor] makes them for a body.
	Rules *bnav.Profile

	// WeldHeight is how far two corners at the same place may lie apart in
	// height and still be one, metres; default 0.1. Storeys are farther apart.
	WeldHeight float64

	// What is noted in the pack. Body is what the triangles were made for;
	// the zero Body means that nobody knows.
	Body  bake.Body
	Files []string
	Frame annex.Frame
}

// LevelReport says what became of a level's geometry.
type LevelReport struct {
	Triangles   int      `json:"triangles"`            // of the zone
	Welded      int      `json:"welded"`               // corners that became one with another
	Split       int      `json:"split"`                // edges split where a corner lay on them
	Dropped     int      `json:"dropped"`              // triangles that welding left without area
	NonManifold int      `json:"non_manifold"`         // edges of more than two triangles
	Colliders   int      `json:"colliders"`            // collider triangles
	OffMesh     int      `json:"off_mesh"`             // links
	LinkNames   []string `json:"link_names,omitempty"` // by number in the pack; "" for a link without a name
	Notes       []string `json:"notes"`
}

// Add adds the counts of another level.
func (r *LevelReport) Add(o *LevelReport) {
	r.Triangles += o.Triangles
	r.Welded += o.Welded
	r.Split += o.Split
	r.Dropped += o.Dropped
	r.NonManifold += o.NonManifold
	r.Colliders += o.Colliders
	r.OffMesh += o.OffMesh
	r.LinkNames = append(r.LinkNames, o.LinkNames...)
	r.Notes = append(r.Notes, o.Notes...)
}

// storeyShare is the share of a body's height that a step down may have before
// it is a fall: the bump of the reference constants for a body of 2 m.
const storeyShare = 0.625

// RulesFor returns the constants of a profile for the body its triangles are
// made for: slope and step are the body's on cells of the profile's side, all
// else the reference constants, as far as the profile does not say otherwise.
// Nil means the reference constants. The error is *InputError for numbers that
// contradict each other.
func RulesFor(profile *bake.Profile) (*bnav.Profile, error) {
	s, b := &profile.Span, &profile.Agent
	p := pack.ReferenceProfile()
	set := func(dst *float64, v float64) {
		if v != 0 {
			*dst = v
		}
	}
	if !s.Reference {
		p.StepUp = math.Max(b.MaxClimb, 1e-3) // a step of nothing is not allowed
		p.BumpUp = math.Max(p.BumpUp, p.StepUp)
		// Storeys lie at least the body's height over one another: what is
		// farther down than a part of it must not be a step away, or steps
		// would lead through floors.
		p.Climb = math.Max(math.Min(p.Climb, b.Height*storeyShare), p.BumpUp)
	}
	deg := s.SlopeDeg
	if deg == 0 && !s.Reference {
		deg = math.Max(b.MaxSlopeDeg, 0.1) // nor is a slope of nothing
	}
	if deg < 0 || deg >= 90 {
		return nil, &InputError{What: fmt.Sprintf("span.slope_deg %v, want 0 to less than 90 degrees", deg)}
	}
	if deg != 0 {
		p.Slope = detmath.TanDeg(math.Min(deg, 89)) * profile.Navmesh.Cell / spangrid.Side
		p.MergeHeight = p.Slope * spangrid.Side
	}
	set(&p.Climb, s.Climb)
	set(&p.StepUp, s.StepUp)
	set(&p.BumpUp, s.BumpUp)
	if s.Climb == 0 {
		p.Climb = math.Max(p.Climb, p.BumpUp)
	}
	set(&p.WallHeight, s.WallHeight)
	set(&p.LandingBand, s.Band)
	set(&p.Lambda, s.Lambda*spangrid.Side)
	if s.BumpCells != 0 {
		p.BumpCells = int32(s.BumpCells)
	}
	if s.DipCells != 0 {
		p.DipCells = int32(s.DipCells)
	}
	if what := p.Fault(); what != "" {
		return nil, &InputError{What: what}
	}
	if p == pack.ReferenceProfile() {
		return nil, nil
	}
	name := profile.Name
	if len(name) > pack.MaxProfileName || !utf8.ValidString(name) {
		name = ""
	}
	return &bnav.Profile{Profile: p, Name: name}, nil
}

// Kinds of ground in bnav.Surface.Flags: bit 0 is ground, bit 1 what an author
// closed; the bit of the area is set as well, as far as there is one.
const (
	flagGround = 1 << 0
	flagClosed = 1 << 1
)

func surface(area uint8, walkable bool) bnav.Surface {
	if !walkable {
		return bnav.Surface{Area: area, Flags: flagClosed}
	}
	s := bnav.Surface{Area: area, Flags: flagGround}
	if area < 32 && area != 1 {
		s.Flags |= 1 << area
	}
	return s
}

// soup is triangles on their way into a zone.
type soup struct {
	verts   []geom.Vec3
	tris    [][3]uint32
	surface []bnav.Surface
}

// FromNavmesh makes an Input of a navmesh: the triangles of its detailed
// surface, welded across tiles. sc gives links and colliders; it may be nil. What
// a volume marked keeps its area; no-go ground stays walkable here, since a
// planner is told of it when it plans.
func FromNavmesh(ctx context.Context, m *navmesh.Mesh, sc *scene.Scene, o *Level) (*Input, *LevelReport, error) {
	s := &soup{}
	tiles := m.Tiles()
	for i := range tiles {
		s.addTile(&tiles[i])
	}
	return s.input(ctx, sc, o)
}

// addTile adds the detail triangles of a navmesh tile.
func (s *soup) addTile(t *navmesh.Tile) {
	base := uint32(len(s.verts))
	for _, v := range t.Verts {
		s.verts = append(s.verts, geom.V3(float64(v.X), float64(v.Y), float64(v.Z)))
	}
	detail := uint32(len(s.verts))
	for _, v := range t.DetailVerts {
		s.verts = append(s.verts, geom.V3(float64(v.X), float64(v.Y), float64(v.Z)))
	}
	for i := range t.Polys {
		p := &t.Polys[i]
		if p.Kind != navmesh.KindGround || i >= len(t.DetailSubs) {
			continue
		}
		sub := t.DetailSubs[i]
		for _, d := range t.DetailTris[sub.TriBase:][:sub.TriCount] {
			var tri [3]uint32
			for k, v := range d.V {
				if v < p.Count {
					tri[k] = base + uint32(p.Verts[v])
				} else {
					tri[k] = detail + sub.VertBase + uint32(v-p.Count)
				}
			}
			s.tris = append(s.tris, tri)
			s.surface = append(s.surface, surface(p.Area, true))
		}
	}
}

// FromTriangles makes an Input of a level whose triangles are walkable ground
// already, as an engine exports its own navigation mesh: corners are welded, and
// edges split where corners of others lie on them.
func FromTriangles(ctx context.Context, sc *scene.Scene, o *Level) (*Input, *LevelReport, error) {
	s := &soup{verts: sc.Verts}
	for i := range sc.Tris {
		t := &sc.Tris[i]
		if sc.Parts[t.Part].NoSurface {
			continue
		}
		s.tris = append(s.tris, t.V)
		s.surface = append(s.surface, surface(uint8(t.Area), !t.Unwalkable))
	}
	return s.input(ctx, sc, o)
}

// weldPlan is how far two corners may lie apart seen from above and still be
// one, metres.
const weldPlan = 1e-3

// input welds the triangles and makes a zone of them.
func (s *soup) input(ctx context.Context, sc *scene.Scene, o *Level) (*Input, *LevelReport, error) {
	l := Level{}
	if o != nil {
		l = *o
	}
	if l.Zone == "" {
		l.Zone = "level"
	}
	if l.Cell == 0 {
		l.Cell = 0.3
	}
	if l.WeldHeight == 0 {
		l.WeldHeight = 0.1
	}
	if !(l.Cell >= 0.01 && l.Cell <= 100) {
		return nil, nil, &InputError{What: fmt.Sprintf("cell of %v metres, want 0.01 to 100", l.Cell)}
	}
	if len(s.tris) == 0 {
		return nil, nil, &InputError{l.Zone, "no triangle"}
	}
	w, err := weld.Weld(ctx, s.verts, s.tris, weld.Options{Tol: weldPlan, HeightTol: l.WeldHeight})
	if err != nil {
		return nil, nil, err
	}
	rep := &LevelReport{
		Triangles: len(w.Tris), Welded: w.Welded, Split: w.Split,
		Dropped: len(w.Dropped), NonManifold: len(w.NonManifold),
	}
	in := &Input{}
	c := &in.Content
	c.Profile = l.Rules
	z := bnav.Zone{ID: 1, Name: l.Zone, TriCount: uint32(len(w.Tris)), FloorY: bnav.NoFloor}
	placeZone(&z, w.Verts, l.Cell)
	c.Vertices = make([]bnav.Vertex, len(w.Verts))
	for i, v := range w.Verts {
		c.Vertices[i] = onPlane(&z, v)
	}
	c.Triangles = make([]bnav.Triangle, len(w.Tris))
	c.Surfaces = make([]bnav.Surface, len(w.Tris))
	for i, t := range w.Tris {
		c.Triangles[i].V = t
		c.Surfaces[i] = s.surface[w.Source[i]]
	}
	joinNeighbours(c)
	c.Zones = []bnav.Zone{z}
	if b := l.Body; b != (bake.Body{}) {
		in.Bodies = []annex.Body{{ID: z.ID, Radius: b.Radius, Headroom: b.Height, MaxClimb: b.MaxClimb, MaxSlopeDeg: b.MaxSlopeDeg}}
	}
	if len(l.Files) > 0 {
		in.Levels = &annex.Levels{Frame: l.Frame, Zones: []annex.ZoneLevels{{ID: z.ID, Files: l.Files, Parts: partNames(sc)}}}
	}
	if sc != nil {
		if o := NewOverhead(sc, &z); o != nil {
			in.Overhead = map[uint16]*Overhead{z.ID: o}
		}
		for i := range sc.NoGo {
			n := &sc.NoGo[i]
			in.NoGo = append(in.NoGo, annex.NoGo{ID: z.ID, Name: n.Name, Ring: n.Ring, MinY: n.MinY, MaxY: n.MaxY})
		}
		addLinks(c, &c.Zones[0], sc.Links, rep)
		if in.Colliders, err = colliders(l.Zone, sc, rep); err != nil {
			return nil, nil, err
		}
	}
	return in, rep, nil
}

// placeZone ties the plane of a zone to the world: a cell is so many metres,
// and the origin lies on a corner of a tile near the zone's least corner, so that
// coordinates are small wherever the level lies, and tiles stay where they are
// when the level grows by less than that.
func placeZone(z *bnav.Zone, verts []geom.Vec3, cell float64) {
	const tile = 512
	box := geom.EmptyBox()
	for _, v := range verts {
		box = box.Extend(v)
	}
	scale := float32(spangrid.Side / cell)
	step := tile * spangrid.Side // px
	origin := func(least float64) float64 { return math.Floor(least*float64(scale)/step) * step }
	x, y := origin(box.Min.X), origin(box.Min.Z)
	z.SX, z.TX = scale, float32(-x)
	z.SY, z.TY = -scale, float32(-y)
	z.Width = float32(math.Ceil(box.Max.X*float64(scale) - x))
	z.Height = float32(math.Ceil(box.Max.Z*float64(scale) - y))
}

// onPlane maps a point of the world to the plane of a zone.
func onPlane(z *bnav.Zone, p geom.Vec3) bnav.Vertex {
	u, v := z.ToPlane(p.X, p.Z)
	return bnav.Vertex{U: float32(u), V: float32(v), H: float32(p.Y)}
}

// addLinks adds the off-mesh links of a level.
func addLinks(c *bnav.Content, z *bnav.Zone, links []scene.Link, rep *LevelReport) {
	for i := range links {
		l := &links[i]
		from, to := onPlane(z, l.From), onPlane(z, l.To)
		m := bnav.OffMeshLink{
			Index: uint32(len(c.OffMesh)), ZoneID: z.ID, Area: int32(l.Area), Bidirectional: 1, DirOK: 3,
			Radius: float32(l.Radius), CostModifier: 1, Points: [4]bnav.Vertex{from, from, to, to},
			StartTri: bnav.NoTriangle, EndTri: bnav.NoTriangle,
		}
		if l.OneWay {
			m.Bidirectional, m.DirOK = 0, 1
		}
		if d := geom.Dist(l.From, l.To); l.Cost > d && d > 0 {
			m.CostModifier = float32(l.Cost / d)
		}
		c.OffMesh = append(c.OffMesh, m)
		rep.LinkNames = append(rep.LinkNames, l.Name)
	}
	if len(c.OffMesh) > 0 {
		c.OffMeshVersion = 2
	}
	rep.OffMesh = len(c.OffMesh)
}

// colliders packs the parts of a level that block sight and drops.
func colliders(zone string, sc *scene.Scene, rep *LevelReport) ([]ocls.Named, error) {
	mesh := colliderMesh(sc)
	rep.Colliders = len(mesh.Tris)
	if len(mesh.Tris) == 0 {
		return nil, nil
	}
	world := &ocls.World{
		Meshes:     []ocls.Mesh{mesh},
		Placements: []ocls.Placement{{Mesh: 0, Affine: ocls.Affine{A: [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}},
	}
	s, q, err := ocls.Quantize(world, nil)
	if err != nil {
		return nil, err
	}
	if q.Dropped > 0 {
		rep.Notes = append(rep.Notes, fmt.Sprintf("%d collider triangles are too small for the pack", q.Dropped))
	}
	return []ocls.Named{{Name: zone, Scene: s}}, nil
}

// colliderMesh returns the triangles of the parts that are colliders. Corners are
// sorted by their coordinates, and triangles by their corners, so that the order
// in which the level lists them does not show.
func colliderMesh(sc *scene.Scene) ocls.Mesh {
	var mesh ocls.Mesh
	for i := range sc.Tris {
		if t := &sc.Tris[i]; sc.Parts[t.Part].Collider {
			for _, v := range t.V {
				mesh.Verts = append(mesh.Verts, sc.Verts[v])
			}
		}
	}
	compare := func(a, b geom.Vec3) int {
		return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y), cmp.Compare(a.Z, b.Z))
	}
	corners := slices.Clone(mesh.Verts) // of the triangles
	slices.SortFunc(mesh.Verts, compare)
	mesh.Verts = slices.CompactFunc(mesh.Verts, func(a, b geom.Vec3) bool { return compare(a, b) == 0 })
	for i := 0; i < len(corners); i += 3 {
		var t [3]uint32
		for k := range t {
			n, _ := slices.BinarySearchFunc(mesh.Verts, corners[i+k], compare)
			t[k] = uint32(n)
		}
		for t[0] > t[1] || t[0] > t[2] {
			t[0], t[1], t[2] = t[1], t[2], t[0]
		}
		mesh.Tris = append(mesh.Tris, t)
	}
	slices.SortFunc(mesh.Tris, func(a, b [3]uint32) int { return slices.Compare(a[:], b[:]) })
	return mesh
}

// maxPartNames bounds the names of parts in a pack.
const maxPartNames = 256

// partNames lists the names of a level's parts, each once: the first ones, as far
// as a pack can hold them.
func partNames(sc *scene.Scene) []string {
	var out []string
	if sc == nil {
		return out
	}
	seen := map[string]bool{}
	for i := range sc.Parts {
		n := sc.Parts[i].Name
		if n == "" || len(n) > pack.MaxName || seen[n] || !utf8.ValidString(n) || strings.ContainsRune(n, 0) {
			continue
		}
		seen[n] = true
		if out = append(out, n); len(out) == maxPartNames {
			break
		}
	}
	return out
}
