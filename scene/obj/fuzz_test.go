package obj_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"wend/scene"
	"wend/scene/obj"
)

func FuzzRead(f *testing.F) {
	for _, text := range []string{
		l6 + "f 1 2 3 4 5 6\n",
		l6 + "o a\ng b c\nusemtl d # e\nf -6/1/1 -5//2 -4/3 \\\r\n -3 -2 -1#x\r\n",
		"\xef\xbb\xbfv 1e-5 -.5 +3. 1 1 1\rv 0 0 0\rv 1 0 0\rf 1 2 3 4\rv 5 5 5",
		"v 0 0 0\nv 9 0 0\nv 9 0 9\nv 0 0 9\nf 1 3 2 4 1 1 2\nf 4 3 2 1 4 2\np 1\nl 1 2\n",
		"v 1e300 1e300 0\nv 5e-324 0 0\nv -1e300 0 1\nf 1 2 3 2 1",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, r, err := obj.Read(bytes.NewReader(data), "x", nil)
		slow, _, slowErr := obj.Read(iotest.OneByteReader(bytes.NewReader(data)), "x", nil)
		if diff := cmp.Diff(s, slow); diff != "" {
			t.Errorf("differs when read byte by byte: %s", diff)
		}
		if err != nil {
			if s != nil || r != nil || slowErr == nil || slowErr.Error() != err.Error() {
				t.Errorf("error %v, byte by byte %v", err, slowErr)
			}
			return
		}
		if err := s.Validate(); err != nil {
			t.Error(err)
		}
		if r.Read != r.Kept+r.DroppedTotal() || r.Kept != len(s.Tris) || r.Read > len(data) {
			t.Errorf("%s", r)
		}
	})
}

func ExampleRead() {
	const text = `
v 0 0 0
v 0 0 4
v 2 0 4
v 2 0 2
v 4 0 2
v 4 0 0
usemtl tiles
f -6 -5 -4 -3 -2 -1  # one concave polygon
`
	s, report, err := obj.Read(strings.NewReader(text), "l.obj", &scene.Options{Unit: scene.Foot})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d triangles of %s, %.3f m²\n", len(s.Tris), s.Parts[0].Material, report.UpArea)
	// Output:
	// 4 triangles of tiles, 1.115 m²
}
