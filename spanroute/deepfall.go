package spanroute

import (
	"context"
	"errors"
	"fmt"
	"math"

	"wend/spangrid"
	"wend/spanpath"
)

// beyondDrop finds out whether a way leads to the goal for a body that falls as
// deep as there is a fall, where the one that was asked for does not get there. Then
// the failure says how deep it goes, and the gap is that fall, if it is the only one
// that is too deep: with several, neither side of the first has all of the way. It
// takes a plan, and says nothing where that takes too long.
func (p *Planner) beyondDrop(ctx context.Context, r *Request, l *leg, f *failure) error {
	most := l.body.MaxDrop
	if math.IsInf(most, 1) || f.gap != nil || f.code != CodeGoalUnreachable {
		return nil
	}
	q := *r
	q.Body.MaxDrop, q.Partial, q.Debug = 0, false, false
	if q.MaxExpanded == 0 || q.MaxExpanded > gapSpans {
		q.MaxExpanded = gapSpans
	}
	free, err := l.z.leg(&q)
	if err != nil {
		return err
	}
	p.expanded = 0
	var out legResult
	why, err := p.planLeg(ctx, free, &out)
	if errors.Is(err, errBudget) {
		return nil
	}
	if why != nil || err != nil {
		return err
	}
	deepest, count := 0.0, 0
	var from, land spanpath.Point
	var top, floor float32
	for i := len(out.drops) - 1; i >= 0; i-- { // the first one stays
		d := &out.drops[i]
		h := out.heights[d.Index-1]
		if depth := float64(h) - float64(d.Height); depth > most {
			deepest, count = math.Max(deepest, depth), count+1
			from, top, land, floor = out.points[d.Index-1], h, out.points[d.Index], d.Height
		}
	}
	if count == 0 {
		return nil
	}
	f.message = fmt.Sprintf("the goal cannot be reached: a fall of %s would lead there, and the body falls %s at most", metres(deepest), metres(most))
	if count == 1 {
		foot, err := l.foot(ctx, placeAt(land, floor), from)
		if err != nil {
			return err
		}
		f.gap = &gap{placeAt(from, top), foot}
	}
	return nil
}

// foot returns the surface below a ledge that a landing was moved out from: the
// last one on the line back to the take-off, and beside that, that the body can go to.
func (l *leg) foot(ctx context.Context, land spangrid.Place, top spanpath.Point) (spangrid.Place, error) {
	at := middleOf(int(land.GX), int(land.GY))
	n := int(2*distance(top.U-at.U, top.V-at.V)/spangrid.Side) + 1
	for i := 1; i <= n; i++ {
		t := float64(i) / float64(n)
		x, y := spangrid.CellOf(at.U+float64(t*(top.U-at.U))), spangrid.CellOf(at.V+float64(t*(top.V-at.V)))
		if x == int(land.GX) && y == int(land.GY) {
			continue
		}
		if x == spangrid.CellOf(top.U) && y == spangrid.CellOf(top.V) {
			break
		}
		next, ok := land, false
		err := l.z.records(ctx, spangrid.Window{GX: x, GY: y, NX: 1, NY: 1}, func(tile *tile, _, k int) {
			h := tile.h[k]
			if off := math.Abs(float64(h) - float64(land.H)); off <= l.rules.StepUp && l.stands(tile, x, y, k) &&
				(!ok || off < math.Abs(float64(next.H)-float64(land.H))) {
				next, ok = spangrid.Place{GX: int32(x), GY: int32(y), H: h}, true
			}
		})
		if err != nil {
			return land, dataError(ctx, WindowDecode, l.z.name, err)
		}
		if !ok {
			break
		}
		land = next
	}
	return land, nil
}

// placeAt returns the place of a cell at a height.
func placeAt(at spanpath.Point, h float32) spangrid.Place {
	return spangrid.Place{GX: int32(spangrid.CellOf(at.U)), GY: int32(spangrid.CellOf(at.V)), H: h}
}
