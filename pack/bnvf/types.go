package bnvf

import (
	"wend/pack"
	"wend/pack/bnav"
)

// Columns are the six fields of a tile's records, aligned with the records of
// the main pack by index.
type Columns struct {
	Component []uint32 // strongly connected part inside the region, from 1; 0 for Fill
	StepsXor  []uint8  // re-judged forbidden steps XOR those of the main pack
	Seg       []uint8  // facade: bit i for direction i, i = 0, 1
	Tax       []uint8  // step edges that leave the cell: bit 2i in direction i, 2i+1 against it
	ClrDrop   []uint16 // clearance of the main pack minus the one that minds walls
	Medial    []uint8  // bit 0 = on the medial axis
}

// Len returns the number of records.
func (c *Columns) Len() int { return len(c.Component) }

// Edge is a step from one component of a region to another.
type Edge struct{ From, To uint32 }

// RegionGraph is the acyclic graph of a region's components.
type RegionGraph struct {
	Region     uint32
	Components uint32 // numbered from 1
	Edges      []Edge // ascending by From, then To; none from a component to itself
}

// Wall says for which regions a boundary edge of the zone's mesh is a wall.
type Wall struct {
	// Key is 3*t + k for edge k of triangle t, counted from the zone's first
	// and in the corner order after cleaning.
	Key     uint32
	Regions []uint32 // ascending; may be empty
}

// Side is one end of a landing link.
type Side struct {
	GX, GY   int32   // global cell
	H        float32 // height of the record it stands on, as decoded from the grid
	Declared float32 // landing height of the source data
	Region   uint32
	Clr      uint16
	Flags    uint8
	Why      uint8 // WhyUsable and so on
}

// Reasons in [Side.Why].
const (
	WhyUsable    = iota
	WhyOutside   // outside the grid
	WhyNoSurface // no surface in the cell
	WhyNoBand    // no surface inside the height band
	WhyNotCore   // only surfaces in the band that are not core
	whyEnd
)

// Bits of [Landing.Valid].
const (
	LoUsable = 1 << iota
	HiUsable
)

// Landing is an off-mesh link tied to grid cells.
type Landing struct {
	OffMesh       uint32 // number of the record in the main pack
	ZoneID        uint16
	Kind          uint8
	Valid         uint8 // LoUsable | HiUsable; only links with both are used
	IsExt         int32
	Bidirectional int32 // 0 = from Lo to Hi only
	Area          int32
	LinkType      uint16
	Direction     uint8
	Radius        float32
	CostModifier  float32
	Lo, Hi        Side
}

// Opening is a dead cell that a query may open again.
type Opening struct {
	GX, GY int32
	H      float32 // height of the record, to the bit
	Clr    uint16  // clearance after opening
	Flags  uint8   // bits to set
	Src    uint8   // bit 0 = seam gate, bit 1 = off-mesh landing
}

// ZoneRange is the part of Landings or Openings that belongs to a zone.
type ZoneRange struct {
	ZoneID     uint16
	First, Len uint32
}

// Zone is the sidecar's part for one zone. Its tables stay compressed.
type Zone struct {
	Name          string
	GlobalRegions uint32

	tiles     int
	triangles uint64 // of the main pack's zone
	records   uint64
	spans     slice
	graphs    slice
	walls     slice
}

// slice is a piece of a section.
type slice struct {
	b      []byte
	offset int64 // in the file
}

// TileOffset returns where the payload of a tile's columns starts in the
// decompressed file.
func (z *Zone) TileOffset(tile int) int64 { return z.spans.offset + int64(z.tile(tile).off) }

// Tiles returns the number of tiles.
func (z *Zone) Tiles() int { return z.tiles }

// Records returns the number of records of all tiles.
func (z *Zone) Records() uint64 { return z.records }

// Fields is a sidecar in memory, checked against its main pack. It is
// immutable and shared.
type Fields struct {
	Name     string
	Profile  pack.Profile // the constants it was computed with, which are those in force
	Zones    []Zone       // in stored order
	Sections []pack.Section
	Size     int64  // decompressed bytes
	Flags    uint16 // header flags

	// Extra are the sections beyond the format, sorted by tag: those whose tag
	// is four printable bytes, the first of each tag.
	Extra []pack.Extra

	// Landings and Openings in stored order, and which belong to which zone.
	// The ranges are nil where the section is absent.
	Landings      []Landing
	LandingZones  []ZoneRange
	Openings      []Opening
	OpeningZones  []ZoneRange
	HasLandings   bool
	HasOpenings   bool
	main          *bnav.Pack
	byGrid        []int       // index in Zones of each zone of the grid
	openingByGrid [][]Opening // openings of each zone of the grid
	maxBytes      int64
	tables        *Fields // what a Cache shares; kept alive by this
}

// Main returns the main pack the fields belong to.
func (f *Fields) Main() *bnav.Pack { return f.main }

// Section returns the bytes of a section beyond the format by its tag. They are
// shared and must not be changed. Sections of the format are not to be had here.
func (f *Fields) Section(tag string) ([]byte, bool) { return pack.FindExtra(f.Extra, tag) }

// ForGrid returns the index in Zones of a zone of the main pack's grid.
func (f *Fields) ForGrid(gridZone int) int { return f.byGrid[gridZone] }

// ZoneIndex returns the index of a zone by name, or -1.
func (f *Fields) ZoneIndex(name string) int {
	for i := range f.Zones {
		if f.Zones[i].Name == name {
			return i
		}
	}
	return -1
}

// ZoneLandings returns the landing links of a zone by id.
func (f *Fields) ZoneLandings(zoneID uint16) []Landing {
	for _, r := range f.LandingZones {
		if r.ZoneID == zoneID {
			return f.Landings[r.First:][:r.Len]
		}
	}
	return nil
}

// ZoneOpenings returns the openings of a zone by id, ascending by row, column
// and the bits of the height.
func (f *Fields) ZoneOpenings(zoneID uint16) []Opening {
	for _, r := range f.OpeningZones {
		if r.ZoneID == zoneID {
			return f.Openings[r.First:][:r.Len]
		}
	}
	return nil
}

// Rejudge returns the forbidden steps that count: those of the sidecar, in the
// directions in which the main pack forbids a step one way or the other.
func Rejudge(steps, steps2 uint8) uint8 {
	gate := (steps | steps>>1) & 0x55
	return steps2 & (gate | gate<<1)
}
