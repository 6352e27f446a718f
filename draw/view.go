package draw

import (
	"wend/geom"
	"wend/internal/detmath"
)

// ViewKind is where one looks from.
type ViewKind uint8

const (
	Above   ViewKind = iota // straight down: +X right, +Z down the picture
	Oblique                 // parallel projection from AzimuthDeg and ElevationDeg
	Side                    // horizontally from AzimuthDeg: +Y up the picture
)

// View is a parallel projection.
//
// AzimuthDeg says where the eye stands: 0 on the side of +Z (at the lower edge
// of the picture from above), 90 on the side of +X, -360 to 360. ElevationDeg
// is its height above the horizon, 0 to 90 degrees; 90 shows the same as
// Above. Only Oblique uses both; an elevation of 0 stands for 40 there, and 0
// and 0 for 30 and 40.
//
// Oblique and side views hide what lies behind: shapes are cut where they pass
// through or around each other and painted from far to near. Seen from above,
// they are painted in slabs of 1.5 m from low to high; within a slab their
// group decides, then their mean height, then their index.
type View struct {
	Kind                     ViewKind
	AzimuthDeg, ElevationDeg float64
}

func (v View) validate() error {
	switch {
	case v.Kind > Side:
		return &OptionError{"View.Kind", v.Kind, "Above, Oblique or Side"}
	case !(v.AzimuthDeg >= -360 && v.AzimuthDeg <= 360):
		return &OptionError{"View.AzimuthDeg", v.AzimuthDeg, "-360 to 360"}
	case !(v.ElevationDeg >= 0 && v.ElevationDeg <= 90):
		return &OptionError{"View.ElevationDeg", v.ElevationDeg, "0 to 90"}
	}
	return nil
}

// frame is the basis of a view: right and up on paper, and towards the eye.
type frame struct{ right, up, near geom.Vec3 }

func (v View) frame() frame {
	az, el := v.AzimuthDeg, v.ElevationDeg
	switch v.Kind {
	case Above:
		az, el = 0, 90
	case Side:
		el = 0
	case Oblique:
		if az == 0 && el == 0 {
			az = 30
		}
		if el == 0 {
			el = 40
		}
	}
	sa, ca := sinCosDeg(az)
	se, ce := detmath.SinDeg(el), detmath.CosDeg(el)
	return frame{
		right: geom.Vec3{X: ca, Z: -sa},
		up:    geom.Vec3{X: -float64(sa * se), Y: ce, Z: -float64(ca * se)},
		near:  geom.Vec3{X: float64(sa * ce), Y: se, Z: float64(ca * ce)},
	}
}

// project returns the place on paper (metres, y down) and the nearness to the
// eye (metres).
func (f *frame) project(p geom.Vec3) (q point, near float64) {
	return point{p.Dot(f.right), -p.Dot(f.up)}, p.Dot(f.near)
}

// sinCosDeg extends the quarter circle of detmath to -360 to 360 degrees.
func sinCosDeg(deg float64) (sin, cos float64) {
	if deg < 0 {
		deg += 360
	}
	quarter := 0
	for deg > 90 {
		deg -= 90
		quarter++
	}
	sin, cos = detmath.SinDeg(deg), detmath.CosDeg(deg)
	for range quarter {
		sin, cos = cos, -sin
	}
	return sin, cos
}
