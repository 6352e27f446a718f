package bake

import (
	"math"
	"path"

	"wend/internal/detmath"
	"wend/internal/heightfield"
	"wend/scene"
)

// noGoArea is the area id that marks ground inside a no-go polygon. It lies
// above scene.MaxArea, so no author can use it.
const noGoArea = scene.MaxArea + 1

// areaCode is the heightfield's code of an area.
func areaCode(a scene.AreaID) uint8 { return uint8(a) + heightfield.Ground }

// surface is the scene as one body sees it: which triangles it can stand on.
type surface struct {
	tris []heightfield.Tri
	// Areas in square metres: all that is solid, the part of it that is steeper
	// than the body can walk, whichever way it faces, and the part that is not
	// and faces down.
	total, steep, down float64
}

// newSurface gives each solid triangle its area code for body b.
func newSurface(sc *scene.Scene, p *Profile, b *Body) *surface {
	rules := make([]AreaRule, len(sc.Parts))
	has := make([]bool, len(sc.Parts))
	for i, part := range sc.Parts {
		for _, r := range p.Areas {
			if matches(r.Part, part.Name) && matches(r.Material, part.Material) {
				rules[i], has[i] = r, true
				break
			}
		}
	}
	// Coordinates often come from float32 files: a slope of exactly the limit
	// must pass in spite of their rounding.
	const slack = 1e-6
	minCos := detmath.CosDeg(b.MaxSlopeDeg) - slack

	s := &surface{tris: make([]heightfield.Tri, 0, len(sc.Tris))}
	for i := range sc.Tris {
		t := &sc.Tris[i]
		if sc.Parts[t.Part].NoSurface {
			continue
		}
		v0, v1, v2 := sc.Verts[t.V[0]], sc.Verts[t.V[1]], sc.Verts[t.V[2]]
		n := v1.Sub(v0).Cross(v2.Sub(v0))
		length := n.Len()
		if !(length > 0) || math.IsInf(length, 0) {
			continue
		}
		area, unwalkable := t.Area, t.Unwalkable
		if has[t.Part] {
			area, unwalkable = rules[t.Part].Area, unwalkable || rules[t.Part].Unwalkable
		}
		flat := float64(minCos * length)
		walkable := n.Y > 0 && n.Y >= flat
		s.total += 0.5 * length
		switch {
		case walkable:
		case n.Y < 0 && -n.Y >= flat:
			s.down += 0.5 * length
		default:
			s.steep += 0.5 * length
		}
		code := heightfield.Unwalkable
		if walkable && !unwalkable {
			code = areaCode(area)
		}
		s.tris = append(s.tris, heightfield.Tri{A: t.V[0], B: t.V[1], C: t.V[2], Area: code})
	}
	return s
}

// matches reports whether pattern is empty or matches name. Patterns have been
// validated, so a bad one cannot get here.
func matches(pattern, name string) bool {
	if pattern == "" {
		return true
	}
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}
