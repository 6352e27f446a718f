package draw

import (
	"fmt"
	"image/color"
	"math"

	"wend/geom"
	"wend/grid"
)

// Names of the groups of grid pictures, beside those of scene.go.
const (
	groupCells = "cells"
	groupFlow  = "flow"
)

// GridInput is what a picture of a grid can show: cells coloured by the order
// of a search or by a flow field, and over them arrows of the field and a way.
// All but Ground may be left out.
type GridInput struct {
	Ground grid.Ground
	Moves  grid.Moves // hexagons are drawn as bricks

	Expanded []grid.Expansion // in their order, see grid.Query.Record
	Flow     *grid.Flow       // its costs as colours and its steps as arrows

	Path   []grid.Cell  // through the middles of cells
	Points []grid.Point // of an any-angle way
	Narrow [][2]int     // stretches [from, to) of Path that stand out

	Starts, Goals []grid.Cell
}

// GridOptions say which part of a grid is drawn. Nil and the zero value mean
// all of it.
type GridOptions struct {
	// Min and Max are corners of the part that is drawn, both included.
	Min, Max *grid.Cell

	// Block is how many cells a side are drawn as one square: expanded where
	// any cell is, by the first, and else blocked where half of them are. 0:
	// as many as make at most 1200 squares a side.
	Block int
}

// The values of a square: free as it comes, blocked, dear, or step of the ramp.
const (
	squareBlocked = 1
	squareDear    = 2
	squareRamp    = 32
	dearSteps     = 16
	rampSteps     = 64
)

// maxArrows is how many arrows a side a flow field has.
const maxArrows = 64

var (
	gridFree    = color.NRGBA{0xff, 0xff, 0xff, 255}
	gridBlocked = color.NRGBA{0x3b, 0x41, 0x4b, 255}
	gridDear    = color.NRGBA{0x7a, 0x9a, 0x6a, 255}
	gridWay     = color.NRGBA{0x00, 0x5f, 0xc4, 255}
	gridArrow   = color.NRGBA{0x26, 0x2b, 0x33, 255}
)

// ComposeGrid returns a canvas with a grid, to be seen from above: cell (x, y)
// is the square from X = x, Z = y to the next, lengths are cells. Time is linear
// in the cells drawn and in what else in holds; memory is four bytes a square
// beside the canvas. A Min or Max that leaves nothing to draw, or a Block too
// small for a picture, is an *OptionError, no Ground a *MissingError.
func ComposeGrid(in GridInput, o *GridOptions) (*Canvas, error) {
	if in.Ground == nil {
		return nil, &MissingError{"grid", "a ground"}
	}
	if o == nil {
		o = &GridOptions{}
	}
	p, err := newGridPicture(in, o)
	if err != nil {
		return nil, err
	}
	c := &Canvas{cells: true}
	p.fill()
	p.paint(c)
	if in.Flow != nil {
		p.paintArrows(c)
	}
	p.paintWay(c)
	if p.block > 1 {
		c.AddKey(Key{Dot, Style{}, fmt.Sprintf("a square: %d x %d cells", p.block, p.block)})
	}
	return c, nil
}

// gridPicture is a raster of the part of a grid that is drawn.
type gridPicture struct {
	GridInput
	x0, y0, x1, y1 int32 // [x0, x1) x [y0, y1)
	block          int32
	nx, ny         int
	value          []uint32
	hex            bool
	least, most    float64 // costs of the field in the picture
	known          bool    // there are such
	dear           bool
}

func newGridPicture(in GridInput, o *GridOptions) (*gridPicture, error) {
	w, h := in.Ground.Size()
	p := &gridPicture{GridInput: in, x1: int32(w), y1: int32(h), hex: in.Moves.Neighbours == grid.Six}
	if o.Min != nil {
		p.x0, p.y0 = max(o.Min.X, 0), max(o.Min.Y, 0)
	}
	if o.Max != nil {
		p.x1, p.y1 = min(o.Max.X, p.x1-1)+1, min(o.Max.Y, p.y1-1)+1
	}
	if p.x0 >= p.x1 || p.y0 >= p.y1 {
		return nil, &OptionError{"Min, Max", fmt.Sprintf("%v, %v", o.Min, o.Max), fmt.Sprintf("a part of %d x %d cells", w, h)}
	}
	side := max(p.x1-p.x0, p.y1-p.y0)
	p.block = (side + defaultBlocks - 1) / defaultBlocks
	if least := (p.block + 3) / 4; o.Block != 0 {
		if o.Block < int(least) || o.Block > grid.MaxSide {
			return nil, &OptionError{"Block", o.Block, fmt.Sprintf("%d to %d for %d x %d cells", least, grid.MaxSide, p.x1-p.x0, p.y1-p.y0)}
		}
		p.block = int32(o.Block)
	}
	p.nx, p.ny = int((p.x1-p.x0+p.block-1)/p.block), int((p.y1-p.y0+p.block-1)/p.block)
	p.value = make([]uint32, p.nx*p.ny)
	return p, nil
}

// square returns the place of the square a cell is in.
func (p *gridPicture) square(c grid.Cell) (int, bool) {
	if c.X < p.x0 || c.Y < p.y0 || c.X >= p.x1 || c.Y >= p.y1 {
		return 0, false
	}
	return int((c.Y-p.y0)/p.block)*p.nx + int((c.X-p.x0)/p.block), true
}

// fill finds the value of every square.
func (p *gridPicture) fill() {
	for by := range p.ny {
		for bx := range p.nx {
			p.value[by*p.nx+bx] = p.ground(p.x0+int32(bx)*p.block, p.y0+int32(by)*p.block)
		}
	}
	switch {
	case p.Flow != nil:
		p.fillFlow()
	case len(p.Expanded) > 0:
		for i, e := range p.Expanded {
			for k := range e.Width {
				if at, ok := p.square(grid.Cell{X: e.Cell.X + k, Y: e.Cell.Y}); ok && p.value[at] < squareRamp {
					p.value[at] = squareRamp + uint32(i*rampSteps/len(p.Expanded))
				}
			}
		}
	}
}

// ground is the value of a square by its cells alone.
func (p *gridPicture) ground(x0, y0 int32) uint32 {
	blocked, all, cost := 0, 0, 0.0
	for y := y0; y < min(y0+p.block, p.y1); y++ {
		for x := x0; x < min(x0+p.block, p.x1); x++ {
			c := grid.Cell{X: x, Y: y}
			all++
			if p.Ground.Passable(c) {
				cost += p.Ground.Cost(c)
			} else {
				blocked++
			}
		}
	}
	if 2*blocked >= all {
		return squareBlocked
	}
	// Steps of the tint: 1 costs nothing, 2 one step, 4 two, and so on in
	// halves of a doubling.
	step := uint32(0)
	for at := cost / float64(all-blocked); at > 1.2 && step < dearSteps; at /= 1.4 {
		step++
	}
	if step == 0 {
		return 0
	}
	p.dear = true
	return squareDear + step - 1
}

func (p *gridPicture) fillFlow() {
	p.least = math.Inf(1)
	each := func(fn func(at grid.Cell, cost float64)) {
		for y := p.y0; y < p.y1; y++ {
			for x := p.x0; x < p.x1; x++ {
				at := grid.Cell{X: x, Y: y}
				if cost, ok := p.Flow.Cost(at); ok {
					fn(at, cost)
				}
			}
		}
	}
	each(func(_ grid.Cell, cost float64) { p.least, p.most = min(p.least, cost), max(p.most, cost) })
	p.known = p.least <= p.most
	p.least = min(p.least, p.most) // a picture without a known cell
	each(func(at grid.Cell, cost float64) {
		step := uint32(0)
		if p.most > p.least {
			step = uint32(min((cost-p.least)/(p.most-p.least)*rampSteps, rampSteps-1))
		}
		i, _ := p.square(at)
		if v := p.value[i]; v < squareRamp || v > squareRamp+step {
			p.value[i] = squareRamp + step
		}
	})
}

// at is the place of a point of the grid on the canvas.
func (p *gridPicture) at(x, y float64) geom.Vec3 { return geom.Vec3{X: x, Z: y} }

// middle is the place of the middle of a cell.
func (p *gridPicture) middle(c grid.Cell) geom.Vec3 {
	return p.at(float64(c.X)+0.5+p.shift(c.Y), float64(c.Y)+0.5)
}

// shift is how far right a row lies.
func (p *gridPicture) shift(y int32) float64 {
	if p.hex && y&1 == 1 {
		return 0.5
	}
	return 0
}

func squareColor(v uint32) color.NRGBA {
	switch {
	case v >= squareRamp:
		return Ramp(int(v-squareRamp), rampSteps)
	case v >= squareDear:
		return mix(gridFree, gridDear, 60+int(v-squareDear)*196/dearSteps)
	case v == squareBlocked:
		return gridBlocked
	}
	return gridFree
}
