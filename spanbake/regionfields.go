package spanbake

import (
	"wend/pack/bnav"
	"wend/spangrid"
)

// boxMargin is how far the box of a region reaches beyond its cells. Steps are
// judged by what lies up to 4 cells from them, and steps leave the region's
// cells by one.
const boxMargin = 5

// regionFields are the masks and fields of one region, on a box around its
// cells in the window. Beyond the box there is nothing of the region, so what
// is computed here is what the whole window gives.
type regionFields struct {
	box   spangrid.Window
	layer spangrid.Mask // cells of the region, holes filled
	core  spangrid.Mask

	protect spangrid.Mask
	ghost   spangrid.Ghosts

	own   spangrid.Columns // spans and ghosts of the region
	all   spangrid.Columns // spans of all regions, and the region's ghosts
	bare  spangrid.Columns // spans of all regions
	spans spangrid.Columns // spans of the region
	of    []uint32         // regions of the spans of bare
	flags []uint8          // of the spans of own

	clr, clr2     []uint16
	steps, steps2 []uint8
	seg, tax      []uint8
	medial        spangrid.Mask
	hit           spangrid.Mask
	near          []int32

	masks    spangrid.LayerScratch
	distance spangrid.Distances
	nearest  spangrid.Nearest

	id uint32
}

// compute fills the fields of a region. It reports false where the region has no
// cell in owned.
func (g *regionFields) compute(r *spangrid.Rules, win *window, rs regionSpans, owned spangrid.Window, walls []spangrid.Wall, kept []keptWall) bool {
	g.id = rs.id
	g.box = rs.box.Grow(boxMargin).Intersect(win.Window)
	n := g.box.Cells()
	g.layer, g.core, g.protect = resize(g.layer, n), resize(g.core, n), resize(g.protect, n)
	clear(g.layer)
	clear(g.core)
	for y := range g.box.NY {
		from := win.Cell(g.box.GX, g.box.GY+y)
		copy(g.protect[y*g.box.NX:(y+1)*g.box.NX], win.protect[from:from+g.box.NX])
	}
	g.spans.Reset(g.box)
	for _, i := range win.order[rs.first:rs.end] {
		gx, gy := win.At(int(win.cell[i]))
		c := g.box.Cell(gx, gy)
		g.spans.Append(int32(c), win.h[i])
		g.layer[c] = true
		g.core[c] = win.bits[i]&spangrid.Inside != 0 // the last, highest one decides
	}
	g.spans.Finish(r.Climb)
	spangrid.FillHoles(g.layer, g.box, g.protect, &g.masks)
	if !anyIn(g.layer, g.box, owned) {
		return false
	}
	spangrid.FillHoles(g.core, g.box, g.protect, &g.masks)
	spangrid.CloseCracks(g.core, g.box, g.layer, g.protect, &g.masks)
	spangrid.FindGhosts(&g.ghost, g.layer, &g.spans, &g.masks)
	g.tables(r, win, rs)

	g.clr = g.distance.Clearance(g.clr, g.box, g.core, spangrid.OpenBorder)
	g.steps = r.Steps(g.steps, &g.own, g.layer)
	g.steps2 = r.Rejudge(g.steps2, g.steps, &g.own, &g.all)
	g.seg = r.Facades(g.seg, g.steps, g.steps2, &g.own)
	g.tax = r.Tax(g.tax, g.steps, &g.own, &g.all)

	g.hit = resize(g.hit, n)
	clear(g.hit)
	g.near = g.near[:0]
	for _, k := range kept {
		g.near = append(g.near, k.wall)
	}
	spangrid.WallHits(g.hit, g.box, walls, g.near, r)
	g.clr2 = g.distance.Boundary(g.clr2, g.clr, g.box, g.core, g.hit, g.steps2)
	g.medial = g.nearest.Medial(g.medial, g.box, g.clr2, r.Lambda2)
	return true
}

// anyIn reports whether a mask on box has a cell in w.
func anyIn(m spangrid.Mask, box, w spangrid.Window) bool {
	in := box.Intersect(w)
	for gy := in.GY; gy < in.GY+in.NY; gy++ {
		c := box.Cell(in.GX, gy)
		for _, b := range m[c : c+in.NX] {
			if b {
				return true
			}
		}
	}
	return false
}

// tables makes the columns that steps are judged by.
func (g *regionFields) tables(r *spangrid.Rules, win *window, rs regionSpans) {
	g.own.Reset(g.box)
	g.all.Reset(g.box)
	g.bare.Reset(g.box)
	g.of, g.flags = g.of[:0], g.flags[:0]
	next := 0 // ghost
	for y := range g.box.NY {
		from := win.Cell(g.box.GX, g.box.GY+y)
		for x := range g.box.NX {
			c := int32(y*g.box.NX + x)
			ghost := false
			var low float32
			if next < len(g.ghost.Cell) && g.ghost.Cell[next] == c {
				// A ghost without height could only lie in a hole too large to
				// be filled.
				ghost, low = !g.ghost.Fill(next), g.ghost.H[next]
				next++
			}
			if ghost {
				g.own.Append(c, low)
				g.flags = append(g.flags, flagGhost)
			}
			for i := win.start[from+x]; i < win.start[from+x+1]; i++ {
				h := win.h[i]
				if ghost && low <= h {
					g.all.Append(c, low)
					ghost = false
				}
				g.all.Append(c, h)
				g.bare.Append(c, h)
				g.of = append(g.of, win.region[i])
				if win.region[i] == rs.id {
					g.own.Append(c, h)
					g.flags = append(g.flags, win.bits[i]&spangrid.Dead)
				}
			}
			if ghost {
				g.all.Append(c, low)
			}
		}
	}
	g.own.Finish(r.Climb)
	g.all.Finish(r.Climb)
	g.bare.Finish(r.Climb)
}

// records appends the records of the cells that a tile owns. Cells are numbered
// in the tile's window; comp is the component of each, in order, base what
// components of the tile come before this region's.
func (g *regionFields) records(dst *[]record, owned, tile spangrid.Window, comp []uint32, base uint32) {
	k := 0
	for i, h := range g.own.H {
		c := int(g.own.Cell[i])
		gx, gy := g.box.At(c)
		if !owned.Has(gx, gy) {
			continue
		}
		flags := g.flags[i]
		if g.core[c] {
			flags |= flagCore | flagWalk
		}
		rec := record{
			Record: bnav.Record{
				Cell: int32(tile.Cell(gx, gy)), Region: g.id, H: h,
				Clr: g.clr[c], Flags: flags, Steps: g.steps[c],
			},
			steps2: g.steps2[c], seg: g.seg[c], tax: g.tax[c], clr2: g.clr2[c],
			part: base + comp[k],
		}
		k++
		if g.medial[c] {
			rec.medial = 1
		}
		*dst = append(*dst, rec)
	}
}
