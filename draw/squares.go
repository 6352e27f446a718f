package draw

// squares is a rectangle of squares of one value, [x0, x1) x [y0, y1).
type squares struct {
	x0, y0, x1, y1 int
	value          uint32
}

// uniteSquares divides a raster of rows of nx values into rectangles of one
// value: runs along a row, which with tall go on in the next one. Squares of
// value 0 are left out. Rectangles come by the row they end in, from the left.
func uniteSquares(value []uint32, nx int, tall bool, flush func(squares)) {
	ny := len(value) / nx
	var prev, cur []squares
	for y := range ny {
		cur = cur[:0]
		row := value[y*nx : (y+1)*nx]
		k := 0
		for x := 0; x < nx; {
			if row[x] == 0 {
				x++
				continue
			}
			r := squares{x0: x, y0: y, x1: x + 1, value: row[x]}
			for r.x1 < nx && row[r.x1] == r.value {
				r.x1++
			}
			for ; k < len(prev) && prev[k].x0 < r.x0; k++ {
				prev[k].y1 = y
				flush(prev[k])
			}
			if tall && k < len(prev) && prev[k].x0 == r.x0 && prev[k].x1 == r.x1 && prev[k].value == r.value {
				r.y0 = prev[k].y0
				k++
			}
			cur = append(cur, r)
			x = r.x1
		}
		for ; k < len(prev); k++ {
			prev[k].y1 = y
			flush(prev[k])
		}
		prev, cur = cur, prev
	}
	for _, r := range prev {
		r.y1 = ny
		flush(r)
	}
}
