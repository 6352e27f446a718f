package bnav

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"wend/internal/wendtest"
	"wend/pack"
)

// vectorBytes returns the decompressed bytes of a pack of the shared data.
func vectorBytes(t testing.TB, name string) []byte {
	t.Helper()
	dir := wendtest.Data(t, "packs", name)
	data, err := pack.ReadFile(os.DirFS(dir), loadExpected(t, dir).Files.Main, 0)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// reencodeGrid decodes every tile and encodes it anew, with the predictors it
// had where keep is set.
func reencodeGrid(t testing.TB, g *Grid, level Level, keep bool) *Grid {
	t.Helper()
	enc, err := NewTileEncoder(level)
	if err != nil {
		t.Fatal(err)
	}
	var dec TileDecoder
	var zones []NewZone
	for zi := range g.Zones {
		z := &g.Zones[zi]
		nz := NewZone{Name: z.Name, X0: z.X0, Y0: z.Y0, GlobalRegions: z.GlobalRegions}
		for ti := range z.Tiles {
			recs, err := dec.Decode(g, zi, ti, nil)
			if err != nil {
				t.Fatal(err)
			}
			var sel []uint8
			if keep {
				h, err := dec.Head(g, zi, ti)
				if err != nil {
					t.Fatal(err)
				}
				sel = h.Select
			}
			payload, err := enc.encode(recs, z.Tiles[ti].NX, z.Tiles[ti].NY, sel)
			if err != nil {
				t.Fatal(err)
			}
			nz.Tiles = append(nz.Tiles, NewTile{z.Tiles[ti], payload})
		}
		zones = append(zones, nz)
	}
	out, err := NewGrid(g.Tile, g.Apron, zones)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The first pack stores all streams, so an independent writer gives the very
// same bytes.
func TestWriterGivesTheBytesOfAnotherWriter(t *testing.T) {
	data := vectorBytes(t, "first")
	p, err := Load(t.Context(), data, &Options{Components: true})
	if err != nil {
		t.Fatal(err)
	}
	c := p.Content
	c.Grid = reencodeGrid(t, p.Grid, 1, true)
	got, hash, err := Encode(t.Context(), &c, &EncodeOptions{ChunkLen: p.ChunkLen, Level: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, data) || hash != p.BuildHash {
		t.Errorf("%d bytes, build hash %016x; want %d, %016x\n%s", len(got), hash, len(data), p.BuildHash, cmp.Diff(data, got))
	}
}

// Other writers compress otherwise, but what is compressed is the same.
func TestVectorsReadWriteRead(t *testing.T) {
	for _, name := range vectorNames {
		t.Run(name, func(t *testing.T) {
			p, err := Load(t.Context(), vectorBytes(t, name), &Options{Components: true})
			if err != nil {
				t.Fatal(err)
			}
			c := p.Content
			c.Grid = reencodeGrid(t, p.Grid, 0, false)
			one, hash, err := Encode(t.Context(), &c, &EncodeOptions{ChunkLen: p.ChunkLen, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if p.LinksDropped == 0 && hash != p.BuildHash {
				t.Errorf("build hash %016x, want %016x", hash, p.BuildHash)
			}
			q, err := Load(t.Context(), one, &Options{Components: true})
			if err != nil {
				t.Fatal(err)
			}
			comparePacks(t, p, q)
			d := q.Content
			d.Grid = reencodeGrid(t, q.Grid, 0, false)
			two, _, err := Encode(t.Context(), &d, &EncodeOptions{ChunkLen: q.ChunkLen, Workers: 4})
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(one, two) {
				t.Error("written, read and written again: other bytes")
			}
		})
	}
}

// comparePacks compares what two packs hold; Fill records have no height.
func comparePacks(t testing.TB, p, q *Pack) {
	t.Helper()
	a, b := p.Content, q.Content
	a.Grid, b.Grid = nil, nil
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if (p.Grid == nil) != (q.Grid == nil) {
		t.Fatal("one pack has a grid, the other none")
	}
	if p.Grid == nil {
		return
	}
	var dec TileDecoder
	for zi := range p.Grid.Zones {
		for ti := range p.Grid.Zones[zi].Tiles {
			want, err := dec.Decode(p.Grid, zi, ti, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := dec.Decode(q.Grid, zi, ti, nil)
			if err != nil {
				t.Fatal(err)
			}
			if p.Grid.Version == GridColumns {
				if err := Quantize(want); err != nil { // its heights need not be on the lattice of the tile's lowest
					t.Fatal(err)
				}
			}
			if !slices.Equal(want, got) {
				t.Fatalf("zone %d, tile %d (-want +got):\n%s", zi, ti, cmp.Diff(want, got))
			}
		}
	}
}

// Windows hold what a plain walk over all tiles finds, for any number of
// workers.
func TestWindowAgainstAllRecords(t *testing.T) {
	for _, name := range []string{"court", "tower", "harbour", "columns", "guest"} {
		p, e, _ := vectorPack(t, name, nil)
		g := p.Grid
		var dec TileDecoder
		for _, ew := range e.Windows {
			zone := g.ZoneIndex(ew.Zone)
			for _, w := range []Window{{ew.GX0, ew.GY0, ew.NX, ew.NY}, {-500, -500, 1000, 1000}, {ew.GX0, ew.GY0, 1, 1}} {
				var want []Record
				for ti := range g.Zones[zone].Tiles {
					tile := &g.Zones[zone].Tiles[ti]
					recs, err := dec.Decode(g, zone, ti, nil)
					if err != nil {
						t.Fatal(err)
					}
					for _, r := range recs {
						x, y := r.Cell%tile.NX, r.Cell/tile.NX
						gx, gy := tile.GX0+x-w.GX0, tile.GY0+y-w.GY0
						if x >= tile.PX0 && x <= tile.PX1 && y >= tile.PY0 && y <= tile.PY1 && gx >= 0 && gy >= 0 && gx < w.NX && gy < w.NY {
							r.Cell = gy*w.NX + gx
							want = append(want, r)
						}
					}
				}
				for workers := range 5 {
					got, err := g.Window(t.Context(), zone, w, workers)
					if err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(got, want) {
						t.Fatalf("%s, %+v, %d workers: %d records, want %d", name, w, workers, len(got), len(want))
					}
				}
				if w.NX == ew.NX && w.NY == ew.NY && len(want) != ew.Records {
					t.Errorf("%s, %+v: %d records, want %d", name, w, len(want), ew.Records)
				}
			}
		}
		for _, w := range []Window{{}, {0, 0, -1, 4}, {0, 0, 1 << 17, 1 << 17}, {2147483647, 0, 5, 5}} {
			if _, err := g.Window(t.Context(), 0, w, 1); err == nil {
				t.Errorf("window %+v: no error", w)
			}
		}
	}
}

// Random packs, every optional section present, empty or absent.
func TestRandomPacks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawContent(t)
		opts := &EncodeOptions{
			ChunkLen: ChunkLen{rapid.Uint32Range(0, 5).Draw(t, "vertex chunk"), rapid.Uint32Range(0, 5).Draw(t, "triangle chunk"), rapid.Uint32Range(0, 5).Draw(t, "link chunk")},
			Level:    Level(rapid.IntRange(0, 10).Draw(t, "pack level")), Workers: rapid.IntRange(1, 4).Draw(t, "workers"),
		}
		one, hash, err := Encode(t.Context(), c, opts)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Load(t.Context(), one, &Options{Components: true, Workers: opts.Workers})
		if err != nil {
			t.Fatal(err)
		}
		if p.BuildHash != hash || p.Fingerprint != pack.Fingerprint(one) {
			t.Fatalf("build hash %x, want %x", p.BuildHash, hash)
		}
		want := *c
		if want.Components == nil {
			want.Components = components(c.Triangles)
		}
		if c.OffMeshVersion == 0 && c.OffMesh != nil {
			want.OffMeshVersion = 2
		}
		want.Links = slices.DeleteFunc(slices.Clone(c.Links), func(l Link) bool {
			return int(l.Source) >= len(c.Triangles) || int(l.Target) >= len(c.Triangles)
		})
		got := p.Content
		want.Grid, got.Grid = nil, nil
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		if (c.OffMesh == nil) != (p.OffMesh == nil) || (c.Surfaces == nil) != (p.Surfaces == nil) || (c.Profile == nil) != (p.Profile == nil) {
			t.Fatal("a section came or went")
		}
		if (c.Grid == nil) != (p.Grid == nil) || c.Grid != nil && !bytes.Equal(c.Grid.bytes.b, p.Grid.bytes.b) {
			t.Fatal("another grid")
		}
		if p.LinksDropped == 0 {
			opts.ChunkLen = p.ChunkLen
			opts.Workers = 5 - opts.Workers
			two, _, err := Encode(t.Context(), &p.Content, opts)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(one, two) {
				t.Fatal("written, read and written again: other bytes")
			}
		}
		for i := range c.Zones {
			if c.Zones[i].IsTier() {
				continue
			}
			z, err := LoadZone(t.Context(), one, c.Zones[i].Name, &Options{Components: true, Workers: opts.Workers})
			if err != nil {
				t.Fatal(err)
			}
			compareZone(t, p, z, &c.Zones[i])
		}
	})
}

// compareZone compares a load by zone with what a whole load gives when it is
// cut by hand.
func compareZone(t *rapid.T, p, z *Pack, zone *Zone) {
	first, n := zone.FirstTri, zone.TriCount
	inside := func(i uint32) bool { return i >= first && i-first < n }
	if uint32(len(z.Triangles)) != n {
		t.Fatalf("%d triangles, want %d", len(z.Triangles), n)
	}
	for i := range z.Triangles {
		got, want := z.Triangles[i], p.Triangles[int(first)+i]
		for k := range 3 {
			if z.Vertices[got.V[k]] != p.Vertices[want.V[k]] || got.V[k]+z.FirstVertex != want.V[k] {
				t.Fatalf("triangle %d, corner %d", i, k)
			}
			nb := int32(-1)
			if want.N[k] >= 0 && inside(uint32(want.N[k])) {
				nb = want.N[k] - int32(first)
			}
			if got.N[k] != nb {
				t.Fatalf("triangle %d, neighbour %d: %d, want %d", i, k, got.N[k], nb)
			}
		}
		if z.Components[i] != p.Components[int(first)+i] {
			t.Fatalf("triangle %d: component %d", i, z.Components[i])
		}
	}
	var links []Link
	for _, l := range p.Links {
		if inside(l.Source) && inside(l.Target) {
			links = append(links, Link{l.Source - first, l.Target - first})
		}
	}
	if !slices.Equal(links, z.Links) {
		t.Fatalf("links %v, want %v", z.Links, links)
	}
	if p.Surfaces != nil && !slices.Equal(z.Surfaces, p.Surfaces[first:][:n]) {
		t.Fatal("surfaces differ")
	}
	if diff := cmp.Diff(p.Extra, z.Extra); diff != "" {
		t.Fatalf("extra sections:\n%s", diff)
	}
	var off []uint32
	for _, k := range p.OffMesh {
		if k.ZoneID == zone.ID {
			off = append(off, k.Index)
		}
	}
	for i := range z.OffMesh {
		if i >= len(off) || z.OffMesh[i].Index != off[i] {
			t.Fatal("off-mesh links differ")
		}
	}
}

// Tiles alone: decode gives what was encoded, with every choice of predictors.
func TestRandomTiles(t *testing.T) {
	var dec TileDecoder
	rapid.Check(t, func(t *rapid.T) {
		nx, ny := rapid.Int32Range(1, 12).Draw(t, "nx"), rapid.Int32Range(1, 12).Draw(t, "ny")
		recs := drawRecords(t, nx, ny)
		enc, err := NewTileEncoder(Level(rapid.IntRange(0, 10).Draw(t, "level")))
		if err != nil {
			t.Fatal(err)
		}
		payload, err := enc.Encode(recs, nx, ny)
		if err != nil {
			t.Fatal(err)
		}
		if len(recs) > 0 && rapid.Bool().Draw(t, "own predictors") {
			_, depth := cellsOf(recs)
			sel := rapid.SliceOfN(rapid.Uint8Range(0, 1), fields*depth, fields*depth).Draw(t, "predictors")
			for i := range sel {
				if i%depth == 0 {
					sel[i] = up
				}
			}
			if payload, err = enc.encode(recs, nx, ny, sel); err != nil {
				t.Fatal(err)
			}
		}
		tile := Tile{NX: nx, NY: ny, PX1: nx - 1, PY1: ny - 1, Records: uint32(len(recs))}
		g, err := NewGrid(3, 0, []NewZone{{"z", 0, 0, min(5, uint32(len(recs))), []NewTile{{tile, payload}}}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := dec.Decode(g, 0, 0, []Record{{Cell: -7}})
		if len(recs) > 0 && len(recs) < 5 {
			return // region ids may be above the number of regions
		}
		if err != nil {
			t.Fatal(err)
		}
		if got[0].Cell != -7 || !slices.Equal(got[1:], recs) {
			t.Fatalf("(-want +got):\n%s", cmp.Diff(recs, got[1:]))
		}
	})
}

// cellsOf counts cells and the deepest of them.
func cellsOf(recs []Record) (cells, depth int) {
	n := 0
	for i := range recs {
		if i == 0 || recs[i].Cell != recs[i-1].Cell {
			cells, n = cells+1, 0
		}
		n++
		depth = max(depth, n)
	}
	return cells, depth
}

// Heights off the lattice move by at most 1/128 m, and only once.
func TestQuantize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var recs []Record
		for i := range rapid.IntRange(1, 20).Draw(t, "records") {
			recs = append(recs, Record{Cell: int32(i), H: rapid.Float32Range(-9000, 9000).Draw(t, "height"), Flags: rapid.SampledFrom([]uint8{Walk, Fill}).Draw(t, "flags")})
		}
		before := slices.Clone(recs)
		if err := Quantize(recs); err != nil {
			t.Fatal(err)
		}
		for i := range recs {
			if d := recs[i].H - before[i].H; before[i].Flags == Walk && (d > 1.0/128+1e-3 || d < -1.0/128-1e-3) {
				t.Fatalf("height %v becomes %v", before[i].H, recs[i].H)
			}
		}
		once := slices.Clone(recs)
		if err := Quantize(recs); err != nil || !slices.Equal(once, recs) {
			t.Fatalf("quantised twice: %v", err)
		}
	})
}
