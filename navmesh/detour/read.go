package detour

import (
	"fmt"

	"wend/navmesh"
)

// Read reads a tile-set file; name is what errors call it and may be empty.
// Tiles come in the order of the file and share no memory with data.
//
// Read checks the structure: magic, versions, and that the counts fit the sizes.
// Whether indices and numbers make sense is checked by navmesh.New. The error is a
// *FormatError. Memory stays within a small multiple of len(data), whatever the
// file claims.
func Read(data []byte, name string) (navmesh.Params, []navmesh.Tile, error) {
	d := decoder{data: data, file: name}
	p, tiles, err := d.set()
	if err != nil {
		return navmesh.Params{}, nil, err
	}
	return p, tiles, nil
}

type decoder struct {
	data []byte
	at   int64 // first byte that is not taken yet
	file string
}

func (d *decoder) fail(section string, offset int64, err error) error {
	return &FormatError{File: d.file, Section: section, Offset: offset, Err: err}
}

// take returns a cursor over the next n bytes and their offset.
func (d *decoder) take(section string, n int64) (cursor, int64, error) {
	at := d.at
	if left := int64(len(d.data)) - at; left < n {
		return cursor{}, at, d.fail(section, at, fmt.Errorf("%w: %d of %d bytes are there", ErrTruncated, left, n))
	}
	d.at += n
	return cursor{d.data[at:d.at]}, at, nil
}

func (d *decoder) set() (p navmesh.Params, tiles []navmesh.Tile, err error) {
	const section = "set header"
	c, at, err := d.take(section, 8)
	if err != nil {
		return p, nil, err
	}
	if err := checkMagic(c.u32(), setMagic, "MSET"); err != nil {
		return p, nil, d.fail(section, at, err)
	}
	if v := c.i32(); v != setVersion {
		return p, nil, d.fail(section, at+4, fmt.Errorf("%w: set version %d, want %d", ErrVersion, v, setVersion))
	}
	if c, at, err = d.take(section, setHeaderSize-8); err != nil {
		return p, nil, err
	}
	n := c.i32()
	p.Origin = c.vec()
	p.TileWidth, p.TileDepth = c.f32(), c.f32()
	p.MaxTiles, p.MaxPolys = c.i32(), c.i32()
	if n < 0 {
		return p, nil, d.fail(section, at, fmt.Errorf("%w: %d tiles", ErrCorrupt, n))
	}
	for i := range n {
		t, err := d.tile(i)
		if err != nil {
			return p, nil, err
		}
		tiles = append(tiles, t)
	}
	if left := int64(len(d.data)) - d.at; left > 0 {
		return p, nil, d.fail("end", d.at, fmt.Errorf("%w: %d bytes behind the last of %d tiles", ErrCorrupt, left, n))
	}
	return p, tiles, nil
}

// checkMagic compares a file's first word, read as little-endian.
func checkMagic(got, want uint32, name string) error {
	switch got {
	case want:
		return nil
	case swap(want):
		return fmt.Errorf("%w: %s has its most significant byte first, want it last", ErrByteOrder, name)
	case cacheMagic:
		return fmt.Errorf("%w: a tile cache (TSET), want a navmesh set (MSET)", ErrMagic)
	case tileMagic:
		return fmt.Errorf("%w: a bare tile (DNAV), want a navmesh set (MSET)", ErrMagic)
	}
	return fmt.Errorf("%w: first word 0x%08x, want 0x%08x (%s)", ErrMagic, got, want, name)
}

func swap(v uint32) uint32 {
	return v>>24 | v>>8&0xff00 | v<<8&0xff0000 | v<<24
}

func (d *decoder) tile(i int32) (t navmesh.Tile, err error) {
	name := func(part string) string { return fmt.Sprintf("tile %d: %s", i, part) }
	c, at, err := d.take(name("entry"), tileEntrySize)
	if err != nil {
		return t, err
	}
	ref, size := c.u32(), c.i32()
	if ref == 0 || size < tileHeaderSize {
		return t, d.fail(name("entry"), at, fmt.Errorf("%w: reference %d, %d bytes", ErrCorrupt, ref, size))
	}
	if c, at, err = d.take(name("data"), int64(size)); err != nil {
		return t, err
	}
	if err := checkMagic(c.u32(), tileMagic, "DNAV"); err != nil {
		return t, d.fail(name("header"), at, err)
	}
	if v := c.i32(); v != tileVersion {
		return t, d.fail(name("header"), at+4, fmt.Errorf("%w: tile version %d, want %d", ErrVersion, v, tileVersion))
	}
	n, err := c.header(&t)
	if err == nil && n.size() != int64(size) {
		err = fmt.Errorf("%w: its counts make %d bytes, its entry says %d", ErrCorrupt, n.size(), size)
	}
	if err != nil {
		return t, d.fail(name("header"), at, err)
	}
	if err := c.arrays(&t, &n); err != nil {
		return t, d.fail(name("off-mesh connections"), at+int64(size)-n.offMesh*offMeshSize, err)
	}
	return t, nil
}
