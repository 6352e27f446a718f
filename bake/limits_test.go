package bake_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/navmesh"
)

// A level that cannot be baked as asked is refused at once, with a cure.
func TestLevelsTooLarge(t *testing.T) {
	tests := []struct {
		name   string
		side   float64 // of the floor, metres
		layers int
		set    func(*bake.Profile)
		want   string
	}{
		{"one piece", 4000, 1, func(p *bake.Profile) { p.Navmesh.Tiling = bake.TilingOff }, "bake it tiled"},
		{"stray triangle", 2e5, 1, func(*bake.Profile) {}, "remove stray geometry"},
		{"unit", 1e6, 1, func(p *bake.Profile) { p.Navmesh.Cell = 1e-3; p.Navmesh.TileSize = 4096 }, "move the level to the origin"},
		{"radius", 10, 1, func(p *bake.Profile) {
			p.Agent.Radius, p.Navmesh.Cell, p.Navmesh.Tiling = 1e3, 0.05, bake.TilingOn
		}, "the frame that radius 1000 m needs"},
		{"large triangles", 6000, 200, func(p *bake.Profile) { p.Navmesh.TileSize = 10 }, "cut large triangles"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := wendtest.NewBuilder()
			for i := range tt.layers {
				b.Floor(0, 0, tt.side, tt.side, float64(i))
			}
			p := bake.Human()
			tt.set(&p)
			_, err := bake.Run(t.Context(), b.Scene, p, nil)
			var size *bake.SizeError
			if !errors.As(err, &size) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want a SizeError with %q", err, tt.want)
			}
		})
	}
}

// Fine cells far from the origin are refused: float32 cannot tell their corners
// apart.
func TestFineCellsFarOut(t *testing.T) {
	p := bake.Human()
	p.Navmesh.Cell, p.Navmesh.CellHeight, p.Agent.Radius = 0.01, 0.01, 0.02
	for _, tt := range []struct {
		x  float64
		ok bool
	}{{0, true}, {15000, true}, {30000, false}, {-30000, false}} {
		_, err := bake.Run(t.Context(), wendtest.NewBuilder().Floor(tt.x, 0, tt.x+1, 1, 0).Scene, p, nil)
		var size *bake.SizeError
		if tt.ok && err != nil || !tt.ok && (!errors.As(err, &size) || !strings.Contains(err.Error(), "move the level to the origin")) {
			t.Errorf("at %v m: %v", tt.x, err)
		}
	}
}

// A limit below a cell is a limit nevertheless: 0 alone means none.
func TestShortEdges(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 10, 10, 0)
	longest := func(limit float64) float64 {
		p := bake.Human()
		p.Navmesh.EdgeMaxLen = limit
		m, _ := mustBake(t, b.Scene, p)
		d := 0.0
		for id := range navmesh.PolyID(m.Len()) {
			q := m.Poly(id)
			wall := map[int]bool{}
			for i := range q.Len() {
				wall[i] = true
			}
			for n := range q.Neighbours() {
				wall[n.Edge] = false
			}
			for i := range q.Len() {
				if wall[i] {
					d = max(d, geom.DistXZ(q.Corner(i), q.Corner((i+1)%q.Len())))
				}
			}
		}
		return d
	}
	if d := longest(0); d < 5 {
		t.Errorf("without a limit the longest edge is %v m", d)
	}
	if d := longest(0.1); d > 0.31 {
		t.Errorf("with a limit of 0.1 m the longest edge is %v m, want a cell", d)
	}
}

// Many large triangles over many tiles do not delay the end of a context.
func TestCancelBinning(t *testing.T) {
	b := wendtest.NewBuilder()
	for i := range 40 {
		b.Floor(0, 0, 4000, 4000, float64(i))
	}
	p := bake.Human()
	p.Navmesh.TileSize = 8
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := bake.Run(ctx, b.Scene, p, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
