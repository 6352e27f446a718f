package sample

import (
	"wend/geom"
	"wend/scene"
)

// ground is a lattice of square cells of side 1 m with a height at each
// corner and a material in each cell.
type ground struct {
	x0, z0, w, d int
	height       func(x, z int) float64
	surface      func(x, z int) surface // of the cell with the lower corner (x, z)
}

// surface is what a cell of the ground is made of.
type surface struct {
	part, material string
	area           scene.AreaID
	flat           bool // at height 0 whatever the lattice says
	hole           bool // left out: something else is there
}

// add adds the ground to b. Level cells of one surface are joined to large
// rectangles, first along X, then along Z.
func (g *ground) add(b *builder) {
	cells := make([]surface, g.w*g.d)
	level := make([]bool, g.w*g.d)
	for z := range g.d {
		for x := range g.w {
			i := x + z*g.w
			gx, gz := g.x0+x, g.z0+z
			cells[i] = g.surface(gx, gz)
			level[i] = cells[i].flat || g.height(gx, gz) == 0 && g.height(gx+1, gz) == 0 &&
				g.height(gx, gz+1) == 0 && g.height(gx+1, gz+1) == 0
		}
	}
	done := make([]bool, g.w*g.d)
	for z := range g.d {
		for x := range g.w {
			i := x + z*g.w
			if done[i] || cells[i].hole {
				continue
			}
			s := cells[i]
			b.in(s.part, s.material, s.area)
			if !level[i] {
				b.patch(g, g.x0+x, g.z0+z)
				continue
			}
			fits := func(j int) bool { return !done[j] && level[j] && cells[j] == s }
			x1 := x + 1
			for x1 < g.w && fits(x1+z*g.w) {
				x1++
			}
			z1 := z + 1
		grow:
			for z1 < g.d {
				for k := x; k < x1; k++ {
					if !fits(k + z1*g.w) {
						break grow
					}
				}
				z1++
			}
			for k := z; k < z1; k++ {
				for j := x; j < x1; j++ {
					done[j+k*g.w] = true
				}
			}
			b.floor(float64(g.x0+x), float64(g.z0+z), float64(g.x0+x1), float64(g.z0+z1), 0)
		}
	}
}

// patch adds one cell with the heights of its corners.
func (b *builder) patch(g *ground, x, z int) {
	at := func(x, z int) geom.Vec3 { return geom.V3(float64(x), g.height(x, z), float64(z)) }
	b.quad(at(x, z), at(x, z+1), at(x+1, z+1), at(x+1, z))
}

// hill is a round hill that meets the ground without an edge.
type hill struct{ x, z, radius, height float64 }

// at returns the height at a place: h (1 - (d/r)²)² inside, 0 outside. The
// steepest slope is 1.54 h/r.
func (h hill) at(x, z float64) float64 {
	dx, dz := x-h.x, z-h.z
	f := 1 - float64((float64(dx*dx)+float64(dz*dz))/(h.radius*h.radius))
	if f <= 0 {
		return 0
	}
	return h.height * f * f
}
