package bnav

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"unicode/utf8"

	"wend/pack"
)

// appendZone appends a zone as stored and hashed.
func appendZone(dst []byte, z *Zone, version uint16) []byte {
	le := binary.LittleEndian
	dst = le.AppendUint16(dst, z.ID)
	dst = le.AppendUint16(dst, z.Flags)
	for _, v := range []uint32{uint32(len(z.Name)), z.FirstTri, z.TriCount, z.Components} {
		dst = le.AppendUint32(dst, v)
	}
	for _, v := range []float32{z.Width, z.Height, z.SX, z.TX, z.SY, z.TY} {
		dst = pack.AppendF32(dst, v)
	}
	if version >= sinceFloor {
		dst = pack.AppendF32(dst, z.FloorY)
	}
	return append(dst, z.Name...)
}

// checkZones checks what the zones must be among themselves, in a pack of so
// many triangles. It returns the index of the zone at fault.
func checkZones(zones []Zone, triangles uint32) (int, error) {
	ids := make(map[uint16]int, len(zones))
	names := make(map[string]int, len(zones))
	for i := range zones {
		z := &zones[i]
		if j, twice := ids[z.ID]; twice {
			return i, fmt.Errorf("%w: zone id %d is that of zone %d too", pack.ErrDuplicate, z.ID, j)
		}
		if j, twice := names[z.Name]; twice {
			return i, fmt.Errorf("%w: zone name %q is that of zone %d too", pack.ErrDuplicate, z.Name, j)
		}
		ids[z.ID], names[z.Name] = i, i
		if err := checkName(z.Name); err != nil {
			return i, err
		}
		if uint64(z.FirstTri)+uint64(z.TriCount) > uint64(triangles) {
			return i, fmt.Errorf("%w: triangles %d+%d in a pack of %d", pack.ErrRange, z.FirstTri, z.TriCount, triangles)
		}
		for _, f := range []float32{z.Width, z.Height, z.SX, z.TX, z.SY, z.TY, z.FloorY} {
			if !finite(f) {
				return i, fmt.Errorf("%w: %v", pack.ErrNonFinite, f)
			}
		}
		if z.Width < 0 || z.Height < 0 {
			return i, fmt.Errorf("%w: size %v x %v", pack.ErrRange, z.Width, z.Height)
		}
	}
	for i := range zones {
		if z := &zones[i]; z.IsTier() {
			parent := -1
			if z.Components <= 0xffff {
				if j, ok := ids[uint16(z.Components)]; ok {
					parent = j
				}
			}
			if parent < 0 || zones[parent].IsTier() {
				return i, fmt.Errorf("%w: parent %d of a tier, want the id of a zone with triangles", pack.ErrRange, z.Components)
			}
		}
	}
	order := make([]int, 0, len(zones))
	for i := range zones {
		if !zones[i].IsTier() && zones[i].TriCount > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(zones[a].FirstTri, zones[b].FirstTri), cmp.Compare(a, b))
	})
	for k := 1; k < len(order); k++ {
		a, b := &zones[order[k-1]], &zones[order[k]]
		if uint64(a.FirstTri)+uint64(a.TriCount) > uint64(b.FirstTri) {
			return order[k], fmt.Errorf("%w: triangles %d+%d overlap those of zone %q, %d+%d",
				pack.ErrRange, b.FirstTri, b.TriCount, a.Name, a.FirstTri, a.TriCount)
		}
	}
	return 0, nil
}

// checkName checks what the reader checks when it reads a name.
func checkName(name string) error {
	if len(name) == 0 || len(name) > pack.MaxName {
		return fmt.Errorf("%w: name of %d bytes, want 1 to %d", pack.ErrLimit, len(name), pack.MaxName)
	}
	if !utf8.ValidString(name) || slices.Contains([]byte(name), 0) {
		return fmt.Errorf("%w: name %q is not UTF-8 without NUL", pack.ErrRange, name)
	}
	return nil
}
