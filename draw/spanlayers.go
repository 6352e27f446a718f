package draw

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// spanLayerDef is a layer of a span grid that is seen from above.
type spanLayerDef struct {
	Layer
	needsFields   bool
	needsHeadroom bool
	darkDead      bool // dead cells are darker

	// value is what a cell shows, at most maxValue. Where a square stands for
	// many cells the one of the highest rank is shown; rank 0 is not drawn.
	value func(s *spanSource, c cellView) (v uint32, rank uint8)
	// edges appends what is drawn on the sides of a record's cell. May be nil.
	edges func(dst []gridEdge, w *spanWindow, i int, x, y int32) []gridEdge
	// pairs judges two neighbouring cells by the records they show: 0 or a kind
	// of arrow, and whether it leads from j to i. May be nil.
	pairs func(s *spanSource, w *spanWindow, i, j int, alongX bool) (kind uint8, back bool)
	draw  func(c *Canvas, m *spanMap)
}

func spanLayerDefs() []spanLayerDef {
	return []spanLayerDef{
		{
			Layer: Layer{"layers", "how many spans lie above one another in a cell"},
			value: func(_ *spanSource, c cellView) (uint32, uint8) {
				n := uint32(min(c.count, maxDepth))
				return n, uint8(n)
			},
			draw: drawDepths,
		},
		{
			Layer: Layer{"regions", "what can be walked without a jump, dead cells darker"}, darkDead: true,
			value: func(_ *spanSource, c cellView) (uint32, uint8) {
				r := &c.w.Records[c.i]
				return r.Region, 2 + r.Flags&bnav.Core
			},
			draw: drawSpanRegions,
		},
		{
			Layer: Layer{"flags", "core, walkable, dead, ghost and filled cells"},
			value: flagValue, draw: drawFlags,
		},
		{
			Layer: Layer{"clearance", "distance to the nearest obstacle, walls counted in"},
			value: clearanceValue, draw: drawClearance,
		},
		{
			Layer: Layer{"medial", "the medial axis over the clearance"}, needsFields: true,
			value: func(s *spanSource, c cellView) (uint32, uint8) {
				if c.w.Seg[c.i]&bnvf.MedialBit != 0 {
					return medialValue, 3
				}
				return clearanceValue(s, c)
			},
			draw: drawMedial,
		},
		{
			Layer: Layer{"components", "what can be walked there and back, with the drops between"}, needsFields: true, darkDead: true,
			value: func(_ *spanSource, c cellView) (uint32, uint8) {
				r := &c.w.Records[c.i]
				if c.w.Component[c.i] == 0 {
					return 0, 2
				}
				return componentValue(r.Region, c.w.Component[c.i]), 2 + r.Flags&bnav.Core
			},
			pairs: dropPair, draw: drawComponents,
		},
		{
			Layer: Layer{"steps", "forbidden steps between cells, and facades that block sight"}, needsFields: true,
			value: stepValue, edges: stepEdges, draw: drawSteps,
		},
		{
			Layer: Layer{"headroom", "height free above the ground"}, needsFields: true, needsHeadroom: true,
			value: func(_ *spanSource, c cellView) (uint32, uint8) {
				if c.w.headroom == nil {
					return 0, 0
				}
				h := uint32(c.w.headroom[c.i])
				if h == 0 {
					return annex.MaxHeadroom * annex.HeadroomSteps, 1
				}
				return h, uint8(255 - min(h, 253))
			},
			draw: drawHeadroom,
		},
		{
			Layer: Layer{"heights", "height of the ground"},
			value: func(_ *spanSource, c cellView) (uint32, uint8) {
				if r := &c.w.Records[c.i]; r.Flags&bnav.Fill == 0 {
					return heightValue(r.H), 2
				}
				return 0, 0
			},
			draw: drawHeights,
		},
	}
}

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}

// maxDepth is the most spans in a cell that are told apart.
const maxDepth = 8

func depthColor(v uint32) color.NRGBA {
	colors := [maxDepth + 1]uint32{0xd8d8d4, 0xf3e6c4, 0xf2b880, 0xd97b7b, 0x96629c, 0x4c5496, 0x2f7f8f, 0x3a9a5c, 0x20252d}
	return rgb(colors[v])
}

func drawDepths(c *Canvas, m *spanMap) {
	m.paint(c, depthColor)
	counts := m.counts()
	slices.SortFunc(counts, func(a, b valueCount) int { return cmp.Compare(a.v, b.v) })
	for _, n := range counts {
		label := strconv.Itoa(int(n.v)) + " spans"
		switch n.v {
		case 0:
			label = "ghost or fill only"
		case 1:
			label = "1 span"
		case maxDepth:
			label = strconv.Itoa(maxDepth) + " spans or more"
		}
		c.AddKey(Key{Fill, Style{Color: depthColor(n.v)}, label})
	}
}

// regionColor tells 32 regions apart.
func regionColor(id uint32) color.NRGBA { return Tint(int(max(id, 1)-1) % (2 * paletteSize)) }

func drawSpanRegions(c *Canvas, m *spanMap) {
	m.paint(c, regionColor)
	for _, n := range m.counts() {
		c.AddKey(Key{Fill, Style{Color: regionColor(n.v)}, fmt.Sprintf("region %d", n.v)})
	}
}

// Values of flags, in the order of the legend.
const (
	flagCore = iota
	flagWalk
	flagStamped
	flagDead
	flagGhost
	flagFill
	flagNone
)

func flagColor(v uint32) color.NRGBA {
	return rgb([...]uint32{0xb9d7a8, 0xf0d264, 0xd99b7e, 0xa0524d, 0x7b6fd0, 0x7fc7e8, 0xc4c4c4}[v])
}

func flagValue(_ *spanSource, c cellView) (uint32, uint8) {
	switch f := c.w.Records[c.i].Flags; {
	case f&bnav.Fill != 0:
		return flagFill, 7
	case f&bnav.Ghost != 0:
		return flagGhost, 6
	case f&(bnav.Dead|bnav.Core) == bnav.Dead|bnav.Core:
		return flagStamped, 4
	case f&bnav.Dead != 0:
		return flagDead, 5
	case f&bnav.Core != 0:
		return flagCore, 2
	case f&bnav.Walk != 0:
		return flagWalk, 3
	}
	return flagNone, 2
}

func drawFlags(c *Canvas, m *spanMap) {
	m.paint(c, flagColor)
	counts := m.counts()
	slices.SortFunc(counts, func(a, b valueCount) int { return cmp.Compare(a.v, b.v) })
	for _, n := range counts {
		label := [...]string{"core", "walkable, not core", "core, a wall runs through", "dead, a wall runs through", "ghost: height of a neighbour", "fill: no height", "none of these"}[n.v]
		c.AddKey(Key{Fill, Style{Color: flagColor(n.v)}, label})
	}
}

// clearanceValue is the clearance in half cells. Of many cells the least is
// shown, or thin walls would be lost.
func clearanceValue(_ *spanSource, c cellView) (uint32, uint8) {
	v := uint32(math.Sqrt(float64(c.w.Records[c.i].Clr)) * 2)
	return v, uint8(250 - min(v, 246))
}

// fullClearance is the clearance, in half cells, from which on the stored value
// is a lower bound.
const fullClearance = 2 * 48

// heat returns the colour of a part of n: dark violet over red and yellow to
// pale green.
func heat(v, n int) color.NRGBA {
	stops := [...]uint32{0x3b1c57, 0x8c2a62, 0xd1514a, 0xf08c3c, 0xf6c95a, 0xe3ea97, 0xa5d6a0, 0x7cc0b0}
	at := min(max(v, 0), n) * 256 * (len(stops) - 1) / n
	k := min(at/256, len(stops)-2)
	return mix(rgb(stops[k]), rgb(stops[k+1]), at-256*k)
}

// clearanceColor spreads the first metres over more colours than the last
// ones, since that is where bodies differ.
func clearanceColor(v uint32) color.NRGBA {
	step := math.RoundToEven(24 * math.Sqrt(float64(min(v, fullClearance))/fullClearance))
	return heat(int(step), 24)
}

func (m *spanMap) clearanceKeys(c *Canvas, colorOf func(uint32) color.NRGBA) {
	cell := m.src.cellMetres()
	for _, half := range []uint32{0, 2, 4, 8, 16, 32, 64, fullClearance} {
		label := strconv.FormatFloat(float64(half)/2*cell, 'f', 1, 64) + " " + m.src.unit()
		if half == fullClearance {
			label += " or more"
		}
		c.AddKey(Key{Fill, Style{Color: colorOf(half)}, label})
	}
}

func drawClearance(c *Canvas, m *spanMap) {
	m.paint(c, clearanceColor)
	m.clearanceKeys(c, clearanceColor)
}

// medialValue stands for a cell of the axis among clearances.
const medialValue = fullClearance + 1000

func medialColor(v uint32) color.NRGBA {
	if v == medialValue {
		return rgb(0x1d3f8f)
	}
	return mix(clearanceColor(v), color.NRGBA{255, 255, 255, 255}, 110)
}

func drawMedial(c *Canvas, m *spanMap) {
	m.paint(c, medialColor)
	c.AddKey(Key{Fill, Style{Color: medialColor(medialValue)}, "medial axis"})
	m.clearanceKeys(c, medialColor)
}

// componentValue mixes region and component to a value that seldom is that of a
// neighbour; 0 is kept for cells without one.
func componentValue(region, comp uint32) uint32 {
	if comp == 1 {
		return 1 + (max(region, 1)-1)%(2*paletteSize) // as in the picture of regions
	}
	h := (region*0x9e3779b1 ^ comp*0x85ebca6b) * 0xc2b2ae35
	return 1 + h>>16%(2*paletteSize)
}

func componentColor(v uint32) color.NRGBA {
	if v == 0 {
		return flagColor(flagFill)
	}
	return Tint(int(v) - 1)
}

// Kinds of arrows.
const (
	dropInside = 1 + iota
	dropAcross
)

// dropPair finds steps between components of a region, and drops between
// regions.
func dropPair(s *spanSource, w *spanWindow, i, j int, alongX bool) (uint8, bool) {
	a, b := &w.Records[i], &w.Records[j]
	if a.Flags&bnav.Fill != 0 || b.Flags&bnav.Fill != 0 {
		return 0, false
	}
	if a.Region != b.Region {
		if s.hasDrop(a.Region, b.Region) && a.H > b.H {
			return dropAcross, false
		}
		return dropAcross * boolByte(s.hasDrop(b.Region, a.Region) && b.H > a.H), true
	}
	ca, cb := w.Component[i], w.Component[j]
	if ca == cb || s.graphs == nil {
		return 0, false
	}
	bits := bnvf.Rejudge(a.Steps, w.Steps2[i])
	if !alongX {
		bits >>= 2
	}
	if _, ok := slices.BinarySearch(s.graphs.Next(a.Region, ca), cb); ok && bits&1 == 0 {
		return dropInside, false
	}
	_, ok := slices.BinarySearch(s.graphs.Next(a.Region, cb), ca)
	return dropInside * boolByte(ok && bits&2 == 0), true
}

func boolByte(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

func drawComponents(c *Canvas, m *spanMap) {
	m.paint(c, componentColor)
	styles := []Style{
		dropInside: {Color: rgb(0x1d3f8f), Width: 2, Arrow: true, Halo: true},
		dropAcross: {Color: rgb(0xb3202c), Width: 2, Arrow: true, Halo: true},
	}
	m.paintDrops(c, styles)
	c.AddKey(Key{Fill, Style{Color: componentColor(1)}, "components, a colour each"})
	for _, k := range []struct {
		kind  uint8
		label string
	}{{dropInside, "drop into another component"}, {dropAcross, "drop into another region"}} {
		if slices.ContainsFunc(m.drops, func(d dropMark) bool { return d.kind == k.kind }) {
			st := styles[k.kind]
			st.Halo = false
			c.AddKey(Key{Line, st, k.label})
		}
	}
}

// Values of cells among steps, and kinds of their edges.
const (
	stepCore = iota
	stepOther
	stepTaxed
	stepReleased
	stepOneWay
	stepBlocked
	stepFacade
)

func stepColor(v uint32) color.NRGBA {
	return rgb([...]uint32{0xe9e6dd, 0xd3d0ca, 0xc9dcec, 0x4aa564, 0xe08a1e, 0xc0202e, 0x1f2f6b}[v])
}

// sideKind judges the side of a cell in direction i, 0 or 1.
func sideKind(w *spanWindow, rec, i int) uint8 {
	r := &w.Records[rec]
	steps, left := r.Steps>>(2*i)&3, bnvf.Rejudge(r.Steps, w.Steps2[rec])>>(2*i)&3
	switch {
	case w.Seg[rec]>>i&1 != 0:
		return stepFacade
	case left == 3:
		return stepBlocked
	case left != 0:
		return stepOneWay
	case steps != 0:
		return stepReleased
	}
	return stepCore
}

func stepValue(s *spanSource, c cellView) (uint32, uint8) {
	r := &c.w.Records[c.i]
	ground := uint32(stepOther)
	if r.Flags&bnav.Core != 0 {
		ground = stepCore
	}
	if c.w.Tax[c.i] != 0 {
		ground = stepTaxed
	}
	if s.fine {
		return ground, 1
	}
	// Sides are too small to be seen: cells stand for them.
	v := max(ground, uint32(sideKind(c.w, c.i, 0)), uint32(sideKind(c.w, c.i, 1)))
	return v, uint8(v) + 1
}

func stepEdges(dst []gridEdge, w *spanWindow, i int, x, y int32) []gridEdge {
	for k := range 2 {
		if kind := sideKind(w, i, k); kind != stepCore {
			dst = append(dst, gridEdge{upright: k == 0, kind: kind, x: x, y: y})
		}
	}
	return dst
}

func drawSteps(c *Canvas, m *spanMap) {
	m.paint(c, stepColor)
	styles := make([]Style, stepFacade+1)
	for k := range styles {
		styles[k] = Style{Color: stepColor(uint32(k)), Width: 1}
	}
	styles[stepFacade].Width = 1.6
	m.paintEdges(c, styles)
	var there [stepFacade + 1]bool
	for _, n := range m.counts() {
		there[n.v] = true
	}
	for _, e := range m.edges {
		there[e.kind] = true
	}
	for k, label := range []string{
		stepFacade: "facade: blocks sight", stepBlocked: "forbidden both ways", stepOneWay: "forbidden upwards",
		stepReleased: "steep, but allowed: a step", stepTaxed: "cell with a taxed step", stepCore: "core", stepOther: "other cells",
	} {
		if !there[k] {
			continue
		}
		kind := Line
		if k <= stepTaxed || m.block > 1 {
			kind = Fill
		}
		c.AddKey(Key{kind, Style{Color: stepColor(uint32(k)), Width: 3}, label})
	}
}

// headroomColor warns of what a grown body bumps its head on.
func headroomColor(v uint32) color.NRGBA {
	if v >= annex.MaxHeadroom*annex.HeadroomSteps {
		return rgb(0xe9eef0)
	}
	// Half metres, the first ones in strong colours.
	return heat(int(math.RoundToEven(24*math.Sqrt(float64(v/8)/24))), 24)
}

func drawHeadroom(c *Canvas, m *spanMap) {
	if m.src.headroom == nil {
		return
	}
	m.paint(c, headroomColor)
	c.AddKey(Key{Fill, Style{Color: headroomColor(1)}, "under 0.5 m"})
	for _, h := range []float64{0.5, 1, 1.5, 2, 3, 4, 6, 9} {
		c.AddKey(Key{Fill, Style{Color: headroomColor(uint32(h * annex.HeadroomSteps))}, fmt.Sprintf("from %g m", h)})
	}
	c.AddKey(Key{Fill, Style{Color: headroomColor(annex.MaxHeadroom * annex.HeadroomSteps)}, fmt.Sprintf("%d m or more", annex.MaxHeadroom)})
}

// Heights are looked at in steps of an eighth of a metre.
const (
	heightSteps = 8
	heightBase  = 1 << 28
)

func heightValue(h float32) uint32 {
	v := math.Floor(float64(h) * heightSteps)
	if !(v >= -heightBase) {
		v = -heightBase
	}
	return uint32(min(v, heightBase) + heightBase)
}

func drawHeights(c *Canvas, m *spanMap) {
	counts := m.counts()
	if len(counts) == 0 {
		return
	}
	lo, hi := counts[0].v, counts[0].v
	for _, n := range counts {
		lo, hi = min(lo, n.v), max(hi, n.v)
	}
	const steps = 48
	of := func(v uint32) color.NRGBA {
		v = min(max(v, lo), hi) // what is outside the band may be outside the range
		return heat(int(uint64(v-lo)*steps/uint64(max(hi-lo, 1))), steps)
	}
	m.paint(c, of)
	for i := range 9 {
		v := lo + uint32(uint64(hi-lo)*uint64(8-i)/8)
		label := strconv.FormatFloat((float64(v)-heightBase)/heightSteps, 'f', 1, 64) + " m"
		c.AddKey(Key{Fill, Style{Color: of(v)}, label})
	}
}
