package navmesh

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"wend/geom"
)

// Stitching follows Detour (Mononen): an edge marked External|side is matched
// with the edges marked with the opposite side in the tile across. Two edges
// meet when they lie on the same border line, overlap along it, and their
// heights there cross or come within two climbs; the portal is the overlap.
const (
	borderGap   = 0.01 // metres between border lines taken for the same
	borderInset = 0.01 // metres that an overlap loses at each end

	// On average an edge may be compared with so many edges across and give so
	// many portals. Edges that do not lie over one another give fewer than one
	// portal more than there are edges; storeys far apart only add comparisons.
	maxCompared = 1024
	maxPortals  = 8
)

// borderEdge is an edge on a tile border, seen along the border.
type borderEdge struct {
	poly     PolyID
	edge     uint8
	pos      float64 // of the border line, across it
	lo, hi   float64 // extent along the border
	ylo, yhi float64 // heights at lo and hi
	flip     bool    // the edge runs from hi to lo
}

// Sides as Detour numbers them. Only the even ones occur at edges.
var sideStep = [8][2]int64{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}

// stitch links polygons across tile borders.
func (b *builder) stitch() error {
	m := b.m
	sides := make([][8][]borderEdge, len(m.tiles))
	external := 0
	for k := range m.tiles {
		sides[k] = m.borderEdges(k)
		for s := range sides[k] {
			external += len(sides[k][s])
		}
	}
	joined := make(map[edgeKey]struct{}, external) // membership only
	for k := range m.tiles {
		t := &m.tiles[k]
		for s := 0; s < 8; s += 2 {
			if len(sides[k][s]) == 0 {
				continue
			}
			opp := (s + 4) % 8
			// The tile across, every layer of it, and the other layers here.
			lo, hi := m.slot(int64(t.X)+sideStep[s][0], int64(t.Z)+sideStep[s][1])
			for j := lo; j < hi; j++ {
				if err := b.join(k, j, sides[k][s], sides[j][opp], joined); err != nil {
					return err
				}
			}
			lo, hi = m.slot(int64(t.X), int64(t.Z))
			for j := lo; j < hi; j++ {
				if j == k {
					continue
				}
				if err := b.join(k, j, sides[k][s], sides[j][opp], joined); err != nil {
					return err
				}
			}
		}
	}
	b.a.OpenEdges = external - len(joined)
	return nil
}

type edgeKey struct {
	poly PolyID
	edge uint8
}

// slot returns the range of tiles at (x, z), one for each layer.
func (m *Mesh) slot(x, z int64) (lo, hi int) {
	at := func(x, z int64) int {
		return sort.Search(len(m.tiles), func(i int) bool {
			t := &m.tiles[i]
			return cmp.Or(cmp.Compare(int64(t.Z), z), cmp.Compare(int64(t.X), x)) >= 0
		})
	}
	return at(x, z), at(x+1, z)
}

// borderEdges returns the external edges of a tile by side, each side sorted
// along the border. Edges without extent along it are left out.
func (m *Mesh) borderEdges(k int) (sides [8][]borderEdge) {
	t := &m.tiles[k]
	base := PolyID(m.info[k].poly)
	for i := range t.Polys {
		p := &t.Polys[i]
		if p.Kind != KindGround {
			break
		}
		for e, n := range p.Neis[:p.Count] {
			s := n &^ External
			if n&External == 0 || s%2 != 0 {
				continue
			}
			v := t.Verts[p.Verts[e]].Wide()
			w := t.Verts[p.Verts[(e+1)%int(p.Count)]].Wide()
			be := borderEdge{poly: base + PolyID(i), edge: uint8(e), ylo: v.Y, yhi: w.Y}
			if s == 0 || s == 4 {
				be.pos, be.lo, be.hi = v.X, v.Z, w.Z
			} else {
				be.pos, be.lo, be.hi = v.Z, v.X, w.X
			}
			if be.lo > be.hi {
				be.lo, be.hi = be.hi, be.lo
				be.ylo, be.yhi = be.yhi, be.ylo
				be.flip = true
			}
			if be.lo < be.hi {
				sides[s] = append(sides[s], be)
			}
		}
	}
	for s := range sides {
		slices.SortFunc(sides[s], func(x, y borderEdge) int {
			return cmp.Or(cmp.Compare(x.lo, y.lo), cmp.Compare(x.poly, y.poly), cmp.Compare(x.edge, y.edge))
		})
	}
	return sides
}

// join links the edges as of tile k to the edges bs of tile j, both sorted.
func (b *builder) join(k, j int, as, bs []borderEdge, joined map[edgeKey]struct{}) error {
	if len(as) == 0 || len(bs) == 0 {
		return nil
	}
	// The same for both directions, so that a way in is a way out.
	climb := float64(min(b.m.tiles[k].AgentClimb, b.m.tiles[j].AgentClimb))
	longest := 0.0
	for i := range bs {
		longest = max(longest, bs[i].hi-bs[i].lo)
	}
	compare, portals := maxCompared*(len(as)+len(bs)), maxPortals*(len(as)+len(bs))
	for i := range as {
		a := &as[i]
		// No edge that begins before a.lo-longest reaches a.
		from := sort.Search(len(bs), func(n int) bool { return bs[n].lo >= a.lo-longest })
		for n := from; n < len(bs) && bs[n].lo < a.hi; n++ {
			compare--
			lo, hi, ok := meet(a, &bs[n], climb)
			if ok {
				portals--
			}
			if compare < 0 || portals < 0 {
				return &TileError{
					Tile: b.order[k], Field: "Polys.Neis", Index: -1,
					Msg: fmt.Sprintf("too many border edges over one another towards tile %d", b.order[j]),
				}
			}
			if !ok {
				continue
			}
			b.portal(a, &bs[n], lo, hi)
			joined[edgeKey{a.poly, a.edge}] = struct{}{}
		}
	}
	return nil
}

// meet returns the extent in which two border edges are one portal.
func meet(a, b *borderEdge, climb float64) (lo, hi float64, ok bool) {
	if math.Abs(a.pos-b.pos) > borderGap+float64(math.Abs(a.pos)*0x1p-21) {
		return 0, 0, false
	}
	lo, hi = max(a.lo, b.lo), min(a.hi, b.hi)
	l, h := lo+borderInset, hi-borderInset
	if l > h {
		return 0, 0, false
	}
	dl := b.height(l) - a.height(l)
	dh := b.height(h) - a.height(h)
	crossing := dl < 0 != (dh < 0)
	return lo, hi, crossing || min(math.Abs(dl), math.Abs(dh)) <= 2*climb
}

func (e *borderEdge) height(at float64) float64 {
	return e.ylo + float64((e.yhi-e.ylo)*((at-e.lo)/(e.hi-e.lo)))
}

// portal adds the link through the part lo-hi of edge a. It is the part of a's
// own edge, so that it lies on the polygon one leaves.
func (b *builder) portal(a, to *borderEdge, lo, hi float64) {
	vs := b.m.cornersOf(a.poly)
	right, left := vs[a.edge], vs[(int(a.edge)+1)%len(vs)]
	tr, tl := (lo-a.lo)/(a.hi-a.lo), (hi-a.lo)/(a.hi-a.lo)
	if a.flip {
		tr, tl = 1-tl, 1-tr
	}
	r, l := right.Wide(), left.Wide()
	if tr > 0 {
		right = geom.Lerp(r, l, tr).Narrow()
	}
	if tl < 1 {
		left = geom.Lerp(r, l, tl).Narrow()
	}
	b.out = append(b.out, outLink{from: a.poly, at: tr, link: link{to: to.poly, edge: a.edge, right: right, left: left}})
	b.a.Portals++
}
