package bake

import (
	"fmt"
	"path"

	"wend/scene"
)

// A FieldError names a setting that makes no sense.
type FieldError struct {
	Field string // as in the profile file, for example "navmesh.cell"
	Msg   string
}

func (e *FieldError) Error() string { return "bake: " + e.Field + ": " + e.Msg }

// Validate reports the first field that is out of range as a *FieldError.
func (p *Profile) Validate() error {
	if err := p.Agent.validate("agent"); err != nil {
		return err
	}
	names := map[string]bool{p.Agent.Name: true}
	for i := range p.Bodies {
		field := fmt.Sprintf("body[%d]", i)
		b := &p.Bodies[i]
		if err := b.validate(field); err != nil {
			return err
		}
		if b.Name == "" || names[b.Name] {
			return &FieldError{field + ".name", fmt.Sprintf("%q is empty or used twice: each body needs a name of its own", b.Name)}
		}
		names[b.Name] = true
	}
	n := &p.Navmesh
	checks := []struct {
		field    string
		v        float64
		min, max float64
		what     string
	}{
		{"navmesh.cell", n.Cell, 1e-3, 1e3, "metres"},
		{"navmesh.cell_height", n.CellHeight, 1e-3, 1e3, "metres"},
		{"navmesh.region_min_size", n.RegionMinSize, 0, 1e4, "cells"},
		{"navmesh.region_merge_size", n.RegionMergeSize, 0, 1e4, "cells"},
		{"navmesh.edge_max_len", n.EdgeMaxLen, 0, 1e6, "metres"},
		{"navmesh.edge_max_error", n.EdgeMaxError, 0, 1e3, "cells"},
		{"navmesh.verts_per_poly", float64(n.VertsPerPoly), 3, 6, "corners"},
		{"navmesh.detail_sample_dist", n.DetailSampleDist, 0, 1e4, "cells"},
		{"navmesh.detail_sample_max_error", n.DetailSampleMaxError, 0, 1e4, "voxels"},
		{"navmesh.tile_size", float64(n.TileSize), 8, 4096, "cells"},
		{"navmesh.min_island_area", n.MinIslandArea, 0, 1e12, "square metres"},
		{"navmesh.partition", float64(n.Partition), 0, float64(Monotone), "a known partition"},
		{"navmesh.tiling", float64(n.Tiling), 0, float64(TilingOn), "a known tiling"},
	}
	for _, c := range checks {
		if err := inRange(c.field, c.v, c.min, c.max, c.what); err != nil {
			return err
		}
	}
	for i, s := range n.Seeds {
		if !s.IsFinite() {
			return &FieldError{fmt.Sprintf("navmesh.seeds[%d]", i), fmt.Sprintf("%v is not a point", s)}
		}
	}
	for i, a := range p.Areas {
		field := fmt.Sprintf("area[%d]", i)
		if a.Area > scene.MaxArea {
			return &FieldError{field + ".area", fmt.Sprintf("%d is over %d", a.Area, scene.MaxArea)}
		}
		for _, pattern := range []string{a.Part, a.Material} {
			if _, err := path.Match(pattern, ""); err != nil {
				return &FieldError{field, fmt.Sprintf("pattern %q: %v", pattern, err)}
			}
		}
	}
	return nil
}

func (b *Body) validate(field string) error {
	for _, c := range []struct {
		name     string
		v        float64
		min, max float64
		what     string
	}{
		{"radius", b.Radius, 0, 1e3, "metres"},
		{"height", b.Height, 1e-3, 1e3, "metres"},
		{"max_climb", b.MaxClimb, 0, 1e3, "metres"},
		{"max_slope_deg", b.MaxSlopeDeg, 0, 90, "degrees"},
	} {
		if err := inRange(field+"."+c.name, c.v, c.min, c.max, c.what); err != nil {
			return err
		}
	}
	return nil
}

// inRange refuses NaN as well: it is in no range.
func inRange(field string, v, lo, hi float64, what string) error {
	if v >= lo && v <= hi {
		return nil
	}
	return &FieldError{field, fmt.Sprintf("%v is out of range, want %v to %v %s", v, lo, hi, what)}
}
