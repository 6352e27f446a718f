package grid

import (
	"math"
	"math/bits"
)

// The exact any-angle search: intervals of the lines between rows, each seen
// from a root, after Anya (Harabor, Grastien, Oez and Aksakalli 2016, "Optimal
// any-angle pathfinding in practice") and Polyanya, its form for convex pieces
// (Cui, Harabor and Grastien 2017). The pieces here are the runs of free cells
// of a row, found in the bits as the search comes to them: nothing is computed
// in advance.
//
// Coordinates are doubled, so that corner points of cells are even and middles
// odd. All ends of intervals are where a ray from the root to a point of this
// lattice meets a line; they are kept as that ray and compared by cross
// products of integers, so no rounding decides what is seen.

// ray is a direction from a root, or if down is 0 a distance along its row.
type ray struct{ right, down int32 }

// interval is a node of the search: the part of a line between two rows of cells
// that is seen from root between two rays, about to be crossed.
type interval struct {
	g           float64 // cost of root
	root        point2
	left, right ray
	line        int32 // 2*row: the line above the row
	dir         int32 // 1 to cross it downwards, -1 upwards
}

// point2 is a point in doubled coordinates.
type point2 struct{ x, y int32 }

func (p point2) apart(o point2) float64 {
	dx, dy := int64(p.x-o.x), int64(p.y-o.y)
	return math.Sqrt(float64(dx*dx+dy*dy)) / 2
}

// compare compares the place where a ray from root meets the line at y with x:
// negative if it lies left of it.
func (r ray) compare(root point2, y, x int32) int64 {
	if r.down == 0 {
		return int64(root.x + r.right - x)
	}
	d := int64(r.right)*int64(y-root.y) - int64(x-root.x)*int64(r.down)
	if r.down < 0 {
		return -d
	}
	return d
}

// meet is the place where a ray meets the line at y.
func (r ray) meet(root point2, y int32) float64 {
	if r.down == 0 {
		return float64(root.x + r.right)
	}
	return float64(root.x) + float64(int64(r.right)*int64(y-root.y))/float64(r.down)
}

// exact returns the place where a ray meets the line at y, if it is a corner
// point of cells.
func (r ray) exact(root point2, y int32) (x int32, ok bool) {
	if r.down == 0 {
		x = root.x + r.right
	} else {
		num := int64(r.right) * int64(y-root.y)
		if num%int64(r.down) != 0 {
			return 0, false
		}
		x = root.x + int32(num/int64(r.down))
	}
	return x, x&1 == 0
}

// leftOf is the last even number left of or at the place where a ray meets the
// line at y.
func (r ray) leftOf(root point2, y int32) int32 {
	if r.down == 0 {
		return (root.x + r.right) &^ 1
	}
	num, den := int64(r.right)*int64(y-root.y)+int64(root.x)*int64(r.down), int64(r.down)
	if den < 0 {
		num, den = -num, -den
	}
	q := num / (2 * den)
	if num%(2*den) < 0 {
		q--
	}
	return int32(2 * q)
}

// anyaSlack is how much better a way to a corner must be to count as better:
// more than rounding, less than any difference that can be seen.
const anyaSlack = 1e-10

// anya is the state of a search besides the nodes, which here stand for corner
// points: node (x, y) for the upper left corner of that cell.
type anya struct {
	list []interval // by the queue's pos
	free []uint32
	last point2 // root of the best way to the goal
}

// fromStart as a node's parent stands for the start.
const fromStart = math.MaxUint32

// seedAnya opens what is seen from the start.
func (q *Query) seedAnya() {
	r := &q.run
	a := &q.anya
	a.list, a.free, a.last = a.list[:0], a.free[:0], point2{1, 1}
	start := point2{2*r.from.X + 1, 2*r.from.Y + 1}
	lo, hi := q.runAround(r.from.X, r.from.Y)
	if r.from.Y == r.to.Y && lo <= 2*r.to.X && 2*r.to.X < hi {
		q.offer(start, 0, 0)
	}
	for _, dir := range [2]int32{-1, 1} {
		y := start.y + dir
		q.cross(interval{root: start, line: y, dir: dir,
			left: ray{lo - start.x, dir}, right: ray{hi - start.x, dir}})
	}
}

// runAround returns the ends of the run of free cells around a free cell, in
// doubled coordinates.
func (q *Query) runAround(x, y int32) (lo, hi int32) {
	s := q.run.rows
	id := s.id(x, y)
	return 2 * (x + 1 - countBackward(s, id)), 2 * (x + countForward(s, id))
}

// countForward counts the free cells from id on, with id.
func countForward(s *surface, id int32) (n int32) {
	p := uint(uint32(id)) + guardBits
	for {
		w := ^(le(s.bits, p>>3) >> (p & 7))
		if j := int32(bits.TrailingZeros64(w)); j < goodBits {
			return n + j
		}
		n += goodBits
		p += goodBits
	}
}

// countBackward counts the free cells up to id, with id.
func countBackward(s *surface, id int32) (n int32) {
	p := uint(uint32(id)) + guardBits
	for {
		w := ^(le(s.bits, p>>3-7) << (7 - p&7))
		if j := int32(bits.LeadingZeros64(w)); j < goodBits {
			return n + j
		}
		n += goodBits
		p -= goodBits
	}
}

// countBlocked counts the blocked cells from id on, at most limit.
func countBlocked(s *surface, id, limit int32) (n int32) {
	p := uint(uint32(id)) + guardBits
	for n < limit {
		w := le(s.bits, p>>3) >> (p & 7)
		if j := int32(bits.TrailingZeros64(w)); j < goodBits {
			return min(n+j, limit)
		}
		n += goodBits
		p += goodBits
	}
	return limit
}

// expandAnya expands at most n intervals.
func (q *Query) expandAnya(n int) bool {
	r := &q.run
	for n > 0 {
		it, ok := q.heap.pop()
		if !ok || it.f >= r.best {
			return true
		}
		node := q.anya.list[it.pos]
		q.anya.free = append(q.anya.free, it.pos)
		if q.stale(node.root, node.g) {
			continue
		}
		n--
		r.expanded++
		if q.record != nil {
			q.recordInterval(node)
		}
		q.enter(node)
	}
	return false
}

// stale reports whether a better way to a root was found since.
func (q *Query) stale(root point2, g float64) bool {
	if root.x&1 == 1 {
		return false // the start
	}
	return g > floatOf(q.node(packCorner(root)).g)+anyaSlack
}

func packCorner(p point2) uint32 { return uint32(p.y/2)<<16 | uint32(p.x/2) }

// claim makes a corner point the root that comes after another; it fails where
// a way to it from elsewhere is known that is as good. Of several equal ways one
// is enough: what can only be seen tautly behind the corner from another root
// is nearer for all of them over the known one.
func (q *Query) claim(corner, root point2, g float64) bool {
	nd := q.node(packCorner(corner))
	parent := uint32(fromStart)
	if root.x&1 == 0 {
		parent = packCorner(root)
	}
	if nd.mark>>markBits == q.epoch {
		if known := floatOf(nd.g); g > known-anyaSlack {
			return g <= known+anyaSlack && nd.parent == parent
		}
	}
	*nd = node{g: bitsOf(g), parent: parent, mark: q.epoch << markBits}
	return true
}

// enter goes through an interval into the run of cells behind it.
func (q *Query) enter(n interval) {
	r := &q.run
	column := n.left.leftOf(n.root, n.line) / 2
	row := n.line / 2
	if n.dir < 0 {
		row--
	}
	lo, hi := q.runAround(column, row)
	far := n.line + 2*n.dir
	goal := point2{2*r.to.X + 1, 2*r.to.Y + 1}
	here := r.to.Y == row && lo < goal.x && goal.x < hi
	if n.root.y == n.line {
		q.enterAlong(n, lo, hi, far, goal, here)
		return
	}
	if here && n.left.compare(n.root, goal.y, goal.x) <= 0 && n.right.compare(n.root, goal.y, goal.x) >= 0 {
		q.offer(n.root, n.g, n.root.apart(goal))
	}
	// What is seen from the root.
	seen := n
	seen.line = far
	if n.left.compare(n.root, far, lo) < 0 {
		seen.left = ray{lo - n.root.x, far - n.root.y}
	}
	if n.right.compare(n.root, far, hi) > 0 {
		seen.right = ray{hi - n.root.x, far - n.root.y}
	}
	q.cross(seen)
	// What is seen from the ends, where these are corners: of a blocked cell
	// beside the interval on this side, or at the end of the run.
	back := row - n.dir // the row the search comes from
	s := r.rows
	if x, ok := n.left.exact(n.root, n.line); ok &&
		(x > lo && !s.get(s.id(x/2-1, back)) || x == lo && n.left.compare(n.root, far, lo) > 0) {
		corner := point2{x, n.line}
		if g := n.g + n.root.apart(corner); q.claim(corner, n.root, g) {
			if here && n.left.compare(n.root, goal.y, goal.x) > 0 {
				q.offer(corner, g, corner.apart(goal))
			}
			turned := interval{g: g, root: corner, line: far, dir: n.dir, left: ray{lo - x, 2 * n.dir}, right: n.left}
			if n.left.compare(n.root, far, hi) > 0 {
				turned.right = ray{hi - x, 2 * n.dir}
			}
			q.cross(turned)
			q.cross(interval{g: g, root: corner, line: n.line, dir: -n.dir, left: ray{lo - x, 0}, right: ray{0, 0}})
		}
	}
	if x, ok := n.right.exact(n.root, n.line); ok &&
		(x < hi && !s.get(s.id(x/2, back)) || x == hi && n.right.compare(n.root, far, hi) < 0) {
		corner := point2{x, n.line}
		if g := n.g + n.root.apart(corner); q.claim(corner, n.root, g) {
			if here && n.right.compare(n.root, goal.y, goal.x) < 0 {
				q.offer(corner, g, corner.apart(goal))
			}
			turned := interval{g: g, root: corner, line: far, dir: n.dir, left: n.right, right: ray{hi - x, 2 * n.dir}}
			if n.right.compare(n.root, far, lo) < 0 {
				turned.left = ray{lo - x, 2 * n.dir}
			}
			q.cross(turned)
			q.cross(interval{g: g, root: corner, line: n.line, dir: -n.dir, left: ray{0, 0}, right: ray{hi - x, 0}})
		}
	}
}

// enterAlong enters a run from a root on the line itself: the search has come
// along the line and turns at the nearer end of the interval, from which all of
// the run is seen.
func (q *Query) enterAlong(n interval, lo, hi, far int32, goal point2, here bool) {
	left, right := n.root.x+n.left.right, n.root.x+n.right.right
	corner, leftwards := point2{right, n.line}, true
	if n.root.x <= left {
		corner, leftwards = point2{left, n.line}, false
	}
	g := n.g
	if corner != n.root {
		g += n.root.apart(corner)
		if !q.claim(corner, n.root, g) {
			return
		}
	}
	if here {
		q.offer(corner, g, corner.apart(goal))
	}
	q.cross(interval{g: g, root: corner, line: far, dir: n.dir,
		left: ray{lo - corner.x, 2 * n.dir}, right: ray{hi - corner.x, 2 * n.dir}})
	along := interval{g: g, root: corner, line: n.line, dir: -n.dir}
	if leftwards {
		along.left, along.right = ray{lo - corner.x, 0}, ray{left - corner.x, 0}
	} else {
		along.left, along.right = ray{right - corner.x, 0}, ray{hi - corner.x, 0}
	}
	q.cross(along)
}

// cross opens the parts of an interval where the cells behind it are free; it
// may span blocked ones, and may be empty.
func (q *Query) cross(n interval) {
	s := q.run.rows
	row := n.line / 2
	if n.dir < 0 {
		row--
	}
	if row < 0 || row >= s.h || !before(n.left, n.right) {
		return
	}
	x := n.left.leftOf(n.root, n.line) / 2 // column
	for x < s.w && n.right.compare(n.root, n.line, 2*x) > 0 {
		id := s.id(x, row)
		if !s.get(id) {
			x += countBlocked(s, id, s.w-x)
			continue
		}
		end := x + countForward(s, id)
		part := n
		if n.left.compare(n.root, n.line, 2*x) < 0 {
			part.left = ray{2*x - n.root.x, n.line - n.root.y}
		}
		if n.right.compare(n.root, n.line, 2*end) > 0 {
			part.right = ray{2*end - n.root.x, n.line - n.root.y}
		}
		q.push(part)
		x = end
	}
}

// before reports whether the left ray of two that point to the same line meets
// it left of the right one.
func before(left, right ray) bool {
	if left.down == 0 || right.down == 0 {
		return left.right < right.right
	}
	return int64(left.right)*abs64(int64(right.down)) < int64(right.right)*abs64(int64(left.down))
}

// push puts an interval into the queue, by the length of the shortest way from
// its root through it to the goal if nothing else is in the way.
func (q *Query) push(n interval) {
	r := &q.run
	left, right := n.left.meet(n.root, n.line), n.right.meet(n.root, n.line)
	goal := point2{2*r.to.X + 1, 2*r.to.Y + 1}
	f := n.g
	rx, gx := float64(n.root.x), float64(goal.x)
	down, on := float64(n.line-n.root.y), float64(goal.y-n.line)
	at := rx
	if down != 0 {
		down, on = math.Abs(down), math.Abs(on) // the goal, mirrored if it lies on this side
		at = rx + float64((gx-rx)*down)/(down+on)
	}
	at = max(left, min(right, at))
	h := math.Sqrt(float64((gx-at)*(gx-at))+float64(on*on)) / 2
	f += math.Sqrt(float64((at-rx)*(at-rx))+float64(down*down))/2 + h
	key := bitsOf(f)
	if key >= r.best {
		r.cut = r.cut || key > r.limit
		return
	}
	var pos uint32
	if k := len(q.anya.free); k > 0 {
		pos = q.anya.free[k-1]
		q.anya.free = q.anya.free[:k-1]
		q.anya.list[pos] = n
	} else {
		pos = uint32(len(q.anya.list))
		q.anya.list = append(q.anya.list, n)
	}
	r.pushed++
	q.heap.push(heapItem{f: key, rest: uint32(min(h*(1<<14), math.MaxUint32)), pos: pos})
}

// offer notes a way to the goal.
func (q *Query) offer(root point2, g, rest float64) {
	r := &q.run
	if cost := bitsOf(g + rest); cost < r.best {
		r.best = cost
		q.anya.last = root
	} else if cost > r.limit {
		r.cut = true
	}
}

// traceCorners appends the corners of the best way to the goal.
func (q *Query) traceCorners(dst []Point) []Point {
	r := &q.run
	from := len(dst)
	dst = append(dst, Point{float64(r.to.X) + 0.5, float64(r.to.Y) + 0.5})
	if q.anya.last.x&1 == 0 {
		for at := packCorner(q.anya.last); at != fromStart; at = q.node(at).parent {
			c := unpack(at)
			dst = append(dst, Point{float64(c.X), float64(c.Y)})
		}
	}
	if r.start != r.goal {
		dst = append(dst, Point{float64(r.from.X) + 0.5, float64(r.from.Y) + 0.5})
	}
	for i, k := from, len(dst)-1; i < k; i, k = i+1, k-1 {
		dst[i], dst[k] = dst[k], dst[i]
	}
	return dst
}
