package spanroute

import (
	"math"
	"slices"
	"time"

	"wend/route"
	"wend/spangrid"
	"wend/spanpath"
)

// fallRadius is the radius of the body that lands, m, where none is asked for.
const fallRadius = 0.41

// nearEnds and samePlace are the least distances of inner points from the ends
// of a route and from each other, px.
const (
	nearEnds  = 0.4
	samePlace = 1e-9
)

// line is a way on its way to a route: corners with heights, and the passages
// between corners that are no walk.
type line struct {
	points  []spanpath.Point
	heights []float32
	pinned  []bool       // the corner stays where it is
	pass    []route.Kind // what leads to the next corner: Corner is a walk
}

func (l *line) reset() {
	l.points, l.heights, l.pinned, l.pass = l.points[:0], l.heights[:0], l.pinned[:0], l.pass[:0]
}

func (l *line) add(p spanpath.Point, h float32, pinned bool, pass route.Kind) {
	l.points = append(l.points, p)
	l.heights = append(l.heights, h)
	l.pinned = append(l.pinned, pinned)
	l.pass = append(l.pass, pass)
}

// post is the scratch of what follows a search.
type post struct {
	input, pulled, line line
	kept                []int
	moves               []spanpath.Move
	walked              []float32
}

// finish turns the way that was found into a route.
func (s *search) finish(out *legResult) error {
	g, k, l := s.p.ground, &s.p.post, s.leg
	begin := time.Now()
	heights := s.input(&k.input)
	view := spanpath.View{Need: spanpath.MarkTube, Walls: true, Bans: s.hasChain, Heights: heights}
	s.tube()
	out.stats.WallSteps = s.pull(view)
	out.stats.Pull = time.Since(begin)

	begin = time.Now()
	s.assemble(heights)
	out.stats.Assemble = time.Since(begin)
	s.note(out, "pulled", &k.pulled)
	s.note(out, "assembled", &k.line)
	out.stats.ChainPoints, out.stats.PulledPoints, out.stats.AssembledPoints = len(k.input.points), len(k.pulled.points), len(k.line.points)

	begin = time.Now()
	if heights && !l.shortest {
		out.stats.Lifted = s.lift(spanpath.View{Walls: true, Bans: true, Heights: true})
	}
	out.stats.Lift = time.Since(begin)

	out.points = slices.Clone(k.line.points)
	out.clearance = g.Clearances(make([]float32, 0, len(out.points)), out.points)
	var walked []float32
	hz := slices.Clone(k.line.heights)
	if heights {
		w, ok := g.WalkedHeights(k.walked[:0], out.points, hz[0], false)
		if k.walked = w; ok {
			walked = w
		}
	} else {
		hz, _ = g.WalkedHeights(hz[:0], out.points, float32(l.h0), true)
	}
	hz, walked = s.land(out, hz, walked)
	out.heights = hz
	out.storeys = make([]uint32, len(hz))
	for i := range out.storeys {
		out.storeys[i] = l.region
	}
	if heights {
		out.waypoints = g.Waypoints(nil, out.points, &spanpath.Drive{
			Zone: l.z.mesh, Clearance: out.clearance, Heights: walked, Drops: out.drops, Need: spanpath.MarkTube,
		})
	}
	out.partial = s.short
	s.kinds(out)
	for i := 1; i < len(out.points); i++ {
		out.length += distance(out.points[i].U-out.points[i-1].U, out.points[i].V-out.points[i-1].V)
	}
	out.snapStart, out.snapGoal = s.start.distance(), s.goal.distance()
	out.atGround = [2]bool{s.atGround(&l.from, s.start), s.atGround(&l.to, s.goal)}
	if out.atGround[0] {
		out.snapStart = distance(out.points[0].U-l.from.at.U, out.points[0].V-l.from.at.V)
	}
	if last := out.points[len(out.points)-1]; out.atGround[1] && !out.partial {
		out.snapGoal = distance(last.U-l.to.at.U, last.V-l.to.at.V)
	}
	out.stats.WallCrossings = s.crossings(out)
	if err := s.endHeights(out); err != nil {
		return err
	}
	s.offHeight(out)
	return g.Err()
}

// land notes where falls land and moves landings off ledges, but for those that
// the next passage leads on from, and returns the heights after it. The original
// rules know falls by the heights alone.
func (s *search) land(out *legResult, hz, walked []float32) (_, _ []float32) {
	g, l, radius := s.p.ground, &s.p.post.line, s.leg.fallRadius()*s.leg.z.scale()
	if s.leg.reference {
		out.drops = g.LandingMargin(out.drops, out.points, hz, out.clearance, walked, radius)
		return hz, walked
	}
	if from := s.leg.fell; from.ok && len(hz) > 1 && l.pass[0] == route.Corner && float64(from.h)-float64(hz[0]) > s.leg.rules.Climb {
		// The start is the landing of a fall from another region.
		pts := [3]spanpath.Point{from.at, out.points[0], out.points[1]}
		h, clr := [3]float32{from.h, hz[0], hz[1]}, [3]float32{0, out.clearance[0], out.clearance[1]}
		g.Land(1, pts[:], h[:], clr[:], nil, radius, s.landsOnNext(0, len(hz)))
		out.points[0], hz[0], out.clearance[0] = pts[1], h[1], clr[1]
		if walked != nil {
			walked[0] = h[1]
		}
		hz, walked = s.goOn(0, out, hz, walked)
	}
	for i := 1; i < len(hz); i++ {
		if l.pass[i-1] != route.Drop || float64(hz[i-1])-float64(hz[i]) <= s.leg.rules.Climb {
			continue
		}
		d := spanpath.Drop{Index: i, Height: hz[i]}
		if i+1 < len(hz) && l.pass[i] == route.Corner {
			d = g.Land(i, out.points, hz, out.clearance, walked, radius, s.landsOnNext(i, len(hz)))
			hz, walked = s.goOn(i, out, hz, walked)
		}
		out.drops = append(out.drops, d)
	}
	return hz, walked
}

// landsOnNext reports whether a fall may land on the corner after its landing, of
// n corners: the goal keeps a stretch that leads to it.
func (s *search) landsOnNext(i, n int) bool { return i+2 < n || s.leg.to.stand }

// goOn has the line go on from a landing that was moved: the landing is left out
// where the next corner is in the same place, and so are the corners that only led
// from where it was.
func (s *search) goOn(i int, out *legResult, hz, walked []float32) (_, _ []float32) {
	l := &s.p.post.line
	leaveOut := func(i int) {
		out.points, out.clearance = slices.Delete(out.points, i, i+1), slices.Delete(out.clearance, i, i+1)
		l.points, l.heights = slices.Delete(l.points, i, i+1), slices.Delete(l.heights, i, i+1)
		l.pinned, l.pass = slices.Delete(l.pinned, i, i+1), slices.Delete(l.pass, i, i+1)
		if hz = slices.Delete(hz, i, i+1); walked != nil {
			walked = slices.Delete(walked, i, i+1)
		}
	}
	if out.points[i] == out.points[i+1] {
		leaveOut(i)
		return hz, walked
	}
	for i+2 < len(hz) && l.pass[i+1] == route.Corner && !l.pinned[i+1] && s.p.ground.Straighter(out.points[i:i+3], hz[i:i+3]) {
		leaveOut(i + 1)
	}
	return hz, walked
}

// fallRadius returns the radius of the body that lands after a drop, m.
func (l *leg) fallRadius() float64 {
	if l.radius > 0 {
		return l.radius
	}
	return fallRadius
}

// input takes the corners of the search: its turns where it had free ones, else
// every cell. It reports whether they have heights.
func (s *search) input(in *line) bool {
	g := s.p.ground
	in.reset()
	if s.cells != nil {
		for _, c := range s.cells {
			in.add(middleOf(int(c.X), int(c.Y)), 0, false, route.Corner)
		}
		return false
	}
	path, spans := s.way(), s.way().Spans
	if s.hasChain {
		path, spans = &s.geometry, s.geometry.Chain
	}
	links := path.Links
	for i, v := range spans {
		at := g.Place(v)
		pass := route.Corner
		if i+1 < len(spans) && !s.leg.reference {
			next := g.Place(spans[i+1])
			switch {
			case len(links) > 0 && sameCell(g.Links[links[0]].From, at) && sameCell(g.Links[links[0]].To, next):
				pass, links = route.Link, links[1:]
			case float64(at.H)-float64(next.H) > s.leg.rules.Climb && adjacent(at, next):
				pass = route.Drop
			}
		}
		pinned := pass != route.Corner || i > 0 && in.pass[i-1] != route.Corner
		in.add(g.Point(v), at.H, pinned, pass)
	}
	return true
}

func middleOf(gx, gy int) spanpath.Point {
	return spanpath.Point{U: spangrid.Center(gx), V: spangrid.Center(gy)}
}

func sameCell(a, b spangrid.Place) bool { return a.GX == b.GX && a.GY == b.GY }

func adjacent(a, b spangrid.Place) bool {
	dx, dy := a.GX-b.GX, a.GY-b.GY
	return dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1
}

// tube opens the cells that a pulled chord may touch beside solid ones: those of
// the ways from both ends to open ground, and those around the way.
func (s *search) tube() {
	g := s.p.ground
	mark := func(x, y int) {
		if g.Marks(x, y)&s.on != 0 {
			g.Mark(x, y, spanpath.MarkTube)
		}
	}
	for i := range s.access {
		for _, c := range s.access[i].Cells {
			mark(int(c.X), int(c.Y))
		}
	}
	around := func(x, y int) {
		if g.Marks(x, y)&s.on == 0 {
			return
		}
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				mark(x+dx, y+dy)
			}
		}
	}
	if s.cells != nil {
		for _, c := range s.cells {
			around(int(c.X), int(c.Y))
		}
		return
	}
	spans := s.way().Spans
	if s.hasChain {
		spans = s.geometry.Spans
	}
	for _, v := range spans {
		at := g.Place(v)
		around(int(at.GX), int(at.GY))
	}
}

// pull pulls the input taut, one piece between passages after the other. It
// returns how many steps were kept because nothing beyond them was in sight.
func (s *search) pull(view spanpath.View) (steps int) {
	k := &s.p.post
	in, to := &k.input, &k.pulled
	to.reset()
	for from := 0; from < len(in.points); {
		end := from
		for end+1 < len(in.points) && in.pass[end] == route.Corner {
			end++
		}
		var h []float32
		if view.Heights {
			h = in.heights[from : end+1]
		}
		k.kept = s.p.ground.Pull(k.kept[:0], in.points[from:end+1], h, view)
		for n, i := range k.kept {
			if n > 0 && i == k.kept[n-1]+1 && i < end-from {
				steps++
			}
			i += from
			to.add(in.points[i], in.heights[i], in.pinned[i], in.pass[i])
		}
		from = end + 1
	}
	return steps
}

// assemble puts the ends of the leg around the pulled line and leaves out
// corners that say nothing. The ends stay as they were asked, but for a way to
// the nearest place, which ends where it ends.
func (s *search) assemble(heights bool) {
	k, l := &s.p.post, s.leg
	in, to := &k.pulled, &k.line
	to.reset()
	first, last := l.from.at, l.to.at
	if s.atGround(&l.from, s.start) {
		first = in.points[0]
	}
	if s.short || s.atGround(&l.to, s.goal) {
		last = in.points[len(in.points)-1]
	}
	to.add(first, in.heights[0], false, route.Corner)
	// A way may pass over or under its ends: only what follows the start at
	// once, or comes just before the goal, is beside it.
	from, end := 0, len(in.points)
	for from < end && distance(in.points[from].U-first.U, in.points[from].V-first.V) <= nearEnds {
		from++
	}
	for end > from && distance(in.points[end-1].U-last.U, in.points[end-1].V-last.V) <= nearEnds {
		end--
	}
	if !l.reference {
		// What is left out must not be what leads round something.
		view := spanpath.View{NoGo: true, Kept: true}
		for from > 0 && from < end && !s.p.ground.Sees(view, first, in.points[from], in.heights[0], in.heights[from]) {
			from--
		}
		for end < len(in.points) && from < end && !s.p.ground.Sees(view, in.points[end-1], last, in.heights[end-1], in.heights[len(in.heights)-1]) {
			end++
		}
	}
	for i, p := range in.points {
		far := i >= from && i < end
		if l.reference {
			far = distance(p.U-first.U, p.V-first.V) > nearEnds && distance(p.U-last.U, p.V-last.V) > nearEnds
		}
		prev := to.points[len(to.points)-1]
		if i == 0 && in.pinned[i] && distance(p.U-prev.U, p.V-prev.V) <= samePlace {
			to.heights[0], to.pinned[0], to.pass[0] = in.heights[i], true, in.pass[i] // the start is where a passage begins
			continue
		}
		if in.pinned[i] || far && distance(p.U-prev.U, p.V-prev.V) > samePlace {
			to.add(p, in.heights[i], in.pinned[i], in.pass[i])
		}
	}
	switch prev := to.points[len(to.points)-1]; {
	case distance(last.U-prev.U, last.V-prev.V) > samePlace, len(to.points) == 1 && last != first:
		to.add(last, in.heights[len(in.heights)-1], false, route.Corner)
	case len(to.points) > 1:
		to.points[len(to.points)-1] = last
	}
	if s.hasChain {
		s.straighten(to)
	}
}

// straighten leaves out the corners that lie on the line from the one before to
// the one after, between both, but for those that tell the height of a wall that
// is passed over or under: on one stretch it would be another. The original rules
// leave out those beyond them too, where the way turns back on itself.
func (s *search) straighten(l *line) {
	n := min(1, len(l.points))
	for i := 1; i < len(l.points); i++ {
		if i+1 < len(l.points) && !l.pinned[i] && collinear(l.points[n-1], l.points[i], l.points[i+1]) &&
			(s.leg.reference || !turnsBack(l.points[n-1], l.points[i], l.points[i+1]) &&
				s.p.ground.Sees(spanpath.View{Kept: true}, l.points[n-1], l.points[i+1], l.heights[n-1], l.heights[i+1])) {
			continue
		}
		l.points[n], l.heights[n], l.pinned[n], l.pass[n] = l.points[i], l.heights[i], l.pinned[i], l.pass[i]
		n++
	}
	l.points, l.heights, l.pinned, l.pass = l.points[:n], l.heights[:n], l.pinned[:n], l.pass[:n]
}

func collinear(a, b, c spanpath.Point) bool {
	cross := float64((b.U-a.U)*(c.V-a.V)) - float64((b.V-a.V)*(c.U-a.U))
	return math.Abs(cross) <= 1e-9*math.Max(1, distance(c.U-a.U, c.V-a.V))
}

// turnsBack reports whether the way from a over b to c turns by more than a
// right angle.
func turnsBack(a, b, c spanpath.Point) bool {
	return float64((b.U-a.U)*(c.U-b.U))+float64((b.V-a.V)*(c.V-b.V)) < 0
}

// lift moves corners off obstacles, between passages, and returns how many by
// how far: to a neighbour by a side, by a corner, and two cells away.
func (s *search) lift(view spanpath.View) (n [3]int) {
	g, k := s.p.ground, &s.p.post
	l := &k.line
	for from := 0; from < len(l.points); {
		end := from
		for end+1 < len(l.points) && l.pass[end] == route.Corner && (end == from || !l.pinned[end]) {
			end++
		}
		if end-from >= 2 {
			settled := true
			if s.leg.reference {
				k.moves = g.Lift(k.moves[:0], l.points[from:end+1], l.heights[from], view)
				settled = g.Resettle(l.heights[from:end+1], l.points[from:end+1], k.moves)
			} else {
				k.moves = g.LiftOn(k.moves[:0], l.points[from:end+1], l.heights[from:end+1], view)
			}
			if settled {
				for _, m := range k.moves {
					switch {
					case m.Distance < 0.3:
						n[0]++
					case m.Distance < 0.4:
						n[1]++
					default:
						n[2]++
					}
				}
			} else {
				for _, m := range k.moves { // no surface there: take them back
					l.points[from+m.Index] = m.From
				}
			}
		}
		if from = end; l.pass[end] != route.Corner || end == len(l.points)-1 {
			from++
		}
	}
	return n
}

// kinds says what each point is.
func (s *search) kinds(out *legResult) {
	l := &s.p.post.line
	out.kinds = slices.Clone(l.pass)
	for _, d := range out.drops {
		if d.Index > 0 && out.kinds[d.Index-1] == route.Corner {
			out.kinds[d.Index-1] = route.Drop
		}
	}
	if !out.partial {
		out.kinds[len(out.kinds)-1] = route.Goal
	}
}

// crossings counts the stretches of the route that cross a kept wall, falls and
// links left out, and those to and from the ends as asked.
func (s *search) crossings(out *legResult) int {
	n := 0
	for i := 1; i+2 < len(out.points); i++ {
		if out.kinds[i] == route.Corner {
			n += s.p.ground.Crossings(out.points[i:i+2], out.heights[i:i+2])
		}
	}
	return n
}

// record notes what the last window's search found.
func (s *search) record(out *legResult) {
	out.stats.Search, out.stats.Geometry = s.found, s.straightened
	out.stats.TopologyCells = len(s.way().Spans)
	if !s.leg.debug {
		return
	}
	g := s.p.ground
	for _, e := range []struct {
		name  string
		spans []spanpath.Span
	}{{"baseline", s.baseline.Spans}, {"topology", s.topology.Spans}, {"geometry", s.geometry.Spans}, {"turns", s.geometry.Chain}} {
		if len(e.spans) == 0 {
			continue
		}
		st := stage{name: e.name}
		for _, v := range e.spans {
			at := g.Place(v)
			st.points = append(st.points, g.Point(v))
			st.heights = append(st.heights, at.H)
		}
		out.stages = append(out.stages, st)
	}
}

// note keeps a line as a stage.
func (s *search) note(out *legResult, name string, l *line) {
	if s.leg.debug {
		out.stages = append(out.stages, stage{name, slices.Clone(l.points), slices.Clone(l.heights)})
	}
}
