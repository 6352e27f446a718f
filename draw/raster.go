package draw

// raster computes the exact area that polygons cover of each pixel, in
// integers: a pixel's side is 256 units. Polygons added before a sweep form a
// union as long as they turn the same way.
//
// It is the accumulation buffer known from font rasterisers (R. Levien,
// font-rs, 2016): each edge adds to the pixels it crosses the change of
// coverage from the pixel to its left, so that a running sum along a row gives
// the coverage. Rows remember which pixels were touched; a sweep visits and
// clears only those, so small shapes are cheap on large pictures.
type raster struct {
	w, h   int
	stride int
	acc    []int32
	lo, hi []int32 // touched pixels of a row; hi < lo: none
	y0, y1 int     // touched rows
	pieces int
}

// fullCover is the running sum of a wholly covered pixel.
const fullCover = 256 * 512

func newRaster(w, h int) *raster {
	r := &raster{w: w, h: h, stride: w + 2}
	r.acc = make([]int32, r.stride*h)
	r.lo, r.hi = make([]int32, h), make([]int32, h)
	for y := range r.lo {
		r.lo[y], r.hi[y] = int32(w), -1
	}
	r.y0, r.y1 = h, -1
	return r
}

// add adds a convex or simple polygon that lies inside the picture.
func (r *raster) add(pts []point) {
	if len(pts) < 3 {
		return
	}
	r.pieces++
	n := len(pts)
	px, py := fix(pts[n-1].x), fix(pts[n-1].y)
	for _, p := range pts {
		x, y := fix(p.x), fix(p.y)
		r.edge(px, py, x, y)
		px, py = x, y
	}
}

func fix(v float64) int { return int(float64(v*256) + 0.5) }

// edge adds one directed edge in fixed point.
func (r *raster) edge(x0, y0, x1, y1 int) {
	if y0 == y1 {
		return
	}
	sign := int32(1)
	if y0 > y1 {
		x0, y0, x1, y1 = x1, y1, x0, y0
		sign = -1
	}
	first, last := y0>>8, (y1-1)>>8
	r.y0, r.y1 = min(r.y0, first), max(r.y1, last)
	dx, dy := x1-x0, y1-y0
	xa, ya := x0, y0
	for row := first; row <= last; row++ {
		yb := min(y1, (row+1)<<8)
		xb := x1
		if yb != y1 {
			xb = x0 + dx*(yb-y0)/dy
		}
		r.rowEdge(row, xa, xb, yb-ya, sign)
		xa, ya = xb, yb
	}
}

// rowEdge adds the part of an edge inside one row: from xa to xb while y grows
// by dy, 1 to 256.
func (r *raster) rowEdge(row, xa, xb, dy int, sign int32) {
	if xa > xb {
		xa, xb = xb, xa // coverage depends on the area only
	}
	ca, cb := xa>>8, xb>>8
	r.lo[row] = min(r.lo[row], int32(ca))
	r.hi[row] = max(r.hi[row], int32(cb+1))
	acc := r.acc[row*r.stride : (row+1)*r.stride]
	if ca == cb {
		part := int32(xa+xb-2*(ca<<8)) * int32(dy) * sign
		acc[ca] += int32(dy)*512*sign - part
		acc[ca+1] += part
		return
	}
	width := xb - xa
	x, y := xa, 0
	for c := ca; c <= cb; c++ {
		nx := min(xb, (c+1)<<8)
		ny := dy
		if nx != xb {
			ny = dy * (nx - xa) / width
		}
		d := int32(ny-y) * sign
		part := int32(x+nx-2*(c<<8)) * d
		acc[c] += d*512 - part
		acc[c+1] += part
		x, y = nx, ny
	}
}

// sweep calls span for each run of pixels of one row with the same coverage,
// 1 to 255, and forgets the shape.
func (r *raster) sweep(span func(y, x0, x1 int, cover uint32)) {
	for y := r.y0; y <= r.y1; y++ {
		lo, hi := int(r.lo[y]), int(r.hi[y])
		r.lo[y], r.hi[y] = int32(r.w), -1
		if hi < lo {
			continue
		}
		acc := r.acc[y*r.stride : (y+1)*r.stride]
		var sum int32
		start, cover := lo, uint32(0)
		for x := lo; x <= hi; x++ {
			d := acc[x]
			if d == 0 && x != lo {
				continue
			}
			acc[x] = 0
			sum += d
			a := sum
			if a < 0 {
				a = -a
			}
			if a > fullCover {
				a = fullCover
			}
			now := (uint32(a)*255 + fullCover/2) / fullCover
			if now != cover {
				if cover != 0 && start < x {
					span(y, start, min(x, r.w), cover)
				}
				start, cover = x, now
			}
		}
		if cover != 0 && start < r.w {
			span(y, start, min(hi+1, r.w), cover)
		}
	}
	r.y0, r.y1 = r.h, -1
	r.pieces = 0
}
