package wend

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"wend/bake"
	"wend/geom"
	"wend/navmesh"
	"wend/navmesh/detour"
	"wend/scene"
	"wend/scene/level"
)

// World is a baked level, for one or several sizes of body. It is immutable
// and safe for concurrent use.
type World struct {
	meshes []bake.BodyMesh // by radius, height, climb, name: the smallest first
	print  string
}

// OpenOptions say how to open a world. nil and the zero value bake levels with
// the profile Human, on all processors.
type OpenOptions struct {
	// For level files: how to read and bake them. Prepare, when set, may
	// change the scene before the bake (add links, volumes, colliders).
	Level   level.Options
	Profile *bake.Profile // nil: bake.Human()
	Bake    bake.Options
	Prepare func(*scene.Scene) error
}

// V3 makes a point of three coordinates in metres, Y up.
func V3(x, y, z float64) geom.Vec3 { return geom.V3(x, y, z) }

// Open opens a navmesh file (.bin, a Detour tile set) or bakes a level file
// (see package scene/level for the formats). A pack is a *PackError: OpenPacks
// opens it.
func Open(fsys fs.FS, name string, o *OpenOptions) (*World, error) {
	return OpenContext(context.Background(), fsys, name, o)
}

// OpenContext is Open under a context, which cancels a bake.
func OpenContext(ctx context.Context, fsys fs.FS, name string, o *OpenOptions) (*World, error) {
	switch {
	case strings.EqualFold(path.Ext(name), ".bin"):
		return OpenNavmeshes(fsys, name)
	case isPackName(name):
		return nil, &PackError{name}
	}
	if o == nil {
		o = &OpenOptions{}
	}
	sc, _, err := level.Open(fsys, name, &o.Level)
	if err != nil {
		return nil, err
	}
	if o.Prepare != nil {
		if err := o.Prepare(sc); err != nil {
			return nil, err
		}
	}
	p := bake.Human()
	if o.Profile != nil {
		p = *o.Profile
	}
	w, _, err := Bake(ctx, sc, p, &o.Bake)
	return w, err
}

// Bake bakes a scene into a world; see bake.Run for the errors.
func Bake(ctx context.Context, in *scene.Scene, p bake.Profile, o *bake.Options) (*World, *bake.Report, error) {
	res, err := bake.Run(ctx, in, p, o)
	if err != nil {
		return nil, nil, err
	}
	return newWorld(res.Meshes), &res.Report, nil
}

// OpenNavmeshes opens one navmesh file for each body of a world. The files say
// what body they were made for; the world's bodies are named after them.
func OpenNavmeshes(fsys fs.FS, names ...string) (*World, error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("wend: no navmesh file named")
	}
	meshes := make([]bake.BodyMesh, 0, len(names))
	for _, name := range names {
		m, err := openNavmesh(fsys, name)
		if err != nil {
			return nil, err
		}
		b := bake.Body{Name: strings.TrimSuffix(path.Base(name), path.Ext(name))}
		if tiles := m.Tiles(); len(tiles) > 0 {
			b.Radius, b.Height, b.MaxClimb = decimal(tiles[0].AgentRadius), decimal(tiles[0].AgentHeight), decimal(tiles[0].AgentClimb)
		}
		meshes = append(meshes, bake.BodyMesh{Body: b, Mesh: m})
	}
	return newWorld(meshes), nil
}

func openNavmesh(fsys fs.FS, name string) (*navmesh.Mesh, error) {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, fmt.Errorf("wend: %w", err)
	}
	params, tiles, err := detour.Read(data, name)
	if err != nil {
		return nil, err
	}
	m, _, err := navmesh.New(params, tiles)
	if err != nil {
		return nil, fmt.Errorf("wend: %s: %w", name, err)
	}
	return m, nil
}

// NewWorld makes a world of meshes that the caller has assembled, for example
// from an engine's own polygons, each with the body it was made for.
func NewWorld(meshes ...bake.BodyMesh) *World { return newWorld(meshes) }

func newWorld(meshes []bake.BodyMesh) *World {
	w := &World{meshes: slices.Clone(meshes)}
	slices.SortStableFunc(w.meshes, func(a, b bake.BodyMesh) int {
		return cmp.Or(
			cmp.Compare(a.Body.Radius, b.Body.Radius),
			cmp.Compare(a.Body.Height, b.Body.Height),
			cmp.Compare(b.Body.MaxClimb, a.Body.MaxClimb),
			cmp.Compare(a.Body.Name, b.Body.Name),
		)
	})
	if len(w.meshes) == 1 {
		w.print = w.meshes[0].Mesh.Fingerprint()
		return w
	}
	h := sha256.New()
	for _, m := range w.meshes {
		io.WriteString(h, m.Mesh.Fingerprint()) // a hash never fails
	}
	w.print = hex.EncodeToString(h.Sum(nil)[:16])
	return w
}

// decimal widens a float32 to the shortest decimal that rounds to it: 0.6
// comes back as 0.6 and not as 0.60000002384.
func decimal(v float32) float64 {
	d, err := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
	if err != nil {
		return float64(v)
	}
	return d
}

// Fingerprint identifies the content of the world: equal for equal meshes on
// every machine. Every route names the world it was planned on by it.
func (w *World) Fingerprint() string { return w.print }

// Bodies returns the bodies the world was made for, the smallest first.
func (w *World) Bodies() []bake.Body {
	out := make([]bake.Body, len(w.meshes))
	for i, m := range w.meshes {
		out[i] = m.Body
	}
	return out
}

// Mesh returns the navmesh of body i, in the order of Bodies.
func (w *World) Mesh(i int) *navmesh.Mesh { return w.meshes[i].Mesh }

// WriteNavmesh writes the navmesh of body i as a Detour tile set.
func (w *World) WriteNavmesh(out io.Writer, i int) error {
	m := w.meshes[i].Mesh
	return detour.Write(out, m.Params(), m.Tiles())
}

// Agent is the body that walks. A field of 0 makes no demand: the zero Agent
// is whatever the smallest body of the world is.
type Agent struct {
	Radius  float64 // metres
	Height  float64 // metres
	MaxStep float64 // metres; the highest step it can climb

	// For Packs. A navmesh has no falls but the links that its author drew, and
	// one clearance for all, so a World refuses them.
	MaxDrop   float64 // metres; the deepest fall: 0 and +Inf mean any depth, a small number like 0.001 none
	Clearance float64 // metres to walls from which on ground is as good as open; routes keep it where that costs little
}

// A NoBodyError says that no mesh of the world fits an agent.
type NoBodyError struct {
	Agent  Agent
	Bodies []bake.Body
}

func (e *NoBodyError) Error() string {
	if len(e.Bodies) == 0 {
		return "wend: the world has no mesh"
	}
	var have strings.Builder
	for i, b := range e.Bodies {
		if i > 0 {
			have.WriteString(", ")
		}
		fmt.Fprintf(&have, "%s (radius %g, height %g, step %g)", b.Name, b.Radius, b.Height, b.MaxClimb)
	}
	agent := fmt.Sprintf("radius %g", e.Agent.Radius)
	if e.Agent.Height > 0 {
		agent += fmt.Sprintf(", height %g", e.Agent.Height)
	}
	if e.Agent.MaxStep > 0 {
		agent += fmt.Sprintf(", step %g", e.Agent.MaxStep)
	}
	return fmt.Sprintf("wend: no mesh fits an agent of %s; there is %s: bake one for that body", agent, have.String())
}

// An AgentError names a field of an Agent that makes no sense.
type AgentError struct {
	Field string
	Value float64
	What  string // "": it is not a length
}

func (e *AgentError) Error() string {
	if e.What != "" {
		return fmt.Sprintf("wend: agent: %s %v %s", e.Field, e.Value, e.What)
	}
	return fmt.Sprintf("wend: agent: %s %v is not a length of at least 0", e.Field, e.Value)
}

// BodyFor returns the index of the smallest body whose mesh is safe for the
// agent: made for a body at least as wide and as high, and for steps no higher
// than the agent can climb. The error is a *NoBodyError or an *AgentError.
func (w *World) BodyFor(a Agent) (int, error) {
	for _, f := range []struct {
		name string
		v    float64
	}{{"radius", a.Radius}, {"height", a.Height}, {"max step", a.MaxStep}} {
		if !(f.v >= 0) || f.v-f.v != 0 {
			return 0, &AgentError{Field: f.name, Value: f.v}
		}
	}
	for _, f := range []struct {
		name string
		v    float64
	}{{"max drop", a.MaxDrop}, {"clearance", a.Clearance}} {
		if f.v != 0 {
			return 0, &AgentError{f.name, f.v, "is for packs: a navmesh cannot honour it"}
		}
	}
	// Files store float32: a body of 0.6 m must fit the mesh made for it.
	const slack = 1e-6
	for i, m := range w.meshes {
		b := m.Body
		if b.Radius >= a.Radius-slack && b.Height >= a.Height-slack && (a.MaxStep == 0 || b.MaxClimb <= a.MaxStep+slack) {
			return i, nil
		}
	}
	return 0, &NoBodyError{a, w.Bodies()}
}
