package navmesh

import (
	"fmt"
	"math"

	"wend/geom"
)

// wallState is the scratch memory of DistanceToWall.
type wallState struct {
	seen  []uint32 // epoch in which a polygon was last taken up
	epoch uint32
	todo  []PolyID
	open  [][2]float64 // stretches of an edge that lead on, as parameters
}

// DistanceToWall returns the distance in metres, seen from above, from a place
// to the nearest edge of the surface that leads nowhere (a wall, a drop, the
// edge of a closed polygon), as far as one can walk straight towards it. It is
// limit when there is no such edge within limit.
//
// An error means that an argument is out of range. The time is linear in the
// number of polygons within the result; it allocates nothing after warm-up.
func (q *Query) DistanceToWall(at Location, limit float64, f *Filter) (float64, error) {
	m := q.mesh
	if !m.Valid(at.Poly) {
		return 0, &OptionError{"location", fmt.Sprintf("the mesh has no polygon %d", at.Poly)}
	}
	if err := checkPoint("location", at.Pos); err != nil {
		return 0, err
	}
	if !(limit >= 0 && limit <= PointLimit) {
		return 0, &OptionError{"limit", fmt.Sprintf("want 0 to %d m, got %v", PointLimit, limit)}
	}
	s := &q.wall
	if len(s.seen) < m.Len() {
		s.seen = make([]uint32, m.Len())
	}
	if s.epoch++; s.epoch == 0 {
		clear(s.seen)
		s.epoch = 1
	}
	flags := f.flags()
	best := float64(limit * limit)
	s.seen[at.Poly] = s.epoch
	s.todo = append(s.todo[:0], at.Poly)
	for len(s.todo) > 0 {
		p := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		if m.polys[p].kind != KindGround {
			continue
		}
		corners, links := m.cornersOf(p), m.linksOf(p)
		for e := range corners {
			a, b := corners[e].Wide(), corners[(e+1)%len(corners)].Wide()
			if _, d := geom.ClosestOnSegXZ(at.Pos, a, b); d >= best {
				continue
			}
			s.open = s.open[:0]
			for i := range links {
				k := &links[i]
				if int(k.edge) != e || !flags.open(m.polys[k.to].flags) {
					continue
				}
				right, left := k.right.Wide(), k.left.Wide()
				s.stretch(along(a, b, right), along(a, b, left))
				if _, d := geom.ClosestOnSegXZ(at.Pos, right, left); d < best && s.seen[k.to] != s.epoch {
					s.seen[k.to] = s.epoch
					s.todo = append(s.todo, k.to)
				}
			}
			best = s.closed(at.Pos, a, b, best)
		}
	}
	return math.Sqrt(best), nil
}

// along returns the parameter of p on the segment a-b.
func along(a, b, p geom.Vec3) float64 {
	t, _ := geom.ClosestOnSegXZ(p, a, b)
	return t
}

// stretch adds an open stretch, keeping the list sorted by start.
func (s *wallState) stretch(t0, t1 float64) {
	if t1 < t0 {
		t0, t1 = t1, t0
	}
	s.open = append(s.open, [2]float64{t0, t1})
	for i := len(s.open) - 1; i > 0 && s.open[i][0] < s.open[i-1][0]; i-- {
		s.open[i], s.open[i-1] = s.open[i-1], s.open[i]
	}
}

// closed returns the squared distance from p to the stretches of a-b that no
// open one covers, or best when that is less.
func (s *wallState) closed(p, a, b geom.Vec3, best float64) float64 {
	// Portals are stored rounded to float32: gaps of that size are none.
	const slack = 1e-4
	gap := func(t0, t1 float64) {
		if t1-t0 > slack {
			if _, d := geom.ClosestOnSegXZ(p, geom.Lerp(a, b, t0), geom.Lerp(a, b, t1)); d < best {
				best = d
			}
		}
	}
	t := 0.0
	for _, o := range s.open {
		gap(t, o[0])
		t = max(t, o[1])
	}
	gap(t, 1)
	return best
}
