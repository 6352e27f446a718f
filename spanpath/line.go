package spanpath

import (
	"math"

	"wend/spangrid"
)

// A Point is a point of the zone's plane, px.
type Point struct{ U, V float64 }

// maxPlane bounds the coordinates that are worked with, px: beyond any zone,
// and small enough for all arithmetic on cells.
const maxPlane = 1 << 20

// sane reports whether a point can be worked with. A coordinate that is no
// number is not.
func (p Point) sane() bool {
	return math.Abs(p.U) <= maxPlane && math.Abs(p.V) <= maxPlane
}

func allSane(pts []Point) bool {
	for i := range pts {
		if !pts[i].sane() {
			return false
		}
	}
	return true
}

// cell returns the cell a point lies in.
func (p Point) cell() (gx, gy int) { return spangrid.CellOf(p.U), spangrid.CellOf(p.V) }

// distance returns how far two points are from each other, px.
func distance(p, q Point) float64 {
	du, dv := q.U-p.U, q.V-p.V
	return math.Sqrt(float64(du*du) + float64(dv*dv))
}

// line runs over a digital line: of the axis along which it is longer every
// column, of the other the nearest one, of two equally near that at an even
// distance from the start. So lines to mirrored ends are mirrored, but the way
// back may take other cells.
type line struct {
	gx, gy int // the cell it is at

	ax, ay int // first cell
	mx, my int // step along the longer axis
	sx, sy int // and along the other
	n, a   int // length along both
	k      int // steps taken along the longer axis
	q, r   int // a*k = q*n + r, 0 <= r < n
}

func newLine(ax, ay, bx, by int) line {
	l := line{gx: ax, gy: ay, ax: ax, ay: ay}
	dx, dy := abs(bx-ax), abs(by-ay)
	sx, sy := sign(bx-ax), sign(by-ay)
	if dx >= dy {
		l.n, l.a, l.mx, l.sy = dx, dy, sx, sy
	} else {
		l.n, l.a, l.my, l.sx = dy, dx, sy, sx
	}
	return l
}

// next goes to the next cell, and reports false after the last one.
func (l *line) next() bool {
	if l.k == l.n {
		return false
	}
	l.step()
	m := l.minor()
	l.gx, l.gy = l.ax+l.k*l.mx+m*l.sx, l.ay+l.k*l.my+m*l.sy
	return true
}

// step goes a column on without saying to which cell.
func (l *line) step() {
	l.k++
	if l.r += l.a; l.r >= l.n {
		l.r -= l.n
		l.q++
	}
}

// goTo goes to a column without saying to which cell.
func (l *line) goTo(k int) {
	l.k = k
	if l.n > 0 {
		l.q, l.r = l.a*k/l.n, l.a*k%l.n
	}
}

// minor returns how far the cell is along the shorter axis.
func (l *line) minor() int {
	if d := 2*l.r - l.n; d > 0 || d == 0 && l.q&1 == 1 {
		return l.q + 1
	}
	return l.q
}

// crossedTo returns the farthest column of the shorter axis that the line of
// middles reaches before it leaves the cells at the same place of the longer
// one, and whether it leaves them through a corner, which touches the column
// before too.
func (l *line) crossedTo() (m int, corner bool) {
	if l.k == l.n {
		return l.a, false
	}
	e := 2*l.r + l.a - l.n // of (k+1/2)*a/n + 1/2 - q, times 2n, less 2n
	if e >= 0 {
		return l.q + 1, e == 0
	}
	return l.q, false
}

// crossedFrom returns the first column of the shorter axis that the line of
// middles touches in the next column of the longer one.
func (l *line) crossedFrom() int {
	m, corner := l.crossedTo()
	if corner {
		m--
	}
	return m
}

func sign(a int) int {
	switch {
	case a > 0:
		return 1
	case a < 0:
		return -1
	}
	return 0
}
