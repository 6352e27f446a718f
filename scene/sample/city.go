package sample

import "wend/scene"

// Measures of City, metres.
const (
	cityBlock  = 48.0 // from street middle to street middle
	cityStreet = 6.0  // half of a street
	cityStorey = 3.5
	citySlab   = 0.3 // thickness of floors and walls

	cityMaxStoreys = 9
)

// City returns n by n blocks of 48 x 48 m from the origin towards +X and +Z:
// streets 12 m wide around buildings of three to nine storeys, each storey with
// rooms and doors, stairs up to a flat roof that one can jump off, and foot
// bridges between some neighbours. It is what large bakes are measured on: a
// block has about 8,000 m2 of floor, most of it in layers. n is at least 1.
//
// It fits the body that Town fits.
func City(n int) *scene.Scene {
	n = max(n, 1)
	b := newBuilder()
	for j := range n {
		for i := range n {
			c := cityHouse{n: n, i: i, j: j}
			c.add(b)
		}
	}
	return b.s
}

// cityHouse is the block in column i and row j.
type cityHouse struct{ n, i, j int }

// at returns the block di columns and dj rows further.
func (c cityHouse) at(di, dj int) cityHouse { return cityHouse{c.n, c.i + di, c.j + dj} }

func (c cityHouse) hash(salt int) uint64 { return hash(c.i*7919+salt, c.j) }

func (c cityHouse) storeys() int { return 3 + int(c.hash(1)%(cityMaxStoreys-2)) }

// bridges reports whether a foot bridge leads from the second storey of the
// house to that of the next one along X, or along Z.
func (c cityHouse) bridges(alongX bool) bool {
	next, salt := c.at(0, 1), 3
	if alongX {
		next, salt = c.at(1, 0), 2
	}
	return c.i >= 0 && c.j >= 0 && next.i < c.n && next.j < c.n && c.hash(salt)%3 == 0
}

// box returns the outer walls.
func (c cityHouse) box() (x0, z0, x1, z1 float64) {
	x, z := cityBlock*float64(c.i), cityBlock*float64(c.j)
	return x + cityStreet, z + cityStreet, x + cityBlock - cityStreet, z + cityBlock - cityStreet
}

func (c cityHouse) add(b *builder) {
	x, z := cityBlock*float64(c.i), cityBlock*float64(c.j)
	b.in("street", "road", Road)
	b.floor(x, z, x+cityBlock, z+cityBlock, 0)
	b.in("house", "plaster", Ground)
	for s := range c.storeys() {
		c.storey(b, s)
	}
	if c.bridges(true) {
		_, z0, x1, z1 := c.box()
		m := (z0 + z1) / 2
		b.box(x1-citySlab, cityStorey-citySlab, m-2, x1+2*cityStreet+citySlab, cityStorey, m+2)
	}
	if c.bridges(false) {
		x0, _, x1, z1 := c.box()
		m := (x0 + x1) / 2
		b.box(m-2, cityStorey-citySlab, z1-citySlab, m+2, cityStorey, z1+2*cityStreet+citySlab)
	}
}

// storey adds the walls of a storey, the stairs out of it and the slab above.
func (c cityHouse) storey(b *builder, s int) {
	x0, z0, x1, z1 := c.box()
	y := cityStorey * float64(s)
	top := y + cityStorey - citySlab
	xm, zm := (x0+x1)/2, (z0+z1)/2
	// Doors to the street on the ground floor, and to the bridges above.
	door := func(middle float64, open bool) []opening {
		if !open {
			return nil
		}
		return []opening{{middle - 1.5, middle + 1.5, y, y + 2.6}}
	}
	ground, second := s == 0, s == 1
	b.wall(x0, z0, x0+citySlab, z1, y, top, door(zm, ground || second && c.at(-1, 0).bridges(true))...)
	b.wall(x1-citySlab, z0, x1, z1, y, top, door(zm, ground || second && c.bridges(true))...)
	b.wall(x0+citySlab, z0, x1-citySlab, z0+citySlab, y, top, door(xm, ground || second && c.at(0, -1).bridges(false))...)
	b.wall(x0+citySlab, z1-citySlab, x1-citySlab, z1, y, top, door(xm, ground || second && c.bridges(false))...)

	// Two walls part the storey into four rooms, each with a door in either
	// half.
	in := 4 + float64(c.hash(10+s)%6)
	cut := zm + 6 + float64(c.hash(20+s)%3)
	b.wall(x0+12, z0+citySlab, x0+12+citySlab, z1-citySlab, y, top,
		opening{z0 + in, z0 + in + 2, y, y + 2.4}, opening{z1 - in - 2, z1 - in, y, y + 2.4})
	b.wall(x0+12+citySlab, cut, x1-citySlab, cut+citySlab, y, top,
		opening{x1 - in - 3, x1 - in, y, y + 2.4})

	// Stairs run along Z in the first room, every other storey in the other
	// lane, so that each has room above it.
	const steps, run, rise = 14, 0.35, cityStorey / 14
	lane := x0 + 2
	if s%2 == 1 {
		lane += 4
	}
	from := z0 + 10
	for k := range steps {
		zk := from + float64(run*float64(k))
		b.box(lane, y, zk, lane+3, y+float64(rise*float64(k+1)), zk+run)
	}
	// The slab leaves out what is above the stairs.
	h0, h1 := from-1.2, from+float64(run*float64(steps))
	b.box(x0, top, z0, lane, top+citySlab, z1)
	b.box(lane+3, top, z0, x1, top+citySlab, z1)
	b.box(lane, top, z0, lane+3, top+citySlab, h0)
	b.box(lane, top, h1, lane+3, top+citySlab, z1)
}
