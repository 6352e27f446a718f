package spanpath

import (
	"math"

	"wend/zone"
)

// maxSkip is how many corners of a line may lie between two waypoints at most,
// themselves counted.
const maxSkip = 64

// driveStep is about how far apart samples on the mesh are, px.
const driveStep = 0.5

// A Drive is what the choice of waypoints looks at.
type Drive struct {
	Zone      *zone.Zone
	Clearance []float32 // px, of each corner
	Heights   []float32 // m, of each corner, or nil where they are not known
	Drops     []Drop    // landings, which all stay
	Need      uint16    // marks that a straight way must run on
}

// Waypoints appends to dst the numbers of the corners of a line where somebody
// who follows it should turn, ascending, the last corner among them and the first
// not. A corner is skipped where one can go straight on: the chord is free of
// walls and runs on marked cells, and lies on the mesh, with half the width of
// the narrowest corner that it skips to either side. A line of fewer than two
// corners has none.
func (g *Ground) Waypoints(dst []int, pts []Point, d *Drive) []int {
	last := len(pts) - 1
	if last < 1 {
		return dst
	}
	if !allSane(pts) {
		return append(dst, last)
	}
	m := &g.scr.mesh
	m.use(d.Zone)
	for at := 0; at+1 < last && g.Err() == nil; {
		limit := min(last, at+maxSkip)
		for _, drop := range d.Drops {
			if at < drop.Index && drop.Index < limit {
				limit = drop.Index
			}
		}
		reach, half := at, 0.0
		for reach < limit && g.straight(pts, at, reach+1, half, d) {
			reach++
			if c := float64(d.Clearance[reach]); reach == at+1 || c < half {
				half = c
			}
		}
		if reach = max(reach, at+1); reach >= last {
			break
		}
		dst = append(dst, reach)
		at = reach
	}
	return append(dst, last)
}

// straight reports whether one can go straight from one corner to another.
func (g *Ground) straight(pts []Point, i, j int, half float64, d *Drive) bool {
	a, b := pts[i], pts[j]
	hp, hq, seed := unknown, unknown, math.NaN()
	if d.Heights != nil {
		hp, hq = d.Heights[i], d.Heights[j]
		seed = float64(hp)
	}
	return g.Sees(View{Need: d.Need, Walls: true}, a, b, hp, hq) && g.drivable(a, b, half, seed)
}

// drivable reports whether the mesh carries the straight way from a to b, and
// the two lines beside it that are half px away, shortened at both ends by as
// much.
func (g *Ground) drivable(a, b Point, half, seed float64) bool {
	m, climb := &g.scr.mesh, g.Rules.Climb
	if !m.carries(a, b, seed, climb) {
		return false
	}
	length := distance(a, b)
	if !(half > 0) || !(length > 0) {
		return true
	}
	eu, ev := (b.U-a.U)/length, (b.V-a.V)/length
	in := math.Min(half, length/2)
	for _, side := range [2]float64{half, -half} {
		p := Point{a.U + float64(eu*in) - float64(ev*side), a.V + float64(ev*in) + float64(eu*side)}
		q := Point{b.U - float64(eu*in) - float64(ev*side), b.V - float64(ev*in) + float64(eu*side)}
		if !m.carries(p, q, seed, climb) {
			return false
		}
	}
	return true
}

// meshIndex lists the triangles of a zone by small squares of its plane, each
// made when it is first asked for. It stays for the next query in the same zone.
type meshIndex struct {
	zone  *zone.Zone
	slots []meshSquare // open addressing; a power of two
	n     int
	tris  []meshTri
	near  []int32
}

// meshTri is a triangle and its box. Corners are float32, so the box is exact.
type meshTri struct {
	t              int32
	u0, v0, u1, v1 float32
}

type meshSquare struct {
	x, y       int32
	first, end int32 // in tris
	used       bool
}

const (
	meshSide  = 2.0     // px
	meshPad   = 1e-3    // px around a triangle; it covers a little more than itself
	mostSlots = 1 << 16 // squares remembered
	mostTris  = 1 << 18 // and triangles in their lists
)

func (m *meshIndex) use(z *zone.Zone) {
	if m.zone != z || m.slots == nil {
		m.zone = z
		m.reset(256)
	}
}

func (m *meshIndex) reset(n int) {
	if len(m.slots) == n {
		clear(m.slots)
	} else {
		m.slots = make([]meshSquare, n)
	}
	m.n, m.tris = 0, m.tris[:0]
}

// at returns the triangles that may cover points of a square.
func (m *meshIndex) at(x, y int32) []meshTri {
	s := m.slot(x, y)
	if s.used {
		return m.tris[s.first:s.end]
	}
	switch {
	case len(m.tris) > mostTris || m.n >= mostSlots/2:
		m.reset(len(m.slots))
		s = m.slot(x, y)
	case 2*(m.n+1) > len(m.slots):
		m.grow()
		s = m.slot(x, y)
	}
	box := zone.Box{
		U0: float64(x)*meshSide - meshPad, V0: float64(y)*meshSide - meshPad,
		U1: float64(x+1)*meshSide + meshPad, V1: float64(y+1)*meshSide + meshPad,
	}
	m.near = m.zone.Near(m.near[:0], box)
	first := int32(len(m.tris))
	for _, t := range m.near {
		if b := m.zone.BoxOf(t); b.Touches(box) {
			m.tris = append(m.tris, meshTri{t, float32(b.U0), float32(b.V0), float32(b.U1), float32(b.V1)})
		}
	}
	*s = meshSquare{x, y, first, int32(len(m.tris)), true}
	m.n++
	return m.tris[s.first:s.end]
}

// slot returns where a square is or would be.
func (m *meshIndex) slot(x, y int32) *meshSquare {
	h := (uint64(uint32(x))<<32 | uint64(uint32(y))) * 0x9e3779b97f4a7c15
	for i := h >> 40; ; i++ {
		s := &m.slots[i&uint64(len(m.slots)-1)]
		if !s.used || s.x == x && s.y == y {
			return s
		}
	}
}

func (m *meshIndex) grow() {
	old := m.slots
	m.slots = make([]meshSquare, 2*len(old))
	for i := range old {
		if old[i].used {
			*m.slot(old[i].x, old[i].y) = old[i]
		}
	}
}

// carries reports whether samples from a to b, about driveStep apart and the
// ends among them, lie on triangles whose mean heights, each the nearest to the one
// before, never differ by more than climb. The first is the nearest to seed, or
// the lowest where seed is not a number. Triangles that are not walkable count.
func (m *meshIndex) carries(a, b Point, seed, climb float64) bool {
	if !a.sane() || !b.sane() {
		return false
	}
	n := max(1, int(distance(a, b)/driveStep))
	on, height := int32(-1), seed
	for i := 0; i <= n; i++ {
		t := float64(i) / float64(n)
		u, v := a.U+float64((b.U-a.U)*t), a.V+float64((b.V-a.V)*t)
		if on >= 0 {
			if _, ok := m.zone.HeightAt(on, u, v); ok {
				continue // no other is nearer to it than itself
			}
		}
		next, h := m.cover(u, v, height)
		if next < 0 || on >= 0 && math.Abs(h-height) > climb {
			return false
		}
		on, height = next, h
	}
	return true
}

// cover returns the triangle over a point whose mean height is nearest to a
// height, or the lowest where that is not a number.
func (m *meshIndex) cover(u, v, height float64) (int32, float64) {
	x, y := int32(math.Floor(u/meshSide)), int32(math.Floor(v/meshSide))
	on, best, at := int32(-1), 0.0, 0.0
	list := m.at(x, y)
	for i := range list {
		b := &list[i]
		if u < float64(b.u0)-meshPad || u > float64(b.u1)+meshPad || v < float64(b.v0)-meshPad || v > float64(b.v1)+meshPad {
			continue
		}
		if _, ok := m.zone.HeightAt(b.t, u, v); !ok {
			continue
		}
		h := m.zone.MeanHeight(b.t)
		d := math.Abs(h - height)
		if height != height {
			d = h
		}
		if on < 0 || d < best {
			on, best, at = b.t, d, h
		}
	}
	return on, at
}
