package sample_test

import (
	"fmt"

	"wend/scene/sample"
)

func Example() {
	town := sample.Town()
	fmt.Println(len(town.Links), "links")
	for _, t := range sample.Trips()[:3] {
		fmt.Printf("%s: from %v to %v\n", t.Name, t.From, t.To)
	}
	// Output:
	// 2 links
	// across town: from {-58 0 0} to {58 0 0}
	// through the tunnel: from {-1.05 0 -5} to {-58 0 0}
	// over the hill: from {-42 0 0} to {-42 8 0}
}
