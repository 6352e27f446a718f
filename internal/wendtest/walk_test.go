package wendtest

import (
	"testing"

	"wend/geom"
	"wend/scene"
)

// The checker must be able to say no: each world has one thing in the way of
// a walk from x = -4 to x = 4.
func TestWalkerSaysNo(t *testing.T) {
	box := func(s *scene.Scene, lo, hi geom.Vec3) { (&Builder{Scene: s}).Box(lo, hi) }
	floor := func(s *scene.Scene) { box(s, geom.V3(-6, -1, -6), geom.V3(6, 0, 6)) }
	for _, tt := range []struct {
		name  string
		build func(*scene.Scene)
		end   float64 // height of the goal
		ok    bool
	}{
		{"open floor", floor, 0, true},
		{"wall across", func(s *scene.Scene) { floor(s); box(s, geom.V3(-0.1, 0, -6), geom.V3(0.1, 3, 6)) }, 0, false},
		{"corner scraped", func(s *scene.Scene) { floor(s); box(s, geom.V3(-0.1, 0, 0.2), geom.V3(0.1, 3, 6)) }, 0, false},
		{"corner left alone", func(s *scene.Scene) { floor(s); box(s, geom.V3(-0.1, 0, 0.6), geom.V3(0.1, 3, 6)) }, 0, true},
		{"gap in the floor", func(s *scene.Scene) {
			box(s, geom.V3(-6, -1, -6), geom.V3(-1, 0, 6))
			box(s, geom.V3(1, -1, -6), geom.V3(6, 0, 6))
		}, 0, false},
		{"step too high", func(s *scene.Scene) { floor(s); box(s, geom.V3(0, 0, -6), geom.V3(6, 1.6, 6)) }, 1.6, false},
		{"step low enough", func(s *scene.Scene) { floor(s); box(s, geom.V3(0, 0, -6), geom.V3(6, 0.8, 6)) }, 0.8, true},
		{"ceiling too low", func(s *scene.Scene) { floor(s); box(s, geom.V3(-1, 1.5, -6), geom.V3(1, 3, 6)) }, 0, false},
		{"ceiling high enough", func(s *scene.Scene) { floor(s); box(s, geom.V3(-1, 2, -6), geom.V3(1, 3, 6)) }, 0, true},
		{"other storey claimed", floor, 4, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &scene.Scene{Parts: []scene.Part{{}}}
			tt.build(s)
			err := NewWalker(s).Check([]geom.Vec3{{X: -4}, {X: 4, Y: tt.end}})
			if (err == nil) != tt.ok {
				t.Errorf("got %v, want walkable %v", err, tt.ok)
			}
		})
	}
}
