package zone

import "sync"

// eachGrain is how many items a worker takes at once.
const eachGrain = 1 << 14

// each runs do over stretches of 0 to n-1, on as many goroutines as there are
// workers. It leaves stretches out once the context is done.
func (b *builder) each(n int, do func(from, to int)) {
	workers := min(b.workers, n/eachGrain+1)
	work := func(w int) {
		for from := w * eachGrain; from < n && b.ctx.Err() == nil; from += workers * eachGrain {
			do(from, min(from+eachGrain, n))
		}
	}
	var wg sync.WaitGroup
	for w := range workers - 1 {
		wg.Go(func() { work(w) })
	}
	work(workers - 1)
	wg.Wait()
}

// root returns the least triangle of a set of a union-find forest.
func root(parent []int32, i int32) int32 {
	for parent[i] != i {
		parent[i] = parent[parent[i]]
		i = parent[i]
	}
	return i
}

func join(parent []int32, i, j int32) {
	i, j = root(parent, i), root(parent, j)
	if i < j {
		parent[j] = i
	} else {
		parent[i] = j
	}
}

func identity(n int) []int32 {
	p := make([]int32, n)
	for i := range p {
		p[i] = int32(i)
	}
	return p
}

// naturalPieces counts the triangles that the pack's own neighbours join.
func (b *builder) naturalPieces() {
	n := len(b.tris)
	parent := identity(n)
	for t := range b.tris {
		for _, o := range b.tris[t].N {
			if k := int(o) - b.first; o >= 0 && k >= 0 && k < n {
				join(parent, int32(t), int32(k))
			}
		}
	}
	size := make([]int32, n)
	for t := range n {
		size[root(parent, int32(t))]++
	}
	b.natural = make([]int32, n)
	for t := range n {
		b.natural[t] = size[root(parent, int32(t))]
	}
}

// components joins what is left, and tells islands.
func (b *builder) components() {
	z := b.z
	n := len(z.Tris)
	parent := identity(n)
	for s, o := range b.next {
		if o >= 0 {
			join(parent, int32(s/3), o)
		}
	}
	z.Component, z.Island = make([]int32, n), make([]bool, n)
	small, all := make([]int32, n), make([]int32, n)
	for t := range n {
		r := root(parent, int32(t))
		z.Component[t] = r
		all[r]++
		if b.natural[t] <= SmallPiece {
			small[r]++
		}
	}
	for t := range n {
		r := z.Component[t]
		z.Island[t] = 2*small[r] > all[r]
	}
}

// finish keeps of the adjacency only where it ends.
func (b *builder) finish() {
	z := b.z
	z.Boundary = make([]uint8, len(z.Tris))
	for s, o := range b.next {
		if o < 0 {
			z.Boundary[s/3] |= 1 << (s % 3)
		}
	}
	z.buckets.fill(z)
}
