package annex_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wend/pack"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// page is the description of the formats that the listings belong to.
var page = filepath.Join("..", "..", "docs", "format.md")

// tinyPacks returns a main pack and its fields pack, all streams stored.
func tinyPacks(t *testing.T) (main, fields []byte) {
	t.Helper()
	ctx := context.Background()
	const stored = bnav.Level(1)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	tiles, err := bnav.NewTileEncoder(stored)
	must(err)
	payload, err := tiles.Encode([]bnav.Record{
		{Cell: 0, Region: 1, H: 1.5, Clr: 4, Flags: bnav.Walk | bnav.Core, Steps: 0x40},
		{Cell: 0, Region: 2, H: 4.5, Clr: 4, Flags: bnav.Walk | bnav.Core},
		{Cell: 5, Region: 1, H: 2, Clr: 1, Flags: bnav.Walk},
	}, 4, 3)
	must(err)
	grid, err := bnav.NewGrid(1, 0, []bnav.NewZone{{Name: "yard", GlobalRegions: 2, Tiles: []bnav.NewTile{{
		Tile: bnav.Tile{GX0: -4, GY0: 8, NX: 4, NY: 3, PX1: 3, PY1: 2, Records: 3}, Payload: payload,
	}}}})
	must(err)
	body, err := annex.EncodeBodies([]annex.Body{{ID: 7, Radius: 0.25, Headroom: 1.5, MaxClimb: 0.5, MaxSlopeDeg: 45}})
	must(err)
	main, _, err = bnav.Encode(ctx, &bnav.Content{
		Zones:     []bnav.Zone{{ID: 7, Name: "yard", TriCount: 1, Components: 1, Width: 2, Height: 4, SX: 1, SY: 1, FloorY: bnav.NoFloor}},
		Vertices:  []bnav.Vertex{{U: -1, V: 2, H: 1.5}, {U: 0, V: 2, H: 1.5}, {U: 0, V: 3, H: 2}},
		Triangles: []bnav.Triangle{{V: [3]uint32{0, 2, 1}, N: [3]int32{-1, -1, -1}}},
		Links:     []bnav.Link{{Source: 0, Target: 0}},
		Surfaces:  []bnav.Surface{{Area: 3, Flags: 1}},
		Grid:      grid,
		Extra:     []pack.Extra{body},
	}, &bnav.EncodeOptions{Level: stored})
	must(err)
	p, err := bnav.Load(ctx, main, nil)
	must(err)

	cols, err := bnvf.NewColumnEncoder(stored)
	must(err)
	payload, err = cols.Encode(&bnvf.Columns{
		Component: []uint32{1, 1, 2}, StepsXor: []uint8{0, 0, 1}, Seg: []uint8{0, 1, 0}, Tax: []uint8{0, 0, 0}, ClrDrop: []uint16{3, 0, 0}, Medial: []uint8{0, 0, 1},
	})
	must(err)
	drops, err := annex.EncodeDrops([][]annex.Drop{{{From: 2, To: 1}}})
	must(err)
	fields, err = bnvf.Encode(ctx, &bnvf.Content{
		Zones: []bnvf.NewZone{{
			Name: "yard", GlobalRegions: 2, Tiles: []bnvf.NewTile{{Records: 3, Payload: payload}},
			Graphs: []bnvf.RegionGraph{{Region: 1, Components: 2, Edges: []bnvf.Edge{{From: 1, To: 2}}}, {Region: 2, Components: 1}},
			Walls:  []bnvf.Wall{{Key: 0, Regions: []uint32{1}}, {Key: 1}, {Key: 2, Regions: []uint32{1, 2}}},
		}},
		Extra: []pack.Extra{drops},
	}, p, &bnvf.EncodeOptions{Level: stored})
	must(err)
	return main, fields
}

// A lister walks over a file and writes what it passes, with remarks.
type lister struct {
	t    *testing.T
	data []byte
	pos  int
	out  strings.Builder
}

func (l *lister) bytes(n int, format string, args ...any) []byte {
	l.t.Helper()
	if n > len(l.data)-l.pos {
		l.t.Fatalf("%d bytes at %d of %d", n, l.pos, len(l.data))
	}
	b := l.data[l.pos : l.pos+n]
	for i := 0; i < n || i == 0; i += 16 {
		line := fmt.Sprintf("%04x  %-47x  ", l.pos+i, spaced(b[i:min(i+16, n)]))
		if i == 0 {
			line += fmt.Sprintf(format, args...)
		}
		l.out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	l.pos += n
	return b
}

// spaced prints as hex with blanks.
type spaced []byte

func (s spaced) Format(f fmt.State, _ rune) {
	w, _ := f.Width()
	fmt.Fprintf(f, "%-*s", w, fmt.Sprintf("% x", []byte(s)))
}

func (l *lister) tag(want string) {
	l.t.Helper()
	if string(l.bytes(4, "%q", want)) != want {
		l.t.Fatalf("no %s at %d", want, l.pos-4)
	}
}

func (l *lister) u16(what string) uint16 {
	v := binary.LittleEndian.Uint16(l.data[l.pos:])
	l.bytes(2, "%s %d", what, v)
	return v
}

func (l *lister) u32(what string) uint32 {
	v := binary.LittleEndian.Uint32(l.data[l.pos:])
	l.bytes(4, "%s %d", what, v)
	return v
}

func (l *lister) i32(what string) {
	l.bytes(4, "%s %d", what, int32(binary.LittleEndian.Uint32(l.data[l.pos:])))
}

func (l *lister) u64(what string) uint64 {
	v := binary.LittleEndian.Uint64(l.data[l.pos:])
	l.bytes(8, "%s %d", what, v)
	return v
}

func (l *lister) f32(what string) {
	l.bytes(4, "%s %v", what, math.Float32frombits(binary.LittleEndian.Uint32(l.data[l.pos:])))
}

func (l *lister) f64(what string) {
	l.bytes(8, "%s %v", what, math.Float64frombits(binary.LittleEndian.Uint64(l.data[l.pos:])))
}

func (l *lister) varint(what string) uint64 {
	v, next, err := pack.Uvarint(l.data, l.pos)
	if err != nil {
		l.t.Fatal(err)
	}
	l.bytes(next-l.pos, "%s %d", what, v)
	return v
}

// stream lists a stream, a stored one in parts.
func (l *lister) stream(format string, args ...any) {
	n, next, err := pack.Uvarint(l.data, l.pos)
	if err != nil {
		l.t.Fatal(err)
	}
	what := fmt.Sprintf(format, args...)
	if l.data[next+1] != 1 { // compressed
		raw, err := new(pack.Inflater).Inflate(nil, l.data[next:next+int(n)], 1<<20)
		if err != nil {
			l.t.Fatal(err)
		}
		l.bytes(next-l.pos+int(n), "stream of %d bytes, raw % x: %s", n, raw, what)
		return
	}
	raw := int(n) - 11
	l.bytes(next-l.pos+7, "stream of %d bytes, stored, %d raw", n, raw)
	if raw > 0 {
		l.bytes(raw, "  %s", what)
	}
	if raw > 0 {
		what = ""
	}
	l.bytes(4, "  Adler-32%s", strings.TrimRight(": "+what, ": "))
}

func (l *lister) note(format string, args ...any) {
	fmt.Fprintf(&l.out, "                                                       -- "+format+"\n", args...)
}

// directory lists the sections and returns where they are.
func (l *lister) directory(n uint32) {
	for range n {
		tag := string(l.data[l.pos : l.pos+4])
		off, size := binary.LittleEndian.Uint64(l.data[l.pos+8:]), binary.LittleEndian.Uint64(l.data[l.pos+16:])
		l.bytes(24, "%s, flags 0, offset %#x, size %d", tag, off, size)
	}
}

func (l *lister) name() {
	n := l.u32("length of the name")
	l.bytes(int(n), "%q", l.data[l.pos:l.pos+int(n)])
}

func listMain(t *testing.T, data []byte) string {
	l := &lister{t: t, data: data}
	l.tag("BNAV")
	l.u16("version")
	l.u16("flags")
	l.u32("zones")
	l.u32("vertices")
	l.u32("triangles")
	l.u32("links")
	l.bytes(32, "void")
	l.bytes(8, "build hash %016x", binary.LittleEndian.Uint64(data[l.pos:]))
	l.u64("directory at")
	n := l.u32("sections")
	l.u32("reserved")
	l.directory(n)

	start := l.pos
	l.note("BGEO, offsets from %#x", start)
	l.tag("BGEO")
	l.u32("version")
	l.bytes(12, "3 vertices, 1 triangle, 1 link")
	l.bytes(12, "records a chunk: 65536 of each")
	l.u32("bytes of the zone table")
	l.u32("reserved")
	for _, what := range []string{"vertex directory at", "triangle directory at", "link directory at", "zone table at"} {
		l.u64(what)
	}
	for _, what := range []string{"vertex", "triangle", "link"} {
		off, size := binary.LittleEndian.Uint64(data[l.pos:]), binary.LittleEndian.Uint32(data[l.pos+8:])
		l.bytes(16, "%s chunk 0 at %d, %d bytes, first source 0", what, off, size)
	}
	l.note("zone table")
	l.u16("id")
	l.u16("flags")
	l.u32("length of the name")
	l.u32("first triangle")
	l.u32("triangles")
	l.u32("components")
	for _, what := range []string{"width", "height", "sx", "tx", "sy", "ty", "floor"} {
		l.f32(what)
	}
	l.bytes(4, "name")
	l.note("vertices (-1, 2, 1.5) (0, 2, 1.5) (0, 3, 2): first bytes, second bytes, ...")
	l.stream("byte j of vertex i at 3j + i")
	l.note("triangle (0, 2, 1) without neighbours, component 0")
	for _, what := range []string{"v0 - 0 = 0", "v1 - v0 = 2", "v2 - v0 = 1", "no bit set", "no neighbours", "component 0", "run of 1"} {
		l.stream("%s", what)
	}
	l.note("link 0 to 0")
	l.stream("source")
	l.stream("target - source")

	l.note("BSRF")
	l.tag("BSRF")
	l.u16("version")
	l.u16("bytes a record")
	l.u32("records")
	l.u32("reserved")
	l.bytes(8, "area 3, type 0, attributes 1")

	l.note("BGRD, offsets from %#x", l.pos)
	l.tag("BGRD")
	l.u32("version")
	l.f64("side of a cell")
	l.f64("side of a tile")
	l.f64("apron")
	l.u32("zones")
	l.u32("reserved")
	l.name()
	l.f64("x0")
	l.f64("y0")
	l.u32("R")
	l.u32("tiles")
	for _, what := range []string{"gx0", "gy0", "nx", "ny", "px0", "px1", "py0", "py1"} {
		l.i32(what)
	}
	l.u64("payload at")
	l.u32("bytes")
	l.u32("records")
	l.note("tile 0")
	l.varint("n")
	l.f32("hmin")
	l.varint("D")
	l.varint("C")
	k := l.varint("K")
	l.bytes(int(5*k), "predictors, %d a field: %v", k, data[l.pos:l.pos+int(5*k)])
	for _, what := range []string{
		"cells 0, 0 + 5", "2 records, 1 record", "regions 1, 2",
		"height steps: cell 0 0, cell 5 32 | cell 0 192",
		"region indices: 0, 0 | 1",
		"clearances: 4, 1 | 4",
		"flags: 6, 2 | 6",
		"steps: 64, 0 | 0",
	} {
		l.stream("%s", what)
	}
	l.note("WBDY")
	l.tag("WBDY")
	l.u16("version")
	l.u16("zero")
	l.u32("records")
	l.u32("zero")
	l.u16("zone id")
	l.bytes(6, "zero")
	for _, what := range []string{"radius", "headroom", "climb", "slope"} {
		l.f64(what)
	}
	return l.end()
}

func listFields(t *testing.T, data []byte) string {
	l := &lister{t: t, data: data}
	l.tag("BNVF")
	l.u16("version")
	l.u16("flags")
	l.bytes(8, "build hash of the main pack")
	l.bytes(8, "fingerprint of the main pack")
	l.u32("rules version")
	n := l.u32("sections")
	l.u64("directory at")
	l.u64("reserved")
	l.directory(n)
	l.bytes(144, "FCON: the reference constants")
	l.note("FZON")
	l.u32("zones")
	l.name()
	l.u32("R")
	l.u32("tiles")
	for _, tag := range []string{"FSPN", "FSCC", "FWAL"} {
		l.u64("part of " + tag + " at")
		l.u64("its size")
	}
	l.note("FSPN")
	l.u32("tile 0: records")
	l.u64("payload at")
	l.u32("bytes")
	l.varint("n")
	for _, what := range []string{"components 1, 1, 2", "steps xor", "facades", "step edges", "clearance: 3 less, 0, 0", "medial axis"} {
		l.stream("%s", what)
	}
	l.note("FSCC")
	for range l.varint("graphs") {
		l.varint("region")
		l.varint("components")
		if l.varint("edges") > 0 {
			l.stream("from 1 to 2")
		} else {
			l.stream("")
		}
	}
	l.note("FWAL")
	l.varint("keys")
	l.stream("keys 0, 1, 2")
	l.stream("region 1 | none | regions 1, 2")
	l.note("WDRP")
	l.tag("WDRP")
	l.u16("version")
	l.u16("zero")
	l.u32("zones")
	l.u32("zero")
	l.varint("drops")
	l.stream("from 2, to 1")
	return l.end()
}

func (l *lister) end() string {
	l.t.Helper()
	if l.pos != len(l.data) {
		l.t.Fatalf("%d of %d bytes are listed", l.pos, len(l.data))
	}
	return l.out.String()
}

// The listings of the page are those of packs that are written now.
func TestFormatPageShowsTheBytes(t *testing.T) {
	main, fields := tinyPacks(t)
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for name, listing := range map[string]string{"main": listMain(t, main), "fields": listFields(t, fields)} {
		begin, end := "<!-- listing "+name+" -->\n", "<!-- end -->\n"
		before, rest, ok := strings.Cut(text, begin)
		old, after, ok2 := strings.Cut(rest, end)
		if !ok || !ok2 {
			t.Fatalf("%s has no place for the listing %q", page, name)
		}
		want := "\n```\n" + listing + "```\n\n"
		if old != want && os.Getenv("WEND_UPDATE") == "" {
			t.Errorf("the listing %q of %s is not that of the packs written now; WEND_UPDATE=1 writes it anew", name, page)
		}
		text = before + begin + want + end + after
	}
	if os.Getenv("WEND_UPDATE") != "" {
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
