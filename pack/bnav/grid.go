package bnav

import (
	"encoding/binary"
	"fmt"
	"math"

	"wend/pack"
)

// CellSize is the side of a grid cell in px of the zone plane.
const CellSize = 0.25

const (
	gridHeaderLen = 40
	gridZoneMin   = 28
	tileEntryLen  = 48
	maxTileSide   = 65535
)

// Versions of the grid section: columns in one blob, and a stream per field.
const (
	GridColumns = 2
	GridStreams = 3
)

// Record is one surface in one cell of a tile.
type Record struct {
	Cell   int32  // row * width + column, in the tile or window it was decoded for
	Region uint32 // region id, unique over the zone
	H      float32
	Clr    uint16 // clearance as squared distance in cells
	Flags  uint8
	Steps  uint8 // forbidden steps: bit 2i from here in direction i, bit 2i+1 back
}

// Flags of a [Record].
const (
	Dead  = 1 << iota // stamped by a wall
	Walk              // may be walked
	Core              // inside a triangle, and open
	Ghost             // added cell with a neighbour's height
	Fill              // added cell without height

	AllFlags = Dead | Walk | Core | Ghost | Fill
)

// Directions are the four canonical steps of [Record.Steps]. The opposite ones
// are the neighbour's bits.
var Directions = [4][2]int32{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

// Clearance returns a stored clearance in px: the distance to the nearest
// obstacle, at most 12.
func Clearance(clr uint16) float32 {
	return min(float32(float32(math.Sqrt(float64(clr)))*CellSize), 12)
}

// Tile is an entry of the grid's tile directory: a window of cells that
// decodes alone, and the rectangle in it that the tile answers for.
type Tile struct {
	GX0, GY0 int32 // global column and row of the window's first cell
	NX, NY   int32 // size in cells

	// The owned rectangle, closed, counted from the window's first cell.
	// Records outside of it repeat what a neighbour owns.
	PX0, PX1, PY0, PY1 int32

	Records uint32 // 0 = empty, there may be no payload

	off  uint64
	size uint32
}

// PackedLen is the length of the tile's payload in bytes.
func (t *Tile) PackedLen() int { return int(t.size) }

// Window is a rectangle of global cells.
type Window struct{ GX0, GY0, NX, NY int32 }

// Meets reports whether the rectangle the tile owns and w have a common cell.
func (t *Tile) Meets(w Window) bool {
	return int64(t.GX0)+int64(t.PX0) < int64(w.GX0)+int64(w.NX) && int64(t.GX0)+int64(t.PX1) >= int64(w.GX0) &&
		int64(t.GY0)+int64(t.PY0) < int64(w.GY0)+int64(w.NY) && int64(t.GY0)+int64(t.PY1) >= int64(w.GY0)
}

// GridZone is the grid of one zone.
type GridZone struct {
	Name          string
	X0, Y0        float64 // origin, px
	GlobalRegions uint32  // region ids go up to this
	Tiles         []Tile

	offset int64 // of the zone's entry in the file
}

// Grid is the voxel grid of a pack: directories in the open, tiles compressed.
// It is immutable; any number of decoders work on it at once.
type Grid struct {
	Version uint32  // GridStreams or GridColumns
	Tile    float64 // side of a tile, px
	Apron   float64 // margin of a tile, px
	Zones   []GridZone

	bytes *gridBytes // the section
	where pack.Where
	base  int64 // offset of the section in the file
}

// MaxSide is the most cells a tile may have in a row or column.
func (g *Grid) MaxSide() int32 {
	side, _ := maxSide(g.Tile, g.Apron)
	return side
}

func maxSide(tile, apron float64) (int32, error) {
	side := math.Floor((tile+2*apron)/CellSize) + 2
	if !(side <= maxTileSide) {
		return 0, fmt.Errorf("%w: tiles of %v px with an apron of %v px have sides of up to %v cells, want at most %d",
			pack.ErrLimit, tile, apron, side, maxTileSide)
	}
	return int32(side), nil
}

// ZoneIndex returns the index of a zone by name, or -1.
func (g *Grid) ZoneIndex(name string) int {
	for i := range g.Zones {
		if g.Zones[i].Name == name {
			return i
		}
	}
	return -1
}

// PackedLen is the length of the section in bytes: what stays in memory.
func (g *Grid) PackedLen() int { return len(g.bytes.b) }

// Records returns how many records the zone's tiles hold, aprons included.
func (z *GridZone) Records() uint64 {
	n := uint64(0)
	for i := range z.Tiles {
		n += uint64(z.Tiles[i].Records)
	}
	return n
}

// grid reads BGRD: header and directories. Tiles are decoded when asked for.
func (l *loader) grid() error {
	s, ok := pack.FindSection(l.pack.Sections, "BGRD")
	if !ok {
		return nil
	}
	r := l.file.Section(s)
	if !l.take(r, s.Size, 2, "grid bytes") { // the section and, at most as long, its directory
		return r.Err()
	}
	g := &Grid{where: r.Where(), base: r.Offset()}
	section := r.Peek()
	g.parse(r)
	if r.Err() != nil {
		return r.Err()
	}
	g.bytes = l.opts.Cache.share(l.pack.Fingerprint, section)
	l.pack.Grid = g
	return nil
}

// parse reads header and directories of the section the reader is over.
func (g *Grid) parse(r *pack.Reader) {
	r.Magic("BGRD")
	g.Version = r.U32()
	if r.Err() == nil && g.Version != GridStreams && g.Version != GridColumns {
		r.FailAt(4, pack.ErrVersion, "grid version %d, want %d or %d", g.Version, GridColumns, GridStreams)
	}
	if cs := r.F64(); r.Err() == nil && math.Abs(cs-CellSize) > 1e-12 {
		r.FailAt(8, pack.ErrRules, "cell size %v, want %v", cs, CellSize)
	}
	g.Tile, g.Apron = r.F64(), r.F64()
	if r.Err() == nil {
		switch {
		case !(g.Tile > 0):
			r.FailAt(16, pack.ErrRange, "tile side %v", g.Tile)
		case !(g.Apron >= 0):
			r.FailAt(24, pack.ErrRange, "apron %v", g.Apron)
		default:
			if _, err := maxSide(g.Tile, g.Apron); err != nil {
				r.FailWithAt(16, err)
			}
		}
	}
	count := r.U32()
	r.U32() // reserved
	if !r.Items(uint64(count), gridZoneMin, "zones") {
		return
	}
	section := r.Where()
	side := g.MaxSide()
	records := uint64(0)
	names := make(map[string]bool, count)
	g.Zones = make([]GridZone, count)
	for i := range g.Zones {
		z := &g.Zones[i]
		r.SetWhere(section.In("zone", i))
		z.offset = r.Offset()
		start := r.Pos()
		z.Name = r.Name(r.U32())
		r.Pad(start, 4)
		if names[z.Name] {
			r.FailAt(start, pack.ErrDuplicate, "zone %q for the second time", z.Name)
		}
		names[z.Name] = true
		z.X0, z.Y0 = r.F64(), r.F64()
		z.GlobalRegions = r.U32()
		tiles := r.U32()
		if !r.Items(uint64(tiles), tileEntryLen, "tiles") {
			return
		}
		z.Tiles = make([]Tile, tiles)
		where := section
		where.Zone = z.Name
		for k := range z.Tiles {
			r.SetWhere(where.In("tile", k))
			readTile(r, &z.Tiles[k], side)
			if r.Err() != nil {
				return
			}
		}
		r.SetWhere(where)
		n := z.Records()
		records += n
		if uint64(z.GlobalRegions) > n {
			r.FailAt(start, pack.ErrLimit, "%d regions in %d records", z.GlobalRegions, n)
		}
		if records > pack.Expansion(uint64(r.Size())) {
			r.FailAt(start, pack.ErrLimit, "%d records cannot be in a section of %d bytes", records, r.Size())
		}
		if r.Err() != nil {
			return
		}
	}
	r.SetWhere(section)
}

// readTile reads a directory entry.
func readTile(r *pack.Reader, t *Tile, side int32) {
	start := r.Pos()
	*t = Tile{
		GX0: r.I32(), GY0: r.I32(), NX: r.I32(), NY: r.I32(), PX0: r.I32(), PX1: r.I32(), PY0: r.I32(), PY1: r.I32(),
		off: r.U64(), size: r.U32(), Records: r.U32(),
	}
	if r.Err() != nil {
		return
	}
	if at, err := t.check(side); err != nil {
		r.FailWithAt(start+at, err)
		return
	}
	size := uint64(r.Size())
	if t.off > size || uint64(t.size) > size-t.off {
		r.FailAt(start+32, pack.ErrBounds, "payload of %d bytes at %d in a section of %d", t.size, t.off, size)
	} else if uint64(t.Records) > pack.MaxRatio*uint64(t.size) {
		r.FailAt(start+44, pack.ErrLimit, "%d records cannot be in %d bytes", t.Records, t.size)
	}
}

// check checks the numbers of a tile. at is where the one at fault stands in
// the directory entry.
func (t *Tile) check(side int32) (at int, err error) {
	switch {
	case t.NX < 1 || t.NX > side:
		return 8, fmt.Errorf("%w: width %d, want 1 to %d cells", pack.ErrRange, t.NX, side)
	case t.NY < 1 || t.NY > side:
		return 12, fmt.Errorf("%w: height %d, want 1 to %d cells", pack.ErrRange, t.NY, side)
	case t.PX0 < 0 || t.PX0 > t.PX1 || t.PX1 >= t.NX:
		return 16, fmt.Errorf("%w: owned columns %d to %d of %d", pack.ErrRange, t.PX0, t.PX1, t.NX)
	case t.PY0 < 0 || t.PY0 > t.PY1 || t.PY1 >= t.NY:
		return 24, fmt.Errorf("%w: owned rows %d to %d of %d", pack.ErrRange, t.PY0, t.PY1, t.NY)
	case int64(t.GX0)+int64(t.NX) > math.MaxInt32:
		return 0, fmt.Errorf("%w: columns %d+%d", pack.ErrRange, t.GX0, t.NX)
	case int64(t.GY0)+int64(t.NY) > math.MaxInt32:
		return 4, fmt.Errorf("%w: rows %d+%d", pack.ErrRange, t.GY0, t.NY)
	}
	return 0, nil
}

// TileOffset returns where the payload of a tile starts in the decompressed
// file that the grid was read from.
func (g *Grid) TileOffset(zone, tile int) int64 { return g.base + int64(g.Zones[zone].Tiles[tile].off) }

// payload returns a reader over a tile's packed bytes.
func (g *Grid) payload(zone, tile int) *pack.Reader {
	z := &g.Zones[zone]
	t := &z.Tiles[tile]
	where := g.where
	where.Zone = z.Name
	return pack.NewReader(where.In("tile", tile), g.bytes.b[t.off:][:t.size:t.size], g.base+int64(t.off))
}

// NewTile is a tile to be put into a grid: its directory entry, Records
// included, and the payload of [TileEncoder.Encode].
type NewTile struct {
	Tile
	Payload []byte
}

// NewZone is a zone to be put into a grid.
type NewZone struct {
	Name          string
	X0, Y0        float64
	GlobalRegions uint32
	Tiles         []NewTile
}

// NewGrid makes a grid of encoded tiles. tile and apron are the sides in px
// that bound the tiles' sizes.
func NewGrid(tile, apron float64, zones []NewZone) (*Grid, error) {
	le := binary.LittleEndian
	dir := gridHeaderLen
	for i := range zones {
		if err := checkName(zones[i].Name); err != nil {
			return nil, fmt.Errorf("bnav: grid zone %d: %w", i, err)
		}
		dir += gridZoneMin + (len(zones[i].Name)+3)/4*4 + tileEntryLen*len(zones[i].Tiles)
	}
	b := append([]byte("BGRD"), GridStreams, 0, 0, 0)
	for _, f := range []float64{CellSize, tile, apron} {
		b = pack.AppendF64(b, f)
	}
	b = le.AppendUint32(b, uint32(len(zones)))
	b = le.AppendUint32(b, 0)
	off := uint64(dir)
	for i := range zones {
		z := &zones[i]
		start := len(b)
		b = le.AppendUint32(b, uint32(len(z.Name)))
		b = pack.AppendPad(append(b, z.Name...), start, 4)
		b = pack.AppendF64(pack.AppendF64(b, z.X0), z.Y0)
		b = le.AppendUint32(b, z.GlobalRegions)
		b = le.AppendUint32(b, uint32(len(z.Tiles)))
		for k := range z.Tiles {
			t := &z.Tiles[k]
			if uint64(len(t.Payload)) > math.MaxUint32 {
				return nil, fmt.Errorf("bnav: zone %q, tile %d: payload of %d bytes", z.Name, k, len(t.Payload))
			}
			for _, v := range []int32{t.GX0, t.GY0, t.NX, t.NY, t.PX0, t.PX1, t.PY0, t.PY1} {
				b = le.AppendUint32(b, uint32(v))
			}
			b = le.AppendUint64(b, off)
			b = le.AppendUint32(b, uint32(len(t.Payload)))
			b = le.AppendUint32(b, t.Records)
			off += uint64(len(t.Payload))
		}
	}
	b = append(make([]byte, 0, off), b...)
	for i := range zones {
		for k := range zones[i].Tiles {
			b = append(b, zones[i].Tiles[k].Payload...)
		}
	}
	g := &Grid{where: pack.Where{File: "BNAV", Section: "BGRD"}, bytes: &gridBytes{b}}
	r := pack.NewReader(g.where, b, 0)
	g.parse(r)
	if r.Err() != nil {
		return nil, r.Err()
	}
	return g, nil
}
