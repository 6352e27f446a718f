package obj_test

import (
	"bytes"
	"os"
	"testing"

	"wend/internal/wendtest"
	"wend/scene/obj"
)

func BenchmarkRead(b *testing.B) {
	for _, name := range []string{"nav_test.obj", "dungeon.obj", "sauerbraten-pandora.obj"} {
		b.Run(name, func(b *testing.B) {
			data, err := os.ReadFile(wendtest.Data(b, "levels", name))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := obj.Read(bytes.NewReader(data), name, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
