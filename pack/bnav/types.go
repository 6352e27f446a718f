package bnav

import (
	"math"

	"wend/pack"
)

// Vertex is a corner in the plane of its zone: px, px, and height in metres.
type Vertex struct{ U, V, H float32 }

// Triangle has three vertex indices and, per edge from corner k to k+1, the
// index of the triangle beyond it, or -1.
type Triangle struct {
	V [3]uint32
	N [3]int32
}

// Link is the permission to pass from one triangle to another.
type Link struct{ Source, Target uint32 }

// NoFloor and below in [Zone.FloorY] means that a zone has no floor height.
const (
	NoFloor   = -1.0e30
	floorless = -1.0e29
)

// TierFlag in [Zone.Flags] marks a tier zone.
const TierFlag = 1

// Zone is an entry of the zone table: a map with a plane and triangles of its
// own, or a tier, a drawing of a floor that maps onto a geometry zone.
type Zone struct {
	ID    uint16 // unique
	Flags uint16 // TierFlag; other bits are kept
	Name  string // unique, UTF-8, 1 to 4096 bytes

	// FirstTri and TriCount are the triangles the zone owns. Ranges of
	// geometry zones do not overlap; a tier has none.
	FirstTri, TriCount uint32
	// Components is informational for a geometry zone, and for a tier the id
	// of the zone it belongs to.
	Components uint32

	Width, Height float32 // px

	// A geometry zone ties its plane to the world: u = SX*X + TX,
	// v = TY - SY*Z, a zero scale meaning no world. A tier maps its pixels to
	// its parent's: SX*x + TX, SY*y + TY.
	SX, TX, SY, TY float32
	FloorY         float32 // height a tier depicts, or NoFloor
}

// IsTier reports whether the zone is a drawing of another zone's floor.
func (z *Zone) IsTier() bool { return z.Flags&TierFlag != 0 }

// Floor returns the floor height, and false where the zone has none.
func (z *Zone) Floor() (float32, bool) { return z.FloorY, z.FloorY > floorless }

// HasWorld reports whether a geometry zone's plane is tied to the world.
func (z *Zone) HasWorld() bool { return z.SX != 0 && z.SY != 0 }

// ToPlane maps world X and Z (metres) to the plane of a geometry zone.
func (z *Zone) ToPlane(x, wz float64) (u, v float64) {
	return float64(float64(z.SX)*x) + float64(z.TX), float64(z.TY) - float64(float64(z.SY)*wz)
}

// ToParent maps pixels of a tier to pixels of its parent.
func (z *Zone) ToParent(x, y float64) (px, py float64) {
	return float64(float64(z.SX)*x) + float64(z.TX), float64(float64(z.SY)*y) + float64(z.TY)
}

// Surface is what a triangle is made of.
type Surface struct {
	Area, PolyType uint8
	Flags          uint32 // walkable where it shares a bit with the profile's WalkMask
}

// NoTriangle stands for the missing triangle of an [OffMeshLink].
const NoTriangle = math.MaxUint32

// OffMeshLink is an authored passage that is not a walk over triangles.
type OffMeshLink struct {
	Index         uint32 // number of the record in the whole pack
	ZoneID        uint16
	Kind          uint8 // 0 regular, 1 extended
	IsExt         int32
	Bidirectional int32 // 0 = one way
	Area          int32
	LinkType      uint16
	Direction     uint8
	Radius        float32   // >= 0
	CostModifier  float32   //
	Points        [4]Vertex // our writers: both ends of the start edge, then of the end edge
	DirOK         uint8     // bit 0 start to end usable, bit 1 end to start; 0 in version 1
	StartTri      uint32    // or NoTriangle
	EndTri        uint32    // or NoTriangle
}

// Anchored reports whether both ends lie on triangles, and not on the same.
func (l *OffMeshLink) Anchored() bool {
	return l.StartTri != NoTriangle && l.EndTri != NoTriangle && l.StartTri != l.EndTri
}

// Profile is a declaration of constants that are not the reference ones.
type Profile struct {
	pack.Profile
	Name string // at most 64 bytes of UTF-8, may be empty
}

// Content is what a pack holds, or what is to be written into one. On a load
// by zone it is what belongs to the zone, with indices counted from the zone's
// first vertex and triangle.
type Content struct {
	Zones     []Zone
	Vertices  []Vertex
	Triangles []Triangle
	// Components gives each triangle's component id. Loads leave it nil
	// unless Options.Components is set. For a write, nil means: computed from
	// the neighbours, numbered from 0 in order of their first triangle.
	Components []uint32
	Links      []Link // sorted by source

	Surfaces       []Surface     // one per triangle; nil = section absent, all walkable
	OffMesh        []OffMeshLink //
	OffMeshVersion int           // 0 = section absent (for a write only where OffMesh is nil), 1 or 2
	Grid           *Grid         // nil = section absent
	Profile        *Profile      // nil = reference constants

	// Extra are sections beyond the format, which its readers skip; those of
	// package annex for one. They are stored sorted by tag behind the others.
	// A load, by zone too, keeps those whose tag is four printable bytes, the
	// first of each tag.
	Extra []pack.Extra
}

// Rules returns the constants in force: the declared profile or the reference
// one.
func (c *Content) Rules() pack.Profile {
	if c.Profile != nil {
		return c.Profile.Profile
	}
	return pack.ReferenceProfile()
}

// Walkable reports whether triangle t may be stood on.
func (c *Content) Walkable(t int) bool {
	return c.Surfaces == nil || c.Surfaces[t].Flags&c.Rules().WalkMask != 0
}

// ZoneIndex returns the index of a zone by name, or -1.
func (c *Content) ZoneIndex(name string) int {
	for i := range c.Zones {
		if c.Zones[i].Name == name {
			return i
		}
	}
	return -1
}

// Pack is a main pack in memory. It is immutable after the load and shared.
type Pack struct {
	Content

	Name        string // file name, or "BNAV"
	Version     uint16
	BuildHash   uint64 // as stored; checked on a whole load only
	Fingerprint uint64 // FNV-1a of all decompressed bytes
	Size        int64  // decompressed bytes

	// Counts of the whole pack, also on a load by zone.
	VertexTotal, TriangleTotal, LinkTotal, OffMeshTotal uint32

	Table    []Zone // the whole zone table; Zones of a whole load is the same slice
	ChunkLen ChunkLen
	Sections []pack.Section // the directory, unknown tags included

	ZoneName     string // "" = whole pack
	FirstVertex  uint32 // number, in the whole pack, of Vertices[0]
	FirstTri     uint32 // and of Triangles[0]
	LinksDropped int    // links to triangles that do not exist, left out
	Decoded      Decoded
}

// ChunkLen is how many records a chunk of each table has; it decodes alone.
type ChunkLen struct{ Vertices, Triangles, Links uint32 }

// Decoded counts the chunks a load has inflated.
type Decoded struct{ Vertices, Triangles, Links int }

// Section returns the bytes of a section beyond the format by its tag. They are
// shared and must not be changed. Sections of the format are not kept.
func (c *Content) Section(tag string) ([]byte, bool) { return pack.FindExtra(c.Extra, tag) }

// HasSection reports whether the pack's directory has the tag.
func (p *Pack) HasSection(tag string) bool {
	_, ok := pack.FindSection(p.Sections, tag)
	return ok
}
