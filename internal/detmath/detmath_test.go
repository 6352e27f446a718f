package detmath

import (
	"math"
	"testing"
)

func TestExactAngles(t *testing.T) {
	for _, tt := range []struct {
		name      string
		f         func(float64) float64
		deg, want float64
	}{
		{"cos 0", CosDeg, 0, 1},
		{"cos 60", CosDeg, 60, 0.5},
		{"cos 90", CosDeg, 90, 0},
		{"sin 0", SinDeg, 0, 0},
		{"sin 30", SinDeg, 30, 0.5},
		{"sin 90", SinDeg, 90, 1},
		{"tan 0", TanDeg, 0, 0},
		{"tan 45", TanDeg, 45, 1},
	} {
		if got := tt.f(tt.deg); got != tt.want {
			t.Errorf("%s = %v, want exactly %v", tt.name, got, tt.want)
		}
	}
}

// The math package is good to the last bit or two, if not to the same bits
// everywhere.
func TestAgainstMath(t *testing.T) {
	for i := 0; i <= 90000; i++ {
		deg := float64(i) / 1000
		rad := deg * math.Pi / 180
		if got, want := SinDeg(deg), math.Sin(rad); math.Abs(got-want) > 5e-16 {
			t.Fatalf("SinDeg(%v) = %v, math says %v", deg, got, want)
		}
		if got, want := CosDeg(deg), math.Cos(rad); math.Abs(got-want) > 5e-16 {
			t.Fatalf("CosDeg(%v) = %v, math says %v", deg, got, want)
		}
	}
}

// Bits that every platform must reproduce.
func TestGoldenBits(t *testing.T) {
	for _, tt := range []struct {
		deg  float64
		want uint64
	}{
		{1, 0x3f91df0b2b89dd1e},
		{12.5, 0x3fcbb44b13b62571},
		{37, 0x3fe342119455beb6},
		{45, 0x3fe6a09e667f3bcc},
		{51, 0x3fe8de613515a328},
		{80, 0x3fef838b8c811c17},
	} {
		if got := math.Float64bits(SinDeg(tt.deg)); got != tt.want {
			t.Errorf("SinDeg(%v) = %#x, want %#x", tt.deg, got, tt.want)
		}
	}
}
