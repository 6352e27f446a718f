package cli

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"wend/grid"
	"wend/grid/sample"
)

// gridBenchTrace is wall tracing on one map, with the presets.
type gridBenchTrace struct {
	Map     string  `json:"map"`
	Reached int     `json:"reached"`
	Fell    int     `json:"fell_back"`
	Steps   float64 `json:"mean_steps"` // of both hands
	Alone   float64 `json:"tracing_us"` // without what follows where it does not arrive
	Mean    float64 `json:"mean_us"`    // with A* where it does not
	AStar   float64 `json:"astar_us"`
	JPS     float64 `json:"jps_us"`
	Length  float64 `json:"length_of_shortest"` // of all ways
}

func (b *gridBench) traces(ctx context.Context, g *gridBenchMap) error {
	t := gridBenchTrace{Map: g.name}
	tracer := func(name string, fallback *grid.Options) *contestant {
		q := grid.NewQuery()
		return &contestant{name: name, find: func(p sample.Pair) (int, float64, error) {
			r, err := grid.Trace(ctx, q, g.m, p.From, p.To, &grid.TraceOptions{Fallback: fallback})
			if err != nil {
				return 0, 0, err
			}
			return r.Steps, r.Cost, nil
		}}
	}
	q := grid.NewQuery()
	for _, p := range g.pairs {
		r, err := grid.Trace(ctx, q, g.m, p.From, p.To, &grid.TraceOptions{Fallback: &grid.Options{}})
		switch {
		case err != nil:
			return err
		case r.Status != grid.Complete:
			return fmt.Errorf("trace from %v to %v: %v", p.From, p.To, r.Status)
		case r.Fallback:
			t.Fell++
		default:
			t.Reached++
		}
	}
	list := []*contestant{
		tracer("tracing", nil), tracer("tracing, else A*", &grid.Options{}),
		searchContestant(ctx, "A*", g.m, grid.Options{}),
		searchContestant(ctx, "JPS", g.m, grid.Options{Algorithm: grid.JPS}),
	}
	if err := b.run(ctx, g.pairs, list); err != nil {
		return err
	}
	n := float64(len(g.pairs))
	t.Steps, t.Length = float64(list[0].sum)/n, list[1].cost/list[2].cost
	t.Alone, t.Mean, t.AStar, t.JPS = list[0].mean(), list[1].mean(), list[2].mean(), list[3].mean()
	b.Traces = append(b.Traces, t)
	return nil
}

func (b *gridBench) printTraces(e *env) error {
	rows := [][]string{{"wall tracing on", "reached", "fell back", "mean steps", "tracing µs", "else A* µs", "A* µs", "JPS µs", "length"}}
	for _, t := range b.Traces {
		rows = append(rows, []string{
			t.Map, fmt.Sprint(t.Reached), fmt.Sprint(t.Fell), figure(t.Steps), figure(t.Alone), figure(t.Mean),
			figure(t.AStar), figure(t.JPS), fmt.Sprintf("%.4f", t.Length),
		})
	}
	return table(e.stdout, "lrrrrrrrr", rows)
}

// gridBenchStore compares a map of bits, by rows and by columns, with one of
// bytes by rows: the memory, and the walk of jump point search to the next
// blocked cell or turn.
type gridBenchStore struct {
	Map        string  `json:"map"`
	BitsBytes  int     `json:"bits_bytes"`
	BytesBytes int     `json:"bytes_bytes"`
	Scans      int     `json:"scans"`
	Cells      float64 `json:"mean_cells"`
	RowBits    float64 `json:"row_bits_ns"`
	RowBytes   float64 `json:"row_bytes_ns"`
	ColBits    float64 `json:"column_bits_ns"`
	ColBytes   float64 `json:"column_bytes_ns"`
}

// byteMap is a grid as it is mostly kept: a byte a cell, 1 where it is free,
// with a blocked border.
type byteMap struct {
	cells  []uint8
	stride int
}

func newByteMap(m *grid.Map) byteMap {
	w, h := m.Size()
	b := byteMap{cells: make([]uint8, (w+2)*(h+2)), stride: w + 2}
	for c := range m.Cells() {
		b.cells[b.at(c)] = 1
	}
	return b
}

func (b byteMap) at(c grid.Cell) int { return (int(c.Y)+1)*b.stride + int(c.X) + 1 }

// scan walks by step, with the cells beside at plus and minus side.
func (b byteMap) scan(at, step, side int) (cells int, turn bool) {
	up, down := b.cells[at+side], b.cells[at-side]
	for {
		at += step
		cells++
		if b.cells[at] == 0 {
			return cells, false
		}
		u, d := b.cells[at+side], b.cells[at-side]
		if u > up || d > down {
			return cells, true
		}
		up, down = u, d
	}
}

func (b *gridBench) storage(ctx context.Context, g *gridBenchMap) error {
	bytes := newByteMap(g.m)
	s := gridBenchStore{Map: g.name, BitsBytes: g.m.Bytes(), BytesBytes: len(bytes.cells)}
	rng := rand.New(rand.NewPCG(b.Seed, 5))
	w, h := g.m.Size()
	var starts []grid.Cell
	for len(starts) < 5000 {
		if c := (grid.Cell{X: int32(rng.IntN(w)), Y: int32(rng.IntN(h))}); g.m.Passable(c) {
			starts = append(starts, c)
		}
	}
	s.Scans = 2 * len(starts)
	total := 0
	for _, c := range starts {
		for _, d := range [4]grid.Cell{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
			n, turn := g.m.Scan(c, d.X, d.Y)
			k, bend := bytes.scan(bytes.at(c), int(d.Y)*bytes.stride+int(d.X), int(d.X)*bytes.stride+int(d.Y))
			if n != k || turn != bend {
				return fmt.Errorf("scan from %v by %v: %d %v in bits, %d %v in bytes", c, d, n, turn, k, bend)
			}
			total += n
		}
	}
	s.Cells = float64(total) / float64(4*len(starts))
	inBits := func(d grid.Cell) func() int {
		return func() (sum int) {
			for _, c := range starts {
				n, _ := g.m.Scan(c, d.X, d.Y)
				k, _ := g.m.Scan(c, -d.X, -d.Y)
				sum += n + k
			}
			return sum
		}
	}
	inBytes := func(step, side int) func() int {
		return func() (sum int) {
			for _, c := range starts {
				n, _ := bytes.scan(bytes.at(c), step, side)
				k, _ := bytes.scan(bytes.at(c), -step, side)
				sum += n + k
			}
			return sum
		}
	}
	list := []struct {
		ns  *float64
		run func() int
	}{
		{&s.RowBits, inBits(grid.Cell{X: 1})}, {&s.RowBytes, inBytes(1, bytes.stride)},
		{&s.ColBits, inBits(grid.Cell{Y: 1})}, {&s.ColBytes, inBytes(bytes.stride, 1)},
	}
	for pass := range b.Passes + 1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		sums := [4]int{}
		for i, l := range list {
			begin := time.Now()
			sums[i] = l.run()
			ns := float64(time.Since(begin).Nanoseconds()) / float64(s.Scans)
			if pass == 1 || pass > 1 && ns < *l.ns {
				*l.ns = ns
			}
		}
		if sums[0] != sums[1] || sums[2] != sums[3] || sums[0]+sums[2] != total {
			return fmt.Errorf("scans add up to %v cells, in all %d", sums, total)
		}
	}
	b.Storage = append(b.Storage, s)
	return nil
}

func (b *gridBench) printStorage(e *env) error {
	rows := [][]string{{"storage of", "bits", "bytes", "cells a scan", "rows: bits ns", "bytes ns", "columns: bits ns", "bytes ns"}}
	for _, s := range b.Storage {
		rows = append(rows, []string{
			s.Map, fmt.Sprintf("%.1f KB", float64(s.BitsBytes)/1e3), fmt.Sprintf("%.1f KB", float64(s.BytesBytes)/1e3), figure(s.Cells),
			figure(s.RowBits), figure(s.RowBytes), figure(s.ColBits), figure(s.ColBytes),
		})
	}
	return table(e.stdout, "lrrrrrrr", rows)
}
