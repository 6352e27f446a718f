package detour_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/navmesh"
	"wend/navmesh/detour"
)

var peerFiles = []struct {
	name         string
	tiles, polys int
}{
	{"nav_test_tiled.bin", 34, 220},
	{"nav_test_solo.bin", 1, 155},
	{"dungeon_tiled.bin", 24, 129},
}

func readPeer(tb testing.TB, name string) ([]byte, navmesh.Params, []navmesh.Tile) {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join(wendtest.Data(tb, "navmesh"), name))
	if err != nil {
		tb.Fatal(err)
	}
	p, tiles, err := detour.Read(data, name)
	if err != nil {
		tb.Fatal(err)
	}
	return data, p, tiles
}

// TestPeerFiles reads files that RecastDemo's code saved and writes them again.
// The bytes have to be the same, but for what Detour fills in while it runs:
// links and the first link of each polygon.
func TestPeerFiles(t *testing.T) {
	for _, f := range peerFiles {
		t.Run(f.name, func(t *testing.T) {
			data, p, tiles := readPeer(t, f.name)
			polys := 0
			for i := range tiles {
				polys += len(tiles[i].Polys)
			}
			if len(tiles) != f.tiles || polys != f.polys {
				t.Errorf("%d tiles, %d polygons; want %d, %d", len(tiles), polys, f.tiles, f.polys)
			}
			var out bytes.Buffer
			if err := detour.Write(&out, p, tiles); err != nil {
				t.Fatal(err)
			}
			blankLinks(data)
			if !bytes.Equal(out.Bytes(), data) {
				t.Errorf("differs first at byte %d (%d bytes, want %d)", firstDiff(out.Bytes(), data), out.Len(), len(data))
			}
		})
	}
}

// blankLinks clears what Detour computes while it runs.
func blankLinks(file []byte) {
	le := binary.LittleEndian
	n := le.Uint32(file[8:])
	at := 40
	for range n {
		size := int(le.Uint32(file[at+4:]))
		tile := file[at+8:][:size]
		polys, verts, links := int(le.Uint32(tile[24:])), int(le.Uint32(tile[28:])), int(le.Uint32(tile[32:]))
		p := 100 + 12*verts
		for range polys {
			clear(tile[p : p+4])
			p += 32
		}
		clear(tile[p : p+12*links])
		at += 8 + size
	}
}

func firstDiff(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// small is a mesh with everything the format holds: two tiles, detail, a
// bounding volume tree, off-mesh connections with and without a cost.
func small() (navmesh.Params, []navmesh.Tile) {
	tile := func(x int32) navmesh.Tile {
		x0 := float32(x) * 10
		t := navmesh.Tile{
			X: x, Z: -3, Layer: 1, UserID: 0xfedcba98,
			AgentHeight: 2, AgentRadius: 0.6, AgentClimb: 0.9, BVQuant: 4,
			Bounds: [2]geom.Vec3f{{X: x0, Y: -1}, {X: x0 + 10, Y: 5, Z: 10}},
			Verts: []geom.Vec3f{
				{X: x0},
				{X: x0, Z: 10},
				{X: x0 + 10, Z: 10},
				{X: x0 + 10},
				{X: x0 + 1, Y: 0.1, Z: 1},
				{X: x0 + 25, Z: 3},
				{X: x0 + 2, Z: 1},
				{X: x0 + 8, Z: 8},
			},
			Polys: []navmesh.TilePoly{
				{Verts: [6]uint16{0, 1, 2}, Neis: [6]uint16{navmesh.External | 4, navmesh.External | 2, 2}, Count: 3, Flags: 1, Area: 63},
				{Verts: [6]uint16{0, 2, 3}, Neis: [6]uint16{1, navmesh.External, 0}, Count: 3, Flags: 0x8001, Area: 5},
				{Verts: [6]uint16{4, 5}, Count: 2, Flags: 3, Area: 7, Kind: navmesh.KindOffMesh},
				{Verts: [6]uint16{6, 7}, Count: 2, Flags: 1, Kind: navmesh.KindOffMesh},
			},
			DetailSubs: []navmesh.DetailSub{
				{VertBase: 0, VertCount: 1, TriBase: 0, TriCount: 3},
				{VertBase: 1, TriBase: 3, TriCount: 1},
			},
			DetailVerts: []geom.Vec3f{{X: x0 + 3, Y: 0.5, Z: 6}},
			DetailTris: []navmesh.DetailTri{
				{V: [3]uint8{0, 1, 3}, Flags: 1},
				{V: [3]uint8{1, 2, 3}, Flags: 1},
				{V: [3]uint8{2, 0, 3}, Flags: 1},
				{V: [3]uint8{0, 1, 2}, Flags: 0b010101},
			},
			OffMesh: []navmesh.OffMesh{
				{From: geom.Vec3f{X: x0 + 1, Y: 0.1, Z: 1}, To: geom.Vec3f{X: x0 + 25, Z: 3}, Radius: 0.5, Poly: 2, BothWays: true, Side: 0, UserID: 77, Cost: 3.25},
				{From: geom.Vec3f{X: x0 + 2, Z: 1}, To: geom.Vec3f{X: x0 + 8, Z: 8}, Radius: 0.25, Poly: 3, Side: navmesh.InsideTile},
			},
		}
		navmesh.BuildBV(&t)
		return t
	}
	return navmesh.Params{TileWidth: 10, TileDepth: 10, MaxTiles: 2, MaxPolys: 16}, []navmesh.Tile{tile(0), tile(1)}
}

func smallFile(tb testing.TB) []byte {
	tb.Helper()
	p, tiles := small()
	var out bytes.Buffer
	if err := detour.Write(&out, p, tiles); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

func TestRoundTrip(t *testing.T) {
	p, tiles := small()
	gotP, got, err := detour.Read(smallFile(t), "")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(p, gotP); d != "" {
		t.Errorf("params (-want +got):\n%s", d)
	}
	if d := cmp.Diff(tiles, got); d != "" {
		t.Errorf("tiles (-want +got):\n%s", d)
	}
	m, _, err := navmesh.New(gotP, got)
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := navmesh.New(p, tiles)
	if err != nil {
		t.Fatal(err)
	}
	if m.Fingerprint() != want.Fingerprint() {
		t.Error("the fingerprint changed on the way through a file")
	}
}

// TestWriteFills checks what Write chooses by itself: the limits, references
// and the detail of a tile without.
func TestWriteFills(t *testing.T) {
	_, tiles := small()
	tiles[0].DetailSubs, tiles[0].DetailTris, tiles[0].DetailVerts = nil, nil, nil
	tiles[1].X = 4 // a grid of five
	var out bytes.Buffer
	if err := detour.Write(&out, navmesh.Params{TileWidth: 10, TileDepth: 10}, tiles); err != nil {
		t.Fatal(err)
	}
	p, got, err := detour.Read(out.Bytes(), "")
	if err != nil {
		t.Fatal(err)
	}
	if p.MaxTiles != 8 || p.MaxPolys != 1<<19 {
		t.Errorf("room for %d tiles of %d polygons, want 8 of %d", p.MaxTiles, p.MaxPolys, 1<<19)
	}
	if ref := binary.LittleEndian.Uint32(out.Bytes()[40:]); ref != 1<<22 {
		t.Errorf("reference of the first tile 0x%x, want 0x400000", ref)
	}
	want := []navmesh.DetailTri{{V: [3]uint8{0, 1, 2}, Flags: 0b010101}, {V: [3]uint8{0, 1, 2}, Flags: 0b010101}}
	if d := cmp.Diff(want, got[0].DetailTris); d != "" {
		t.Errorf("triangles of the first tile (-want +got):\n%s", d)
	}
	one := tiles[:1]
	out.Reset()
	if err := detour.Write(&out, navmesh.Params{TileWidth: 10, TileDepth: 10}, one); err != nil {
		t.Fatal(err)
	}
	if p, _, _ := detour.Read(out.Bytes(), ""); p.MaxTiles != 1 || p.MaxPolys != 4 {
		t.Errorf("one tile: room for %d tiles of %d polygons, want 1 of 4", p.MaxTiles, p.MaxPolys)
	}
}

func TestWriteRefuses(t *testing.T) {
	p, tiles := small()
	for _, c := range []struct {
		name   string
		change func(*navmesh.Params, []navmesh.Tile)
		limit  bool
		want   string
	}{
		{"too many tiles", func(p *navmesh.Params, _ []navmesh.Tile) { p.MaxTiles = 1 }, true, "2 tiles"},
		{"too many polygons", func(p *navmesh.Params, _ []navmesh.Tile) { p.MaxPolys = 3 }, true, "up to 4 polygons"},
		{"references too wide", func(p *navmesh.Params, _ []navmesh.Tile) { p.MaxTiles, p.MaxPolys = 1<<12, 1<<11 }, true, "23 bits"},
		{"broken tile", func(_ *navmesh.Params, ts []navmesh.Tile) { ts[1].OffMesh[0].Poly = 9 }, false, "tile 1: OffMesh.Poly[0]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, ts := p, []navmesh.Tile{tiles[0], tiles[1]}
			ts[1].OffMesh = append([]navmesh.OffMesh(nil), ts[1].OffMesh...)
			c.change(&p, ts)
			var out bytes.Buffer
			err := detour.Write(&out, p, ts)
			if err == nil || errors.Is(err, detour.ErrLimit) != c.limit || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q in it", err, c.want)
			}
			if out.Len() > 0 {
				t.Errorf("%d bytes were written", out.Len())
			}
		})
	}
	full := errors.New("disk full")
	if err := detour.Write(failing{full}, p, tiles); !errors.Is(err, full) {
		t.Errorf("a full disk: got %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestReadRefuses(t *testing.T) {
	good := smallFile(t)
	put := func(at int, v uint32) []byte {
		b := bytes.Clone(good)
		binary.LittleEndian.PutUint32(b[at:], v)
		return b
	}
	const tile = 48 // the first tile's data
	for _, c := range []struct {
		name string
		data []byte
		is   error
		want string
	}{
		{"empty", nil, detour.ErrTruncated, "x.bin: set header at byte 0"},
		{"another kind of file", []byte("solid cube\nfacet"), detour.ErrMagic, "want 0x4d534554"},
		{"tile cache", put(0, 0x54534554), detour.ErrMagic, "tile cache"},
		{"bare tile", good[tile:], detour.ErrMagic, "bare tile"},
		{"most significant byte first", put(0, 0x5445534d), detour.ErrByteOrder, "MSET"},
		{"later set version", put(4, 2), detour.ErrVersion, "set version 2, want 1"},
		{"negative number of tiles", put(8, math.MaxUint32), detour.ErrCorrupt, "-1 tiles"},
		{"more tiles than there are", put(8, 3), detour.ErrTruncated, "tile 2: entry"},
		{"fewer tiles than there are", put(8, 1), detour.ErrCorrupt, "behind the last of 1 tiles"},
		{"tile without reference", put(40, 0), detour.ErrCorrupt, "tile 0: entry at byte 40"},
		{"huge tile", put(44, math.MaxInt32), detour.ErrTruncated, "2147483647 bytes"},
		{"negative tile size", put(44, 1<<31), detour.ErrCorrupt, "tile 0: entry"},
		{"tile magic", put(tile, 7), detour.ErrMagic, "tile 0: header at byte 48"},
		{"tile version", put(tile+4, 6), detour.ErrVersion, "tile version 6, want 7"},
		{"negative count", put(tile+24, 1<<31), detour.ErrCorrupt, "negative count"},
		{"counts beyond the size", put(tile+24, 1<<30), detour.ErrCorrupt, "from number"},
		{"more vertices", put(tile+28, 1<<30), detour.ErrCorrupt, "its counts make"},
		{"off-mesh base", put(tile+56, 1), detour.ErrCorrupt, "from number 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := detour.Read(c.data, "x.bin")
			var fe *detour.FormatError
			if !errors.As(err, &fe) || !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %v with %q in it", err, c.is, c.want)
			}
		})
	}
}

// TestDamage cuts a file at every byte and flips every bit of it. Whatever
// Read and New let pass has to answer queries.
func TestDamage(t *testing.T) {
	good := smallFile(t)
	for n := range good {
		if _, _, err := detour.Read(good[:n], ""); err == nil {
			t.Fatalf("the first %d of %d bytes were taken for a file", n, len(good))
		}
	}
	passed := 0
	for bit := range 8 * len(good) {
		b := bytes.Clone(good)
		b[bit/8] ^= 1 << (bit % 8)
		if tryFile(t, b) {
			passed++
		}
	}
	if passed == 0 {
		t.Error("no flipped bit left a usable file: the check is too blunt to tell")
	}
}

// tryFile reads data and uses the mesh, if it is one.
func tryFile(t *testing.T, data []byte) bool {
	t.Helper()
	p, tiles, err := detour.Read(data, "")
	if err != nil {
		var fe *detour.FormatError
		if !errors.As(err, &fe) {
			t.Fatalf("not a FormatError: %v", err)
		}
		return false
	}
	m, a, err := navmesh.New(p, tiles)
	if err != nil {
		var te *navmesh.TileError
		if !errors.As(err, &te) {
			t.Fatalf("not a TileError: %v", err)
		}
		return false
	}
	for _, u := range a.Unattached {
		if u.Cause == 0 {
			t.Fatalf("no cause: %v", u)
		}
	}
	q := m.NewQuery()
	r, err := q.Nearest(geom.V3(3, 0, 4), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Found && !(r.MissDistance >= 0) {
		t.Fatalf("a miss at distance %v", r.MissDistance)
	}
	for id := range navmesh.PolyID(m.Len()) {
		for n := range m.Poly(id).Neighbours() {
			if !m.CanReach(id, n.Poly) {
				t.Fatalf("polygon %d leads to %d but cannot reach it", id, n.Poly)
			}
		}
	}
	return true
}

func FuzzRead(f *testing.F) {
	f.Add(smallFile(f))
	f.Add(smallFile(f)[:300])
	p, tiles := small()
	var out bytes.Buffer
	if err := detour.Write(&out, p, tiles[1:]); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		if !tryFile(t, data) {
			return
		}
		// What is a mesh can be written and comes back the same.
		p, tiles, _ := detour.Read(data, "")
		var out bytes.Buffer
		if err := detour.Write(&out, p, tiles); err != nil {
			if errors.Is(err, detour.ErrLimit) {
				return
			}
			t.Fatal(err)
		}
		q, again, err := detour.Read(out.Bytes(), "")
		if err != nil {
			t.Fatal(err)
		}
		a, _, err := navmesh.New(p, tiles)
		if err != nil {
			t.Fatal(err)
		}
		b, _, err := navmesh.New(q, again)
		if err != nil {
			t.Fatal(err)
		}
		if p.MaxTiles|p.MaxPolys != 0 && a.Fingerprint() != b.Fingerprint() && hasDetail(tiles) {
			t.Fatal("a different mesh came back")
		}
	})
}

// hasDetail says whether Write has nothing to add to the tiles.
func hasDetail(tiles []navmesh.Tile) bool {
	for i := range tiles {
		if len(tiles[i].DetailSubs) == 0 {
			return false
		}
	}
	return true
}

func BenchmarkRead(b *testing.B) {
	data, _, _ := readPeer(b, "nav_test_tiled.bin")
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := detour.Read(data, ""); err != nil {
			b.Fatal(err)
		}
	}
}
