package scene

import (
	"fmt"
	"math"

	"wend/geom"
)

// Validate checks a scene that a program built: indices in range, finite
// coordinates within MaxCoordinate, areas up to MaxArea, rings of at least
// three points, heights in order, radii above 0. The error is a *ValueError
// that names the first field found wrong. The time is linear.
func (s *Scene) Validate() error {
	for i, v := range s.Verts {
		if msg := badPoint(v); msg != "" {
			return &ValueError{fmt.Sprintf("Verts[%d]", i), msg}
		}
	}
	nv, np := uint32(min(len(s.Verts), 1<<32-1)), uint32(min(len(s.Parts), 1<<32-1))
	for i := range s.Tris {
		t := &s.Tris[i]
		for k, v := range t.V {
			if v >= nv {
				return &ValueError{fmt.Sprintf("Tris[%d].V[%d]", i, k), fmt.Sprintf("is %d, but there are %d vertices", v, nv)}
			}
		}
		if t.Part >= np {
			return &ValueError{fmt.Sprintf("Tris[%d].Part", i), fmt.Sprintf("is %d, but there are %d parts", t.Part, np)}
		}
		if err := checkArea(t.Area, "Tris", i); err != nil {
			return err
		}
	}
	for i := range s.Links {
		if err := s.Links[i].validate(i); err != nil {
			return err
		}
	}
	for i := range s.Volumes {
		v := &s.Volumes[i]
		if err := checkPrism("Volumes", i, v.Ring, v.MinY, v.MaxY); err != nil {
			return err
		}
		if err := checkArea(v.Area, "Volumes", i); err != nil {
			return err
		}
	}
	for i := range s.NoGo {
		n := &s.NoGo[i]
		if err := checkPrism("NoGo", i, n.Ring, n.MinY, n.MaxY); err != nil {
			return err
		}
	}
	return nil
}

func (l *Link) validate(i int) error {
	if msg := badPoint(l.From); msg != "" {
		return &ValueError{fmt.Sprintf("Links[%d].From", i), msg}
	}
	if msg := badPoint(l.To); msg != "" {
		return &ValueError{fmt.Sprintf("Links[%d].To", i), msg}
	}
	if !(l.Radius > 0) || l.Radius > MaxCoordinate {
		return &ValueError{fmt.Sprintf("Links[%d].Radius", i), fmt.Sprintf("is %g, want metres above 0", l.Radius)}
	}
	// Navmeshes store it as a float32.
	if !(l.Cost >= 0) || l.Cost > math.MaxFloat32 {
		return &ValueError{fmt.Sprintf("Links[%d].Cost", i), fmt.Sprintf("is %g, want metres from 0 to %g", l.Cost, math.MaxFloat32)}
	}
	return checkArea(l.Area, "Links", i)
}

func checkArea(a AreaID, list string, i int) error {
	if a > MaxArea {
		return &ValueError{fmt.Sprintf("%s[%d].Area", list, i), fmt.Sprintf("is %d, want 0 to %d", a, MaxArea)}
	}
	return nil
}

func checkPrism(list string, i int, ring []geom.Vec2, minY, maxY float64) error {
	if len(ring) < 3 {
		return &ValueError{fmt.Sprintf("%s[%d].Ring", list, i), fmt.Sprintf("has %d points, want at least 3", len(ring))}
	}
	for k, p := range ring {
		if msg := badPoint(geom.Vec3{X: p.X, Z: p.Y}); msg != "" {
			return &ValueError{fmt.Sprintf("%s[%d].Ring[%d]", list, i, k), msg}
		}
	}
	if !(minY <= maxY) {
		return &ValueError{fmt.Sprintf("%s[%d].MinY", list, i), fmt.Sprintf("is %g, but MaxY is %g", minY, maxY)}
	}
	return nil
}

// badPoint says what is wrong with a position; "" when nothing is.
func badPoint(p geom.Vec3) string {
	if !p.IsFinite() {
		return fmt.Sprintf("is (%g, %g, %g), want finite coordinates", p.X, p.Y, p.Z)
	}
	if max(p.X, p.Y, p.Z) > MaxCoordinate || min(p.X, p.Y, p.Z) < -MaxCoordinate {
		return fmt.Sprintf("is (%g, %g, %g), more than %d m from the origin", p.X, p.Y, p.Z, MaxCoordinate)
	}
	return ""
}

// Append adds everything of t to s. Parts with equal fields become one. t
// stays as it is; s shares the rings of volumes and no-go polygons with it.
func (s *Scene) Append(t *Scene) {
	base := uint32(len(s.Verts))
	ids := make(map[Part]uint32, len(s.Parts))
	for i, p := range s.Parts {
		if _, ok := ids[p]; !ok {
			ids[p] = uint32(i)
		}
	}
	part := make([]uint32, len(t.Parts))
	for i, p := range t.Parts {
		id, ok := ids[p]
		if !ok {
			id = uint32(len(s.Parts))
			s.Parts = append(s.Parts, p)
			ids[p] = id
		}
		part[i] = id
	}
	s.Verts = append(s.Verts, t.Verts...)
	for _, tri := range t.Tris {
		for k := range tri.V {
			tri.V[k] += base
		}
		tri.Part = part[tri.Part]
		s.Tris = append(s.Tris, tri)
	}
	s.Links = append(s.Links, t.Links...)
	s.Volumes = append(s.Volumes, t.Volumes...)
	s.NoGo = append(s.NoGo, t.NoGo...)
}
