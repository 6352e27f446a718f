package cli

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wend/route"
)

func TestTableAlignsColouredCells(t *testing.T) {
	var b bytes.Buffer
	e := &env{color: true}
	err := table(&b, "lrl", [][]string{
		{"trip", "m", "status"},
		{"über die Brücke", "7.5", e.statusText(route.Complete)},
		{e.paint("1", "x"), "1234.5", "-"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "" +
		"trip                  m  status\n" +
		"über die Brücke     7.5  \x1b[32mcomplete\x1b[0m\n" +
		"\x1b[1mx\x1b[0m                1234.5  -\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := (&env{}).statusText(route.Unreachable); got != "unreachable" {
		t.Errorf("without colour: %q", got)
	}
}

func TestPlural(t *testing.T) {
	for want, got := range map[string]string{
		"1 point":   plural(1, "point"),
		"0 points":  plural(0, "point"),
		"2 storeys": plural(2, "storey"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestProgressLines(t *testing.T) {
	var b bytes.Buffer
	clock := time.Unix(0, 0)
	l := &lines{w: &b, now: func() time.Time { return clock }}
	for _, s := range []struct {
		stage       string
		done, total int
		after       time.Duration
	}{
		{"tiles", 0, 4, 0},
		{"tiles", 1, 4, time.Second},
		{"tiles", 2, 4, time.Second},
		{"tiles", 3, 4, time.Second},
		{"tiles", 4, 4, 500 * time.Millisecond},
		{"assemble", 0, 1, 0},
		{"assemble", 1, 1, 1234567 * time.Nanosecond},
	} {
		clock = clock.Add(s.after)
		l.step(s.stage, s.done, s.total)
	}
	l.finish()
	const want = "tiles: 2 of 4\ntiles: done in 3.5s\nassemble: done in 1.2ms\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
