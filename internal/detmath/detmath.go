// Package detmath computes trigonometric functions whose bits are the same on
// every platform. The math package uses assembly and fused operations on some
// of them, so its last bits differ.
package detmath

// CosDeg returns the cosine of an angle in degrees, for 0 <= deg <= 90. The
// error is below 5e-16; 0, 60 and 90 degrees give exactly 1, 0.5 and 0.
func CosDeg(deg float64) float64 { return SinDeg(90 - deg) }

// SinDeg returns the sine of an angle in degrees, for 0 <= deg <= 90. The
// error is below 5e-16; 0, 30 and 90 degrees give exactly 0, 0.5 and 1.
func SinDeg(deg float64) float64 {
	switch deg {
	case 30:
		return 0.5
	case 90:
		return 1
	}
	const radPerDeg = 0.017453292519943295
	if deg > 45 {
		return taylor((90-deg)*radPerDeg, 1, 0)
	}
	x := deg * radPerDeg
	return taylor(x, x, 1)
}

// TanDeg returns the tangent of an angle in degrees, for 0 <= deg < 90.
// 45 degrees give exactly 1.
func TanDeg(deg float64) float64 {
	if deg == 45 {
		return 1
	}
	return SinDeg(deg) / CosDeg(deg)
}

// taylor sums the series whose first term is first and whose k-th term is the
// one before times -x²/((n+1)(n+2)), n growing by 2. For |x| <= pi/4 twelve
// terms leave nothing. They are added smallest first.
func taylor(x, first float64, n int) float64 {
	const terms = 12
	var t [terms]float64
	t[0] = first
	for i := 1; i < terms; i++ {
		d := float64((n + 1) * (n + 2))
		t[i] = -float64(float64(t[i-1]*x)*x) / d
		n += 2
	}
	sum := 0.0
	for i := terms - 1; i >= 0; i-- {
		sum += t[i]
	}
	return sum
}
