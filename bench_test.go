package wend_test

import (
	"testing"

	"wend"
)

// One operation is a whole request: both ends snapped, the search, the
// straightened route. Queries go round the peer's list.
func BenchmarkPlan(b *testing.B) {
	for _, l := range peerLevels {
		b.Run(l.name, func(b *testing.B) {
			w, _ := l.bake(b, nil)
			queries := l.queries(b, 1)
			q := w.NewQuery()
			var r wend.Route
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				c := &queries[i%len(queries)]
				if err := q.PlanInto(b.Context(), &r, c.from, c.to, wend.Agent{}, nil); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}
