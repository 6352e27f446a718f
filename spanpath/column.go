package spanpath

// A Surface is a surface of a cell as a query sees it.
type Surface struct {
	H      float32 // m
	Bits   uint8   // as in Page.Spans
	Usable bool    // it can be reached, and the body fits under what is above it
	Shut   bool    // the body does not fit there, or an author closed it
}

// Surfaces appends all surfaces of a cell of the window, of all regions, from
// the lowest up.
func (g *Ground) Surfaces(dst []Surface, gx, gy int) []Surface {
	p, c := g.at(gx, gy)
	if c < 0 {
		return dst
	}
	for s, end := p.Table.Range(c); s < end; s++ {
		dst = append(dst, Surface{p.Table.H[s], p.Spans[s], p.use[s], p.shut(g, s, c)})
	}
	return dst
}
