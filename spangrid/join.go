package spangrid

import (
	"context"
	"fmt"
	"slices"
)

// A Joined is the graph of a region's components.
type Joined struct {
	Components uint32 // numbered from 1, by their least records
	Edges      []Edge // ascending and distinct; without a cycle

	// Number has the component of the region for each component of each part:
	// Number[p][c-1] for component c of part p.
	Number [][]uint32
}

// JoinComponents puts the parts of one region together. What comes out depends on
// the region alone: not on how it was cut into tiles, nor on their order. An
// error says what of the parts contradicts itself; a step that leads to no record
// on a rim is one.
//
// Memory is, beside the parts, 28 bytes a component of a part, 12 a step between
// them, and 20 a record on a rim; time is linear but for sorting.
func JoinComponents(ctx context.Context, parts []*Part) (*Joined, error) {
	base := make([]int, len(parts)+1) // first node of each part; a node is a component of a part
	for i, p := range parts {
		base[i+1] = base[i] + len(p.First)
	}
	if base[len(parts)] > 1<<31-2 {
		return nil, fmt.Errorf("spangrid: region of %d components in its parts", base[len(parts)])
	}
	g, err := joinGraph(parts, base)
	if err != nil {
		return nil, err
	}
	comp, n, err := g.components(ctx)
	if err != nil {
		return nil, err
	}
	out := &Joined{Components: uint32(n), Number: make([][]uint32, len(parts))}
	name := numberByLeast(parts, comp, n)
	for i, c := range comp {
		comp[i] = name[c]
	}
	for i := range parts {
		out.Number[i] = comp[base[i]:base[i+1]:base[i+1]]
	}
	for u, from := range comp {
		for _, v := range g.next(u) {
			if to := comp[v]; to != from {
				out.Edges = append(out.Edges, Edge{From: from, To: to})
			}
		}
		if u&0xffff == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	slices.SortFunc(out.Edges, compareEdges)
	out.Edges = slices.Clip(slices.Compact(out.Edges))
	return out, nil
}

// A csr is a graph: the successors of node u are to[start[u]:start[u+1]].
type csr struct {
	start []int
	to    []int32
}

func (g *csr) next(u int) []int32 { return g.to[g.start[u]:g.start[u+1]] }

// joinGraph makes one graph of the edges inside the parts and between them.
func joinGraph(parts []*Part, base []int) (*csr, error) {
	nodes := base[len(parts)]
	node := func(part int, c uint32) (int32, error) {
		if c == 0 || int(c) > len(parts[part].First) {
			return 0, fmt.Errorf("spangrid: component %d of a part with %d", c, len(parts[part].First))
		}
		return int32(base[part]) + int32(c) - 1, nil
	}
	// Components of members become nodes, less one: Member has no other room.
	gather := func(list func(*Part) []Member) ([]Member, error) {
		n := 0
		for _, p := range parts {
			n += len(list(p))
		}
		all := make([]Member, 0, n)
		for i, p := range parts {
			for _, m := range list(p) {
				v, err := node(i, m.Component)
				if err != nil {
					return nil, err
				}
				all = append(all, Member{m.At, uint32(v)})
			}
		}
		slices.SortFunc(all, compareMembers)
		return all, nil
	}
	rim, err := gather(func(p *Part) []Member { return p.Rim })
	if err != nil {
		return nil, err
	}
	outs, err := gather(func(p *Part) []Member { return p.Out })
	if err != nil {
		return nil, err
	}
	total := len(outs)
	for _, p := range parts {
		total += len(p.Edges)
	}
	edges := make([]Edge, 0, total)
	for i, p := range parts {
		for _, e := range p.Edges {
			u, err := node(i, e.From)
			if err != nil {
				return nil, err
			}
			v, err := node(i, e.To)
			if err != nil {
				return nil, err
			}
			edges = append(edges, Edge{From: uint32(u), To: uint32(v)})
		}
	}
	k := 0
	for _, o := range outs {
		for k < len(rim) && rim[k].At.Compare(o.At) < 0 {
			k++
		}
		if k == len(rim) || rim[k].At != o.At {
			return nil, fmt.Errorf("spangrid: step to cell (%d, %d) at %v m, where no part has a record", o.At.GX, o.At.GY, o.At.H)
		}
		edges = append(edges, Edge{From: o.Component, To: rim[k].Component})
	}
	g := &csr{start: make([]int, nodes+1), to: make([]int32, len(edges))}
	for _, e := range edges {
		g.start[e.From+1]++
	}
	for u := range nodes {
		g.start[u+1] += g.start[u]
	}
	// Fill from the end of each list; start moves to its front.
	for i := range nodes {
		g.start[i] = g.start[i+1]
	}
	for i := len(edges) - 1; i >= 0; i-- {
		e := edges[i]
		g.start[e.From]--
		g.to[g.start[e.From]] = int32(e.To)
	}
	return g, nil
}

// components returns the strongly connected component of each node, from 1 by
// completion, and their number: the search of [Splitter] on a stored graph.
func (g *csr) components(ctx context.Context) ([]uint32, int, error) {
	n := len(g.start) - 1
	order, low, comp := make([]int32, n), make([]int32, n), make([]uint32, n)
	var open, path []int32
	pos := make([]int, n) // next edge to look at
	seen, comps := int32(0), 0
	enter := func(v int32) {
		seen++
		order[v], low[v], pos[v] = seen, seen, g.start[v]
		open, path = append(open, v), append(path, v)

	}
	for root := range n {
		if order[root] != 0 {
			continue
		}
		if err := ctx.Err(); err != nil && root&0xfff == 0 {
			return nil, 0, context.Cause(ctx)
		}
		enter(int32(root))
		for len(path) > 0 {
			u := path[len(path)-1]
			if pos[u] < g.start[u+1] {
				v := g.to[pos[u]]
				pos[u]++
				switch {
				case order[v] == 0:
					enter(v)
				case comp[v] == 0:
					low[u] = min(low[u], order[v])
				}
				continue
			}
			if low[u] == order[u] {
				comps++
				for done := false; !done; {
					v := open[len(open)-1]
					open = open[:len(open)-1]
					comp[v] = uint32(comps)
					done = v == u
				}
			}
			path = path[:len(path)-1]
			if len(path) > 0 && comp[u] == 0 {
				back := path[len(path)-1]
				low[back] = min(low[back], low[u])
			}
		}
	}
	return comp, comps, nil
}

// numberByLeast returns the number of each component, by its least record.
func numberByLeast(parts []*Part, comp []uint32, n int) []uint32 {
	least := make([]Place, n+1)
	have := make([]bool, n+1)
	k := 0
	for _, p := range parts {
		for _, at := range p.First {
			if c := comp[k]; !have[c] || at.Compare(least[c]) < 0 {
				least[c], have[c] = at, true
			}
			k++
		}
	}
	sorted := make([]uint32, n)
	for i := range sorted {
		sorted[i] = uint32(i + 1)
	}
	slices.SortFunc(sorted, func(a, b uint32) int { return least[a].Compare(least[b]) })
	name := make([]uint32, n+1)
	for i, c := range sorted {
		name[c] = uint32(i + 1)
	}
	return name
}
