package spanbake

import (
	"math/rand/v2"

	"wend/pack/bnav"
)

// mesh builds zones of quads for tests. Corners at the same place are one.
type mesh struct {
	c     bnav.Content
	index map[bnav.Vertex]uint32
}

func newMesh() *mesh { return &mesh{index: map[bnav.Vertex]uint32{}} }

func (m *mesh) vertex(v bnav.Vertex) uint32 {
	i, ok := m.index[v]
	if !ok {
		i = uint32(len(m.c.Vertices))
		m.index[v] = i
		m.c.Vertices = append(m.c.Vertices, v)
	}
	return i
}

func (m *mesh) tri(a, b, c bnav.Vertex, area uint8, flags uint32) {
	m.c.Triangles = append(m.c.Triangles, bnav.Triangle{V: [3]uint32{m.vertex(a), m.vertex(b), m.vertex(c)}})
	m.c.Surfaces = append(m.c.Surfaces, bnav.Surface{Area: area, Flags: flags})
}

// sheet adds a floor of nx by ny squares of a side, whose corners have the
// heights that h gives; skip leaves squares out.
func (m *mesh) sheet(u, v, side float32, nx, ny int, h func(i, j int) float32, skip func(i, j int) bool) {
	at := func(i, j int) bnav.Vertex {
		return bnav.Vertex{U: u + side*float32(i), V: v + side*float32(j), H: h(i, j)}
	}
	for j := range ny {
		for i := range nx {
			if skip != nil && skip(i, j) {
				continue
			}
			m.tri(at(i, j), at(i+1, j), at(i+1, j+1), 0, 1)
			m.tri(at(i, j), at(i+1, j+1), at(i, j+1), 0, 1)
		}
	}
}

// zone ends a zone: the triangles since the last one.
func (m *mesh) zone(id uint16, name string) {
	first := uint32(0)
	for _, z := range m.c.Zones {
		first += z.TriCount
	}
	m.c.Zones = append(m.c.Zones, bnav.Zone{
		ID: id, Name: name, FirstTri: first, TriCount: uint32(len(m.c.Triangles)) - first,
		SX: 0.8333333, SY: -0.8333333, FloorY: bnav.NoFloor, Width: 100, Height: 100,
	})
	m.index = map[bnav.Vertex]uint32{} // zones share no corners
}

func (m *mesh) input() *Input {
	joinNeighbours(&m.c)
	return &Input{Content: m.c}
}

func flat(h float32) func(i, j int) float32 { return func(int, int) float32 { return h } }

// randomWorld is a floor with holes, terraces and a deck above a part of it.
func randomWorld(seed uint64) *Input { return randomWorldOf(seed, 26) }

// randomWorldOf is a random world of n by n px.
func randomWorldOf(seed uint64, n int) *Input {
	r := rand.New(rand.NewPCG(seed, 7))
	m := newMesh()
	height := make([]float32, (n+1)*(n+1))
	base := float32(0)
	for j := range n + 1 {
		for i := range n + 1 {
			switch r.IntN(12) {
			case 0:
				base = float32(r.IntN(9)) * 0.6
			case 1:
				base += float32(r.IntN(3)-1) * 0.4
			}
			height[j*(n+1)+i] = base
		}
	}
	hole := make([]bool, n*n)
	for range 30 {
		hole[r.IntN(n*n)] = true
	}
	x0, y0 := float32(r.IntN(200)-100)*0.375, float32(r.IntN(200)-100)*0.375
	m.sheet(x0, y0, 1, n, n, func(i, j int) float32 { return height[j*(n+1)+i] }, func(i, j int) bool { return hole[j*n+i] })
	m.sheet(x0+6, y0+6, 1.5, 9, 9, flat(5+float32(r.IntN(8))*0.5), func(i, j int) bool { return i == 4 && j == 5 })
	m.sheet(x0, y0+10, 0.75, 8, 3, func(i, j int) float32 { return float32(i) * 0.75 }, nil)
	m.zone(1, "test")
	in := m.input()
	at := func(u, v, h float32) bnav.Vertex { return bnav.Vertex{U: x0 + u, V: y0 + v, H: h} }
	for k := range 4 {
		a, b := at(float32(r.IntN(n)), float32(r.IntN(n)), 0), at(float32(r.IntN(n)), float32(r.IntN(n)), 6)
		if a == b {
			continue
		}
		in.Content.OffMesh = append(in.Content.OffMesh, bnav.OffMeshLink{
			Index: uint32(len(in.Content.OffMesh)), ZoneID: 1, Radius: 0.5, CostModifier: 1, DirOK: uint8(1 + k%3),
			Points: [4]bnav.Vertex{a, a, b, b}, StartTri: bnav.NoTriangle, EndTri: bnav.NoTriangle,
		})
	}
	in.Content.OffMeshVersion = 2
	return in
}
