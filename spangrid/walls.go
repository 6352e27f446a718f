package spangrid

import (
	"fmt"
	"math"
	"slices"

	"wend/pack/bnav"
)

// A Wall is a boundary edge of the walkable floor, seen from above. The mesh
// does not say whether it is a wall, a cliff or a seam, so all count as walls.
type Wall struct {
	X0, Y0, X1, Y1 float64 // ends, px
	H              float64 // mean of the heights of its ends, m
}

// WallOf returns the wall along the edge from a to b.
func WallOf(a, b bnav.Vertex) Wall {
	return Wall{
		float64(a.U), float64(a.V), float64(b.U), float64(b.V),
		(float64(a.H) + float64(b.H)) / 2,
	}
}

// maxIntervals is the largest number of pieces that a wall is cut into. With
// the reference steps it is beyond any wall within 2^18 px of the origin.
const maxIntervals = 1 << 24

// A LongWallError says that a wall would need more than 2^24 samples.
type LongWallError struct{ Length, Step float64 } // px

func (e *LongWallError) Error() string {
	return fmt.Sprintf("spangrid: wall of %g px is too long to be sampled every %g px", e.Length, e.Step)
}

// Check returns a *[LongWallError] where the wall is too long for the rules'
// steps, or not a number. The operators expect walls that pass; of others they
// take 2^24 samples.
func (e *Wall) Check(r *Rules) error {
	l, step := e.length(), min(r.WallStep, r.HitStep)
	if !(math.Ceil(l/step) <= maxIntervals) {
		return &LongWallError{l, step}
	}
	return nil
}

func (e *Wall) length() float64 {
	dx, dy := e.X1-e.X0, e.Y1-e.Y0
	return math.Sqrt(float64(dx*dx) + float64(dy*dy))
}

// Cells appends the cells of a window in which a wall has a sample, in order
// from its first end; a cell does not come twice in a row. Samples are as far
// apart as step, or a little less so that both ends are samples; a wall
// without length has one at each end. Time is linear in the samples inside the
// window, and logarithmic in all.
func (e *Wall) Cells(dst []int32, w Window, step float64) []int32 {
	var s wallCells
	s.start(e, w, step)
	for s.next() {
		dst = append(dst, s.cell)
	}
	return dst
}

// wallCells walks through the cells of a window in which a wall has samples.
type wallCells struct {
	cell int32 // after next

	x, y, dx, dy, n float64
	i, end          int // samples to come
	w               Window
}

func (s *wallCells) start(e *Wall, w Window, step float64) {
	*s = wallCells{cell: -1, x: e.X0, y: e.Y0, dx: e.X1 - e.X0, dy: e.Y1 - e.Y0, w: w}
	n := math.Ceil(e.length() / step)
	if !(n >= 1) {
		n = 1
	}
	s.n = min(n, maxIntervals)
	s.end = int(s.n) + 1
	if s.end > 32 {
		s.clip()
	}
}

// at returns the place of sample i. Rounding is monotone, so each coordinate
// never turns back from one sample to the next.
func (s *wallCells) at(i int) (x, y float64) {
	t := float64(i) / s.n
	return s.x + float64(s.dx*t), s.y + float64(s.dy*t)
}

// clip narrows the samples to those that are inside the window, which are one
// run.
func (s *wallCells) clip() {
	x0, y0 := float64(s.w.GX)*Side, float64(s.w.GY)*Side
	x1, y1 := float64(s.w.GX+s.w.NX)*Side, float64(s.w.GY+s.w.NY)*Side
	for axis := range 2 {
		from, to, rises := x0, x1, s.dx >= 0
		if axis == 1 {
			from, to, rises = y0, y1, s.dy >= 0
		}
		if !rises {
			from, to = to, from
		}
		s.i, s.end = s.search(axis, rises, from), s.search(axis, rises, to)
	}
}

// search returns the first sample from i to end whose coordinate has passed
// the limit: is at or above it where it rises, below it where it falls.
func (s *wallCells) search(axis int, rises bool, limit float64) int {
	a, b := s.i, s.end
	for a < b {
		m := int(uint(a+b) >> 1)
		v, y := s.at(m)
		if axis == 1 {
			v = y
		}
		if (v >= limit) == rises {
			b = m
		} else {
			a = m + 1
		}
	}
	return a
}

// next moves on to the next cell.
func (s *wallCells) next() bool {
	for s.i < s.end {
		x, y := s.at(s.i)
		s.i++
		gx, gy := CellOf(x), CellOf(y)
		if !s.w.Has(gx, gy) {
			s.cell = -1
			continue
		}
		if c := int32(s.w.Cell(gx, gy)); c != s.cell {
			s.cell = c
			return true
		}
	}
	return false
}

// near reports whether a surface of height h is marked by a wall.
func (r *Rules) near(h float32, wall float64) bool {
	d := float64(h) - wall
	return d >= -r.Band && d <= r.Band
}

// StampDead sets [Dead] in the bits of the spans that walls run through: in
// each cell with a sample of a wall, those no further above or below the wall's
// mean height than the band. bits has a value per span of t, list the numbers
// of the walls to look at.
func StampDead(bits []uint8, t *Columns, walls []Wall, list []int32, r *Rules) {
	var s wallCells
	for _, k := range list {
		e := &walls[k]
		for s.start(e, t.Window, r.WallStep); s.next(); {
			a, b := t.Range(int(s.cell))
			for i := a; i < b; i++ {
				if r.near(t.H[i], e.H) {
					bits[i] |= Dead
				}
			}
		}
	}
}

// WallHits sets in dst the cells of a window in which walls have samples, which
// are taken every [Rules.HitStep]. list holds the numbers of the walls to look
// at.
func WallHits(dst Mask, w Window, walls []Wall, list []int32, r *Rules) {
	var s wallCells
	for _, k := range list {
		for s.start(&walls[k], w, r.HitStep); s.next(); {
			dst[s.cell] = true
		}
	}
}

// A Keeper finds the regions that keep a wall: those whose highest span, in a
// cell with a sample of the wall, is no further above or below the wall's mean
// height than the band. It is asked tile by tile: what a wall is kept by is
// the union over the tiles it runs through.
//
// It is for one goroutine.
type Keeper struct {
	t      *Columns
	region []uint32
	top    []bool // which spans are the highest of their region and cell
	order  []uint64
}

// Reset sets the spans to be looked at, and for each the region of the whole
// zone that it belongs to: with labels of the tile alone a region could have two
// tops in a cell. The keeper refers to both until the next Reset.
func (k *Keeper) Reset(t *Columns, region []uint32) {
	k.t, k.region = t, region
	k.top = sized(k.top, len(t.H))
	for j := 0; j+1 < len(t.start); j++ {
		k.column(int(t.start[j]), int(t.start[j+1]))
	}
}

// column marks the tops among the spans from a to before b of a cell.
func (k *Keeper) column(a, b int) {
	const few = 16
	if b-a > few {
		k.tall(a, b)
		return
	}
	for i := a; i < b; i++ {
		k.top[i] = !slices.Contains(k.region[i+1:b], k.region[i])
	}
}

// tall is column for very many spans.
func (k *Keeper) tall(a, b int) {
	k.order = k.order[:0]
	for i := a; i < b; i++ {
		k.order = append(k.order, uint64(k.region[i])<<32|uint64(i))
	}
	slices.Sort(k.order)
	for n, v := range k.order {
		k.top[uint32(v)] = n+1 == len(k.order) || k.order[n+1]>>32 != v>>32
	}
}

// KeptBy appends the regions that keep a wall as far as this tile knows,
// ascending, each once.
func (k *Keeper) KeptBy(dst []uint32, e *Wall, r *Rules) []uint32 {
	from := len(dst)
	compact := 16 // up to here the list has no region twice
	var s wallCells
	for s.start(e, k.t.Window, r.WallStep); s.next(); {
		a, b := k.t.Range(int(s.cell))
		for i := a; i < b; i++ {
			if !k.top[i] || !r.near(k.t.H[i], e.H) {
				continue
			}
			if n := len(dst) - from; n <= 16 && slices.Contains(dst[from:], k.region[i]) {
				continue
			}
			dst = append(dst, k.region[i])
		}
		if len(dst)-from > compact {
			dst = distinct(dst, from)
			compact = 2*(len(dst)-from) + 16
		}
	}
	return distinct(dst, from)
}

// distinct sorts what follows from and drops repetitions.
func distinct(s []uint32, from int) []uint32 {
	tail := s[from:]
	slices.Sort(tail)
	return s[:from+len(slices.Compact(tail))]
}
