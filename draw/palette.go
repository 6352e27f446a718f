package draw

import "image/color"

// The colours are told apart by people with the common kinds of colour
// blindness in the order given: the first ones come from the bright and muted
// schemes of P. Tol ("Colour Schemes", 2021), the rest fill the gaps between
// them by lightness.
const paletteSize = 16

func paletteColor(i int) color.NRGBA {
	colors := [paletteSize]uint32{
		0x4477aa, 0xee6677, 0x228833, 0xccbb44, 0x66ccee, 0xaa3377, 0xee7733, 0x009988,
		0x882255, 0x999933, 0x332288, 0xddaa33, 0x994f00, 0x44bb99, 0xcc6677, 0x006cd1,
	}
	c := colors[i%paletteSize]
	return color.NRGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 255}
}

// Color returns colour i of a row of colours for things without an order, to
// be used for lines. They differ for i from 0 to 15; then they come again
// darker.
func Color(i int) color.NRGBA {
	i = max(i, 0)
	c := paletteColor(i)
	if i/paletteSize%2 == 1 {
		c = mix(c, color.NRGBA{A: 255}, 90)
	}
	return c
}

// Tint returns the light form of Color, to be used for areas that lines are
// drawn on.
func Tint(i int) color.NRGBA {
	i = max(i, 0)
	white := color.NRGBA{255, 255, 255, 255}
	if i/paletteSize%2 == 1 {
		return mix(paletteColor(i), white, 40)
	}
	return mix(paletteColor(i), white, 128)
}

// Ramp returns the colour of step i of n ordered things, such as storeys: sand
// for the lowest, over red, to indigo for the highest.
func Ramp(i, n int) color.NRGBA {
	stops := [...]color.NRGBA{
		{0xf3, 0xe6, 0xc4, 255}, {0xf2, 0xb8, 0x80, 255}, {0xd9, 0x7b, 0x7b, 255}, {0x96, 0x62, 0x9c, 255}, {0x4c, 0x54, 0x96, 255},
	}
	if n <= 1 {
		return stops[0]
	}
	at := min(max(i, 0), n-1) * 256 * (len(stops) - 1) / (n - 1)
	k := min(at/256, len(stops)-2)
	return mix(stops[k], stops[k+1], at-256*k)
}

// mix returns a with t parts of b in 256.
func mix(a, b color.NRGBA, t int) color.NRGBA {
	m := func(x, y uint8) uint8 { return uint8((int(x)*(256-t) + int(y)*t + 128) / 256) }
	return color.NRGBA{m(a.R, b.R), m(a.G, b.G), m(a.B, b.B), a.A}
}

// areaTint is the colour of ground of an area: sand for ordinary ground.
func areaTint(area int) color.NRGBA {
	switch area {
	case 0:
		return color.NRGBA{0xe4, 0xdb, 0xc6, 255}
	case 1:
		return color.NRGBA{0xc9, 0xb4, 0xc6, 255}
	}
	// Cyan for area 2 and green for 3, which often are water and grass.
	order := [...]int{0, 0, 4, 2, 6, 3, 5, 1}
	if area < len(order) {
		area = order[area]
	}
	return Tint(area)
}
