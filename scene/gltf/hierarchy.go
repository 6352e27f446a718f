package gltf

import "fmt"

// placed is a node and where it stands in the world.
type placed struct {
	node     int
	world    affine
	mirrored bool // an odd number of transforms on the way to it mirrors
}

// roots returns the nodes that the walk starts from, after checking that the
// nodes form trees.
func (f *file) roots() ([]int, error) {
	nodes := f.doc.Nodes
	parent := make([]int32, len(nodes)) // 0: none, else index + 1
	for i := range nodes {
		for k, c := range nodes[i].Children {
			p := fmt.Sprintf("nodes[%d].children[%d]", i, k)
			switch {
			case c < 0 || c >= len(nodes):
				return nil, f.invalid(p, "node %d, but there are %d", c, len(nodes))
			case parent[c] != 0:
				return nil, f.invalid(p, "node %d is a child of node %d already", c, parent[c]-1)
			}
			parent[c] = int32(i + 1)
		}
	}
	if i := cycle(parent); i >= 0 {
		return nil, f.invalid(fmt.Sprintf("nodes[%d]", i), "the node is its own ancestor")
	}
	if f.doc.Scene == nil {
		var all []int
		for i := range nodes {
			if parent[i] == 0 {
				all = append(all, i)
			}
		}
		return all, nil
	}
	s := *f.doc.Scene
	if s < 0 || s >= len(f.doc.Scenes) {
		return nil, f.invalid("scene", "scene %d, but there are %d", s, len(f.doc.Scenes))
	}
	seen := make(map[int]bool)
	for k, i := range f.doc.Scenes[s].Nodes {
		p := fmt.Sprintf("scenes[%d].nodes[%d]", s, k)
		switch {
		case i < 0 || i >= len(nodes):
			return nil, f.invalid(p, "node %d, but there are %d", i, len(nodes))
		case parent[i] != 0:
			return nil, f.invalid(p, "node %d is no root: it is a child of node %d", i, parent[i]-1)
		case seen[i]:
			return nil, f.invalid(p, "node %d is in the scene already", i)
		}
		seen[i] = true
	}
	return f.doc.Scenes[s].Nodes, nil
}

// cycle returns the lowest node on a cycle of parents, -1 when there is none.
// Each node has at most one parent, so walking up from every node, but never
// twice through one, takes linear time.
func cycle(parent []int32) int {
	walk := make([]int32, len(parent)) // the walk that came through
	for i := range parent {
		id := int32(i + 1)
		k := i
		for walk[k] == 0 {
			walk[k] = id
			if parent[k] == 0 {
				break
			}
			k = int(parent[k]) - 1
		}
		if walk[k] == id && parent[k] != 0 {
			return k
		}
	}
	return -1
}

// walk calls visit for each node below the roots, parents before children, in
// the order of the file.
func (f *file) walk(roots []int, visit func(placed) error) error {
	// Each node is pushed at most once, so the stack is bounded by their number.
	var stack []placed
	push := func(list []int, under *placed) error {
		for k := len(list) - 1; k >= 0; k-- {
			m, err := f.local(list[k])
			if err != nil {
				return err
			}
			stack = append(stack, placed{list[k], under.world.after(&m), under.mirrored != m.mirrors()})
		}
		return nil
	}
	if err := push(roots, &placed{world: identity}); err != nil {
		return err
	}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if err := visit(p); err != nil {
			return err
		}
		if err := push(f.doc.Nodes[p.node].Children, &p); err != nil {
			return err
		}
	}
	return nil
}
