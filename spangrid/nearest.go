package spangrid

// A Source is a cell of a window by column and row, counted from the first.
// X is negative where there is none.
type Source struct{ X, Y int32 }

// noSource is the value of cells that no source has reached.
var noSource = Source{-1, -1}

// Nearest finds the nearest source of each cell, approximately: sources are
// passed on from neighbour to neighbour in two sweeps (the eight-neighbour
// sequential transform of Danielsson, "Euclidean distance mapping", 1980). The
// result is exact almost everywhere, and always the same. It keeps its
// scratch, 8 bytes a cell. The zero value is ready; it is for one goroutine.
type Nearest struct {
	at []Source
}

// From returns the nearest source of every cell, where the sources are a mask.
// It stays valid until the next call of a method.
func (n *Nearest) From(w Window, sources Mask) []Source {
	n.at = sized(n.at, w.Cells())
	for y, c := 0, 0; y < w.NY; y++ {
		for x := range w.NX {
			n.at[c] = noSource
			if sources[c] {
				n.at[c] = Source{int32(x), int32(y)}
			}
			c++
		}
	}
	sweep(n.at, w.NX, w.NY)
	return n.at
}

// fromZero is From with the cells of no clearance as sources.
func (n *Nearest) fromZero(w Window, clr []uint16) []Source {
	n.at = sized(n.at, w.Cells())
	for y, c := 0, 0; y < w.NY; y++ {
		for x := range w.NX {
			n.at[c] = noSource
			if clr[c] == 0 {
				n.at[c] = Source{int32(x), int32(y)}
			}
			c++
		}
	}
	sweep(n.at, w.NX, w.NY)
	return n.at
}

// sweep passes sources on: up the rows, each from left to right and back, then
// down the rows, each from right to left and back. A cell takes what a
// neighbour has where that is nearer than what it has itself; of equally near
// ones it keeps the first. Which neighbours and in which order decides ties,
// and with them the medial axis.
func sweep(at []Source, nx, ny int) {
	for y := range ny {
		row := at[y*nx : (y+1)*nx]
		var prev []Source
		if y > 0 {
			prev = at[(y-1)*nx : y*nx]
		}
		passOn(row, prev, int32(y), false)
	}
	for y := ny - 1; y >= 0; y-- {
		row := at[y*nx : (y+1)*nx]
		var prev []Source
		if y < ny-1 {
			prev = at[(y+1)*nx : (y+2)*nx]
		}
		passOn(row, prev, int32(y), true)
	}
}

// passOn does a row: in one direction, mirrored or not, from the row before it
// and the cell behind, then in the other direction from the cell behind alone.
func passOn(row, prev []Source, y int32, mirrored bool) {
	nx := len(row)
	if !mirrored {
		for x := range row {
			best, d := row[x], away(row[x], int32(x), y)
			if d == 0 {
				continue
			}
			if prev != nil {
				best, d = nearer(best, d, prev[x], int32(x), y)
				if x > 0 {
					best, d = nearer(best, d, prev[x-1], int32(x), y)
				}
				if x+1 < nx {
					best, d = nearer(best, d, prev[x+1], int32(x), y)
				}
			}
			if x > 0 {
				best, _ = nearer(best, d, row[x-1], int32(x), y)
			}
			row[x] = best
		}
		for x := nx - 2; x >= 0; x-- {
			row[x], _ = nearer(row[x], away(row[x], int32(x), y), row[x+1], int32(x), y)
		}
		return
	}
	for x := nx - 1; x >= 0; x-- {
		best, d := row[x], away(row[x], int32(x), y)
		if d == 0 {
			continue
		}
		if prev != nil {
			best, d = nearer(best, d, prev[x], int32(x), y)
			if x > 0 {
				best, d = nearer(best, d, prev[x-1], int32(x), y)
			}
			if x+1 < nx {
				best, d = nearer(best, d, prev[x+1], int32(x), y)
			}
		}
		if x+1 < nx {
			best, _ = nearer(best, d, row[x+1], int32(x), y)
		}
		row[x] = best
	}
	for x := 1; x < nx; x++ {
		row[x], _ = nearer(row[x], away(row[x], int32(x), y), row[x-1], int32(x), y)
	}
}

// away returns the squared distance from a cell to a source, cells; it is
// larger than any other where there is none.
func away(s Source, x, y int32) int64 {
	if s.X < 0 {
		return 1<<63 - 1
	}
	dx, dy := int64(s.X-x), int64(s.Y-y)
	return dx*dx + dy*dy
}

func nearer(best Source, d int64, s Source, x, y int32) (Source, int64) {
	if e := away(s, x, y); e < d {
		return s, e
	}
	return best, d
}
