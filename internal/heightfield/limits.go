package heightfield

import "math"

// HeadroomVoxels returns the open voxels above a floor that a body of the
// given height needs, at least 1; both arguments are metres.
//
// It is one less than the height in voxels, rounded up, because the floor's
// own sheet takes one voxel of the space below a ceiling (see the package
// comment). With it the limit is inclusive: where height is a whole number of
// voxels, a flat ceiling at exactly that height passes and one a voxel lower
// does not, wherever the lattice lies.
func HeadroomVoxels(height, cellHeight float64) int {
	return max(clampInt(math.Ceil(height/cellHeight-slack), MaxHeight)-1, 1)
}

// ClimbVoxels returns the highest step in whole voxels, rounded down; both
// arguments are metres. A step of exactly climb passes where climb is a whole
// number of voxels; otherwise what exceeds the whole voxels is lost.
func ClimbVoxels(climb, cellHeight float64) int {
	return clampInt(math.Floor(climb/cellHeight+slack), MaxHeight)
}

// clampInt converts f to an int between 0 and limit; NaN gives 0.
func clampInt(f float64, limit int) int {
	if !(f > 0) {
		return 0
	}
	if f >= float64(limit) {
		return limit
	}
	return int(f)
}
