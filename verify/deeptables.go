package verify

import (
	"math"
	"slices"

	"wend/pack"
	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// checkComponents checks the graphs of the zone. complete tells that no record
// of the zone was lost.
func (z *deepZone) checkComponents(complete bool) {
	if z.graphs == nil {
		return
	}
	at := sectionOffset(z.d.f.Sections, "FSCC")
	var missing, disorder, cyclic numbers
	var where [3]uint32 // region of each first
	for _, region := range z.graphs.Regions() {
		n, _ := z.graphs.Components(region)
		m, d := z.components.check(int(z.slot[region]), int(n))
		for i, found := range []*numbers{&missing, &disorder} {
			if got := [2]numbers{m, d}[i]; got.n > 0 {
				if found.n == 0 {
					where[i], found.first = region, got.first-int(z.slot[region])+1
				}
				found.n += got.n
			}
		}
		if c := cycle(z.graphs, region, n); c != 0 {
			if cyclic.n == 0 {
				where[2], cyclic.first = region, int(c)
			}
			cyclic.n++
		}
	}
	if complete && missing.n > 0 {
		z.fault(ofFields, "FSCC", at, pack.ErrMissing, "component %d of region %d has no record%s", missing.first, where[0], missing.more())
	}
	if complete && z.d.own && disorder.n > 0 {
		z.fault(ofFields, "FSCC", at, pack.ErrOrder, "component %d of region %d starts before component %d%s",
			disorder.first, where[1], disorder.first-1, disorder.more())
	}
	if cyclic.n > 0 {
		z.fault(ofFields, "FSCC", at, pack.ErrOrder, "a way leads out of component %d of region %d and back: they would be one%s",
			cyclic.first, where[2], cyclic.more())
	}
}

// cycle returns a component of a region that can be left and entered again, 0
// where there is none. It walks the graph depth first, O(components + edges).
func cycle(g *bnvf.Graphs, region, n uint32) uint32 {
	const (
		unseen = iota
		open   // on the way that is being walked
		done
	)
	type step struct {
		c    uint32
		next []uint32
	}
	state := make([]uint8, n+1)
	var way []step
	for start := uint32(1); start <= n; start++ {
		if state[start] != unseen {
			continue
		}
		state[start] = open
		way = append(way[:0], step{start, g.Next(region, start)})
		for len(way) > 0 {
			top := &way[len(way)-1]
			if len(top.next) == 0 {
				state[top.c] = done
				way = way[:len(way)-1]
				continue
			}
			to := top.next[0]
			top.next = top.next[1:]
			switch state[to] {
			case open:
				return to
			case unseen:
				state[to] = open
				way = append(way, step{to, g.Next(region, to)})
			}
		}
	}
	return 0
}

// checkOpenings checks that each opening opens something, once.
func (z *deepZone) checkOpenings() {
	at := sectionOffset(z.d.f.Sections, "FOPN")
	for i := range z.openings {
		o := &z.openings[i]
		fault := func(kind error, format string) {
			z.fault(ofFields, "FOPN", at, kind, "opening of cell (%d, %d) at %v: "+format, o.GX, o.GY, o.H)
		}
		switch {
		case i > 0 && bnvf.CompareOpenings(z.openings[i-1], *o) == 0:
			fault(pack.ErrDuplicate, "it stands there twice")
		case z.opened[i] == openNothing:
			fault(pack.ErrMissing, "no such record")
		case z.opened[i] == openCore:
			fault(pack.ErrRange, "the record is core already")
		}
		if o.Clr == 0 {
			fault(pack.ErrRange, "no clearance")
		}
	}
}

// land finds the ground of a landing among the records of its cell: the core
// record nearest to the declared height inside the band, or why there is none.
func (z *deepZone) land(l *landingSide, recs []bnav.Record, cols *bnvf.Columns, from, to int) ground {
	landing := &z.d.f.Landings[l.landing]
	side := [2]*bnvf.Side{&landing.Lo, &landing.Hi}[l.side]
	best := ground{why: bnvf.WhyNoSurface}
	least := math.Inf(1)
	for k := from; k < to; k++ {
		r := recs[k]
		if r.Flags&bnav.Fill != 0 {
			continue
		}
		if best.why == bnvf.WhyNoSurface {
			best.why = bnvf.WhyNoBand
		}
		off := math.Abs(float64(r.H) - float64(side.Declared))
		if off > z.band {
			continue
		}
		if cols != nil {
			r.Clr -= cols.ClrDrop[k]
		}
		if r.Flags&bnav.Core == 0 {
			if i, ok := slices.BinarySearchFunc(z.openings, bnvf.Opening{GX: l.gx, GY: l.gy, H: r.H}, bnvf.CompareOpenings); ok {
				r.Flags |= z.openings[i].Flags
				r.Clr = max(r.Clr, z.openings[i].Clr)
			}
		}
		why := uint8(bnvf.WhyNotCore)
		if r.Flags&bnav.Core != 0 {
			why = bnvf.WhyUsable
		}
		// Core before not core, then the nearest, then the first.
		if better := why == bnvf.WhyUsable && best.why != bnvf.WhyUsable; better || why == best.why && off < least || best.why == bnvf.WhyNoBand {
			best, least = ground{why, r.H, r.Region, r.Clr, r.Flags}, off
		}
	}
	return best
}

// finish checks the landings.
func (d *deepPack) finish() {
	// What was lost for another fault would show here again.
	if d.f == nil || d.lost {
		return
	}
	at := sectionOffset(d.f.Sections, "FLNK")
	for i := range d.f.Landings {
		l := &d.f.Landings[i]
		where := pack.Where{File: d.f.Name, Section: "FLNK"}.In("record", i)
		fault := func(kind error, format string, args ...any) {
			d.c.add(ofFields, d.f.Name, where.At(at, kind, format, args...))
		}
		if int(l.OffMesh) < len(d.p.OffMesh) {
			if what := differs(l, &d.p.OffMesh[l.OffMesh], d.p.OffMeshVersion); what != "" {
				fault(pack.ErrPairing, "%s is not that of off-mesh link %d", what, l.OffMesh)
			}
		}
		if !d.own {
			continue // which ground a landing takes is for its writer to choose
		}
		for k, s := range [2]*bnvf.Side{&l.Lo, &l.Hi} {
			g := &d.ends[i][k]
			name := [2]string{"low", "high"}[k]
			switch {
			case s.Why != g.why:
				fault(pack.ErrRange, "%s end in cell (%d, %d) has reason %d, the grid says %d", name, s.GX, s.GY, s.Why, g.why)
			case math.Float32bits(s.H) != math.Float32bits(g.h) || s.Region != g.region || s.Clr != g.clr || s.Flags != g.flags:
				fault(pack.ErrRange, "%s end in cell (%d, %d) stands at %v on region %d, clearance %d, flags %#02x; the grid has %v, %d, %d, %#02x",
					name, s.GX, s.GY, s.H, s.Region, s.Clr, s.Flags, g.h, g.region, g.clr, g.flags)
			}
		}
	}
}

// differs names the first number of a landing that is not that of its off-mesh
// link, "" for none. The way back may be what the link says itself or, as our
// bake has it, what the directions that were found usable say.
func differs(l *bnvf.Landing, o *bnav.OffMeshLink, version int) string {
	back, declared := l.Bidirectional != 0, o.Bidirectional != 0
	usable := declared
	if version >= 2 {
		usable = o.DirOK == 3
	}
	switch {
	case l.ZoneID != o.ZoneID:
		return "zone id"
	case l.Kind != o.Kind:
		return "kind"
	case l.IsExt != o.IsExt:
		return "extension flag"
	case l.Area != o.Area:
		return "area"
	case l.LinkType != o.LinkType:
		return "link type"
	case l.Direction != o.Direction:
		return "direction"
	case l.Radius != o.Radius:
		return "radius"
	case l.CostModifier != o.CostModifier:
		return "cost"
	case back != declared && back != usable:
		return "way back"
	}
	return ""
}
