// Command peer bakes the same levels and answers the same queries with wend,
// with Recast and Detour in C++ (Debian's librecast-dev) and with
// recast-navigation in wasm (npm), one after the other on one machine, and
// prints the figures side by side. Only ratios within one run mean something.
//
//	go run ./bench/peer -data DIR [-runs 10]
//
// DIR holds levels/LEVEL.obj and queries/route-LEVEL.csv (columns id, sx, sy,
// sz, gx, gy, gz). A peer that is not installed is left out, with the command
// that installs it.
package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"wend"
	"wend/bake"
	"wend/geom"
	"wend/scene"
	"wend/scene/level"
)

var levels = []struct {
	name  string
	scale float64
}{
	{"nav_test", 1}, {"dungeon", 1}, {"sauerbraten-pandora", 0.125}, {"tesseract-complex", 0.125},
}

// figures is what every program prints.
type figures struct {
	Peer     string             `json:"peer"`
	BakeUS   map[string]float64 `json:"bake_us"`
	Polys    int                `json:"polys"`
	Queries  int                `json:"queries"`
	Complete int                `json:"complete"`
	Length   float64            `json:"length"`
	QueryUS  struct {
		P50 float64 `json:"p50"`
		P99 float64 `json:"p99"`
	} `json:"query_us"`
}

func main() {
	log.SetFlags(0)
	data := flag.String("data", "", "folder with levels and queries")
	runs := flag.Int("runs", 10, "bakes of each level; the best counts")
	flag.Parse()
	if *data == "" || *runs < 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(context.Background(), *data, *runs); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, data string, runs int) error {
	tmp, err := os.MkdirTemp("", "wend-peer")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	peers := findPeers(ctx, tmp)
	for _, l := range levels {
		obj := filepath.Join(data, "levels", l.name+".obj")
		queries := filepath.Join(data, "queries", "route-"+l.name+".csv")
		scale := strconv.FormatFloat(l.scale, 'g', -1, 64)
		fmt.Printf("\n%s\n", l.name)
		fmt.Printf("%-26s %9s %8s %8s %9s %12s %8s %8s\n", "", "bake ms", "polys", "complete", "queries", "length m", "p50 us", "p99 us")
		for _, p := range peers {
			out, err := exec.CommandContext(ctx, p[0], append(p[1:], obj, scale, queries, strconv.Itoa(runs))...).Output()
			if err != nil {
				return fmt.Errorf("%s: %w", p[0], err)
			}
			var f figures
			if err := json.Unmarshal(out, &f); err != nil {
				return fmt.Errorf("%s: %w", p[0], err)
			}
			f.print()
		}
		for _, workers := range []int{1, 2} {
			f, err := measure(ctx, obj, l.scale, queries, runs, workers)
			if err != nil {
				return err
			}
			f.print()
		}
	}
	return nil
}

func (f *figures) print() {
	fmt.Printf("%-26s %9.1f %8d %8d %9d %12.1f %8.2f %8.2f\n",
		f.Peer, f.BakeUS["total"]/1000, f.Polys, f.Complete, f.Queries, f.Length, f.QueryUS.P50, f.QueryUS.P99)
	var stages []string
	for s := range f.BakeUS {
		if s != "total" {
			stages = append(stages, s)
		}
	}
	if len(stages) == 0 {
		return
	}
	slices.Sort(stages)
	fmt.Print("   ")
	for _, s := range stages {
		fmt.Printf(" %s %.1f", s, f.BakeUS[s]/1000)
	}
	fmt.Println()
}

// findPeers returns the command lines of the peers that can be run here.
func findPeers(ctx context.Context, tmp string) [][]string {
	var peers [][]string
	bin := filepath.Join(tmp, "recast")
	build := exec.CommandContext(ctx, "g++", "-O2", "-DNDEBUG", "-I/usr/include/recastnavigation",
		"bench/peer/recast/main.cpp", "-lRecast", "-lDetour", "-o", bin)
	if out, err := build.CombinedOutput(); err != nil {
		log.Printf("no C++ peer (apt-get install g++ librecast-dev): %v\n%s", err, out)
	} else {
		peers = append(peers, []string{bin})
	}
	if _, err := os.Stat("bench/peer/wasm/node_modules"); err != nil {
		log.Print("no wasm peer (npm ci --prefix bench/peer/wasm)")
	} else {
		peers = append(peers, []string{"node", "bench/peer/wasm/main.mjs"})
	}
	return peers
}

// measure bakes and queries with wend, as the peers do.
func measure(ctx context.Context, obj string, scale float64, queries string, runs, workers int) (*figures, error) {
	sc, _, err := level.Open(os.DirFS(filepath.Dir(obj)), filepath.Base(obj), &level.Options{Options: scene.Options{Scale: scale}})
	if err != nil {
		return nil, err
	}
	f := &figures{Peer: fmt.Sprintf("wend, workers %d", workers), BakeUS: map[string]float64{}}
	var world *wend.World
	best := time.Duration(0)
	for range runs {
		start := time.Now()
		w, rep, err := wend.Bake(ctx, sc, bake.Human(), &bake.Options{Workers: workers})
		if err != nil {
			return nil, err
		}
		if took := time.Since(start); best == 0 || took < best {
			best, world, f.Polys = took, w, rep.Bodies[0].Polygons
			for _, s := range rep.Bodies[0].Stages {
				f.BakeUS[s.Stage] = float64(s.Time) / 1e3
			}
		}
	}
	f.BakeUS["total"] = float64(best) / 1e3

	ends, err := readQueries(queries)
	if err != nil {
		return nil, err
	}
	f.Queries = len(ends)
	q := world.NewQuery()
	var r wend.Route
	var us []float64
	for range 2 { // the first warms up
		us, f.Complete, f.Length = us[:0], 0, 0
		for _, e := range ends {
			start := time.Now()
			err := q.PlanInto(ctx, &r, e[0], e[1], wend.Agent{}, nil)
			us = append(us, float64(time.Since(start))/1e3)
			if err != nil {
				return nil, err
			}
			if r.Status == wend.Complete {
				f.Complete++
				f.Length += r.Length
			}
		}
	}
	slices.Sort(us)
	f.QueryUS.P50, f.QueryUS.P99 = us[len(us)/2], us[len(us)*99/100]
	return f, nil
}

func readQueries(name string) ([][2]geom.Vec3, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, err
	}
	var out [][2]geom.Vec3
	for _, row := range rows[1:] {
		var v [6]float64
		for i := range v {
			if v[i], err = strconv.ParseFloat(row[1+i], 64); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		out = append(out, [2]geom.Vec3{geom.V3(v[0], v[1], v[2]), geom.V3(v[3], v[4], v[5])})
	}
	return out, nil
}
