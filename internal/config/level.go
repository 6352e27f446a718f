package config

import (
	"fmt"
	"path"

	"wend/geom"
	"wend/scene"
)

// Suffix is what follows a level's name in the name of the file beside it:
// town.obj has town.wend.toml.
const Suffix = ".wend.toml"

// defaultLinkRadius is how far a link's end may be from the mesh when the
// file does not say: the radius of the default body, in metres.
const defaultLinkRadius = 0.6

// minLinkLength is the shortest link that can mean anything, in metres.
const minLinkLength = 1e-3

// Level is what the file beside a level adds to it. Coordinates are metres,
// Y up: the level's after its own axes and units have been converted.
type Level struct {
	Links   []scene.Link
	Volumes []scene.Volume
	NoGo    []scene.NoGo
	Parts   []PartRule
}

// PartRule marks the parts whose names match.
type PartRule struct {
	Match    string // path.Match pattern for the part's name; "" matches every name
	Material string // the same for its material

	Collider, NoSurface bool

	HasArea    bool // Area is meant
	Area       scene.AreaID
	Unwalkable bool

	where pos
}

// ReadLevel reads a LEVEL.wend.toml file:
//
//	[[link]]
//	name    = "ladder"
//	from    = [3, 0, 4]
//	to      = [3, 5, 4.5]
//	radius  = 0.6           # how far an end may be from the mesh; default 0.6
//	one_way = false
//	area    = 5
//	cost    = 8             # metres of walking it is worth; 0: its length
//	id      = 17            # for the caller
//
//	[[volume]]
//	name  = "pond"
//	ring  = [[0, 0], [8, 0], [8, 6], [0, 6]]    # x and z
//	min_y = -1              # both heights default to everything
//	max_y = 2
//	area  = 2               # or: unwalkable = true
//
//	[[nogo]]
//	name = "garden"
//	ring = [[20, 0], [24, 0], [22, 5]]
//
//	[[part]]
//	match     = "fence*"    # by name, material = "..." by material, or both
//	collider  = true
//
// file is only used in errors. The error is Faults.
func ReadLevel(file string, data []byte) (*Level, error) {
	d, root := parse(file, data)
	if err := d.err(); err != nil {
		return nil, err
	}
	var l Level
	for _, t := range root.tables("link") {
		l.Links = append(l.Links, readLink(t))
	}
	for _, t := range root.tables("volume") {
		v := scene.Volume{Area: readArea(t)}
		v.Name, v.Ring, v.MinY, v.MaxY = readPrism(t)
		t.flag("unwalkable", &v.Unwalkable)
		if t.has("area") == v.Unwalkable {
			d.fault(t.path, "volume%s needs either area or unwalkable = true", quoted(v.Name))
		}
		t.done()
		l.Volumes = append(l.Volumes, v)
	}
	for _, t := range root.tables("nogo") {
		var n scene.NoGo
		n.Name, n.Ring, n.MinY, n.MaxY = readPrism(t)
		t.done()
		l.NoGo = append(l.NoGo, n)
	}
	for _, t := range root.tables("part") {
		l.Parts = append(l.Parts, readPart(t))
	}
	root.done()
	if err := d.err(); err != nil {
		return nil, err
	}
	return &l, nil
}

func readLink(t table) scene.Link {
	k := scene.Link{Radius: defaultLinkRadius}
	t.text("name", &k.Name)
	from := t.point("from", &k.From)
	to := t.point("to", &k.To)
	for _, end := range []string{"from", "to"} {
		if !t.has(end) {
			t.d.fault(t.path, "link%s has no %s", quoted(k.Name), end)
		}
	}
	if from && to && geom.Dist(k.From, k.To) < minLinkLength {
		t.d.fault(t.path+".to", "link%s has both ends in one place", quoted(k.Name))
	}
	t.length("radius", &k.Radius, 1e-3, 1e3)
	t.flag("one_way", &k.OneWay)
	k.Area = readArea(t)
	t.length("cost", &k.Cost, 0, maxCoord)
	id := int64(0)
	t.integer("id", &id, 0, 1<<32-1)
	k.UserID = uint32(id)
	t.done()
	return k
}

func readPrism(t table) (name string, ring []geom.Vec2, minY, maxY float64) {
	minY, maxY = -maxCoord, maxCoord
	t.text("name", &name)
	ring = t.ring("ring")
	t.length("min_y", &minY, -maxCoord, maxCoord)
	t.length("max_y", &maxY, -maxCoord, maxCoord)
	if minY >= maxY {
		at := "max_y"
		if !t.has(at) {
			at = "min_y"
		}
		t.d.fault(join(t.path, at), "min_y %v is not below max_y %v", minY, maxY)
	}
	return name, ring, minY, maxY
}

func readPart(t table) PartRule {
	var r PartRule
	r.where = t.d.place(t.path)
	t.pattern("match", &r.Match)
	t.pattern("material", &r.Material)
	if r.Match == "" && r.Material == "" {
		t.d.fault(t.path, "part has neither match nor material")
	}
	t.flag("collider", &r.Collider)
	t.flag("no_surface", &r.NoSurface)
	r.HasArea = t.has("area")
	r.Area = readArea(t)
	t.flag("unwalkable", &r.Unwalkable)
	if r.HasArea && r.Unwalkable {
		t.d.fault(t.path+".unwalkable", "part has an area and is unwalkable: choose one")
	}
	t.done()
	return r
}

func (t table) pattern(key string, dst *string) {
	t.text(key, dst)
	if _, err := path.Match(*dst, ""); err != nil {
		t.d.fault(join(t.path, key), "%s is %q: not a pattern (* ? [a-z])", key, *dst)
	}
}

func quoted(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" %q", name)
}

// Apply adds the file's contents to a scene whose parts and triangles it
// marks. A rule marks what it says and leaves the rest; a later rule goes over
// an earlier one. The warnings name rules that match no part: most likely a
// misspelt name.
func (l *Level) Apply(file string, s *scene.Scene) (warnings []string) {
	s.Links = append(s.Links, l.Links...)
	s.Volumes = append(s.Volumes, l.Volumes...)
	s.NoGo = append(s.NoGo, l.NoGo...)

	mark := make([]*PartRule, len(s.Parts)) // the last rule that says what ground a part is
	for i := range l.Parts {
		r := &l.Parts[i]
		hit := false
		for j := range s.Parts {
			p := &s.Parts[j]
			if !r.matches(p) {
				continue
			}
			hit = true
			p.Collider = p.Collider || r.Collider
			p.NoSurface = p.NoSurface || r.NoSurface
			if r.HasArea || r.Unwalkable {
				mark[j] = r
			}
		}
		if !hit {
			warnings = append(warnings, fmt.Sprintf("%s:%d:%d: no part of the level matches this rule", file, r.where.line, r.where.col))
		}
	}
	for i := range s.Tris {
		t := &s.Tris[i]
		if int(t.Part) >= len(mark) || mark[t.Part] == nil {
			continue
		}
		r := mark[t.Part]
		t.Unwalkable = r.Unwalkable
		if r.HasArea {
			t.Area = r.Area
		}
	}
	return warnings
}

func (r *PartRule) matches(p *scene.Part) bool {
	return globbed(r.Match, p.Name) && globbed(r.Material, p.Material)
}

func globbed(pattern, name string) bool {
	if pattern == "" {
		return true
	}
	ok, err := path.Match(pattern, name)
	return err == nil && ok
}
