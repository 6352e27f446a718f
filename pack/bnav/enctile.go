package bnav

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"wend/pack"
)

// SortRecords puts records into the order our writers give them: by cell, then
// region, then height.
func SortRecords(recs []Record) {
	slices.SortFunc(recs, func(a, b Record) int {
		return cmp.Or(cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Region, b.Region), cmp.Compare(a.H, b.H),
			cmp.Compare(a.Flags, b.Flags), cmp.Compare(a.Clr, b.Clr), cmp.Compare(a.Steps, b.Steps))
	})
}

// Quantize sets heights of a tile's records to what a reader will get from
// the encoded tile: the lowest plus a multiple of 1/64 m, half to even, and 0
// for Fill. Heights that are multiples of 1/64 m stay as they are. Tables that
// repeat heights must use the quantised ones.
func Quantize(recs []Record) error {
	hmin, err := lowest(recs)
	if err != nil {
		return err
	}
	for i := range recs {
		r := &recs[i]
		if r.Flags&Fill != 0 {
			r.H = 0
			continue
		}
		hq, err := heightSteps(hmin, r.H)
		if err != nil {
			return fmt.Errorf("bnav: record %d: %w", i, err)
		}
		r.H = float32(float64(hmin) + float64(hq)/64)
	}
	return nil
}

// lowest is the least height of records that are not Fill, 0 where there are
// none.
func lowest(recs []Record) (float32, error) {
	hmin, any := float32(0), false
	for i := range recs {
		r := &recs[i]
		if r.Flags&Fill != 0 {
			continue
		}
		if !finite(r.H) {
			return 0, fmt.Errorf("bnav: record %d: %w: height %v", i, pack.ErrNonFinite, r.H)
		}
		if !any || r.H < hmin {
			hmin, any = r.H, true
		}
	}
	return hmin, nil
}

// heightSteps is the stored height in steps of 1/64 m.
func heightSteps(hmin, h float32) (int32, error) {
	q := math.RoundToEven((float64(h) - float64(hmin)) * 64)
	if !(q >= 0 && q <= math.MaxInt32) {
		return 0, fmt.Errorf("%w: height %v above %v in a tile, want at most 2^31-1 steps of 1/64", pack.ErrRange, h, hmin)
	}
	return int32(q), nil
}

// A TileEncoder encodes tiles for [NewGrid] and keeps its scratch. It is for
// one goroutine.
type TileEncoder struct {
	d *pack.Deflater

	regions []uint32
	column  []int32
	base    []uint32
	live    []uint32
	last    []int32
	fill    []bool
	values  [fields][]int32
	streams [8][]byte
	trial   [2][]byte
}

// NewTileEncoder returns an encoder for a compression level.
func NewTileEncoder(level Level) (*TileEncoder, error) {
	d, err := pack.NewDeflater(level.Int())
	if err != nil {
		return nil, err
	}
	return &TileEncoder{d: d}, nil
}

// Encode returns the payload of a tile of nx by ny cells, nil where there are
// no records. Cells must ascend; the order within a cell is kept, and should be
// that of [SortRecords]. Heights are stored as by [Quantize]. The predictor of
// each field and layer is the one whose residuals have the lower entropy. Time
// is linear in the records.
func (e *TileEncoder) Encode(recs []Record, nx, ny int32) ([]byte, error) {
	return e.encode(recs, nx, ny, nil)
}

// encode is Encode with the predictors given, where sel is not nil.
func (e *TileEncoder) encode(recs []Record, nx, ny int32, sel []uint8) ([]byte, error) {
	if len(recs) == 0 {
		return nil, nil
	}
	depth, err := e.prepare(recs, nx, ny)
	if err != nil {
		return nil, err
	}
	hmin, err := lowest(recs)
	if err != nil {
		return nil, err
	}
	for i := range recs {
		r := &recs[i]
		hq := int32(0)
		if !e.fill[i] {
			if hq, err = heightSteps(hmin, r.H); err != nil {
				return nil, fmt.Errorf("bnav: record %d: %w", i, err)
			}
		}
		id, _ := slices.BinarySearch(e.regions, r.Region)
		e.values[fieldHeight][i], e.values[fieldRegion][i] = hq, int32(id)
		e.values[fieldClr][i], e.values[fieldFlags][i], e.values[fieldSteps][i] = int32(r.Clr), int32(r.Flags), int32(r.Steps)
	}
	cells := len(e.column)
	chosen := make([]uint8, fields*depth)
	e.live = resize(e.live, cells)
	for i := range e.live {
		e.live[i] = uint32(i)
	}
	for layer := range uint32(depth) {
		kept := e.live[:0]
		for _, i := range e.live {
			if e.base[i+1]-e.base[i] > layer {
				kept = append(kept, i)
			}
		}
		e.live = kept
		for f := range fields {
			at := f*depth + int(layer)
			e.residualsUp(f, layer, nx, false)
			switch {
			case sel != nil:
				chosen[at] = sel[at]
			case layer > 0:
				e.residualsDown(f, layer, false)
				if entropy(e.trial[down]) < entropy(e.trial[up]) {
					chosen[at] = down
				}
			}
			if chosen[at] == down {
				e.residualsDown(f, layer, true)
			} else if f == fieldHeight {
				e.residualsUp(f, layer, nx, true)
			}
			e.streams[3+f] = append(e.streams[3+f], e.trial[chosen[at]]...)
		}
	}
	out := pack.AppendUvarint(nil, uint64(len(recs)))
	out = pack.AppendF32(out, hmin)
	for _, n := range []int{len(e.regions), cells, depth} {
		out = pack.AppendUvarint(out, uint64(n))
	}
	out = append(out, chosen...)
	for _, raw := range e.streams {
		out = e.d.AppendStream(out, raw)
	}
	return out, nil
}

// prepare checks the records and lays out cells, depths and the dictionary.
func (e *TileEncoder) prepare(recs []Record, nx, ny int32) (depth int, err error) {
	area := int64(nx) * int64(ny)
	if nx < 1 || ny < 1 || nx > maxTileSide || ny > maxTileSide || area > math.MaxInt32 || int64(len(recs)) > math.MaxUint32 {
		return 0, fmt.Errorf("bnav: %w: tile of %d x %d cells with %d records", pack.ErrRange, nx, ny, len(recs))
	}
	for i := range e.streams {
		e.streams[i] = e.streams[i][:0]
	}
	for f := range e.values {
		e.values[f] = resize(e.values[f], len(recs))
	}
	e.fill = resize(e.fill, len(recs))
	e.last = resize(e.last, int(nx))
	e.regions, e.column, e.base = e.regions[:0], e.column[:0], e.base[:0]
	prev := int32(0)
	for i := 0; i < len(recs); {
		cell := recs[i].Cell
		if int64(cell) >= area || cell < 0 {
			return 0, fmt.Errorf("bnav: record %d: %w: cell %d of %d", i, pack.ErrRange, cell, area)
		}
		if i > 0 && cell < prev {
			return 0, fmt.Errorf("bnav: record %d: %w: cell %d after %d", i, pack.ErrOrder, cell, prev)
		}
		first := i
		for ; i < len(recs) && recs[i].Cell == cell; i++ {
			if f := recs[i].Flags; f&^AllFlags != 0 {
				return 0, fmt.Errorf("bnav: record %d: %w: flags %#02x, known are %#02x", i, pack.ErrRange, f, AllFlags)
			}
			e.fill[i] = recs[i].Flags&Fill != 0
			if n := len(e.regions); n == 0 || e.regions[n-1] != recs[i].Region {
				e.regions = append(e.regions, recs[i].Region)
			}
		}
		e.column = append(e.column, cell%nx)
		e.base = append(e.base, uint32(first))
		e.streams[0] = pack.AppendUvarint(e.streams[0], uint64(cell-prev))
		e.streams[1] = pack.AppendUvarint(e.streams[1], uint64(i-first))
		depth, prev = max(depth, i-first), cell
		if len(e.regions) > 1<<16 { // runs, most of them of regions seen before
			slices.Sort(e.regions)
			e.regions = slices.Compact(e.regions)
		}
	}
	e.base = append(e.base, uint32(len(recs)))
	slices.Sort(e.regions)
	e.regions = slices.Compact(e.regions)
	for _, id := range e.regions {
		e.streams[2] = pack.AppendUvarint(e.streams[2], uint64(id))
	}
	return depth, nil
}

// residualsUp writes the residuals of a layer against the row before into
// trial[up]. A Fill record's height is whatever makes its residual 0; with
// commit it becomes the record's value, which the layer above may refer to.
func (e *TileEncoder) residualsUp(f int, layer uint32, nx int32, commit bool) {
	out := e.trial[up][:0]
	clear(e.last[:nx])
	values, height := e.values[f], f == fieldHeight
	for _, i := range e.live {
		at, x := e.base[i]+layer, e.column[i]
		v, p := values[at], e.last[x]
		if height && e.fill[at] {
			if v = p; commit {
				values[at] = v
			}
		}
		out = pack.AppendVarint(out, int64(v)-int64(p))
		e.last[x] = v
	}
	e.trial[up] = out
}

// residualsDown does the same against the layer below.
func (e *TileEncoder) residualsDown(f int, layer uint32, commit bool) {
	out := e.trial[down][:0]
	values, height := e.values[f], f == fieldHeight
	for _, i := range e.live {
		at := e.base[i] + layer
		v, p := values[at], values[at-1]
		if height && e.fill[at] {
			if v = p; commit {
				values[at] = v
			}
		}
		out = pack.AppendVarint(out, int64(v)-int64(p))
	}
	e.trial[down] = out
}

// entropy estimates the bits, in units of 1/256, that bytes cost an entropy
// coder which knows their frequencies. It uses integers only, so that every
// machine chooses the same predictor.
func entropy(b []byte) uint64 {
	var count [256]uint32
	for _, x := range b {
		count[x]++
	}
	total := log2(uint32(len(b)))
	sum := uint64(0)
	for _, c := range count {
		if c > 0 {
			sum += uint64(c) * uint64(total-log2(c))
		}
	}
	return sum
}

// log2 is the logarithm of n > 0 to base 2 in units of 1/256, rounded down, by
// squaring: each square's whole part is the next binary digit.
func log2(n uint32) uint32 {
	if n == 0 {
		return 0
	}
	whole := uint32(bits.Len32(n) - 1)
	m := uint64(n) << (31 - whole) // 1 <= m/2^31 < 2
	out := whole
	for range 8 {
		m = m * m >> 31
		out <<= 1
		if m >= 1<<32 {
			m >>= 1
			out |= 1
		}
	}
	return out
}
