package scene

import (
	"fmt"
	"strings"

	"wend/geom"
)

// Axis says which axis of a file points up.
type Axis uint8

const (
	UpY Axis = iota // as here: coordinates are taken as they are
	UpZ             // (x, y, z) of the file becomes (x, z, -y)
)

// String returns the letter that ParseAxis takes.
func (a Axis) String() string {
	switch a {
	case UpY:
		return "y"
	case UpZ:
		return "z"
	}
	return fmt.Sprintf("Axis(%d)", uint8(a))
}

// ParseAxis reads "y" or "z", in either case.
func ParseAxis(s string) (Axis, error) {
	switch strings.ToLower(s) {
	case "y":
		return UpY, nil
	case "z":
		return UpZ, nil
	}
	return 0, &OptionError{Field: "Up", Value: s, Want: "y or z"}
}

// Unit is the length that the number 1 stands for in a file.
type Unit uint8

const (
	Metre Unit = iota
	Centimetre
	Millimetre
	Inch
	Foot
)

// units holds the short name of each unit and its length in metres.
var units = [...]struct {
	name   string
	metres float64
}{
	Metre:      {"m", 1},
	Centimetre: {"cm", 0.01},
	Millimetre: {"mm", 0.001},
	Inch:       {"in", 0.0254},
	Foot:       {"ft", 0.3048},
}

// Metres returns the length of the unit in metres, 0 for a value that is none
// of the constants.
func (u Unit) Metres() float64 {
	if int(u) < len(units) {
		return units[u].metres
	}
	return 0
}

// String returns the name that ParseUnit takes.
func (u Unit) String() string {
	if int(u) < len(units) {
		return units[u].name
	}
	return fmt.Sprintf("Unit(%d)", uint8(u))
}

// ParseUnit reads "m", "cm", "mm", "in" or "ft", in either case.
func ParseUnit(s string) (Unit, error) {
	for i, u := range units {
		if strings.EqualFold(s, u.name) {
			return Unit(i), nil
		}
	}
	return 0, &OptionError{Field: "Unit", Value: s, Want: "m, cm, mm, in or ft"}
}

// MaxCoordinate is the largest absolute coordinate a scene may have, in
// metres (2^20, about 1,048 km). Navmeshes store float32: from there on its
// steps are 1/8 m and more, and bodies would jitter or fall through.
const MaxCoordinate = 1 << 20

// DefaultMaxTriangles is what Options.MaxTriangles means when it is 0.
const DefaultMaxTriangles = 1 << 24

// Options says how a reader turns the numbers of a file into the world, and
// how it judges what it read. nil and the zero value mean: Y up, metres, as
// they are.
type Options struct {
	Up    Axis
	Unit  Unit
	Scale float64 // times the unit; > 0 and finite, 0 means 1

	// MaxSlopeDeg is the steepest walkable slope, in degrees from 0 to 90; 0
	// means 45. Only the report's shares and warnings depend on it.
	MaxSlopeDeg float64

	// MaxTriangles bounds the size of a scene, so that a small file that
	// repeats one mesh thousands of times cannot exhaust memory. 0 means
	// DefaultMaxTriangles.
	MaxTriangles int
}

// validate fills the defaults in and names the first field that makes no
// sense.
func (o *Options) validate() (Options, error) {
	var v Options
	if o != nil {
		v = *o
	}
	if v.Up > UpZ {
		return v, &OptionError{Field: "Up", Value: v.Up.String(), Want: "UpY or UpZ"}
	}
	if int(v.Unit) >= len(units) {
		return v, &OptionError{Field: "Unit", Value: v.Unit.String(), Want: "one of the unit constants"}
	}
	if v.Scale == 0 {
		v.Scale = 1
	}
	// Written so that NaN fails as well; Scale-Scale is NaN for infinities.
	if !(v.Scale > 0) || v.Scale-v.Scale != 0 {
		return v, &OptionError{Field: "Scale", Value: fmt.Sprint(v.Scale), Want: "a finite number above 0"}
	}
	if v.MaxSlopeDeg == 0 {
		v.MaxSlopeDeg = 45
	}
	if !(v.MaxSlopeDeg > 0 && v.MaxSlopeDeg <= 90) {
		return v, &OptionError{Field: "MaxSlopeDeg", Value: fmt.Sprint(v.MaxSlopeDeg), Want: "degrees from 0 to 90"}
	}
	if v.MaxTriangles == 0 {
		v.MaxTriangles = DefaultMaxTriangles
	}
	if v.MaxTriangles < 0 {
		return v, &OptionError{Field: "MaxTriangles", Value: fmt.Sprint(v.MaxTriangles), Want: "0 or more"}
	}
	return v, nil
}

// factor returns the metres that the number 1 of the file stands for.
func (o *Options) factor() float64 { return o.Unit.Metres() * o.Scale }

// apply returns the world position of a file position. The axes turn without
// mirroring, so windings stay as they are.
func (o *Options) apply(p geom.Vec3, factor float64) geom.Vec3 {
	if o.Up == UpZ {
		p = geom.Vec3{X: p.X, Y: p.Z, Z: 0 - p.Y} // 0 - y: no negative zero
	}
	if factor == 1 {
		return p
	}
	return geom.Vec3{X: float64(p.X * factor), Y: float64(p.Y * factor), Z: float64(p.Z * factor)}
}
