package spanbake

import (
	"context"
	"math"

	"wend/geom"
	"wend/internal/heightfield"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/scene"
	"wend/spangrid"
)

// An Overhead knows what stands above the ground of a zone: the geometry of
// its level, of which the walkable triangles are but the floor. It is immutable
// and shared by the workers.
type Overhead struct {
	verts  []geom.Vec3
	tris   []heightfield.Tri
	zone   bnav.Zone
	base   float64 // height below everything
	voxel  float64 // height of a voxel
	bucket map[[2]int][]int32
	wide   []wideTri // those in no bucket
}

// A wideTri is a triangle that lies over so many squares that its box is looked
// at instead.
type wideTri struct {
	tri            int32
	x0, x1, z0, z1 int // squares, both ends included
}

// Geometry is looked for by squares of so many cells.
const overheadSquare = 256

// Triangles over more squares than this are kept aside: they are few in any
// real level, and one alone could fill the memory with its squares.
const overheadSpread = 1 << 10

// Undersides less than this above a record belong to its own floor, m.
const ownFloor = 0.25

// NewOverhead takes the triangles of a scene that block a body: all but those
// of parts that are neither surface nor collider.
func NewOverhead(sc *scene.Scene, z *bnav.Zone) *Overhead {
	o := &Overhead{verts: sc.Verts, zone: *z, base: math.Inf(1), bucket: map[[2]int][]int32{}}
	high := math.Inf(-1)
	for i := range sc.Tris {
		t := &sc.Tris[i]
		p := &sc.Parts[t.Part]
		if p.NoSurface && !p.Collider {
			continue
		}
		n := int32(len(o.tris))
		o.tris = append(o.tris, heightfield.Tri{A: t.V[0], B: t.V[1], C: t.V[2]})
		x0, z0 := math.MaxInt, math.MaxInt
		x1, z1 := math.MinInt, math.MinInt
		for _, v := range t.V {
			p := sc.Verts[v]
			u, w := z.ToPlane(p.X, p.Z)
			gx, gy := spangrid.CellOf(u), spangrid.CellOf(w)
			x0, x1, z0, z1 = min(x0, gx), max(x1, gx), min(z0, gy), max(z1, gy)
			o.base, high = min(o.base, p.Y), max(high, p.Y)
		}
		// A cell more on either side: what lies on a border fills the cell
		// beyond.
		b := wideTri{
			n, floorDiv(x0-1, overheadSquare), floorDiv(x1+1, overheadSquare),
			floorDiv(z0-1, overheadSquare), floorDiv(z1+1, overheadSquare),
		}
		if (b.x1-b.x0+1)*(b.z1-b.z0+1) > overheadSpread {
			o.wide = append(o.wide, b)
			continue
		}
		for sy := b.z0; sy <= b.z1; sy++ {
			for sx := b.x0; sx <= b.x1; sx++ {
				k := [2]int{sx, sy}
				o.bucket[k] = append(o.bucket[k], n)
			}
		}
	}
	if len(o.tris) == 0 {
		return nil
	}
	o.base -= 1
	o.voxel = max(0.125, (high-o.base+1)/(heightfield.MaxHeight-2))
	return o
}

// columns returns the matter above each cell of a window.
func (o *Overhead) columns(ctx context.Context, w spangrid.Window) (*heightfield.Solid, error) {
	seen := map[int32]bool{}
	var tris []heightfield.Tri
	x0, x1 := floorDiv(w.GX, overheadSquare), floorDiv(w.GX+w.NX-1, overheadSquare)
	z0, z1 := floorDiv(w.GY, overheadSquare), floorDiv(w.GY+w.NY-1, overheadSquare)
	for sy := z0; sy <= z1; sy++ {
		for sx := x0; sx <= x1; sx++ {
			for _, t := range o.bucket[[2]int{sx, sy}] {
				if !seen[t] {
					seen[t] = true
					tris = append(tris, o.tris[t])
				}
			}
		}
	}
	for _, b := range o.wide {
		if b.x0 <= x1 && b.x1 >= x0 && b.z0 <= z1 && b.z1 >= z0 {
			tris = append(tris, o.tris[b.tri])
		}
	}
	if len(tris) == 0 {
		return nil, nil
	}
	cell := spangrid.Side / float64(o.zone.SX)
	g := heightfield.Grid{
		W: w.NX, D: w.NY, Cell: cell, CellHeight: o.voxel,
		Origin: geom.V3(
			(float64(w.GX)*spangrid.Side-float64(o.zone.TX))/float64(o.zone.SX), o.base,
			(float64(w.GY)*spangrid.Side-float64(o.zone.TY))/-float64(o.zone.SY),
		),
	}
	return heightfield.Rasterize(ctx, g, o.verts, tris, 1, 1)
}

// headroom appends what is free above each record of a tile, in the order of
// the records. win is the window that their cells are counted in.
func (o *Overhead) headroom(ctx context.Context, dst []uint8, recs []record, owned, win spangrid.Window) ([]uint8, error) {
	solid, err := o.columns(ctx, owned)
	if err != nil {
		return dst, err
	}
	for i := range recs {
		step := uint8(0)
		if solid != nil {
			gx, gy := win.At(int(recs[i].Cell))
			c := owned.Cell(gx, gy)
			h := float64(recs[i].H)
			for _, s := range solid.Spans[solid.Start[c]:solid.Start[c+1]] {
				if bottom := o.base + float64(float64(s.Min)*o.voxel); bottom > h+ownFloor {
					step = annex.HeadroomStep(bottom - h)
					break
				}
			}
		}
		dst = append(dst, step)
	}
	return dst, nil
}

// fingerprint feeds what the headroom depends on to num.
func (o *Overhead) fingerprint(num func(uint64)) {
	num(uint64(len(o.tris)))
	for i := range o.tris {
		for _, v := range [3]uint32{o.tris[i].A, o.tris[i].B, o.tris[i].C} {
			p := o.verts[v]
			num(math.Float64bits(p.X))
			num(math.Float64bits(p.Y))
			num(math.Float64bits(p.Z))
		}
	}
}
