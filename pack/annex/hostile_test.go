package annex

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/pack"
	"wend/pack/bnav"
)

// part is one kind of section: parse reads bytes without a pack, and encodes
// what was read again.
type part struct {
	tag   string
	good  pack.Extra
	parse func(r *pack.Reader) (value any, again func() (pack.Extra, error))
}

func parts(t tb) []part {
	t.Helper()
	must := func(e pack.Extra, err error) pack.Extra {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	enc, err := NewHeadroomEncoder(0)
	if err != nil {
		t.Fatal(err)
	}
	tile := func(v ...uint8) HeadroomTile {
		t.Helper()
		tile, err := enc.Encode(v)
		if err != nil {
			t.Fatal(err)
		}
		return tile
	}
	return []part{
		{TagBounds, must(EncodeBounds(&Bounds{[]ZoneBounds{
			{GX0: -7, GY0: -2, GX1: 2, GY1: 1, Heights: Heights{-1.5, 4}, Records: 9, Regions: 3, Tiles: []Heights{{-1.5, 0}, NoHeights(), {4, 4}}},
			{Heights: NoHeights()},
		}})), func(r *pack.Reader) (any, func() (pack.Extra, error)) {
			b := parseBounds(r)
			return b, func() (pack.Extra, error) { return EncodeBounds(b) }
		}},
		{TagLevels, must(EncodeLevels(&Levels{Frame{"z", "cm", 0.01}, []ZoneLevels{
			{2, []string{"town.obj", "roofs.obj"}, []string{"ground", "first floor"}}, {4, []string{"town.obj"}, nil},
		}})), func(r *pack.Reader) (any, func() (pack.Extra, error)) {
			l := parseLevels(r)
			return l, func() (pack.Extra, error) { return EncodeLevels(l) }
		}},
		{TagBodies, must(EncodeBodies([]Body{{2, 0.25, 1.5, 0.5, 45}, {4, 0.5, 2, 0.5, 50}})), func(r *pack.Reader) (any, func() (pack.Extra, error)) {
			list := parseBodies(r)
			return list, func() (pack.Extra, error) { return EncodeBodies(list) }
		}},
		{TagNoGo, must(EncodeNoGo([]NoGo{
			{2, "garden", []geom.Vec2{{X: 0, Y: 1}, {X: 4, Y: 1}, {X: 2, Y: 7}}, math.Inf(-1), math.Inf(1)},
			{2, "", []geom.Vec2{{X: 9}, {Y: 9}, {X: -9}, {Y: -9}}, -1, 2.5},
		})), func(r *pack.Reader) (any, func() (pack.Extra, error)) {
			list := parseNoGo(r)
			return list, func() (pack.Extra, error) { return EncodeNoGo(list) }
		}},
		{TagReport, must(EncodeReport([]byte(`{"records":9,"islands":[1,2,3]}`))), func(r *pack.Reader) (any, func() (pack.Extra, error)) {
			doc := parseReport(r)
			return doc, func() (pack.Extra, error) { return EncodeReport(doc) }
		}},
		{TagHeadroom, must(EncodeHeadroom([][]HeadroomTile{{tile(0, 32, 32, 191), tile(0, 0), tile()}, {tile(1)}})), func(r *pack.Reader) (any, func() (pack.Extra, error)) {
			h := parseHeadroom(r)
			if r.Err() != nil {
				return nil, nil
			}
			var values [][][]uint8
			var again [][]HeadroomTile
			var dec HeadroomDecoder
			for zi, tiles := range h.zones {
				var v [][]uint8
				var a []HeadroomTile
				for k, t := range tiles {
					if t.records > 1<<16 { // a pack's grid would have to agree
						continue
					}
					got, err := dec.Decode(h, zi, k, nil)
					if err != nil {
						r.FailWith(err)
						return nil, nil
					}
					again, _ := enc.Encode(got)
					v, a = append(v, got), append(a, again)
				}
				values, again = append(values, v), append(again, a)
			}
			return values, func() (pack.Extra, error) { return EncodeHeadroom(again) }
		}},
		{TagDrops, must(EncodeDrops([][]Drop{{{1, 2}, {1, 4}, {3, 1}, {4, 1}}, {}})), func(r *pack.Reader) (any, func() (pack.Extra, error)) {
			d := parseDrops(r)
			list := make([][]Drop, len(d.zones))
			for zi := range d.zones {
				list[zi] = d.All(zi, nil)
			}
			return list, func() (pack.Extra, error) { return EncodeDrops(list) }
		}},
	}
}

// try parses bytes. What is accepted must be written again and read to the same
// value; what is not is an error that names section and place.
func (p *part) try(data []byte) error {
	read := func(data []byte) (any, func() (pack.Extra, error), error) {
		r := pack.NewReader(pack.Where{File: "f", Section: p.tag}, data, 1000)
		v, again := p.parse(r)
		return v, again, r.Err()
	}
	v, again, err := read(data)
	if err != nil {
		var fe *pack.FormatError
		if !errors.As(err, &fe) || fe.Section != p.tag || fe.Offset < 1000 || fe.Offset > 1000+int64(len(data)) || pack.Kind(err) == "" {
			return fmt.Errorf("an error without a place: %v", err)
		}
		return nil
	}
	e, err := again()
	if err != nil {
		return fmt.Errorf("read but not written again: %v", err)
	}
	w, _, err := read(e.Data)
	if err != nil {
		return fmt.Errorf("written again but not read: %v", err)
	}
	if !reflect.DeepEqual(v, w) {
		return fmt.Errorf("written again: %s", cmp.Diff(v, w))
	}
	return nil
}

// accepted reports whether bytes are read without an error.
func (p *part) accepted(data []byte) bool {
	r := pack.NewReader(pack.Where{File: "f", Section: p.tag}, data, 1000)
	p.parse(r)
	return r.Err() == nil
}

func TestTruncationsAndBitFlips(t *testing.T) {
	for _, p := range parts(t) {
		t.Run(p.tag, func(t *testing.T) {
			good := p.good.Data
			if !p.accepted(good) {
				t.Fatal("the good section is refused")
			}
			for n := range good {
				if p.accepted(good[:n]) {
					t.Errorf("%d of %d bytes are accepted", n, len(good))
				}
				if err := p.try(good[:n]); err != nil {
					t.Errorf("%d bytes: %v", n, err)
				}
			}
			if p.accepted(append(bytes.Clone(good), 0)) {
				t.Error("a byte too many is accepted")
			}
			for bit := range 8 * len(good) {
				data := bytes.Clone(good)
				data[bit/8] ^= 1 << (bit % 8)
				if err := p.try(data); err != nil {
					t.Errorf("bit %d: %v", bit, err)
				}
				if bit < 64 && p.accepted(data) {
					t.Errorf("bit %d of the header does not matter", bit)
				}
			}
		})
	}
}

// The bytes of each section: a change of them is a change of the format.
func TestGolden(t *testing.T) {
	var b strings.Builder
	for _, p := range parts(t) {
		fmt.Fprintf(&b, "%s, %d bytes\n", p.tag, len(p.good.Data))
		for line := range slices.Chunk(p.good.Data, 16) {
			fmt.Fprintf(&b, "  % x\n", line)
		}
	}
	wendtest.Golden(t, "sections.txt", []byte(b.String()))
}

// Sections that are right by themselves but belong to another pack.
func TestForeignSections(t *testing.T) {
	recs := []bnav.Record{{Cell: 0, Region: 1}, {Cell: 1, Region: 2}}
	put := func(main, fields pack.Extra) error {
		w := newWorld(t, [][][]bnav.Record{{recs}, {}})
		if main.Tag != "" {
			w.content.Extra = []pack.Extra{main}
		}
		if fields.Tag != "" {
			w.fields.Extra = []pack.Extra{fields}
		}
		p, f := w.load(t.Context(), t, "")
		_, err1 := ReadBounds(p)
		_, err2 := ReadLevels(p)
		_, err3 := ReadBodies(p)
		_, err4 := ReadReport(p)
		_, err5 := ReadHeadroom(f)
		_, err6 := ReadDrops(f)
		return errors.Join(err1, err2, err3, err4, err5, err6)
	}
	must := func(e pack.Extra, err error) pack.Extra {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	none := pack.Extra{}
	bounds := func(z ...ZoneBounds) pack.Extra { return must(EncodeBounds(&Bounds{z})) }
	empty := ZoneBounds{Heights: NoHeights()}
	one := Heights{0, 0}
	yard := ZoneBounds{GX0: -7, GY0: -2, GX1: -6, GY1: -2, Heights: one, Records: 2, Regions: 2, Tiles: []Heights{one}}
	tile := HeadroomTile{Records: 2}
	if err := put(bounds(yard, empty), must(EncodeHeadroom([][]HeadroomTile{{tile}, {}}))); err != nil {
		t.Fatal(err)
	}
	if err := put(none, must(EncodeDrops([][]Drop{{{1, 2}}, {}}))); err != nil {
		t.Fatal(err)
	}
	more, tiles, regions := yard, yard, yard
	more.Records++
	tiles.Tiles = append(tiles.Tiles, one)
	regions.Regions++
	for i, e := range []pack.Extra{
		bounds(yard), bounds(more, empty), bounds(tiles, empty), bounds(regions, empty),
		must(EncodeLevels(&Levels{Frame{Scale: 1}, []ZoneLevels{{ID: 5}}})), must(EncodeBodies([]Body{{ID: 5}})),
	} {
		if err := put(e, none); !errors.Is(err, pack.ErrPairing) {
			t.Errorf("main pack, section %d: %v", i, err)
		}
	}
	for i, e := range []pack.Extra{
		must(EncodeHeadroom([][]HeadroomTile{{tile}})), must(EncodeHeadroom([][]HeadroomTile{{tile, tile}, {}})),
		must(EncodeHeadroom([][]HeadroomTile{{{Records: 1}}, {}})), must(EncodeHeadroom([][]HeadroomTile{{{Records: 1 << 31}}, {}})),
		must(EncodeDrops([][]Drop{{}})), must(EncodeDrops([][]Drop{{{1, 3}}, {}})), must(EncodeDrops([][]Drop{{}, {{1, 2}}})),
	} {
		if err := put(none, e); !errors.Is(err, pack.ErrPairing) {
			t.Errorf("fields pack, section %d: %v", i, err)
		}
	}
	// A tile that is damaged inside is found when it is decoded.
	h, err := NewHeadroomEncoder(1)
	if err != nil {
		t.Fatal(err)
	}
	damaged, err := h.Encode([]uint8{5, 6})
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range []struct {
		payload []byte
		want    error
	}{
		{damaged.Payload[:len(damaged.Payload)-1], pack.ErrZlib},
		{append(bytes.Clone(damaged.Payload), 0), pack.ErrTrailing},
		{mustZlib(t, []byte{5}), pack.ErrCount},
		{mustZlib(t, []byte{5, 6, 7}), pack.ErrLimit},
		{mustZlib(t, []byte{5, 192}), pack.ErrRange},
	} {
		w := newWorld(t, [][][]bnav.Record{{recs}, {}})
		w.fields.Extra = []pack.Extra{must(EncodeHeadroom([][]HeadroomTile{{{2, change.payload}}, {}}))}
		_, f := w.load(t.Context(), t, "")
		h, err := ReadHeadroom(f)
		if err != nil {
			t.Fatal(err)
		}
		_, err = h.Window(t.Context(), 0, bnav.Window{GX0: -9, GY0: -9, NX: 20, NY: 20}, 1)
		var fe *pack.FormatError
		if !errors.Is(err, change.want) || !errors.As(err, &fe) || fe.Zone != "yard" || fe.Section != TagHeadroom {
			t.Errorf("%v, want %v", err, change.want)
		}
	}
}

func mustZlib(t *testing.T, raw []byte) []byte {
	t.Helper()
	d, err := pack.NewDeflater(1)
	if err != nil {
		t.Fatal(err)
	}
	return d.AppendZlib(nil, raw)
}

func fuzz(f *testing.F, tag string) {
	all := parts(f)
	p := all[slices.IndexFunc(all, func(p part) bool { return p.tag == tag })]
	f.Add(p.good.Data)
	f.Add(p.good.Data[:16])
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := p.try(data); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzBounds(f *testing.F)   { fuzz(f, TagBounds) }
func FuzzLevels(f *testing.F)   { fuzz(f, TagLevels) }
func FuzzBodies(f *testing.F)   { fuzz(f, TagBodies) }
func FuzzReport(f *testing.F)   { fuzz(f, TagReport) }
func FuzzNoGo(f *testing.F)     { fuzz(f, TagNoGo) }
func FuzzHeadroom(f *testing.F) { fuzz(f, TagHeadroom) }
func FuzzDrops(f *testing.F)    { fuzz(f, TagDrops) }
