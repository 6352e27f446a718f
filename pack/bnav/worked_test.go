package bnav

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wend/internal/wendtest/layered"
	"wend/pack"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// One triangle, every step of the hash by hand.
func TestBuildHashOfOneTriangle(t *testing.T) {
	zone := Zone{ID: 1, Name: "A", TriCount: 1, Components: 1, Width: 64, Height: 64, SX: 1, SY: 1, FloorY: NoFloor}
	want := unhex(t, `01 00 00 00 01 00 00 00 00 00 00 00 01 00 00 00 01 00 00 00 00 00 80 42 00 00 80 42
		00 00 80 3f 00 00 00 00 00 00 80 3f 00 00 00 00 ca f2 49 f1 41`)
	if got := appendZone(nil, &zone, 5); !bytes.Equal(got, want) {
		t.Errorf("zone table % x\nwant % x", got, want)
	}
	vs := []Vertex{{1, 2, 0.5}, {5, 2, 0.5}, {1, 7, 1.25}}
	tri := Triangle{V: [3]uint32{0, 1, 2}, N: [3]int32{-1, -1, -1}}
	var rec [36]byte
	putTriangle(rec[:], vs, &tri, 0)
	want = unhex(t, `00 00 00 00 01 00 00 00 02 00 00 00 ff ff ff ff ff ff ff ff ff ff ff ff 00 00 00 00 55 55 15 40 ab aa 6a 40`)
	if !bytes.Equal(rec[:], want) {
		t.Errorf("triangle % x\nwant % x", rec, want)
	}
	if third := float32(7) * float32(1.0/3); math.Float32bits(third) == 0x40155555 {
		t.Error("a multiplication by a third gives the same bits: the example shows nothing")
	}
	h := appendHashZones(pack.FNVStart, []Zone{zone}, 5)
	for i, step := range []struct {
		next func(uint64) uint64
		want uint64
	}{
		{func(h uint64) uint64 { return h }, 0x0632be1f38dcfb52},
		{func(h uint64) uint64 { return hashVertices(h, vs) }, 0xa8b6966804a73cab},
		{func(h uint64) uint64 { return hashTriangles(h, vs, []Triangle{tri}, []uint32{0}) }, 0x57a28faca7aa1590},
		{func(h uint64) uint64 { return hashLinks(h, []Link{{0, 0}}) }, 0x34974c6a88986790},
	} {
		if h = step.next(h); h != step.want {
			t.Errorf("step %d: %016x, want %016x", i, h, step.want)
		}
	}
	c := &Content{Zones: []Zone{zone}, Vertices: vs, Triangles: []Triangle{tri}, Links: []Link{{0, 0}}}
	_, hash, err := Encode(t.Context(), c, nil)
	if err != nil || hash != h {
		t.Errorf("written: %016x, %v; want %016x", hash, err, h)
	}
}

// streamsOf splits a payload of streams.
func streamsOf(t testing.TB, payload []byte, n int) [][]byte {
	t.Helper()
	r := pack.NewReader(pack.Where{}, payload, 0)
	var inf pack.Inflater
	var out [][]byte
	for range n {
		out = append(out, r.Stream(&inf, nil, 1<<20))
	}
	if r.Done() != nil {
		t.Fatal(r.Err())
	}
	return out
}

func TestChunkBytes(t *testing.T) {
	d, _ := pack.NewDeflater(9)
	e := chunkEncoder{d: d}
	tris := []Triangle{
		{V: [3]uint32{100, 101, 102}, N: [3]int32{-1, 11, -1}},
		{V: [3]uint32{101, 103, 102}, N: [3]int32{-1, -1, 10}},
	}
	got := streamsOf(t, e.triangles(tris, []uint32{4, 4}, 10), 7)
	var want [][]byte
	for _, s := range []string{"c8 01 02", "02 04", "04 02", "44", "02 01", "08", "02"} {
		want = append(want, unhex(t, s))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("triangles (-want +got):\n%s", diff)
	}
	got = streamsOf(t, e.links([]Link{{10, 11}, {11, 10}, {11, 40}}), 2)
	if diff := cmp.Diff([][]byte{unhex(t, "0a 01 00"), unhex(t, "02 01 3a")}, got); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
}

const workedTile = `03 00 00 20 41 01 02 02  00 00 00 01 00 01 00 01 00 01
	0d 78 01 01 02 00 fd ff 01 04 00 08 00 06
	0d 78 01 01 02 00 fd ff 02 01 00 07 00 04
	0c 78 01 01 01 00 fe ff 02 00 03 00 03
	0f 78 01 01 04 00 fb ff 00 20 c0 03 01 e7 00 e4
	0e 78 01 01 03 00 fc ff 00 00 00 00 03 00 01
	0e 78 01 01 03 00 fc ff 62 19 00 01 5b 00 7c
	0e 78 01 01 03 00 fc ff 0c 00 01 00 28 00 0e
	0e 78 01 01 03 00 fc ff 00 08 00 00 13 00 09`

func workedRecords() []Record {
	return []Record{{1, 2, 10, 49, Walk | Core, 0}, {1, 2, 13.5, 49, Dead | Core, 0}, {5, 2, 10.25, 36, Walk | Core, 4}}
}

func TestThreeRecordTile(t *testing.T) {
	payload := unhex(t, workedTile)
	enc, _ := NewTileEncoder(1)
	got, err := enc.encode(workedRecords(), 4, 3, []uint8{0, 0, 0, 1, 0, 1, 0, 1, 0, 1})
	if err != nil || !bytes.Equal(got, payload) {
		t.Errorf("written % x, %v", got, err)
	}
	g, err := NewGrid(128, 16, []NewZone{{"zone1", 0, 0, 3, []NewTile{{Tile{NX: 4, NY: 3, PX1: 3, PY1: 2, Records: 3}, payload}}}})
	if err != nil {
		t.Fatal(err)
	}
	start := unhex(t, `42 47 52 44 03 00 00 00 00 00 00 00 00 00 d0 3f 00 00 00 00 00 00 60 40 00 00 00 00 00 00 30 40
		01 00 00 00 00 00 00 00 05 00 00 00 7a 6f 6e 65 31 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
		00 00 00 00 03 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00 04 00 00 00 03 00 00 00 00 00 00 00
		03 00 00 00 00 00 00 00 02 00 00 00 7c 00 00 00 00 00 00 00 87 00 00 00 03 00 00 00`)
	if !bytes.Equal(g.bytes.b, append(start, payload...)) || g.PackedLen() != 259 || len(payload) != 135 {
		t.Errorf("section of %d bytes: % x", g.PackedLen(), g.bytes.b)
	}
	if g.MaxSide() != 642 {
		t.Errorf("sides up to %d, want 642", g.MaxSide())
	}
	var dec TileDecoder
	recs, err := dec.Decode(g, 0, 0, nil)
	if err != nil || !slices.Equal(recs, workedRecords()) {
		t.Errorf("decoded %+v, %v", recs, err)
	}
	h, err := dec.Head(g, 0, 0)
	if diff := cmp.Diff(TileHead{3, 10, []uint32{2}, 2, 2, []uint8{0, 0, 0, 1, 0, 1, 0, 1, 0, 1}}, h); diff != "" || err != nil {
		t.Errorf("head, %v (-want +got):\n%s", err, diff)
	}
}

func TestClearance(t *testing.T) {
	for clr, want := range map[uint16]float32{0: 0, 1: 0.25, 2: 0.35355338, 36: 1.5, 49: 1.75, 2303: 11.997395, 2304: 12, 65535: 12} {
		if got := Clearance(clr); math.Abs(float64(got)-float64(want)) > 1e-6 {
			t.Errorf("Clearance(%d) = %v, want %v", clr, got, want)
		}
	}
}

// An encoder whose bytes change makes other fingerprints: this is its output
// on every platform.
func TestPackedBytesStayTheSame(t *testing.T) {
	if got := pack.Fingerprint(tinyPack(t, 0)); got != goldenTiny {
		t.Errorf("fingerprint of the tiny pack %016x, want %016x", got, uint64(goldenTiny))
	}
	tile := Tile{GX0: 3, GY0: 5, NX: 200, NY: 200}
	enc, _ := NewTileEncoder(0)
	recs := layeredTile(layered.Terrain{Seed: 11}, &tile)
	payload, err := enc.Encode(recs, 200, 200)
	if err != nil {
		t.Fatal(err)
	}
	if got := pack.Fingerprint(payload); got != goldenTile {
		t.Errorf("fingerprint of a tile of %d records %016x, want %016x", len(recs), got, uint64(goldenTile))
	}
}

const (
	goldenTiny = 0x4ef5d02da2258963
	goldenTile = 0x5a253f6a5cba698c
)

func TestCacheSharesGridBytes(t *testing.T) {
	var cache Cache
	data := tinyPack(t, 0)
	load := func(data []byte) *Pack {
		p, err := LoadZone(t.Context(), data, "roof", &Options{Cache: &cache})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	a, b := load(data), load(slices.Clone(data))
	if a.Grid.bytes != b.Grid.bytes {
		t.Error("two loads of one file keep two grids")
	}
	c := cache.share(a.Fingerprint, []byte("other bytes of the same fingerprint"))
	if c == a.Grid.bytes || !bytes.Equal(a.Grid.bytes.b, b.Grid.bytes.b) {
		t.Error("the fingerprint was trusted")
	}
	if p, err := Load(t.Context(), data, nil); err != nil || &p.Grid.bytes.b[0] == &data[p.Sections[3].Offset] {
		t.Errorf("the grid keeps the whole file in memory, %v", err)
	}
}

func TestMissingZones(t *testing.T) {
	data := tinyPack(t, 0)
	for _, name := range []string{"cellar", "yard 2F", ""} {
		if _, err := LoadZone(t.Context(), data, name, nil); !errors.Is(err, pack.ErrMissing) {
			t.Errorf("zone %q: %v", name, err)
		}
	}
}

// A load by zone decodes only the chunks that hold something of the zone.
func TestZoneDecodesOnlyItsChunks(t *testing.T) {
	data := tinyPack(t, 0) // chunks of 3 vertices, 2 triangles, 2 links
	whole, err := Load(t.Context(), data, nil)
	if err != nil {
		t.Fatal(err)
	}
	yard, err1 := LoadZone(t.Context(), data, "yard", nil)
	roof, err2 := LoadZone(t.Context(), data, "roof", nil)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if diff := cmp.Diff([]Decoded{{3, 2, 2}, {2, 1, 1}, {2, 1, 2}}, []Decoded{whole.Decoded, yard.Decoded, roof.Decoded}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCancelledLoad(t *testing.T) {
	data := tinyPack(t, 0)
	why := errors.New("enough")
	ctx := cancelled(t, why)
	if _, err := Load(ctx, data, nil); !errors.Is(err, why) {
		t.Errorf("load: %v", err)
	}
	p, err := Load(t.Context(), data, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Grid.Window(ctx, 0, Window{0, 0, 10, 10}, 1); !errors.Is(err, why) {
		t.Errorf("window: %v", err)
	}
	if _, _, err := Encode(ctx, &p.Content, nil); !errors.Is(err, why) {
		t.Errorf("encode: %v", err)
	}
}

// Memory limits hold before anything is allocated.
func TestMaxBytes(t *testing.T) {
	data := tinyPack(t, 0)
	for limit := int64(1); limit < 3000; limit++ {
		_, err := Load(t.Context(), data, &Options{MaxBytes: limit})
		if limit < 100 && !errors.Is(err, pack.ErrLimit) || err != nil && !errors.Is(err, pack.ErrLimit) {
			t.Fatalf("limit %d: %v", limit, err)
		}
		if limit > 2900 && err != nil {
			t.Fatalf("limit %d: %v", limit, err)
		}
	}
}

func TestStrictLinks(t *testing.T) {
	c := tinyContent(t, 0)
	c.Links = append(c.Links, Link{2, 3}, Link{9, 0})
	data, _, err := Encode(t.Context(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := Load(t.Context(), data, nil); err != nil || p.LinksDropped != 2 || len(p.Links) != 3 {
		t.Errorf("%v", err)
	}
	if _, err := Load(t.Context(), data, &Options{Strict: true}); !errors.Is(err, pack.ErrRange) {
		t.Errorf("strict: %v", err)
	}
	if _, err := LoadZone(t.Context(), data, "roof", &Options{Strict: true}); !errors.Is(err, pack.ErrRange) {
		t.Errorf("strict, by zone: %v", err)
	}
}

// cancelled returns a context that has ended.
func cancelled(t testing.TB, why error) context.Context {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	return ctx
}
