// Package numtext reads decimal numbers from bytes without allocating.
package numtext

import "strconv"

// Status says how Float fared.
type Status uint8

const (
	OK       Status = iota
	Syntax          // not a decimal number
	Overflow        // larger than a float64 can hold
)

// pow10 holds the powers of ten that a float64 holds exactly.
var pow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// maxExactDigits is how many decimal digits surely fit below 2^53.
const maxExactDigits = 15

// Float reads a whole decimal number: sign, digits with at most one point,
// exponent. The result is the nearest float64, the same that
// strconv.ParseFloat gives. Names such as "inf" and "nan", hexadecimal forms
// and underscores are Syntax. A number too small to hold becomes 0 with its
// sign.
//
// Numbers of at most 15 digits take the short way of W. D. Clinger, "How to
// read floating point numbers accurately" (1990): mantissa and power of ten
// are exact in float64, so one division or product rounds once.
func Float(b []byte) (float64, Status) {
	i, n := 0, len(b)
	neg := false
	if i < n && (b[i] == '-' || b[i] == '+') {
		neg = b[i] == '-'
		i++
	}
	var mant uint64
	digits, frac := 0, 0 // digits seen; of them behind the point
	significant := 0     // digits from the first that is not zero
	point := false
	for ; i < n; i++ {
		c := b[i]
		if d := c - '0'; d <= 9 {
			digits++
			if point {
				frac++
			}
			if significant > 0 || d != 0 {
				significant++
			}
			mant = mant*10 + uint64(d) // may wrap; then significant is too large for the short way
			continue
		}
		if c != '.' || point {
			break
		}
		point = true
	}
	if digits == 0 {
		return 0, Syntax
	}
	exp := 0
	if i < n && (b[i] == 'e' || b[i] == 'E') {
		i++
		eneg := false
		if i < n && (b[i] == '-' || b[i] == '+') {
			eneg = b[i] == '-'
			i++
		}
		if i == n {
			return 0, Syntax
		}
		for ; i < n; i++ {
			d := b[i] - '0'
			if d > 9 {
				return 0, Syntax
			}
			if exp < 100000 { // beyond it only the order of magnitude matters
				exp = exp*10 + int(d)
			}
		}
		if eneg {
			exp = -exp
		}
	}
	if i != n {
		return 0, Syntax
	}
	e := exp - frac
	if significant <= maxExactDigits && e >= -22 && e <= 22 {
		f := float64(mant)
		if e < 0 {
			f /= pow10[-e]
		} else {
			f *= pow10[e]
		}
		if neg {
			f = -f
		}
		return f, OK
	}
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return 0, Overflow // the syntax has been checked above
	}
	return f, OK
}
