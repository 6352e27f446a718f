package bake

import (
	"context"
	"fmt"
	"math"
	"slices"

	"wend/geom"
	"wend/internal/heightfield"
	"wend/scene"
)

// lattice is the voxel grid of the whole level and its cut into tiles.
type lattice struct {
	origin, size     geom.Vec3 // size in metres
	cell, cellHeight float64
	w, d             int // cells
	maxY             float64

	tiled          bool
	tile           int // cells a side; unused when not tiled
	border         int // cells of frame around a tile
	tilesX, tilesZ int
}

const (
	autoTileCells = 4 << 20 // TilingAuto cuts levels with more cells than this
	// maxTiles bounds the time a level with a stray triangle takes: tiles
	// without triangles cost little, but not nothing.
	maxTiles = 1 << 22
	// maxBinned bounds the memory for the lists of triangles by tile, 4 bytes
	// each.
	maxBinned = 1 << 29
)

// A SizeError says that a level does not fit the lattice.
type SizeError struct {
	Extent geom.Vec3 // metres
	Msg    string
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("bake: level of %.6g x %.6g x %.6g m: %s", e.Extent.X, e.Extent.Y, e.Extent.Z, e.Msg)
}

// cellsUp returns the number of cells that cover a length, with a tolerance for
// the rounding of both: 0.9 m are three cells of 0.3 m.
func cellsUp(length, cell float64) int { return int(math.Ceil(length/cell - 1e-6)) }

// newLattice lays the lattice of p over the surface of b, anchored at the
// least corner of the level.
func newLattice(sc *scene.Scene, s *surface, p *Profile, b *Body, tiling Tiling) (*lattice, error) {
	box := geom.EmptyBox()
	for i := range s.tris {
		t := &s.tris[i]
		box = box.Extend(sc.Verts[t.A]).Extend(sc.Verts[t.B]).Extend(sc.Verts[t.C])
	}
	n := &p.Navmesh
	size := box.Size()
	if size.Y/n.CellHeight > heightfield.MaxHeight-1 {
		return nil, &SizeError{size, fmt.Sprintf(
			"height range exceeds %d voxels of %g m (%g m): remove stray geometry far above or below, or use a greater cell height",
			heightfield.MaxHeight-1, n.CellHeight, (heightfield.MaxHeight-1)*n.CellHeight)}
	}
	w, d := size.X/n.Cell, size.Z/n.Cell
	if w > 1<<30 || d > 1<<30 {
		return nil, &SizeError{size, fmt.Sprintf("more than %d cells of %g m on a side: is the unit right? try --unit or --scale", 1<<30, n.Cell)}
	}
	// Meshes store float32. Where its steps come near the cell, corners fall
	// together and polygons lose their shape.
	far := max(math.Abs(box.Min.X), math.Abs(box.Max.X), math.Abs(box.Min.Z), math.Abs(box.Max.Z))
	if step := float64(far * 0x1p-23); step > n.Cell/4 {
		return nil, &SizeError{size, fmt.Sprintf(
			"%.6g m from the origin, where coordinates come in steps of up to %.2g m, is too far for cells of %g m: move the level to the origin, or use cells of at least %.2g m",
			far, step, n.Cell, 4*step)}
	}
	l := &lattice{
		origin: box.Min, size: size, cell: n.Cell, cellHeight: n.CellHeight, maxY: box.Max.Y,
		w: max(1, cellsUp(size.X, n.Cell)), d: max(1, cellsUp(size.Z, n.Cell)),
	}
	l.tiled = tiling == TilingOn || tiling == TilingAuto && l.w*l.d > autoTileCells
	if !l.tiled {
		if l.w*l.d > heightfield.MaxCells {
			return nil, &SizeError{size, fmt.Sprintf("%d x %d cells are too many for one tile: bake it tiled", l.w, l.d)}
		}
		l.tile, l.tilesX, l.tilesZ = max(l.w, l.d), 1, 1
		return l, nil
	}
	l.tile = n.TileSize
	l.border = cellsUp(b.Radius, n.Cell) + 3 // what erosion, ledges and the regions' seams can reach
	if side := l.tile + 2*l.border; side > heightfield.MaxCells/side {
		return nil, &SizeError{size, fmt.Sprintf(
			"a tile of %d cells and the frame that radius %g m needs are %d x %d cells, too many: use greater cells",
			l.tile, b.Radius, side, side)}
	}
	l.tilesX, l.tilesZ = (l.w+l.tile-1)/l.tile, (l.d+l.tile-1)/l.tile
	if l.tilesX > maxTiles/l.tilesZ {
		return nil, &SizeError{size, fmt.Sprintf(
			"%d x %d tiles are more than %d: remove stray geometry far from the rest, use greater tiles or cells, or check the unit",
			l.tilesX, l.tilesZ, maxTiles)}
	}
	return l, nil
}

// grid returns the grid a tile is computed on: its cells and its border.
func (l *lattice) grid(tx, tz int) heightfield.Grid {
	g := heightfield.Grid{W: l.w, D: l.d, Origin: l.origin, Cell: l.cell, CellHeight: l.cellHeight}
	if l.tiled {
		g.W, g.D = l.tile+2*l.border, l.tile+2*l.border
		g.Origin = l.corner(tx*l.tile-l.border, tz*l.tile-l.border)
	}
	return g
}

// corner returns the world position of a cell corner of the whole level.
// Neighbouring tiles take the corners they share from here, so they agree to
// the bit.
func (l *lattice) corner(x, z int) geom.Vec3 {
	return geom.Vec3{
		X: l.origin.X + float64(float64(x)*l.cell),
		Y: l.origin.Y,
		Z: l.origin.Z + float64(float64(z)*l.cell),
	}
}

// bins lists for each tile the triangles that touch it or its border, in
// their given order: bin i is items[start[i]:start[i+1]].
type bins struct {
	start []uint32
	items []uint32
}

// bin fails with a *SizeError when the lists would take gigabytes, and when
// ctx ends.
func (l *lattice) bin(ctx context.Context, sc *scene.Scene, tris []heightfield.Tri) (*bins, error) {
	type tileRange struct{ x0, x1, z0, z1 int32 }
	b := &bins{start: make([]uint32, l.tilesX*l.tilesZ+1)}
	ranges := make([]tileRange, len(tris))
	total := 0
	for i := range tris {
		t := &tris[i]
		box := geom.EmptyBox().Extend(sc.Verts[t.A]).Extend(sc.Verts[t.B]).Extend(sc.Verts[t.C])
		r := &ranges[i]
		r.x0, r.x1 = l.tileRange(box.Min.X-l.origin.X, box.Max.X-l.origin.X, l.tilesX)
		r.z0, r.z1 = l.tileRange(box.Min.Z-l.origin.Z, box.Max.Z-l.origin.Z, l.tilesZ)
		total += int(r.x1-r.x0+1) * int(r.z1-r.z0+1)
		if total > maxBinned {
			return nil, &SizeError{l.size, fmt.Sprintf(
				"too many triangles reach over %d x %d tiles: use greater tiles or cells, or cut large triangles", l.tilesX, l.tilesZ)}
		}
	}
	each := func(visit func(tile int, tri uint32)) error {
		for i := range ranges {
			r := &ranges[i]
			for z := r.z0; z <= r.z1; z++ {
				if (i&255 == 0 || r.x1-r.x0 > 255) && ctx.Err() != nil {
					return ctx.Err()
				}
				for x := r.x0; x <= r.x1; x++ {
					visit(int(z)*l.tilesX+int(x), uint32(i))
				}
			}
		}
		return nil
	}
	if err := each(func(tile int, _ uint32) { b.start[tile+1]++ }); err != nil {
		return nil, err
	}
	for i := 1; i < len(b.start); i++ {
		b.start[i] += b.start[i-1]
	}
	b.items = make([]uint32, total)
	next := slices.Clone(b.start)
	err := each(func(tile int, tri uint32) {
		b.items[next[tile]] = tri
		next[tile]++
	})
	return b, err
}

// tileRange returns the first and last tile whose cells or border an interval
// of metres from the origin reaches, one cell of slack included.
func (l *lattice) tileRange(lo, hi float64, n int) (first, last int32) {
	slack := float64(l.border + 1)
	side := float64(l.tile)
	most := float64(n - 1)
	first = int32(min(max(math.Floor((lo/l.cell-slack)/side), 0), most))
	last = int32(min(max(math.Floor((hi/l.cell+slack)/side), 0), most))
	return first, last
}
