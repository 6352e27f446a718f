package weld

import (
	"cmp"
	"slices"
)

// buckets counts items by a corner and returns where the items of each begin:
// those of corner v are start[v]..start[v+1]-1.
func buckets(corners int, each func(yield func(corner uint32))) []int32 {
	start := make([]int32, corners+1)
	each(func(v uint32) { start[v+1]++ })
	for i := range corners {
		start[i+1] += start[i]
	}
	return start
}

// unique drops all but the first of triangles with the same corners, and lists the
// triangles of the input that nothing is left of.
func (w *splitter) unique(sources int) {
	tris := w.r.Tris
	start := buckets(len(w.r.Verts), func(yield func(uint32)) {
		for _, t := range tris {
			yield(min(t[0], t[1], t[2]))
		}
	})
	type rest struct{ mid, high, tri uint32 }
	list := make([]rest, len(tris))
	fill := slices.Clone(start)
	for i, t := range tris {
		low, high := min(t[0], t[1], t[2]), max(t[0], t[1], t[2])
		list[fill[low]] = rest{t[0] ^ t[1] ^ t[2] ^ low ^ high, high, uint32(i)}
		fill[low]++
	}
	again := make([]bool, len(tris))
	for v := range w.r.Verts {
		s := list[start[v]:start[v+1]]
		slices.SortFunc(s, func(a, b rest) int {
			return cmp.Or(cmp.Compare(a.high, b.high), cmp.Compare(a.mid, b.mid), cmp.Compare(a.tri, b.tri))
		})
		for i := 1; i < len(s); i++ {
			again[s[i].tri] = s[i].high == s[i-1].high && s[i].mid == s[i-1].mid
		}
	}
	n := 0
	left := make([]bool, sources)
	for i, t := range tris {
		if !again[i] {
			tris[n], w.r.Source[n] = t, w.r.Source[i]
			left[w.r.Source[i]] = true
			n++
		}
	}
	w.r.Tris, w.r.Source = tris[:n], w.r.Source[:n]
	for s, ok := range left {
		if !ok {
			w.r.Dropped = append(w.r.Dropped, uint32(s))
		}
	}
}

// manifold lists the edges that more than two triangles share, or two in the
// same direction.
func (w *splitter) manifold() {
	each := func(yield func(low, high uint32, down bool)) {
		for _, t := range w.r.Tris {
			for k := range 3 {
				a, b := t[k], t[(k+1)%3]
				yield(min(a, b), max(a, b), a > b)
			}
		}
	}
	start := buckets(len(w.r.Verts), func(yield func(uint32)) {
		each(func(low, _ uint32, _ bool) { yield(low) })
	})
	// The other end, and whether the edge leads down from it.
	list := make([]uint64, 3*len(w.r.Tris))
	fill := slices.Clone(start)
	each(func(low, high uint32, down bool) {
		k := uint64(high) << 1
		if down {
			k++
		}
		list[fill[low]] = k
		fill[low]++
	})
	for v := range w.r.Verts {
		s := list[start[v]:start[v+1]]
		slices.Sort(s)
		for i := 0; i < len(s); {
			j, down := i, 0
			for ; j < len(s) && s[j]>>1 == s[i]>>1; j++ {
				down += int(s[j] & 1)
			}
			if down > 1 || j-i-down > 1 {
				w.r.NonManifold = append(w.r.NonManifold, [2]uint32{uint32(v), uint32(s[i] >> 1)})
			}
			i = j
		}
	}
}
