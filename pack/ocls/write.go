package ocls

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"wend/pack"
)

// Append appends a file with the scenes in their order. Names are 1 to 4096
// bytes of UTF-8 without NUL. It writes every number in the fewest bytes.
// Errors wrap sentinels of package pack; then dst is returned as it was.
func Append(dst []byte, scenes []Named) ([]byte, error) {
	if uint64(len(scenes)) > math.MaxUint32 {
		return dst, invalid(pack.ErrLimit, "%d scenes", len(scenes))
	}
	out := append(dst, magicFile...)
	out = binary.LittleEndian.AppendUint32(out, version)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(scenes)))
	for i, n := range scenes {
		if err := checkName(n.Name); err != nil {
			return dst, err
		}
		out = binary.LittleEndian.AppendUint16(out, uint16(len(n.Name)))
		out = append(out, n.Name...)
		at := len(out)
		out = append(out, 0, 0, 0, 0)
		var err error
		if out, err = AppendScene(out, scenes[i].Scene); err != nil {
			return dst, err
		}
		size := len(out) - at - 4
		if uint64(size) > math.MaxUint32 {
			return dst, invalid(pack.ErrLimit, "scene %q of %d bytes, want at most %d", n.Name, size, uint32(math.MaxUint32))
		}
		binary.LittleEndian.PutUint32(out[at:], uint32(size))
	}
	return out, nil
}

func checkName(name string) error {
	if len(name) == 0 || len(name) > pack.MaxName {
		return invalid(pack.ErrLimit, "name of %d bytes, want 1 to %d", len(name), pack.MaxName)
	}
	if !utf8.ValidString(name) {
		return invalid(pack.ErrRange, "name %q is not UTF-8", name)
	}
	for i := range len(name) {
		if name[i] == 0 {
			return invalid(pack.ErrRange, "name %q contains NUL", name)
		}
	}
	return nil
}

// AppendScene appends the encoded form of one scene, without a name.
func AppendScene(dst []byte, s *Scene) ([]byte, error) {
	if err := s.Validate(); err != nil {
		return dst, err
	}
	if max(uint64(len(s.Templates)), uint64(len(s.Instances)), uint64(len(s.Blocks))) > math.MaxUint32 {
		return dst, invalid(pack.ErrLimit, "%d templates, %d instances, %d blocks", len(s.Templates), len(s.Instances), len(s.Blocks))
	}
	le := binary.LittleEndian
	out := append(dst, magicScene...)
	out = le.AppendUint32(out, version)
	out = le.AppendUint32(out, uint32(len(s.Templates)))
	out = le.AppendUint32(out, uint32(len(s.Instances)))
	out = le.AppendUint32(out, uint32(len(s.Blocks)))
	out = le.AppendUint32(out, s.Samples)
	for _, v := range [4]float64{s.Step, s.Cell, s.Base, s.Rise} {
		out = pack.AppendF64(out, v)
	}
	out = le.AppendUint32(out, s.RotUnits)
	out = le.AppendUint32(out, s.ScaleBits)
	out = le.AppendUint64(out, uint64(s.OriginX))
	out = le.AppendUint64(out, uint64(s.OriginZ))

	for i, append := range [streamCount]func([]byte) []byte{
		s.appendTemplates, s.appendVertices, s.appendCorners, s.appendCounts, s.appendPositions, s.appendCodes,
		s.appendRotations, s.appendScales, s.appendMatrices, s.appendBlocks, s.appendHeights, s.appendHoles,
	} {
		at := len(out)
		out = append(le.AppendUint32(out, 0))
		size := len(out) - at - 4
		if uint64(size) > math.MaxUint32 {
			return dst, invalid(pack.ErrLimit, "stream %d of %d bytes, want at most %d", i, size, uint32(math.MaxUint32))
		}
		le.PutUint32(out[at:], uint32(size))
	}
	return out, nil
}

func (s *Scene) appendTemplates(b []byte) []byte {
	for i := range s.Templates {
		t := &s.Templates[i]
		b = pack.AppendUvarint(b, uint64(len(t.Verts)))
		b = pack.AppendUvarint(b, uint64(len(t.Tris)))
		b = pack.AppendVarint(b, int64(t.Exp))
	}
	return b
}

func (s *Scene) appendVertices(b []byte) []byte {
	for i := range s.Templates {
		for axis := range 3 {
			last := int64(0)
			for _, v := range s.Templates[i].Verts {
				b = pack.AppendVarint(b, v[axis]-last)
				last = v[axis]
			}
		}
	}
	return b
}

func (s *Scene) appendCorners(b []byte) []byte {
	for i := range s.Templates {
		next := uint32(0)
		for _, tri := range s.Templates[i].Tris {
			for _, c := range tri {
				b = pack.AppendUvarint(b, uint64(next-c))
				if c == next {
					next++
				}
			}
		}
	}
	return b
}

func (s *Scene) appendCounts(b []byte) []byte {
	at := 0
	for i := range s.Templates {
		first := at
		for at < len(s.Instances) && s.Instances[at].Template == uint32(i) {
			at++
		}
		b = pack.AppendUvarint(b, uint64(at-first))
	}
	return b
}

func (s *Scene) appendPositions(b []byte) []byte {
	for axis := range 3 {
		last := int64(0)
		for i := range s.Instances {
			v := s.Instances[i].Pos[axis]
			b = pack.AppendVarint(b, v-last)
			last = v
		}
	}
	return b
}

func (s *Scene) appendCodes(b []byte) []byte {
	for i := range s.Instances {
		b = append(b, s.Instances[i].Code)
	}
	return b
}

func (s *Scene) appendRotations(b []byte) []byte {
	for k := range 3 {
		for i := range s.Instances {
			if in := &s.Instances[i]; in.Code != CodeMatrix {
				b = pack.AppendVarint(b, in.Rot[k])
			}
		}
	}
	return b
}

func (s *Scene) appendScales(b []byte) []byte {
	b = pack.AppendUvarint(b, uint64(len(s.Palette)))
	for _, p := range s.Palette {
		for _, v := range p {
			b = pack.AppendVarint(b, v)
		}
	}
	for i := range s.Instances {
		if in := &s.Instances[i]; in.Code != CodeMatrix {
			b = pack.AppendUvarint(b, uint64(in.Use))
		}
	}
	return b
}

func (s *Scene) appendMatrices(b []byte) []byte {
	for i := range s.Matrices {
		for _, v := range s.Matrices[i] {
			b = pack.AppendF32(b, v)
		}
	}
	return b
}

func (s *Scene) appendBlocks(b []byte) []byte {
	var x, z int64
	for i := range s.Blocks {
		k := &s.Blocks[i]
		b = pack.AppendVarint(b, k.X-x)
		b = pack.AppendVarint(b, k.Z-z)
		x, z = k.X, k.Z
		if k.Holes == nil {
			b = append(b, 0)
		} else {
			b = append(b, 1)
		}
	}
	return b
}

func (s *Scene) appendHeights(b []byte) []byte {
	first := int32(0)
	for i := range s.Blocks {
		k := s.Blocks[i].Heights
		for j, v := range k {
			b = pack.AppendVarint(b, int64(v)-predict(k, j, int(s.Samples), first))
		}
		first = k[0]
	}
	return b
}

func (s *Scene) appendHoles(b []byte) []byte {
	for i := range s.Blocks {
		b = append(b, s.Blocks[i].Holes...)
	}
	return b
}
