package bnav

import (
	"context"

	"wend/pack"
)

// Check reads the decompressed bytes of a main pack like [Load], but does not
// stop at the first fault. It returns all that do not follow from one another,
// at most pack.MaxFaults, each a *pack.FormatError: of header, directory and
// each table the first, and of chunks each that cannot be decoded. Links to
// triangles that do not exist are no fault. Tiles are not decoded.
//
// The pack holds what could be read and is nil where the header could not:
// tables and sections with a fault are nil in it, and a build hash that is wrong
// is replaced by the right one, so that a sidecar is not found wrong as well.
// Where there are faults it is for reports only. err is the context's cause.
func Check(ctx context.Context, data []byte, opts *Options) (p *Pack, faults []error, err error) {
	check := &checkup{broken: map[string]bool{}}
	l, fault := begin(data, opts, check)
	if fault != nil {
		return nil, append(check.faults, fault), nil
	}
	p = l.pack
	if p.Version < sinceBGEO {
		fault = l.oldTables(ctx)
	} else if !check.broken["BGEO"] {
		fault = l.checkGeometry(ctx)
	}
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	check.note(fault)
	p.Zones = p.Table
	if p.Table != nil {
		check.note(l.offMesh())
	}
	for _, step := range []func() error{l.surfaces, l.profile, l.grid, l.extras} {
		check.note(step())
	}
	return p, check.faults, nil
}

// A checkup collects faults. A nil one takes none: the load ends.
type checkup struct {
	faults []error
	broken map[string]bool // tags of sections that the directory lost
}

// note takes a fault and reports whether the load may go on in spite of it.
func (c *checkup) note(fault error) bool {
	if c == nil || fault == nil {
		return false
	}
	if len(c.faults) < pack.MaxFaults {
		c.faults = append(c.faults, fault)
	}
	return true
}

// sections reads the directory.
func (c *checkup) sections(r *pack.Reader, off uint64, count uint32) []pack.Section {
	list, faults := r.CheckSections(off, count, knownTags[:]...)
	for _, f := range faults {
		c.note(f.Err)
		if _, other := pack.FindSection(list, f.Tag); !other {
			c.broken[f.Tag] = true
		}
		if f.Tag == "" { // no entry was read
			for _, tag := range knownTags {
				c.broken[tag] = true
			}
		}
	}
	return list
}

// each calls do for n items like pack.Parallel; an item with a fault does not
// keep the others from being decoded. It reports whether there was none.
func (l *loader) each(ctx context.Context, n int, do func(w, i int) error) (bool, error) {
	faults := make([]error, n)
	err := pack.Parallel(ctx, l.opts.Workers, n, func(w, i int) error {
		faults[i] = do(w, i)
		return nil
	})
	good := true
	for _, f := range faults {
		if l.check.note(f) {
			good = false
		}
	}
	return good, err
}

// checkGeometry is wholeGeometry without an end at the first fault. The build
// hash is checked where all it covers could be read.
func (l *loader) checkGeometry(ctx context.Context) error {
	g, err := l.openGeometry()
	p := l.pack
	if err != nil {
		p.Table = nil // not read, or not to be trusted
		if g == nil {
			return err
		}
		l.check.note(err)
	}
	r := g.vertices.geo
	vt, tt, lt := &g.vertices, &g.triangles, &g.links
	if !l.take(r, uint64(vt.total), 12, "vertices") || !l.take(r, uint64(tt.total), 28, "triangles") ||
		!l.take(r, uint64(lt.total), 8, "links") {
		return r.Err()
	}
	work := l.scratch(max(vt.chunks(), tt.chunks(), lt.chunks()))

	vertices := make([]Vertex, vt.total)
	good, err := l.each(ctx, vt.chunks(), func(w, i int) error {
		c := vt.chunk(i)
		return vt.decodeVertices(&work[w], i, vertices[c.first:][:c.n])
	})
	if err != nil {
		return err
	}
	if good && vt.total == p.VertexTotal {
		p.Vertices = vertices
	}

	triangles, comps := make([]Triangle, tt.total), make([]uint32, tt.total)
	good, err = l.each(ctx, tt.chunks(), func(w, i int) error {
		c := tt.chunk(i)
		return tt.decodeTriangles(&work[w], i, p.VertexTotal, triangles[c.first:][:c.n], comps[c.first:][:c.n])
	})
	if err != nil {
		return err
	}
	if good && tt.total == p.TriangleTotal {
		p.Triangles = triangles
	}

	links := make([]Link, lt.total)
	good, err = l.each(ctx, lt.chunks(), func(w, i int) error {
		c := lt.chunk(i)
		return lt.decodeLinks(&work[w], i, links[c.first:][:c.n])
	})
	if err != nil {
		return err
	}
	// Out of order in the directory, or else from chunk to chunk.
	if l.check.note(lt.checkSources()) || good && l.check.note(checkBorders(r.Where(), lt.dir.Offset(), links, 0)) {
		good = false
	}
	if good && lt.total == p.LinkTotal {
		p.Links = links
	}

	if p.Table == nil || p.Vertices == nil || p.Triangles == nil || p.Links == nil {
		return nil
	}
	hash := appendHashZones(pack.FNVStart, p.Table, p.Version)
	hash = hashLinks(hashTriangles(hashVertices(hash, vertices), vertices, triangles, comps), links)
	if hash != p.BuildHash {
		l.check.note(l.where("BNAV").At(56, pack.ErrHash, "build hash %016x stored, %016x computed", p.BuildHash, hash))
		p.BuildHash = hash
	}
	p.Decoded = Decoded{vt.chunks(), tt.chunks(), lt.chunks()}
	l.opts.Strict = false
	return l.dropLinks(r)
}
