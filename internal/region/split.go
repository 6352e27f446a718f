package region

import (
	"slices"

	"wend/internal/heightfield"
)

// splitOverlaps cuts every region that has two cells in one column, as on a
// spiral ramp, into connected parts that have not. Parts grow in rings from
// the first cell left over; the first part keeps the number. It returns the
// largest number in use.
func splitOverlaps(c *heightfield.Compact, reg []ID, last ID) ID {
	var bad []ID
	for col := range c.W * c.D {
		lo, hi := c.Start[col], c.Start[col+1]
		for i := lo; i+1 < hi; i++ {
			for k := i + 1; k < hi; k++ {
				if r := reg[i]; r != 0 && r&Border == 0 && r == reg[k] && !slices.Contains(bad, r) {
					bad = append(bad, r)
				}
			}
		}
	}
	if len(bad) == 0 {
		return last
	}
	slices.Sort(bad)

	n := c.Len()
	column := make([]int32, n)
	for col := range c.W * c.D {
		for i := c.Start[col]; i < c.Start[col+1]; i++ {
			column[i] = int32(col)
		}
	}
	taken := make([]ID, c.W*c.D) // the last part that has a cell in the column
	rest := make([]ID, n)        // cells still to give to a part, by old number
	for i, r := range reg {
		if _, ok := slices.BinarySearch(bad, r); ok {
			rest[i], reg[i] = r, 0
		}
	}
	reused := make([]bool, len(bad))
	var queue []int32
	for i := range rest {
		old := rest[i]
		if old == 0 {
			continue
		}
		part := old
		if at, _ := slices.BinarySearch(bad, old); reused[at] {
			last++
			part = last
		} else {
			reused[at] = true
		}
		queue = append(queue[:0], int32(i))
		rest[i], reg[i], taken[column[i]] = 0, part, part
		for head := 0; head < len(queue); head++ {
			for _, k := range c.Nei[queue[head]] {
				if k >= 0 && rest[k] == old && taken[column[k]] != part {
					rest[k], reg[k], taken[column[k]] = 0, part, part
					queue = append(queue, k)
				}
			}
		}
	}
	return last
}
