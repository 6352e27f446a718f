package bnvf

import (
	"reflect"
	"slices"
	"testing"

	"wend/pack"
)

func FuzzSidecar(f *testing.F) {
	main, data := tiny(f, 1)
	_, packed := tiny(f, 0)
	f.Add(data)
	f.Add(packed)
	fix := slices.Clone(data[8:24]) // the right hashes, which no mutation would find again
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= 24 {
			data = slices.Clone(data)
			copy(data[8:24], fix)
		}
		checkError(t, len(data), use(t.Context(), data, main))
	})
}

// FuzzZone fuzzes the inflated columns, graphs and walls of a zone.
func FuzzZone(f *testing.F) {
	main := makeMain(f, [2][]int{{3}, {2}})
	f.Add([]byte{2, 2, 1}, []byte{0, 0, 0}, []byte{0, 1, 2}, []byte{0, 0, 0}, []byte{0, 1, 0}, []byte{0, 1, 0}, []byte{1, 2, 0, 3}, uint8(2), []byte{1, 1}, []byte{1, 1, 0}, uint8(2))
	f.Fuzz(func(t *testing.T, c0, c1, c2, c3, c4, c5, edges []byte, nEdges uint8, keys, lists []byte, nKeys uint8) {
		d, _ := pack.NewDeflater(0)
		tile := pack.AppendUvarint(nil, 3)
		for _, c := range [][]byte{c0, c1, c2, c3, c4, c5} {
			tile = d.AppendStream(tile, c)
		}
		graphs := d.AppendStream([]byte{1, 1, 3, nEdges & 0x7f}, edges)
		walls := d.AppendStream(d.AppendStream([]byte{nKeys & 0x7f}, keys), lists)
		table := []byte{3, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, byte(len(tile)), byte(len(tile) >> 8), byte(len(tile) >> 16), byte(len(tile) >> 24)}
		s := &Fields{Name: "fuzz", main: main, maxBytes: 1 << 20, byGrid: []int{0}, openingByGrid: make([][]Opening, 2), Zones: []Zone{{
			Name: "yard", GlobalRegions: 2, tiles: 1, triangles: 2, records: 3,
			spans: slice{append(table, tile...), 0}, graphs: slice{graphs, 0}, walls: slice{walls, 0},
		}}}
		var dec ColumnDecoder
		var col Columns
		err := dec.Decode(s, 0, 0, &col)
		checkError(t, 1<<30, err)
		if err == nil {
			enc, _ := NewColumnEncoder(1)
			again, err := enc.Encode(&col)
			if err != nil {
				t.Fatal(err)
			}
			s.Zones[0].spans.b = append(slices.Clone(table[:12]), byte(len(again)), byte(len(again)>>8), byte(len(again)>>16), byte(len(again)>>24))
			s.Zones[0].spans.b = append(s.Zones[0].spans.b, again...)
			var col2 Columns
			if err := dec.Decode(s, 0, 0, &col2); err != nil || !reflect.DeepEqual(col, col2) {
				t.Fatalf("written and read: %+v, want %+v, %v", col2, col, err)
			}
		}
		g, err := s.Graphs(0)
		checkError(t, 1<<30, err)
		if err == nil {
			r, _ := g.Region(1)
			if len(r.Edges) != int(nEdges&0x7f) || !slices.IsSortedFunc(r.Edges, func(a, b Edge) int { return int(a.From)*10 + int(a.To) - int(b.From)*10 - int(b.To) }) {
				t.Fatalf("edges %v", r.Edges)
			}
		}
		w, err := s.Walls(0)
		checkError(t, 1<<30, err)
		if err == nil && w.Len() != int(nKeys&0x7f) {
			t.Fatalf("%d walls", w.Len())
		}
	})
}
