package bnav

import (
	"bytes"
	"context"
	"errors"
	"os"
	"runtime"
	"testing"

	"wend/pack"
)

// everything loads a pack whole, or by zone where that fails or all is asked
// for, decodes all tiles and a window of each zone, and returns the errors it
// met.
func everything(ctx context.Context, dec *TileDecoder, data []byte, all bool) []error {
	var errs []error
	add := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	p, err := Load(ctx, data, &Options{Workers: 1})
	add(err)
	for _, zone := range []string{"yard", "roof"} {
		if p != nil && !all {
			break
		}
		q, err := LoadZone(ctx, data, zone, &Options{Workers: 1})
		add(err)
		if p == nil {
			p = q
		}
	}
	if p != nil && p.Grid != nil {
		var recs []Record
		for zi := range p.Grid.Zones {
			for ti := range p.Grid.Zones[zi].Tiles {
				recs, err = dec.Decode(p.Grid, zi, ti, recs[:0])
				add(err)
				_, err = dec.Head(p.Grid, zi, ti)
				add(err)
			}
			if all {
				_, err = p.Grid.Window(ctx, zi, Window{-10, -10, 200, 40}, 1)
				add(err)
			}
		}
	}
	return errs
}

// checkErrors fails for errors that do not say what and where.
func checkErrors(t *testing.T, size int, errs []error) {
	t.Helper()
	for _, err := range errs {
		var fe *pack.FormatError
		if !errors.As(err, &fe) || fe.Section == "" || fe.File == "" || pack.Kind(err) == "" || fe.Offset < 0 || fe.Offset > int64(size) {
			t.Fatalf("not a proper error: %#v", err)
		}
	}
}

// memoryBound is what the package documentation promises, plus the state of
// the decompressors.
func memoryBound(size int) uint64 { return 16384*uint64(size) + 4<<20 }

func TestTruncatedEverywhere(t *testing.T) {
	var dec TileDecoder
	for _, level := range []Level{0, 1} {
		data := tinyPack(t, level)
		for n := range data {
			errs := everything(t.Context(), &dec, data[:n], true)
			if len(errs) == 0 {
				t.Fatalf("%d of %d bytes: no error", n, len(data))
			}
			checkErrors(t, n, errs)
		}
		if errs := everything(t.Context(), &dec, data, true); len(errs) != 0 {
			t.Fatal(errs)
		}
	}
}

// Every bit of the decompressed bytes, one at a time: an error that says where,
// or a pack with another value. Nothing panics, and memory stays in bounds.
func TestEveryBitFlipped(t *testing.T) {
	var dec TileDecoder
	long := os.Getenv("WEND_LONG") != "" // then every way of loading is tried each time
	levels := []Level{0}
	if long {
		levels = append(levels, 1)
	}
	for _, level := range levels {
		data := tinyPack(t, level)
		worst, silent := uint64(0), 0
		var before, after runtime.MemStats
		for i := range data {
			runtime.ReadMemStats(&before)
			for bit := range 8 {
				data[i] ^= 1 << bit
				errs := everything(t.Context(), &dec, data, long)
				data[i] ^= 1 << bit
				checkErrors(t, len(data), errs)
				if len(errs) == 0 {
					silent++
				}
			}
			runtime.ReadMemStats(&after)
			worst = max(worst, (after.TotalAlloc-before.TotalAlloc)/8)
		}
		if worst > memoryBound(len(data)) {
			t.Errorf("a byte's flips took %d bytes each, want at most %d", worst, memoryBound(len(data)))
		}
		t.Logf("level %d: %d bytes, %d of %d flips give a pack, at most %d bytes allocated", level, len(data), silent, 8*len(data), worst)
	}
}

// The same for the gzipped file: gzip's checksum finds all that is not in
// fields it ignores.
func TestGzippedFlipsAndCuts(t *testing.T) {
	data := tinyPack(t, 0)
	z, err := pack.Gzip(data, 9)
	if err != nil {
		t.Fatal(err)
	}
	where := pack.Where{File: "tiny.nav.gz"}
	for i := range z {
		if _, err := pack.Gunzip(where, z[:i], 0); !errors.Is(err, pack.ErrGzip) {
			t.Fatalf("%d of %d bytes: %v", i, len(z), err)
		}
		for bit := range 8 {
			z[i] ^= 1 << bit
			out, err := pack.Gunzip(where, z, 1<<20)
			z[i] ^= 1 << bit
			if err == nil && !bytes.Equal(out, data) {
				t.Fatalf("bit %d of byte %d: other bytes without an error", bit, i)
			}
			if err != nil && !errors.Is(err, pack.ErrGzip) && !errors.Is(err, pack.ErrLimit) {
				t.Fatalf("bit %d of byte %d: %v", bit, i, err)
			}
		}
	}
}

// tileStreams splits a tile's payload into its head and inflated streams.
func tileStreams(t testing.TB, payload []byte) (head []byte, streams [][]byte) {
	t.Helper()
	r := pack.NewReader(pack.Where{}, payload, 0)
	r.Uvarint()
	r.F32()
	r.Uvarint()
	r.Uvarint()
	r.Bytes(fields * r.Uvarint())
	head = payload[:r.Pos()]
	var inf pack.Inflater
	for range 8 {
		streams = append(streams, r.Stream(&inf, nil, 1<<20))
	}
	if r.Done() != nil {
		t.Fatal(r.Err())
	}
	return head, streams
}

func joinStreams(head []byte, streams [][]byte) []byte {
	d, _ := pack.NewDeflater(0)
	out := bytes.Clone(head)
	for _, s := range streams {
		out = d.AppendStream(out, s)
	}
	return out
}

// Bits flipped inside streams, whose checksums are made right again: the
// decoder's own checks have to find what cannot be. What it accepts, it must be
// able to write again.
func TestEveryBitOfATilesStreams(t *testing.T) {
	c := tinyContent(t, 1)
	g := c.Grid
	tile := g.Zones[0].Tiles[0]
	head, streams := tileStreams(t, g.bytes.b[tile.off:][:tile.size])
	enc, _ := NewTileEncoder(1)
	var dec, dec2 TileDecoder
	try := func(payload []byte) error {
		h, err := NewGrid(1, 0.25, []NewZone{{"yard", 0, 0, 3, []NewTile{{tile, payload}}}})
		if err != nil {
			return err
		}
		recs, err := dec.Decode(h, 0, 0, nil)
		if err != nil {
			return err
		}
		again, err := enc.Encode(recs, tile.NX, tile.NY)
		if err != nil {
			t.Fatalf("accepted, but cannot be written: %v", err)
		}
		h, err = NewGrid(1, 0.25, []NewZone{{"yard", 0, 0, 3, []NewTile{{tile, again}}}})
		if err != nil {
			t.Fatal(err)
		}
		recs2, err := dec2.Decode(h, 0, 0, nil)
		if err != nil {
			t.Fatalf("written, but cannot be read: %v", err)
		}
		if err := Quantize(recs); err != nil {
			t.Fatal(err)
		}
		for i := range recs {
			if recs[i] != recs2[i] {
				t.Fatalf("record %d: %+v, read again %+v", i, recs[i], recs2[i])
			}
		}
		return nil
	}
	refused := 0
	for s := -1; s < len(streams); s++ {
		b := head
		if s >= 0 {
			b = streams[s]
		}
		for i := range b {
			for bit := range 8 {
				b[i] ^= 1 << bit
				if err := try(joinStreams(head, streams)); err != nil {
					refused++
					checkErrors(t, 1<<20, []error{err})
				}
				b[i] ^= 1 << bit
			}
		}
		for cut := range b {
			if s < 0 {
				break
			}
			streams[s] = b[:cut]
			if err := try(joinStreams(head, streams)); err == nil {
				t.Errorf("stream %d cut to %d of %d bytes: no error", s, cut, len(b))
			}
			streams[s] = b
		}
	}
	if refused < 200 {
		t.Errorf("only %d flips refused", refused)
	}
}
