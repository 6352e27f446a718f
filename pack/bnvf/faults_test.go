package bnvf

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"wend/internal/wendtest"
	"wend/pack"
	"wend/pack/bnav"
)

// Each faulty sidecar of the shared data has one fault, and all else in it is
// right.
func TestFaultySidecars(t *testing.T) {
	dir := wendtest.Data(t, "packs", "bad")
	b, err := os.ReadFile(filepath.Join(dir, "faults.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Faults []struct {
			ID, File, Section, Stage, Kind string
			Files                          map[string]*string
		}
	}
	if err := json.Unmarshal(b, &list); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, f := range list.Faults {
		if f.Files["fields"] == nil || f.Files["main"] == nil {
			continue
		}
		main, err := bnav.Open(t.Context(), os.DirFS(dir), *f.Files["main"], nil)
		if err != nil {
			continue // the fault is in the main pack
		}
		seen++
		t.Run(f.ID, func(t *testing.T) {
			side, err := Open(t.Context(), os.DirFS(dir), *f.Files["fields"], main, nil)
			if f.File == "main" || f.Stage == "merge window" {
				if err != nil {
					t.Fatalf("nothing is wrong when the sidecar is opened: %v", err)
				}
				for gz := range main.Grid.Zones {
					if _, e := side.Window(t.Context(), gz, bnav.Window{GX0: -5000, GY0: -5000, NX: 10000, NY: 10000}, 1); e != nil && err == nil {
						err = e
					}
				}
			}
			var fe *pack.FormatError
			if !errors.As(err, &fe) || pack.Kind(fe) != f.Kind || fe.Section != f.Section {
				t.Fatalf("%s: %v; want %s in %s", pack.Kind(err), err, f.Kind, f.Section)
			}
			t.Log(err)
		})
	}
	if seen < 7 {
		t.Errorf("only %d sidecars tried", seen)
	}
}

// Bytes behind the last section are left over, whatever they are.
func TestBytesAfterTheEnd(t *testing.T) {
	main, data := tiny(t, 0)
	for _, more := range []string{"\x00", "hello", string(data)} {
		long := append(bytes.Clone(data), more...)
		_, err := Load(t.Context(), long, main, nil)
		_, faults, stop := Check(t.Context(), long, main, nil)
		if stop != nil || len(faults) != 1 {
			t.Fatalf("%d bytes more: a check finds %v, %v", len(more), faults, stop)
		}
		for _, err := range []error{err, faults[0]} {
			var fe *pack.FormatError
			if !errors.Is(err, pack.ErrTrailing) || !errors.As(err, &fe) || fe.Section != "BNVF" || fe.Offset != int64(len(data)) {
				t.Errorf("%d bytes more: %v", len(more), err)
			}
		}
	}
}

// A sidecar of another main pack is refused, whatever else is right with it.
func TestForeignPairs(t *testing.T) {
	for _, a := range []string{"first", "court", "plain"} {
		main, _, _, _ := vector(t, a)
		for _, b := range []string{"first", "court", "plain"} {
			_, err := Load(t.Context(), vectorBytes(t, b), main, nil)
			if a == b && err != nil || a != b && !errors.Is(err, pack.ErrPairing) {
				t.Errorf("%s with the sidecar of %s: %v", a, b, err)
			}
		}
	}
}
