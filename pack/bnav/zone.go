package bnav

import (
	"cmp"
	"context"
	"math"
	"slices"

	"wend/pack"
)

// zoneGeometry reads what one zone needs: its triangle chunks, then the vertex
// chunks those refer to, then the link chunks that may hold its links.
func (l *loader) zoneGeometry(ctx context.Context, name string) error {
	g, err := l.openGeometry()
	if err != nil {
		return err
	}
	p := l.pack
	at := slices.IndexFunc(p.Table, func(z Zone) bool { return z.Name == name })
	if at < 0 {
		return l.where("BGEO").At(0, pack.ErrMissing, "zone %q", name)
	}
	zone := p.Table[at]
	if zone.IsTier() {
		return l.where("BGEO").At(0, pack.ErrMissing, "zone %q is a tier of zone id %d and has no triangles", name, zone.Components)
	}
	p.ZoneName, p.FirstTri = name, zone.FirstTri
	for _, z := range p.Table {
		switch {
		case z.ID == zone.ID:
			z.FirstTri = 0
		case z.IsTier() && z.Components == uint32(zone.ID):
			z.FirstTri, z.TriCount = 0, 0
		default:
			continue
		}
		p.Zones = append(p.Zones, z)
	}
	r := g.triangles.geo
	if !l.take(r, uint64(zone.TriCount), 28, "triangles") {
		return r.Err()
	}
	if err := l.zoneTriangles(ctx, &g.triangles, zone); err != nil {
		return err
	}
	if err := l.zoneVertices(ctx, &g.vertices); err != nil {
		return err
	}
	return l.zoneLinks(ctx, &g.links, zone)
}

// overlap is the part of a chunk inside from..to, relative to the chunk.
func (c chunk) overlap(from, to uint64) (a, b uint64) {
	first := uint64(c.first)
	return max(from, first) - first, min(to, first+uint64(c.n)) - first
}

// zoneTriangles decodes the zone's triangles, cuts neighbours outside the zone
// and counts the others from its first.
func (l *loader) zoneTriangles(ctx context.Context, t *table, zone Zone) error {
	p := l.pack
	if zone.TriCount == 0 {
		return nil
	}
	from := uint64(zone.FirstTri)
	to := from + uint64(zone.TriCount)
	chunk0 := int(from / uint64(t.size))
	n := int((to-1)/uint64(t.size)) + 1 - chunk0
	p.Triangles = make([]Triangle, zone.TriCount)
	comps := make([]uint32, zone.TriCount)
	work := l.scratch(n)
	err := pack.Parallel(ctx, l.opts.Workers, n, func(w, i int) error {
		c := t.chunk(chunk0 + i)
		a, b := c.overlap(from, to)
		at := uint64(c.first) + a - from
		if a == 0 && b == uint64(c.n) {
			return t.decodeTriangles(&work[w], chunk0+i, p.VertexTotal, p.Triangles[at:][:c.n], comps[at:][:c.n])
		}
		tris, ids := make([]Triangle, c.n), make([]uint32, c.n)
		if err := t.decodeTriangles(&work[w], chunk0+i, p.VertexTotal, tris, ids); err != nil {
			return err
		}
		copy(p.Triangles[at:], tris[a:b])
		copy(comps[at:], ids[a:b])
		return nil
	})
	if err != nil {
		return err
	}
	p.Decoded.Triangles = n
	if l.opts.Components {
		p.Components = comps
	}
	for i := range p.Triangles {
		tri := &p.Triangles[i]
		for k, nb := range tri.N {
			if uint64(nb) < from || uint64(nb) >= to { // -1 becomes the largest number
				tri.N[k] = -1
			} else {
				tri.N[k] = nb - int32(from)
			}
		}
	}
	return nil
}

// zoneVertices decodes the range of vertices that the loaded triangles use and
// makes the triangles count from its first.
func (l *loader) zoneVertices(ctx context.Context, t *table) error {
	p := l.pack
	if len(p.Triangles) == 0 {
		return nil
	}
	lo, hi := uint32(math.MaxUint32), uint32(0)
	for i := range p.Triangles {
		for _, v := range p.Triangles[i].V {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	from, to := uint64(lo), uint64(hi)+1
	if !l.take(t.geo, to-from, 12, "vertices") {
		return t.geo.Err()
	}
	chunk0 := int(from / uint64(t.size))
	n := int((to-1)/uint64(t.size)) + 1 - chunk0
	p.FirstVertex = lo
	p.Vertices = make([]Vertex, to-from)
	work := l.scratch(n)
	err := pack.Parallel(ctx, l.opts.Workers, n, func(w, i int) error {
		c := t.chunk(chunk0 + i)
		a, b := c.overlap(from, to)
		at := uint64(c.first) + a - from
		if a == 0 && b == uint64(c.n) {
			return t.decodeVertices(&work[w], chunk0+i, p.Vertices[at:][:c.n])
		}
		vs := make([]Vertex, c.n)
		if err := t.decodeVertices(&work[w], chunk0+i, vs); err != nil {
			return err
		}
		copy(p.Vertices[at:], vs[a:b])
		return nil
	})
	if err != nil {
		return err
	}
	p.Decoded.Vertices = n
	for i := range p.Triangles {
		for k := range p.Triangles[i].V {
			p.Triangles[i].V[k] -= lo
		}
	}
	return nil
}

// zoneLinks decodes the chunks that can hold links from the zone's triangles
// and keeps those that stay inside the zone.
func (l *loader) zoneLinks(ctx context.Context, t *table, zone Zone) error {
	p := l.pack
	if err := t.checkSources(); err != nil {
		return err
	}
	if zone.TriCount == 0 {
		return nil
	}
	from := uint64(zone.FirstTri)
	to := from + uint64(zone.TriCount)
	// A chunk whose successor starts at a source may itself end with links
	// from it, so the walk goes on only while the next one starts before it.
	walk := func(source uint64) int {
		i := 0
		for i+1 < t.chunks() && uint64(t.chunk(i+1).aux) < source {
			i++
		}
		return i
	}
	chunk0 := walk(from)
	n := walk(to) + 1 - chunk0
	total := uint64(0)
	for i := range n {
		total += uint64(t.chunk(chunk0 + i).n)
	}
	if !l.take(t.geo, total, 8, "links") {
		return t.geo.Err()
	}
	links := make([]Link, total)
	first := t.chunk(chunk0).first
	work := l.scratch(n)
	err := pack.Parallel(ctx, l.opts.Workers, n, func(w, i int) error {
		c := t.chunk(chunk0 + i)
		return t.decodeLinks(&work[w], chunk0+i, links[c.first-first:][:c.n])
	})
	if err != nil {
		return err
	}
	p.Decoded.Links = n
	if err := checkBorders(t.geo.Where(), t.dir.Offset(), links, int(first)); err != nil {
		return err
	}
	lower := func(source uint64) int {
		i, _ := slices.BinarySearchFunc(links, source, func(k Link, s uint64) int { return cmp.Compare(uint64(k.Source), s) })
		return i
	}
	links = links[lower(from):lower(to)]
	kept := make([]Link, 0, len(links)) // not the decoded array, which may be much longer
	for i, k := range links {
		if uint64(k.Target) >= from && uint64(k.Target) < to {
			kept = append(kept, Link{k.Source - uint32(from), k.Target - uint32(from)})
		} else if k.Target >= p.TriangleTotal {
			if l.opts.Strict {
				return t.geo.Where().In("link", int(first)+i).At(t.dir.Offset(), pack.ErrRange, "target %d in a pack of %d triangles", k.Target, p.TriangleTotal)
			}
			p.LinksDropped++
		}
	}
	p.Links = kept
	return nil
}
