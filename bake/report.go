package bake

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"wend/geom"
	"wend/navmesh"
	"wend/scene"
)

// Report says what a bake did, for people and for machines (it encodes to
// JSON). Its times and sizes differ from run to run; nothing else does.
type Report struct {
	Profile string       `json:"profile"`
	Bodies  []BodyReport `json:"bodies"` // the profile's agent first
}

// BodyReport is the part of one body.
type BodyReport struct {
	Body        string  `json:"body"`
	Radius      float64 `json:"radius"`
	Height      float64 `json:"height"`
	Cells       [2]int  `json:"cells"` // of the whole level, along X and Z
	TilesX      int     `json:"tiles_x"`
	TilesZ      int     `json:"tiles_z"`
	Tiled       bool    `json:"tiled"`
	Triangles   int     `json:"triangles"`   // solid ones
	SourceArea  float64 `json:"source_area"` // of the solid triangles, square metres
	SteepShare  float64 `json:"steep_share"` // of it that is too steep for the body, whichever way it faces, 0 to 1
	DownShare   float64 `json:"down_share"`  // of it that is not too steep and faces down, 0 to 1
	Tiles       int     `json:"tiles"`       // with polygons
	Polygons    int     `json:"polygons"`    // off-mesh links aside
	Vertices    int     `json:"vertices"`
	Area        float64 `json:"area"`         // of the mesh seen from above, square metres
	Slivers     int     `json:"slivers"`      // polygons thinner than half a cell
	PrunedPolys int     `json:"pruned_polys"` // dropped with their island

	Areas      []AreaReport   `json:"areas"`
	Islands    []IslandReport `json:"islands"` // largest first
	Skipped    []Skip         `json:"skipped"`
	Unattached []LinkReport   `json:"unattached_links"`
	Stages     []StageReport  `json:"stages"`
	Total      time.Duration  `json:"total_ns"`
}

// AreaReport sums the polygons of one area id.
type AreaReport struct {
	Area     uint8   `json:"area"`
	Polygons int     `json:"polygons"`
	Size     float64 `json:"size"` // square metres seen from above
}

// IslandReport describes a piece of the mesh that no way joins to the others.
type IslandReport struct {
	Polygons int       `json:"polygons"`
	Size     float64   `json:"size"` // square metres seen from above
	At       geom.Vec3 `json:"at"`   // a corner of its first polygon
}

// LinkReport names an end of an off-mesh link that found no surface, so that
// no route can use the link.
type LinkReport struct {
	Link  string    `json:"link"` // its name; its number when it has none
	End   string    `json:"end"`  // "from" or "to"
	At    geom.Vec3 `json:"at"`
	Cause string    `json:"cause"`
	// Distance to the nearest surface in metres; -1 when there is none.
	Distance float64 `json:"distance"`
}

func newLinkReport(links []scene.Link, link int, u *navmesh.Unattached) LinkReport {
	r := LinkReport{Link: links[link].Name, End: "from", At: u.Pos, Cause: u.Cause.String(), Distance: u.Distance}
	if r.Link == "" {
		r.Link = strconv.Itoa(link)
	}
	if u.End {
		r.End = "to"
	}
	if math.IsInf(u.Distance, 0) {
		r.Distance = -1
	}
	return r
}

// Skip names a region, or a part of one, that gave no polygon.
type Skip struct {
	TileX  int       `json:"tile_x"`
	TileZ  int       `json:"tile_z"`
	Region uint32    `json:"region"`
	At     geom.Vec3 `json:"at"`
	Reason string    `json:"reason"`
}

// StageReport sums a stage over all tiles.
type StageReport struct {
	Stage string        `json:"stage"`
	Time  time.Duration `json:"ns"`    // of all workers together
	Bytes int           `json:"bytes"` // what it made in the largest tile
}

// An EmptyError says that a bake left nothing to walk on, and where the
// ground was lost.
type EmptyError struct {
	Body      Body
	Triangles int // solid ones with an area
	// Shares of the solid area, as in BodyReport.
	SteepShare, DownShare float64
	// Walkable cells after rasterising, filtering, eroding by the body's
	// radius, cutting the author's volumes away, and choosing regions.
	Rasterised, Filtered, Eroded, Uncut, InRegions int
}

func (e *EmptyError) Error() string {
	const head = "bake: no walkable surface: "
	switch {
	case e.Triangles == 0:
		return head + "the level has no solid triangle with an area"
	case e.Rasterised == 0 && e.SteepShare > 0.5:
		return fmt.Sprintf(head+"%.0f %% of the area is steeper than %g degrees; is the file Z-up? try --up z", 100*e.SteepShare, e.Body.MaxSlopeDeg)
	case e.Rasterised == 0 && e.DownShare > 0.5:
		return fmt.Sprintf(head+"%.0f %% of the area faces down; are the triangles wound the wrong way round?", 100*e.DownShare)
	case e.Rasterised == 0 && e.SteepShare+e.DownShare > 0.5:
		return fmt.Sprintf(head+"%.0f %% of the area is steeper than %g degrees and %.0f %% faces down",
			100*e.SteepShare, e.Body.MaxSlopeDeg, 100*e.DownShare)
	case e.Rasterised == 0:
		return head + "every triangle that could be walked on is marked unwalkable"
	case e.Filtered == 0:
		return fmt.Sprintf(head+"no floor has %g m of headroom and is more than a cell away from a drop", e.Body.Height)
	case e.Eroded == 0:
		return fmt.Sprintf(head+"nothing wide enough for radius %g; take a smaller --radius, or a greater --scale if the level is drawn too small", e.Body.Radius)
	case e.Uncut == 0:
		return head + "volumes cut all of the floor away"
	case e.InRegions == 0:
		return head + "every piece of floor is smaller than the least region size; take a smaller region_min_size or radius, or a greater --scale if the level is drawn too small"
	}
	return head + "no region gave a polygon, or every island was pruned"
}

// sortIslands puts the largest first; equal ones stay in the order of their
// first polygon.
func sortIslands(s []IslandReport) {
	slices.SortStableFunc(s, func(a, b IslandReport) int { return cmp.Compare(b.Size, a.Size) })
}
