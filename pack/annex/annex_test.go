package annex

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"wend/pack"
	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// tb is what *testing.T and *rapid.T have in common here.
type tb interface {
	Helper()
	Fatal(args ...any)
}

// world is a main pack and a fields pack with what they were made of.
type world struct {
	content bnav.Content
	records [][][]bnav.Record // of each zone and tile
	fields  bnvf.Content
}

// newWorld makes the content of two packs of two zones and a tier, with the
// records of each tile. Tiles are 6 x 5 cells side by side, with a margin on
// the right.
func newWorld(t tb, records [][][]bnav.Record) *world {
	t.Helper()
	w := &world{records: records}
	w.content = bnav.Content{
		Zones: []bnav.Zone{
			{ID: 4, Name: "yard", SX: 1, SY: 1, FloorY: bnav.NoFloor},
			{ID: 2, Name: "roof", SX: 1, SY: 1, FloorY: bnav.NoFloor},
			{ID: 9, Name: "plan", Flags: bnav.TierFlag, Components: 4, FloorY: 3},
		},
		Links: []bnav.Link{{}},
	}
	enc, err := bnav.NewTileEncoder(1)
	if err != nil {
		t.Fatal(err)
	}
	cols, err := bnvf.NewColumnEncoder(1)
	if err != nil {
		t.Fatal(err)
	}
	var zones []bnav.NewZone
	for zi, tiles := range records {
		z := bnav.NewZone{Name: w.content.Zones[zi].Name}
		f := bnvf.NewZone{Name: z.Name}
		total := 0
		for k, recs := range tiles {
			payload, err := enc.Encode(recs, 6, 5)
			if err != nil {
				t.Fatal(err)
			}
			n := len(recs)
			total += n
			z.Tiles = append(z.Tiles, bnav.NewTile{Tile: bnav.Tile{GX0: int32(5*k) - 7, GY0: -2, NX: 6, NY: 5, PX1: 4, PY1: 4, Records: uint32(n)}, Payload: payload})
			payload, err = cols.Encode(&bnvf.Columns{
				Component: make([]uint32, n), StepsXor: make([]uint8, n), Seg: make([]uint8, n), Tax: make([]uint8, n), ClrDrop: make([]uint16, n), Medial: make([]uint8, n),
			})
			if err != nil {
				t.Fatal(err)
			}
			f.Tiles = append(f.Tiles, bnvf.NewTile{Records: uint32(n), Payload: payload})
		}
		z.GlobalRegions = uint32(min(total, 4))
		f.GlobalRegions = z.GlobalRegions
		zones = append(zones, z)
		w.fields.Zones = append(w.fields.Zones, f)
	}
	if w.content.Grid, err = bnav.NewGrid(2, 0, zones); err != nil {
		t.Fatal(err)
	}
	return w
}

// load writes both packs and reads them, whole or one zone of the main pack.
func (w *world) load(ctx context.Context, t tb, zone string) (*bnav.Pack, *bnvf.Fields) {
	t.Helper()
	data, _, err := bnav.Encode(ctx, &w.content, &bnav.EncodeOptions{Level: 1, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	p, err := bnav.Load(ctx, data, nil)
	if err != nil {
		t.Fatal(err)
	}
	side, err := bnvf.Encode(ctx, &w.fields, p, &bnvf.EncodeOptions{Level: 1, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if zone != "" {
		if p, err = bnav.LoadZone(ctx, data, zone, nil); err != nil {
			t.Fatal(err)
		}
	}
	f, err := bnvf.Load(ctx, side, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p, f
}

func drawWorld(t *rapid.T) *world {
	records := make([][][]bnav.Record, 2)
	for zi := range records {
		for range rapid.IntRange(0, 3).Draw(t, "tiles") {
			var recs []bnav.Record
			for cell := range int32(30) {
				for range rapid.SampledFrom([]int{0, 0, 0, 1, 1, 2}).Draw(t, "depth") {
					r := bnav.Record{Cell: cell, Region: 1, H: float32(rapid.Int32Range(-5000, 5000).Draw(t, "height")) / 64, Flags: rapid.Uint8Range(0, bnav.AllFlags).Draw(t, "flags")}
					if r.Flags&bnav.Fill != 0 {
						r.H = 0
					}
					recs = append(recs, r)
				}
			}
			bnav.SortRecords(recs)
			records[zi] = append(records[zi], recs)
		}
	}
	return newWorld(t, records)
}

func add(t tb, list *[]pack.Extra) func(e pack.Extra, err error) {
	return func(e pack.Extra, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		*list = append(*list, e)
	}
}

// Bounds against a plain walk over the records that tiles own.
func TestBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		b, err := ComputeBounds(t.Context(), w.content.Grid, rapid.IntRange(1, 3).Draw(t, "workers"))
		if err != nil {
			t.Fatal(err)
		}
		for zi, tiles := range w.records {
			z := b.Zones[zi]
			n := uint64(0)
			x0, y0, x1, y1 := int32(math.MaxInt32), int32(math.MaxInt32), int32(math.MinInt32), int32(math.MinInt32)
			for k, recs := range tiles {
				var hs []float32
				for _, r := range recs {
					if x, y := r.Cell%6, r.Cell/6; x < 5 {
						n++
						gx, gy := int32(5*k)-7+x, y-2
						x0, y0, x1, y1 = min(x0, gx), min(y0, gy), max(x1, gx), max(y1, gy)
						if r.Flags&bnav.Fill == 0 {
							hs = append(hs, r.H)
						}
					}
				}
				want := NoHeights()
				if len(hs) > 0 {
					want = Heights{slices.Min(hs), slices.Max(hs)}
				}
				if z.Tiles[k] != want {
					t.Fatalf("zone %d, tile %d: heights %v, want %v", zi, k, z.Tiles[k], want)
				}
			}
			if n == 0 {
				x0, y0, x1, y1 = 0, 0, 0, 0
			}
			if z.Records != n || z.GX0 != x0 || z.GY0 != y0 || z.GX1 != x1 || z.GY1 != y1 || len(z.Tiles) != len(tiles) {
				t.Fatalf("zone %d: %+v, want %d records in (%d, %d) to (%d, %d)", zi, z, n, x0, y0, x1, y1)
			}
			if n > 0 && z.Heights.Void() != !slices.ContainsFunc(z.Tiles, func(h Heights) bool { return !h.Void() }) {
				t.Fatalf("zone %d: heights %v of tiles %v", zi, z.Heights, z.Tiles)
			}
		}
		add(t, &w.content.Extra)(EncodeBounds(b))
		for _, zone := range []string{"", "roof"} {
			p, _ := w.load(t.Context(), t, zone)
			got, err := ReadBounds(p)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(b, got, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
		}
	})
}

func drawName(t *rapid.T, what string) string {
	return rapid.StringOfN(rapid.RuneFrom([]rune{'a', 'Z', ' ', '/', '区', 'ö', 0x10ffff}), 1, 12, -1).Draw(t, what)
}

func drawLevels(t *rapid.T) *Levels {
	l := &Levels{Frame: Frame{
		Up:    rapid.SampledFrom([]string{"", "y", "z"}).Draw(t, "up"),
		Unit:  rapid.SampledFrom([]string{"", "m", "inch"}).Draw(t, "unit"),
		Scale: rapid.Float64Range(math.SmallestNonzeroFloat64, math.MaxFloat64).Draw(t, "scale"),
	}}
	for _, id := range []uint16{2, 4, 9} {
		if !rapid.Bool().Draw(t, "zone") {
			continue
		}
		z := ZoneLevels{ID: id}
		for range rapid.IntRange(0, 3).Draw(t, "files") {
			z.Files = append(z.Files, drawName(t, "file"))
		}
		for range rapid.IntRange(0, 3).Draw(t, "parts") {
			z.Parts = append(z.Parts, drawName(t, "part"))
		}
		l.Zones = append(l.Zones, z)
	}
	return l
}

func drawBodies(t *rapid.T) []Body {
	var list []Body
	v := rapid.Float64Range(0, math.MaxFloat64)
	for _, id := range []uint16{2, 4, 9} {
		if rapid.Bool().Draw(t, "zone") {
			list = append(list, Body{id, v.Draw(t, "radius"), v.Draw(t, "headroom"), v.Draw(t, "climb"), rapid.Float64Range(0, 90).Draw(t, "slope")})
		}
	}
	return list
}

// emptyWorld has no records; it serves sections about zones alone.
func emptyWorld(t tb) *world { return newWorld(t, make([][][]bnav.Record, 2)) }

func TestLevelsBodiesReport(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := emptyWorld(t)
		l, bodies := drawLevels(t), drawBodies(t)
		doc := rapid.SliceOf(rapid.Byte()).Draw(t, "report")
		put := add(t, &w.content.Extra)
		put(EncodeLevels(l))
		put(EncodeBodies(bodies))
		put(EncodeReport(doc))
		for _, zone := range []string{"", "yard"} {
			p, _ := w.load(t.Context(), t, zone)
			gotLevels, err1 := ReadLevels(p)
			gotBodies, err2 := ReadBodies(p)
			gotDoc, err3 := ReadReport(p)
			if err := errors.Join(err1, err2, err3); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(l, gotLevels); diff != "" {
				t.Fatalf("levels (-want +got):\n%s", diff)
			}
			if !slices.Equal(bodies, gotBodies) || gotBodies == nil {
				t.Fatalf("bodies %v, want %v", gotBodies, bodies)
			}
			if string(doc) != string(gotDoc) || gotDoc == nil {
				t.Fatalf("report %q, want %q", gotDoc, doc)
			}
		}
	})
}

func TestHeadroomSteps(t *testing.T) {
	for _, tc := range []struct {
		m    float64
		step uint8
		back float64
	}{
		{-1, 1, 0.0625}, {0, 1, 0.0625}, {0.124, 1, 0.0625}, {0.125, 2, 0.125}, {2, 32, 2}, {2.06, 32, 2}, {11.9999, 191, 11.9375},
		{12, 0, 12}, {math.Inf(1), 0, 12}, {math.NaN(), 0, 12}, {math.Inf(-1), 1, 0.0625},
	} {
		if got := HeadroomStep(tc.m); got != tc.step || HeadroomMetres(got) != tc.back {
			t.Errorf("%v m: step %d, %v m; want %d, %v", tc.m, got, HeadroomMetres(got), tc.step, tc.back)
		}
	}
}

// A window's headroom is that of the records bnvf and bnav return for it.
func TestHeadroom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		enc, err := NewHeadroomEncoder(bnav.Level(rapid.IntRange(0, 10).Draw(t, "level")))
		if err != nil {
			t.Fatal(err)
		}
		// The values tell which record they belong to as far as they go.
		zones := make([][]HeadroomTile, len(w.records))
		values := make([][][]uint8, len(w.records))
		for zi, tiles := range w.records {
			for _, recs := range tiles {
				v := make([]uint8, len(recs))
				if rapid.Bool().Draw(t, "limited") {
					for i := range v {
						v[i] = rapid.Uint8Range(0, maxHeadroom).Draw(t, "headroom")
					}
				}
				tile, err := enc.Encode(v)
				if err != nil {
					t.Fatal(err)
				}
				zones[zi] = append(zones[zi], tile)
				values[zi] = append(values[zi], v)
			}
		}
		add(t, &w.fields.Extra)(EncodeHeadroom(zones))
		p, f := w.load(t.Context(), t, rapid.SampledFrom([]string{"", "yard"}).Draw(t, "loaded"))
		h, err := ReadHeadroom(f)
		if err != nil {
			t.Fatal(err)
		}
		var dec HeadroomDecoder
		for zi := range values {
			for k, want := range values[zi] {
				got, err := dec.Decode(h, zi, k, []uint8{7})
				if err != nil || !slices.Equal(got, append([]uint8{7}, want...)) {
					t.Fatalf("zone %d, tile %d: %v, %v; want %v", zi, k, got, err, want)
				}
			}
			win := bnav.Window{GX0: rapid.Int32Range(-12, 10).Draw(t, "x"), GY0: rapid.Int32Range(-5, 4).Draw(t, "y"), NX: rapid.Int32Range(1, 20).Draw(t, "nx"), NY: rapid.Int32Range(1, 9).Draw(t, "ny")}
			var want []uint8
			for k, recs := range w.records[zi] {
				for i, r := range recs {
					x, y := r.Cell%6, r.Cell/6
					gx, gy := int32(5*k)-7+x, y-2
					if x < 5 && gx >= win.GX0 && gx < win.GX0+win.NX && gy >= win.GY0 && gy < win.GY0+win.NY {
						want = append(want, values[zi][k][i])
					}
				}
			}
			got, err := h.Window(t.Context(), zi, win, rapid.IntRange(1, 3).Draw(t, "workers"))
			if err != nil || !slices.Equal(want, got) {
				t.Fatalf("zone %d, window %v: %v, %v; want %v", zi, win, got, err, want)
			}
			recs, err := f.Window(t.Context(), zi, win, 1)
			if err != nil || recs.Len() != len(got) {
				t.Fatalf("zone %d: %d records for %d values, %v", zi, recs.Len(), len(got), err)
			}
		}
		_ = p
	})
}

// Reach against a transitive closure by repetition.
func TestDrops(t *testing.T) {
	full := func(n int) []bnav.Record {
		var recs []bnav.Record
		for i := range n {
			recs = append(recs, bnav.Record{Cell: int32(i), Region: 1})
		}
		return recs
	}
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, [][][]bnav.Record{{full(3), full(9)}, {full(2)}})
		id := func(zi int) *rapid.Generator[uint32] {
			return rapid.Uint32Range(1, []uint32{4, 2}[zi])
		}
		zones := make([][]Drop, 2)
		for zi := range zones {
			for range rapid.IntRange(0, 9).Draw(t, "drops") {
				if e := (Drop{id(zi).Draw(t, "from"), id(zi).Draw(t, "to")}); e.From != e.To {
					zones[zi] = append(zones[zi], e)
				}
			}
		}
		add(t, &w.fields.Extra)(EncodeDrops(zones))
		_, f := w.load(t.Context(), t, "")
		d, err := ReadDrops(f)
		if err != nil {
			t.Fatal(err)
		}
		for zi, list := range zones {
			want := slices.Compact(slices.SortedFunc(slices.Values(list), compareDrops))
			if got := d.All(zi, nil); !slices.Equal(got, want) || d.Len(zi) != len(want) {
				t.Fatalf("zone %d: %v, want %v", zi, got, want)
			}
			for from := uint32(1); from <= 5; from++ {
				in := map[uint32]bool{from: true}
				for range list {
					for _, e := range list {
						in[e.To] = in[e.To] || in[e.From]
					}
				}
				want := []uint32{99}
				for r := uint32(1); r <= 5; r++ {
					if in[r] {
						want = append(want, r)
					}
				}
				if got := d.Reach(zi, from, []uint32{99}); !slices.Equal(got, want) {
					t.Fatalf("zone %d from %d: %v, want %v", zi, from, got, want)
				}
			}
		}
	})
}

func TestReachAllocatesNothing(t *testing.T) {
	var list []Drop
	for i := uint32(1); i < 1000; i++ {
		list = append(list, Drop{i, i + 1})
	}
	d := &Drops{zones: []dropZone{newDropZone(list)}}
	dst := d.Reach(0, 1, nil)
	if len(dst) != 1000 {
		t.Fatalf("%d regions", len(dst))
	}
	var s reach // the pool of Drops gives a search the scratch of an earlier one
	if n := testing.AllocsPerRun(20, func() { dst = s.search(&d.zones[0], 0, dst[:0]) }); n != 0 {
		t.Errorf("%v allocations a query", n)
	}
}

// Packs without the sections have nil, nil.
func TestAbsent(t *testing.T) {
	p, f := emptyWorld(t).load(t.Context(), t, "")
	b, err1 := ReadBounds(p)
	l, err2 := ReadLevels(p)
	s, err3 := ReadBodies(p)
	doc, err4 := ReadReport(p)
	h, err5 := ReadHeadroom(f)
	d, err6 := ReadDrops(f)
	if err := errors.Join(err1, err2, err3, err4, err5, err6); err != nil || b != nil || l != nil || s != nil || doc != nil || h != nil || d != nil {
		t.Error(err, b, l, s, doc, h, d)
	}
}

// What a reader would refuse is not written.
func TestEncodersRefuse(t *testing.T) {
	long := string(make([]byte, pack.MaxName+1))
	bad := func(name string, want error, _ pack.Extra, err error) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	bounds := func(name string, z ZoneBounds) {
		e, err := EncodeBounds(&Bounds{[]ZoneBounds{z}})
		bad(name, pack.ErrRange, e, err)
	}
	nan := float32(math.NaN())
	bounds("void heights of another kind", ZoneBounds{Records: 1, Heights: NoHeights(), Tiles: []Heights{{1, 0}}})
	bounds("not a number", ZoneBounds{Records: 1, Heights: Heights{nan, nan}, Tiles: []Heights{{nan, nan}}})
	bounds("infinite", ZoneBounds{Records: 1, Heights: Heights{0, float32(math.Inf(1))}, Tiles: []Heights{{0, float32(math.Inf(1))}}})
	bounds("heights that are not the tiles'", ZoneBounds{Records: 1, Heights: Heights{0, 2}, Tiles: []Heights{{0, 1}}})
	bounds("cells without records", ZoneBounds{GX1: 1, Heights: NoHeights()})
	bounds("heights without records", ZoneBounds{Heights: Heights{0, 1}, Tiles: []Heights{{0, 1}}})
	bounds("last cell before the first", ZoneBounds{Records: 1, GX0: 1, Heights: NoHeights()})

	levels := func(name string, want error, l Levels) {
		e, err := EncodeLevels(&l)
		bad(name, want, e, err)
	}
	ok := Frame{"y", "m", 1}
	levels("scale 0", pack.ErrRange, Levels{})
	levels("scale not a number", pack.ErrRange, Levels{Frame: Frame{Scale: math.NaN()}})
	levels("long axis", pack.ErrRange, Levels{Frame: Frame{long, "m", 1}})
	levels("unit with NUL", pack.ErrRange, Levels{Frame: Frame{"y", "\x00", 1}})
	levels("no UTF-8", pack.ErrRange, Levels{ok, []ZoneLevels{{1, []string{"\xff"}, nil}}})
	levels("empty name", pack.ErrRange, Levels{ok, []ZoneLevels{{1, nil, []string{""}}}})
	levels("zones not ascending", pack.ErrOrder, Levels{ok, []ZoneLevels{{ID: 1}, {ID: 1}}})
	many := make([]string, MaxLevels/pack.MaxName+1)
	for i := range many {
		many[i] = fmt.Sprintf("%0*d", pack.MaxName, i)
	}
	levels("too much", pack.ErrLimit, Levels{ok, []ZoneLevels{{1, many, nil}}})

	bodies := func(name string, want error, list ...Body) {
		e, err := EncodeBodies(list)
		bad(name, want, e, err)
	}
	bodies("negative", pack.ErrRange, Body{Radius: -1})
	bodies("infinite", pack.ErrRange, Body{Headroom: math.Inf(1)})
	bodies("steep", pack.ErrRange, Body{MaxSlopeDeg: 91})
	bodies("twice", pack.ErrOrder, Body{ID: 3}, Body{ID: 3})

	e, err := EncodeReport(make([]byte, MaxReport+1))
	bad("long report", pack.ErrLimit, e, err)
	enc, _ := NewHeadroomEncoder(0)
	_, err = enc.Encode([]uint8{0, 192})
	bad("headroom", pack.ErrRange, e, err)
	e, err = EncodeHeadroom([][]HeadroomTile{{{0, []byte{1}}}})
	bad("payload without records", pack.ErrRange, e, err)
	for _, d := range []Drop{{0, 1}, {1, 0}, {3, 3}} {
		e, err = EncodeDrops([][]Drop{{d}})
		bad("drop", pack.ErrRange, e, err)
	}
}
