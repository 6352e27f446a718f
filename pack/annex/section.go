package annex

import (
	"encoding/binary"
	"fmt"

	"wend/pack"
	"wend/pack/bnav"
)

// Tags of the sections.
const (
	TagBounds   = "WBND"
	TagLevels   = "WLVL"
	TagBodies   = "WBDY"
	TagReport   = "WRPT"
	TagNoGo     = "WNGO"
	TagHeadroom = "WHDR"
	TagDrops    = "WDRP"
)

// Tags lists all of them.
func Tags() []string {
	return []string{TagBounds, TagLevels, TagBodies, TagReport, TagNoGo, TagHeadroom, TagDrops}
}

// version is the one all sections have so far.
const version = 1

// appendHeader appends what every section starts with.
func appendHeader(dst []byte, tag string) []byte {
	dst = append(dst, tag...)
	dst = binary.LittleEndian.AppendUint16(dst, version)
	return append(dst, 0, 0)
}

// readHeader reads and checks it.
func readHeader(r *pack.Reader, tag string) {
	r.Magic(tag)
	if v := r.U16(); r.Err() == nil && v != version {
		r.FailAt(4, pack.ErrVersion, "version %d, want %d", v, version)
	}
	if v := r.U16(); r.Err() == nil && v != 0 {
		r.FailAt(6, pack.ErrRange, "reserved field %#04x, want 0", v)
	}
}

// readReserved reads a reserved uint32.
func readReserved(r *pack.Reader) {
	if v := r.U32(); r.Err() == nil && v != 0 {
		r.FailAt(r.Pos()-4, pack.ErrRange, "reserved field %#08x, want 0", v)
	}
}

// open returns a reader over a section of a loaded pack, nil where it has none.
func open(file, tag string, extra []pack.Extra, dir []pack.Section) *pack.Reader {
	data, ok := pack.FindExtra(extra, tag)
	if !ok {
		return nil
	}
	s, _ := pack.FindSection(dir, tag)
	return pack.NewReader(pack.Where{File: file, Section: tag}, data, int64(s.Offset))
}

// pairZones compares a section's number of zones with that of a pack's grid.
func pairZones(r *pack.Reader, zones int, g *bnav.Grid) error {
	if r.Err() != nil {
		return r.Err()
	}
	if g == nil {
		return r.Where().At(r.Offset()-int64(r.Pos()), pack.ErrPairing, "the pack has no grid")
	}
	if zones != len(g.Zones) {
		return r.Where().At(r.Offset()-int64(r.Pos())+8, pack.ErrPairing, "%d zones, the grid has %d", zones, len(g.Zones))
	}
	return nil
}

// fault is an error of an encoder.
func fault(tag string, sentinel error, format string, args ...any) error {
	return fmt.Errorf("annex: %s: %w: "+format, append([]any{tag, sentinel}, args...)...)
}

// where names a zone of the grid and a tile of it for errors.
func at(r *pack.Reader, g *bnav.Grid, zone, tile int) pack.Where {
	w := r.Where()
	w.Zone = g.Zones[zone].Name
	if tile >= 0 {
		w = w.In("tile", tile)
	}
	return w
}
