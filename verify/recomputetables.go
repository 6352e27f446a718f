package verify

import (
	"cmp"
	"fmt"
	"slices"

	"wend/pack"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// tables compares the tables of the sidecar.
func (b *rebake) tables() error {
	got, want := b.d.f, b.f
	if len(got.Zones) != len(want.Zones) {
		b.d.recomputeFault(ofFields, "FSPN", "", "%d zones, want %d", len(got.Zones), len(want.Zones))
	}
	for i := range got.Zones {
		name := got.Zones[i].Name
		k := want.ZoneIndex(name)
		if k < 0 {
			continue
		}
		if err := b.graphs(name, i, k); err != nil {
			return err
		}
		if err := b.walls(name, i, k); err != nil {
			return err
		}
	}
	b.landings()
	b.openings()
	return b.drops()
}

// report adds the differences of a table.
func (b *rebake) report(section, zone string, s *differences) {
	f := b.d.f
	for i := range s.list {
		where := pack.Where{File: f.Name, Section: section, Zone: zone}
		if s.item[i] >= 0 {
			where = where.In("record", s.item[i])
		}
		b.d.c.addFault(ofFields, newFault(f.Name, where.At(sectionOffset(f.Sections, section), pack.ErrRecompute, "%s", s.text(i))))
	}
}

// merge walks two sorted tables and calls do with the indices of entries of the
// same key; an entry without partner has -1 in place of the other index.
func merge[T any](a, b []T, compare func(x, y *T) int, do func(i, k int)) {
	for i, k := 0, 0; i < len(a) || k < len(b); {
		order := 0
		switch {
		case i == len(a):
			order = 1
		case k == len(b):
			order = -1
		default:
			order = compare(&a[i], &b[k])
		}
		switch {
		case order < 0:
			do(i, -1)
			i++
		case order > 0:
			do(-1, k)
			k++
		default:
			do(i, k)
			i, k = i+1, k+1
		}
	}
}

func (b *rebake) graphs(zone string, i, k int) error {
	got, err := b.d.f.Graphs(i)
	if err != nil {
		return err
	}
	want, err := b.f.Graphs(k)
	if err != nil {
		return err
	}
	var s differences
	x, y := got.Regions(), want.Regions()
	merge(x, y, func(a, b *uint32) int { return cmp.Compare(*a, *b) }, func(i, k int) {
		switch {
		case k < 0:
			s.add(-1, "graph of region %d, want none", x[i])
			return
		case i < 0:
			s.add(-1, "no graph of region %d, want one", y[k])
			return
		}
		g, _ := got.Region(x[i])
		w, _ := want.Region(y[k])
		if g.Components != w.Components {
			s.add(-1, "%d components of region %d, want %d", g.Components, g.Region, w.Components)
		}
		compareEdges := func(a, b *bnvf.Edge) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) }
		merge(g.Edges, w.Edges, compareEdges, func(i, k int) {
			switch {
			case k < 0:
				s.add(-1, "a way from component %d to %d of region %d, want none", g.Edges[i].From, g.Edges[i].To, g.Region)
			case i < 0:
				s.add(-1, "no way from component %d to %d of region %d, want one", w.Edges[k].From, w.Edges[k].To, g.Region)
			}
		})
	})
	b.report("FSCC", zone, &s)
	return nil
}

func wallList(w *bnvf.Walls) []bnvf.Wall {
	list := make([]bnvf.Wall, w.Len())
	for i := range list {
		list[i] = w.At(i)
	}
	return list
}

func (b *rebake) walls(zone string, i, k int) error {
	x, err := b.d.f.Walls(i)
	if err != nil {
		return err
	}
	y, err := b.f.Walls(k)
	if err != nil {
		return err
	}
	var s differences
	got, want := wallList(x), wallList(y)
	merge(got, want, func(a, b *bnvf.Wall) int { return cmp.Compare(a.Key, b.Key) }, func(i, k int) {
		switch {
		case k < 0:
			s.add(i, "edge %d of triangle %d, which is no boundary edge", got[i].Key%3, got[i].Key/3)
		case i < 0:
			s.add(-1, "edge %d of triangle %d is missing", want[k].Key%3, want[k].Key/3)
		case !slices.Equal(got[i].Regions, want[k].Regions):
			s.add(i, "edge %d of triangle %d is a wall for regions %v, want %v", got[i].Key%3, got[i].Key/3, got[i].Regions, want[k].Regions)
		}
	})
	b.report("FWAL", zone, &s)
	return nil
}

func (b *rebake) landings() {
	var s differences
	got, want := b.d.f.Landings, b.f.Landings
	compare := func(a, b *bnvf.Landing) int {
		return cmp.Or(cmp.Compare(a.ZoneID, b.ZoneID), cmp.Compare(a.OffMesh, b.OffMesh))
	}
	merge(got, want, compare, func(i, k int) {
		switch {
		case k < 0:
			s.add(i, "a landing of off-mesh link %d, want none", got[i].OffMesh)
		case i < 0:
			s.add(-1, "no landing of off-mesh link %d, want one", want[k].OffMesh)
		case got[i] != want[k]:
			s.add(i, "landing of off-mesh link %d: %s", got[i].OffMesh, landingDifference(&got[i], &want[k]))
		}
	})
	b.report("FLNK", "", &s)
}

// landingDifference says in what two landings of a link differ.
func landingDifference(got, want *bnvf.Landing) string {
	for k, side := range [2][2]*bnvf.Side{{&got.Lo, &want.Lo}, {&got.Hi, &want.Hi}} {
		if g, w := side[0], side[1]; *g != *w {
			return fmt.Sprintf("%s end %+v, want %+v", [2]string{"low", "high"}[k], *g, *w)
		}
	}
	g, w := *got, *want
	g.Lo, g.Hi, w.Lo, w.Hi = bnvf.Side{}, bnvf.Side{}, bnvf.Side{}, bnvf.Side{}
	return fmt.Sprintf("%+v, want %+v", g, w)
}

func (b *rebake) openings() {
	for i := range b.d.p.Zones {
		z := &b.d.p.Zones[i]
		if z.IsTier() {
			continue
		}
		var s differences
		got, want := b.d.f.ZoneOpenings(z.ID), b.f.ZoneOpenings(z.ID)
		merge(got, want, func(a, b *bnvf.Opening) int { return bnvf.CompareOpenings(*a, *b) }, func(i, k int) {
			switch {
			case k < 0:
				s.add(i, "an opening at %v in cell (%d, %d), want none", got[i].H, got[i].GX, got[i].GY)
			case i < 0:
				s.add(-1, "no opening at %v in cell (%d, %d), want one", want[k].H, want[k].GX, want[k].GY)
			case got[i] != want[k]:
				s.add(i, "opening at %v in cell (%d, %d) with clearance %d, flags %#02x, source %#02x; want %d, %#02x, %#02x", got[i].H,
					got[i].GX, got[i].GY, got[i].Clr, got[i].Flags, got[i].Src, want[k].Clr, want[k].Flags, want[k].Src)
			}
		})
		b.report("FOPN", z.Name, &s)
	}
}

// drops compares the region drops, where the pack tells them.
func (b *rebake) drops() error {
	got, err := annex.ReadDrops(b.d.f)
	if err != nil || got == nil {
		return nil // the fault was named, or there are none to compare
	}
	want, err := annex.ReadDrops(b.f)
	if err != nil || want == nil {
		return err
	}
	for zi := range b.d.p.Grid.Zones {
		name := b.d.p.Grid.Zones[zi].Name
		again := slices.IndexFunc(b.p.Grid.Zones, func(z bnav.GridZone) bool { return z.Name == name })
		if again < 0 {
			continue
		}
		var s differences
		x, y := got.All(zi, nil), want.All(again, nil)
		compare := func(a, b *annex.Drop) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) }
		merge(x, y, compare, func(i, k int) {
			switch {
			case k < 0:
				s.add(-1, "a drop from region %d to %d, want none", x[i].From, x[i].To)
			case i < 0:
				s.add(-1, "no drop from region %d to %d, want one", y[k].From, y[k].To)
			}
		})
		b.report(annex.TagDrops, name, &s)
	}
	return nil
}
