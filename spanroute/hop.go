package spanroute

import (
	"cmp"
	"context"
	"math"
	"slices"

	"wend/route"
	"wend/spangrid"
	"wend/spanpath"
)

const (
	// hopTries is how many falls into another region are tried, each onto
	// ground of its own.
	hopTries = 3
	// hopDepth is how many falls into other regions a route has at most.
	hopDepth = 4
	// hopClosed is how many regions next on the way are looked at, where the falls
	// into those before are all closed.
	hopClosed = 8
)

// hopTo is a passage into another region that may be part of a way: a fall, or
// an off-mesh link.
type hopTo struct {
	from, to  spangrid.Place
	component uint32  // of the landing, inside its region
	key       float64 // distance from start to goal over the passage, cells
	link      bool
}

// takeOff is where the fall begins that a leg's start is the landing of.
type takeOff struct {
	at spanpath.Point
	h  float32
	ok bool
}

// hop looks for a way that falls from a ledge into the region of the goal, or
// takes an off-mesh link there. why is what stands if there is none.
func (p *Planner) hop(ctx context.Context, l *leg, out *legResult, why *failure) (*failure, error) {
	limit := hopDepth
	if l.reference {
		limit = 1
	}
	if l.depth >= limit {
		return l.unreachable(why), nil
	}
	target := l.goalRegion
	if target == 0 || target == l.region {
		return l.unreachable(why), nil
	}
	var list []hopTo
	var closed []uint32 // the table of falls does not know what closes falls
	for {
		next, ok := l.z.nextRegion(l.region, target, l.reference || l.depth+1 == limit, closed)
		if !ok && len(closed) == 0 {
			return &failure{code: CodeGoalUnreachable, message: "the goal is in a region that nothing leads to from the start's"}, nil
		}
		if !ok {
			break
		}
		var err error
		if list, err = p.hops(ctx, l, next); err != nil {
			return nil, err
		}
		if closed = append(closed, next); len(list) > 0 || l.reference || len(closed) == hopClosed {
			break
		}
	}
	for i := range list {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		done, err := p.tryHop(ctx, l, &list[i], out)
		if err != nil {
			return nil, err
		}
		if done {
			if !list[i].link {
				p.warn("the route falls into another region")
			}
			return nil, nil
		}
	}
	return l.unreachable(why), nil
}

// unreachable returns a failure that a caller understands.
func (l *leg) unreachable(f *failure) *failure {
	if f.code == codeOtherRegion {
		return &failure{code: CodeGoalUnreachable, message: "the goal is in another region and no fall leads there"}
	}
	return f
}

// hops returns the best passages into a region: those with the shortest straight
// lines from the start to the take-off and from the landing to the goal, one for
// each component of the landing's region. Falls are looked for page by page in
// the order of the least such length in them, until nothing better can follow.
func (p *Planner) hops(ctx context.Context, l *leg, onto uint32) ([]hopTo, error) {
	from, err := l.z.extent(ctx, l.region, l.reference)
	if err != nil {
		return nil, err
	}
	to, err := l.z.extent(ctx, onto, l.reference)
	if err != nil {
		return nil, err
	}
	reach, err := l.z.reach(ctx, l.region, l.component)
	if err != nil {
		return nil, err
	}
	var best []hopTo
	if !l.reference {
		links, err := l.z.linksInto(ctx, l.region, onto)
		if err != nil {
			return nil, err
		}
		for _, k := range links {
			if reach.Has(k.from) {
				best = l.addHop(best, hopTo{from: k.From, to: k.To, component: k.to, key: float64(k.Cost), link: true})
			}
		}
	}
	w := from.Intersect(to.Grow(1))
	if w.Empty() {
		return best, nil
	}
	if err := p.openGate(ctx, l); err != nil {
		return nil, err
	}
	err = p.ground.Reset(ctx, &spanpath.Setup{
		Clip: from.Grow(fieldHalo), Rules: l.rules, Source: l.z.source(l.region, l.reference), Gate: l.gate, Reach: reach,
		Body: l.body, Discs: l.discs, PassWalls: l.reference,
	})
	if err != nil {
		return nil, err
	}
	source := l.z.source(onto, l.reference)
	for _, page := range l.pagesOf(w) {
		if len(best) == hopTries && page.key > best[hopTries-1].key {
			break
		}
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		landing, err := source.Page(ctx, page.px, page.py)
		if err != nil {
			return nil, err
		}
		for _, f := range p.ground.AppendFalls(nil, page.px, page.py, landing) {
			best = l.addHop(best, hopTo{from: p.ground.Place(f.From), to: f.To, component: f.Component})
		}
	}
	return best, p.ground.Err()
}

// addHop puts a passage into the list of the best, which has one for each
// component. Its key is what the passage itself costs.
func (l *leg) addHop(best []hopTo, h hopTo) []hopTo {
	u, v := spangrid.Center(int(h.from.GX)), spangrid.Center(int(h.from.GY))
	lu, lv := spangrid.Center(int(h.to.GX)), spangrid.Center(int(h.to.GY))
	h.key += (distance(u-l.from.at.U, v-l.from.at.V) + distance(lu-l.to.at.U, lv-l.to.at.V)) / spangrid.Side
	for i := range best {
		if best[i].component == h.component {
			if compareHops(h, best[i]) < 0 {
				best[i] = h
				slices.SortFunc(best, compareHops)
			}
			return best
		}
	}
	best = append(best, h)
	slices.SortFunc(best, compareHops)
	return best[:min(len(best), hopTries)]
}

func compareHops(a, b hopTo) int {
	return cmp.Or(cmp.Compare(a.key, b.key), a.from.Compare(b.from), a.to.Compare(b.to))
}

// pageBound is a page of a window and the least way over a point of it.
type pageBound struct {
	px, py int
	key    float64 // cells
}

// pagesOf lists the pages of a window, those on short ways first.
func (l *leg) pagesOf(w spangrid.Window) []pageBound {
	var list []pageBound
	for py := spanpath.PageOf(w.GY); py <= spanpath.PageOf(w.GY+w.NY-1); py++ {
		for px := spanpath.PageOf(w.GX); px <= spanpath.PageOf(w.GX+w.NX-1); px++ {
			list = append(list, pageBound{px, py, l.leastOver(px, py)})
		}
	}
	slices.SortFunc(list, func(a, b pageBound) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.py, b.py), cmp.Compare(a.px, b.px))
	})
	return list
}

// leastOver returns a lower bound for the way from start to goal over a cell of
// a page and a neighbour of it, cells.
func (l *leg) leastOver(px, py int) float64 {
	half := float64(spanpath.PageSide) / 2
	cu, cv := (float64(px)+0.5)*spanpath.PageSide, (float64(py)+0.5)*spanpath.PageSide
	to := func(p spanpath.Point) float64 {
		du := math.Max(math.Abs(p.U/spangrid.Side-cu)-half, 0)
		dv := math.Max(math.Abs(p.V/spangrid.Side-cv)-half, 0)
		return distance(du, dv)
	}
	return to(l.from.at) + to(l.to.at) - 2
}

// tryHop plans to a take-off and from its landing, and joins both.
func (p *Planner) tryHop(ctx context.Context, l *leg, h *hopTo, out *legResult) (bool, error) {
	first, second := *l, *l
	first.depth, second.depth = hopDepth, l.depth+1 // the first part falls nowhere else
	first.gate, second.gate = nil, nil
	take := spanpath.Point{U: spangrid.Center(int(h.from.GX)), V: spangrid.Center(int(h.from.GY))}
	land := spanpath.Point{U: spangrid.Center(int(h.to.GX)), V: spangrid.Center(int(h.to.GY))}
	first.to = end{at: take, deck: optional{float64(h.from.H), true}, stand: true}
	first.partial, second.partial = false, false
	first.hopped, second.hopped = false, false
	first.goalApart, second.goalApart = false, false
	first.goalRegion, second.goalRegion = 0, 0 // to be found anew
	second.from = end{at: land, deck: optional{float64(h.to.H), true}, stand: true}

	var a, b legResult
	if f, err := p.planLeg(ctx, &first, &a); f != nil || err != nil {
		return false, err
	}
	last := len(a.points) - 1
	second.fell = takeOff{a.points[last], a.heights[last], !h.link && !l.reference}
	if f, err := p.planLeg(ctx, &second, &b); f != nil || err != nil {
		return false, err
	}
	join(out, &a, &b, h)
	return true, nil
}

// join makes one route of a part up to a passage and one from where it ends.
func join(out, a, b *legResult, h *hopTo) {
	snap := out.stats.Snap
	n := len(a.points)
	a.points = append(a.points, b.points...)
	a.clearance = append(a.clearance, b.clearance...)
	a.heights = append(a.heights, b.heights...)
	a.storeys = append(a.storeys, b.storeys...)
	a.kinds[n-1] = route.Drop
	if h.link {
		a.kinds[n-1] = route.Link
	}
	a.kinds = append(a.kinds, b.kinds...)
	a.waypoints = append(a.waypoints, n)
	for _, w := range b.waypoints {
		a.waypoints = append(a.waypoints, n+w)
	}
	if !h.link {
		a.drops = append(a.drops, spanpath.Drop{Index: n, Height: b.heights[0]})
	}
	for _, d := range b.drops {
		a.drops = append(a.drops, spanpath.Drop{Index: n + d.Index, Height: d.Height})
	}
	gap := distance(b.points[0].U-a.points[n-1].U, b.points[0].V-a.points[n-1].V)
	a.length += gap + b.length
	a.snapGoal, a.partial, a.atGround[1] = b.snapGoal, b.partial, b.atGround[1]
	for _, s := range b.stages {
		a.stages = append(a.stages, stage{s.name + " beyond", s.points, s.heights})
	}
	a.stats.Proved = a.stats.Proved && b.stats.Proved
	a.stats.WallCrossings += b.stats.WallCrossings
	a.stats.WallSteps += b.stats.WallSteps
	for i, n := range b.stats.Lifted {
		a.stats.Lifted[i] += n
	}
	a.stats.Prepare += b.stats.Prepare
	a.stats.Search += b.stats.Search
	a.stats.Geometry += b.stats.Geometry
	a.stats.Pull += b.stats.Pull
	a.stats.Assemble += b.stats.Assemble
	a.stats.Lift += b.stats.Lift
	a.stats.Pages += b.stats.Pages
	a.stats.Snap += snap + b.stats.Snap
	*out = *a
}
