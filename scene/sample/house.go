package sample

// The two-storey house.
const (
	houseX0, houseX1 = -8.0, 8.0
	houseZ0, houseZ1 = 14.0, 26.0
	wallThick        = 0.3
	storey           = 3.2 // from floor to floor
	slab             = 0.3
	roofY            = 2 * storey
	doorHead         = 2.5
)

func (b *builder) townHouse() {
	const (
		x0, x1 = houseX0, houseX1
		z0, z1 = houseZ0, houseZ1
		t      = wallThick
		ix0    = x0 + t // inner faces
		ix1    = x1 - t
		iz0    = z0 + t
		iz1    = z1 - t
		mid    = 2.0  // wall between the rooms and the stairs
		back   = 20.0 // wall between the hall and the back rooms
		store  = -4.0 // wall of the store room

		stairX    = 5.3
		stairZ0   = 18.2 // upper end
		stairZ1   = 23.8 // lower end
		stairStep = 16
	)
	door := func(from, to, floor float64) opening { return opening{from, to, floor, floor + doorHead} }
	window := func(from, to, floor float64) opening { return opening{from, to, floor + 1, floor + 2.2} }

	b.in("house", "plaster", Ground)
	// Ground floor, outer walls: the door to the street is 3 m wide.
	const top = storey - slab
	b.wall(x0, z0, x1, iz0, 0, top, window(-6, -4, 0), door(-1.5, 1.5, 0), window(4, 6, 0))
	b.wall(x0, iz1, x1, z1, 0, top, window(-1, 1, 0), window(4, 6, 0))
	b.wall(x0, iz0, ix0, iz1, 0, top, window(16, 18, 0))
	b.wall(ix1, iz0, x1, iz1, 0, top, window(15, 17, 0))
	// Inner walls. The store room's door is 1 m wide: too narrow.
	b.wall(mid, iz0, mid+t, iz1, 0, top, door(15.2, 18, 0), door(22, 24.8, 0))
	b.wall(ix0, back, mid, back+t, 0, top, door(-2.6, 0.4, 0))
	b.wall(store, back+t, store+t, iz1, 0, top, door(22.5, 23.5, 0))

	// Upper floor with a hole over the stairs, and the balcony.
	b.in("house", "planks", Ground)
	b.box(x0, top, z0, stairX, storey, z1)
	b.box(stairX, top, z0, x1, storey, stairZ0)
	b.box(stairX, top, stairZ1, x1, storey, z1)
	b.in("house", "plaster", Ground)
	b.box(ix1, top, stairZ0, x1, storey, stairZ1) // the outer wall beside the hole
	b.in("stairs", "planks", Ground)
	b.stairs(stairX, ix1, stairZ1, stairZ0, stairStep, storey/stairStep)

	b.in("house", "plaster", Ground)
	const head = roofY - slab
	b.wall(x0, z0, x1, iz0, storey, head, window(-6, -4, storey), window(-1, 1, storey), window(4, 6, storey))
	b.wall(x0, iz1, x1, z1, storey, head, window(-6, -4, storey), window(-1, 1, storey))
	b.wall(x0, iz0, ix0, iz1, storey, head, door(17, 20, storey))
	b.wall(ix1, iz0, x1, iz1, storey, head, window(15, 17, storey))
	b.wall(mid, iz0, mid+t, iz1, storey, head, door(14.9, 17.7, storey))
	b.wall(ix0, 21, mid, 21+t, storey, head, door(-5, -2.2, storey))

	b.in("house roof", "roof", Ground)
	b.box(x0, head, z0, x1, roofY, z1)

	// The balcony: rails on three sides, open where its stairs begin.
	const (
		bx0, bz0, bz1 = -11.0, 16.0, 23.0
		rail          = 1.1
		railThick     = 0.15
	)
	b.in("balcony", "planks", Ground)
	b.box(bx0, top, bz0, x0, storey, bz1)
	b.box(bx0, 0, bz0, bx0+0.25, top, bz0+0.25)
	b.stairs(bx0, bx0+2.6, bz1+5.6, bz1, stairStep, storey/stairStep)
	b.in("balcony", "rail", Ground)
	b.box(bx0, storey, bz0, bx0+railThick, storey+rail, bz1)
	b.box(bx0+railThick, storey, bz0, x0, storey+rail, bz0+railThick)
}
