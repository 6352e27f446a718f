package ocls

import (
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wend/geom"
	"wend/pack"
)

// workedScene is the worked example of the format: one triangle turned by 90
// degrees about y at (103, 1, 198), and one block of 3 by 3 samples.
func workedScene() *Scene {
	return &Scene{
		Step: 1. / 256, OriginX: 25600, OriginZ: 51200,
		RotUnits: 32767, ScaleBits: 12,
		Samples: 3, Cell: 2, Base: -16, Rise: 1. / 16,
		Templates: []Template{{
			Exp:   -2,
			Verts: [][3]int64{{0, 0, 0}, {4, 0, 0}, {0, 0, 4}},
			Tris:  [][3]uint32{{0, 1, 2}},
		}},
		Palette:   []Scale{{4096, 4096, 4096}},
		Instances: []Instance{{Pos: [3]int64{768, 256, -512}, Rot: [3]int64{0, 32767, 0}, Code: 3}},
		Blocks:    []Block{{Heights: []int32{10, 12, 12, 11, 14, 14, 11, 14, 13}, Holes: []byte{2}}},
	}
}

// workedStreams are its twelve streams, by hand.
var workedStreams = []string{
	"03 01 03", "00 08 07 00 00 00 00 00 08", "00 00 00", "01", "80 0c 80 04 ff 07", "03", "00 fe ff 03 00",
	"01 80 40 80 40 80 40 00", "", "00 00 01", "14 04 00 02 02 00 00 00 01", "02",
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func workedFile(t testing.TB) []byte {
	t.Helper()
	data, err := Append(nil, []Named{{"A", workedScene()}})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestWorkedExample(t *testing.T) {
	data := workedFile(t)
	if len(data) != 196 || pack.Fingerprint(data) != 0x475189bc12ca700a {
		t.Fatalf("%d bytes with hash %016x, want 196 with 475189bc12ca700a", len(data), pack.Fingerprint(data))
	}
	at := 12 + 2 + 1 + 4 + headerBytes
	for i, text := range workedStreams {
		want := unhex(t, text)
		n := int(data[at])
		if got := data[at+4 : at+4+n]; !slices.Equal(got, want) {
			t.Errorf("stream %d: % x, want % x", i, got, want)
		}
		at += 4 + n
	}
	scenes, err := Read("", data)
	if err != nil {
		t.Fatal(err)
	}
	s := scenes[0].Scene
	if diff := cmp.Diff(workedScene(), s); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	q := s.Instances[0].quaternion(s.RotUnits)
	for i, want := range [4]float64{0, math.Sqrt2 / 2, 0, math.Sqrt2 / 2} {
		if math.Abs(q[i]-want) > 1e-15 {
			t.Errorf("quaternion %v, want entry %d %v", q, i, want)
		}
	}
	m := s.Place(0)
	for i, want := range []geom.Vec3{geom.V3(103, 1, 198), geom.V3(103, 1, 197), geom.V3(104, 1, 198)} {
		if got := m.Apply(s.Templates[0].Vertex(uint32(i))); geom.Dist(got, want) > 1e-12 {
			t.Errorf("vertex %d stands at %v, want %v", i, got, want)
		}
	}
	if got, want := s.BlockPoint(0, 0, 0), geom.V3(100, -15.375, 200); got != want {
		t.Errorf("first sample %v, want %v", got, want)
	}
	if got, want := s.BlockPoint(0, 2, 2), geom.V3(104, -15.1875, 204); got != want {
		t.Errorf("last sample %v, want %v", got, want)
	}
	for v := range 2 {
		for u := range 2 {
			if got, want := s.Blocks[0].Hole(3, u, v), u == 1 && v == 0; got != want {
				t.Errorf("cell (%d, %d): hole %v", u, v, got)
			}
		}
	}
}

// A quad with corners 0,1,2 and 0,2,3.
func TestBackDistances(t *testing.T) {
	s := workedScene()
	s.Templates[0] = Template{Verts: make([][3]int64, 4), Tris: [][3]uint32{{0, 1, 2}, {0, 2, 3}}}
	if got, want := s.appendCorners(nil), unhex(t, "00 00 00 03 01 00"); !slices.Equal(got, want) {
		t.Errorf("% x, want % x", got, want)
	}
}

// body returns the worked scene with changed streams; a nil entry keeps one.
func body(t testing.TB, streams map[int]string, header func(b []byte)) []byte {
	t.Helper()
	whole, err := AppendScene(nil, workedScene())
	if err != nil {
		t.Fatal(err)
	}
	out := whole[:headerBytes:headerBytes]
	for i, text := range workedStreams {
		if changed, ok := streams[i]; ok {
			text = changed
		}
		b := unhex(t, text)
		out = append(out, byte(len(b)), 0, 0, 0)
		out = append(out, b...)
	}
	if header != nil {
		header(out)
	}
	return out
}

func u32(off int, v uint32) func([]byte) {
	return func(b []byte) { b[off], b[off+1], b[off+2], b[off+3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24) }
}

func f64(off int, v float64) func([]byte) {
	return func(b []byte) { copy(b[off:], pack.AppendF64(nil, v)) }
}

// One fault each: what is refused, why, in which stream and at which byte of
// the body. Stream -1 is the header.
func TestFaultsOfAScene(t *testing.T) {
	type fault struct {
		name    string
		streams map[int]string
		header  func([]byte)
		kind    error
		item    string
		offset  int64
	}
	ends := make([]int64, streamCount)   // offset behind each stream
	starts := make([]int64, streamCount) // offset of its bytes
	at := int64(headerBytes)
	for i, s := range workedStreams {
		starts[i] = at + 4
		at = starts[i] + int64(len(unhex(t, s)))
		ends[i] = at
	}
	for _, f := range []fault{
		{"magic", nil, u32(0, 0), pack.ErrMagic, "", 0},
		{"version 2", nil, u32(4, 2), pack.ErrVersion, "", 4},
		{"two templates in three bytes", nil, u32(8, 2), pack.ErrCount, "", 8},
		{"huge template count", nil, u32(8, 0xffffffff), pack.ErrCount, "", 8},
		{"two instances", nil, u32(12, 2), pack.ErrCount, "", 12},
		{"two blocks in three bytes", nil, u32(16, 2), pack.ErrCount, "", 16},
		{"huge block count", nil, u32(16, 0xffffffff), pack.ErrCount, "", 16},
		{"blocks of one sample", nil, u32(20, 1), pack.ErrRange, "", 20},
		{"blocks of four samples", nil, u32(20, 4), pack.ErrCount, "", 20},
		{"huge blocks", nil, u32(20, 0xffffffff), pack.ErrCount, "", 20},
		{"blocks of 2^16 samples", nil, u32(20, 1<<16), pack.ErrCount, "", 20},
		{"step 0", nil, f64(24, 0), pack.ErrRange, "", 24},
		{"step below 0", nil, f64(24, -1), pack.ErrRange, "", 24},
		{"step NaN", nil, f64(24, math.NaN()), pack.ErrRange, "", 24},
		{"step infinite", nil, f64(24, math.Inf(1)), pack.ErrRange, "", 24},
		{"cell 0", nil, f64(32, 0), pack.ErrRange, "", 32},
		{"cell NaN", nil, f64(32, math.NaN()), pack.ErrRange, "", 32},
		{"base NaN", nil, f64(40, math.NaN()), pack.ErrNonFinite, "", 40},
		{"rise infinite", nil, f64(48, math.Inf(-1)), pack.ErrNonFinite, "", 48},
		{"rotation units 0", nil, u32(56, 0), pack.ErrRange, "", 56},
		{"53 scale bits", nil, u32(60, 53), pack.ErrRange, "", 60},
		{"origin out of reach", nil, u32(68, 0x7fffffff), pack.ErrRange, "stream 4", starts[4]},
		{"stream 0 longer than the body", nil, u32(80, 0xffffffff), pack.ErrTruncated, "stream 0", 84},

		{"exponent 61", map[int]string{0: "03 01 7a"}, nil, pack.ErrRange, "stream 0, template 0", starts[0] + 2},
		{"exponent -61", map[int]string{0: "03 01 79"}, nil, pack.ErrRange, "stream 0, template 0", starts[0] + 2},
		{"four vertices of nine numbers", map[int]string{0: "04 01 03"}, nil, pack.ErrCount, "stream 0, template 0", starts[0]},
		{"two triangles of three corners", map[int]string{0: "03 02 03"}, nil, pack.ErrCount, "stream 0, template 0", starts[0]},
		{"varint without an end", map[int]string{0: "03 01 83"}, nil, pack.ErrTruncated, "stream 0, template 0", starts[0] + 2},
		{"template bytes left over", map[int]string{0: "03 01 03 00"}, nil, pack.ErrTrailing, "stream 0", ends[0]},
		{"vertex sum beyond 2^53", map[int]string{1: "00 84 80 80 80 80 80 80 20 07 00 00 00 00 00 08"}, nil, pack.ErrRange, "stream 1, template 0", starts[1] + 1},
		{"vertex varint of eleven bytes", map[int]string{1: "ff ff ff ff ff ff ff ff ff ff 01 08 07 00 00 00 00 00 08"}, nil, pack.ErrVarint, "stream 1, template 0", starts[1]},
		{"vertex bytes left over", map[int]string{1: "00 08 07 00 00 00 00 00 08 00"}, nil, pack.ErrTrailing, "stream 1", ends[1]},
		{"corner before the first", map[int]string{2: "01 00 00"}, nil, pack.ErrRange, "stream 2, template 0", starts[2]},
		{"corners use two vertices of three", map[int]string{2: "00 00 01"}, nil, pack.ErrCount, "stream 2, template 0", ends[2]},
		{"corners use three vertices of two", map[int]string{0: "02 01 03", 1: "00 08 00 00 00 00"}, nil, pack.ErrCount, "stream 2, template 0", starts[2] - 1},
		{"no instance where one is due", map[int]string{3: "00"}, nil, pack.ErrCount, "stream 3", ends[3]},
		{"two instances where one is due", map[int]string{3: "02"}, nil, pack.ErrCount, "stream 3", starts[3]},
		{"instance bytes left over", map[int]string{3: "01 00"}, nil, pack.ErrTrailing, "stream 3", ends[3]},
		{"two position numbers", map[int]string{4: "80 0c"}, nil, pack.ErrTruncated, "stream 4", starts[4]},
		{"position without an end", map[int]string{4: "80 0c 80"}, nil, pack.ErrTruncated, "stream 4", starts[4] + 2},
		{"position bytes left over", map[int]string{4: "80 0c 80 04 ff 07 00"}, nil, pack.ErrTrailing, "stream 4", ends[4]},
		{"code 5", map[int]string{5: "05"}, nil, pack.ErrRange, "stream 5", starts[5]},
		{"rotation beyond the units", map[int]string{6: "00 80 80 04 00"}, nil, pack.ErrRange, "stream 6", starts[6] + 1},
		{"rotation bytes left over", map[int]string{6: "00 fe ff 03 00 00"}, nil, pack.ErrTrailing, "stream 6", ends[6]},
		{"scale of a palette of one", map[int]string{7: "01 80 40 80 40 80 40 01"}, nil, pack.ErrRange, "stream 7", ends[7] - 1},
		{"palette of three in seven bytes", map[int]string{7: "03 80 40 80 40 80 40 00"}, nil, pack.ErrCount, "stream 7", starts[7]},
		{"huge palette", map[int]string{7: "ff ff ff ff ff ff ff ff ff 01 00"}, nil, pack.ErrCount, "stream 7", starts[7]},
		{"no palette", map[int]string{7: ""}, nil, pack.ErrTruncated, "stream 7", starts[7]},
		{"scale bytes left over", map[int]string{7: "01 80 40 80 40 80 40 00 00"}, nil, pack.ErrTrailing, "stream 7", ends[7]},
		{"matrix nobody has", map[int]string{8: "00"}, nil, pack.ErrTrailing, "stream 8", starts[8]},
		{"matrix missing", map[int]string{5: "04", 6: "", 7: "00"}, nil, pack.ErrTruncated, "stream 8", starts[8] - 5 - 7},
		{"matrix NaN", map[int]string{5: "04", 6: "", 7: "00", 8: "00 00 c0 7f" + strings.Repeat(" 00 00 00 00", 8)}, nil, pack.ErrNonFinite, "stream 8", starts[8] - 5 - 7},
		{"hole flag 2", map[int]string{9: "00 00 02"}, nil, pack.ErrRange, "stream 9", starts[9] + 2},
		{"block bytes left over", map[int]string{9: "00 00 01 00"}, nil, pack.ErrTrailing, "stream 9", ends[9]},
		{"sample above int32", map[int]string{10: "80 80 80 80 10 04 00 02 02 00 00 00 01"}, nil, pack.ErrRange, "stream 10", starts[10]},
		{"sample below int32", map[int]string{10: "81 80 80 80 10 04 00 02 02 00 00 00 01"}, nil, pack.ErrRange, "stream 10", starts[10]},
		{"residual of 64 bits", map[int]string{10: "fe ff ff ff ff ff ff ff ff 01 04 00 02 02 00 00 00 01"}, nil, pack.ErrRange, "stream 10", starts[10]},
		{"height bytes left over", map[int]string{10: "14 04 00 02 02 00 00 00 01 00"}, nil, pack.ErrTrailing, "stream 10", ends[10]},
		{"no hole list", map[int]string{11: ""}, nil, pack.ErrTruncated, "stream 11", starts[11]},
		{"bit after the last cell", map[int]string{11: "12"}, nil, pack.ErrRange, "stream 11", starts[11]},
		{"hole bytes left over", map[int]string{11: "02 00"}, nil, pack.ErrTrailing, "stream 11", ends[11]},
	} {
		t.Run(f.name, func(t *testing.T) {
			rec := Record{Name: "A", Body: body(t, f.streams, f.header), file: "x"}
			_, err := rec.Decode()
			var fe *pack.FormatError
			if !errors.Is(err, f.kind) || !errors.As(err, &fe) {
				t.Fatalf("%v, want %v", err, f.kind)
			}
			if fe.Item != f.item || fe.Offset != f.offset || fe.Section != "OCLZ" || fe.Zone != "A" {
				t.Errorf("%v; want item %q, byte %d", err, f.item, f.offset)
			}
		})
	}
	if _, err := (&Record{Body: body(t, nil, nil)}).Decode(); err != nil {
		t.Errorf("without a fault: %v", err)
	}
	if _, err := (&Record{Body: append(body(t, nil, nil), 0)}).Decode(); !errors.Is(err, pack.ErrTrailing) {
		t.Errorf("a byte after the body: %v", err)
	}
}

func TestFaultsOfAFile(t *testing.T) {
	good := workedFile(t)
	change := func(f func(b []byte) []byte) []byte { return f(slices.Clone(good)) }
	for _, c := range []struct {
		name string
		data []byte
		kind error
	}{
		{"empty", nil, pack.ErrTruncated},
		{"magic", change(func(b []byte) []byte { b[3] = 'Z'; return b }), pack.ErrMagic},
		{"version", change(func(b []byte) []byte { b[4] = 2; return b }), pack.ErrVersion},
		{"two scenes announced", change(func(b []byte) []byte { b[8] = 2; return b }), pack.ErrTruncated},
		{"2^32-1 scenes announced", change(func(b []byte) []byte { u32(8, 0xffffffff)(b); return b }), pack.ErrTruncated},
		{"no scene announced", change(func(b []byte) []byte { b[8] = 0; return b }), pack.ErrTrailing},
		{"name of no bytes", change(func(b []byte) []byte { b[12] = 0; return b }), pack.ErrLimit},
		{"name of 5000 bytes", change(func(b []byte) []byte { b[12], b[13] = 0x88, 0x13; return b }), pack.ErrLimit},
		{"name with NUL", change(func(b []byte) []byte { b[14] = 0; return b }), pack.ErrRange},
		{"name not UTF-8", change(func(b []byte) []byte { b[14] = 0xff; return b }), pack.ErrRange},
		{"body longer than the file", change(func(b []byte) []byte { b[15]++; return b }), pack.ErrTruncated},
		{"body shorter", change(func(b []byte) []byte { b[15]--; return b }), pack.ErrTrailing},
		{"byte at the end", append(slices.Clone(good), 0), pack.ErrTrailing},
	} {
		if _, err := Read("x", c.data); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v, want %v", c.name, err, c.kind)
		}
		if _, _, err := ReadZone("x", c.data, "A"); !errors.Is(err, c.kind) {
			t.Errorf("%s: zone: %v, want %v", c.name, err, c.kind)
		}
	}
}

// Of scenes with the same name the last one counts, and the bodies of others
// are not looked at.
func TestZoneOfRepeatedName(t *testing.T) {
	first, second := workedScene(), workedScene()
	second.Instances[0].Pos[0] = 5
	data, err := Append(nil, []Named{{"A", first}, {"B", first}, {"A", second}})
	if err != nil {
		t.Fatal(err)
	}
	records, err := Scan("", data)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{false, true, true} {
		if records[i].Wins != want {
			t.Errorf("record %d wins: %v", i, records[i].Wins)
		}
	}
	clear(records[0].Body) // breaks the file's first two bodies
	clear(records[1].Body)
	s, found, err := ReadZone("", data, "A")
	if err != nil || !found || s.Instances[0].Pos[0] != 5 {
		t.Errorf("found %v, %v", found, err)
	}
	if _, _, err := ReadZone("", data, "B"); !errors.Is(err, pack.ErrMagic) {
		t.Errorf("zone B: %v", err)
	}
	if s, found, err := ReadZone("", data, "C"); s != nil || found || err != nil {
		t.Errorf("zone C: found %v, %v", found, err)
	}
}
