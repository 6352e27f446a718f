package detour_test

import (
	"bytes"
	"fmt"

	"wend/navmesh"
	"wend/navmesh/detour"
)

func Example() {
	params, tiles := small()
	var file bytes.Buffer
	if err := detour.Write(&file, params, tiles); err != nil {
		fmt.Println(err)
		return
	}
	params, tiles, err := detour.Read(file.Bytes(), "town.bin")
	if err != nil {
		fmt.Println(err)
		return
	}
	m, _, err := navmesh.New(params, tiles)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Len(), "polygons in", m.TileLen(), "tiles")

	_, _, err = detour.Read([]byte("o cube\nv 0 0 0\n"), "town.obj")
	fmt.Println(err)
	// Output:
	// 8 polygons in 2 tiles
	// detour: town.obj: set header at byte 0: not a navmesh set: first word 0x7563206f, want 0x4d534554 (MSET)
}
