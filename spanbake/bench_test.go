package spanbake

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"

	"wend/bake"
	"wend/scene/sample"
)

// BenchmarkCity bakes a layered city; WEND_CITY sets its blocks a side (18 give
// more than 20 million records). It reports records a second and worker, bytes a
// record, and the largest heap seen at the end of a stage.
func BenchmarkCity(b *testing.B) {
	n := 3
	if s := os.Getenv("WEND_CITY"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			b.Fatal(err)
		}
	}
	ctx := context.Background()
	sc := sample.City(n)
	p := bake.Human()
	p.Navmesh.Tiling = bake.TilingOn
	res, err := bake.Run(ctx, sc, p, nil)
	if err != nil {
		b.Fatal(err)
	}
	rules, err := RulesFor(&p)
	if err != nil {
		b.Fatal(err)
	}
	in, _, err := FromNavmesh(ctx, res.Meshes[0].Mesh, sc, &Level{
		Zone: "city", Cell: p.Navmesh.Cell, Rules: rules, WeldHeight: p.Agent.MaxClimb, Body: p.Agent,
	})
	if err != nil {
		b.Fatal(err)
	}
	res = nil
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			var rep *Report
			for b.Loop() {
				runtime.GC()
				out, err := Run(ctx, in, &Options{Workers: workers, Dir: b.TempDir()})
				if err != nil {
					b.Fatal(err)
				}
				rep = out.Report
			}
			records := float64(rep.Zones[0].Records)
			b.ReportMetric(records, "records")
			b.ReportMetric(records*float64(b.N)/b.Elapsed().Seconds()/float64(workers), "records/s/worker")
			b.ReportMetric(float64(rep.Bytes.Main+rep.Bytes.Fields)/records, "B/record")
			heap := uint64(0)
			for _, s := range rep.Stages {
				heap = max(heap, s.Heap)
				b.ReportMetric(s.Time.Seconds(), s.Stage+"-s")
			}
			b.ReportMetric(float64(heap)/(1<<20), "MiB-heap")
		})
	}
}
