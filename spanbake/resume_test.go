package spanbake

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestBakeGoesOnWhereItWasCancelled ends a bake after each tile in turn and
// starts it again in the same folder.
func TestBakeGoesOnWhereItWasCancelled(t *testing.T) {
	in := randomWorld(1)
	want := bakeInput(t, in, Options{Tile: 64})
	dir := filepath.Join(t.TempDir(), "work")
	resumed := 0
	for stop := 1; ; stop += 19 {
		ctx, cancel := context.WithCancel(context.Background())
		n := 0
		res, err := Run(ctx, in, &Options{Tile: 64, Workers: 2, Dir: dir, Progress: func(Progress) {
			if n++; n == stop {
				cancel()
			}
		}})
		cancel()
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			continue
		}
		if !bytes.Equal(res.Main, want.Main) || !bytes.Equal(res.Fields, want.Fields) {
			t.Fatal("resumed bake gives other bytes")
		}
		resumed = res.Report.Resumed
		break
	}
	if resumed == 0 {
		t.Fatal("nothing was taken over")
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("work folder is still there: %v", err)
	}
}

// TestForeignAndDamagedWorkIsNotUsed leaves the work of another input, and
// damaged blobs, in the folder.
func TestForeignAndDamagedWorkIsNotUsed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "work")
	interrupt := func(in *Input, after int) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		n := 0
		_, err := Run(ctx, in, &Options{Tile: 64, Dir: dir, Progress: func(Progress) {
			if n++; n == after {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	interrupt(randomWorld(2), 12)
	in := randomWorld(3)
	want := bakeInput(t, in, Options{Tile: 64})
	res := bakeInput(t, in, Options{Tile: 64, Dir: dir})
	if res.Report.Resumed != 0 || !bytes.Equal(res.Main, want.Main) || !bytes.Equal(res.Fields, want.Fields) {
		t.Fatalf("work of another input was used: %d tiles", res.Report.Resumed)
	}

	interrupt(in, 30)
	files, err := filepath.Glob(filepath.Join(dir, "*.blob"))
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	for i, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		switch i % 3 {
		case 0:
			data[len(data)-1] ^= 1
		case 1:
			data = data[:len(data)/2]
		default:
			continue
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	res = bakeInput(t, in, Options{Tile: 64, Dir: dir})
	if !bytes.Equal(res.Main, want.Main) || !bytes.Equal(res.Fields, want.Fields) {
		t.Fatal("damaged work was used")
	}
}

func TestOneBakeAFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "work")
	in := randomWorld(4)
	var second error
	asked := false
	_, err := Run(context.Background(), in, &Options{Tile: 64, Workers: 1, Dir: dir, Progress: func(Progress) {
		if !asked {
			asked = true
			_, second = Run(context.Background(), in, &Options{Tile: 64, Dir: dir})
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	var busy *BusyError
	if !errors.As(second, &busy) {
		t.Fatalf("second bake: %v, want a *BusyError", second)
	}
}
