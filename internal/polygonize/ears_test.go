package polygonize

import "testing"

// The boxes must cover their chunk's edges, and the best ears be the best, at
// every step: what they hide the clipper would not see.
func TestClipperChunks(t *testing.T) {
	var c clipper
	c.load(comb(400))
	for c.live > 3 {
		for k := range c.chunks {
			b := &c.chunks[k]
			best := dead
			lo, hi := c.span(k)
			for s := lo; s < hi; s++ {
				if c.next[s] == dead {
					continue
				}
				for _, p := range []point{c.pos[s], c.pos[c.next[s]]} {
					if p.x < b.min.x || p.x > b.max.x || p.z < b.min.z || p.z > b.max.z {
						t.Fatalf("%d corners left: box %v-%v of chunk %d leaves out %v", c.live, b.min, b.max, k, p)
					}
				}
				if c.kind[s] != noEar && (best == dead || c.better(int32(s), best)) {
					best = int32(s)
				}
			}
			if best != b.best {
				t.Fatalf("%d corners left: best ear of chunk %d is %d, want %d", c.live, k, b.best, best)
			}
		}
		s := c.pick()
		if s < 0 {
			t.Fatalf("%d corners left and no ear", c.live)
		}
		c.clip(s)
	}
}
