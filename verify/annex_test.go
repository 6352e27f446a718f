package verify_test

import (
	"testing"
	"testing/fstest"

	"wend/pack"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/verify"
)

// Our own sections are checked alone, and against what they speak of.
func TestOwnSections(t *testing.T) {
	res := bakedYard(t)
	check := func(main, fields []byte) []verify.Fault {
		t.Helper()
		set := fstest.MapFS{"yard.nav": &fstest.MapFile{Data: main}}
		if fields != nil {
			set["yard.fields.nav"] = &fstest.MapFile{Data: fields}
		}
		faults, err := verify.Pack(t.Context(), set, "yard.nav", nil)
		if err != nil {
			t.Fatal(err)
		}
		return faults
	}
	load := func() *bnav.Pack {
		p, err := bnav.Load(t.Context(), res.Main, &bnav.Options{Components: true})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	encode := func(p *bnav.Pack, extra pack.Extra, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		content := p.Content
		content.Extra = []pack.Extra{extra}
		data, _, err := bnav.Encode(t.Context(), &content, nil)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}

	p := load()
	b, err := annex.ComputeBounds(t.Context(), p.Grid, 1)
	if err != nil {
		t.Fatal(err)
	}
	x, err := annex.EncodeBounds(b)
	if f := check(encode(p, x, err), nil); len(f) > 0 {
		t.Errorf("right bounds: %v", f)
	}
	b.Zones[0].GX1--
	x, err = annex.EncodeBounds(b)
	if f := check(encode(p, x, err), nil); kinds(f) != "ErrPairing WBND" {
		t.Errorf("bounds without the last column: %v", f)
	}
	b.Zones[0].GX1++
	b.Zones[0].Heights.Max++
	for i := range b.Zones[0].Tiles {
		if h := &b.Zones[0].Tiles[i]; !h.Void() {
			h.Max++
		}
	}
	x, err = annex.EncodeBounds(b)
	if f := check(encode(p, x, err), nil); kinds(f) != "ErrPairing WBND" || f[0].Item != "tile 0" {
		t.Errorf("a height too high: %v", f)
	}
	x, err = annex.EncodeBodies([]annex.Body{{ID: 999, Radius: 0.3, Headroom: 2, MaxClimb: 0.5, MaxSlopeDeg: 45}})
	if f := check(encode(p, x, err), nil); kinds(f) != "ErrPairing WBDY" {
		t.Errorf("the body of a zone that does not exist: %v", f)
	}
	for _, tag := range []string{annex.TagLevels, annex.TagReport, annex.TagBounds} {
		if f := check(encode(p, pack.Extra{Tag: tag, Data: []byte("rubbish")}, nil), nil); len(f) != 1 || f[0].Section != tag {
			t.Errorf("rubbish in %s: %v", tag, f)
		}
	}

	// Sections of the sidecar.
	for _, tag := range []string{annex.TagHeadroom, annex.TagDrops} {
		s := unpack(t, res)
		s.fields.Extra = []pack.Extra{{Tag: tag, Data: []byte("rubbish")}}
		set := s.pack(t, true)
		if f := check(set["yard.nav"].Data, set["yard.fields.nav"].Data); len(f) != 1 || f[0].Section != tag || f[0].File != "yard.fields.nav" {
			t.Errorf("rubbish in %s: %v", tag, f)
		}
	}

	// A headroom tile that cannot be decoded.
	f, err := bnvf.Load(t.Context(), res.Fields, load(), nil)
	if err != nil {
		t.Fatal(err)
	}
	grid := f.Main().Grid
	tiles := make([]annex.HeadroomTile, len(grid.Zones[0].Tiles))
	for i := range tiles {
		tiles[i] = annex.HeadroomTile{Records: grid.Zones[0].Tiles[i].Records, Payload: []byte{3, 1, 2, 3}}
	}
	x, err = annex.EncodeHeadroom([][]annex.HeadroomTile{tiles})
	if err != nil {
		t.Fatal(err)
	}
	s := unpack(t, res)
	s.fields.Extra = []pack.Extra{x}
	set := s.pack(t, true)
	if f := check(set["yard.nav"].Data, set["yard.fields.nav"].Data); len(f) != len(tiles) || f[0].Section != annex.TagHeadroom || f[0].Item != "tile 0" {
		t.Errorf("headroom that cannot be decoded: %v", f)
	}
}
