package gltf

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"testing"
)

// vector is a compressed bufferView and what it stands for, made with the
// encoder and the decoder of the npm package meshoptimizer 1.3.0.
type vector struct {
	Name, Mode, Filter  string
	Count, Stride       int
	Compressed, Decoded []byte
}

func vectors(t testing.TB) []vector {
	name := "testdata/meshopt.json"
	if other := os.Getenv("WEND_MESHOPT"); other != "" {
		name = other
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var vs []vector
	if err := json.Unmarshal(data, &vs); err != nil {
		t.Fatal(err)
	}
	return vs
}

func (v *vector) decode(src []byte) ([]byte, error) {
	var out []byte
	var err error
	switch v.Mode {
	case "ATTRIBUTES":
		out, err = decodeAttributes(src, v.Count, v.Stride)
		if err == nil {
			err = applyFilter(out, v.Filter, v.Stride)
		}
	case "TRIANGLES":
		out, err = decodeTriangles(src, v.Count, v.Stride)
	case "INDICES":
		out, err = decodeIndices(src, v.Count, v.Stride)
	}
	return out, err
}

func TestMeshoptVectors(t *testing.T) {
	for i, v := range vectors(t) {
		got, err := v.decode(v.Compressed)
		if err != nil {
			t.Errorf("%d %s: %v", i, v.Name, err)
			continue
		}
		if v.Filter == "QUATERNION" { // the package computes in float32
			for k := 0; k+2 <= min(len(got), len(v.Decoded)); k += 2 {
				a, b := int16(binary.LittleEndian.Uint16(got[k:])), int16(binary.LittleEndian.Uint16(v.Decoded[k:]))
				if int(a)-int(b) == 1 || int(b)-int(a) == 1 {
					copy(got[k:], v.Decoded[k:k+2])
				}
			}
		}
		if !bytes.Equal(got, v.Decoded) {
			k := 0
			for k < len(got) && k < len(v.Decoded) && got[k] == v.Decoded[k] {
				k++
			}
			t.Errorf("%d %s: %d bytes differ from byte %d of %d on", i, v.Name, len(got), k, len(v.Decoded))
		}
	}
}

// Cut streams are errors, and flipped bits never more than wrong numbers.
func TestMeshoptDamage(t *testing.T) {
	for _, v := range vectors(t) {
		for n := range v.Compressed {
			if _, err := v.decode(v.Compressed[:n]); err == nil {
				t.Errorf("%s: cut to %d of %d bytes, no error", v.Name, n, len(v.Compressed))
			}
		}
		if _, err := v.decode(append(bytes.Clone(v.Compressed), 0)); err == nil && v.Mode != "ATTRIBUTES" {
			t.Errorf("%s: a byte more, no error", v.Name)
		}
		flipped := bytes.Clone(v.Compressed)
		for i := range flipped {
			for bit := range 8 {
				flipped[i] ^= 1 << bit
				out, err := v.decode(flipped)
				if err == nil && len(out) != len(v.Decoded) {
					t.Errorf("%s: %d bytes, want %d", v.Name, len(out), len(v.Decoded))
				}
				if i == 0 && err == nil && v.Mode == "ATTRIBUTES" {
					t.Errorf("%s: header %#x passes", v.Name, flipped[0])
				}
				flipped[i] ^= 1 << bit
			}
		}
		v.Count = 1 << 40 / 3 * 3
		if _, err := v.decode(v.Compressed); !errors.Is(err, errShort) && !errors.Is(err, errTooDense) {
			t.Errorf("%s: 2^40 elements: %v", v.Name, err)
		}
	}
}

func BenchmarkMeshopt(b *testing.B) {
	for _, v := range vectors(b) {
		b.Run(v.Name, func(b *testing.B) {
			b.SetBytes(int64(len(v.Decoded)))
			for b.Loop() {
				if _, err := v.decode(v.Compressed); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
