package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"wend/draw"
	"wend/scene/sample"
)

// stopAt cancels a context when a text has been written.
type stopAt struct {
	bytes.Buffer
	text   string
	cancel context.CancelFunc
}

func (s *stopAt) Write(p []byte) (int, error) {
	n, err := s.Buffer.Write(p)
	if s.text != "" && strings.Contains(s.String(), s.text) {
		s.cancel()
	}
	return n, err
}

const yardOBJ = "v 0 0 0\nv 20 0 0\nv 20 0 20\nv 0 0 20\nf 1 4 3 2\n"

// An interrupt at any point ends in status 1, the word "cancelled", and no
// file that was not there before.
func TestCancelLeavesNothingBehind(t *testing.T) {
	queries := "sx,sy,sz,gx,gy,gz\n" + strings.Repeat("2,0,2,18,0,18\n", 1000)
	for name, c := range map[string]struct {
		at   string // "": before the start
		args []string
	}{
		"before":        {"", []string{"bake", "yard.obj", "--navmesh", "out.bin", "--report", "out.json"}},
		"baking":        {"tiles: done", []string{"bake", "yard.obj", "--navmesh", "out.bin", "--report", "out.json"}},
		"before a plan": {"assemble: done", []string{"route", "yard.obj", "--from", "2,0,2", "--to", "18,0,18", "--png", "out.png"}},
		"queries":       {"assemble: done", []string{"route", "yard.obj", "--queries", "q.csv", "--out", "out.csv"}},
		"baking packs":  {"columns: done", []string{"route", "yard.obj", "--planner", "span", "--from", "2,0,2", "--to", "18,0,18", "--png", "out.png"}},
		"before a way":  {"encode: done", []string{"route", "yard.obj", "--planner", "span", "--from", "2,0,2", "--to", "18,0,18", "--png", "out.png"}},
		"span queries":  {"encode: done", []string{"route", "yard.obj", "--planner", "span", "--queries", "q.csv", "--out", "out.csv"}},
		"probing":       {"encode: done", []string{"probe", "yard.obj", "--planner", "span", "--at", "2,2"}},
		"drawing":       {"assemble: done", []string{"draw", "yard.obj", "-o", "out.png"}},
		"bench":         {"assemble: done", []string{"bench", "yard.obj"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			for file, text := range map[string]string{"yard.obj": yardOBJ, "q.csv": queries} {
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.at == "" {
				cancel()
			}
			stderr := &stopAt{text: c.at, cancel: cancel}
			var stdout bytes.Buffer
			if got := Main(ctx, c.args, &stdout, stderr); got != exitFailed {
				t.Errorf("status %d, want %d", got, exitFailed)
			}
			if !strings.HasSuffix(stderr.String(), "wend: cancelled\n") {
				t.Errorf("stderr is %q", stderr.String())
			}
			if left := entries(t, dir); len(left) != 2 {
				t.Errorf("the folder holds %v", left)
			}
		})
	}
}

// The same through a real interrupt of a real process, which the tests'
// own binary plays.
func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no interrupts to send")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	level := filepath.Join(t.TempDir(), "yard.obj")
	if err := os.WriteFile(level, []byte(yardOBJ), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe)
	cmd.Args = []string{"wend", "bench", level, "--count", "1000000"}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := ""
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		said += lines.Text() + "\n"
		if strings.HasPrefix(lines.Text(), "assemble: done") {
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
	}
	err = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != exitFailed || !strings.HasSuffix(said, "wend: cancelled\n") {
		t.Errorf("status %d (%v), stderr %q", got, err, said)
	}
}

// A bar ends where the work ended, and waiting for it does not hang.
func TestBarsFinish(t *testing.T) {
	for name, cancelled := range map[string]bool{"to the end": false, "cancelled": true} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var b bytes.Buffer
			p := newBars(ctx, &b)
			done := make(chan struct{})
			go func() {
				defer close(done)
				for i := range 5 {
					p.step("tiles", i, 4)
				}
				p.step("assemble", 0, 1)
				if cancelled {
					cancel()
				} else {
					p.step("assemble", 1, 1)
				}
				p.finish()
			}()
			select {
			case <-done:
			case <-time.After(20 * time.Second):
				t.Fatal("finish hangs")
			}
			if !cancelled && (!strings.Contains(b.String(), "tiles") || !strings.Contains(b.String(), "assemble")) {
				t.Errorf("drew %q", b.String())
			}
		})
	}
}

func ExampleMain() {
	status := Main(context.Background(), []string{"route", "none.bin", "--from", "0,0,0", "--to", "1,0,1"}, os.Stdout, os.Stdout)
	fmt.Println("status", status)
	// Output:
	// wend: none.bin: no such file or directory
	// status 2
}

// A large picture takes seconds; an interrupt does not wait for it.
func TestInterruptWhileDrawing(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	file := filepath.Join(t.TempDir(), "town.png")
	opt := &draw.Options{Format: draw.PNG, Width: 4000, View: draw.View{Kind: draw.Oblique}}
	err := renderFile(&env{ctx: ctx}, file, draw.Input{Scene: sample.Town()}, "source", opt)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want that of the context", err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the picture was written")
	}
}
