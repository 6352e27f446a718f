package navmesh

import (
	"testing"

	"pgregory.net/rapid"
)

// A link leads to a goal exactly if one gets there from its far end, links
// taken both ways, without coming back to the polygon it leaves.
func TestRandomPockets(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m, _, err := New(gridParams(), drawMesh(rt))
		if err != nil {
			rt.Fatal(err)
		}
		near := make([][]PolyID, m.Len())
		for p := range PolyID(m.Len()) {
			for _, l := range m.linksOf(p) {
				near[p] = append(near[p], l.to)
				near[l.to] = append(near[l.to], p)
			}
		}
		x := &m.survey.pockets
		seen := make([]bool, m.Len())
		for p := range PolyID(m.Len()) {
			for k := m.polys[p].link; k < m.polys[p+1].link; k++ {
				clear(seen)
				seen[p], seen[m.links[k].to] = true, true
				todo := []PolyID{m.links[k].to}
				for len(todo) > 0 {
					q := todo[len(todo)-1]
					todo = todo[:len(todo)-1]
					for _, to := range near[q] {
						if !seen[to] {
							seen[to] = true
							todo = append(todo, to)
						}
					}
				}
				for g := range PolyID(m.Len()) {
					// What cannot be reached at all is no goal of a search.
					if g == p || !m.CanReach(p, g) {
						continue
					}
					if got := x.leads(k, x.number[g]); got != seen[g] {
						rt.Fatalf("link %d to %d leads to %d: %v, want %v", p, m.links[k].to, g, got, seen[g])
					}
				}
			}
		}
	})
}
