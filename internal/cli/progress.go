package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"wend/bake"
)

// progress shows how far long work has come. step may be called often and
// finish once; neither is safe for concurrent use.
type progress interface {
	step(stage string, done, total int)
	finish()
}

// progress returns bars on a terminal, plain lines elsewhere, and nothing
// under --quiet.
func (e *env) progress() progress {
	switch {
	case e.quiet:
		return silent{}
	case e.terminal:
		return newBars(e.ctx, e.stderr)
	}
	return &lines{w: e.stderr, now: time.Now}
}

// bakeProgress adapts a progress to a bake. The body's name is only shown when
// there are several.
func bakeProgress(p progress, several bool) func(bake.Progress) {
	return func(b bake.Progress) {
		stage := b.Stage
		if several {
			stage = b.Body + ": " + stage
		}
		p.step(stage, b.Done, b.Total)
	}
}

type silent struct{}

func (silent) step(string, int, int) {}
func (silent) finish()               {}

// lineEvery is the least time between two lines about one stage.
const lineEvery = 2 * time.Second

// lines prints a line when a stage ends, and now and then within a long one.
type lines struct {
	w     io.Writer
	now   func() time.Time
	stage string
	begun time.Time
	last  time.Time
}

func (l *lines) step(stage string, done, total int) {
	now := l.now()
	if stage != l.stage {
		l.stage, l.begun, l.last = stage, now, now
	}
	switch {
	case done >= total:
		fmt.Fprintf(l.w, "%s: done in %s\n", stage, shortDuration(now.Sub(l.begun)))
		l.stage = ""
	case now.Sub(l.last) >= lineEvery:
		fmt.Fprintf(l.w, "%s: %d of %d\n", stage, done, total)
		l.last = now
	}
}

func (l *lines) finish() {}

// shortDuration rounds to what a person reads.
func shortDuration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return d.Round(time.Microsecond).String()
	case d < time.Second:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(10 * time.Millisecond).String()
}

// bars draws a bar a stage, with the count, the time so far and an estimate.
type bars struct {
	p     *mpb.Progress
	bar   *mpb.Bar
	stage string
}

func newBars(ctx context.Context, w io.Writer) *bars {
	return &bars{p: mpb.NewWithContext(ctx, mpb.WithOutput(w), mpb.WithWidth(72), mpb.WithAutoRefresh())}
}

func (b *bars) step(stage string, done, total int) {
	if b.bar == nil || stage != b.stage {
		b.close()
		b.stage = stage
		b.bar = b.p.AddBar(int64(max(total, 1)),
			mpb.PrependDecorators(decor.Name(stage, decor.WC{W: 14, C: decor.DindentRight})),
			mpb.AppendDecorators(
				decor.CountersNoUnit("%d/%d ", decor.WCSyncWidth),
				decor.OnComplete(decor.AverageETA(decor.ET_STYLE_GO), "done"),
			),
		)
	}
	b.bar.SetCurrent(int64(done))
}

// close ends the current bar where it stands.
func (b *bars) close() {
	if b.bar != nil {
		b.bar.Abort(false) // does nothing to a complete one
		b.bar = nil
	}
}

// finish leaves the cursor below the last bar.
func (b *bars) finish() {
	b.close()
	b.p.Wait()
}
