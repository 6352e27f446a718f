package spanbake

import (
	"cmp"
	"math"
	"slices"

	"wend/pack/bnav"
)

// The twin bakes a zone in one piece and in the plainest way: no tiles, no
// windows, no operators of package spangrid; every rule is written down as it is
// stated, with the reference constants. Heights are integers of 1/64 m.

type cell struct{ x, y int }

func (c cell) add(d cell, n int) cell { return cell{c.x + n*d.x, c.y + n*d.y} }

var (
	twinDirs = [8]cell{{1, 0}, {0, 1}, {1, 1}, {1, -1}, {-1, 0}, {0, -1}, {-1, -1}, {-1, 1}}
	twinNear = [4]cell{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
)

type twinSpan struct {
	h            int
	dead, inside bool
	region       int
}

type twinSample struct {
	h      float32
	inside bool
}

type twinEdge struct {
	key            int
	x0, y0, x1, y1 float64
	h              float64
}

// twin is a zone at work.
type twin struct {
	verts []bnav.Vertex
	tris  [][3]uint32
	walk  []bool

	x0, y0, nx, ny int // cells that are looked at; none of the outermost has anything
	columns        map[cell][]twinSpan
	edges          []twinEdge
	regions        int
	keeps          [][]int // regions that keep each edge
}

func cellAt(x, y float64) cell { return cell{int(math.Floor(x / 0.25)), int(math.Floor(y / 0.25))} }

func newTwin(c *bnav.Content) *twin {
	t := &twin{verts: c.Vertices}
	for i, tri := range c.Triangles {
		v := tri.V
		a, b, d := t.verts[v[0]], t.verts[v[1]], t.verts[v[2]]
		cross := float64(float64(b.U)-float64(a.U))*float64(float64(d.V)-float64(a.V)) - float64(float64(b.V)-float64(a.V))*float64(float64(d.U)-float64(a.U))
		if cross < 0 {
			v[1], v[2] = v[2], v[1]
		}
		t.tris = append(t.tris, v)
		t.walk = append(t.walk, c.Surfaces == nil || c.Surfaces[i].Flags&0x20CDD != 0)
	}
	t.raster()
	t.findEdges()
	t.stamp()
	t.flood()
	t.keep()
	return t
}

func (t *twin) raster() {
	samples := map[cell][]twinSample{}
	lo, hi := cell{math.MaxInt, math.MaxInt}, cell{math.MinInt, math.MinInt}
	put := func(c cell, h float32, inside bool) { samples[c] = append(samples[c], twinSample{h, inside}) }
	for i, tri := range t.tris {
		if !t.walk[i] {
			continue
		}
		var x, y, h [3]float64
		for k, v := range tri {
			x[k], y[k], h[k] = float64(t.verts[v].U), float64(t.verts[v].V), float64(t.verts[v].H)
		}
		from, to := cellAt(min(x[0], x[1], x[2]), min(y[0], y[1], y[2])), cellAt(max(x[0], x[1], x[2]), max(y[0], y[1], y[2]))
		lo, hi = cell{min(lo.x, from.x), min(lo.y, from.y)}, cell{max(hi.x, to.x), max(hi.y, to.y)}
		for gy := from.y; gy <= to.y; gy++ {
			for gx := from.x; gx <= to.x; gx++ {
				px, py := (float64(gx)+0.5)*0.25, (float64(gy)+0.5)*0.25
				meets := func(nx, ny, r float64) bool {
					var p [3]float64
					for k := range 3 {
						p[k] = float64((x[k]-px)*nx) + float64((y[k]-py)*ny)
					}
					return min(p[0], p[1], p[2]) <= r && max(p[0], p[1], p[2]) >= -r
				}
				hit := meets(1, 0, 0.125) && meets(0, 1, 0.125)
				for k := range 3 {
					ex, ey := x[(k+1)%3]-x[k], y[(k+1)%3]-y[k]
					hit = hit && meets(-ey, ex, 0.125*(math.Abs(ex)+math.Abs(ey)))
				}
				if !hit {
					continue
				}
				ux, uy, vx, vy, qx, qy := x[1]-x[0], y[1]-y[0], x[2]-x[0], y[2]-y[0], px-x[0], py-y[0]
				den := float64(ux*vy) - float64(uy*vx)
				if math.Abs(den) < 1e-12 {
					den = 1e-12
				}
				a, b := (float64(qx*vy)-float64(qy*vx))/den, (float64(ux*qy)-float64(uy*qx))/den
				inside := a >= -1e-12 && b >= -1e-12 && a+b <= 1+1e-12
				a = min(max(a, 0), 1)
				b = min(max(b, 0), 1-a)
				put(cell{gx, gy}, float32(h[0]+float64(a*(h[1]-h[0]))+float64(b*(h[2]-h[0]))), inside)
			}
		}
		put(cellAt((x[0]+x[1]+x[2])/3, (y[0]+y[1]+y[2])/3), float32((h[0]+h[1]+h[2])/3), false)
	}
	const margin = 6
	t.x0, t.y0, t.nx, t.ny = lo.x-margin, lo.y-margin, hi.x-lo.x+1+2*margin, hi.y-lo.y+1+2*margin

	bridged := map[cell][]twinSample{}
	means := map[cell][]float32{}
	for c, list := range samples {
		means[c] = merged(list)
	}
	for _, c := range t.all() {
		if len(samples[c]) > 0 {
			continue
		}
		for _, d := range [2]cell{{1, 0}, {0, 1}} {
			best, at := float32(math.MaxFloat32), float32(0)
			for _, high := range means[c.add(d, 1)] {
				for _, low := range means[c.add(d, -1)] {
					if diff := float32(math.Abs(float64(high - low))); diff < best {
						best, at = diff, (high+low)*0.5
					}
				}
			}
			if best <= 3 {
				bridged[c] = append(bridged[c], twinSample{at, false})
			}
		}
	}
	for c, list := range bridged {
		samples[c] = append(samples[c], list...)
	}
	t.columns = map[cell][]twinSpan{}
	for c, list := range samples {
		var col []twinSpan
		for _, mean := range merged(list) {
			s := twinSpan{h: int(math.RoundToEven(float64(mean) * 64))}
			for _, sample := range list {
				s.inside = s.inside || sample.inside && math.Abs(float64(sample.h-mean)) <= 1
			}
			if n := len(col); n > 0 && col[n-1].h == s.h {
				col[n-1].inside = col[n-1].inside || s.inside
				continue
			}
			col = append(col, s)
		}
		t.columns[c] = col
	}
}

// merged returns the heights of the spans of a column of samples, ascending.
func merged(list []twinSample) (means []float32) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b twinSample) int { return cmp.Compare(a.h, b.h) })
	for i := 0; i < len(list); {
		sum, n := 0.0, 0
		for first := float64(list[i].h); i < len(list) && float64(list[i].h)-first <= 0.25; i++ {
			sum += float64(list[i].h)
			n++
		}
		means = append(means, float32(sum/float64(n)))
	}
	return means
}

// all returns the cells row by row.
func (t *twin) all() []cell {
	var list []cell
	for y := range t.ny {
		for x := range t.nx {
			list = append(list, cell{t.x0 + x, t.y0 + y})
		}
	}
	return list
}

// findEdges finds the edges of walkable triangles beyond which there is no
// triangle, no walkable one, or no saying which.
func (t *twin) findEdges() {
	slots := map[[2]uint32][]int{}
	for i, v := range t.tris {
		for k := range 3 {
			e := [2]uint32{v[k], v[(k+1)%3]}
			slots[e] = append(slots[e], i)
		}
	}
	for i, v := range t.tris {
		for k := range 3 {
			a, b := v[k], v[(k+1)%3]
			there, back := slots[[2]uint32{a, b}], slots[[2]uint32{b, a}]
			if !t.walk[i] || len(there) == 1 && len(back) == 1 && t.walk[back[0]] {
				continue
			}
			p, q := t.verts[a], t.verts[b]
			t.edges = append(t.edges, twinEdge{
				3*i + k, float64(p.U), float64(p.V), float64(q.U), float64(q.V), (float64(p.H) + float64(q.H)) / 2,
			})
		}
	}
}

// cells returns the cells that points along an edge lie in.
func (e *twinEdge) cells(step float64) (list []cell) {
	dx, dy := e.x1-e.x0, e.y1-e.y0
	n := int(max(math.Ceil(math.Sqrt(float64(dx*dx)+float64(dy*dy))/step), 1))
	for i := range n + 1 {
		f := float64(i) / float64(n)
		list = append(list, cellAt(e.x0+float64(dx*f), e.y0+float64(dy*f)))
	}
	return list
}

func (e *twinEdge) inBand(h int) bool { return math.Abs(float64(h)/64-e.h) <= 8 }

func (t *twin) stamp() {
	for i := range t.edges {
		for _, c := range t.edges[i].cells(0.1) {
			for k := range t.columns[c] {
				if s := &t.columns[c][k]; t.edges[i].inBand(s.h) {
					s.dead = true
				}
			}
		}
	}
}

// flood numbers the regions in the order of their first spans.
func (t *twin) flood() {
	for _, c := range t.all() {
		for k := range t.columns[c] {
			if t.columns[c][k].region > 0 {
				continue
			}
			t.regions++
			t.columns[c][k].region = t.regions
			type member struct {
				c cell
				k int
			}
			for list := []member{{c, k}}; len(list) > 0; list = list[1:] {
				m := list[0]
				for _, d := range twinNear {
					o := t.columns[m.c.add(d, 1)]
					for j := range o {
						if o[j].region == 0 && abs(o[j].h-t.columns[m.c][m.k].h) <= 192 {
							o[j].region = t.regions
							list = append(list, member{m.c.add(d, 1), j})
						}
					}
				}
			}
		}
	}
}

func abs(v int) int { return max(v, -v) }

// keep finds which regions keep each edge as a wall.
func (t *twin) keep() {
	t.keeps = make([][]int, len(t.edges))
	for i := range t.edges {
		for _, c := range t.edges[i].cells(0.1) {
			top := map[int]int{}
			for _, s := range t.columns[c] {
				top[s.region] = s.h
			}
			for region, h := range top {
				if t.edges[i].inBand(h) {
					t.keeps[i] = append(t.keeps[i], region)
				}
			}
		}
		slices.Sort(t.keeps[i])
		t.keeps[i] = slices.Compact(t.keeps[i])
	}
}
