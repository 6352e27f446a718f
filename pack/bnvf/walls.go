package bnvf

import (
	"fmt"
	"slices"

	"wend/pack"
)

// Walls tells which boundary edges of a zone's mesh are walls for which
// regions, decoded.
type Walls struct {
	keys    []uint32 // ascending
	start   []uint32 // first region of each key, and the end
	regions []uint32 // ascending within a key
}

// Len returns the number of edges in the table.
func (w *Walls) Len() int { return len(w.keys) }

// At returns entry i. Its regions are not copied.
func (w *Walls) At(i int) Wall {
	return Wall{w.keys[i], w.regions[w.start[i]:w.start[i+1]]}
}

// IsWall reports whether edge k of triangle t of the zone is a wall for a
// region. An edge that is not in the table is an error that wraps
// pack.ErrPairing: sidecar and mesh disagree. Time is logarithmic.
func (w *Walls) IsWall(t uint32, k int, region uint32) (bool, error) {
	key := 3*uint64(t) + uint64(k)
	if key < 1<<32 {
		if i, ok := slices.BinarySearch(w.keys, uint32(key)); ok {
			_, found := slices.BinarySearch(w.regions[w.start[i]:w.start[i+1]], region)
			return found, nil
		}
	}
	return false, fmt.Errorf("bnvf: %w: edge %d of triangle %d is not in the table of walls", pack.ErrPairing, k, t)
}

// Walls decodes the wall table of a zone. It was checked by the load. Memory
// is 8 bytes an edge and 4 for each region it is a wall for.
func (f *Fields) Walls(zone int) (*Walls, error) {
	z := &f.Zones[zone]
	where := f.where("FWAL", zone)
	r := pack.NewReader(where, z.walls.b, z.walls.offset)
	n := uint64(r.Uvarint32())
	if r.Err() == nil && n > 3*z.triangles {
		r.FailAt(0, pack.ErrRange, "%d edges, the zone has %d triangles", n, z.triangles)
	}
	if r.Err() == nil && n > pack.Expansion(uint64(r.Len())) {
		r.FailAt(0, pack.ErrLimit, "%d edges cannot be in %d bytes", n, r.Len())
	}
	var inf pack.Inflater
	keys, _ := r.Numbers(&inf, nil, 0, n, 10*n)
	most := min(10*n*(uint64(z.GlobalRegions)+2), uint64(f.maxBytes)/4) // a region is four bytes in memory
	lists, _ := r.Numbers(&inf, nil, 1, n, most)
	if r.Done() != nil {
		return nil, r.Err()
	}
	w := &Walls{keys: make([]uint32, n), start: make([]uint32, n+1), regions: make([]uint32, 0, uint64(len(lists.Raw()))-n)}
	key := uint64(0)
	for i := range w.keys {
		step := keys.Next()
		switch {
		case keys.Err() != nil:
		case i > 0 && step == 0:
			keys.Fail(pack.ErrOrder, "edge %d does not come after edge %d", key, key)
		case step >= 3*z.triangles-key:
			keys.Fail(pack.ErrRange, "edge %d+%d, the zone has %d", key, step, 3*z.triangles)
		}
		if err := keys.Err(); err != nil {
			return nil, err
		}
		key += step
		w.keys[i] = uint32(key)
	}
	if err := keys.Done(); err != nil {
		return nil, err
	}
	for i := range w.keys {
		w.start[i] = uint32(len(w.regions))
		m := lists.Next()
		if lists.Err() == nil && m > uint64(lists.Len()) {
			lists.Fail(pack.ErrTruncated, "%d regions of edge %d in %d bytes", m, w.keys[i], lists.Len())
		}
		id := uint64(0)
		for k := range m {
			step := lists.Next()
			switch {
			case lists.Err() != nil:
			case k > 0 && step == 0:
				lists.Fail(pack.ErrOrder, "region %d of edge %d for the second time", id, w.keys[i])
			case step > uint64(z.GlobalRegions)-id:
				lists.Fail(pack.ErrRange, "region %d+%d of edge %d, the zone has %d", id, step, w.keys[i], z.GlobalRegions)
			}
			if lists.Err() != nil {
				break
			}
			id += step
			w.regions = append(w.regions, uint32(id))
		}
		if err := lists.Err(); err != nil {
			return nil, err
		}
	}
	w.start[n] = uint32(len(w.regions))
	return w, lists.Done()
}
