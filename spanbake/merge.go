package spanbake

import (
	"fmt"

	"wend/pack/annex"
	"wend/pack/bnav"
)

// Merge puts several inputs into one, each with its own zones: their ids are
// given anew, from 1 in order. All must have the same constants.
func Merge(list ...*Input) (*Input, error) {
	out := &Input{}
	c := &out.Content
	id := uint16(0)
	surfaces := false
	for _, in := range list {
		surfaces = surfaces || in.Content.Surfaces != nil
	}
	for i, in := range list {
		o := &in.Content
		if o.Rules() != list[0].Content.Rules() {
			return nil, &InputError{What: fmt.Sprintf("inputs 0 and %d have different constants", i)}
		}
		c.Profile = list[0].Content.Profile
		if len(o.Zones) > 1<<16-1-int(id) {
			return nil, &InputError{What: "more than 65535 zones"}
		}
		verts, tris := uint32(len(c.Vertices)), uint32(len(c.Triangles))
		ids := map[uint16]uint16{}
		for _, z := range o.Zones {
			id++
			ids[z.ID] = id
		}
		for _, z := range o.Zones {
			z.ID = ids[z.ID]
			if z.IsTier() {
				z.Components = uint32(ids[uint16(z.Components)])
			} else {
				z.FirstTri += tris
			}
			c.Zones = append(c.Zones, z)
		}
		c.Vertices = append(c.Vertices, o.Vertices...)
		for k, t := range o.Triangles {
			for e := range 3 {
				t.V[e] += verts
				if t.N[e] >= 0 {
					t.N[e] += int32(tris)
				}
			}
			c.Triangles = append(c.Triangles, t)
			if surfaces {
				s := bnav.Surface{Flags: flagGround}
				if o.Surfaces != nil {
					s = o.Surfaces[k]
				}
				c.Surfaces = append(c.Surfaces, s)
			}
		}
		for _, l := range o.Links {
			c.Links = append(c.Links, bnav.Link{Source: l.Source + tris, Target: l.Target + tris})
		}
		for _, l := range o.OffMesh {
			l.Index, l.ZoneID = uint32(len(c.OffMesh)), ids[l.ZoneID]
			for _, t := range []*uint32{&l.StartTri, &l.EndTri} {
				if *t != bnav.NoTriangle {
					*t += tris
				}
			}
			c.OffMesh = append(c.OffMesh, l)
			c.OffMeshVersion = 2
		}
		out.Colliders = append(out.Colliders, in.Colliders...)
		for _, b := range in.Bodies {
			b.ID = ids[b.ID]
			out.Bodies = append(out.Bodies, b)
		}
		for _, n := range in.NoGo {
			n.ID = ids[n.ID]
			out.NoGo = append(out.NoGo, n)
		}
		if l := in.Levels; l != nil {
			if out.Levels == nil {
				out.Levels = &annex.Levels{Frame: l.Frame}
			}
			for _, z := range l.Zones {
				z.ID = ids[z.ID]
				out.Levels.Zones = append(out.Levels.Zones, z)
			}
		}
		for zone, o := range in.Overhead {
			if out.Overhead == nil {
				out.Overhead = map[uint16]*Overhead{}
			}
			out.Overhead[ids[zone]] = o
		}
	}
	return out, nil
}
