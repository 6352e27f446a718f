package bake

import (
	"wend/geom"
	"wend/scene"
)

// Profile holds every setting of a bake. Start from Human and change what
// differs; Validate names the first field that makes no sense.
//
// Lengths are metres unless a field says otherwise. Limits are inclusive: a
// step of exactly MaxClimb can be climbed, headroom of exactly Height is
// enough, a slope of exactly MaxSlopeDeg is walkable.
type Profile struct {
	Name    string
	Agent   Body
	Bodies  []Body // further bodies: each gets a mesh of its own
	Navmesh Navmesh
	Span    Span
	Areas   []AreaRule
}

// Body is what a mesh is made for.
type Body struct {
	Name        string
	Radius      float64 // >= 0: the mesh keeps this far from walls and drops
	Height      float64 // > 0: headroom needed
	MaxClimb    float64 // >= 0: highest step
	MaxSlopeDeg float64 // degrees, 0 to 90
}

// Navmesh are the settings of the polygon bake, with the defaults that
// RecastDemo shows.
type Navmesh struct {
	Cell       float64 // side of a voxel in the ground plane, > 0; default 0.3
	CellHeight float64 // height of a voxel, > 0; default 0.2

	// Pieces of floor smaller than the square of this many cells are dropped,
	// but where they reach over the border of a tile; default 8.
	RegionMinSize   float64
	RegionMergeSize float64 // regions smaller than its square join a neighbour, cells; default 20
	Partition       Partition

	EdgeMaxLen   float64 // longest edge along a wall, metres; 0: no limit; default 12
	EdgeMaxError float64 // how far a simplified wall may leave the real one, cells; default 1.3
	VertsPerPoly int     // 3 to 6; default 6

	DetailSampleDist     float64 // distance of height samples, cells; under 0.9: none; default 6
	DetailSampleMaxError float64 // allowed height error, voxels; default 1

	Tiling   Tiling
	TileSize int // side of a tile, cells; default 48

	FilterLowHanging bool // step onto low obstacles; default on
	FilterLedges     bool // no mesh along a drop; default on
	FilterLowHeight  bool // no mesh under a low ceiling; default on

	MinIslandArea float64     // drop islands smaller than this many square metres; default 0
	Seeds         []geom.Vec3 // when given, keep only islands that have a seed within 2 m
}

// Span are the constants of the span grid, which package spanbake makes of a
// navmesh. A field of 0 follows from the agent, or is the reference constant.
type Span struct {
	// Reference takes the reference constants as they are, whatever the agent
	// climbs: packs of them need not declare any.
	Reference bool

	Climb      float64 // largest height difference of neighbours of one region, metres; more is a drop
	SlopeDeg   float64 // slope that is always walkable, degrees; 0: the agent's
	StepUp     float64 // step that may be taken, metres; 0: the agent's climb
	BumpUp     float64 // step over a short bump or out of a dip, metres
	WallHeight float64 // smallest step that blocks sight, metres
	Band       float64 // half height of the band in which a wall marks floors, metres
	Lambda     float64 // distance of nearest obstacles that makes the medial axis, cells
	BumpCells  int     // length of a bump, cells, 2 to 4
	DipCells   int     // length of a dip, cells, 1 to 4
}

// Partition is the way the floor is split into regions.
type Partition uint8

const (
	Watershed Partition = iota // few, well-shaped polygons
	Monotone                   // fast, long thin polygons
)

// Tiling says whether the mesh is cut into tiles.
type Tiling uint8

const (
	TilingAuto Tiling = iota // tiles when the level has more than 4 million cells
	TilingOff
	TilingOn
)

// AreaRule marks ground by where it comes from. The first rule that matches a
// triangle wins; a pattern is a path.Match pattern, "" matches everything.
type AreaRule struct {
	Part, Material string
	Area           scene.AreaID
	Unwalkable     bool
}

// Reference returns Human with the reference constants of the span grid.
func Reference() Profile {
	p := Human()
	p.Name, p.Span.Reference = "reference", true
	return p
}

// Human returns the default profile: the body and settings that RecastDemo
// starts with.
func Human() Profile {
	return Profile{
		Name:  "human",
		Agent: Body{Name: "human", Radius: 0.6, Height: 2.0, MaxClimb: 0.9, MaxSlopeDeg: 45},
		Navmesh: Navmesh{
			Cell: 0.3, CellHeight: 0.2,
			RegionMinSize: 8, RegionMergeSize: 20,
			EdgeMaxLen: 12, EdgeMaxError: 1.3, VertsPerPoly: 6,
			DetailSampleDist: 6, DetailSampleMaxError: 1,
			TileSize:         48,
			FilterLowHanging: true, FilterLedges: true, FilterLowHeight: true,
		},
	}
}
