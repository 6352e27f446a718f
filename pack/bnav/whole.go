package bnav

import (
	"context"

	"wend/pack"
)

// wholeGeometry reads all of BGEO, checks the build hash and drops links to
// triangles that do not exist.
func (l *loader) wholeGeometry(ctx context.Context) error {
	g, err := l.openGeometry()
	if err != nil {
		return err
	}
	p := l.pack
	r := g.vertices.geo
	if !l.take(r, uint64(p.VertexTotal), 12, "vertices") || !l.take(r, uint64(p.TriangleTotal), 28, "triangles") ||
		!l.take(r, uint64(p.LinkTotal), 8, "links") {
		return r.Err()
	}
	hash := appendHashZones(pack.FNVStart, p.Table, p.Version)

	vt := &g.vertices
	p.Vertices = make([]Vertex, p.VertexTotal)
	work := l.scratch(max(vt.chunks(), g.triangles.chunks(), g.links.chunks()))
	err = pack.Parallel(ctx, l.opts.Workers, vt.chunks(), func(w, i int) error {
		c := vt.chunk(i)
		return vt.decodeVertices(&work[w], i, p.Vertices[c.first:][:c.n])
	})
	if err != nil {
		return err
	}
	hash = hashVertices(hash, p.Vertices)

	if hash, err = l.wholeTriangles(ctx, &g.triangles, work, hash); err != nil {
		return err
	}

	lt := &g.links
	if err := lt.checkSources(); err != nil {
		return err
	}
	p.Links = make([]Link, p.LinkTotal)
	err = pack.Parallel(ctx, l.opts.Workers, lt.chunks(), func(w, i int) error {
		c := lt.chunk(i)
		return lt.decodeLinks(&work[w], i, p.Links[c.first:][:c.n])
	})
	if err != nil {
		return err
	}
	if err := checkBorders(r.Where(), lt.dir.Offset(), p.Links, 0); err != nil {
		return err
	}
	hash = hashLinks(hash, p.Links)
	if hash != p.BuildHash {
		return l.where("BNAV").At(56, pack.ErrHash, "build hash %016x stored, %016x computed", p.BuildHash, hash)
	}
	p.Decoded = Decoded{vt.chunks(), g.triangles.chunks(), lt.chunks()}
	p.Zones = p.Table
	return l.dropLinks(r)
}

// batchLen is how many triangles are hashed at a time while their components
// are at hand.
const batchLen = 1 << 20

// wholeTriangles decodes all triangles in batches and extends the hash by
// each.
func (l *loader) wholeTriangles(ctx context.Context, t *table, work []scratch, hash uint64) (uint64, error) {
	p := l.pack
	p.Triangles = make([]Triangle, p.TriangleTotal)
	perBatch := max(batchLen/int(t.size), len(work), 1)
	var comps []uint32
	if l.opts.Components {
		p.Components = make([]uint32, p.TriangleTotal)
	}
	for from := 0; from < t.chunks(); from += perBatch {
		to := min(from+perBatch, t.chunks())
		first := t.chunk(from).first
		last := t.chunk(to - 1)
		n := int(last.first + last.n - first)
		if l.opts.Components {
			comps = p.Components[first:][:n]
		} else if cap(comps) < n {
			comps = make([]uint32, n)
		} else {
			comps = comps[:n]
		}
		err := pack.Parallel(ctx, l.opts.Workers, to-from, func(w, i int) error {
			c := t.chunk(from + i)
			return t.decodeTriangles(&work[w], from+i, p.VertexTotal, p.Triangles[c.first:][:c.n], comps[c.first-first:][:c.n])
		})
		if err != nil {
			return 0, err
		}
		hash = hashTriangles(hash, p.Vertices, p.Triangles[first:][:n], comps)
	}
	return hash, nil
}

// dropLinks removes links to triangles that do not exist, in place.
func (l *loader) dropLinks(r *pack.Reader) error {
	p := l.pack
	kept := p.Links[:0]
	for i, k := range p.Links {
		if k.Source >= p.TriangleTotal || k.Target >= p.TriangleTotal {
			if l.opts.Strict {
				return r.Where().In("link", i).At(r.Offset(), pack.ErrRange, "from %d to %d in a pack of %d triangles", k.Source, k.Target, p.TriangleTotal)
			}
			continue
		}
		kept = append(kept, k)
	}
	p.LinksDropped = len(p.Links) - len(kept)
	p.Links = kept
	return nil
}
