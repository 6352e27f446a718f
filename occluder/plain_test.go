package occluder

import (
	"slices"

	"wend/geom"
	"wend/pack/ocls"
)

// plain answers every query by a loop over all triangles, without trees and
// without boxes around anything.
type plain struct {
	mesh []placed
	land [][3]geom.Vec3
}

// placed is a triangle of a mesh where it stands.
type placed struct {
	inst, tri    uint32
	t            geom.Vec3
	inv          *[3][3]float64 // nil where the placement has no inverse
	flipped      bool
	local, world [3]geom.Vec3
}

func newPlain(s *ocls.Scene) *plain {
	p := &plain{}
	for i := range s.Instances {
		m := s.Place(i)
		inv, solid := m.Inverse()
		t := &s.Templates[s.Instances[i].Template]
		for k, tri := range t.Tris {
			in := placed{inst: uint32(i), tri: uint32(k), t: m.T, flipped: m.Det() < 0}
			if solid {
				in.inv = &inv
			}
			for c, v := range tri {
				in.local[c] = t.Vertex(v)
				in.world[c] = m.Apply(in.local[c])
			}
			p.mesh = append(p.mesh, in)
		}
	}
	n := int(s.Samples)
	for i := range s.Blocks {
		for w := range n - 1 {
			for u := range n - 1 {
				if s.Blocks[i].Hole(n, u, w) {
					continue
				}
				at := func(du, dw int) geom.Vec3 { return s.BlockPoint(i, u+du, w+dw) }
				p.land = append(p.land, [3]geom.Vec3{at(0, 0), at(0, 1), at(1, 0)}, [3]geom.Vec3{at(1, 0), at(0, 1), at(1, 1)})
			}
		}
	}
	return p
}

func (p *plain) hits(a, b geom.Vec3) []Hit {
	var list []Hit
	for i := range p.mesh {
		in := &p.mesh[i]
		r, v := ray{o: a, d: b.Sub(a)}, &in.world
		if in.inv != nil {
			r, v = ray{o: mul(in.inv, a.Sub(in.t)), d: mul(in.inv, r.d)}, &in.local
		}
		if t, hit := r.cross(&v[0], &v[1], &v[2]); hit {
			list = append(list, Hit{t, in.inst, in.tri})
		}
	}
	slices.SortFunc(list, compareHits)
	return list
}

func (p *plain) column(x, z, lo, hi float64) []Level {
	var list []Level
	add := func(v *[3]geom.Vec3, terrain, flipped bool) {
		y, ok := heightAt(&v[0], &v[1], &v[2], x, z)
		if !ok || y <= lo || y >= hi {
			return
		}
		ny := v[1].Sub(v[0]).Cross(v[2].Sub(v[0])).Y
		if flipped {
			ny = -ny
		}
		list = append(list, Level{y, terrain || ny < 0})
	}
	for i := range p.mesh {
		add(&p.mesh[i].world, false, p.mesh[i].flipped)
	}
	for i := range p.land {
		add(&p.land[i], true, false)
	}
	slices.SortFunc(list, func(a, b Level) int {
		switch {
		case a.Y < b.Y, a.Y == b.Y && !a.Up && b.Up:
			return -1
		case a.Y > b.Y, a.Y == b.Y && a.Up && !b.Up:
			return 1
		}
		return 0
	})
	return list
}

func (p *plain) curtain(a, b geom.Vec3, lo, hi float64) bool {
	c, ok := newCurtain(a, b, lo, hi)
	if !ok {
		return false
	}
	for i := range p.mesh {
		if v := &p.mesh[i].world; c.crosses(&v[0], &v[1], &v[2]) {
			return true
		}
	}
	for i := range p.land {
		if v := &p.land[i]; c.crosses(&v[0], &v[1], &v[2]) {
			return true
		}
	}
	return false
}

// blocked follows the six steps of the drop test on lists of levels.
func (p *plain) blocked(take, land geom.Vec3, climb, height float64) bool {
	floor := func(levels []Level, y float64) (float64, bool) {
		best, found := 0.0, false
		for _, l := range levels {
			if d := l.Y - y; l.Up && d <= climb && -d <= climb {
				best, found = l.Y, true // ascending: the last is the highest
			}
		}
		return best, found
	}
	at := p.column(land.X, land.Z, land.Y-climb-1e-6, max(take.Y, land.Y+climb+1e-6))
	if _, ok := floor(at, land.Y); !ok {
		return false
	}
	for _, l := range at {
		if !l.Up && l.Y > land.Y+climb && l.Y < take.Y {
			return true
		}
	}
	edge, ok := floor(p.column(take.X, take.Z, take.Y-climb-1e-6, take.Y+climb+1e-6), take.Y)
	if !ok {
		return false
	}
	base := max(edge, take.Y)
	return p.curtain(take, land, base+climb, base+height)
}
