package annex

import (
	"context"
	"encoding/binary"
	"math"

	"wend/pack"
	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// A record's headroom is stored in steps of 1/16 m, 0 meaning that nothing
// limits it below 12 m.
const (
	HeadroomSteps = 16  // a metre
	MaxHeadroom   = 12  // m that are looked at
	maxHeadroom   = 191 // the largest step below 12 m
)

// HeadroomStep returns what is stored for a headroom in metres: rounded down,
// since more must not be promised than is there, but at least 1; 0 from
// MaxHeadroom on and for NaN.
func HeadroomStep(m float64) uint8 {
	if !(m < MaxHeadroom) {
		return 0
	}
	return uint8(max(1, math.Floor(m*HeadroomSteps)))
}

// HeadroomMetres returns the metres that a stored value stands for: at least
// so much is free. For 0 that is MaxHeadroom.
func HeadroomMetres(step uint8) float64 {
	if step == 0 {
		return MaxHeadroom
	}
	return float64(step) / HeadroomSteps
}

// HeadroomTile is an encoded tile.
type HeadroomTile struct {
	Records uint32
	Payload []byte // of [HeadroomEncoder.Encode]; empty where all values are 0
}

// HeadroomEncoder encodes tiles and keeps its scratch. It is for one goroutine.
type HeadroomEncoder struct{ d *pack.Deflater }

// NewHeadroomEncoder returns an encoder for a compression level.
func NewHeadroomEncoder(level bnav.Level) (*HeadroomEncoder, error) {
	d, err := pack.NewDeflater(level.Int())
	if err != nil {
		return nil, err
	}
	return &HeadroomEncoder{d}, nil
}

// Encode returns a tile with a value for each record of the grid's tile, in its
// order.
func (e *HeadroomEncoder) Encode(values []uint8) (HeadroomTile, error) {
	t := HeadroomTile{Records: uint32(len(values))}
	limited := false
	for i, v := range values {
		if v > maxHeadroom {
			return t, fault(TagHeadroom, pack.ErrRange, "record %d: %d, want at most %d", i, v, maxHeadroom)
		}
		limited = limited || v != 0
	}
	if uint64(len(values)) > math.MaxUint32 {
		return t, fault(TagHeadroom, pack.ErrRange, "%d records", len(values))
	}
	if limited {
		t.Payload = e.d.AppendZlib(nil, values)
	}
	return t, nil
}

const headroomEntryLen = 8

// EncodeHeadroom returns the section WHDR: for each zone of the main pack's
// grid its tiles, in their order.
func EncodeHeadroom(zones [][]HeadroomTile) (pack.Extra, error) {
	le := binary.LittleEndian
	out := appendHeader(nil, TagHeadroom)
	out = le.AppendUint32(out, uint32(len(zones)))
	out = le.AppendUint32(out, 0)
	for zi, tiles := range zones {
		out = le.AppendUint32(out, uint32(len(tiles)))
		for i, t := range tiles {
			if uint64(len(t.Payload)) > math.MaxUint32 || len(t.Payload) > 0 && t.Records == 0 {
				return pack.Extra{}, fault(TagHeadroom, pack.ErrRange, "zone %d, tile %d: %d bytes for %d records", zi, i, len(t.Payload), t.Records)
			}
			out = le.AppendUint32(out, t.Records)
			out = le.AppendUint32(out, uint32(len(t.Payload)))
		}
	}
	for _, tiles := range zones {
		for _, t := range tiles {
			out = append(out, t.Payload...)
		}
	}
	return pack.Extra{Tag: TagHeadroom, Data: out}, nil
}

// Headroom is the headroom of the records of a grid. Tiles stay compressed, in
// the bytes that the fields pack holds anyway.
type Headroom struct {
	main  *bnav.Pack
	where pack.Where
	base  int64
	data  []byte
	zones [][]headroomTile
}

// headroomTile is a place in data.
type headroomTile struct {
	records, size uint32
	off           uint64
}

// ReadHeadroom returns the headroom of a fields pack, nil where it has none.
// Zones, tiles and records must be those of the main pack's grid
// (pack.ErrPairing). Tiles are not decoded.
func ReadHeadroom(f *bnvf.Fields) (*Headroom, error) {
	r := open(f.Name, TagHeadroom, f.Extra, f.Sections)
	if r == nil {
		return nil, nil
	}
	h := parseHeadroom(r)
	h.main = f.Main()
	g := h.main.Grid
	if err := pairZones(r, len(h.zones), g); err != nil {
		return nil, err
	}
	for i, tiles := range h.zones {
		if len(tiles) != len(g.Zones[i].Tiles) {
			return nil, at(r, g, i, -1).At(h.base, pack.ErrPairing, "%d tiles, the grid has %d", len(tiles), len(g.Zones[i].Tiles))
		}
		for k, t := range tiles {
			if want := g.Zones[i].Tiles[k].Records; t.records != want {
				return nil, at(r, g, i, k).At(h.base, pack.ErrPairing, "%d records, the grid has %d", t.records, want)
			}
		}
	}
	return h, nil
}

func parseHeadroom(r *pack.Reader) *Headroom {
	h := &Headroom{where: r.Where(), base: r.Offset() - int64(r.Pos()), data: r.Peek()}
	readHeader(r, TagHeadroom)
	count := r.U32()
	readReserved(r)
	if !r.Items(uint64(count), 4, "zones") {
		return h
	}
	h.zones = make([][]headroomTile, count)
	for i := range h.zones {
		tiles := r.U32()
		if !r.Items(uint64(tiles), headroomEntryLen, "tiles") {
			return h
		}
		h.zones[i] = make([]headroomTile, tiles)
		for k := range h.zones[i] {
			t := &h.zones[i][k]
			pos := r.Pos()
			t.records, t.size = r.U32(), r.U32()
			if t.size > 0 && (t.records == 0 || uint64(t.records) > pack.Expansion(uint64(t.size))) {
				r.FailAt(pos, pack.ErrLimit, "zone %d, tile %d: %d records cannot be in %d bytes", i, k, t.records, t.size)
			}
		}
	}
	for i := range h.zones {
		for k := range h.zones[i] {
			t := &h.zones[i][k]
			t.off = uint64(r.Pos())
			r.Bytes(uint64(t.size))
		}
	}
	r.Done()
	return h
}

// A HeadroomDecoder decodes tiles and keeps its scratch. The zero value is
// ready. It is for one goroutine.
type HeadroomDecoder struct{ inf pack.Inflater }

// Decode appends the values of a tile to dst, aligned with the records of the
// grid's tile.
func (d *HeadroomDecoder) Decode(h *Headroom, zone, tile int, dst []uint8) ([]uint8, error) {
	t := h.zones[zone][tile]
	n := int(t.records)
	if t.size == 0 {
		for range n {
			dst = append(dst, 0)
		}
		return dst, nil
	}
	offset := h.base + int64(t.off)
	start := len(dst)
	dst, err := d.inf.Inflate(dst, h.data[t.off:][:t.size], int64(n))
	if err != nil {
		return dst[:start], h.tile(zone, tile).Wrap(offset, err)
	}
	if got := len(dst) - start; got != n {
		return dst[:start], h.tile(zone, tile).At(offset, pack.ErrCount, "%d values for %d records", got, n)
	}
	for i, v := range dst[start:] {
		if v > maxHeadroom {
			return dst[:start], h.tile(zone, tile).In("record", i).At(offset, pack.ErrRange, "%d, want at most %d", v, maxHeadroom)
		}
	}
	return dst, nil
}

func (h *Headroom) tile(zone, tile int) pack.Where {
	w := h.where
	if h.main != nil && h.main.Grid != nil {
		w.Zone = h.main.Grid.Zones[zone].Name
	}
	return w.In("tile", tile)
}

// Window returns the values of a window's records, aligned with what
// bnvf.Fields.Window and bnav.Grid.Window return for the same zone of the grid
// and window. Of the grid's tiles only the cells are decoded. The result is the
// same for any number of workers (0 = one per processor, at most four).
func (h *Headroom) Window(ctx context.Context, zone int, win bnav.Window, workers int) ([]uint8, error) {
	if err := win.Check(); err != nil {
		return nil, err
	}
	g := h.main.Grid
	tiles := g.TilesIn(zone, win)
	type scratch struct {
		cells  bnav.TileDecoder
		dec    HeadroomDecoder
		cell   []int32
		values []uint8
	}
	work := make([]scratch, pack.Workers(workers, len(tiles)))
	parts := make([][]uint8, len(tiles))
	err := pack.Parallel(ctx, workers, len(tiles), func(w, i int) (err error) {
		s := &work[w]
		if s.cell, err = s.cells.Cells(g, zone, tiles[i], s.cell[:0]); err != nil {
			return err
		}
		if s.values, err = s.dec.Decode(h, zone, tiles[i], s.values[:0]); err != nil {
			return err
		}
		t := &g.Zones[zone].Tiles[tiles[i]]
		kept := s.values[:0]
		for k, cell := range s.cell {
			if _, ok := t.Locate(cell, win); ok {
				kept = append(kept, s.values[k])
			}
		}
		parts[i] = append([]uint8(nil), kept...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	out := make([]uint8, 0, n)
	for _, p := range parts {
		out = append(out, p...)
	}
	return out, nil
}
