package spanroute

// nextRegion returns into which region one falls next on the way from one
// region to another with the fewest falls, of several the one with the lowest
// number, and false where none leads there. direct allows only one fall. A pack
// without a table of falls says that one may lead there.
func (z *zoneEntry) nextRegion(from, to uint32, direct bool) (uint32, bool) {
	if z.e.drops == nil {
		return to, true
	}
	// From the goal backwards, so that the first step is known at the end.
	back := map[uint32][]uint32{}
	for _, d := range z.e.drops.All(z.grid, nil) {
		back[d.To] = append(back[d.To], d.From)
	}
	seen := map[uint32]bool{to: true}
	for layer := []uint32{to}; len(layer) > 0; {
		var next []uint32
		best, found := uint32(0), false
		for _, r := range layer {
			for _, f := range back[r] {
				if f == from && (!found || r < best) {
					best, found = r, true
				}
				if !seen[f] {
					seen[f] = true
					next = append(next, f)
				}
			}
		}
		if found || direct {
			return best, found
		}
		layer = next
	}
	return 0, false
}
