package verify_test

import (
	"errors"
	"os"
	"testing"
	"testing/fstest"

	"wend/internal/wendtest"
	"wend/pack"
	"wend/verify"
)

// smallSet is the smallest set of the shared data, decompressed, so that
// damage reaches past the checksums of gzip.
func smallSet(t testing.TB) (main, fields, occluder []byte) {
	t.Helper()
	dir := wendtest.Data(t, "packs", "first")
	for _, f := range []struct {
		name string
		dst  *[]byte
	}{{"first.nav.gz", &main}, {"first.fields.nav.gz", &fields}, {"first.occluder.gz", &occluder}} {
		b, err := pack.ReadFile(os.DirFS(dir), f.name, 0)
		if err != nil {
			t.Fatal(err)
		}
		*f.dst = b
	}
	return main, fields, occluder
}

func checkSet(t testing.TB, main, fields []byte) []verify.Fault {
	t.Helper()
	set := fstest.MapFS{"x.nav": &fstest.MapFile{Data: main}, "x.fields.nav": &fstest.MapFile{Data: fields}}
	faults, err := verify.Pack(t.Context(), set, "x.nav", &verify.Options{Deep: true, Workers: 1})
	if err != nil {
		if errors.Is(err, verify.ErrSidecar) {
			return nil // flipped into the other magic
		}
		t.Fatal(err)
	}
	return faults
}

// bitsOf returns the bits of a byte that are flipped: all of them with
// WEND_LONG=1, else two that change from byte to byte.
func bitsOf(i int) []int {
	if os.Getenv("WEND_LONG") != "" {
		return []int{0, 1, 2, 3, 4, 5, 6, 7}
	}
	return []int{i % 8, (i + 5) % 8}
}

// The fingerprint in the sidecar covers every bit of the main pack, so no flip
// and no cut of it stays unseen; and none makes the check panic.
func TestEveryFlipOfAMainPack(t *testing.T) {
	main, fields, _ := smallSet(t)
	damaged := make([]byte, len(main))
	for i := range main {
		for _, bit := range bitsOf(i) {
			copy(damaged, main)
			damaged[i] ^= 1 << bit
			if len(checkSet(t, damaged, fields)) == 0 {
				t.Fatalf("bit %d of byte %d flipped, and nothing is wrong", bit, i)
			}
		}
		if len(checkSet(t, main[:i], fields)) == 0 {
			t.Fatalf("cut to %d bytes, and nothing is wrong", i)
		}
	}
}

// Damage to a sidecar or an occluder pack is a fault, or a value that the
// format leaves free.
func TestEveryFlipOfSidePacks(t *testing.T) {
	main, fields, colliders := smallSet(t)
	good := len(checkSet(t, main, fields)) // by deep rules that its made-up numbers break
	damaged := make([]byte, len(fields))
	unseen := 0
	for i := range fields {
		for _, bit := range bitsOf(i) {
			copy(damaged, fields)
			damaged[i] ^= 1 << bit
			if len(checkSet(t, main, damaged)) <= good {
				unseen++
			}
		}
		if len(checkSet(t, main, fields[:i])) == 0 {
			t.Fatalf("cut to %d bytes, and nothing is wrong", i)
		}
	}
	t.Logf("%d flips in %d bytes of the sidecar give no more faults than before", unseen, len(fields))
	for i := range colliders {
		for _, bit := range bitsOf(i) {
			b := append([]byte(nil), colliders...)
			b[i] ^= 1 << bit
			set := fstest.MapFS{"x.occluder": &fstest.MapFile{Data: b}}
			if _, err := verify.Pack(t.Context(), set, "x.occluder", nil); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func FuzzPack(f *testing.F) {
	main, fields, occluder := smallSet(f)
	f.Add(main, fields)
	f.Add(occluder, fields[:100])
	f.Fuzz(func(t *testing.T, main, fields []byte) {
		for _, x := range checkSet(t, main, fields) {
			if x.Kind == "" || x.Message == "" || x.Offset < 0 {
				t.Fatalf("not a proper fault: %+v", x)
			}
		}
	})
}

func BenchmarkPack(b *testing.B) {
	for _, deep := range []bool{false, true} {
		name := "plain"
		if deep {
			name = "deep"
		}
		b.Run(name, func(b *testing.B) {
			dir := wendtest.Data(b, "packs", "harbour")
			var n verify.Counts
			for b.Loop() {
				if _, err := verify.Pack(b.Context(), os.DirFS(dir), "harbour.nav.gz", &verify.Options{Deep: deep, Counts: &n}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n.Records)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}
