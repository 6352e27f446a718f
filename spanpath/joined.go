package spanpath

import "wend/spangrid"

// Pocket is the part of the ground that a way cannot leave, or not come into.
type Pocket struct {
	Goal  bool // it has all spans from which a goal can be reached; else all that the start can
	Spans int  // how many it has

	Expanded   int  // spans whose neighbours were looked at, in the pocket and on the other side
	OverBudget bool // there were too many

	need        uint16
	epoch       uint32
	start, goal spangrid.Place
}

// floodTurn is how many spans a flood goes on from before it is the other's turn.
const floodTurn = 64

// Joined reports whether there is a way from a span to one of some others, which
// is when [Ground.Solve] finds one with the same mask. It floods the ground from
// both sides in turn: where there is no way it ends when it knows the smaller of
// both sides, and so takes twice that side's time, however large the other one
// is; the pocket is that side. Where there is one both floods head for each
// other.
//
// limit ends it after so many spans, 0 never does: then Pocket.OverBudget is set.
// The error is that of [Ground.Err]. Nothing is allocated when pages have been
// seen before.
func (g *Ground) Joined(start Span, goals []Span, need uint16, limit int) (joined bool, pocket Pocket, err error) {
	g.nextEpoch()
	pocket.need, pocket.epoch, pocket.start = need, g.epoch, g.Place(start)
	if !g.stands(start, need) {
		return false, pocket, g.Err()
	}
	there, back := &g.floods[0], &g.floods[1]
	back.begin(g, need, floodBackward, pocket.start)
	for _, s := range goals {
		pocket.goal = g.Place(s)
		if g.stands(s, need) {
			back.add(g.of(uint32(s)))
		}
	}
	there.begin(g, need, floodForward, pocket.goal)
	there.add(g.of(uint32(start)))
	for f, next := back, there; !next.met; f, next = next, f {
		most := floodTurn
		if limit > 0 {
			if most = min(most, limit-pocket.Expanded); most <= 0 {
				pocket.OverBudget = true
				return false, pocket, g.Err()
			}
		}
		n := f.run(most, true)
		pocket.Expanded += n
		if n < most && !f.met {
			if err := g.Err(); err != nil {
				return false, pocket, err
			}
			pocket.Goal, pocket.Spans = f == back, f.spans
			return false, pocket, nil
		}
	}
	return true, pocket, g.Err()
}
