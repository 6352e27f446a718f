package obj

import (
	"math"

	"wend/geom"
)

// cutter cuts polygons into triangles. It owns scratch: reuse it, in one
// goroutine.
//
// The corners are projected along the axis nearest to the polygon's normal
// (Newell's), which only leaves a coordinate out, and put on a square lattice
// of 2^30 steps a side whose step is a power of two. Signs of areas are then
// exact in int64, and corners on a coarser power-of-two grid are not moved at
// all. Convex polygons become a fan from the first corner; others are cut by
// ear clipping (Meisters, "Polygons have ears", 1975) with two additions:
//
//   - Flat corners are never cut off while another ear is left, so that they
//     stay corners of the triangles beside them and no seam opens to a
//     neighbour that has a vertex there. Spikes of no width go at once.
//   - Corners that touch an edge or another corner (a hole joined by a bridge)
//     block an ear only where the outline really enters it.
//
// For n corners of which r are not convex the time is O(n r).
type cutter struct {
	x, y       []int64
	prev, next []int32
	turn       []int8  // sign of the corner: 1 convex, 0 flat, -1 reflex
	block      []int32 // corners that are not convex, some of them outdated
	queue      []int32 // corners that may be ears
	queued     []bool
	gone       []bool
	tris       [][3]int32
}

const latticeBits = 30

// polygon cuts a polygon of at least 3 corners into len(pts)-2 triangles,
// some of which may have no area. They are wound like the polygon. ok is
// false when the polygon crosses itself, so that the triangles overlap or
// leave something out. The result is valid until the next call.
func (c *cutter) polygon(pts []geom.Vec3) (tris [][3]int32, ok bool) {
	c.tris = c.tris[:0]
	if !c.project(pts) {
		c.fan(len(pts))
		return c.tris, c.onLine(pts)
	}
	if c.convex() {
		c.fan(len(pts))
		return c.tris, true
	}
	c.clip()
	return c.tris, c.areasAgree()
}

// fan cuts from the first corner.
func (c *cutter) fan(n int) {
	for i := 2; i < n; i++ {
		c.tris = append(c.tris, [3]int32{0, int32(i - 1), int32(i)})
	}
}

// onLine reports whether all corners lie on one line or nearly so: such a
// polygon has no normal and needs none.
func (c *cutter) onLine(pts []geom.Vec3) bool {
	far, at := 0.0, pts[0]
	for _, p := range pts {
		if d := geom.DistSq(pts[0], p); d > far {
			far, at = d, p
		}
	}
	axis := at.Sub(pts[0])
	for _, p := range pts {
		// |axis x v| <= 2^-23 |axis|^2: within a step of float32 of the line.
		if axis.Cross(p.Sub(pts[0])).Len() > far/(1<<23) {
			return false
		}
	}
	return true
}

// project puts the corners on the lattice, counter-clockwise. It fails for
// polygons without an area and for coordinates too large to compute with.
func (c *cutter) project(pts []geom.Vec3) bool {
	var n geom.Vec3
	prev := pts[len(pts)-1].Sub(pts[0])
	lo, hi := pts[0], pts[0]
	for _, p := range pts {
		d := p.Sub(pts[0])
		n = n.Add(prev.Cross(d))
		prev = d
		lo = geom.Vec3{X: min(lo.X, p.X), Y: min(lo.Y, p.Y), Z: min(lo.Z, p.Z)}
		hi = geom.Vec3{X: max(hi.X, p.X), Y: max(hi.Y, p.Y), Z: max(hi.Z, p.Z)}
	}
	size := hi.Sub(lo)
	if !n.IsFinite() || !size.IsFinite() {
		return false
	}
	ax, ay, az := math.Abs(n.X), math.Abs(n.Y), math.Abs(n.Z)
	var extent, normal float64
	var u, v int
	switch {
	case ay >= ax && ay >= az:
		u, v, normal, extent = 2, 0, n.Y, max(size.Z, size.X)
	case ax >= az:
		u, v, normal, extent = 1, 2, n.X, max(size.Y, size.Z)
	default:
		u, v, normal, extent = 0, 1, n.Z, max(size.X, size.Y)
	}
	// Less area than that is noise of the sum above.
	if !(math.Abs(normal) > float64(extent*extent)*0x1p-40) {
		return false
	}
	if normal < 0 {
		u, v = v, u
	}
	exp := exponent(extent)
	if exp < -900 || exp > 900 { // the scale would not be a normal number
		return false
	}
	scale := power(latticeBits - 1 - exp) // extent * scale < 2^latticeBits
	c.x, c.y = c.x[:0], c.y[:0]
	for _, p := range pts {
		q := [3]float64{p.X - lo.X, p.Y - lo.Y, p.Z - lo.Z}
		c.x = append(c.x, int64(math.RoundToEven(q[u]*scale)))
		c.y = append(c.y, int64(math.RoundToEven(q[v]*scale)))
	}
	return true
}

// exponent returns the e with 2^e <= x < 2^(e+1), for a normal x above 0.
func exponent(x float64) int { return int(math.Float64bits(x)>>52) - 1023 }

// power returns 2^e, for a normal one.
func power(e int) float64 { return math.Float64frombits(uint64(e+1023) << 52) }

// area2 returns twice the signed area of a triangle, exactly.
func (c *cutter) area2(i, j, k int32) int64 {
	return (c.x[j]-c.x[i])*(c.y[k]-c.y[i]) - (c.y[j]-c.y[i])*(c.x[k]-c.x[i])
}

// convex reports whether every corner and every triangle of the fan turns
// left, which makes the polygon convex, without flat corners, and simple.
func (c *cutter) convex() bool {
	n := int32(len(c.x))
	if n == 3 {
		return true
	}
	for i := range n {
		j, k := (i+1)%n, (i+2)%n
		if c.area2(i, j, k) <= 0 || (i > 0 && j != 0 && c.area2(0, i, j) <= 0) {
			return false
		}
	}
	return true
}

// Levels of trust in the outline while clipping.
const (
	strict  = iota // ears as defined
	lenient        // flat corners may go, diagonals may touch the outline
	forced         // any convex corner
	last           // any corner
)

// maxRetries bounds how often clipping returns to full trust after it had to
// give some up and look at all corners anew, so that no outline takes long.
const maxRetries = 64

func (c *cutter) clip() {
	n := len(c.x)
	c.reset(n)
	left := n
	level, retries := strict, 0
	for left > 3 {
		i, found := c.ear(level)
		if !found {
			level = min(level+1, last)
			retries++
			c.requeue()
			continue
		}
		c.cutOff(i)
		left--
		if level > strict && retries < maxRetries {
			level = strict
		}
	}
	for i := range int32(n) {
		if !c.gone[i] {
			c.tris = append(c.tris, [3]int32{c.prev[i], i, c.next[i]})
			return
		}
	}
}

// reset links the ring and classifies its corners.
func (c *cutter) reset(n int) {
	c.prev, c.next = resize(c.prev, n), resize(c.next, n)
	c.turn, c.gone, c.queued = resize(c.turn, n), resize(c.gone, n), resize(c.queued, n)
	clear(c.gone)
	clear(c.queued)
	c.block, c.queue = c.block[:0], c.queue[:0]
	for i := range n {
		c.prev[i] = int32((i + n - 1) % n)
		c.next[i] = int32((i + 1) % n)
	}
	for i := range int32(n) {
		c.turn[i] = c.classify(i)
		if c.turn[i] <= 0 {
			c.block = append(c.block, i)
		}
	}
	c.requeue()
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// requeue offers all corners again. The last in the queue is looked at first,
// so they go in from the back.
func (c *cutter) requeue() {
	c.queue = c.queue[:0]
	clear(c.queued)
	for i := int32(len(c.x)) - 1; i >= 0; i-- {
		c.offer(i)
	}
}

func (c *cutter) offer(i int32) {
	if !c.gone[i] && !c.queued[i] {
		c.queued[i] = true
		c.queue = append(c.queue, i)
	}
}

// classify returns the turn at a corner. Turns by less than a few lattice
// steps are flat: rounding to the lattice may have made them.
func (c *cutter) classify(i int32) int8 {
	const steps = 4
	p, q := c.prev[i], c.next[i]
	a := c.area2(p, i, q)
	// |a| is the height of the corner over its base p-q times the base.
	slack := steps * max(abs(c.x[q]-c.x[p]), abs(c.y[q]-c.y[p]))
	switch {
	case a > slack:
		return 1
	case a < -slack:
		return -1
	}
	return 0
}

func abs(x int64) int64 { return max(x, -x) }

// ear takes corners from the queue until one may be cut off.
func (c *cutter) ear(level int) (int32, bool) {
	for len(c.queue) > 0 {
		i := c.queue[len(c.queue)-1]
		c.queue = c.queue[:len(c.queue)-1]
		c.queued[i] = false
		if !c.gone[i] && c.isEar(i, level) {
			return i, true
		}
	}
	return 0, false
}

func (c *cutter) isEar(i int32, level int) bool {
	switch {
	case level == last:
		return true
	case c.turn[i] == 0:
		return level == lenient || c.isSpike(i)
	case c.isSpike(c.prev[i]) || c.isSpike(c.next[i]):
		return false // that one goes first, and then offers this one again
	case c.turn[i] < 0:
		return false
	case level == forced:
		return true
	}
	a, b, d := c.prev[i], i, c.next[i]
	x0, x1 := min(c.x[a], c.x[b], c.x[d]), max(c.x[a], c.x[b], c.x[d])
	y0, y1 := min(c.y[a], c.y[b], c.y[d]), max(c.y[a], c.y[b], c.y[d])
	for k := 0; k < len(c.block); {
		p := c.block[k]
		if c.gone[p] || c.turn[p] > 0 {
			c.block[k] = c.block[len(c.block)-1]
			c.block = c.block[:len(c.block)-1]
			continue
		}
		k++
		if c.x[p] < x0 || c.x[p] > x1 || c.y[p] < y0 || c.y[p] > y1 || p == a || p == d {
			continue
		}
		if c.blocks(p, a, b, d, level) {
			return false
		}
	}
	return true
}

// isSpike reports whether two of a corner and its neighbours are at one
// place: cutting it off takes nothing away.
func (c *cutter) isSpike(i int32) bool {
	p, q := c.prev[i], c.next[i]
	return c.turn[i] == 0 && (c.same(p, q) || c.same(p, i) || c.same(i, q))
}

func (c *cutter) same(i, j int32) bool { return c.x[i] == c.x[j] && c.y[i] == c.y[j] }

// blocks reports whether corner p keeps the triangle a, b, d from being an
// ear whose tip is b.
func (c *cutter) blocks(p, a, b, d int32, level int) bool {
	ab, bd, da := c.area2(a, b, p), c.area2(b, d, p), c.area2(d, a, p)
	if ab < 0 || bd < 0 || da < 0 {
		return false
	}
	if ab > 0 && bd > 0 {
		return da > 0 || level == strict // inside, or on the diagonal
	}
	if da == 0 {
		return false // at an end of the diagonal
	}
	// On one of the two edges, or at the tip: the outline touches the ear
	// there. It matters if it goes on to the inside.
	for _, q := range [2]int32{c.prev[p], c.next[p]} {
		if (ab > 0 || c.area2(a, b, q) > 0) && (bd > 0 || c.area2(b, d, q) > 0) {
			return true
		}
	}
	return false
}

// cutOff takes the triangle at corner i away and looks at its neighbours
// again.
func (c *cutter) cutOff(i int32) {
	p, q := c.prev[i], c.next[i]
	c.tris = append(c.tris, [3]int32{p, i, q})
	c.gone[i] = true
	c.next[p], c.prev[q] = q, p
	for _, k := range [2]int32{p, q} {
		was := c.turn[k]
		c.turn[k] = c.classify(k)
		if c.turn[k] <= 0 && was > 0 {
			c.block = append(c.block, k)
		}
	}
	c.offer(p)
	c.offer(q)
}

// areasAgree reports whether the triangles together are as large as the
// polygon. They are larger when they overlap.
func (c *cutter) areasAgree() bool {
	n := int32(len(c.x))
	var polygon, parts, edge float64
	for i := range n {
		j := (i + 1) % n
		polygon += float64(c.x[i]*c.y[j] - c.x[j]*c.y[i])
		edge = max(edge, math.Abs(float64(c.x[i])), math.Abs(float64(c.y[i])))
	}
	for _, t := range c.tris {
		parts += math.Abs(float64(c.area2(t[0], t[1], t[2])))
	}
	return math.Abs(parts-polygon) <= float64(edge*edge)*0x1p-20
}
