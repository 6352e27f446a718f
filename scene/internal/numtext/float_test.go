package numtext

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// same compares with strconv, which is the definition of right here.
func same(t *testing.T, s string) {
	t.Helper()
	want, err := strconv.ParseFloat(s, 64)
	got, st := Float([]byte(s))
	switch {
	case errors.Is(err, strconv.ErrRange):
		if st != Overflow {
			t.Errorf("Float(%q) = %v, %v, want overflow", s, got, st)
		}
	case err != nil:
		if st != Syntax {
			t.Errorf("Float(%q) = %v, %v, want a syntax error", s, got, st)
		}
	case st != OK || math.Float64bits(got) != math.Float64bits(want):
		t.Errorf("Float(%q) = %v, %v, want %v", s, got, st, want)
	}
}

func TestFloatForms(t *testing.T) {
	for _, s := range []string{
		"0", "-0", "+0", "1", "-1", "+1.5", ".5", "5.", "-.25", "1e3", "1E+3", "1e-3", "12.34e2",
		"0.1", "0.2", "0.30000000000000004", "123456789012345", "1234567890123456", "9007199254740993",
		"12345678901234567890123", "0.000000000000000000000001", "00000000000000000000001.5",
		"1e22", "1e23", "1e-22", "1e-23", "1e300", "1e308", "1.8e308", "-1e999", "1e99999999999", "5e-324", "1e-999", "-1e-999",
		"0e99999", "0.0000000000000000000000000000000000000000e5",
		"", "-", "+", ".", "-.", "e5", "1e", "1e+", "1.2.3", "1,5", "1a", "--1", "1 ", " 1", "1e5.0",
	} {
		same(t, s)
	}
}

// Forms that strconv takes but level files must not hold.
func TestFloatRefuses(t *testing.T) {
	for _, s := range []string{"nan", "NaN", "inf", "-Inf", "infinity", "0x1p-2", "1_000", "1.#QNAN", "1.#INF"} {
		if f, st := Float([]byte(s)); st != Syntax {
			t.Errorf("Float(%q) = %v, %v, want a syntax error", s, f, st)
		}
	}
}

func TestFloatRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200000 {
		v := (r.Float64() - 0.5) * pow10[r.IntN(8)]
		same(t, strconv.FormatFloat(v, 'f', r.IntN(12), 64))
		if w := math.Float64frombits(r.Uint64()); w-w == 0 { // finite
			same(t, strconv.FormatFloat(w, 'g', 1+r.IntN(18), 64))
		}
		if t.Failed() {
			return
		}
	}
}

func FuzzFloat(f *testing.F) {
	for _, s := range []string{"1.5", "-0.000123", "1e10", "17976931348623157e292", "1e-400"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, st := Float([]byte(s))
		if st == OK {
			want, err := strconv.ParseFloat(s, 64)
			if err != nil || math.Float64bits(got) != math.Float64bits(want) {
				t.Errorf("Float(%q) = %v, want %v, %v", s, got, want, err)
			}
		}
	})
}

func TestFloatAllocatesNothing(t *testing.T) {
	in := []byte("-123.456789")
	if n := testing.AllocsPerRun(100, func() { Float(in) }); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

func BenchmarkFloat(b *testing.B) {
	in := []byte("-123.456789")
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		Float(in)
	}
}
