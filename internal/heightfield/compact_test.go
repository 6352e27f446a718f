package heightfield

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// valid checks what Compact promises.
func (c *Compact) valid() error {
	if len(c.Start) != c.W*c.D+1 || c.Start[0] != 0 || int(c.Start[c.W*c.D]) != c.Len() {
		return fmt.Errorf("bad Start")
	}
	if len(c.Open) != c.Len() || len(c.Area) != c.Len() || len(c.Nei) != c.Len() {
		return fmt.Errorf("lengths differ")
	}
	for z := range c.D {
		for x := range c.W {
			for i := c.Start[x+z*c.W]; i < c.Start[x+z*c.W+1]; i++ {
				for d, n := range c.Nei[i] {
					if n < 0 {
						continue
					}
					k := x + DirX[d] + (z+DirZ[d])*c.W
					if uint32(n) < c.Start[k] || uint32(n) >= c.Start[k+1] {
						return fmt.Errorf("entry %d: neighbour %d in direction %d is not in that column", i, n, d)
					}
					if c.Nei[n][(d+2)&3] != int32(i) {
						return fmt.Errorf("entry %d: link in direction %d is not returned", i, d)
					}
				}
			}
		}
	}
	return nil
}

func TestCompactEntries(t *testing.T) {
	s := columns(2,
		[]Span{g(0, 2), u(10, 11), {20, 25, 7}},
		[]Span{u(0, 2)},
	)
	c := s.Compact(8, 4)
	want := &Compact{
		Grid: s.Grid, Headroom: 8, Climb: 4,
		Start: []uint32{0, 2, 2},
		Y:     []uint16{2, 25},
		Open:  []uint16{8, MaxHeight},
		Area:  []uint8{Ground, 7},
		Nei:   [][4]int32{{-1, -1, -1, -1}, {-1, -1, -1, -1}},
	}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Height 10, climb 4: which entry of the right column does the lowest of the
// left one lead to?
func TestCompactLinks(t *testing.T) {
	tests := []struct {
		name        string
		left, right []Span
		want        int32 // index of the entry; the left column has one
	}{
		{"level", []Span{g(0, 10)}, []Span{g(0, 10)}, 1},
		{"up at the limit", []Span{g(0, 10)}, []Span{g(0, 14)}, 1},
		{"up beyond it", []Span{g(0, 10)}, []Span{g(0, 15)}, -1},
		{"down at the limit", []Span{g(0, 10)}, []Span{g(0, 6)}, 1},
		{"down beyond it", []Span{g(0, 10)}, []Span{g(0, 5)}, -1},
		{"headroom at the limit", []Span{g(0, 10), u(20, 21)}, []Span{g(0, 10)}, 1},
		{"headroom at the limit, over the step", []Span{g(0, 10), u(24, 25)}, []Span{g(0, 14)}, 1},
		{"too little above the step", []Span{g(0, 10), u(23, 24)}, []Span{g(0, 14)}, -1},
		{"too little under both ceilings", []Span{g(0, 10), u(30, 31)}, []Span{g(0, 10), u(19, 20)}, -1},
		{"upper storey", []Span{g(0, 30)}, []Span{g(0, 10), g(28, 29)}, 2},
		{"not to what is unwalkable", []Span{g(0, 10)}, []Span{u(0, 10)}, -1},
		{"at the top of the field", []Span{g(0, MaxHeight)}, []Span{g(0, MaxHeight-1)}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, d := range []int{0, 1, 2, 3} {
				s := columns(2, tt.left, tt.right)
				if d&1 == 1 {
					s = columns(1, tt.left, tt.right)
				}
				from, to := int32(0), tt.want
				if d == 0 || d == 3 { // mirrored
					cols := [][]Span{tt.right, tt.left}
					s = columns(s.W, cols...)
					from = int32(s.Compact(10, 4).Start[1])
					to = min(tt.want, tt.want-1)
					if tt.want < 0 {
						to = -1
					}
				}
				c := s.Compact(10, 4)
				if err := c.valid(); err != nil {
					t.Fatal(err)
				}
				if got := c.Nei[from][d]; got != to {
					t.Errorf("direction %d: got %d, want %d", d, got, to)
				}
			}
		})
	}
}

// With a climb greater than the height several entries can qualify.
func TestCompactChoosesTheNearestFloor(t *testing.T) {
	tests := []struct {
		name        string
		left, right []Span
		want        [][2]int32 // pairs that are linked
	}{
		{"smaller difference", []Span{g(0, 10)}, []Span{g(0, 7), g(11, 12)}, [][2]int32{{0, 2}}},
		{"of two the lower", []Span{g(0, 10)}, []Span{g(0, 8), g(11, 12)}, [][2]int32{{0, 1}}},
		{"only what is returned", []Span{g(0, 5), g(8, 9)}, []Span{g(0, 8)}, [][2]int32{{1, 2}}},
		{"each its own", []Span{g(0, 4), g(7, 8)}, []Span{g(0, 4), g(7, 8)}, [][2]int32{{0, 2}, {1, 3}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := columns(2, tt.left, tt.right).Compact(1, 8)
			if err := c.valid(); err != nil {
				t.Fatal(err)
			}
			var got [][2]int32
			for i, n := range c.Nei {
				if n[2] >= 0 {
					got = append(got, [2]int32{int32(i), n[2]})
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestCompactMatchesDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	links := 0
	for range 300 {
		s := randomSolid(r, 7, 6)
		height, climb := 1+r.IntN(8), r.IntN(12)
		c := s.Compact(height, climb)
		if err := c.valid(); err != nil {
			t.Fatal(err)
		}
		// choice returns the entry of column b that entry i would go to.
		choice := func(i int32, b int) int32 {
			top := func(i int32) int {
				if c.Open[i] == MaxHeight {
					return noCeiling
				}
				return int(c.Y[i]) + int(c.Open[i])
			}
			best := int32(-1)
			gap := func(n int32) int { return max(int(c.Y[n])-int(c.Y[i]), int(c.Y[i])-int(c.Y[n])) }
			for n := int32(c.Start[b]); n < int32(c.Start[b+1]); n++ {
				if gap(n) > climb || min(top(i), top(n))-int(max(c.Y[i], c.Y[n])) < height {
					continue
				}
				if best < 0 || gap(n) < gap(best) {
					best = n
				}
			}
			return best
		}
		for z := range c.D {
			for x := range c.W {
				a := x + z*c.W
				for i := int32(c.Start[a]); i < int32(c.Start[a+1]); i++ {
					for d := range 4 {
						nx, nz := x+DirX[d], z+DirZ[d]
						want := int32(-1)
						if nx >= 0 && nz >= 0 && nx < c.W && nz < c.D {
							if n := choice(i, nx+nz*c.W); n >= 0 && choice(n, a) == i {
								want = n
								links++
							}
						}
						if got := c.Nei[i][d]; got != want {
							t.Fatalf("height %d, climb %d, cell (%d, %d), direction %d: got %d, want %d", height, climb, x, z, d, got, want)
						}
					}
				}
			}
		}
	}
	if links == 0 {
		t.Error("no links at all")
	}
}
