package bnav

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"wend/internal/wendtest"
	"wend/pack"
)

// Each faulty pack of the shared data has one fault, and all else in it is
// right.
func TestFaultyPacks(t *testing.T) {
	dir := wendtest.Data(t, "packs", "bad")
	b, err := os.ReadFile(filepath.Join(dir, "faults.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Faults []struct {
			ID, File, Section, Stage, Kind string
			Also                           []string
			Files                          map[string]*string
		}
		GoodTwins []struct {
			Files    map[string]*string
			MainFNV  string `json:"main_fnv"`
			BuildFNV string `json:"build_hash"`
		} `json:"good_twins"`
	}
	if err := json.Unmarshal(b, &list); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, f := range list.Faults {
		if f.Files["main"] == nil {
			continue
		}
		seen++
		t.Run(f.ID, func(t *testing.T) {
			p, err := Open(t.Context(), os.DirFS(dir), *f.Files["main"], nil)
			if f.File != "main" {
				if err != nil {
					t.Fatalf("the main pack is good: %v", err)
				}
				return
			}
			if f.Stage == "decode tile" {
				if err != nil {
					t.Fatalf("a fault in a tile, found when opening: %v", err)
				}
				var dec TileDecoder
				for zi := range p.Grid.Zones {
					for ti := range p.Grid.Zones[zi].Tiles {
						if _, e := dec.Decode(p.Grid, zi, ti, nil); e != nil && err == nil {
							err = e
						}
					}
				}
			}
			var fe *pack.FormatError
			if !errors.As(err, &fe) {
				t.Fatalf("error %v", err)
			}
			kind := pack.Kind(fe)
			ok := kind == f.Kind
			for _, k := range f.Also {
				ok = ok || kind == k
			}
			if !ok || fe.Section != f.Section || fe.File != *f.Files["main"] {
				t.Errorf("%s in %s: %v; want %s in %s", kind, fe.Section, err, f.Kind, f.Section)
			}
			t.Log(err)
		})
	}
	if seen < 20 {
		t.Errorf("only %d faults in the list", seen)
	}
	for _, g := range list.GoodTwins {
		p, err := Open(t.Context(), os.DirFS(dir), *g.Files["main"], nil)
		if err != nil {
			t.Error(err)
		} else if hex16(p.Fingerprint) != g.MainFNV || hex16(p.BuildHash) != g.BuildFNV {
			t.Errorf("%s: fingerprint %x, build hash %x", p.Name, p.Fingerprint, p.BuildHash)
		}
	}
}
