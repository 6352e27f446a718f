package bnav

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

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
