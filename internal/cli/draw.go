package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"wend"
	"wend/bake"
	"wend/draw"
	"wend/route"
)

type drawCmd struct {
	World []string `arg:"" help:"Navmesh (.bin) or level file."`
	Layer string   `default:"mesh" placeholder:"NAME" help:"What to draw, see below; default mesh."`
	Out   string   `short:"o" required:"" placeholder:"F" help:"Picture file, .svg or .png."`
	View  string   `enum:"top,oblique,side" default:"top" help:"Where to look from: top, oblique or side."`
	Width int      `default:"1600" help:"Width in pixels."`
	levelFlags
}

func (drawCmd) Help() string {
	var b strings.Builder
	b.WriteString("Layers:\n\n")
	for _, l := range draw.Layers() {
		b.WriteString("    " + l.Name + strings.Repeat(" ", max(1, 10-len(l.Name))) + l.About + "\n")
	}
	b.WriteString(`
The last two and source need a level file.

Examples:

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
	if !knownLayer(c.Layer) {
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

func knownLayer(name string) bool {
	for _, l := range draw.Layers() {
		if l.Name == name {
			return true
		}
	}
	return false
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

// renderFile draws a picture into a file. A large one takes seconds in one go,
// and an interrupt does not wait for it: it is left to its goroutine, which
// touches no file, and the program ends.
func renderFile(e *env, file string, in draw.Input, layer string, opt *draw.Options) error {
	if err := e.ctx.Err(); err != nil {
		return err
	}
	picture := new(bytes.Buffer)
	drawn := make(chan error, 1)
	go func() { drawn <- draw.Render(picture, in, layer, opt) }()
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
		if err := renderFile(e, f.file, in, "mesh", &draw.Options{Format: f.format, Title: title}); err != nil {
			return err
		}
	}
	return nil
}
