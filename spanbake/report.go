package spanbake

import (
	"sync"
	"time"

	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// A Report says what a bake did. It encodes to JSON. Times and memory differ
// from run to run, nothing else does.
type Report struct {
	Zones   []ZoneReport  `json:"zones"`
	Stages  []StageReport `json:"stages"`
	Resumed int           `json:"resumed_tiles"` // blobs of an earlier run that were used
	Unused  []UnusedLink  `json:"unused_links"`
	Bytes   Sizes         `json:"bytes"`
	Total   time.Duration `json:"total_ns"`

	mu sync.Mutex
}

// Sizes are lengths of files before gzip.
type Sizes struct {
	Main     int `json:"main"`
	Fields   int `json:"fields"`
	Occluder int `json:"occluder"`
	Grid     int `json:"grid"` // the grid section of the main pack
}

// ZoneReport is the part of one zone.
type ZoneReport struct {
	Zone       string     `json:"zone"`
	Triangles  int        `json:"triangles"`
	Walkable   int        `json:"walkable"`
	Islands    int        `json:"islands"` // sets of joined triangles
	Walls      int        `json:"walls"`   // boundary edges
	Cells      [2]int     `json:"cells"`
	Tiles      [2]int     `json:"tiles"`
	Records    uint64     `json:"records"`
	Heights    [2]float64 `json:"heights"` // lowest and highest, m
	Regions    int        `json:"regions"`
	Components uint64     `json:"components"`
	Drops      int        `json:"region_drops"` // pairs of regions that a drop joins
	Openings   int        `json:"openings"`
	Landings   int        `json:"landings"`
}

// StageReport sums a stage over all zones.
type StageReport struct {
	Stage string        `json:"stage"`
	Items int           `json:"items"`
	Time  time.Duration `json:"ns"`         // by the clock
	Heap  uint64        `json:"heap_bytes"` // at its end
}

// UnusedLink is an off-mesh link that no route can take.
type UnusedLink struct {
	Zone  string `json:"zone"`
	Link  uint32 `json:"link"` // number in the pack
	Start string `json:"start"`
	End   string `json:"end"`
}

// why says in words what a code of bnvf.Side means.
func why(code uint8) string {
	switch code {
	case bnvf.WhyUsable:
		return "usable"
	case bnvf.WhyOutside:
		return "outside the grid"
	case bnvf.WhyNoSurface:
		return "no surface in its cell"
	case bnvf.WhyNoBand:
		return "no surface near its height"
	}
	return "only a surface too near a wall"
}

func (r *Report) resumed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Resumed++
}

func (r *Report) unused(z *bnav.Zone, l *bnav.OffMeshLink, s [2]bnvf.Side, usable bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	u := UnusedLink{Zone: z.Name, Link: l.Index, Start: why(s[0].Why), End: why(s[1].Why)}
	if !usable {
		u.Start, u.End = "closed in both directions", "closed in both directions"
	}
	r.Unused = append(r.Unused, u)
}

// stage adds to the time of a stage.
func (r *Report) stage(name string, items int, d time.Duration, heap uint64) {
	for i := range r.Stages {
		s := &r.Stages[i]
		if s.Stage == name {
			s.Items += items
			s.Time += d
			s.Heap = max(s.Heap, heap)
			return
		}
	}
	r.Stages = append(r.Stages, StageReport{name, items, d, heap})
}
