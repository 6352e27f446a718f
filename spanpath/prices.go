package spanpath

import (
	"math"

	"wend/pack/bnav"
	"wend/spangrid"
)

// Prices say what a cell costs by its clearance: narrow ground is dearer.
type Prices struct {
	of [spangrid.CapSquared + 1]float32
}

// NewPrices returns prices that fall from hi/lo at clearances of up to lo px to
// 1 at hi px and more. It takes 0 < lo <= hi.
func NewPrices(lo, hi float64) *Prices { return NewPricesBeyond(0, lo, hi) }

// NewPricesBeyond is [NewPrices] for clearances less what a body takes of them,
// px.
func NewPricesBeyond(body, lo, hi float64) *Prices {
	p := new(Prices)
	for c := range p.of {
		p.of[c] = float32(hi / math.Min(math.Max(float64(bnav.Clearance(uint16(c)))-body, lo), hi))
	}
	return p
}

// Of returns the price of a squared clearance in cells. It is 1 for a nil p.
func (p *Prices) Of(clr uint16) float32 {
	if p == nil {
		return 1
	}
	return p.of[min(clr, spangrid.CapSquared)]
}
