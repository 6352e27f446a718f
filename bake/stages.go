package bake

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"wend/geom"
	"wend/internal/contour"
	"wend/internal/detail"
	"wend/internal/heightfield"
	"wend/internal/polygonize"
	"wend/internal/region"
	"wend/navmesh"
	"wend/scene"
)

// The stages of a tile, in order.
const (
	stageRaster = iota
	stageFilter
	stageCompact
	stageErode
	stageRegions
	stageContours
	stagePolygons
	stageDetail
	stageTile
	numStages
)

var stageNames = [numStages]string{
	"rasterise", "filter", "compact", "erode", "regions", "contours", "polygons", "detail", "tile",
}

// A StageError says which stage of which tile failed.
type StageError struct {
	Stage        string
	TileX, TileZ int
	Err          error
}

func (e *StageError) Error() string {
	return fmt.Sprintf("bake: stage %s, tile %d,%d: %v", e.Stage, e.TileX, e.TileZ, e.Err)
}

func (e *StageError) Unwrap() error { return e.Err }

// tileResult is what one tile gives. A large level has millions of tiles and
// most of them empty, so it is small where nothing was done.
type tileResult struct {
	tile    *navmesh.Tile // nil when the tile has no polygon
	skipped []Skip
	tally   *tally // nil for a tile that no triangle reaches
	// inter holds the intermediate results when the caller wants pictures.
	inter *Intermediate
}

// tally counts what the stages of a tile did.
type tally struct {
	// Walkable cells left after rasterising, filtering, erosion, the author's
	// volumes and the choice of regions: where a bake that ends empty lost its
	// ground.
	left [5]int
	time [numStages]time.Duration
	size [numStages]int // bytes of what the stage made
}

// Intermediate holds what the stages of one tile made, for pictures.
type Intermediate struct {
	TileX, TileZ int
	Compact      *heightfield.Compact
	Regions      *region.Result
	Contours     *contour.Set
	Polygons     *polygonize.Mesh
}

// body is the voxel form of a Body.
type body struct {
	height, climb int
	radiusCells   float64
}

func newBody(b *Body, n *Navmesh) body {
	return body{
		height:      heightfield.HeadroomVoxels(b.Height, n.CellHeight),
		climb:       heightfield.ClimbVoxels(b.MaxClimb, n.CellHeight),
		radiusCells: b.Radius / n.Cell,
	}
}

// bakeTile runs all stages of one tile. tris are the triangles that reach it.
func (r *run) bakeTile(ctx context.Context, tx, tz int, tris []heightfield.Tri, workers int) (res tileResult, err error) {
	tally := new(tally)
	res.tally = tally
	stage := 0
	last := time.Now()
	done := func(bytes int) {
		now := time.Now()
		tally.time[stage], tally.size[stage] = now.Sub(last), bytes
		last = now
		stage++
	}
	fail := func(err error) (tileResult, error) {
		if ctx.Err() != nil {
			return tileResult{}, ctx.Err()
		}
		return tileResult{}, &StageError{stageNames[stage], tx, tz, err}
	}
	n := &r.p.Navmesh
	bd := newBody(r.body, n)

	solid, err := heightfield.Rasterize(ctx, r.lat.grid(tx, tz), r.sc.Verts, tris, bd.climb, workers)
	if err != nil {
		return fail(err)
	}
	for i := range solid.Spans {
		if solid.Spans[i].Area != heightfield.Unwalkable {
			tally.left[0]++
		}
	}
	done(sliceBytes(solid.Spans) + sliceBytes(solid.Start))

	if n.FilterLowHanging {
		solid.FilterLowHanging(bd.climb)
	}
	if n.FilterLedges {
		solid.FilterLedges(bd.height, bd.climb)
	}
	if n.FilterLowHeight {
		solid.FilterLowHeight(bd.height)
	}
	done(0)

	c := solid.Compact(bd.height, bd.climb)
	tally.left[1] = walkable(c)
	done(sliceBytes(c.Start) + sliceBytes(c.Y) + sliceBytes(c.Open) + sliceBytes(c.Area) + sliceBytes(c.Nei))

	c.Erode(bd.radiusCells)
	tally.left[2] = walkable(c)
	r.mark(c)
	tally.left[3] = walkable(c)
	done(0)
	if err := ctx.Err(); err != nil {
		return fail(err)
	}

	partition := region.Watershed
	if n.Partition == Monotone {
		partition = region.Monotone
	}
	regs, err := partition(ctx, c, region.Options{
		Border:    r.lat.border,
		MinArea:   int(n.RegionMinSize * n.RegionMinSize),
		MergeArea: int(n.RegionMergeSize * n.RegionMergeSize),
	})
	if err != nil {
		return fail(err)
	}
	for _, id := range regs.Region {
		if id != 0 && id&region.Border == 0 {
			tally.left[4]++
		}
	}
	done(sliceBytes(regs.Region))

	edge := int(n.EdgeMaxLen / n.Cell)
	if n.EdgeMaxLen > 0 {
		edge = max(edge, 1) // 0 is no limit
	}
	set, err := contour.Build(ctx, c, regs, contour.Options{
		MaxError:   n.EdgeMaxError,
		MaxEdgeLen: edge,
		Border:     r.lat.border,
	})
	if err != nil {
		return fail(err)
	}
	bytes := sliceBytes(set.Contours)
	for i := range set.Contours {
		bytes += sliceBytes(set.Contours[i].Verts) + sliceBytes(set.Contours[i].Raw)
	}
	done(bytes)

	mesh, err := polygonize.Build(ctx, set, n.VertsPerPoly)
	if err != nil {
		return fail(err)
	}
	done(sliceBytes(mesh.Verts) + sliceBytes(mesh.PolyVerts) + sliceBytes(mesh.PolyNeis))

	sample := n.DetailSampleDist
	if sample < 0.9 {
		sample = 0
	}
	dm, err := detail.Build(ctx, mesh, c, regs, r.lat.border, detail.Options{
		SampleDist:     sample * n.Cell,
		SampleMaxError: n.DetailSampleMaxError * n.CellHeight,
	}, workers)
	if err != nil {
		return fail(err)
	}
	done(sliceBytes(dm.Subs) + sliceBytes(dm.Verts) + sliceBytes(dm.Tris))

	for _, skips := range [][]contour.Skip{set.Skipped, mesh.Skipped} {
		for _, s := range skips {
			at := r.lat.corner(tx*r.lat.tile+int(s.X), tz*r.lat.tile+int(s.Z))
			at.Y += float64(float64(s.Y) * n.CellHeight)
			res.skipped = append(res.skipped, Skip{tx, tz, uint32(s.Region), at, s.Reason})
		}
	}
	res.tile, err = r.newTile(tx, tz, mesh, dm)
	if err != nil {
		return fail(err)
	}
	done(0)
	if r.opt.Intermediate != nil {
		res.inter = &Intermediate{tx, tz, c, regs, set, mesh}
	}
	return res, nil
}

// mark applies the author's volumes and no-go polygons, in that order and in
// the order given; later ones win.
func (r *run) mark(c *heightfield.Compact) {
	lo := c.Origin
	hi := geom.Vec3{X: lo.X + float64(float64(c.W)*c.Cell), Z: lo.Z + float64(float64(c.D)*c.Cell)}
	touches := func(ring []geom.Vec2) bool {
		box := geom.EmptyBox()
		for _, p := range ring {
			box = box.Extend(geom.Vec3{X: p.X, Z: p.Y})
		}
		return box.Min.X <= hi.X && box.Max.X >= lo.X && box.Min.Z <= hi.Z && box.Max.Z >= lo.Z
	}
	for i := range r.sc.Volumes {
		v := &r.sc.Volumes[i]
		if !touches(v.Ring) {
			continue
		}
		code := areaCode(v.Area)
		if v.Unwalkable {
			code = heightfield.Unwalkable
		}
		c.MarkPrism(v.Ring, v.MinY, v.MaxY, code)
	}
	for i := range r.sc.NoGo {
		z := &r.sc.NoGo[i]
		if touches(z.Ring) {
			c.MarkPrism(z.Ring, z.MinY, z.MaxY, areaCode(noGoArea))
		}
	}
}

// areaRuleOf returns the navmesh area id and flags of a heightfield code.
func areaRuleOf(code uint8) (area uint8, flags uint16) {
	area = code - heightfield.Ground
	if scene.AreaID(area) == noGoArea {
		return area, navmesh.FlagNoGo
	}
	return area, navmesh.FlagWalk
}

func walkable(c *heightfield.Compact) int {
	n := 0
	for _, a := range c.Area {
		if a != heightfield.Unwalkable {
			n++
		}
	}
	return n
}

func sliceBytes[T any](s []T) int {
	return cap(s) * int(reflect.TypeFor[T]().Size())
}
