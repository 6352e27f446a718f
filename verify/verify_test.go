package verify_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"wend/internal/wendtest"
	"wend/pack"
	"wend/verify"
)

// names are the packs of the shared data that another program wrote.
var names = []string{"first", "court", "tower", "columns", "limits", "harbour", "guest", "plain"}

func mainName(dir string) string {
	if _, err := os.Stat(filepath.Join(dir, filepath.Base(dir)+".nav")); err == nil {
		return filepath.Base(dir) + ".nav"
	}
	return filepath.Base(dir) + ".nav.gz"
}

// Packs of another producer have no fault, and what is in them is counted.
func TestGoodPacks(t *testing.T) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			dir := wendtest.Data(t, "packs", name)
			b, err := os.ReadFile(filepath.Join(dir, "expect.json"))
			if err != nil {
				t.Fatal(err)
			}
			var want struct {
				Files  map[string]*string
				Header struct{ Zones, Vertices, Triangles, Links int }
				Flnk   []json.RawMessage
				Fopn   []json.RawMessage
				Boml   []json.RawMessage
				Tiles  []struct{ Records uint64 } `json:"grid_tiles"`

				LinksDropped int `json:"links_dropped"`
			}
			if err := json.Unmarshal(b, &want); err != nil {
				t.Fatal(err)
			}
			var n verify.Counts
			faults, err := verify.Pack(t.Context(), os.DirFS(dir), mainName(dir), &verify.Options{Counts: &n})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range faults {
				t.Errorf("a good pack: %v", f)
			}
			records := uint64(0)
			for _, tile := range want.Tiles {
				records += tile.Records
			}
			h := want.Header
			if n.Zones+n.Tiers != h.Zones || n.Vertices != h.Vertices || n.Triangles != h.Triangles || n.Links+n.LinksDropped != h.Links ||
				n.LinksDropped != want.LinksDropped || n.OffMesh != len(want.Boml) || n.Tiles != len(want.Tiles) || n.Records != records ||
				n.Landings != len(want.Flnk) || n.Openings != len(want.Fopn) {
				t.Errorf("counts %+v, want %d zones, %d vertices, %d triangles, %d links (%d dropped), %d off-mesh links, %d tiles, %d records, %d landings, %d openings",
					n, h.Zones, h.Vertices, h.Triangles, h.Links, want.LinksDropped, len(want.Boml), len(want.Tiles), records, len(want.Flnk), len(want.Fopn))
			}
			if n.Fields != (want.Files["fields"] != nil) || n.Occluder != (want.Files["occluder"] != nil) {
				t.Errorf("fields %v, occluder %v; the files are %v", n.Fields, n.Occluder, want.Files)
			}

			// Complete wants what is not there.
			faults, err = verify.Pack(t.Context(), os.DirFS(dir), mainName(dir), &verify.Options{Complete: true, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if missing := want.Files["occluder"] == nil; missing != (len(faults) == 1) || missing && faults[0].Kind != "ErrMissing" {
				t.Errorf("a complete set: %v", faults)
			}
		})
	}
}

type faulty struct {
	ID, File, Section, Stage, Kind string
	Also                           []string
	Files                          map[string]*string
}

func faultList(t *testing.T) (dir string, list []faulty) {
	t.Helper()
	dir = wendtest.Data(t, "packs", "bad")
	b, err := os.ReadFile(filepath.Join(dir, "faults.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Faults []faulty }
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	return dir, all.Faults
}

func (f *faulty) name() string {
	if f.Files["main"] != nil {
		return *f.Files["main"]
	}
	return *f.Files["occluder"]
}

func (f *faulty) is(got verify.Fault) bool {
	return got.File == *f.Files[f.File] && got.Section == f.Section && (got.Kind == f.Kind || slices.Contains(f.Also, got.Kind))
}

// Each of these packs has one fault, and that one is found: nothing else is
// reported, and nothing twice, for any number of workers.
func TestFaultyPacks(t *testing.T) {
	dir, list := faultList(t)
	if len(list) < 25 {
		t.Errorf("only %d faults in the list", len(list))
	}
	for _, f := range list {
		t.Run(f.ID, func(t *testing.T) {
			faults, err := verify.Pack(t.Context(), os.DirFS(dir), f.name(), &verify.Options{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if len(faults) != 1 || !f.is(faults[0]) {
				t.Errorf("got %v; want %s in %s and nothing else", faults, f.Kind, f.Section)
			}
			for _, g := range faults {
				t.Log(g)
			}
			again, err := verify.Pack(t.Context(), os.DirFS(dir), f.name(), &verify.Options{Workers: 4})
			if diff := cmp.Diff(faults, again); diff != "" || err != nil {
				t.Errorf("with four workers: %v %s", err, diff)
			}
		})
	}
	for _, name := range []string{"00-mini.nav.gz", "00-pair.nav.gz", "00-mini.occluder.gz"} {
		if faults, err := verify.Pack(t.Context(), os.DirFS(dir), name, nil); err != nil || len(faults) > 0 {
			t.Errorf("%s: %v, %v", name, faults, err)
		}
	}
}

// set returns a file system with the three packs of a name.
func set(t *testing.T, name string) fstest.MapFS {
	t.Helper()
	dir := wendtest.Data(t, "packs", name)
	out := fstest.MapFS{}
	main := mainName(dir)
	fields, occluder := pack.SideNames(main)
	for _, file := range []string{main, fields, occluder} {
		b, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if err == nil {
			out[file] = &fstest.MapFile{Data: b}
		}
	}
	return out
}

func kinds(faults []verify.Fault) string {
	var list []string
	for _, f := range faults {
		list = append(list, f.Kind+" "+f.Section)
	}
	return strings.Join(list, ", ")
}

// Side packs that are missing or have another name are no fault unless the set
// has to be complete; one of another pack is.
func TestSidePacks(t *testing.T) {
	check := func(fsys fs.FS, o verify.Options) []verify.Fault {
		t.Helper()
		faults, err := verify.Pack(t.Context(), fsys, "court.nav.gz", &o)
		if err != nil {
			t.Fatal(err)
		}
		return faults
	}
	court := set(t, "court")
	var n verify.Counts
	if faults := check(court, verify.Options{Complete: true, Counts: &n}); len(faults) > 0 || !n.Fields || !n.Occluder {
		t.Errorf("the whole set: %v, %+v", faults, n)
	}
	court["court.Fields.nav.gz"] = court["court.fields.nav.gz"]
	delete(court, "court.fields.nav.gz")
	delete(court, "court.occluder.gz")
	if faults := check(court, verify.Options{Counts: &n}); len(faults) > 0 || n.Fields || n.Occluder {
		t.Errorf("without side packs: %v, %+v", faults, n)
	}
	// A deep check is about planning, which a grid without its fields does not allow.
	faults := check(court, verify.Options{Deep: true})
	if len(faults) == 0 {
		t.Fatal("a grid without its fields is no fault")
	}
	if last := faults[len(faults)-1]; last.Kind != "ErrMissing" || last.File != "court.fields.nav.gz" {
		t.Errorf("a grid without its fields: %v", faults)
	}
	faults = check(court, verify.Options{Complete: true})
	if kinds(faults) != "ErrMissing , ErrMissing " || faults[0].File != "court.fields.nav.gz" || faults[1].File != "court.occluder.gz" {
		t.Errorf("a set that has to be complete: %v", faults)
	}

	// The sidecar of another pack, whole as it is, and one that is no sidecar.
	court["court.fields.nav.gz"] = set(t, "tower")["tower.fields.nav.gz"]
	if faults := check(court, verify.Options{}); kinds(faults) != "ErrPairing BNVF" {
		t.Errorf("the sidecar of another pack: %v", faults)
	}
	court["court.fields.nav.gz"] = court["court.nav.gz"]
	if faults := check(court, verify.Options{}); kinds(faults) != "ErrMagic BNVF" {
		t.Errorf("the main pack as its own sidecar: %v", faults)
	}
	// A folder in its place cannot be read.
	court["court.fields.nav.gz"] = &fstest.MapFile{Mode: fs.ModeDir}
	if faults := check(court, verify.Options{}); len(faults) != 1 || faults[0].Kind != "ErrRead" {
		t.Errorf("a folder as sidecar: %v", faults)
	}
}

// What cannot be checked is an error, not a fault.
func TestNoCheck(t *testing.T) {
	court := set(t, "court")
	if _, err := verify.Pack(t.Context(), court, "none.nav.gz", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such file: %v", err)
	}
	if _, err := verify.Pack(t.Context(), court, "court.fields.nav.gz", nil); !errors.Is(err, verify.ErrSidecar) {
		t.Errorf("a sidecar: %v", err)
	}
	ctx, stop := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	stop(why)
	if _, err := verify.Pack(ctx, court, "court.nav.gz", nil); !errors.Is(err, why) {
		t.Errorf("a cancelled check: %v", err)
	}
	// Something else is a fault: it is not what its name says.
	court["x.nav"] = &fstest.MapFile{Data: []byte("nothing of the kind")}
	court["y.nav"] = &fstest.MapFile{}
	for _, name := range []string{"x.nav", "y.nav"} {
		faults, err := verify.Pack(t.Context(), court, name, nil)
		if err != nil || len(faults) != 1 || faults[0].Section != "BNAV" {
			t.Errorf("%s: %v, %v", name, faults, err)
		}
	}
}

// What another program made keeps the deep rules that are not of our bake
// alone, but where its numbers are made up: clearances there are no distances.
func TestDeepOnPacksOfOthers(t *testing.T) {
	for _, name := range []string{"court", "tower", "columns", "harbour", "guest", "plain"} {
		dir := wendtest.Data(t, "packs", name)
		faults, err := verify.Pack(t.Context(), os.DirFS(dir), mainName(dir), &verify.Options{Deep: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range faults {
			if !strings.Contains(f.Message, "by more than a cell") {
				t.Errorf("%v", f)
			}
		}
	}
}

// A check takes no more than a multiple of what is in the files, whatever they
// declare: decompression bombs and huge counts are refused before they cost.
func TestMemoryIsBounded(t *testing.T) {
	dir, list := faultList(t)
	for _, f := range list {
		size := int64(0)
		for _, name := range f.Files {
			if name == nil {
				continue
			}
			data, err := pack.ReadFile(os.DirFS(dir), *name, 0)
			if err == nil {
				size += int64(len(data))
			}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := verify.Pack(t.Context(), os.DirFS(dir), f.name(), &verify.Options{Deep: true, Workers: 1}); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		// What is taken in all, the decompressors' own state included.
		if got, most := int64(after.TotalAlloc-before.TotalAlloc), 2<<20+32*size; got > most {
			t.Errorf("%s: %d bytes for files of %d", f.ID, got, size)
		}
	}
}
