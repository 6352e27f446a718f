package draw

import (
	"fmt"
	"io"
	"strings"

	"wend/bake"
	"wend/navmesh"
	"wend/route"
	"wend/scene"
)

// Layer is a kind of picture that Render makes.
type Layer struct {
	Name  string
	About string // one line, for help texts
}

// Input is what a picture can show. A layer that needs what is missing is
// *MissingError; routes and the corridor are added to every layer.
type Input struct {
	Mesh       *navmesh.Mesh
	Scene      *scene.Scene
	Stages     []*bake.Intermediate // of all tiles, for regions and contours
	Routes     []*route.Route
	RouteNames []string // parallel to Routes, for the legend; may be shorter
	Corridor   []Portal
	AreaNames  map[uint8]string // for the legend
}

// What a layer needs.
const (
	needsMesh   = "a navmesh"
	needsScene  = "level geometry"
	needsStages = "the stages of a bake"
	needsGrid   = "a span grid"
	needsFields = "the fields of a pack"
)

type layerDef struct {
	Layer
	needs string
	add   func(c *Canvas, in *Input)
}

func layerDefs() []layerDef {
	mesh := func(o MeshOptions) func(*Canvas, *Input) {
		return func(c *Canvas, in *Input) {
			o := o
			o.AreaNames = in.AreaNames
			AppendMesh(c, in.Mesh, &o)
			if in.Scene != nil {
				appendNoGo(c, in.Scene)
			}
		}
	}
	return []layerDef{
		{Layer{"mesh", "polygons with portals, walls, tile borders and off-mesh links"}, needsMesh, mesh(MeshOptions{})},
		{Layer{"islands", "polygons in the colours of their islands: what reaches what"}, needsMesh, mesh(MeshOptions{Fill: FillIsland})},
		{Layer{"storeys", "polygons in the colours of their storeys, darker with height"}, needsMesh, mesh(MeshOptions{Fill: FillStorey})},
		{Layer{"areas", "polygons in the colours of their area ids"}, needsMesh, mesh(MeshOptions{Fill: FillArea})},
		{Layer{"portals", "edges and links only"}, needsMesh, func(c *Canvas, in *Input) {
			AppendMesh(c, in.Mesh, &MeshOptions{NoFill: true})
			// White portals need a dark ground; here is none.
			for i := range c.Shapes {
				if c.Shapes[i].Group == groupPortals {
					c.Shapes[i].Style.Color = Color(0)
				}
			}
			for i := range c.Legend {
				if c.Legend[i].Label == "portals" {
					c.Legend[i].Style.Color = Color(0)
				}
			}
		}},
		{Layer{"detail", "triangles of the height detail, shaded by slope"}, needsMesh, func(c *Canvas, in *Input) {
			AppendDetail(c, in.Mesh)
			AppendMesh(c, in.Mesh, &MeshOptions{NoFill: true, NoPortals: true, NoTile: true, NoLinks: true})
		}},
		{Layer{"source", "level geometry, shaded by slope, with links, volumes and no-go polygons"}, needsScene, func(c *Canvas, in *Input) {
			AppendScene(c, in.Scene, in.AreaNames)
		}},
		{Layer{"regions", "cells of the bake in the colours of their regions"}, needsStages, func(c *Canvas, in *Input) {
			for _, im := range in.Stages {
				AppendRegions(c, im)
			}
		}},
		{Layer{"contours", "outlines of the regions before and after simplification"}, needsStages, func(c *Canvas, in *Input) {
			for _, im := range in.Stages {
				AppendContours(c, im)
			}
		}},
	}
}

// Layers returns the layers that Render knows, in a fixed order.
func Layers() []Layer {
	defs := layerDefs()
	out := make([]Layer, len(defs))
	for i, d := range defs {
		out[i] = d.Layer
	}
	return out
}

// UnknownLayerError names a layer that does not exist.
type UnknownLayerError struct {
	Name string
	Want []Layer // those that exist; nil: Layers
}

func (e *UnknownLayerError) Error() string {
	var names []string
	want := e.Want
	if want == nil {
		want = Layers()
	}
	for _, l := range want {
		names = append(names, l.Name)
	}
	return fmt.Sprintf("draw: unknown layer %q, want one of %s", e.Name, strings.Join(names, ", "))
}

// MissingError says what a layer needs and was not given.
type MissingError struct{ Layer, Needs string }

func (e *MissingError) Error() string {
	return fmt.Sprintf("draw: layer %s needs %s, which this world does not have", e.Layer, e.Needs)
}

// Compose returns a canvas with a layer and the routes and the corridor of in
// on it. Errors: *UnknownLayerError, *MissingError.
func Compose(in Input, layer string) (*Canvas, error) {
	for _, d := range layerDefs() {
		if d.Name != layer {
			continue
		}
		if d.needs == needsMesh && in.Mesh == nil || d.needs == needsScene && in.Scene == nil || d.needs == needsStages && len(in.Stages) == 0 {
			return nil, &MissingError{d.Name, d.needs}
		}
		c := &Canvas{}
		d.add(c, &in)
		// Routes are what one looks for: they come first in the legend.
		about := c.Legend
		c.Legend = nil
		AppendCorridor(c, in.Corridor)
		for i, r := range in.Routes {
			if r == nil {
				continue
			}
			name := ""
			if i < len(in.RouteNames) {
				name = in.RouteNames[i]
			}
			AppendRoute(c, r, i, name)
		}
		for _, k := range about {
			c.AddKey(k)
		}
		return c, nil
	}
	return nil, &UnknownLayerError{Name: layer}
}

// Render draws a layer to w in o.Format. Errors are those of Compose and of
// (*Canvas).WriteSVG; nothing is written before the picture is complete in
// memory.
func Render(w io.Writer, in Input, layer string, o *Options) error {
	c, err := Compose(in, layer)
	if err != nil {
		return err
	}
	if o != nil && o.Format == PNG {
		return c.WritePNG(w, o)
	}
	return c.WriteSVG(w, o)
}
