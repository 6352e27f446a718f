package movingai_test

import (
	"context"
	"fmt"
	"strings"

	"wend/grid"
	"wend/grid/movingai"
)

// A map and its scenarios: every query is searched and compared with the length
// that was published.
func Example() {
	m, err := movingai.ReadMap(strings.NewReader("type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.....\n"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	list, err := movingai.ReadScenarios(strings.NewReader("version 1\n1\troom.map\t5\t3\t0\t0\t4\t2\t6.00000\n"))
	if err == nil {
		err = movingai.Check(m, list)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	q := grid.NewQuery()
	for _, s := range list {
		r, err := q.Find(context.Background(), m, s.Start, s.End, &grid.Options{Algorithm: grid.JPS})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r.Status, r.Cost, r.Cost-s.Optimal < s.Tolerance)
	}
	// Output: complete 6 true
}

// A fault comes with its place.
func ExampleSyntaxError() {
	_, err := movingai.ReadMap(strings.NewReader("type octile\nheight 2\nwidth 3\nmap\n...\n.x.\n"), nil)
	fmt.Println(err)
	// Output: movingai: line 6 column 2: unknown symbol: 'x'
}
