package bnav

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wend/pack"
)

// oldPack writes the tiny pack in one of the layouts before version 5.
func oldPack(t testing.TB, version uint16) []byte {
	t.Helper()
	c := tinyContent(t, 0)
	le := binary.LittleEndian
	header := oldHeaderLen
	if version >= 4 {
		header = headerLen
	}
	comps := components(c.Triangles)
	b := make([]byte, header)
	copy(b, "BNAV")
	le.PutUint16(b[4:], version)
	for i, n := range []int{len(c.Zones), len(c.Vertices), len(c.Triangles), len(c.Links)} {
		le.PutUint32(b[8+4*i:], uint32(n))
	}
	start := len(b)
	le.PutUint64(b[24:], uint64(len(b)))
	for i := range c.Zones {
		b = appendZone(b, &c.Zones[i], version)
	}
	le.PutUint64(b[32:], uint64(len(b)))
	for _, v := range c.Vertices {
		var rec [12]byte
		putVertex(rec[:], v)
		b = append(b, rec[:]...)
	}
	le.PutUint64(b[40:], uint64(len(b)))
	for i := range c.Triangles {
		var rec [36]byte
		putTriangle(rec[:], c.Vertices, &c.Triangles[i], comps[i])
		b = append(b, rec[:]...)
	}
	le.PutUint64(b[48:], uint64(len(b)))
	for _, l := range c.Links {
		b = le.AppendUint32(le.AppendUint32(b, l.Source), l.Target)
	}
	le.PutUint64(b[56:], pack.Fingerprint(b[start:]))
	if version >= 4 {
		dir := len(b)
		b = pack.AppendSections(b, []pack.SectionData{
			{Tag: "BOML", Pieces: [][]byte{c.encodeOffMesh()}}, {Tag: "BSRF", Pieces: [][]byte{c.encodeSurfaces()}}, {Tag: "BGRD", Pieces: [][]byte{c.Grid.bytes.b}},
		})
		le.PutUint64(b[64:], uint64(dir))
		le.PutUint32(b[72:], 3)
	}
	return b
}

func TestOldVersions(t *testing.T) {
	for version := uint16(1); version <= 4; version++ {
		data := oldPack(t, version)
		p, err := Load(t.Context(), data, &Options{Components: true})
		if err != nil {
			t.Errorf("version %d: %v", version, err)
			continue
		}
		want := tinyContent(t, 0)
		want.Components = components(want.Triangles)
		want.Profile = nil
		if version < 4 {
			want.Surfaces, want.OffMesh, want.OffMeshVersion, want.Grid = nil, nil, 0, nil
		}
		if version < 3 {
			for i := range want.Zones {
				want.Zones[i].FloorY = NoFloor
			}
		}
		if (want.Grid == nil) != (p.Grid == nil) || p.Version != version {
			t.Errorf("version %d: grid %v", version, p.Grid)
		}
		got := p.Content
		want.Grid, got.Grid = nil, nil
		if diff := cmp.Diff(*want, got); diff != "" {
			t.Errorf("version %d (-want +got):\n%s", version, diff)
		}
		if _, err := LoadZone(t.Context(), data, "yard", nil); !errors.Is(err, pack.ErrVersion) {
			t.Errorf("version %d by zone: %v", version, err)
		}
		var dec TileDecoder
		for n := range data {
			if errs := everything(t.Context(), &dec, data[:n], false); len(errs) == 0 {
				t.Fatalf("version %d: %d of %d bytes: no error", version, n, len(data))
			}
		}
		for i := range data {
			data[i] ^= 0x81
			checkErrors(t, len(data), everything(t.Context(), &dec, data, false))
			data[i] ^= 0x81
		}
	}
}
