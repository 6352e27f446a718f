package navmesh

import (
	"bufio"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
)

// plan is a mesh for a test, given as convex polygons, counter-clockwise from
// above. Where edges overlap there is a portal.
type plan struct {
	polys [][]geom.Vec3
	areas []uint8 // by polygon; missing ones are 0
	flags []uint16
	walls [][2]geom.Vec3 // parts of edges that are no portals
	links []OffMesh
}

// box returns a rectangle of the ground plane as a polygon.
func box(x0, z0, x1, z1 float64) []geom.Vec3 {
	return []geom.Vec3{{X: x0, Z: z0}, {X: x0, Z: z1}, {X: x1, Z: z1}, {X: x1, Z: z0}}
}

// anticlockwise returns the polygon turned so that it is.
func anticlockwise(vs []geom.Vec3) []geom.Vec3 {
	sum := 0.0
	for i := 2; i < len(vs); i++ {
		sum += geom.Area2(vs[0], vs[i-1], vs[i])
	}
	if sum < 0 {
		out := make([]geom.Vec3, len(vs))
		for i, v := range vs {
			out[len(vs)-1-i] = v
		}
		return out
	}
	return vs
}

// mesh builds the Mesh without the limits of the tile format.
func (p *plan) mesh(tb testing.TB) *Mesh {
	tb.Helper()
	m := &Mesh{tiles: []Tile{{AgentHeight: 2, AgentRadius: 0.6, AgentClimb: 0.9}}, bounds: geom.EmptyBox()}
	b := &builder{m: m, a: &Assembly{}, order: []int{0}}
	type edge struct{ a, b geom.Vec3f }
	whole := map[edge][2]int{}
	for i, vs := range p.polys {
		vs = anticlockwise(vs)
		q := poly{corner: uint32(len(m.corners)), flags: FlagWalk, count: uint8(len(vs))}
		if i < len(p.areas) {
			q.area = p.areas[i]
		}
		if i < len(p.flags) {
			q.flags = p.flags[i]
		}
		m.polys = append(m.polys, q)
		for k, v := range vs {
			m.corners = append(m.corners, v.Narrow())
			whole[edge{v.Narrow(), vs[(k+1)%len(vs)].Narrow()}] = [2]int{i, k}
			m.bounds = m.bounds.Extend(v)
		}
	}
	ground := len(m.polys)
	m.info = []tileInfo{{offPoly: uint32(ground), box: m.bounds}}
	for i := range p.links {
		o := p.links[i]
		o.Poly = uint16(ground + i)
		m.tiles[0].OffMesh = append(m.tiles[0].OffMesh, o)
		cost := float64(o.Cost)
		if cost == 0 {
			cost = geom.Dist(o.From.Wide(), o.To.Wide())
		}
		m.offs = append(m.offs, offLink{poly: PolyID(ground + i), from: NoPoly, to: NoPoly, cost: cost, con: uint32(i), bothWays: o.BothWays})
		m.polys = append(m.polys, poly{corner: uint32(len(m.corners)), flags: FlagWalk, count: 2, kind: KindOffMesh})
		m.corners = append(m.corners, o.From, o.To)
	}
	m.polys = append(m.polys, poly{corner: uint32(len(m.corners))})

	for i := range ground {
		vs := m.cornersOf(PolyID(i))
		for k, a := range vs {
			c := vs[(k+1)%len(vs)]
			if t, ok := whole[edge{c, a}]; ok && len(p.walls) == 0 {
				b.out = append(b.out, outLink{from: PolyID(i), link: link{to: PolyID(t[0]), edge: uint8(k), right: a, left: c}})
				continue
			}
			if ground > 2000 {
				continue // big meshes come without overlaps
			}
			for j := range ground {
				if j != i {
					b.overlap(PolyID(i), k, PolyID(j), p.walls)
				}
			}
		}
	}
	m.index = buildIndex(m)
	b.attach()
	if n := len(b.a.Unattached); n > 0 {
		tb.Fatalf("off-mesh connections without ground: %v", b.a.Unattached)
	}
	b.pack()
	m.survey.take(m)
	m.labelIslands()
	m.indexIslands()
	m.labelPockets()
	return m
}

// overlap adds the portals from edge k of p into q.
func (b *builder) overlap(p PolyID, k int, q PolyID, walls [][2]geom.Vec3) {
	vs := b.m.cornersOf(p)
	from, to := vs[k].Wide(), vs[(k+1)%len(vs)].Wide()
	d := to.Sub(from)
	n := d.Dot(d)
	at := func(v geom.Vec3) float64 { return v.Sub(from).Dot(d) / n }
	on := func(v geom.Vec3) bool { return geom.Dist(geom.Lerp(from, to, at(v)), v) < 1e-9 }
	ws := b.m.cornersOf(q)
	for i := range ws {
		c, e := ws[i].Wide(), ws[(i+1)%len(ws)].Wide()
		if !on(c) || !on(e) {
			continue
		}
		lo, hi := max(0, at(e)), min(1, at(c))
		if lo+1e-9 >= hi {
			continue
		}
		for _, w := range walls {
			if on(w[0]) && on(w[1]) {
				wl, wh := min(at(w[0]), at(w[1])), max(at(w[0]), at(w[1]))
				if wl <= lo+1e-9 && wh >= hi-1e-9 {
					lo = hi
				}
			}
		}
		if lo < hi {
			b.out = append(b.out, outLink{from: p, at: lo, link: link{
				to: q, edge: uint8(k),
				right: geom.Lerp(from, to, lo).Narrow(), left: geom.Lerp(from, to, hi).Narrow(),
			}})
		}
	}
}

// at returns a place on m, the lowest polygon there.
func (m *Mesh) at(tb testing.TB, x, z float64) Location {
	tb.Helper()
	pos := geom.Vec3{X: x, Z: z}
	w := m.index.walk(box32(pos, geom.Vec3{X: 1e-3, Y: PointLimit, Z: 1e-3}))
	best := NoPoly
	for w.next() {
		if w.poly < best && m.contains(w.poly, pos) {
			best = w.poly
		}
	}
	if best == NoPoly {
		tb.Fatalf("no polygon at (%v, %v)", x, z)
	}
	return Location{best, pos}
}

// loadPlan reads a .mesh file, its y up becoming -z.
func loadPlan(tb testing.TB, name string) *plan {
	tb.Helper()
	raw, err := os.ReadFile(wendtest.Data(tb, "meshes", name+".mesh"))
	if err != nil {
		tb.Fatal(err)
	}
	sc := bufio.NewScanner(strings.NewReader(string(raw)))
	sc.Split(bufio.ScanWords)
	next := func() float64 {
		sc.Scan()
		v, err := strconv.ParseFloat(sc.Text(), 64)
		if err != nil {
			tb.Fatal(err)
		}
		return v
	}
	sc.Scan()
	next()
	vs := make([]geom.Vec3, int(next()))
	polys := int(next())
	for i := range vs {
		x, y := next(), next()
		vs[i] = geom.Vec3{X: x, Z: -y}
		for range int(next()) {
			next()
		}
	}
	p := &plan{}
	for range polys {
		n := int(next())
		var out []geom.Vec3
		for range n {
			out = append(out, vs[int(next())])
		}
		for range n {
			next()
		}
		p.polys = append(p.polys, out)
	}
	return p
}

func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol }
