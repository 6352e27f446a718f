package grid

import "math"

// Trail is what a unit needs to know while it follows a path of cells: how far
// it was pushed off it, how much is left, and whether the ground has changed
// under it. What to do then (search again, go on for now, wait) is the
// follower's choice.
type Trail struct {
	Path    []Cell
	Version uint64 // of the ground the path was found on, Result.Version
	Moves   Moves

	at int // the path's cell last passed
}

// Drift is how a unit stands to its trail.
type Drift struct {
	// Off is the distance from the unit to the path, in cell sides; NaN
	// without a path.
	Off float64
	// At is the index of the path's cell last passed, Left the number of
	// steps from there to the end.
	At, Left int
	// Changed: the ground was edited since the path was found.
	Changed bool
	// Blocked is the index of the first cell ahead that cannot be entered any
	// more by the moves of the trail, -1 if the rest can be walked. It is looked
	// for only if Changed.
	Blocked int
}

// trailWindow is how many cells ahead of the last one Update looks for the
// nearest piece of the path, so that a unit does not skip a loop the path
// makes.
const trailWindow = 16

// Update takes the unit's place and returns how it stands to the trail. It
// looks at the next 16 cells of the path, and after an edit at all that are
// left. Places are as in Point, the path runs through the middles of cells; on
// hexagons, whose middles lie elsewhere, Off is the distance as if they were
// squares.
func (t *Trail) Update(g Ground, p Point) Drift {
	d := Drift{Off: math.NaN(), Blocked: -1, Changed: absent(g) || g.Version() != t.Version}
	if len(t.Path) == 0 {
		return d
	}
	t.at = max(min(t.at, len(t.Path)-1), 0)
	best := math.Inf(1)
	next := t.at
	for i := t.at; i < min(t.at+trailWindow, len(t.Path)); i++ {
		a := t.Path[i]
		b := t.Path[min(i+1, len(t.Path)-1)]
		// At a corner the later piece counts: the unit has passed the cell.
		if off := offPiece(p, a, b); off <= best {
			best, next = off, i
		}
	}
	t.at = next
	d.Off, d.At, d.Left = math.Sqrt(best), next, len(t.Path)-1-next
	if d.Changed {
		rest := t.Path[next:]
		if n := Walkable(g, rest, t.Moves); n < len(rest) {
			d.Blocked = next + n
		}
	}
	return d
}

// offPiece is the squared distance of a place from the line between the middles
// of two cells.
func offPiece(p Point, a, b Cell) float64 {
	ax, ay := float64(a.X)+0.5, float64(a.Y)+0.5
	bx, by := float64(b.X-a.X), float64(b.Y-a.Y)
	px, py := p.X-ax, p.Y-ay
	if span := float64(bx*bx) + float64(by*by); span > 0 {
		share := max(min((float64(px*bx)+float64(py*by))/span, 1), 0)
		px -= float64(share * bx)
		py -= float64(share * by)
	}
	return float64(px*px) + float64(py*py)
}
