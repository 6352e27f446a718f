package gltf

import (
	"encoding/json"

	"wend/scene"
	"wend/scene/internal/jsonscan"
)

// ground is what extras say about triangles; nil where they say nothing.
type ground struct {
	area     *scene.AreaID
	walkable *bool
}

// over returns g with what it leaves open taken from h.
func (g ground) over(h ground) ground {
	if g.area == nil {
		g.area = h.area
	}
	if g.walkable == nil {
		g.walkable = h.walkable
	}
	return g
}

// apply marks a triangle.
func (g ground) apply(t *scene.Tri) {
	if g.area != nil {
		t.Area = *g.area
	}
	t.Unwalkable = g.walkable != nil && !*g.walkable
}

// extras reads the extras of the object at path p. Extras belong to whoever
// wrote the file: what is not of the form we know is none of our business,
// but a number that cannot be an area is surely a mistake.
func (f *file) extras(raw json.RawMessage, p string) (ground, error) {
	var g ground
	var e struct {
		Area     json.RawMessage `json:"area"`
		Walkable json.RawMessage `json:"walkable"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &e) != nil {
		return g, nil //nolint:nilerr // see above
	}
	if s := jsonscan.New(e.Area); s.Kind() == jsonscan.Number {
		n, err := s.Uint(uint32(scene.MaxArea))
		if err != nil {
			return g, f.invalid(p+".extras.area", "area is %s, want an integer from 0 to %d", clip(string(e.Area)), scene.MaxArea)
		}
		id := scene.AreaID(n)
		g.area = &id
	} else if len(e.Area) > 0 {
		f.warn(p + ".extras.area is not a number and was ignored")
	}
	switch string(e.Walkable) {
	case "true", "false":
		walkable := string(e.Walkable) == "true"
		g.walkable = &walkable
	}
	return g, nil
}
