package draw

import (
	"image/color"

	"wend/geom"
)

// Kind says what a Shape's points mean. The zero value draws nothing.
type Kind uint8

const (
	Fill Kind = 1 + iota // a filled simple polygon, three points or more
	Line                 // an open polyline, two points or more
	Loop                 // a closed polyline, two points or more
	Dot                  // a disc of diameter Width at every point
	Text                 // Shape.Text beside the first point
)

// Style is how a shape looks. Lengths are pixels of a picture 1600 pixels wide;
// other widths scale them, so that a picture looks the same at any size.
type Style struct {
	Color color.NRGBA
	Width float64 // of a line, diameter of a dot, font size of a text
	Dash  bool    // lines only: dashed
	Arrow bool    // lines only: an arrow head at the last point
	Halo  bool    // lines, dots and texts: a light rim that sets them off
	// OneSided fills are seen only from the side on which their corners run
	// counter-clockwise.
	OneSided bool
}

// Shape is one thing to draw, in world coordinates.
type Shape struct {
	Kind   Kind
	Group  string // name of the group it belongs to; see Canvas
	Over   bool   // drawn above everything that is not Over, however deep it lies
	Style  Style
	Points []geom.Vec3
	Text   string
}

// Key is a line of the legend.
type Key struct {
	Kind  Kind // Fill, Line or Dot: the form of its sample
	Style Style
	Label string
}

// Canvas is a list of shapes to be drawn together. In an SVG from above, shapes
// of one group become one group of the document where height allows it: its
// id is the group's name, later pieces get -2, -3, ..., and its class is always
// the name. In other views everything that can be hidden is in one group
// "world", each element with its group's name as class. Where depths are
// equal, groups are painted in the order in which they first appear.
//
// The zero value is an empty canvas. Shapes may be appended directly; a shape
// with a coordinate that is not finite or beyond 1e12 is left out of pictures.
type Canvas struct {
	Title  string
	Shapes []Shape
	Legend []Key

	across string // what X is called where it is none of the world's; "": X
	cells  bool   // the world is a grid: lengths are cells, and Z is called Y

	arena []geom.Vec3 // points of new shapes are cut from here
}

// Add appends a shape with a copy of the points.
func (c *Canvas) Add(k Kind, group string, s Style, pts ...geom.Vec3) {
	c.Shapes = append(c.Shapes, Shape{Kind: k, Group: group, Style: s, Points: c.keep(pts)})
}

// AddOver is Add for shapes that nothing may hide.
func (c *Canvas) AddOver(k Kind, group string, s Style, pts ...geom.Vec3) {
	c.Shapes = append(c.Shapes, Shape{Kind: k, Group: group, Over: true, Style: s, Points: c.keep(pts)})
}

// AddText appends a label that nothing may hide.
func (c *Canvas) AddText(group string, s Style, at geom.Vec3, text string) {
	c.Shapes = append(c.Shapes, Shape{Kind: Text, Group: group, Over: true, Style: s, Points: c.keep([]geom.Vec3{at}), Text: text})
}

// AddKey appends a line to the legend unless it is there already.
func (c *Canvas) AddKey(k Key) {
	for _, have := range c.Legend {
		if have == k {
			return
		}
	}
	c.Legend = append(c.Legend, k)
}

// keep copies points into the arena, so that a canvas of many small shapes
// costs few allocations.
func (c *Canvas) keep(pts []geom.Vec3) []geom.Vec3 {
	const chunk = 4096
	if len(pts) > cap(c.arena)-len(c.arena) {
		c.arena = make([]geom.Vec3, 0, max(chunk, len(pts)))
	}
	n := len(c.arena)
	c.arena = append(c.arena, pts...)
	return c.arena[n:len(c.arena):len(c.arena)]
}

// maxCoord is the largest coordinate that is drawn. It keeps sums and squares
// of coordinates far from overflow.
const maxCoord = 1e12

// drawable reports whether s has enough points for its kind and only points
// that can be placed on a picture.
func (s *Shape) drawable() bool {
	need := 1
	switch s.Kind {
	case Fill:
		need = 3
	case Line, Loop:
		need = 2
	case Dot:
	case Text:
		if s.Text == "" {
			return false
		}
	default:
		return false
	}
	if len(s.Points) < need || s.Style.Color.A == 0 {
		return false
	}
	for _, p := range s.Points {
		// Written so that NaN fails.
		if !(p.X >= -maxCoord && p.X <= maxCoord && p.Y >= -maxCoord && p.Y <= maxCoord && p.Z >= -maxCoord && p.Z <= maxCoord) {
			return false
		}
	}
	return true
}
