package zone

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wend/pack/bnav"
)

// mesh makes a content of one zone whose pack neighbours and links are all edges
// that two triangles share, as an exporter writes them.
func mesh(verts []bnav.Vertex, tris ...[3]uint32) *bnav.Content {
	c := &bnav.Content{
		Zones:    []bnav.Zone{{ID: 1, Name: "town", TriCount: uint32(len(tris))}},
		Vertices: verts,
	}
	edges := map[[2]uint32]int32{}
	for t, v := range tris {
		c.Triangles = append(c.Triangles, bnav.Triangle{V: v, N: [3]int32{-1, -1, -1}})
		for k := range 3 {
			a, b := v[k], v[(k+1)%3]
			key := [2]uint32{min(a, b), max(a, b)}
			o, ok := edges[key]
			if !ok {
				edges[key] = int32(3*t + k)
				continue
			}
			c.Triangles[t].N[k] = o / 3
			c.Triangles[o/3].N[o%3] = int32(t)
			c.Links = append(c.Links, bnav.Link{Source: uint32(t), Target: uint32(o / 3)}, bnav.Link{Source: uint32(o / 3), Target: uint32(t)})
		}
	}
	sortLinks(c)
	return c
}

func sortLinks(c *bnav.Content) {
	slices.SortFunc(c.Links, func(a, b bnav.Link) int {
		if a.Source != b.Source {
			return int(a.Source) - int(b.Source)
		}
		return int(a.Target) - int(b.Target)
	})
}

func clean(t testing.TB, c *bnav.Content) *Zone {
	t.Helper()
	z, err := Clean(context.Background(), c, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// square4 is a unit square of two triangles, corners 0 to 3 counter-clockwise.
var square4 = []bnav.Vertex{{U: 0, V: 0}, {U: 1, V: 0}, {U: 1, V: 1}, {U: 0, V: 1}}

func TestTrianglesTurnCounterClockwise(t *testing.T) {
	c := mesh(square4, [3]uint32{0, 2, 1}, [3]uint32{0, 2, 3})
	z := clean(t, c)
	if want := [][3]uint32{{0, 1, 2}, {0, 2, 3}}; !slices.Equal(z.Tris, want) {
		t.Errorf("triangles %v, want %v", z.Tris, want)
	}
	if c.Triangles[0].V != [3]uint32{0, 2, 1} {
		t.Error("the pack's triangle changed")
	}
	// The diagonal is edge 2-0 of one and 0-2 of the other.
	if want := []uint8{0b011, 0b110}; !slices.Equal(z.Boundary, want) {
		t.Errorf("boundary %03b, want %03b", z.Boundary, want)
	}
	if !slices.Equal(z.Component, []int32{0, 0}) || !slices.Equal(z.Island, []bool{true, true}) {
		t.Errorf("components %v, islands %v", z.Component, z.Island)
	}
}

func TestRulesThatPart(t *testing.T) {
	// A strip of four triangles: 0-1-2, 1-3-2, 2-3-4, 3-5-4.
	verts := []bnav.Vertex{{U: 0, V: 0}, {U: 1, V: 0}, {U: 0, V: 1}, {U: 1, V: 1}, {U: 0, V: 2}, {U: 1, V: 2}}
	strip := [][3]uint32{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}, {3, 5, 4}}
	for _, test := range []struct {
		name     string
		change   func(*bnav.Content)
		more     [][3]uint32
		comps    []int32
		boundary []uint8
	}{
		{
			name:     "none",
			comps:    []int32{0, 0, 0, 0},
			boundary: []uint8{0b101, 0b001, 0b100, 0b011},
		}, {
			name:  "a link less",
			comps: []int32{0, 0, 2, 2},
			change: func(c *bnav.Content) {
				c.Links = slices.DeleteFunc(c.Links, func(l bnav.Link) bool { return l == bnav.Link{Source: 1, Target: 2} })
			},
			boundary: []uint8{0b101, 0b011, 0b101, 0b011},
		}, {
			name:  "only the link from the first to the second counts",
			comps: []int32{0, 0, 0, 0},
			change: func(c *bnav.Content) {
				c.Links = slices.DeleteFunc(c.Links, func(l bnav.Link) bool { return l.Source > l.Target })
			},
			boundary: []uint8{0b101, 0b001, 0b100, 0b011},
		}, {
			name:  "ground that may not be walked",
			comps: []int32{0, 0, 2, 3},
			change: func(c *bnav.Content) {
				c.Surfaces = []bnav.Surface{{Flags: 1}, {Flags: 1}, {Flags: 2}, {Flags: 1}}
			},
			boundary: []uint8{0b101, 0b011, 0b111, 0b111},
		}, {
			// A second triangle over the last one: both have the edge 4-3
			// in the same direction.
			name:     "an edge that is there twice",
			more:     [][3]uint32{{3, 5, 4}},
			comps:    []int32{0, 0, 0, 3, 4},
			boundary: []uint8{0b101, 0b001, 0b110, 0b111, 0b111},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := mesh(verts, append(slices.Clone(strip), test.more...)...)
			if test.change != nil {
				test.change(c)
			}
			z := clean(t, c)
			if diff := cmp.Diff(test.comps, z.Component); diff != "" {
				t.Errorf("components (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.boundary, z.Boundary); diff != "" {
				t.Errorf("boundary (-want +got):\n%s", diff)
			}
		})
	}
}

func TestErrorsNameThePlace(t *testing.T) {
	inf := float32(math.Inf(1))
	far := func(p bnav.Vertex) *bnav.Content {
		return mesh([]bnav.Vertex{{}, {U: 1}, p, {U: 1, V: 1}}, [3]uint32{0, 1, 3}, [3]uint32{0, 1, 2})
	}
	for name, test := range map[string]struct {
		c     *bnav.Content
		index int
		tri   int
		says  string
	}{
		"corner twice":    {mesh(square4, [3]uint32{0, 1, 2}, [3]uint32{0, 2, 2}), 0, 1, "corner twice: vertices 0, 2, 2"},
		"not a number":    {far(bnav.Vertex{V: float32(math.NaN())}), 0, 1, "NaN"},
		"infinite height": {far(bnav.Vertex{V: 1, H: inf}), 0, 1, "+Inf"},
		"plane":           {far(bnav.Vertex{V: 1 << 18}), 0, 1, "262144 px"},
		"height":          {far(bnav.Vertex{V: 1, H: -1 << 17}), 0, 1, "131072 m"},
		"no vertex":       {mesh(square4, [3]uint32{0, 1, 9}), 0, 0, "vertex 9, and there are 4"},
		"nothing to walk": {func() *bnav.Content {
			c := mesh(square4, [3]uint32{0, 1, 2})
			c.Surfaces = make([]bnav.Surface, 1)
			return c
		}(), 0, -1, "no walkable triangle"},
		"nothing":           {mesh(square4), 0, -1, "no walkable triangle"},
		"no such zone":      {mesh(square4, [3]uint32{0, 1, 2}), 1, -1, "zone 1 of a table of 1"},
		"too few surfaces":  {func() *bnav.Content { c := mesh(square4, [3]uint32{0, 1, 2}); c.Surfaces = []bnav.Surface{}; return c }(), 0, -1, "0 surfaces"},
		"too few triangles": {func() *bnav.Content { c := mesh(square4, [3]uint32{0, 1, 2}); c.Zones[0].FirstTri = 1; return c }(), 0, -1, "there are 1"},
		"tier": {func() *bnav.Content {
			c := mesh(square4, [3]uint32{0, 1, 2})
			c.Zones[0].Flags = bnav.TierFlag
			return c
		}(), 0, -1, "tier"},
		"no id": {func() *bnav.Content { c := mesh(square4, [3]uint32{0, 1, 2}); c.Zones[0].ID = 0; return c }(), 0, -1, "no id"},
	} {
		_, err := Clean(context.Background(), test.c, test.index, 1)
		var e *Error
		if !errors.As(err, &e) || e.Triangle != test.tri || !strings.Contains(e.Error(), test.says) {
			t.Errorf("%s: %v, want one about triangle %d that says %q", name, err, test.tri, test.says)
		}
		if e != nil && test.index == 0 && e.Zone != "town" {
			t.Errorf("%s: zone %q", name, e.Zone)
		}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	stop := errors.New("stop")
	cancel(stop)
	if _, err := Clean(ctx, mesh(square4, [3]uint32{0, 1, 2}), 0, 1); !errors.Is(err, stop) {
		t.Errorf("cancelled: %v", err)
	}
}

// twin is a zone cleaned by the letter of the rules, at any cost.
func twin(c *bnav.Content, walkable func(t int) bool) (boundary []uint8, comp []int32, island []bool) {
	n := len(c.Triangles)
	tris := make([][3]uint32, n)
	for t := range tris {
		v := c.Triangles[t].V
		p, q, r := c.Vertices[v[0]], c.Vertices[v[1]], c.Vertices[v[2]]
		if (q.U-p.U)*(r.V-p.V)-(q.V-p.V)*(r.U-p.U) < 0 {
			v[1], v[2] = v[2], v[1]
		}
		tris[t] = v
	}
	ends := func(s int) (a, b uint32) { return tris[s/3][s%3], tris[s/3][(s%3+1)%3] }
	next, double := make([]int, 3*n), make([]bool, 3*n)
	for s := range next {
		a, b := ends(s)
		next[s] = -1
		for o := len(next) - 1; o >= 0; o-- {
			oa, ob := ends(o)
			if oa == b && ob == a {
				next[s] = o / 3
			}
			double[s] = double[s] || o != s && oa == a && ob == b
		}
	}
	leads := func(from, to int) bool {
		return next[3*from] == to || next[3*from+1] == to || next[3*from+2] == to
	}
	part := func(s int) {
		o := next[s]
		next[s] = -1
		for k := 3 * o; k < 3*o+3; k++ {
			if next[k] == s/3 {
				next[k] = -1
			}
		}
	}
	for s := range next {
		if double[s] && next[s] >= 0 {
			part(s)
		}
	}
	before := slices.Clone(next)
	for s, o := range before {
		if o >= 0 && before[3*o] != s/3 && before[3*o+1] != s/3 && before[3*o+2] != s/3 {
			next[s] = -1
		}
	}
	for s, o := range slices.Clone(next) {
		t := s / 3
		if o < 0 || walkable(t) && walkable(o) && slices.Contains(c.Links, bnav.Link{Source: uint32(min(t, o)), Target: uint32(max(t, o))}) {
			continue
		}
		if next[s] >= 0 {
			part(s)
		}
	}
	boundary, comp, island = make([]uint8, n), make([]int32, n), make([]bool, n)
	natural := pieces(n, func(s, t int) bool {
		return slices.Contains(c.Triangles[s].N[:], int32(t)) || slices.Contains(c.Triangles[t].N[:], int32(s))
	})
	joined := pieces(n, func(s, t int) bool { return leads(s, t) || leads(t, s) })
	for t := range n {
		for k := range 3 {
			if next[3*t+k] < 0 {
				boundary[t] |= 1 << k
			}
		}
		comp[t] = int32(joined[t][0])
		small := 0
		for _, o := range joined[t] {
			if len(natural[o]) <= 512 {
				small++
			}
		}
		island[t] = 2*small > len(joined[t])
	}
	return boundary, comp, island
}

// pieces returns the set of each of n things that are joined, ascending.
func pieces(n int, joined func(s, t int) bool) [][]int {
	all := make([][]int, n)
	for i := range all {
		if all[i] != nil {
			continue
		}
		set := []int{i}
		seen := make([]bool, n)
		seen[i] = true
		for j := 0; j < len(set); j++ {
			for o := range n {
				if !seen[o] && joined(set[j], o) {
					seen[o] = true
					set = append(set, o)
				}
			}
		}
		slices.Sort(set)
		for _, o := range set {
			all[o] = set
		}
	}
	return all
}

// anyMesh draws meshes of few corners, so that edges meet in all ways, with
// neighbours and links of which some are missing.
func anyMesh(t *rapid.T) *bnav.Content {
	n := rapid.IntRange(3, 14).Draw(t, "corners")
	verts := make([]bnav.Vertex, n)
	at := rapid.IntRange(-40, 40)
	for i := range verts {
		verts[i] = bnav.Vertex{U: float32(at.Draw(t, "u")), V: float32(at.Draw(t, "v")), H: float32(rapid.IntRange(-3, 30).Draw(t, "h"))}
	}
	tris := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [3]uint32 {
		p := rapid.Permutation([]uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}[:n]).Draw(t, "corners")
		return [3]uint32{p[0], p[1], p[2]}
	}), 1, 24).Draw(t, "triangles")
	c := mesh(verts, tris...)
	keep := rapid.IntRange(0, 9)
	c.Links = slices.DeleteFunc(c.Links, func(bnav.Link) bool { return keep.Draw(t, "link") == 0 })
	if rapid.Bool().Draw(t, "surfaces") {
		c.Surfaces = make([]bnav.Surface, len(tris))
		for i := range c.Surfaces {
			if i == 0 || keep.Draw(t, "walkable") > 1 {
				c.Surfaces[i].Flags = 1 << 4
			}
		}
	}
	return c
}

func TestCleanIsByTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyMesh(t)
		z, err := Clean(context.Background(), c, 0, rapid.IntRange(0, 4).Draw(t, "workers"))
		if err != nil {
			t.Fatal(err)
		}
		walkable := func(t int) bool { return c.Surfaces == nil || c.Surfaces[t].Flags&0x00020CDD != 0 }
		boundary, comp, island := twin(c, walkable)
		if diff := cmp.Diff(boundary, z.Boundary); diff != "" {
			t.Errorf("boundary (-twin +zone):\n%s", diff)
		}
		if diff := cmp.Diff(comp, z.Component); diff != "" {
			t.Errorf("components (-twin +zone):\n%s", diff)
		}
		if diff := cmp.Diff(island, z.Island); diff != "" {
			t.Errorf("islands (-twin +zone):\n%s", diff)
		}
	})
}
