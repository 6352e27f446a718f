package occluder

import (
	"math"

	"wend/geom"
)

// A probe visits the placed triangles near a box, mesh and terrain, for the
// vertical tests. One of column and curtain is set.
type probe struct {
	box     geom.Box
	column  *column
	curtain *curtain
}

// triangle tests a placed triangle and reports whether the answer is known.
func (p *probe) triangle(v0, v1, v2 *geom.Vec3, flipped, terrain bool) bool {
	if p.column != nil {
		p.column.triangle(v0, v1, v2, flipped, terrain)
		return false
	}
	return p.curtain.triangle(v0, v1, v2)
}

func (p *probe) touches(n *node) bool {
	return float64(n.min[0]) <= p.box.Max.X && float64(n.max[0]) >= p.box.Min.X &&
		float64(n.min[2]) <= p.box.Max.Z && float64(n.max[2]) >= p.box.Min.Z &&
		float64(n.min[1]) <= p.box.Max.Y && float64(n.max[1]) >= p.box.Min.Y
}

// run reports whether a triangle settled the answer.
func (p *probe) run(s *Scene) bool {
	return p.descend(s, &s.world, false) || p.descend(s, &s.land, true)
}

func (p *probe) descend(s *Scene, t *tree, terrain bool) bool {
	if len(t.nodes) == 0 {
		return false
	}
	var stack [maxDepth]uint32
	for sp := 1; sp > 0; {
		sp--
		at := stack[sp]
		n := &t.nodes[at]
		if !p.touches(n) {
			continue
		}
		if n.count == 0 {
			stack[sp], stack[sp+1] = n.next, at+1
			sp += 2
			continue
		}
		for _, i := range t.items[n.next : n.next+n.count] {
			if terrain {
				if b := &s.block[i]; b.box.Overlaps(p.box) && p.terrain(s, int(i), b) {
					return true
				}
			} else if in := &s.inst[i]; in.box.Overlaps(p.box) && p.instance(s, in) {
				return true
			}
		}
	}
	return false
}

// instance descends into a template. Nodes are placed into the world rather
// than the box into the template: that works without an inverse, and a placed
// node bounds its placed triangles without any margin for rounding.
func (p *probe) instance(s *Scene, in *instance) bool {
	nodes := s.mesh.nodes
	var stack [maxDepth]uint32
	stack[0] = s.tmpl[in.template].root
	for sp := 1; sp > 0; {
		sp--
		at := stack[sp]
		n := &nodes[at]
		box := placedNode(&in.place, n)
		if !box.Overlaps(p.box) {
			continue
		}
		if n.count == 0 {
			stack[sp], stack[sp+1] = n.next, at+1
			sp += 2
			continue
		}
		for k := n.next; k < n.next+n.count; k++ {
			c := &s.tris[k]
			v0, v1, v2 := in.place.Apply(s.verts[c[0]]), in.place.Apply(s.verts[c[1]]), in.place.Apply(s.verts[c[2]])
			if p.triangle(&v0, &v1, &v2, in.flipped, false) {
				return true
			}
		}
	}
	return false
}

// terrain looks at the cells of a block under the box. Cell (u, v) is cut from
// (u, v+1) to (u+1, v).
func (p *probe) terrain(s *Scene, i int, b *blockBox) bool {
	u0, u1 := s.n.cells(b.x0, p.box.Min.X, p.box.Max.X)
	w0, w1 := s.n.cells(b.z0, p.box.Min.Z, p.box.Max.Z)
	src := &s.src.Blocks[i]
	for w := w0; w <= w1; w++ {
		for u := u0; u <= u1; u++ {
			if src.Hole(s.n.samples, u, w) {
				continue
			}
			p00, p10 := s.src.BlockPoint(i, u, w), s.src.BlockPoint(i, u+1, w)
			p01, p11 := s.src.BlockPoint(i, u, w+1), s.src.BlockPoint(i, u+1, w+1)
			if p.triangle(&p00, &p01, &p10, false, true) || p.triangle(&p10, &p01, &p11, false, true) {
				return true
			}
		}
	}
	return false
}

// cells returns the first and last cell of a block that may hold a triangle
// within reach of lo to hi on one axis; first > last where none does. x0 is
// the block's corner on the axis.
func (n terrainShape) cells(x0, lo, hi float64) (first, last int) {
	at := func(u int) float64 { return x0 + float64(float64(u)*n.cell) }
	most := n.samples - 1
	// The size of a cell differs from n.cell by the rounding of its corners.
	far := math.Abs(x0) + float64(float64(most)*n.cell)
	pad := worldPad + float64(2*sizeShare*(n.cell+float64(far*0x1p-50)))
	first = n.guess(lo - pad - x0)
	for first > 0 && at(first)+pad >= lo {
		first--
	}
	for first < most && at(first+1)+pad < lo {
		first++
	}
	last = n.guess(hi + pad - x0)
	for last < most-1 && at(last+1)-pad <= hi {
		last++
	}
	for last >= 0 && at(last)-pad > hi {
		last--
	}
	return first, last
}

// guess returns the cell at a distance from the corner, within the block.
func (n terrainShape) guess(d float64) int {
	v := d / n.cell
	if !(v > 0) {
		return 0
	}
	return int(min(v, float64(n.samples-2)))
}
