package verify_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"wend/geom"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/scene"
	"wend/spanbake"
	"wend/verify"
)

// rebaked finds the differences to a bake of the pack's own geometry.
func rebaked(faults []verify.Fault) []verify.Fault {
	return slices.DeleteFunc(slices.Clone(faults), func(f verify.Fault) bool { return f.Kind != "ErrRecompute" })
}

// bakedSlope is the yard with a slope behind its ledge that is too steep to be
// walked up.
func bakedSlope(t *testing.T) *spanbake.Result {
	t.Helper()
	sc := yard()
	n := uint32(len(sc.Verts))
	sc.Verts = append(sc.Verts, geom.V3(24, 2, 0), geom.V3(24, 2, 8), geom.V3(27, 9.2, 8), geom.V3(27, 9.2, 0))
	sc.Tris = append(sc.Tris, scene.Tri{V: [3]uint32{n, n + 1, n + 2}}, scene.Tri{V: [3]uint32{n, n + 2, n + 3}})
	return bakedLevel(t, sc)
}

// Each edit breaks no rule of the formats nor of what a bake promises, and only
// a second bake tells.
func TestRecomputeFinds(t *testing.T) {
	res := bakedSlope(t)
	gated := func(r *bnav.Record, _ *bnvf.Columns, _ int) bool { return r.Steps != 0 }
	for _, c := range []struct {
		name     string
		onlyGrid bool // a sidecar would not fit any more
		change   func(t *testing.T, s *deepSet)
		want     string // section, item and a part of the message
	}{
		{"height", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, core)
			s.recs[i][k].H += 1. / 64
		}, "BGRD|record|height 0.015625 in cell"},
		{"region", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, func(r *bnav.Record, c *bnvf.Columns, k int) bool {
				return core(r, c, k) && c.Component[k] == 1 && k > 500
			})
			s.recs[i][k].Region = 2
			s.cols[i].Component[k] = 1
		}, "BGRD|record|region 2 in cell"},
		{"clearance", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, core)
			s.recs[i][k].Clr--
		}, "BGRD|record|clearance"},
		{"dead", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, func(r *bnav.Record, _ *bnvf.Columns, _ int) bool { return r.Flags == bnav.Dead })
			s.recs[i][k].Flags = 0
		}, "BGRD|record|flags 0x00"},
		{"steps", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, func(r *bnav.Record, c *bnvf.Columns, k int) bool { return core(r, c, k) && r.Steps == 0 })
			s.recs[i][k].Steps = 0x40
		}, "BGRD|record|steps 0x40"},
		{"record missing", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, func(r *bnav.Record, c *bnvf.Columns, k int) bool { return core(r, c, k) && k > 500 })
			s.drop(i, k)
		}, "BGRD||0 records in cell"},
		{"record added", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, func(r *bnav.Record, c *bnvf.Columns, k int) bool { return core(r, c, k) && r.Region == 1 })
			r := s.recs[i][k]
			r.H += 0.5
			s.recs[i] = slices.Insert(s.recs[i], k+1, r)
			s.insertColumns(i, k)
		}, "BGRD||2 records in cell"},
		{"component", false, func(t *testing.T, s *deepSet) {
			seen := false
			i, k := s.find(t, func(r *bnav.Record, c *bnvf.Columns, k int) bool {
				first := !seen
				seen = seen || c.Component[k] == 2
				return c.Component[k] == 2 && !first && c.ClrDrop[k] == 0 && core(r, c, k)
			})
			s.cols[i].Component[k] = 1
		}, "FSPN|record|component 1 in cell"},
		{"steps2", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, gated)
			for _, k := range s.sameCell(i, k) {
				s.cols[i].StepsXor[k] ^= s.recs[i][k].Steps
			}
		}, "FSPN|record|re-judged steps"},
		{"seg", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, func(r *bnav.Record, _ *bnvf.Columns, _ int) bool { return r.Steps&3 != 0 })
			for _, k := range s.sameCell(i, k) {
				s.cols[i].Seg[k] ^= 1
			}
		}, "FSPN|record|facades"},
		{"tax", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, core)
			s.cols[i].Tax[k] ^= 0x10
		}, "FSPN|record|step edges"},
		{"clearance of walls", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, core)
			s.cols[i].ClrDrop[k]++
		}, "FSPN|record|walls take"},
		{"medial", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, func(r *bnav.Record, c *bnvf.Columns, k int) bool {
				return core(r, c, k) && r.Clr-c.ClrDrop[k] > 4 && r.Clr < 2304
			})
			s.cols[i].Medial[k] ^= 1
		}, "FSPN|record|medial bit"},
		{"graph", false, func(t *testing.T, s *deepSet) {
			for i := range s.graphs {
				if g := &s.graphs[i]; len(g.Edges) > 0 {
					g.Edges = g.Edges[1:]
					return
				}
			}
			t.Fatal("no graph with a way")
		}, "FSCC||no way from component"},
		{"walls", false, func(t *testing.T, s *deepSet) {
			i := slices.IndexFunc(s.walls, func(w bnvf.Wall) bool { return len(w.Regions) > 0 })
			s.walls[i].Regions = nil
		}, "FWAL|record|is a wall for regions"},
		{"landing", false, func(t *testing.T, s *deepSet) {
			s.links[0].Lo.Declared += 1. / 64
		}, "FLNK|record|landing of off-mesh link 0: low end"},
		{"landing missing", false, func(t *testing.T, s *deepSet) {
			s.links = nil
		}, "FLNK||no landing of off-mesh link 0"},
		{"opening", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, func(r *bnav.Record, _ *bnvf.Columns, _ int) bool { return r.Flags == bnav.Dead })
			s.opens = append(s.opens, s.opening(i, k, 1))
		}, "FOPN|record|an opening at"},
		{"drop", false, func(t *testing.T, s *deepSet) {
			x, err := annex.EncodeDrops([][]annex.Drop{{{From: 1, To: 2}}})
			if err != nil {
				t.Fatal(err)
			}
			s.fields.Extra = append(s.fields.Extra, x)
		}, "WDRP||a drop from region 1 to 2"},
		{"vertex", true, func(t *testing.T, s *deepSet) {
			s.content.Vertices = slices.Clone(s.content.Vertices)
			s.content.Vertices[0].H += 0.25
		}, "BGRD|record|height"},
		{"surface", true, func(t *testing.T, s *deepSet) {
			s.content.Surfaces = slices.Clone(s.content.Surfaces)
			s.content.Surfaces[0].Flags = 2
		}, "BGRD||want 0"},
		{"far vertex", true, func(t *testing.T, s *deepSet) {
			s.content.Vertices = slices.Clone(s.content.Vertices)
			s.content.Vertices[1].U = 1e5
		}, "BGRD||2 tiles, the triangles reach over"},
		{"layers upon layers", true, func(t *testing.T, s *deepSet) {
			c := &s.content
			c.Zones = slices.Clone(c.Zones)
			for range 3000 {
				tri := c.Triangles[0]
				tri.N = [3]int32{-1, -1, -1}
				c.Triangles = append(c.Triangles, tri)
				c.Surfaces = append(c.Surfaces, c.Surfaces[0])
				c.Components = append(c.Components, math.MaxUint32)
			}
			c.Components = nil
			c.Zones[0].TriCount += 3000
		}, "BGRD||the triangles cover about"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := unpack(t, res)
			c.change(t, s)
			set := s.pack(t, !c.onlyGrid)
			faults, err := verify.Pack(t.Context(), set, "yard.nav", &verify.Options{Deep: true, Own: true})
			if err != nil {
				t.Fatal(err)
			}
			found := rebaked(faults)
			if c.onlyGrid {
				faults = slices.DeleteFunc(faults, func(f verify.Fault) bool { return f.Kind == "ErrMissing" }) // the fields
			}
			if len(found) != len(faults) {
				t.Errorf("other rules are broken as well: %v", faults)
			}
			want := strings.SplitN(c.want, "|", 3)
			if !slices.ContainsFunc(found, func(f verify.Fault) bool {
				return f.Section == want[0] && strings.Contains(f.Item, want[1]) && strings.Contains(f.Message, want[2])
			}) {
				t.Errorf("got %v, want %s", faults, c.want)
			}
			for _, f := range found {
				if f.Offset == 0 && c.name != "landing missing" || f.Zone != "yard" && f.Section != "FLNK" {
					t.Errorf("%v does not tell where", f)
				}
			}
		})
	}
}

// What is wrong already is not explained a second time.
func TestRecomputeSkipped(t *testing.T) {
	res := bakedYard(t)
	s := unpack(t, res)
	i, k := s.find(t, core)
	s.recs[i][k].Clr += 300
	if f := rebaked(deepFaults(t, s.pack(t, true), true)); len(f) > 0 {
		t.Errorf("with a fault in the grid: %v", f)
	}
	s = unpack(t, res)
	s.cols[i].Component[k] = 0
	s.cols[i].Tax[k] ^= 0x10
	if f := rebaked(deepFaults(t, s.pack(t, true), true)); len(f) > 0 {
		t.Errorf("with a fault in the sidecar: %v", f)
	}
	s.recs[i][k].H += 1. / 64
	if f := rebaked(deepFaults(t, s.pack(t, true), true)); len(f) != 1 || f[0].Section != "BGRD" {
		t.Errorf("with a fault in the sidecar and one that only a second bake finds in the grid: %v", f)
	}
	if f := rebaked(deepFaults(t, s.pack(t, true), false)); len(f) > 0 {
		t.Errorf("in a pack of others: %v", f)
	}
}

// A tile that is wrong throughout does not drown the others.
func TestRecomputeFew(t *testing.T) {
	s := unpack(t, bakedYard(t))
	for i := range s.recs {
		for k := range s.recs[i] {
			s.recs[i][k].H += 1. / 64
		}
	}
	f := rebaked(deepFaults(t, s.pack(t, false), true))
	perTile := map[string]int{}
	for _, f := range f {
		item, _, _ := strings.Cut(f.Item, ",")
		perTile[item]++
	}
	if len(perTile) < 2 || len(f) > 3*len(perTile) || !strings.Contains(f[2].Message, "more differences") {
		t.Errorf("%d faults in %d tiles: %v", len(f), len(perTile), f)
	}
}

// A pack without sidecar is compared as far as it goes: that it has none is all that
// is wrong with it.
func TestRecomputeGridAlone(t *testing.T) {
	s := unpack(t, bakedYard(t))
	if f := deepFaults(t, s.pack(t, false), true); kinds(f) != "ErrMissing " {
		t.Errorf("%v", f)
	}
	set := fstest.MapFS{"yard.nav": &fstest.MapFile{Data: bakedYard(t).Main}}
	if f := deepFaults(t, set, true); kinds(f) != "ErrMissing " {
		t.Errorf("as baked: %v", f)
	}
}

// sameCell returns the records of the cell and region of record k.
func (s *deepSet) sameCell(tile, k int) (list []int) {
	r := s.recs[tile][k]
	for j, o := range s.recs[tile] {
		if o.Cell == r.Cell && o.Region == r.Region {
			list = append(list, j)
		}
	}
	return list
}

// drop takes record k out of a tile.
func (s *deepSet) drop(tile, k int) {
	s.recs[tile] = slices.Delete(s.recs[tile], k, k+1)
	c := &s.cols[tile]
	c.Component, c.StepsXor, c.Seg = slices.Delete(c.Component, k, k+1), slices.Delete(c.StepsXor, k, k+1), slices.Delete(c.Seg, k, k+1)
	c.Tax, c.ClrDrop, c.Medial = slices.Delete(c.Tax, k, k+1), slices.Delete(c.ClrDrop, k, k+1), slices.Delete(c.Medial, k, k+1)
}

// insertColumns repeats the columns of record k behind it.
func (s *deepSet) insertColumns(tile, k int) {
	c := &s.cols[tile]
	c.Component, c.StepsXor = slices.Insert(c.Component, k, c.Component[k]), slices.Insert(c.StepsXor, k, c.StepsXor[k])
	c.Seg, c.Tax = slices.Insert(c.Seg, k, c.Seg[k]), slices.Insert(c.Tax, k, c.Tax[k])
	c.ClrDrop, c.Medial = slices.Insert(c.ClrDrop, k, c.ClrDrop[k]), slices.Insert(c.Medial, k, c.Medial[k])
}
