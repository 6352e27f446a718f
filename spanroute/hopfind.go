package spanroute

import (
	"cmp"
	"context"
	"math"
	"slices"

	"wend/spangrid"
	"wend/spanpath"
)

// hopBlockBits tells the side of squares of cells, 32: of passages onto the same
// component in the same square one is tried.
const hopBlockBits = 5

// hopGroup is what passages are taken for the same that land there: a component of
// a region, or what of it is in a square of cells.
type hopGroup struct {
	region, component uint32
	x, y              int32 // of the square
	whole             bool  // all of the component instead
}

func groupOf(region, component uint32, gx, gy int32) hopGroup {
	return hopGroup{region: region, component: component, x: gx >> hopBlockBits, y: gy >> hopBlockBits}
}

func (l *leg) startGroup() hopGroup {
	return groupOf(l.region, l.component, int32(spangrid.CellOf(l.from.at.U)), int32(spangrid.CellOf(l.from.at.V)))
}

func (h *hopTo) whole(onto uint32) hopGroup {
	return hopGroup{region: onto, component: h.component, whole: true}
}

func (h *hopTo) group(onto uint32) hopGroup {
	return groupOf(onto, h.component, h.to.GX, h.to.GY)
}

// hops returns the best passages into a region: those with the shortest straight
// lines from the start to the take-off and from the landing to the goal, one for
// each component of the landing's region. Falls are looked for page by page in
// the order of the least such length in them, until nothing better can follow. With
// all set it returns the best ones onto each component and square.
func (p *Planner) hops(ctx context.Context, l *leg, onto uint32, all bool) ([]hopTo, error) {
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
	found := map[hopGroup]int{} // of all, where they are in best
	add := func(h hopTo) {
		h.key += l.over(&h)
		if !all {
			best = addHop(best, h)
			return
		}
		if i, ok := found[h.group(onto)]; !ok {
			found[h.group(onto)] = len(best)
			best = append(best, h)
		} else if compareHops(h, best[i]) < 0 {
			best[i] = h
		}
	}
	if !l.reference {
		links, err := l.z.linksInto(ctx, l.region, onto)
		if err != nil {
			return nil, err
		}
		for _, k := range links {
			if reach.Has(k.from) {
				add(hopTo{from: k.From, to: k.To, component: k.to, key: float64(k.Cost), link: true})
			}
		}
	}
	w := from.Intersect(to.Grow(1))
	if w.Empty() {
		slices.SortFunc(best, compareHops)
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
		if !all && len(best) == hopTries && page.key > best[hopTries-1].key {
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
			add(hopTo{from: p.ground.Place(f.From), to: f.To, component: f.Component})
		}
	}
	slices.SortFunc(best, compareHops)
	return best, p.ground.Err()
}

// over returns the distances from the start to a take-off and from the landing to
// the goal, cells.
func (l *leg) over(h *hopTo) float64 {
	u, v := spangrid.Center(int(h.from.GX)), spangrid.Center(int(h.from.GY))
	lu, lv := spangrid.Center(int(h.to.GX)), spangrid.Center(int(h.to.GY))
	return (distance(u-l.from.at.U, v-l.from.at.V) + distance(lu-l.to.at.U, lv-l.to.at.V)) / spangrid.Side
}

// addHop puts a passage into the list of the best, which has one for each
// component.
func addHop(best []hopTo, h hopTo) []hopTo {
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
