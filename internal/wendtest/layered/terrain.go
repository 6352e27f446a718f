// Package layered makes up large worlds of stacked surfaces for benchmarks of
// the pack codecs: hills with houses on them, floors in the houses, bridges over
// a fifth of it. It knows no other package, so that tests of any may use it.
package layered

import "math"

// Terrain is a made-up world. Cells are asked for one by one; the same seed
// gives the same world.
type Terrain struct{ Seed uint32 }

// Sample is a surface in a cell, with the fields a grid record has (flags and
// steps in the bits of the format), those of the columns beside it, and the
// free height above it.
type Sample struct {
	Region       uint32
	H            float32
	Clr          uint16
	Flags, Steps uint8

	Component     uint32
	StepsXor, Seg uint8
	ClrDrop       uint16
	Medial        uint8

	Headroom float64 // m; +Inf = nothing above
}

// Regions is the highest region id.
const Regions = 300

// Flags of the format.
const (
	dead = 1
	walk = 2
	core = 4
)

func (w Terrain) hash(x, y int32) uint32 {
	h := uint32(x)*0x9E3779B1 ^ uint32(y)*0x85EBCA77 ^ w.Seed*0xC2B2AE3D
	h ^= h >> 15
	h *= 0x2C1B3C6D
	h ^= h >> 12
	h *= 0x297A2D39
	return h ^ h>>15
}

// Noise is smooth between lattice points that are step cells apart, 0 to 1.
func (w Terrain) Noise(x, y, step int32) float64 {
	fx, fy := float64(x)/float64(step), float64(y)/float64(step)
	x0, y0 := math.Floor(fx), math.Floor(fy)
	at := func(i, j int32) float64 { return float64(w.hash(int32(x0)+i, int32(y0)+j)&0xffff) / 65535 }
	tx, ty := fx-x0, fy-y0
	a := at(0, 0) + float64(tx*(at(1, 0)-at(0, 0)))
	b := at(0, 1) + float64(tx*(at(1, 1)-at(0, 1)))
	return a + float64(ty*(b-a))
}

// Lattice rounds a height to 1/64 m.
func Lattice(h float64) float32 { return float32(math.RoundToEven(h*64) / 64) }

const block = 160 // cells a side; a third of the blocks have a house

// house tells whether a cell lies in a house, how far it is from its walls, in
// cells, and whether it is as far from one wall as from another.
func (w Terrain) house(x, y int32) (inside bool, dist int32, between bool) {
	bx, by := floorDiv(x, block), floorDiv(y, block)
	if w.hash(bx, by)%3 != 0 {
		return false, block, x-block*bx == 0 || y-block*by == 0
	}
	lx, ly := x-block*bx, y-block*by
	dx, dy := min(lx-20, 139-lx), min(ly-20, 139-ly)
	d := min(dx, dy)
	return d >= 0, max(d, -d-1), d >= 0 && dx == dy
}

func floorDiv(a, b int32) int32 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// Cell appends the surfaces over a cell to dst, by region, then height.
func (w Terrain) Cell(gx, gy int32, dst []Sample) []Sample {
	ground := Lattice(float64(40*w.Noise(gx, gy, 700)) + float64(3*w.Noise(gx, gy, 60)) + float64(0.2*w.Noise(gx, gy, 9)) + float64(0.06*w.Noise(gx, gy, 2)))
	inside, d, between := w.house(gx, gy)
	s := Sample{Clr: uint16(min(2304, d*d)), Flags: walk | core, Component: 1, Headroom: math.Inf(1)}
	switch {
	case d == 0:
		s.Flags = dead | walk
		s.Seg = uint8(w.hash(gx/6, gy/6) & 3)
	case d < 3 && w.hash(gx/4, gy/4)%5 == 0:
		s.Steps = uint8(w.hash(gx/8, gy/8)) & 0x55
		if w.hash(gx/16, gy/16)%3 == 0 {
			s.StepsXor = s.Steps & 0x11
		}
	}
	if between {
		s.Medial = 1
	}
	bridge := Lattice(60 + float64(2*w.Noise(gx, gy, 200)))
	bridged := w.Noise(gx, gy, 300) > 0.8
	if w.Noise(gx, gy, 40) > 0.12 {
		g := s
		g.Region, g.H = 1+uint32(floorDiv(gx, 2000)&3), ground
		if patch := w.Noise(gx, gy, 90); patch > 0.85 { // a slope that can only be left
			g.Component = 2 + w.hash(floorDiv(gx, 90), floorDiv(gy, 90))%5
		}
		if fence := w.Noise(gx, gy, 55); fence > 0.8 { // walls no cell is dead for
			r := int32(12 - 60*(fence-0.8))
			g.ClrDrop = g.Clr - uint16(min(int32(g.Clr), r*r))
		}
		if bridged {
			g.Headroom = float64(bridge) - float64(ground)
		}
		dst = append(dst, g)
	}
	if bridged {
		dst = append(dst, Sample{Region: 9, H: bridge, Clr: 400, Flags: walk | core, Component: 1, Headroom: math.Inf(1)})
	}
	if inside {
		f := s
		bx, by := floorDiv(gx, block), floorDiv(gy, block)
		f.Region, f.H = 10+uint32(bx&15)*16+uint32(by&15), Lattice(45+float64(w.hash(bx, by)%800)/64)
		f.Steps, f.StepsXor = 0, 0
		f.Headroom = 2.75
		if w.hash(bx, by)%5 == 0 { // under a roof
			f.Headroom = 2 + float64(d)/20
		}
		dst = append(dst, f)
	}
	return dst
}
