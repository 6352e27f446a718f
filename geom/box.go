package geom

import "math"

// Box is an axis-aligned box that contains its faces. The empty box, the
// neutral element of Union, is EmptyBox; it is never the zero value.
type Box struct{ Min, Max Vec3 }

// EmptyBox returns the box that contains nothing.
func EmptyBox() Box {
	inf := math.Inf(1)
	return Box{Vec3{inf, inf, inf}, Vec3{-inf, -inf, -inf}}
}

// IsEmpty reports whether b contains no point.
func (b Box) IsEmpty() bool {
	return b.Min.X > b.Max.X || b.Min.Y > b.Max.Y || b.Min.Z > b.Max.Z
}

// Extend returns the smallest box that holds b and p.
func (b Box) Extend(p Vec3) Box {
	return Box{
		Vec3{min(b.Min.X, p.X), min(b.Min.Y, p.Y), min(b.Min.Z, p.Z)},
		Vec3{max(b.Max.X, p.X), max(b.Max.Y, p.Y), max(b.Max.Z, p.Z)},
	}
}

// Union returns the smallest box that holds b and c.
func (b Box) Union(c Box) Box {
	return Box{
		Vec3{min(b.Min.X, c.Min.X), min(b.Min.Y, c.Min.Y), min(b.Min.Z, c.Min.Z)},
		Vec3{max(b.Max.X, c.Max.X), max(b.Max.Y, c.Max.Y), max(b.Max.Z, c.Max.Z)},
	}
}

// Overlaps reports whether b and c share a point.
func (b Box) Overlaps(c Box) bool {
	return b.Min.X <= c.Max.X && b.Max.X >= c.Min.X &&
		b.Min.Y <= c.Max.Y && b.Max.Y >= c.Min.Y &&
		b.Min.Z <= c.Max.Z && b.Max.Z >= c.Min.Z
}

// Size returns Max - Min.
func (b Box) Size() Vec3 { return b.Max.Sub(b.Min) }

// Center returns the middle of b.
func (b Box) Center() Vec3 { return Lerp(b.Min, b.Max, 0.5) }
