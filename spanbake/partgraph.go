package spanbake

import "wend/spangrid"

// partGraph is a part of a region's step graph as it is stored between stages.
type partGraph struct{ *spangrid.Part }

func (g *partGraph) encode(w *blobWriter) {
	places := placeWriter{w: w}
	w.uint(uint64(len(g.First)))
	for _, p := range g.First {
		places.put(p)
	}
	w.uint(uint64(len(g.Edges)))
	for _, e := range g.Edges {
		w.uint(uint64(e.From))
		w.uint(uint64(e.To))
	}
	for _, list := range [2][]spangrid.Member{g.Out, g.Rim} {
		w.uint(uint64(len(list)))
		for _, m := range list {
			places.put(m.At)
			w.uint(uint64(m.Component))
		}
	}
}

func (g *partGraph) decode(r *blobReader) {
	places := placeReader{r: r}
	g.Part = &spangrid.Part{First: make([]spangrid.Place, r.count())}
	for i := range g.First {
		g.First[i] = places.get()
	}
	g.Edges = make([]spangrid.Edge, r.count())
	for i := range g.Edges {
		g.Edges[i] = spangrid.Edge{From: uint32(r.uint()), To: uint32(r.uint())}
	}
	for _, list := range [2]*[]spangrid.Member{&g.Out, &g.Rim} {
		*list = make([]spangrid.Member, r.count())
		for i := range *list {
			(*list)[i].At = places.get()
			(*list)[i].Component = uint32(r.uint())
		}
	}
}

// placeWriter writes places as differences from the one before: most are
// neighbours.
type placeWriter struct {
	w    *blobWriter
	last spangrid.Place
}

func (p *placeWriter) put(at spangrid.Place) {
	p.w.int(int64(at.GX) - int64(p.last.GX))
	p.w.int(int64(at.GY) - int64(p.last.GY))
	p.w.int(lattice(at.H) - lattice(p.last.H))
	p.last = at
}

type placeReader struct {
	r    *blobReader
	x, y int64
	h    int64
}

func (p *placeReader) get() spangrid.Place {
	p.x += p.r.int()
	p.y += p.r.int()
	p.h += p.r.int()
	return spangrid.Place{GX: int32(p.x), GY: int32(p.y), H: fromLattice(p.h)}
}
