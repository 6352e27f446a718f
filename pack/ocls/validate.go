package ocls

import (
	"fmt"

	"wend/pack"
)

// invalid is an error of a scene in memory, which has no byte offset.
func invalid(sentinel error, format string, args ...any) error {
	return fmt.Errorf("ocls: %w: "+format, append([]any{sentinel}, args...)...)
}

func finite(v float64) bool { return v-v == 0 }

// inSteps reports whether v is a sum of steps that float64 holds exactly.
func inSteps(v int64) bool { return v >= -maxSteps && v <= maxSteps }

// addSteps adds two step counts and reports whether the sum is in range.
func addSteps(a, b int64) (int64, bool) {
	if !inSteps(a) || b < -2*maxSteps || b > 2*maxSteps {
		return 0, false
	}
	return a + b, inSteps(a + b)
}

// Validate returns an error unless a file can hold s: the rules are those of
// the fields' comments. Every scene that was read is valid. The error wraps a
// sentinel of package pack. O(n).
func (s *Scene) Validate() error {
	if err := s.checkHeader(); err != nil {
		return err
	}
	for i := range s.Templates {
		if err := s.Templates[i].check(i); err != nil {
			return err
		}
	}
	if err := s.checkInstances(); err != nil {
		return err
	}
	return s.checkBlocks()
}

func (s *Scene) checkHeader() error {
	switch {
	case !(s.Step > 0) || !finite(s.Step):
		return invalid(pack.ErrRange, "step %v, want a finite number above 0", s.Step)
	case !finite(s.Cell) || len(s.Blocks) > 0 && !(s.Cell > 0):
		return invalid(pack.ErrRange, "terrain cell %v, want a finite number above 0", s.Cell)
	case !finite(s.Base):
		return invalid(pack.ErrNonFinite, "base height %v", s.Base)
	case !finite(s.Rise):
		return invalid(pack.ErrNonFinite, "height step %v", s.Rise)
	case s.RotUnits == 0:
		return invalid(pack.ErrRange, "rotation units 0")
	case s.ScaleBits > maxBits:
		return invalid(pack.ErrRange, "scale of %d bits, want at most %d", s.ScaleBits, maxBits)
	case len(s.Blocks) > 0 && s.Samples < 2:
		return invalid(pack.ErrRange, "blocks of %d samples a side, want at least 2", s.Samples)
	}
	return nil
}

func (t *Template) check(i int) error {
	if t.Exp < -maxExp || t.Exp > maxExp {
		return invalid(pack.ErrRange, "template %d: exponent %d, want -%d to %d", i, t.Exp, maxExp, maxExp)
	}
	for k, v := range t.Verts {
		if !inSteps(v[0]) || !inSteps(v[1]) || !inSteps(v[2]) {
			return invalid(pack.ErrRange, "template %d: vertex %d at %v steps, want within 2^53", i, k, v)
		}
	}
	next := uint32(0)
	for k, tri := range t.Tris {
		for _, c := range tri {
			if c > next || uint64(c) >= uint64(len(t.Verts)) {
				return invalid(pack.ErrRange, "template %d: triangle %d has corner %d, want at most %d: vertices are in order of first use",
					i, k, c, min(int(next), len(t.Verts)-1))
			}
			if c == next {
				next++
			}
		}
	}
	if int(next) != len(t.Verts) {
		return invalid(pack.ErrCount, "template %d: triangles use %d of %d vertices", i, next, len(t.Verts))
	}
	return nil
}

func (s *Scene) checkInstances() error {
	last, matrices := uint32(0), 0
	for i := range s.Instances {
		in := &s.Instances[i]
		if in.Template < last || uint64(in.Template) >= uint64(len(s.Templates)) {
			return invalid(pack.ErrRange, "instance %d: template %d, want %d to %d: instances are in order of templates",
				i, in.Template, last, len(s.Templates)-1)
		}
		last = in.Template
		_, okX := addSteps(in.Pos[0], s.OriginX)
		_, okZ := addSteps(in.Pos[2], s.OriginZ)
		if !okX || !okZ || !inSteps(in.Pos[1]) {
			return invalid(pack.ErrRange, "instance %d: at %v steps, want within 2^53", i, in.Pos)
		}
		switch {
		case in.Code > CodeMatrix:
			return invalid(pack.ErrRange, "instance %d: rotation code %d, want 0 to %d", i, in.Code, CodeMatrix)
		case in.Code == CodeMatrix:
			if int(in.Use) != matrices || matrices >= len(s.Matrices) {
				return invalid(pack.ErrRange, "instance %d: matrix %d of %d, want %d: matrices are in order of instances",
					i, in.Use, len(s.Matrices), matrices)
			}
			for _, v := range s.Matrices[matrices] {
				if v-v != 0 {
					return invalid(pack.ErrNonFinite, "instance %d: matrix entry %v", i, v)
				}
			}
			matrices++
			if in.Rot != [3]int64{} {
				return invalid(pack.ErrRange, "instance %d: rotation %v beside a matrix", i, in.Rot)
			}
		default:
			if uint64(in.Use) >= uint64(len(s.Palette)) {
				return invalid(pack.ErrRange, "instance %d: scale %d of %d", i, in.Use, len(s.Palette))
			}
			for _, r := range in.Rot {
				if r > int64(s.RotUnits) || r < -int64(s.RotUnits) {
					return invalid(pack.ErrRange, "instance %d: rotation %v, want within %d", i, in.Rot, s.RotUnits)
				}
			}
		}
	}
	if matrices != len(s.Matrices) {
		return invalid(pack.ErrCount, "%d matrices for %d instances", len(s.Matrices), matrices)
	}
	return nil
}

func (s *Scene) checkBlocks() error {
	if len(s.Blocks) == 0 {
		return nil
	}
	n := int(s.Samples)
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if n > maxSamples || len(b.Heights) != n*n {
			return invalid(pack.ErrCount, "block %d: %d samples, want %d by %d", i, len(b.Heights), n, n)
		}
		_, okX := addSteps(b.X, s.OriginX)
		_, okZ := addSteps(b.Z, s.OriginZ)
		if !okX || !okZ {
			return invalid(pack.ErrRange, "block %d: at %d, %d steps, want within 2^53", i, b.X, b.Z)
		}
		if b.Holes == nil {
			continue
		}
		if len(b.Holes) != holeBytes(n) {
			return invalid(pack.ErrCount, "block %d: %d bytes of holes, want %d", i, len(b.Holes), holeBytes(n))
		}
		if rest := spareBits(b.Holes, n); rest != 0 {
			return invalid(pack.ErrRange, "block %d: bits %#02x after the last cell of the hole list", i, rest)
		}
	}
	return nil
}

// spareBits returns the bits of a hole list behind its last cell.
func spareBits(holes []byte, n int) byte {
	used := (n - 1) * (n - 1) % 8
	if used == 0 {
		return 0
	}
	return holes[len(holes)-1] >> used << used
}
