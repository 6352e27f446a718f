package navmesh

import (
	"errors"
	"fmt"

	"wend/geom"
)

var (
	// ErrBadInput is wrapped by every error about an argument of a query.
	ErrBadInput = errors.New("navmesh: bad input")
	// ErrBadPoint is wrapped by every error about a point that is not finite
	// or farther than PointLimit from the origin along an axis.
	ErrBadPoint = fmt.Errorf("%w: point out of range", ErrBadInput)
)

// PointLimit is the largest coordinate of a query point, in metres. It is far
// beyond CoordLimit: a place off the mesh is a miss, not an error.
const PointLimit = 1 << 30

// PointError names an argument that is no usable point. It wraps ErrBadPoint.
type PointError struct {
	Arg   string // the argument, for example "from"
	Point geom.Vec3
}

func (e *PointError) Error() string {
	return fmt.Sprintf("navmesh: %s: want finite coordinates within %d m, got (%v, %v, %v)",
		e.Arg, PointLimit, e.Point.X, e.Point.Y, e.Point.Z)
}

// Unwrap returns ErrBadPoint.
func (e *PointError) Unwrap() error { return ErrBadPoint }

// OptionError names an option that makes no sense. It wraps ErrBadInput.
type OptionError struct {
	Option string // for example "NearestOptions.HalfExtents"
	Msg    string // what is wanted, and the value
}

func (e *OptionError) Error() string { return "navmesh: " + e.Option + ": " + e.Msg }

// Unwrap returns ErrBadInput.
func (e *OptionError) Unwrap() error { return ErrBadInput }

func goodPoint(p geom.Vec3) bool {
	const l = PointLimit
	return p.X >= -l && p.X <= l && p.Y >= -l && p.Y <= l && p.Z >= -l && p.Z <= l
}

// checkPoint returns a *PointError for a point out of range.
func checkPoint(arg string, p geom.Vec3) error {
	if goodPoint(p) {
		return nil
	}
	return &PointError{Arg: arg, Point: p}
}
