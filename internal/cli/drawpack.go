package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"wend/draw"
	"wend/geom"
	"wend/pack"
	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// spanFlags say what of a pack is drawn.
type spanFlags struct {
	Zone  string    `placeholder:"NAME" group:"drawpack" help:"Zone to draw; default: the pack's first."`
	Area  numbers   `placeholder:"x0,z0,x1,z1" group:"drawpack" help:"Only this rectangle, world metres."`
	Floor numbers   `placeholder:"LOW,HIGH" group:"drawpack" help:"The storey between two heights, metres; what has nothing there is pale."`
	Block int       `placeholder:"N" group:"drawpack" help:"Cells a side drawn as one square; default: what a picture has room for."`
	From  planPlace `placeholder:"x,z" group:"drawpack" help:"Start of a section, world metres."`
	To    planPlace `placeholder:"x,z" group:"drawpack" help:"End of a section."`
}

// numbers is a list of coordinates on the command line; planPlace is one place
// on the ground. Both take the next word as it is, as place does.
type (
	numbers   []float64
	planPlace []float64
)

// Decode reads the value of a flag.
func (n *numbers) Decode(k *kong.DecodeContext) error {
	token := k.Scan.Pop()
	if token.IsEOL() {
		return errors.New("want numbers with commas between them")
	}
	*n = (*n)[:0]
	for _, f := range strings.Split(fmt.Sprint(token.Value), ",") {
		v, err := parseCoord(f)
		if err != nil {
			return err
		}
		*n = append(*n, v)
	}
	return nil
}

// Decode reads the value of a flag: x,z or x,y,z.
func (p *planPlace) Decode(k *kong.DecodeContext) error {
	var at place
	if err := at.Decode(k); err != nil {
		return err
	}
	*p = planPlace{at.pos.X, at.pos.Z}
	return nil
}

// used names the first of the flags that is set.
func (f *spanFlags) used() string {
	switch {
	case f.Zone != "":
		return "--zone"
	case f.Area != nil:
		return "--area"
	case f.Floor != nil:
		return "--floor"
	case f.Block != 0:
		return "--block"
	case f.From != nil:
		return "--from"
	case f.To != nil:
		return "--to"
	}
	return ""
}

// options checks the flags for a layer.
func (f *spanFlags) options(layer string, jobs int) (*draw.SpanOptions, error) {
	o := &draw.SpanOptions{Zone: f.Zone, Block: f.Block, Workers: jobs}
	if f.Block < 0 {
		return nil, badInputf("--block %d: want 0 or more cells", f.Block)
	}
	if a := f.Area; a != nil {
		if len(a) != 4 || a[0] == a[2] || a[1] == a[3] {
			return nil, badInputf("--area %s: want two corners of a rectangle, x0,z0,x1,z1", a)
		}
		o.Rect = &draw.PlanRect{
			Min: geom.Vec2{X: min(a[0], a[2]), Y: min(a[1], a[3])},
			Max: geom.Vec2{X: max(a[0], a[2]), Y: max(a[1], a[3])},
		}
	}
	if b := f.Floor; b != nil {
		if len(b) != 2 || b[0] > b[1] {
			return nil, badInputf("--floor %s: want two heights, LOW,HIGH", b)
		}
		o.Band = &[2]float64{b[0], b[1]}
	}
	section := layer == draw.SectionLayer
	switch {
	case section && (f.From == nil || f.To == nil):
		return nil, badInputf("layer section needs --from x,z and --to x,z")
	case !section && (f.From != nil || f.To != nil):
		return nil, badInputf("--from and --to are for layer section")
	case section && f.Area != nil:
		return nil, badInputf("--area is not for layer section: --from and --to say where it goes")
	case section && f.From[0] == f.To[0] && f.From[1] == f.To[1]:
		return nil, badInputf("--from and --to are the same place")
	case section:
		o.From, o.To = geom.Vec2{X: f.From[0], Y: f.From[1]}, geom.Vec2{X: f.To[0], Y: f.To[1]}
	}
	return o, nil
}

func (n numbers) String() string {
	var words []string
	for _, v := range n {
		words = append(words, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return strings.Join(words, ",")
}

// runPack draws a layer of a pack.
func (c *drawCmd) runPack(e *env, format draw.Format) error {
	file := c.World[0]
	if len(c.World) > 1 {
		return badInputf("%s is a pack, and a picture shows one", file)
	}
	if err := c.checkUnused(file, "pack"); err != nil {
		return err
	}
	if c.View != "top" {
		return badInputf("--view %s is for navmeshes and levels; a pack is drawn from above, or as --layer section", c.View)
	}
	layer := c.Layer
	if layer == "" {
		layer = "regions"
	}
	if !hasLayer(draw.SpanLayers(), layer) {
		return badInput(&draw.UnknownLayerError{Name: layer, Want: draw.SpanLayers()})
	}
	o, err := c.options(layer, c.Jobs)
	if err != nil {
		return err
	}
	fields, _ := pack.SideNames(file)
	if err := checkOutput(c.Out, file, fields); err != nil {
		return err
	}
	in, err := readPair(e, file, fields)
	if err != nil {
		return err
	}
	opt := &draw.Options{Format: format, Width: c.Width, Title: filepath.Base(file) + ": " + layer}
	err = pictureFile(e, c.Out, func(w io.Writer) error { return draw.RenderSpans(e.ctx, w, in, layer, o, opt) })
	var bad *draw.OptionError
	var broken *pack.FormatError
	switch {
	case errors.As(err, &broken), errors.Is(err, draw.ErrEmpty), errors.As(err, &bad):
		return badInput(err)
	}
	return err
}

// readPair reads a main pack and, where it is there, its fields.
func readPair(e *env, file, fields string) (draw.SpanInput, error) {
	main, err := bnav.Open(e.ctx, packFS(e), file, nil)
	if err != nil {
		return draw.SpanInput{}, badInput(packError(err))
	}
	f, err := bnvf.Open(e.ctx, packFS(e), fields, main, nil)
	if errors.Is(err, fs.ErrNotExist) {
		return draw.SpanInput{Main: main}, nil
	}
	if err != nil {
		return draw.SpanInput{}, badInput(packError(err))
	}
	return draw.SpanInput{Main: main, Fields: f}, nil
}
