package spangrid

import (
	"math"

	"wend/pack"
)

// Side is the side of a cell, px. It is a power of two, so that the cell of a
// coordinate is found without rounding.
const Side = 0.25

// Fixed by the rules version, not by the profile.
const (
	// LookAhead is how many cells ahead of a drop must be free of floor at the
	// level it starts from.
	LookAhead = 4
	// MaxHole is the largest hole that is filled, cells.
	MaxHole = 32
	// GhostRounds bounds how far heights spread into filled holes:
	// ceil(sqrt(MaxHole)) + 1.
	GhostRounds = 7
	// CrackReach is how far to either side a crack's edges may be, cells, and
	// CrackRounds how often cracks are closed.
	CrackReach  = 2
	CrackRounds = 4
	// CapCells is the clearance cap in cells, and CapSquared its square, the
	// largest stored clearance.
	CapCells   = 48
	CapSquared = CapCells * CapCells
	// CoreTolerance is how far a sample inside a triangle may be from the
	// span that stands for its cell, m.
	CoreTolerance = 1.0
)

// Rules are the limits the operators compare with. Every limit is closed: a
// difference of exactly the limit passes.
type Rules struct {
	Climb      float64 // largest height difference of neighbours of one region, m; a larger step down is a drop
	MergeH     float64 // spans of a cell closer than this are one, m
	SlopeStep  float64 // rise to an orthogonal neighbour that is always walkable, m
	SlopeDiag  float64 // the same for a diagonal neighbour, m
	StepUp     float64 // step up that may be taken, and tolerance of bump and dip probes, m
	BumpUp     float64 // step up over a short bump or out of a short dip, m
	WallHeight float64 // smallest height difference that makes a forbidden step a facade, m
	Band       float64 // half height of the band in which a wall marks surfaces, m
	BumpCells  int     // length of a bump, cells
	DipCells   int     // length of a dip, cells
	Lambda2    int     // squared distance of nearest obstacles that makes a medial cell, cells
	WallStep   float64 // largest distance of samples along a wall that stamps, px
	HitStep    float64 // the same for wall hits, px
}

// RulesOf returns the rules that a profile fixes.
func RulesOf(p pack.Profile) Rules {
	l := math.Ceil(float64(p.Lambda/Side) * float64(p.Lambda/Side))
	return Rules{
		Climb: p.Climb, MergeH: p.MergeHeight,
		SlopeStep: p.Slope * Side, SlopeDiag: p.Slope * math.Sqrt2 * Side,
		StepUp: p.StepUp, BumpUp: p.BumpUp, WallHeight: p.WallHeight, Band: p.LandingBand,
		BumpCells: int(p.BumpCells), DipCells: int(p.DipCells), Lambda2: int(math.Min(l, 1<<30)),
		WallStep: p.WallSample * Side, HitStep: p.HitSample * Side,
	}
}

// Limit returns the rise that is always walkable in one of the four directions
// that steps are kept for: (1,0), (0,1), (1,1), (1,-1).
func (r *Rules) Limit(dir int) float64 {
	if dir < 2 {
		return r.SlopeStep
	}
	return r.SlopeDiag
}

// directions are the four steps that bits are kept for: bit 2i of a cell's
// byte for the step in direction i, bit 2i+1 for the step back.
var directions = [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

// neighbours8 are the eight neighbours of a cell in the order in which searches
// look at them; the first four are orthogonal.
var neighbours8 = [8][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}

// StepBit returns the bit, in the byte of its owner, of the step (dx, dy), and
// whether the owner is the cell it leads to. dx and dy are -1, 0 or 1, not both
// 0.
func StepBit(dx, dy int) (bit uint8, owner bool) {
	for i, d := range directions {
		switch {
		case d[0] == dx && d[1] == dy:
			return 1 << (2 * i), false
		case d[0] == -dx && d[1] == -dy:
			return 2 << (2 * i), true
		}
	}
	return 0, false
}
