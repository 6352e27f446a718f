package bnvf

import (
	"cmp"
	"fmt"
	"slices"

	"wend/pack"
)

// Graphs are the component graphs of a zone's regions, decoded.
type Graphs struct {
	list  []graph  // by region
	start []uint32 // per region: first target of component 0, 1, ..., and the end
	to    []uint32
}

type graph struct {
	region, components uint32
	start              int // index in start of component 0
}

// Regions returns the regions that have a graph, ascending.
func (g *Graphs) Regions() []uint32 {
	ids := make([]uint32, len(g.list))
	for i := range g.list {
		ids[i] = g.list[i].region
	}
	return ids
}

func (g *Graphs) find(region uint32) (*graph, bool) {
	i, ok := slices.BinarySearchFunc(g.list, region, func(r graph, id uint32) int { return cmp.Compare(r.region, id) })
	if !ok {
		return nil, false
	}
	return &g.list[i], true
}

// Components returns how many components a region has; they are numbered from
// 1. The second result is false where the region is unknown.
func (g *Graphs) Components(region uint32) (uint32, bool) {
	r, ok := g.find(region)
	if !ok {
		return 0, false
	}
	return r.components, true
}

// Next returns the components that component c of a region steps to,
// ascending, not copied; nil where there is no such region or component.
func (g *Graphs) Next(region, c uint32) []uint32 {
	r, ok := g.find(region)
	if !ok || c == 0 || c > r.components {
		return nil
	}
	return g.to[g.start[r.start+int(c)]:g.start[r.start+int(c)+1]]
}

// Region returns a region's graph as a list of edges.
func (g *Graphs) Region(region uint32) (RegionGraph, bool) {
	r, ok := g.find(region)
	if !ok {
		return RegionGraph{}, false
	}
	out := RegionGraph{Region: region, Components: r.components}
	for c := uint32(1); c <= r.components; c++ {
		for _, to := range g.Next(region, c) {
			out.Edges = append(out.Edges, Edge{c, to})
		}
	}
	return out, true
}

// Set is a set of components, a bit each; bit 0 is never set.
type Set []uint64

// Has reports whether c is in the set.
func (s Set) Has(c uint32) bool { return int(c>>6) < len(s) && s[c>>6]>>(c&63)&1 != 0 }

// Reach returns the components that can be reached from a component of a
// region, itself included. An unknown region or component is an error that
// wraps pack.ErrRange. Time is linear in the region's graph.
func (g *Graphs) Reach(region, from uint32) (Set, error) {
	r, ok := g.find(region)
	if !ok {
		return nil, fmt.Errorf("bnvf: reach: %w: region %d has no component graph", pack.ErrRange, region)
	}
	if from == 0 || from > r.components {
		return nil, fmt.Errorf("bnvf: reach: %w: component %d of region %d, want 1 to %d", pack.ErrRange, from, region, r.components)
	}
	set := make(Set, int(r.components)>>6+1)
	set[from>>6] |= 1 << (from & 63)
	stack := []uint32{from}
	for len(stack) > 0 {
		c := int(stack[len(stack)-1])
		stack = stack[:len(stack)-1]
		for _, to := range g.to[g.start[r.start+c]:g.start[r.start+c+1]] {
			if !set.Has(to) {
				set[to>>6] |= 1 << (to & 63)
				stack = append(stack, to)
			}
		}
	}
	return set, nil
}

// Graphs decodes the component graphs of a zone. They were checked by the
// load. Memory is 4 bytes a component and an edge, and 16 a region.
func (f *Fields) Graphs(zone int) (*Graphs, error) {
	z := &f.Zones[zone]
	where := f.where("FSCC", zone)
	r := pack.NewReader(where, z.graphs.b, z.graphs.offset)
	count := r.Uvarint32()
	if r.Err() == nil && uint64(count) > uint64(z.GlobalRegions)+1 {
		r.FailAt(0, pack.ErrLimit, "%d graphs, the zone has %d regions", count, z.GlobalRegions)
	}
	if !r.Items(uint64(count), 4, "graphs") {
		return nil, r.Err()
	}
	var (
		g          = &Graphs{list: make([]graph, 0, count)}
		inf        pack.Inflater
		buf        []byte
		components = uint64(0)
	)
	for i := range int(count) {
		r.SetWhere(where.In("graph", i))
		pos := r.Pos()
		region, n, edges := r.Uvarint(), r.Uvarint(), r.Uvarint()
		if f.Flags&flagExtra != 0 {
			for range 4 {
				r.Uvarint()
			}
		}
		if r.Err() != nil {
			return nil, r.Err()
		}
		// A component without records is odd but does no harm; components
		// without bounds would.
		components += min(n, 1<<32)
		switch {
		case region > uint64(z.GlobalRegions):
			r.FailAt(pos, pack.ErrRange, "region %d, the zone has %d", region, z.GlobalRegions)
		case n == 0:
			r.FailAt(pos, pack.ErrRange, "region %d has no component, want at least 1", region)
		case n > z.records || components > z.records+pack.Expansion(uint64(len(z.graphs.b))):
			r.FailAt(pos, pack.ErrLimit, "%d components in region %d, %d so far, in %d records", n, region, components, z.records)
		case edges > pack.Expansion(uint64(r.Len()))/2:
			r.FailAt(pos, pack.ErrLimit, "%d edges cannot be in %d bytes", edges, r.Len())
		case int64(len(g.to))*4+int64(edges)*4 > f.maxBytes:
			r.FailAt(pos, pack.ErrLimit, "%d edges: graphs of more than %d bytes", edges, f.maxBytes)
		}
		var num pack.Numbers
		num, buf = r.Numbers(&inf, buf, 0, 2*edges, 20*edges)
		if r.Err() != nil {
			return nil, r.Err()
		}
		g.list = append(g.list, graph{uint32(region), uint32(n), len(g.start)})
		if err := g.edges(&num, uint32(n), edges); err != nil {
			return nil, err
		}
	}
	r.SetWhere(where)
	if r.Done() != nil {
		return nil, r.Err()
	}
	slices.SortFunc(g.list, func(a, b graph) int { return cmp.Compare(a.region, b.region) })
	for i := 1; i < len(g.list); i++ {
		if g.list[i].region == g.list[i-1].region {
			return nil, where.At(z.graphs.offset, pack.ErrDuplicate, "region %d has two graphs", g.list[i].region)
		}
	}
	return g, nil
}

// edges appends a region's edges.
func (g *Graphs) edges(num *pack.Numbers, components uint32, edges uint64) error {
	first := len(g.start)
	g.start = append(g.start, make([]uint32, components+2)...)
	start := g.start[first:]
	from, last := uint64(0), uint64(0)
	next := 0 // component whose start is to be set
	for range edges {
		step, to := num.Next(), num.Next()
		switch {
		case num.Err() != nil:
		case step > uint64(components)-from || from+step == 0 || to == 0 || to > uint64(components):
			num.Fail(pack.ErrRange, "edge from %d+%d to %d, want 1 to %d", from, step, to, components)
		case step == 0 && to <= last:
			num.Fail(pack.ErrOrder, "edge from %d to %d after the one to %d", from, to, last)
		case from+step == to:
			num.Fail(pack.ErrOrder, "edge from %d to itself", to)
		}
		if err := num.Err(); err != nil {
			return err
		}
		from, last = from+step, to
		for ; next <= int(from); next++ {
			start[next] = uint32(len(g.to))
		}
		g.to = append(g.to, uint32(to))
	}
	for ; next < len(start); next++ {
		start[next] = uint32(len(g.to))
	}
	return num.Done()
}
