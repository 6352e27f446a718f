package unity_test

import (
	"fmt"
	"strings"

	"wend/scene/unity"
)

func ExampleRead() {
	// JsonUtility.ToJson of a NavMeshTriangulation.
	const text = `{"vertices": [{"x":0,"y":0,"z":0}, {"x":0,"y":0,"z":4}, {"x":4,"y":0,"z":4}, {"x":4,"y":0,"z":0}],
		"indices": [0, 1, 2, 0, 2, 3], "areas": [0, 1]}`
	s, report, err := unity.Read(strings.NewReader(text), "nav.json", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%g m² of ground\n", report.UpArea)
	for _, t := range s.Tris {
		fmt.Println("area", t.Area, "unwalkable:", t.Unwalkable)
	}
	// Output:
	// 16 m² of ground
	// area 0 unwalkable: false
	// area 1 unwalkable: true
}
