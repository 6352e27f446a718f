package sample

import (
	"wend/geom"
	"wend/scene"
)

// Kinds of ground of Town, with the area ids its triangles carry.
const (
	Ground scene.AreaID = 0 // earth, paving, floors
	Road   scene.AreaID = 1
	Water  scene.AreaID = 2
	Grass  scene.AreaID = 3
	Crowd  scene.AreaID = 4 // the market on the plaza
	Ladder scene.AreaID = 5 // off-mesh links
	Drop   scene.AreaID = 6
)

// Area is a kind of ground with the cost of a metre on it that suits the town.
type Area struct {
	ID       scene.AreaID
	Name     string
	Material string // material of Town's parts that has it; "" for none
	Cost     float64
}

// Areas returns the kinds of ground of Town in order of their ids. Roads are
// cheaper than other ground, and nobody likes to wade.
func Areas() []Area {
	return []Area{
		{Ground, "ground", "", 1.3},
		{Road, "road", "road", 1},
		{Water, "water", "water", 8},
		{Grass, "grass", "grass", 1.6},
		{Crowd, "crowd", "", 3},
		{Ladder, "ladder", "", 2},
		{Drop, "drop", "", 1},
	}
}

// The town lies around the origin, X -60 to 60 (west to east) and Z -45 to 45
// (north to south).
const (
	townX0, townX1 = -60, 60
	townZ0, townZ1 = -45, 45
)

// Town returns the sample town, 120 x 90 m:
//
//   - a main street along X that runs through a hill by a tunnel and under a
//     foot bridge, and two streets along Z;
//   - a house of two storeys with a door, inner walls, stairs, a balcony with
//     stairs of its own, and a store room whose door is too narrow for a body
//     of radius 0.6; its flat roof cannot be reached;
//   - a plaza with a fountain, pillars and a crowded market, reached from the
//     main street by an alley 1.1 m wide or round the houses;
//   - a terrace with a ramp on its far side and a ledge to jump down from, a
//     lookout with a ladder, a pond, two hills, and a building site that is
//     no-go.
//
// About 6,000 triangles; the scene is the caller's own.
func Town() *scene.Scene {
	b := newBuilder()
	b.townGround()
	b.townTunnel()
	b.townPond()
	b.townBridge()
	b.townHouse()
	b.townRows()
	b.townPlaza()
	b.townTerrace()
	b.townLookout()

	b.s.Links = []scene.Link{
		{Name: "ledge", From: geom.V3(48, 3, 21.2), To: geom.V3(48, 0, 18.4), Radius: 0.6, OneWay: true, Area: Drop, UserID: 1},
		{Name: "ladder", From: geom.V3(40, 0, 15.2), To: geom.V3(40, 4, 12.8), Radius: 0.6, Area: Ladder, UserID: 2},
	}
	b.s.Volumes = []scene.Volume{{
		Name: "market", MinY: -0.5, MaxY: 2, Area: Crowd,
		Ring: ellipse(-6, -24, 4.5, 3.5, 12),
	}}
	b.s.NoGo = []scene.NoGo{{
		Name: "building site", MinY: -1, MaxY: 4,
		Ring: []geom.Vec2{{X: 17, Y: 22}, {X: 16, Y: 28}, {X: 20.5, Y: 30}, {X: 24, Y: 27}, {X: 23, Y: 22.5}},
	}}
	return b.s
}

// The tunnel: the main street is level all the way, and the hill is a lid over
// it where it is high enough.
const (
	streetZ        = 4 // half the width of the main street
	tunnelX0       = -50
	tunnelX1       = -34
	tunnelHeadroom = 3.0
)

func townHill(x, z float64) float64 {
	west := hill{-42, 0, 16, 8}
	east := hill{46, -26, 15, 6}
	return max(west.at(x, z), east.at(x, z))
}

// The rectangle that the pond fills.
const (
	pondX0, pondZ0 = -54, 20
	pondX1, pondZ1 = -34, 36
)

func (b *builder) townGround() {
	inside := func(x, z, x0, z0, x1, z1 int) bool { return x >= x0 && x < x1 && z >= z0 && z < z1 }
	g := ground{
		x0: townX0, z0: townZ0, w: townX1 - townX0, d: townZ1 - townZ0,
		height: func(x, z int) float64 { return townHill(float64(x), float64(z)) },
	}
	blocks := townBlocks()
	g.surface = func(x, z int) surface {
		for _, k := range blocks {
			if k.within(x, z) {
				return surface{hole: true}
			}
		}
		switch {
		case inside(x, z, pondX0, pondZ0, pondX1, pondZ1):
			return surface{hole: true}
		case inside(x, z, townX0, -streetZ, townX1, streetZ):
			return surface{part: "main street", material: "road", area: Road, flat: true}
		case inside(x, z, -20, townZ0, -14, townZ1):
			return surface{part: "west street", material: "road", area: Road}
		case inside(x, z, 26, townZ0, 32, townZ1):
			return surface{part: "east street", material: "road", area: Road}
		case inside(x, z, -12, -40, 24, -16):
			return surface{part: "plaza", material: "paving"}
		case inside(x, z, -8, 14, 8, 26):
			return surface{part: "house", material: "tiles"}
		case g.height(x, z)+g.height(x+1, z)+g.height(x, z+1)+g.height(x+1, z+1) > 0:
			return surface{part: "hills", material: "grass", area: Grass}
		}
		return surface{part: "ground", material: "earth"}
	}
	g.add(b)
}

func (b *builder) townTunnel() {
	h := func(x, z int) geom.Vec3 {
		return geom.V3(float64(x), townHill(float64(x), float64(z)), float64(z))
	}
	at := func(x int, y float64, z int) geom.Vec3 { return geom.V3(float64(x), y, float64(z)) }

	// The hill above.
	b.in("hills", "grass", Grass)
	for z := -streetZ; z < streetZ; z++ {
		for x := tunnelX0; x < tunnelX1; x++ {
			b.quad(h(x, z), h(x, z+1), h(x+1, z+1), h(x+1, z))
		}
	}
	b.in("tunnel", "stone", Ground)
	b.ceiling(tunnelX0, -streetZ, tunnelX1, streetZ, tunnelHeadroom)
	// The mouths.
	for z := -streetZ; z < streetZ; z++ {
		b.quad(at(tunnelX0, tunnelHeadroom, z), at(tunnelX0, tunnelHeadroom, z+1), h(tunnelX0, z+1), h(tunnelX0, z))
		b.quad(at(tunnelX1, tunnelHeadroom, z+1), at(tunnelX1, tunnelHeadroom, z), h(tunnelX1, z), h(tunnelX1, z+1))
	}
	// Walls on both sides, in the open cuts as high as the hill.
	top := func(x, z int) geom.Vec3 {
		p := h(x, z)
		if x > tunnelX0 && x < tunnelX1 {
			p.Y = tunnelHeadroom
		}
		return p
	}
	for x := townX0; x < townX1; x++ {
		// At a mouth the cut is as high as the hill on one side and as the
		// tunnel on the other.
		n0, n1 := top(x, -streetZ), top(x+1, -streetZ)
		if x == tunnelX0 {
			n0.Y = tunnelHeadroom
		}
		if x+1 == tunnelX1 {
			n1.Y = tunnelHeadroom
		}
		s0, s1 := n0, n1
		s0.Z, s1.Z = streetZ, streetZ
		if n0.Y == 0 && n1.Y == 0 {
			continue
		}
		b.quad(at(x, 0, -streetZ), at(x+1, 0, -streetZ), n1, n0)
		b.quad(at(x+1, 0, streetZ), at(x, 0, streetZ), s0, s1)
	}
}

func (b *builder) townPond() {
	const (
		n     = 48
		depth = 0.4
		x, z  = (pondX0 + pondX1) / 2.0, (pondZ0 + pondZ1) / 2.0
	)
	shore := ellipse(x, z, 8, 6, n)
	for i := range n {
		p, q := shore[i], shore[(i+1)%n]
		a, c := geom.V3(p.X, -depth, p.Y), geom.V3(q.X, -depth, q.Y)
		b.in("pond", "water", Water)
		b.tri(geom.V3(x, -depth, z), a, c)
		b.in("ground", "earth", Ground)
		out, next := onFrame(p, x, z), onFrame(q, x, z)
		b.quad(a, out, next, c)
		// A corner of the rectangle between the two.
		if out.X != next.X && out.Z != next.Z {
			k := geom.V3(out.X, 0, next.Z)
			if k.X > pondX0 && k.X < pondX1 {
				k = geom.V3(next.X, 0, out.Z)
			}
			b.tri(out, k, next)
		}
	}
}

// onFrame continues the ray from the middle of the pond through p to the
// border of its rectangle.
func onFrame(p geom.Vec2, x, z float64) geom.Vec3 {
	const rx, rz = (pondX1 - pondX0) / 2.0, (pondZ1 - pondZ0) / 2.0
	dx, dz := p.X-x, p.Y-z
	fx, fz := max(dx, -dx)/rx, max(dz, -dz)/rz
	if fx >= fz {
		side := x + rx
		if dx < 0 {
			side = x - rx
		}
		return geom.V3(side, 0, z+dz/fx)
	}
	side := z + rz
	if dz < 0 {
		side = z - rz
	}
	return geom.V3(x+dx/fz, 0, side)
}

// The plan of the foot bridge.
const (
	bridgeX0, bridgeX1 = 12, 16
	bridgeDeck         = 6  // where the deck ends, north and south
	bridgeFoot         = 18 // where the ramps end
)

// townBridge adds the foot bridge over the main street. There are 3.5 m of
// headroom below.
func (b *builder) townBridge() {
	const (
		x0, x1 = bridgeX0, bridgeX1
		zDeck  = bridgeDeck
		zFoot  = bridgeFoot
		deck   = 4.0
		thick  = 0.5
		rail   = 1.1
		width  = 0.3
	)
	b.in("bridge", "stone", Ground)
	b.box(x0, deck-thick, -zDeck, x1, deck, zDeck)
	for _, side := range []float64{-1, 1} {
		b.slope(x0, x1, side*zDeck, deck, side*zFoot, 0)
	}
	b.in("bridge", "parapet", Ground)
	for _, x := range []float64{x0, x1 - width} {
		b.box(x, deck, -zDeck, x+width, deck+rail, zDeck)
		for _, side := range []float64{-1, 1} {
			b.rail(x, x+width, side*zDeck, deck, side*zFoot, 0, rail)
		}
	}
}

// block is the plan of a solid that stands on the ground. The ground is left
// out beneath, or its inside would be floor.
type block struct{ x0, z0, x1, z1, height float64 }

// townHouses returns the houses one cannot enter.
func townHouses() []block {
	return []block{
		// North of the main street. The alley between the first two is 1.1 m
		// wide.
		{-12, -15, -1.6, -7, 5},
		{-0.5, -15, 11.8, -7, 4.5},
		{17.5, -14, 24.5, -7, 5.5},
		// The north-west quarter.
		{-54, -41, -45, -34, 4},
		{-40, -41, -32, -34, 5},
		{-54, -28, -47, -20, 4.5},
		{-41, -27, -30, -21, 4},
		{-28, -41, -22, -30, 5},
		// The southern row.
		{-11, 34, -3, 42, 4.5},
		{0, 34, 9, 41, 4},
		{13, 34, 22, 42, 5},
		// East.
		{35, -10, 43, -6, 4},
		{47, -10, 56, -6, 4.5},
		// South-west, behind the pond.
		{-31, 14, -23, 21, 4},
		{-30, 27, -23, 38, 4.5},
	}
}

// townBlocks returns everything solid that is large enough to have an inside.
func townBlocks() []block {
	return append(townHouses(),
		block{bridgeX0, -bridgeFoot, bridgeX1, -bridgeDeck, 0},
		block{bridgeX0, bridgeDeck, bridgeX1, bridgeFoot, 0},
		block{36, 20, 56, 33, 3}, // terrace
		block{46, 33, 52, 42, 3}, // its ramp
		block{36, 8, 44, 14, 4},  // lookout
	)
}

// within reports whether the cell of 1 m with the lower corner (x, z) lies
// inside.
func (k block) within(x, z int) bool {
	fx, fz := float64(x), float64(z)
	return fx >= k.x0 && fx+1 <= k.x1 && fz >= k.z0 && fz+1 <= k.z1
}

// townRows adds the houses one cannot enter, and trees.
func (b *builder) townRows() {
	for _, h := range townHouses() {
		b.house("houses", h.x0, h.z0, h.x1, h.z1, h.height)
	}
	// Trees around the pond.
	for _, t := range []geom.Vec2{{X: -56, Y: 19}, {X: -50, Y: 18}, {X: -33, Y: 23}, {X: -37, Y: 39}, {X: -48, Y: 39}, {X: -56, Y: 33}} {
		b.in("trees", "wood", Ground)
		b.prism(ellipse(t.X, t.Y, 0.3, 0.3, 8), 0, 2.6)
		b.in("trees", "leaves", Ground)
		b.cone(ellipse(t.X, t.Y, 1.5, 1.5, 12), 2.6, 6)
	}
}

// cone adds a closed cone over a convex ring.
func (b *builder) cone(ring []geom.Vec2, y0, y1 float64) {
	var mid geom.Vec2
	for _, p := range ring {
		mid.X += p.X / float64(len(ring))
		mid.Y += p.Y / float64(len(ring))
	}
	tip := geom.V3(mid.X, y1, mid.Y)
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		b.tri(geom.V3(p.X, y0, p.Y), geom.V3(q.X, y0, q.Y), tip)
		if i >= 1 && i+1 < len(ring) {
			b.tri(geom.V3(ring[0].X, y0, ring[0].Y), geom.V3(q.X, y0, q.Y), geom.V3(p.X, y0, p.Y))
		}
	}
}

func (b *builder) townPlaza() {
	b.in("fountain", "stone", Ground)
	b.prism(ellipse(5, -28, 2.4, 2.4, 24), 0, 1.1)
	b.prism(ellipse(5, -28, 1.0, 1.0, 16), 1.1, 3)
	b.in("pillars", "stone", Ground)
	for _, z := range []float64{-37, -19} {
		for x := -8.0; x <= 20; x += 7 {
			if x == 13 && z == -19 {
				continue // the foot of the bridge
			}
			b.box(x-0.4, 0, z-0.4, x+0.4, 4, z+0.4)
		}
	}
}

// townTerrace adds a terrace 3 m high with its ramp on the side away from the
// ledge.
func (b *builder) townTerrace() {
	b.in("terrace", "stone", Ground)
	b.box(36, 0, 20, 56, 3, 33)
	b.slope(46, 52, 33, 3, 42, 0)
	b.in("terrace", "parapet", Ground)
	b.box(36, 3, 20, 44, 4.1, 20.3)
	b.box(52, 3, 20, 56, 4.1, 20.3)
	b.box(36, 3, 20.3, 36.3, 4.1, 33)
	b.box(55.7, 3, 20.3, 56, 4.1, 33)
}

// townLookout adds a block with a flat top that only the ladder leads to.
func (b *builder) townLookout() {
	b.in("lookout", "stone", Ground)
	b.box(36, 0, 8, 44, 4, 14)
	b.in("lookout", "wood", Ground)
	b.box(39.4, 0, 14, 39.5, 4.6, 14.1)
	b.box(40.5, 0, 14, 40.6, 4.6, 14.1)
	for y := 0.4; y < 4; y += 0.4 {
		b.box(39.5, y, 14, 40.5, y+0.06, 14.06)
	}
}
