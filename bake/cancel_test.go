package bake_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"wend/bake"
	"wend/scene"
	"wend/scene/sample"
)

// waitForGoroutines fails when more goroutines than before stay for long.
func waitForGoroutines(t *testing.T, before int) {
	t.Helper()
	for range 200 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	buf := make([]byte, 1<<16)
	t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
}

// Progress comes from one goroutine at a time, never goes back and ends
// complete, body after body.
func TestProgress(t *testing.T) {
	sc := sample.Maze(6)
	p := bake.Human()
	p.Bodies = []bake.Body{{Name: "cat", Radius: 0.2, Height: 0.4, MaxClimb: 0.4, MaxSlopeDeg: 45}}
	p.Navmesh.TileSize = 16
	for tiling, label := range map[bake.Tiling]string{bake.TilingOff: "one piece", bake.TilingOn: "tiles"} {
		t.Run(label, func(t *testing.T) {
			p := p
			p.Navmesh.Tiling = tiling
			var inside atomic.Int32
			var seen []bake.Progress
			_, err := bake.Run(t.Context(), sc, p, &bake.Options{Workers: 4, Progress: func(pr bake.Progress) {
				if inside.Add(1) != 1 {
					t.Error("two goroutines report at once")
				}
				seen = append(seen, pr)
				runtime.Gosched()
				inside.Add(-1)
			}})
			if err != nil {
				t.Fatal(err)
			}
			tiles := 1
			if tiling == bake.TilingOn {
				tiles = 36 // 82 cells a side
			}
			var want []bake.Progress
			for _, body := range []string{"human", "cat"} {
				for i := range tiles + 1 {
					want = append(want, bake.Progress{Body: body, Stage: "tiles", Done: i, Total: tiles})
				}
				want = append(want,
					bake.Progress{Body: body, Stage: "assemble", Done: 0, Total: 1},
					bake.Progress{Body: body, Stage: "assemble", Done: 1, Total: 1})
			}
			if len(seen) != len(want) {
				t.Fatalf("%d reports, want %d: %v", len(seen), len(want), seen)
			}
			for i := range want {
				if seen[i] != want[i] {
					t.Fatalf("report %d is %+v, want %+v", i, seen[i], want[i])
				}
			}
		})
	}
}

// countdown is a context that ends when it has been looked at a number of
// times: it cancels at a place that does not depend on time.
type countdown struct {
	context.Context
	left atomic.Int64
	end  sync.Once
	done chan struct{}
}

func newCountdown(ctx context.Context, looks int64) *countdown {
	c := &countdown{Context: ctx, done: make(chan struct{})}
	c.left.Store(looks)
	return c
}

func (c *countdown) Done() <-chan struct{} { return c.done }

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		c.end.Do(func() { close(c.done) })
		return context.Canceled
	}
	return nil
}

// However far the bake of a tile has come, it ends when its context does,
// with the context's error and without anything left running.
func TestCancelAnywhere(t *testing.T) {
	sc := sample.Terrain(40)
	p := bake.Human()
	p.Navmesh.Tiling = bake.TilingOff
	before := runtime.NumGoroutine()
	const plenty = 1 << 40
	c := newCountdown(t.Context(), plenty)
	if _, err := bake.Run(c, sc, p, &bake.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	looks := plenty - c.left.Load()
	if looks < 9 {
		t.Errorf("nine stages look at the context %d times", looks)
	}
	for n := int64(0); n < looks; n += 1 + looks/16 {
		res, err := bake.Run(newCountdown(t.Context(), n), sc, p, &bake.Options{Workers: 2})
		if !errors.Is(err, context.Canceled) || res != nil {
			t.Fatalf("cancelled at look %d of %d: %v, %v", n, looks, res, err)
		}
	}
	waitForGoroutines(t, before)
}

// A large level is left quickly.
func TestCancelIsQuick(t *testing.T) {
	size := 200
	if long() {
		size = 600
	}
	sc := sample.Terrain(size)
	before := runtime.NumGoroutine()
	for tiling, label := range map[bake.Tiling]string{bake.TilingOff: "one piece", bake.TilingOn: "tiles"} {
		t.Run(label, func(t *testing.T) {
			p := bake.Human()
			p.Navmesh.Tiling = tiling
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
			defer cancel()
			_, err := bake.Run(ctx, sc, p, nil)
			ended, _ := ctx.Deadline()
			took := time.Since(ended)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("got %v", err)
			}
			t.Logf("back %v after the deadline", took)
			if took > 2*time.Second {
				t.Errorf("back %v after the deadline", took)
			}
		})
	}
	waitForGoroutines(t, before)
}

// A context that has ended starts nothing.
func TestCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tiling := range []bake.Tiling{bake.TilingOff, bake.TilingOn} {
		p := bake.Human()
		p.Navmesh.Tiling = tiling
		_, err := bake.Run(ctx, sample.Maze(3), p, nil)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
	// What is wrong with the request is said even then.
	if _, err := bake.Run(ctx, &scene.Scene{Tris: []scene.Tri{{}}}, bake.Human(), nil); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// The callback may cancel the bake it reports on.
func TestCancelFromProgress(t *testing.T) {
	for _, at := range []int{0, 1, 7} {
		ctx, cancel := context.WithCancel(t.Context())
		p := bake.Human()
		p.Navmesh.Tiling, p.Navmesh.TileSize = bake.TilingOn, 16
		most := 0
		_, err := bake.Run(ctx, sample.Maze(6), p, &bake.Options{Workers: 3, Progress: func(pr bake.Progress) {
			most = max(most, pr.Done)
			if pr.Done == at {
				cancel()
			}
		}})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at tile %d: %v", at, err)
		}
		// The tiles under way may still be reported.
		if most > at+3 {
			t.Errorf("cancelled at tile %d, went on to %d", at, most)
		}
	}
}
