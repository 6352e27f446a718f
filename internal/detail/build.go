package detail

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"wend/geom"
	"wend/internal/heightfield"
	"wend/internal/polygonize"
	"wend/internal/region"
)

// block is the number of polygons a worker takes at a time.
const block = 16

// Build makes the detail of every polygon of m. The field c reaches border
// cells beyond the lattice of m on every side, and reg is its partition.
//
// Up to workers goroutines share the polygons, one when workers is below 2;
// the result is the same for any number. The time is linear in the cells of
// the polygons' bounds; a worker holds the heights of one polygon's bounds.
//
// Errors: options that are negative or not finite; a mesh, field and partition
// that do not fit together; ctx is done.
func Build(ctx context.Context, m *polygonize.Mesh, c *heightfield.Compact, reg *region.Result, border int, o Options, workers int) (*Mesh, error) {
	if err := validate(m, c, reg, border, o); err != nil {
		return nil, err
	}
	n := m.Len()
	blocks := make([]Mesh, (n+block-1)/block)
	var next atomic.Int64
	work := func() {
		s := surveyor{mesh: m, field: c, reg: reg, border: border, opt: o}
		s.radius = clampInt(math.Ceil(m.MaxError), 1, max(c.W, c.D, 1))
		for {
			k := int(next.Add(1) - 1)
			if k >= len(blocks) || ctx.Err() != nil {
				return
			}
			for p := k * block; p < min((k+1)*block, n); p++ {
				s.survey(p)
				s.store(&blocks[k])
			}
		}
	}
	var wg sync.WaitGroup
	for range min(workers, len(blocks)) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("detail: %w", err)
	}
	return join(blocks, n), nil
}

func validate(m *polygonize.Mesh, c *heightfield.Compact, reg *region.Result, border int, o Options) error {
	const most = math.MaxFloat32
	if !(o.SampleDist >= 0 && o.SampleDist <= most) {
		return fmt.Errorf("detail: sample distance %v m, want 0 or more", o.SampleDist)
	}
	if !(o.SampleMaxError >= 0 && o.SampleMaxError <= most) {
		return fmt.Errorf("detail: sample error %v m, want 0 or more", o.SampleMaxError)
	}
	if m.Len() > 0 && (m.MaxVerts < polygonize.MinPolyVerts || m.MaxVerts > polygonize.MaxPolyVerts) {
		return fmt.Errorf("detail: %d corners a polygon, want %d to %d", m.MaxVerts, polygonize.MinPolyVerts, polygonize.MaxPolyVerts)
	}
	if border < 0 || c.W != m.W+2*border || c.D != m.D+2*border {
		return fmt.Errorf("detail: a mesh of %d x %d cells with a border of %d does not fit a field of %d x %d", m.W, m.D, border, c.W, c.D)
	}
	if !(m.Cell > 0 && m.Cell <= most && m.CellHeight > 0 && m.CellHeight <= most) {
		return fmt.Errorf("detail: cells of %v x %v m, want more than 0", m.Cell, m.CellHeight)
	}
	if len(reg.Region) != c.Len() {
		return fmt.Errorf("detail: a partition of %d cells does not fit a field of %d", len(reg.Region), c.Len())
	}
	return nil
}

// store appends the sub-mesh just surveyed.
func (s *surveyor) store(to *Mesh) {
	m := &s.tri
	to.Subs = append(to.Subs, Sub{
		VertBase: uint32(len(to.Verts)), VertCount: uint32(len(m.verts)),
		TriBase: uint32(len(to.Tris)), TriCount: uint32(len(m.tris)),
	})
	o := s.mesh.Origin
	o.Y += s.mesh.FloorAbove(0)
	for i := range m.verts {
		v := &m.verts[i]
		to.Verts = append(to.Verts, geom.V3(o.X+v.x, o.Y+v.y, o.Z+v.z).Narrow())
	}
	for i := range m.tris {
		t := &m.tris[i]
		to.Tris = append(to.Tris, Tri{
			V:        [3]uint8{uint8(t.v[0]), uint8(t.v[1]), uint8(t.v[2])},
			Boundary: m.boundary(t),
		})
	}
}

// join puts the blocks of n polygons together, in order.
func join(blocks []Mesh, n int) *Mesh {
	verts, tris := 0, 0
	for i := range blocks {
		verts, tris = verts+len(blocks[i].Verts), tris+len(blocks[i].Tris)
	}
	out := &Mesh{
		Subs:  make([]Sub, 0, n),
		Verts: make([]geom.Vec3f, 0, verts),
		Tris:  make([]Tri, 0, tris),
	}
	for i := range blocks {
		b := &blocks[i]
		for _, s := range b.Subs {
			s.VertBase += uint32(len(out.Verts))
			s.TriBase += uint32(len(out.Tris))
			out.Subs = append(out.Subs, s)
		}
		out.Verts = append(out.Verts, b.Verts...)
		out.Tris = append(out.Tris, b.Tris...)
	}
	return out
}
