package bnav

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wend/pack"
)

func FuzzLoad(f *testing.F) {
	f.Add(tinyPack(f, 0))
	f.Add(tinyPack(f, 1))
	f.Add(oldPack(f, 4))
	f.Add(oldPack(f, 2))
	var dec TileDecoder
	f.Fuzz(func(t *testing.T, data []byte) {
		checkErrors(t, len(data), everything(t.Context(), &dec, data, true))
	})
}

// FuzzGrid fuzzes the grid section alone: what it makes of any bytes, it must
// be able to write again.
func FuzzGrid(f *testing.F) {
	f.Add(tinyContent(f, 0).Grid.bytes.b)
	f.Add(tinyContent(f, 1).Grid.bytes.b)
	var dec TileDecoder
	f.Fuzz(func(t *testing.T, data []byte) {
		g := &Grid{where: pack.Where{File: "fuzz", Section: "BGRD"}, bytes: &gridBytes{data}}
		r := pack.NewReader(g.where, data, 0)
		if g.parse(r); r.Err() != nil {
			checkErrors(t, len(data), []error{r.Err()})
			return
		}
		for zi := range g.Zones {
			for ti := range min(4, len(g.Zones[zi].Tiles)) {
				recs, err := dec.Decode(g, zi, ti, nil)
				if err != nil {
					checkErrors(t, len(data), []error{err})
				} else if uint32(len(recs)) != g.Zones[zi].Tiles[ti].Records {
					t.Fatalf("%d records, want %d", len(recs), g.Zones[zi].Tiles[ti].Records)
				}
			}
		}
	})
}

// FuzzTile fuzzes the inflated streams of a tile, checksums made right.
func FuzzTile(f *testing.F) {
	head, s := tileStreams(f, unhex(f, workedTile))
	f.Add(head, s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7])
	enc, _ := NewTileEncoder(1)
	var dec TileDecoder
	f.Fuzz(func(t *testing.T, head, s0, s1, s2, s3, s4, s5, s6, s7 []byte) {
		if len(head) == 0 || head[0] >= 0x80 {
			return
		}
		tile := Tile{NX: 4, NY: 3, PX1: 3, PY1: 2, Records: uint32(head[0])}
		grid := func(payload []byte) *Grid {
			g, err := NewGrid(128, 16, []NewZone{{"z", 0, 0, min(3, tile.Records), []NewTile{{tile, payload}}}})
			if err != nil {
				t.Fatal(err)
			}
			return g
		}
		payload := joinStreams(head, [][]byte{s0, s1, s2, s3, s4, s5, s6, s7})
		recs, err := dec.Decode(grid(payload), 0, 0, nil)
		if err != nil {
			checkErrors(t, 1<<20, []error{err})
			return
		}
		if err := Quantize(recs); err != nil {
			return // heights of two tiles' worth apart
		}
		again, err := enc.Encode(recs, 4, 3)
		if err != nil {
			t.Fatal(err)
		}
		recs2, err := dec.Decode(grid(again), 0, 0, nil)
		if err != nil || !slices.Equal(recs, recs2) {
			t.Fatalf("%v (-want +got):\n%s", err, cmp.Diff(recs, recs2))
		}
	})
}

// FuzzColumns fuzzes the inflated blob of a tile of grid version 2.
func FuzzColumns(f *testing.F) {
	f.Add([]byte{3, 0, 0, 0x20, 0x41, 1, 2, 4, 1, 2, 4, 1, 4, 0, 0xe0, 1, 16, 3, 2, 2, 2, 3, 6, 5, 6, 3, 0, 0, 4, 3, 49, 49, 36})
	var dec TileDecoder
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) == 0 || raw[0] == 0 || raw[0] >= 0x80 {
			return
		}
		d, _ := pack.NewDeflater(0)
		tile := Tile{NX: 4, NY: 3, PX1: 3, PY1: 2, Records: uint32(raw[0])}
		g, err := NewGrid(128, 16, []NewZone{{"z", 0, 0, min(3, tile.Records), []NewTile{{tile, d.AppendZlib(nil, raw)}}}})
		if err != nil {
			t.Fatal(err)
		}
		g.Version = GridColumns
		recs, err := dec.Decode(g, 0, 0, nil)
		if err != nil {
			checkErrors(t, 1<<20, []error{err})
		} else if len(recs) != int(raw[0]) {
			t.Fatalf("%d records, want %d", len(recs), raw[0])
		}
		h, err2 := dec.Head(g, 0, 0)
		if (err == nil) != (err2 == nil) || err == nil && int(h.Records) != len(recs) {
			t.Fatalf("head %+v, %v; decode %v", h, err2, err)
		}
	})
}

// fuzzTable is a table with one chunk.
func fuzzTable(name string, total uint32, payload []byte) *table {
	where := pack.Where{File: "fuzz", Section: "BGEO"}
	dir := make([]byte, chunkEntryLen)
	dir[8], dir[9], dir[10] = byte(len(payload)), byte(len(payload)>>8), byte(len(payload)>>16)
	return &table{name: name, total: total, size: total, dir: pack.NewReader(where, dir, 0), geo: pack.NewReader(where, payload, 0)}
}

// FuzzTriangles fuzzes the inflated streams of a chunk of triangles. What it
// accepts comes back the same after it is written.
func FuzzTriangles(f *testing.F) {
	f.Add(uint8(2), []byte{2, 2}, []byte{2, 4}, []byte{4, 2}, []byte{0x44}, []byte{2, 1}, []byte{8}, []byte{2})
	d, _ := pack.NewDeflater(0)
	f.Fuzz(func(t *testing.T, n uint8, s0, s1, s2, s3, s4, s5, s6 []byte) {
		if n == 0 {
			return
		}
		var payload []byte
		for _, s := range [][]byte{s0, s1, s2, s3, s4, s5, s6} {
			payload = d.AppendStream(payload, s)
		}
		if len(payload) >= 1<<24 {
			return
		}
		var work scratch
		tris, comps := make([]Triangle, n), make([]uint32, n)
		if err := fuzzTable("triangle", uint32(n), payload).decodeTriangles(&work, 0, 9, tris, comps); err != nil {
			checkErrors(t, len(payload), []error{err})
			return
		}
		e := chunkEncoder{d: d}
		tris2, comps2 := make([]Triangle, n), make([]uint32, n)
		err := fuzzTable("triangle", uint32(n), e.triangles(tris, comps, 0)).decodeTriangles(&work, 0, 9, tris2, comps2)
		if err != nil || !slices.Equal(tris, tris2) || !slices.Equal(comps, comps2) {
			t.Fatalf("written and read: %v", err)
		}
	})
}

// FuzzVertices and links in the same way.
func FuzzVertices(f *testing.F) {
	f.Add(uint8(1), make([]byte, 12), []byte{0}, []byte{2})
	d, _ := pack.NewDeflater(0)
	f.Fuzz(func(t *testing.T, n uint8, raw, s0, s1 []byte) {
		if n == 0 || len(raw)+len(s0)+len(s1) >= 1<<20 {
			return
		}
		var work scratch
		e := chunkEncoder{d: d}
		vs, vs2 := make([]Vertex, n), make([]Vertex, n)
		payload := d.AppendStream(nil, raw)
		if err := fuzzTable("vertex", uint32(n), payload).decodeVertices(&work, 0, vs); err != nil {
			checkErrors(t, len(payload), []error{err})
		} else if err := fuzzTable("vertex", uint32(n), e.vertices(vs)).decodeVertices(&work, 0, vs2); err != nil || !slices.Equal(vs, vs2) {
			t.Fatalf("vertices written and read: %v", err)
		}
		links, links2 := make([]Link, n), make([]Link, n)
		payload = d.AppendStream(d.AppendStream(nil, s0), s1)
		if err := fuzzTable("link", uint32(n), payload).decodeLinks(&work, 0, links); err != nil {
			checkErrors(t, len(payload), []error{err})
		} else if err := fuzzTable("link", uint32(n), e.links(links)).decodeLinks(&work, 0, links2); err != nil || !slices.Equal(links, links2) {
			t.Fatalf("links written and read: %v", err)
		}
	})
}
