package config

import (
	"errors"

	"wend/bake"
	"wend/scene"
)

// ReadProfile reads a bake profile. What the file does not say is as in the
// preset it names (preset = "human", the default, or "reference"); a further
// body takes what it does not say from [agent].
//
//	preset = "human"
//	name   = "giant"
//
//	[agent]                 # metres, degrees
//	radius        = 1.5
//	height        = 4.0
//	max_climb     = 0.9
//	max_slope_deg = 45
//
//	[navmesh]
//	cell   = 0.5
//	tiling = "on"
//
//	[span]                  # metres, degrees, cells
//	step_up = 0.5
//
//	[[area]]                # the first rule that matches a triangle wins
//	material = "water*"
//	area     = 2
//
// file is only used in errors. The error is Faults.
func ReadProfile(file string, data []byte) (bake.Profile, error) {
	p := bake.Human()
	d, root := parse(file, data)
	if err := d.err(); err != nil {
		return bake.Profile{}, err
	}
	if i, ok := root.choice("preset", "human", "reference"); ok && i == 1 {
		p = bake.Reference()
	}
	root.text("name", &p.Name)

	agent := root.table("agent")
	readBody(agent, &p.Agent)
	agent.done()

	for _, t := range root.tables("body") {
		b := p.Agent
		b.Name = ""
		readBody(t, &b)
		t.done()
		p.Bodies = append(p.Bodies, b)
	}

	readNavmesh(root.table("navmesh"), &p.Navmesh)
	readSpan(root.table("span"), &p.Span)

	for _, t := range root.tables("area") {
		var r bake.AreaRule
		t.text("part", &r.Part)
		t.text("material", &r.Material)
		r.Area = readArea(t)
		t.flag("unwalkable", &r.Unwalkable)
		t.done()
		p.Areas = append(p.Areas, r)
	}
	root.done()

	if err := d.err(); err != nil {
		return bake.Profile{}, err
	}
	if err := p.Validate(); err != nil {
		var fe *bake.FieldError
		if errors.As(err, &fe) {
			d.fault(fe.Field, "%s: %s", fe.Field, fe.Msg)
			return bake.Profile{}, d.err()
		}
		return bake.Profile{}, err
	}
	return p, nil
}

func readBody(t table, b *bake.Body) {
	t.text("name", &b.Name)
	t.number("radius", &b.Radius)
	t.number("height", &b.Height)
	t.number("max_climb", &b.MaxClimb)
	t.number("max_slope_deg", &b.MaxSlopeDeg)
}

func readNavmesh(t table, n *bake.Navmesh) {
	t.number("cell", &n.Cell)
	t.number("cell_height", &n.CellHeight)
	t.number("region_min_size", &n.RegionMinSize)
	t.number("region_merge_size", &n.RegionMergeSize)
	if i, ok := t.choice("partition", "watershed", "monotone"); ok {
		n.Partition = []bake.Partition{bake.Watershed, bake.Monotone}[i]
	}
	t.number("edge_max_len", &n.EdgeMaxLen)
	t.number("edge_max_error", &n.EdgeMaxError)
	t.count("verts_per_poly", &n.VertsPerPoly)
	t.number("detail_sample_dist", &n.DetailSampleDist)
	t.number("detail_sample_max_error", &n.DetailSampleMaxError)
	if i, ok := t.choice("tiling", "auto", "off", "on"); ok {
		n.Tiling = []bake.Tiling{bake.TilingAuto, bake.TilingOff, bake.TilingOn}[i]
	}
	t.count("tile_size", &n.TileSize)
	t.flag("filter_low_hanging", &n.FilterLowHanging)
	t.flag("filter_ledges", &n.FilterLedges)
	t.flag("filter_low_height", &n.FilterLowHeight)
	t.number("min_island_area", &n.MinIslandArea)
	n.Seeds = t.points("seeds")
	t.done()
}

func readSpan(t table, s *bake.Span) {
	t.number("climb", &s.Climb)
	t.number("slope_deg", &s.SlopeDeg)
	t.number("step_up", &s.StepUp)
	t.number("bump_up", &s.BumpUp)
	t.number("wall_height", &s.WallHeight)
	t.number("band", &s.Band)
	t.number("lambda", &s.Lambda)
	t.count("bump_cells", &s.BumpCells)
	t.count("dip_cells", &s.DipCells)
	t.done()
}

// count reads a small whole number; the profile's own check knows its range.
func (t table) count(key string, dst *int) {
	n := int64(*dst)
	t.integer(key, &n, 0, 1<<20)
	*dst = int(n)
}

func readArea(t table) scene.AreaID {
	var n int64
	t.integer("area", &n, 0, int64(scene.MaxArea))
	return scene.AreaID(n)
}
