package gltf_test

import (
	"encoding/json"
	"os"
	"testing"
)

// compressed is a bufferView as EXT_meshopt_compression has it.
type compressed struct {
	Name, Mode    string
	Count, Stride int
	Compressed    []byte
}

// vector returns one of the compressed bufferViews in testdata.
func vector(t testing.TB, name string) compressed {
	t.Helper()
	data, err := os.ReadFile("testdata/meshopt.json")
	if err != nil {
		t.Fatal(err)
	}
	var vs []compressed
	if err := json.Unmarshal(data, &vs); err != nil {
		t.Fatal(err)
	}
	for _, v := range vs {
		if v.Name == name {
			return v
		}
	}
	t.Fatalf("no vector %q", name)
	return compressed{}
}
