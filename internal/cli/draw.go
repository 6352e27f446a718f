package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"wend"
	"wend/bake"
	"wend/draw"
	"wend/route"
)

type drawCmd struct {
	World []string `arg:"" help:"Navmesh (.bin), level file or pack (.nav.gz)."`
	Layer string   `placeholder:"NAME" help:"What to draw, see below; default mesh, of packs regions."`
	Out   string   `short:"o" required:"" placeholder:"F" help:"Picture file, .svg or .png."`
	View  string   `enum:"top,oblique,side" default:"top" help:"Where to look from: top, oblique or side."`
	Width int      `default:"1600" help:"Width in pixels."`
	spanFlags
	levelFlags
}

func (drawCmd) Help() string {
	var b strings.Builder
	list := func(layers []draw.Layer) {
		for _, l := range layers {
			b.WriteString("    " + l.Name + strings.Repeat(" ", max(1, 12-len(l.Name))) + l.About + "\n")
		}
	}
	b.WriteString("Layers of a navmesh or level; the last two and source need a level file:\n\n")
	list(draw.Layers())
	b.WriteString("\nLayers of a pack, seen from above: of a cell the topmost span is shown, or the topmost between the heights of --floor.\n\n")
	list(draw.SpanLayers())
	b.WriteString(`

Examples:

    wend draw town.nav.gz --layer clearance -o clearance.png
    wend draw town.nav.gz --layer components --floor 3,6 --area -20,-10,40,30 -o upstairs.svg
    wend draw town.nav.gz --layer section --from -58,0 --to 58,0 -o section.png
    wend draw town.bin --layer islands -o town.svg
    wend draw town.obj --layer source --view oblique -o town.png
    wend draw town.obj --layer regions -o regions.png --width 3000`)
	return b.String()
}

func (c *drawCmd) Run(e *env) error {
	format, err := pictureFormat(c.Out)
	if err != nil {
		return err
	}
	if c.Width < draw.MinSide || c.Width > draw.MaxSide {
		return badInputf("--width %d: want %d to %d pixels", c.Width, draw.MinSide, draw.MaxSide)
	}
	if isPack, err := c.isPack(); err != nil || isPack {
		if err != nil {
			return err
		}
		return c.runPack(e, format)
	}
	if flag := c.used(); flag != "" {
		return badInputf("%s is for packs, and %s is none", flag, c.World[0])
	}
	if c.Layer == "" {
		c.Layer = "mesh"
	}
	if !hasLayer(draw.Layers(), c.Layer) {
		return badInput(&draw.UnknownLayerError{Name: c.Layer})
	}
	if err := checkOutput(c.Out, c.inputs(c.World)...); err != nil {
		return err
	}
	in, err := c.input(e)
	if err != nil {
		return err
	}
	opt := &draw.Options{Format: format, Width: c.Width, View: draw.View{Kind: views[c.View]}, Title: filepath.Base(c.World[0]) + ": " + c.Layer}
	return renderFile(e, c.Out, in, c.Layer, opt)
}

// isPack reports whether the first of the files is a main pack.
func (c *drawCmd) isPack() (bool, error) {
	kind, err := packKind(c.World[0])
	switch {
	case err != nil:
		return false, badInput(err)
	case kind == magicFields:
		return false, badInputf("%s is a fields sidecar, want its main pack %s", c.World[0], mainOfSidecar(c.World[0]))
	case kind == magicOccluder:
		return false, badInputf("%s is an occluder pack, which has no picture", c.World[0])
	}
	return kind == magicMain, nil
}

var views = map[string]draw.ViewKind{"top": draw.Above, "oblique": draw.Oblique, "side": draw.Side}

// input reads or bakes what the layer needs and no more.
func (c *drawCmd) input(e *env) (draw.Input, error) {
	levels := false
	for _, file := range c.World {
		baked, err := isNavmesh(file)
		if err != nil {
			return draw.Input{}, badInput(err)
		}
		levels = levels || !baked
	}
	if levels && c.Layer == "source" {
		o, err := c.readLevels(e, c.World, nil)
		if err != nil {
			return draw.Input{}, err
		}
		return draw.Input{Scene: o.scene}, nil
	}
	keep := c.Layer == "regions" || c.Layer == "contours"
	var stages []*bake.Intermediate
	if keep {
		first := ""
		c.intermediate = func(body string, im *bake.Intermediate) {
			if len(stages) == 0 {
				first = body
			}
			if body == first {
				stages = append(stages, im)
			}
		}
	}
	o, err := c.open(e, c.World, nil)
	if err != nil {
		return draw.Input{}, err
	}
	return draw.Input{Mesh: o.world.Mesh(0), Scene: o.scene, Stages: stages}, nil
}

func hasLayer(layers []draw.Layer, name string) bool {
	return slices.ContainsFunc(layers, func(l draw.Layer) bool { return l.Name == name })
}

func pictureFormat(file string) (draw.Format, error) {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".svg":
		return draw.SVG, nil
	case ".png":
		return draw.PNG, nil
	}
	return 0, badInputf("%s: a picture's name has to end in .svg or .png", file)
}

// renderFile draws a layer of a world into a file.
func renderFile(e *env, file string, in draw.Input, layer string, opt *draw.Options) error {
	return pictureFile(e, file, func(w io.Writer) error { return draw.Render(w, in, layer, opt) })
}

// pictureFile writes what render draws. A large picture takes seconds in one
// go, and an interrupt does not wait for it: it is left to its goroutine, which
// touches no file, and the program ends.
func pictureFile(e *env, file string, render func(io.Writer) error) error {
	if err := e.ctx.Err(); err != nil {
		return err
	}
	picture := new(bytes.Buffer)
	drawn := make(chan error, 1)
	go func() { drawn <- render(picture) }()
	select {
	case <-e.ctx.Done():
		return e.ctx.Err()
	case err := <-drawn:
		var missing *draw.MissingError
		if errors.As(err, &missing) {
			return badInput(missing)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return writeFile(file, func(w io.Writer) error {
		_, err := picture.WriteTo(w)
		return err
	})
}

// drawRoute makes the pictures that --svg and --png ask for.
func (c *routeCmd) drawRoute(e *env, o *opened, agent wend.Agent, whole *route.Route) error {
	body, err := o.world.BodyFor(agent)
	if err != nil {
		return badInput(err)
	}
	in := draw.Input{Mesh: o.world.Mesh(body), Scene: o.scene, Routes: []*route.Route{whole}}
	title := filepath.Base(o.files[0]) + ": " + c.From.String() + " to " + c.To.String()
	for _, f := range []struct {
		file   string
		format draw.Format
	}{{c.SVG, draw.SVG}, {c.PNG, draw.PNG}} {
		if f.file == "" {
			continue
		}
		if err := renderFile(e, f.file, in, "mesh", &draw.Options{Format: f.format, Width: c.Width, Title: title}); err != nil {
			return err
		}
	}
	return nil
}
