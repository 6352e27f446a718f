package spangrid

// A DropGate has the last word on a drop: whether a body can step off the edge
// of a cell and land in the next one. Cells are columns and rows of the zone,
// heights those of the two spans. [Gate] is one.
type DropGate interface {
	Allow(fromX, fromY, toX, toY int, from, to float32) bool
}

// A Rise answers whether one may step from a span to a span of one of the eight
// neighbouring cells. Its table S holds the spans of all regions and the ghosts
// of the region in question: what is ahead and behind decides as well.
//
// It is a plain value for any number of goroutines, as far as its gate is.
type Rise struct {
	S     *Columns
	Drops bool     // steps down of more than the climb are possible at all
	Gate  DropGate // asked about drops that are; nil = no objection

	flat  float64 // a rise of up to this is walkable whatever is around
	most  float64 // a rise of more is never
	climb float64
	deep  float64 // -climb: a change of less is a drop

	slopeDiag, stepUp, bumpUp float64
	bumpCells, dipCells       int
}

// Rise returns the rise rule on a table. gate may be nil.
func (r *Rules) Rise(s *Columns, drops bool, gate DropGate) Rise {
	return Rise{
		S: s, Drops: drops, Gate: gate,
		flat: r.SlopeStep, most: max(r.SlopeStep, r.SlopeDiag, r.StepUp, r.BumpUp), climb: r.Climb, deep: -r.Climb,
		slopeDiag: r.SlopeDiag, stepUp: r.StepUp, bumpUp: r.BumpUp,
		bumpCells: r.BumpCells, dipCells: r.DipCells,
	}
}

// StepMargin is how many cells around a step its judgement may look at: a
// window must be so much larger than the cells that steps are judged from.
func (r *Rules) StepMargin() int { return max(LookAhead, r.BumpCells, r.DipCells, 1) }

// OK reports whether the step (dx, dy) from height from in a cell of the window
// to height to in the neighbour leads on. dx and dy are -1, 0 or 1, not both 0.
// Cells outside the window have no spans. In order, the first that applies:
//
//	dh < -climb, and drops are not possible                          no
//	dh < -climb, within climb of from there is a span 1..4 cells on  no: the floor goes on
//	dh < -climb, and the gate objects                                no
//	dh <= slope of a cell                                            yes
//	dh <= slope of a diagonal, on a diagonal                         yes
//	one of both cells is a face                                      no
//	dh <= step up                                                    yes
//	dh >  bump                                                       no
//	2 or 3 cells on there is from's level and not to's               yes: a bump
//	1 or 2 cells back there is to's level and not from's             yes: a dip
//	else                                                             no
//
// Most steps are decided by the difference of heights alone.
func (t *Rise) OK(cell, dx, dy int, from, to float32) bool {
	return t.easy(from, to) || t.judge(cell, dx, dy, from, to)
}

// easy reports whether a step leads on for its heights alone. It is inlined.
func (t *Rise) easy(from, to float32) bool {
	dh := float64(to) - float64(from)
	return dh <= t.flat && dh >= t.deep
}

// judge is OK for steps that are not easy.
func (t *Rise) judge(cell, dx, dy int, from, to float32) bool {
	dh := float64(to) - float64(from)
	if dh > t.most {
		return false // what most steps beside walls come to
	}
	x, y := cell%t.S.NX, cell/t.S.NX
	switch {
	case dh < t.deep:
		return t.Drops && !t.goesOn(x, y, dx, dy, from) && t.allowed(x, y, dx, dy, from, to)
	case dx != 0 && dy != 0 && dh <= t.slopeDiag:
		return true
	case t.S.Face(cell) || t.face(x+dx, y+dy):
		return false
	case dh <= t.stepUp:
		return true
	case dh > t.bumpUp:
		return false
	}
	for s := 2; s <= t.bumpCells; s++ {
		if h := t.column(x+s*dx, y+s*dy); level(h, from, t.stepUp) && !level(h, to, t.stepUp) {
			return true
		}
	}
	for s := 1; s <= t.dipCells; s++ {
		if h := t.column(x-s*dx, y-s*dy); level(h, to, t.stepUp) && !level(h, from, t.stepUp) {
			return true
		}
	}
	return false
}

// goesOn reports whether the floor that a drop starts from is there again ahead
// of it: then there is but a slit in it.
func (t *Rise) goesOn(x, y, dx, dy int, from float32) bool {
	for s := 1; s <= LookAhead; s++ {
		if level(t.column(x+s*dx, y+s*dy), from, t.climb) {
			return true
		}
	}
	return false
}

func (t *Rise) allowed(x, y, dx, dy int, from, to float32) bool {
	if t.Gate == nil {
		return true
	}
	x, y = x+t.S.GX, y+t.S.GY
	return t.Gate.Allow(x, y, x+dx, y+dy, from, to)
}

// column returns the heights of a cell, none outside the window.
func (t *Rise) column(x, y int) []float32 {
	if uint(x) >= uint(t.S.NX) || uint(y) >= uint(t.S.NY) {
		return nil
	}
	return t.S.Heights(y*t.S.NX + x)
}

func (t *Rise) face(x, y int) bool {
	return uint(x) < uint(t.S.NX) && uint(y) < uint(t.S.NY) && t.S.Face(y*t.S.NX+x)
}

// level reports whether one of ascending heights is within tol of h.
func level(heights []float32, h float32, tol float64) bool {
	for _, v := range heights {
		if d := float64(v) - float64(h); d >= -tol {
			return d <= tol
		}
	}
	return false
}
