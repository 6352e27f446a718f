package spanbake

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"wend/internal/wendtest"
	"wend/pack"
	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// told is everything that a result says of its first zone.
type told struct {
	records  []twinRecord
	graphs   []twinGraph
	walls    []string
	landings []string
	openings []string
}

// tell reads a result back, with cells and heights moved back by so many cells
// and 1/64 m.
func tell(t testing.TB, res *Result, dx, dy, dh int) told {
	t.Helper()
	var out told
	out.records, out.graphs, out.walls = readBack(t, res)
	for i := range out.records {
		r := &out.records[i]
		r.x, r.y, r.h = r.x-dx, r.y-dy, r.h-dh
	}
	f := load(t, res).fields
	back := float32(dh) / 64
	for _, l := range f.Landings {
		for _, s := range [2]*bnvf.Side{&l.Lo, &l.Hi} {
			s.GX, s.GY, s.Declared = s.GX-int32(dx), s.GY-int32(dy), s.Declared-back
			if s.Region > 0 {
				s.H -= back
			}
		}
		out.landings = append(out.landings, fmt.Sprintf("%+v", l))
	}
	// Stored by the bits of heights, which puts those below 0 last.
	openings := slices.Clone(f.Openings)
	slices.SortFunc(openings, func(a, b bnvf.Opening) int {
		return cmp.Or(cmp.Compare(a.GY, b.GY), cmp.Compare(a.GX, b.GX), cmp.Compare(a.H, b.H))
	})
	for _, o := range openings {
		o.GX, o.GY, o.H = o.GX-int32(dx), o.GY-int32(dy), o.H-back
		out.openings = append(out.openings, fmt.Sprintf("%+v", o))
	}
	return out
}

func (a *told) compare(t *testing.T, b *told) {
	t.Helper()
	for i, d := range []string{diff(a.records, b.records), diff(a.graphs, b.graphs), diff(a.walls, b.walls), diff(a.landings, b.landings), diff(a.openings, b.openings)} {
		if d != "" {
			t.Fatalf("%s: %s", [5]string{"records", "graphs", "walls", "landings", "openings"}[i], d)
		}
	}
}

func worlds(few, many uint64) uint64 {
	if long() {
		return many
	}
	return few
}

// The order of triangles shows in the keys of walls and in nothing else.
func TestTriangleOrder(t *testing.T) {
	for seed := range worlds(1, 40) {
		in := twinWorld(seed)
		want := tell(t, bakeInput(t, in, Options{Tile: 64, Level: 1}), 0, 0, 0)
		c := &in.Content
		order := rand.New(rand.NewPCG(seed, 1)).Perm(len(c.Triangles))
		tris, surfaces := slices.Clone(c.Triangles), slices.Clone(c.Surfaces)
		place := make([]int, len(order)) // of old triangles
		for to, from := range order {
			c.Triangles[to], c.Surfaces[to], place[from] = tris[from], surfaces[from], to
		}
		joinNeighbours(c)
		// Walls by the triangles as they were.
		walls := map[int]string{}
		for _, w := range want.walls {
			number, regions, _ := strings.Cut(w, " ")
			key, err := strconv.Atoi(number)
			if err != nil {
				t.Fatal(err)
			}
			walls[3*place[key/3]+key%3] = regions
		}
		keys := make([]int, 0, len(walls))
		for k := range walls {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		want.walls = nil
		for _, k := range keys {
			want.walls = append(want.walls, fmt.Sprintf("%d %s", k, walls[k]))
		}
		got := tell(t, bakeInput(t, in, Options{Tile: 64, Level: 1}), 0, 0, 0)
		got.compare(t, &want)
	}
}

// A level that lies elsewhere by whole cells has the same records elsewhere.
func TestShift(t *testing.T) {
	for seed := range worlds(1, 40) {
		world := func(du, dv float32) *Input {
			in := randomWorldOf(seed, 12)
			// Off the cell lines: whether a point on a line lies on this or that
			// side of it may change with rounding.
			du, dv = du+1./32, dv+1./32
			for i := range in.Content.Vertices {
				v := &in.Content.Vertices[i]
				v.U, v.V = v.U+du, v.V+dv
			}
			for i := range in.Content.OffMesh {
				for k := range in.Content.OffMesh[i].Points {
					p := &in.Content.OffMesh[i].Points[k]
					p.U, p.V = p.U+du, p.V+dv
				}
			}
			return in
		}
		want := tell(t, bakeInput(t, world(0, 0), Options{Tile: 64, Level: 1}), 0, 0, 0)
		for _, d := range [][2]int{{1, 0}, {-64, 333}, {4001, -1777}} {
			got := tell(t, bakeInput(t, world(float32(d[0])/4, float32(d[1])/4), Options{Tile: 64, Level: 1}), d[0], d[1], 0)
			got.compare(t, &want)
		}
	}
}

// levelWorld is some level floors at multiples of half a metre, one over the
// other and side by side.
func levelWorld(seed uint64, lift float32) *Input {
	r := rand.New(rand.NewPCG(seed, 3))
	m := newMesh()
	for range 10 {
		nx, ny, hole := 2+r.IntN(8), 2+r.IntN(8), r.IntN(40)
		m.sheet(float32(r.IntN(40))*0.25, float32(r.IntN(40))*0.25, 1, nx, ny, flat(float32(r.IntN(14))*0.5+lift),
			func(i, j int) bool { return j*nx+i == hole })
	}
	m.zone(1, "levels")
	in := m.input()
	a, b := bnav.Vertex{U: 3, V: 4, H: 1 + lift}, bnav.Vertex{U: 6, V: 5, H: 3 + lift}
	in.Content.OffMesh = []bnav.OffMeshLink{{ZoneID: 1, DirOK: 3, Points: [4]bnav.Vertex{a, a, b, b}, StartTri: bnav.NoTriangle, EndTri: bnav.NoTriangle}}
	in.Content.OffMeshVersion = 2
	return in
}

// Level floors that lie higher by multiples of 1/64 m have the same records
// higher up.
func TestLift(t *testing.T) {
	for seed := range worlds(1, 40) {
		want := tell(t, bakeInput(t, levelWorld(seed, 0), Options{Tile: 64, Level: 1}), 0, 0, 0)
		for _, dh := range []int{1, -64 * 300, 64*77 + 13} {
			got := tell(t, bakeInput(t, levelWorld(seed, float32(dh)/64), Options{Tile: 64, Level: 1}), 0, 0, dh)
			got.compare(t, &want)
		}
	}
}

// TestGolden compares the bytes of some bakes with those of earlier versions,
// and of other machines.
func TestGolden(t *testing.T) {
	var b bytes.Buffer
	for seed := range uint64(2) {
		in := twinWorldOf(seed, 16)
		for _, level := range []bnav.Level{1, 0} {
			res := bakeInput(t, in, Options{Tile: 64, Level: level})
			fmt.Fprintf(&b, "world %d, compression %d: main %016x, fields %016x\n", seed, level.Int(), pack.Fingerprint(res.Main), pack.Fingerprint(res.Fields))
		}
	}
	wendtest.Golden(t, "bakes.txt", b.Bytes())
}
