package pack

import (
	"encoding/binary"
	"math"
	"strconv"
)

// A Profile is the constants the fields of a pack were computed with. Lengths
// are px of the zone plane (a cell has CellSize) or, for heights, metres. It
// is a plain value: == compares.
type Profile struct {
	CellSize     float64 // side of a cell, px
	Climb        float64 // largest height difference of neighbours of one region, m; more is a fall
	Slope        float64 // rise per px that is always walkable
	StepUp       float64 // step up that is always walkable, m
	BumpUp       float64 // step up over a short bump, m
	WallHeight   float64 // height above a surface up to which an edge is a wall, m
	LandingBand  float64 // half height of the band in which a landing looks for its surface, m
	MergeHeight  float64 // surfaces closer than this in one cell are one, m
	ClearanceCap float64 // largest clearance, px
	WallSample   float64 // sampling step along walls, px
	HitSample    float64 // sampling step of hits, px
	WallPad      float64 // margin of a wall's box, px
	StepTax      float64 // price of a step edge; off
	Lambda       float64 // distance of nearest obstacles that makes a medial cell, px
	BumpCells    int32   // length of a bump, cells
	DipCells     int32   // length of a dip, cells
	Halo         int32   // margin of a field tile, cells
	WalkMask     uint32  // a triangle with one of these attribute bits is walkable
	RulesVersion int32
}

// ProfileLen is the length of an encoded profile.
const ProfileLen = 144

// MaxProfileName is the longest name of a declared profile, in bytes.
const MaxProfileName = 64

// ReferenceProfile returns the constants every pack has that declares no
// others.
func ReferenceProfile() Profile {
	return Profile{
		CellSize: 0.25, Climb: 3, Slope: 1, StepUp: 0.5, BumpUp: 1.25, WallHeight: 1.25,
		LandingBand: 8, MergeHeight: 0.25, ClearanceCap: 12, WallSample: 0.4, HitSample: 0.2,
		WallPad: 4, StepTax: 0, Lambda: 0.5, BumpCells: 3, DipCells: 2, Halo: 32,
		WalkMask: 0x00020CDD, RulesVersion: 2,
	}
}

// floats lists the float fields in the order of the encoding.
func (p *Profile) floats() [14]*float64 {
	return [14]*float64{
		&p.CellSize, &p.Climb, &p.Slope, &p.StepUp, &p.BumpUp, &p.WallHeight, &p.LandingBand,
		&p.MergeHeight, &p.ClearanceCap, &p.WallSample, &p.HitSample, &p.WallPad, &p.StepTax, &p.Lambda,
	}
}

// AppendProfile appends the 144 bytes of p.
func AppendProfile(dst []byte, p Profile) []byte {
	for _, f := range p.floats() {
		dst = AppendF64(dst, *f)
	}
	dst = AppendF64(dst, 0)
	for _, i := range []uint32{uint32(p.BumpCells), uint32(p.DipCells), uint32(p.Halo), p.WalkMask, uint32(p.RulesVersion), 0} {
		dst = binary.LittleEndian.AppendUint32(dst, i)
	}
	return dst
}

// ReadProfile reads the 144 bytes of a declared profile and checks that it can
// be honoured: sampling, clearance cap, halo and cell size are those of the
// reference, reserved fields are zero, the others finite and positive with
// StepUp <= BumpUp <= Climb, MergeHeight = Slope * CellSize, 2 to 4 bump cells
// and 1 to 4 dip cells. All else is ErrRules.
func ReadProfile(r *Reader) Profile {
	var p Profile
	for _, f := range p.floats() {
		pos := r.Pos()
		bits := r.U64()
		*f = math.Float64frombits(bits)
		if math.IsNaN(*f) || math.IsInf(*f, 0) {
			r.FailAt(pos, ErrRules, "profile constant at byte %d is %v", pos, *f)
		}
	}
	if pos := r.Pos(); r.U64() != 0 {
		r.FailAt(pos, ErrRules, "reserved profile constant is not 0")
	}
	for _, i := range []*int32{&p.BumpCells, &p.DipCells, &p.Halo} {
		*i = r.I32()
	}
	p.WalkMask, p.RulesVersion = r.U32(), r.I32()
	if pos := r.Pos(); r.U32() != 0 {
		r.FailAt(pos, ErrRules, "reserved profile constant is not 0")
	}
	if r.Err() == nil {
		if what := p.Fault(); what != "" {
			r.FailAt(r.Pos()-ProfileLen, ErrRules, "%s", what)
		}
	}
	return p
}

// Fault returns "" for a profile that engines and packs can work with, and
// else what is wrong with it.
func (p Profile) Fault() string {
	ref := ReferenceProfile()
	switch {
	case p.CellSize != ref.CellSize, p.ClearanceCap != ref.ClearanceCap, p.WallSample != ref.WallSample,
		p.HitSample != ref.HitSample, p.WallPad != ref.WallPad, math.Float64bits(p.StepTax) != 0, p.Halo != ref.Halo,
		p.RulesVersion != ref.RulesVersion:
		return "profile changes a constant that is fixed (cell size, clearance cap, sampling, pad, step tax, halo, rules version)"
	case !(p.StepUp <= p.BumpUp && p.BumpUp <= p.Climb):
		return "profile wants step up <= bump up <= climb"
	case p.MergeHeight != p.Slope*p.CellSize:
		return "profile wants merge height = slope * cell size"
	case p.BumpCells < 2 || p.BumpCells > 4 || p.DipCells < 1 || p.DipCells > 4:
		return "profile wants 2 to 4 bump cells and 1 to 4 dip cells"
	case p.WalkMask == 0:
		return "profile has no walkable bit"
	}
	for _, f := range []float64{p.Climb, p.Slope, p.StepUp, p.BumpUp, p.WallHeight, p.LandingBand, p.MergeHeight, p.Lambda} {
		if !(f > 0) || math.IsInf(f, 0) {
			return "profile has a constant that is not positive and finite"
		}
	}
	return ""
}

// profileNames are the constants in stored order; those from index 15 on are
// 32-bit integers.
var profileNames = [...]string{
	"cell size", "climb", "slope", "step up", "bump up", "wall height", "landing band", "merge height", "clearance cap",
	"wall sampling step", "hit sampling step", "wall pad", "step tax", "lambda", "reserved",
	"bump cells", "dip cells", "halo", "walkable mask", "rules version", "reserved",
}

// ProfileDifference is the first constant in which two encoded profiles
// differ.
type ProfileDifference struct {
	Name      string
	Offset    int
	Got, Want string
}

// ProfileDiff compares two encodings of [ProfileLen] bytes that are not equal.
func ProfileDiff(got, want []byte) ProfileDifference {
	const floats = 15
	off := 0
	for i, name := range profileNames {
		size := 8
		if i >= floats {
			size = 4
		}
		g, w := got[off:off+size], want[off:off+size]
		if string(g) != string(w) {
			show := func(b []byte) string {
				if size == 4 {
					return strconv.FormatInt(int64(int32(binary.LittleEndian.Uint32(b))), 10)
				}
				return strconv.FormatFloat(math.Float64frombits(binary.LittleEndian.Uint64(b)), 'g', -1, 64)
			}
			return ProfileDifference{name, off, show(g), show(w)}
		}
		off += size
	}
	return ProfileDifference{}
}
