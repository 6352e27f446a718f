package bnav

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"wend/pack"
)

// EncodeOptions of [Encode]. The zero value is ready.
type EncodeOptions struct {
	ChunkLen ChunkLen // records per chunk; 0 = 65536
	Level    Level    // of the zlib streams
	Workers  int      // 0 = one per processor; never more than four
}

// Level is a compression level plus 1, so that its zero value means the
// default of 9: Level(1) stores, Level(10) is 9.
type Level int

// Int returns the level as 0 to 9.
func (l Level) Int() int {
	if l == 0 {
		return pack.DefaultLevel
	}
	return int(l) - 1
}

const defaultChunkLen = 65536

// Encode writes a main pack of version 5 and returns its bytes, not gzipped
// (see pack.WriteFile), and the build hash in them. The content must be that of
// a whole pack; what a reader would refuse is refused here, with an error that
// wraps the same sentinel. Same content and options, same bytes, for any number
// of workers.
func Encode(ctx context.Context, c *Content, opts *EncodeOptions) (data []byte, buildHash uint64, err error) {
	var o EncodeOptions
	if opts != nil {
		o = *opts
	}
	for _, n := range []*uint32{&o.ChunkLen.Vertices, &o.ChunkLen.Triangles, &o.ChunkLen.Links} {
		if *n == 0 {
			*n = defaultChunkLen
		}
	}
	if err := c.check(); err != nil {
		return nil, 0, fmt.Errorf("bnav: encode: %w", err)
	}
	comps := c.Components
	if comps == nil {
		comps = components(c.Triangles)
	}
	geo, err := encodeGeometry(ctx, c, comps, &o)
	if err != nil {
		return nil, 0, fmt.Errorf("bnav: encode: %w", err)
	}
	buildHash = appendHashZones(pack.FNVStart, c.Zones, newestVersion)
	buildHash = hashVertices(buildHash, c.Vertices)
	buildHash = hashTriangles(buildHash, c.Vertices, c.Triangles, comps)
	buildHash = hashLinks(buildHash, c.Links)

	sections := []pack.SectionData{{Tag: "BGEO", Pieces: geo}}
	if c.OffMesh != nil || c.OffMeshVersion != 0 {
		sections = append(sections, pack.SectionData{Tag: "BOML", Pieces: [][]byte{c.encodeOffMesh()}})
	}
	if c.Surfaces != nil {
		sections = append(sections, pack.SectionData{Tag: "BSRF", Pieces: [][]byte{c.encodeSurfaces()}})
	}
	if c.Grid != nil {
		sections = append(sections, pack.SectionData{Tag: "BGRD", Pieces: [][]byte{c.Grid.bytes.b}})
	}
	if c.Profile != nil {
		sections = append(sections, pack.SectionData{Tag: "WPRF", Pieces: [][]byte{c.Profile.encode()}})
	}
	extra, err := pack.ExtraSections(c.Extra, knownTags[:]...)
	if err != nil {
		return nil, 0, fmt.Errorf("bnav: encode: %w", err)
	}
	sections = append(sections, extra...)
	le := binary.LittleEndian
	h := append([]byte("BNAV"), newestVersion, 0, 0, 0)
	for _, n := range []int{len(c.Zones), len(c.Vertices), len(c.Triangles), len(c.Links)} {
		h = le.AppendUint32(h, uint32(n))
	}
	h = append(h, make([]byte, 32)...) // table offsets, void since version 5
	h = le.AppendUint64(h, buildHash)
	h = le.AppendUint64(h, headerLen)
	h = le.AppendUint32(h, uint32(len(sections)))
	h = le.AppendUint32(h, 0)
	return pack.AppendSections(h, sections), buildHash, nil
}

// check looks for everything a reader would refuse.
func (c *Content) check() error {
	for _, n := range []int{len(c.Zones), len(c.Vertices), len(c.Links)} {
		if uint64(n) > math.MaxUint32 {
			return fmt.Errorf("%w: %d records, want at most %d", pack.ErrRange, n, uint32(math.MaxUint32))
		}
	}
	switch {
	case len(c.Zones) == 0:
		return fmt.Errorf("%w: no zone, want at least 1", pack.ErrCount)
	case len(c.Links) == 0:
		return fmt.Errorf("%w: no link, want at least 1", pack.ErrCount)
	case len(c.Triangles) > math.MaxInt32:
		return fmt.Errorf("%w: %d triangles, want at most %d", pack.ErrRange, len(c.Triangles), math.MaxInt32)
	case c.Components != nil && len(c.Components) != len(c.Triangles):
		return fmt.Errorf("%w: %d component ids for %d triangles", pack.ErrCount, len(c.Components), len(c.Triangles))
	case c.Surfaces != nil && len(c.Surfaces) != len(c.Triangles):
		return fmt.Errorf("%w: %d surfaces for %d triangles", pack.ErrCount, len(c.Surfaces), len(c.Triangles))
	case c.OffMeshVersion < 0 || c.OffMeshVersion > 2:
		return fmt.Errorf("%w: off-mesh version %d, want 1 or 2", pack.ErrVersion, c.OffMeshVersion)
	case c.Grid != nil && c.Grid.Version != GridStreams:
		return fmt.Errorf("%w: grid version %d, only %d is written", pack.ErrVersion, c.Grid.Version, GridStreams)
	}
	if i, err := checkZones(c.Zones, uint32(len(c.Triangles))); err != nil {
		return fmt.Errorf("zone %d: %w", i, err)
	}
	for i, v := range c.Vertices {
		if !finite(v.U) || !finite(v.V) || !finite(v.H) {
			return fmt.Errorf("vertex %d: %w: (%v, %v, %v)", i, pack.ErrNonFinite, v.U, v.V, v.H)
		}
	}
	for i := range c.Triangles {
		t := &c.Triangles[i]
		for k, v := range t.V {
			if uint64(v) >= uint64(len(c.Vertices)) {
				return fmt.Errorf("triangle %d: %w: vertex %d of %d", i, pack.ErrRange, v, len(c.Vertices))
			}
			if n := t.N[k]; n < -1 || int(n) >= len(c.Triangles) || int(n) == i {
				return fmt.Errorf("triangle %d: %w: neighbour %d of %d", i, pack.ErrRange, n, len(c.Triangles))
			}
		}
		if t.V[0] == t.V[1] || t.V[1] == t.V[2] || t.V[0] == t.V[2] {
			return fmt.Errorf("triangle %d: %w: corners %v, want three different ones", i, pack.ErrRange, t.V)
		}
	}
	for i := 1; i < len(c.Links); i++ {
		if c.Links[i].Source < c.Links[i-1].Source {
			return fmt.Errorf("link %d: %w: source %d after %d", i, pack.ErrOrder, c.Links[i].Source, c.Links[i-1].Source)
		}
	}
	ids := zoneIDs(c.Zones)
	for i := range c.OffMesh {
		k := &c.OffMesh[i]
		if _, err := checkOffMesh(k, ids, uint32(len(c.Triangles))); err != nil {
			return fmt.Errorf("off-mesh link %d: %w", i, err)
		}
		values := []float32{k.Radius, k.CostModifier}
		for _, p := range k.Points {
			values = append(values, p.U, p.V, p.H)
		}
		for _, f := range values {
			if !finite(f) {
				return fmt.Errorf("off-mesh link %d: %w: %v", i, pack.ErrNonFinite, f)
			}
		}
		if c.OffMeshVersion == 1 && (k.DirOK != 0 || k.StartTri != NoTriangle || k.EndTri != NoTriangle) {
			return fmt.Errorf("off-mesh link %d: %w: version 1 stores neither directions nor triangles", i, pack.ErrVersion)
		}
	}
	if p := c.Profile; p != nil {
		if what := p.Fault(); what != "" {
			return fmt.Errorf("%w: %s", pack.ErrRules, what)
		}
		if len(p.Name) > pack.MaxProfileName {
			return fmt.Errorf("%w: profile name of %d bytes, want at most %d", pack.ErrLimit, len(p.Name), pack.MaxProfileName)
		}
		if p.Name != "" {
			return checkName(p.Name)
		}
	}
	return nil
}

// components numbers the connected parts of the neighbour relation, each
// direction of which counts, from 0 in order of their first triangle.
func components(tris []Triangle) []uint32 {
	root := make([]uint32, len(tris))
	for i := range root {
		root[i] = uint32(i)
	}
	find := func(i uint32) uint32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for i := range tris {
		for _, n := range tris[i].N {
			if n >= 0 {
				a, b := find(uint32(i)), find(uint32(n))
				root[max(a, b)] = min(a, b) // the first triangle is the root
			}
		}
	}
	ids := make([]uint32, len(tris))
	next := uint32(0)
	for i := range ids {
		if r := find(uint32(i)); r == uint32(i) {
			ids[i] = next
			next++
		} else {
			ids[i] = ids[r] // r is smaller than i
		}
	}
	return ids
}

func (c *Content) encodeSurfaces() []byte {
	le := binary.LittleEndian
	b := make([]byte, 0, attrHeaderLen+surfaceLen*len(c.Surfaces))
	b = append(b, "BSRF"...)
	b = append(b, 1, 0, surfaceLen, 0)
	b = le.AppendUint32(b, uint32(len(c.Surfaces)))
	b = le.AppendUint32(b, 0)
	for _, s := range c.Surfaces {
		b = append(b, s.Area, s.PolyType, 0, 0)
		b = le.AppendUint32(b, s.Flags)
	}
	return b
}

func (c *Content) encodeOffMesh() []byte {
	version, size := uint8(2), uint8(offMeshV2Len)
	if c.OffMeshVersion == 1 {
		version, size = 1, offMeshV1Len
	}
	le := binary.LittleEndian
	b := make([]byte, 0, attrHeaderLen+int(size)*len(c.OffMesh))
	b = append(b, "BOML"...)
	b = append(b, version, 0, size, 0)
	b = le.AppendUint32(b, uint32(len(c.OffMesh)))
	b = le.AppendUint32(b, 0)
	for i := range c.OffMesh {
		k := &c.OffMesh[i]
		b = le.AppendUint16(b, k.ZoneID)
		b = append(b, k.Kind, 0)
		for _, v := range []int32{k.IsExt, k.Bidirectional, k.Area} {
			b = le.AppendUint32(b, uint32(v))
		}
		b = le.AppendUint16(b, k.LinkType)
		b = append(b, k.Direction, 0)
		b = pack.AppendF32(pack.AppendF32(b, k.Radius), k.CostModifier)
		for _, p := range k.Points {
			b = pack.AppendF32(pack.AppendF32(pack.AppendF32(b, p.U), p.V), p.H)
		}
		b = append(b, k.DirOK, 0, 0, 0)
		if version == 2 {
			b = le.AppendUint32(b, k.StartTri)
			b = le.AppendUint32(b, k.EndTri)
		}
	}
	return b
}

func (p *Profile) encode() []byte {
	b := pack.AppendProfile(nil, p.Profile)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(p.Name)))
	return append(b, p.Name...)
}
