package navmesh

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSplitItems(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(rt, "n")
		spread := rapid.SampledFrom([]int{0, 3, 1000}).Draw(rt, "spread")
		items := make([]indexItem, n)
		for i := range items {
			items[i].poly = PolyID(i)
			items[i].mid[1] = float32(rapid.IntRange(0, spread).Draw(rt, "middle"))
		}
		if rapid.Bool().Draw(rt, "sorted") {
			slices.SortFunc(items, func(a, b indexItem) int {
				if a.before(&b, 1) {
					return -1
				}
				return 1
			})
		}
		k := rapid.IntRange(0, n-1).Draw(rt, "k")
		splitItems(items, k, 1)
		for i := range k {
			for j := k; j < n; j++ {
				if !items[i].before(&items[j], 1) {
					rt.Fatalf("item %d of the front comes after item %d of the rest", i, j)
				}
			}
		}
	})
}
