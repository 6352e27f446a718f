package bnvf

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"reflect"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"wend/pack"
	"wend/pack/bnav"
)

func tContext(t tb) context.Context { return t.(interface{ Context() context.Context }).Context() }

// Random sidecars, optional sections present, empty or absent.
func TestRandomSidecars(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{0, 2, 7, 30})
		main := makeMain(t, [2][]int{{n.Draw(t, "records"), n.Draw(t, "records")}, {n.Draw(t, "records")}})
		level := bnav.Level(rapid.IntRange(0, 10).Draw(t, "level"))
		c, cols := drawContent(t, main, level)
		one, err := Encode(t.Context(), c, main, &EncodeOptions{Level: level, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		f, err := Load(t.Context(), one, main, &Options{Workers: rapid.IntRange(1, 4).Draw(t, "workers")})
		if err != nil {
			t.Fatal(err)
		}
		got := &Content{}
		var dec ColumnDecoder
		for zi := range f.Zones {
			z := NewZone{Name: f.Zones[zi].Name, GlobalRegions: f.Zones[zi].GlobalRegions, Tiles: c.Zones[zi].Tiles}
			for k := range f.Zones[zi].Tiles() {
				var col Columns
				if err := dec.Decode(f, zi, k, &col); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(cols[zi][k], col, cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("columns (-want +got):\n%s", diff)
				}
			}
			g, err := f.Graphs(zi)
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range g.Regions() {
				r, _ := g.Region(id)
				z.Graphs = append(z.Graphs, r)
			}
			w, err := f.Walls(zi)
			if err != nil {
				t.Fatal(err)
			}
			for i := range w.Len() {
				z.Walls = append(z.Walls, w.At(i))
			}
			got.Zones = append(got.Zones, z)
		}
		got.Extra = f.Extra
		if f.HasLandings {
			got.Landings = f.Landings
		}
		if f.HasOpenings {
			for _, z := range f.OpeningZones {
				for _, o := range f.ZoneOpenings(z.ZoneID) {
					got.Openings = append(got.Openings, NewOpening{z.ZoneID, o})
				}
			}
		}
		if diff := cmp.Diff(c, got, cmpopts.EquateEmpty()); diff != "" || f.HasLandings != (c.Landings != nil) || f.HasOpenings != (c.Openings != nil) {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		two, err := Encode(t.Context(), got, main, &EncodeOptions{Level: level, Workers: 4})
		if err != nil {
			t.Fatal(err)
		}
		if f.HasLandings == (got.Landings != nil) && f.HasOpenings == (got.Openings != nil) && !bytes.Equal(one, two) {
			t.Fatal("written, read and written again: other bytes")
		}
		for gz := range main.Grid.Zones {
			checkMerge(t, main, f, c, cols[gz], gz)
		}
	})
}

// checkMerge merges records and columns by hand and compares.
func checkMerge(t *rapid.T, main *bnav.Pack, f *Fields, c *Content, cols []Columns, gz int) {
	win := bnav.Window{GX0: rapid.Int32Range(-2, 8).Draw(t, "x"), GY0: rapid.Int32Range(-2, 3).Draw(t, "y"), NX: rapid.Int32Range(1, 9).Draw(t, "nx"), NY: rapid.Int32Range(1, 5).Draw(t, "ny")}
	want := &Window{}
	for k := range main.Grid.Zones[gz].Tiles {
		tile := &main.Grid.Zones[gz].Tiles[k]
		for i, r := range records(t, main, gz, k) {
			gx, gy := tile.GX0+r.Cell%tile.NX, tile.GY0+r.Cell/tile.NX
			if gx < win.GX0 || gy < win.GY0 || gx >= win.GX0+win.NX || gy >= win.GY0+win.NY {
				continue
			}
			col := &cols[k]
			r.Clr -= col.ClrDrop[i]
			if r.Flags&bnav.Core == 0 {
				for _, o := range c.Openings {
					if o.ZoneID == main.Table[gz].ID && o.GX == gx && o.GY == gy && math.Float32bits(o.H) == math.Float32bits(r.H) {
						r.Flags |= o.Flags
						r.Clr = max(r.Clr, o.Clr)
						break
					}
				}
			}
			r.Cell = (gy-win.GY0)*win.NX + gx - win.GX0
			want.Records = append(want.Records, r)
			want.Component = append(want.Component, col.Component[i])
			want.Steps2 = append(want.Steps2, col.StepsXor[i]^r.Steps)
			want.Seg = append(want.Seg, col.Seg[i]|col.Medial[i]<<7)
			want.Tax = append(want.Tax, col.Tax[i])
		}
	}
	for workers := 1; workers <= 3; workers++ {
		got, err := f.Window(t.Context(), gz, win, workers)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("zone %d, %+v (-want +got):\n%s", gz, win, diff)
		}
	}
}

func TestRejudge(t *testing.T) {
	for steps := range 256 {
		for steps2 := range 256 {
			want := 0
			for i := range 4 {
				if steps>>(2*i)&3 != 0 {
					want |= steps2 & (3 << (2 * i))
				}
			}
			if got := Rejudge(uint8(steps), uint8(steps2)); got != uint8(want) {
				t.Fatalf("Rejudge(%#02x, %#02x) = %#02x, want %#02x", steps, steps2, got, want)
			}
		}
	}
}

// use reads everything a sidecar has.
func use(ctx context.Context, data []byte, main *bnav.Pack) error {
	f, err := Load(ctx, data, main, &Options{Workers: 1})
	if err != nil {
		return err
	}
	for gz := range main.Grid.Zones {
		if _, err := f.Window(ctx, gz, bnav.Window{GX0: 0, GY0: 0, NX: 50, NY: 50}, 1); err != nil {
			return err
		}
	}
	return nil
}

func checkError(t *testing.T, size int, err error) {
	t.Helper()
	var fe *pack.FormatError
	if err != nil && (!errors.As(err, &fe) || fe.Section == "" || fe.File == "" || pack.Kind(err) == "" || fe.Offset < 0 || fe.Offset > int64(size)) {
		t.Fatalf("not a proper error: %#v", err)
	}
}

// Every cut and every flipped bit of a small sidecar: an error that says
// where, or fields with another value.
func TestCutsAndFlips(t *testing.T) {
	levels := []bnav.Level{0}
	if os.Getenv("WEND_LONG") != "" {
		levels = append(levels, 1)
	}
	for _, level := range levels {
		main, data := tiny(t, level)
		if err := use(t.Context(), data, main); err != nil {
			t.Fatal(err)
		}
		for n := range data {
			err := use(t.Context(), data[:n], main)
			if err == nil {
				t.Fatalf("%d of %d bytes: no error", n, len(data))
			}
			checkError(t, n, err)
		}
		silent, worst := 0, uint64(0)
		var before, after runtime.MemStats
		for i := range data {
			runtime.ReadMemStats(&before)
			for bit := range 8 {
				data[i] ^= 1 << bit
				err := use(t.Context(), data, main)
				data[i] ^= 1 << bit
				checkError(t, len(data), err)
				if err == nil {
					silent++
				}
			}
			runtime.ReadMemStats(&after)
			worst = max(worst, (after.TotalAlloc-before.TotalAlloc)/8)
		}
		if bound := 16384*uint64(len(data)) + 4<<20; worst > bound {
			t.Errorf("a byte's flips took %d bytes each, want at most %d", worst, bound)
		}
		t.Logf("level %d: %d bytes, %d of %d flips give a sidecar, at most %d bytes allocated", level, len(data), silent, 8*len(data), worst)
	}
}

// Worked bytes of the columns, a graph and a table of walls.
func TestWorkedBytes(t *testing.T) {
	enc, _ := NewColumnEncoder(1)
	payload, err := enc.Encode(&Columns{Component: []uint32{1, 2, 1}, StepsXor: make([]uint8, 3), Seg: make([]uint8, 3), Tax: make([]uint8, 3), ClrDrop: []uint16{0, 13, 0}, Medial: make([]uint8, 3)})
	if err != nil {
		t.Fatal(err)
	}
	var inf pack.Inflater
	split := func(r *pack.Reader, n int) (out [][]byte) {
		for range n {
			out = append(out, r.Stream(&inf, nil, 100))
		}
		if r.Done() != nil {
			t.Fatal(r.Err())
		}
		return out
	}
	r := pack.NewReader(pack.Where{}, payload, 0)
	if n := r.Uvarint(); n != 3 {
		t.Errorf("%d records", n)
	}
	cols := split(r, 6)
	if !bytes.Equal(cols[0], []byte{2, 2, 1}) || !bytes.Equal(cols[4], []byte{0, 13, 0}) {
		t.Errorf("columns % x", cols)
	}
	d, _ := pack.NewDeflater(1)
	r = pack.NewReader(pack.Where{}, encodeGraphs(d, []RegionGraph{{7, 3, []Edge{{1, 2}, {1, 3}, {2, 3}}}}), 0)
	if head := r.Bytes(4); !bytes.Equal(head, []byte{1, 7, 3, 3}) {
		t.Errorf("head of a graph % x", head)
	}
	if edges := split(r, 1); !bytes.Equal(edges[0], []byte{1, 2, 0, 3, 1, 3}) {
		t.Errorf("edges % x", edges)
	}
	r = pack.NewReader(pack.Where{}, encodeWalls(d, []Wall{{1, []uint32{7}}, {14, []uint32{3, 7}}}), 0)
	if n := r.Uvarint(); n != 2 {
		t.Errorf("%d walls", n)
	}
	if s := split(r, 2); !bytes.Equal(s[0], []byte{1, 13}) || !bytes.Equal(s[1], []byte{1, 7, 2, 3, 4}) {
		t.Errorf("walls % x", s)
	}
}

// What a reader would refuse, the writer refuses.
func TestWriterRefuses(t *testing.T) {
	main := makeMain(t, [2][]int{{9}, {5}})
	good := func() *Content {
		c := &Content{}
		enc, _ := NewColumnEncoder(0)
		for zi := range main.Grid.Zones {
			gz := &main.Grid.Zones[zi]
			n := int(gz.Tiles[0].Records)
			col := &Columns{make([]uint32, n), make([]uint8, n), make([]uint8, n), make([]uint8, n), make([]uint16, n), make([]uint8, n)}
			payload, err := enc.Encode(col)
			if err != nil {
				t.Fatal(err)
			}
			c.Zones = append(c.Zones, NewZone{Name: gz.Name, GlobalRegions: gz.GlobalRegions, Tiles: []NewTile{{uint32(n), payload}}})
		}
		return c
	}
	if _, err := Encode(t.Context(), good(), main, nil); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		spoil func(c *Content)
		want  error
	}{
		"zone missing":       {func(c *Content) { c.Zones = c.Zones[:1] }, pack.ErrPairing},
		"zone twice":         {func(c *Content) { c.Zones = append(c.Zones, c.Zones[0]) }, pack.ErrDuplicate},
		"foreign zone":       {func(c *Content) { c.Zones = append(c.Zones, NewZone{Name: "moon"}) }, pack.ErrPairing},
		"tile missing":       {func(c *Content) { c.Zones[1].Tiles = nil }, pack.ErrPairing},
		"record count":       {func(c *Content) { c.Zones[0].Tiles[0].Records-- }, pack.ErrPairing},
		"region count":       {func(c *Content) { c.Zones[0].GlobalRegions++ }, pack.ErrPairing},
		"graph twice":        {func(c *Content) { c.Zones[0].Graphs = []RegionGraph{{1, 1, nil}, {1, 1, nil}} }, pack.ErrDuplicate},
		"graph unknown":      {func(c *Content) { c.Zones[0].Graphs = []RegionGraph{{3, 1, nil}} }, pack.ErrRange},
		"no component":       {func(c *Content) { c.Zones[0].Graphs = []RegionGraph{{1, 0, nil}} }, pack.ErrRange},
		"many components":    {func(c *Content) { c.Zones[0].Graphs = []RegionGraph{{1, 10, nil}} }, pack.ErrLimit},
		"edge out":           {func(c *Content) { c.Zones[0].Graphs = []RegionGraph{{1, 2, []Edge{{1, 3}}}} }, pack.ErrRange},
		"edge back":          {func(c *Content) { c.Zones[0].Graphs = []RegionGraph{{1, 3, []Edge{{2, 3}, {1, 2}}}} }, pack.ErrRange},
		"edge order":         {func(c *Content) { c.Zones[0].Graphs = []RegionGraph{{1, 3, []Edge{{1, 3}, {1, 2}}}} }, pack.ErrOrder},
		"edge to itself":     {func(c *Content) { c.Zones[0].Graphs = []RegionGraph{{1, 3, []Edge{{2, 2}}}} }, pack.ErrOrder},
		"wall out":           {func(c *Content) { c.Zones[0].Walls = []Wall{{6, nil}} }, pack.ErrRange},
		"wall twice":         {func(c *Content) { c.Zones[0].Walls = []Wall{{5, nil}, {5, nil}} }, pack.ErrOrder},
		"wall region":        {func(c *Content) { c.Zones[0].Walls = []Wall{{5, []uint32{3}}} }, pack.ErrRange},
		"wall region twice":  {func(c *Content) { c.Zones[0].Walls = []Wall{{5, []uint32{1, 1}}} }, pack.ErrOrder},
		"landing zone":       {func(c *Content) { c.Landings = []Landing{{ZoneID: 9}} }, pack.ErrRange},
		"landing link":       {func(c *Content) { c.Landings = []Landing{{ZoneID: 4, OffMesh: 3, Valid: 3}} }, pack.ErrRange},
		"landing twice":      {func(c *Content) { c.Landings = []Landing{{ZoneID: 4, Valid: 3}, {ZoneID: 4, Valid: 3}} }, pack.ErrOrder},
		"landing validity":   {func(c *Content) { c.Landings = []Landing{{ZoneID: 4, Valid: 1}} }, pack.ErrRange},
		"landing validity 4": {func(c *Content) { c.Landings = []Landing{{ZoneID: 4, Valid: 7}} }, pack.ErrRange},
		"landing flags":      {func(c *Content) { c.Landings = []Landing{{ZoneID: 4, Valid: 3, Lo: Side{Flags: 32}}} }, pack.ErrRange},
		"landing region":     {func(c *Content) { c.Landings = []Landing{{ZoneID: 4, Valid: 3, Hi: Side{Region: 3}}} }, pack.ErrRange},
		"landing reason":     {func(c *Content) { c.Landings = []Landing{{ZoneID: 4, Valid: 1, Hi: Side{Why: 5}}} }, pack.ErrRange},
		"landing height":     {func(c *Content) { c.Landings = []Landing{{ZoneID: 4, Valid: 3, Hi: Side{H: float32(math.NaN())}}} }, pack.ErrNonFinite},
		"opening twice":      {func(c *Content) { c.Openings = []NewOpening{{4, Opening{}}, {4, Opening{Clr: 1}}} }, pack.ErrDuplicate},
		"opening flags":      {func(c *Content) { c.Openings = []NewOpening{{4, Opening{Flags: 64}}} }, pack.ErrRange},
		"opening source":     {func(c *Content) { c.Openings = []NewOpening{{4, Opening{Src: 4}}} }, pack.ErrRange},
		"opening height":     {func(c *Content) { c.Openings = []NewOpening{{4, Opening{H: float32(math.Inf(1))}}} }, pack.ErrNonFinite},
	} {
		c := good()
		tc.spoil(c)
		if _, err := Encode(t.Context(), c, main, nil); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", name, err, tc.want)
		}
	}
}

// A sidecar computed with other constants is refused, and taken where the main
// pack declares them.
func TestProfiles(t *testing.T) {
	main, data := tiny(t, 0)
	f, err := Load(t.Context(), data, main, nil)
	if err != nil {
		t.Fatal(err)
	}
	tall := *main
	tall.Profile = &bnav.Profile{Profile: pack.ReferenceProfile(), Name: "tall"}
	tall.Profile.Climb = 4.5
	if _, err := Load(t.Context(), data, &tall, nil); !errors.Is(err, pack.ErrRules) {
		t.Errorf("reference sidecar, declared profile: %v", err)
	}
	other, err := Encode(t.Context(), reencode(t, main, f, 0), &tall, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Load(t.Context(), other, main, nil); !errors.Is(err, pack.ErrRules) {
		t.Errorf("declared sidecar, no declaration: %v", err)
	}
	g, err := Load(t.Context(), other, &tall, nil)
	if err != nil || g.Profile.Climb != 4.5 || !reflect.DeepEqual(f.Zones[0].Name, g.Zones[0].Name) {
		t.Errorf("declared sidecar and declaration: %v", err)
	}
}
