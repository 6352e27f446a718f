package draw

import (
	"image/color"

	"wend/bake"
	"wend/geom"
	"wend/internal/contour"
	"wend/internal/heightfield"
	"wend/internal/region"
)

// AppendRegions adds the cells of the compact field that a bake made of a
// tile, in the colours of their regions; cells of no region are grey. Equal
// neighbours along X become one rectangle.
func AppendRegions(c *Canvas, im *bake.Intermediate) {
	f := im.Compact
	if f == nil || im.Regions == nil || len(im.Regions.Region) != f.Len() {
		return
	}
	none := color.NRGBA{0xcf, 0xcf, 0xcf, 255}
	for z := range f.D {
		// Runs grow along the row: by the entry to the left.
		type stretch struct {
			from int
			id   region.ID
			y    uint16
		}
		var prev, cur []stretch
		flush := func(list []stretch, x int) {
			for _, s := range list {
				col := none
				if s.id != 0 && s.id&region.Border == 0 {
					col = Tint(int(s.id-1) % (2 * paletteSize))
				}
				y := int(s.y)
				c.Add(Fill, groupRegions, Style{Color: col},
					cellCorner(&f.Grid, s.from, y, z), cellCorner(&f.Grid, s.from, y, z+1),
					cellCorner(&f.Grid, x, y, z+1), cellCorner(&f.Grid, x, y, z))
			}
		}
		for x := range f.W {
			cur = cur[:0]
			for i := f.Start[x+z*f.W]; i < f.Start[x+z*f.W+1]; i++ {
				if f.Area[i] == heightfield.Unwalkable {
					continue
				}
				s := stretch{x, im.Regions.Region[i], f.Y[i]}
				for k, p := range prev {
					if p.id == s.id && p.y == s.y {
						s.from = p.from
						prev = append(prev[:k], prev[k+1:]...)
						break
					}
				}
				cur = append(cur, s)
			}
			flush(prev, x)
			prev, cur = cur, prev
		}
		flush(prev, f.W)
	}
	c.AddKey(Key{Fill, Style{Color: Tint(0)}, "regions, a colour each"})
	c.AddKey(Key{Fill, Style{Color: none}, "cells of no region"})
}

func cellCorner(g *heightfield.Grid, x, y, z int) geom.Vec3 {
	return geom.Vec3{
		X: g.Origin.X + float64(float64(x)*g.Cell),
		Y: g.Origin.Y + float64(float64(y)*g.CellHeight),
		Z: g.Origin.Z + float64(float64(z)*g.Cell),
	}
}

// AppendContours adds the outlines of the regions of a tile: every cell corner
// as a thin line, the simplified outline as a thick one with its corners.
func AppendContours(c *Canvas, im *bake.Intermediate) {
	set := im.Contours
	if set == nil {
		return
	}
	loop := func(verts []contour.Vertex, st Style, group string) {
		if len(verts) < 2 {
			return
		}
		pts := make([]geom.Vec3, len(verts))
		for i, v := range verts {
			pts[i] = cellCorner(&set.Grid, int(v.X), int(v.Y), int(v.Z))
		}
		c.Add(Loop, group, st, pts...)
		if group == groupContours {
			c.Add(Dot, groupCorners, Style{Color: st.Color, Width: 4.5}, pts...)
		}
	}
	raw := Style{Color: color.NRGBA{0x9a, 0x9a, 0x9a, 255}, Width: 0.8}
	for i := range set.Contours {
		k := &set.Contours[i]
		col := Color(max(int(k.Region&^region.Border)-1, 0) % (2 * paletteSize))
		loop(k.Raw, raw, groupRaw)
		loop(k.Verts, Style{Color: col, Width: 2}, groupContours)
	}
	c.AddKey(Key{Line, raw, "cell corners"})
	c.AddKey(Key{Line, Style{Color: Color(0), Width: 2}, "simplified outlines"})
}
