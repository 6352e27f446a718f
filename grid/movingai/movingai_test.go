package movingai_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"wend/grid"
	"wend/grid/movingai"
)

const goodMap = "type octile\nheight 2\nwidth 4\nmap\n.G@O\nTSW.\n"

func row(m *grid.Map, y int32) (s string) {
	w, _ := m.Size()
	for x := range int32(w) {
		if m.Passable(grid.Cell{X: x, Y: y}) {
			s += "1"
		} else {
			s += "0"
		}
	}
	return s
}

// TestReadMap: the symbols, both line ends, no end at the last line.
func TestReadMap(t *testing.T) {
	for _, c := range []struct {
		text string
		opts *movingai.Options
		want string
	}{
		{goodMap, nil, "1100 0001"},
		{strings.ReplaceAll(goodMap, "\n", "\r\n"), nil, "1100 0001"},
		{strings.TrimSuffix(goodMap, "\n"), nil, "1100 0001"},
		{goodMap + "\n\n", nil, "1100 0001"},
		{"type octile\nwidth 4\nheight 2\nmap\n.G@O\nTSW.\n", nil, "1100 0001"},
		{goodMap, &movingai.Options{SwampPassable: true, WaterPassable: true}, "1100 0111"},
	} {
		m, err := movingai.ReadMap(strings.NewReader(c.text), c.opts)
		if err != nil {
			t.Fatalf("%q: %v", c.text, err)
		}
		if got := row(m, 0) + " " + row(m, 1); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

// TestBadMaps: every fault has its kind and its line.
func TestBadMaps(t *testing.T) {
	for name, c := range map[string]struct {
		text         string
		line, column int
		want         error
	}{
		"empty":          {"", 1, 0, movingai.ErrHeader},
		"other type":     {"type tile\nheight 1\nwidth 1\nmap\n.\n", 1, 0, movingai.ErrHeader},
		"no map":         {"type octile\nheight 1\nwidth 1\n", 4, 0, movingai.ErrHeader},
		"no width":       {"type octile\nheight 1\nmap\n.\n", 3, 0, movingai.ErrHeader},
		"height twice":   {"type octile\nheight 1\nheight 1\nmap\n.\n", 3, 0, movingai.ErrHeader},
		"zero height":    {"type octile\nheight 0\nwidth 1\nmap\n", 2, 0, movingai.ErrRange},
		"negative":       {"type octile\nheight -4\nwidth 1\nmap\n", 2, 0, movingai.ErrRange},
		"no number":      {"type octile\nheight x\nwidth 1\nmap\n", 2, 0, movingai.ErrRange},
		"oversize side":  {"type octile\nheight 99999999999\nwidth 1\nmap\n", 2, 0, movingai.ErrRange},
		"oversize area":  {"type octile\nheight 32767\nwidth 32767\nmap\n", 4, 0, movingai.ErrRange},
		"short row":      {"type octile\nheight 2\nwidth 2\nmap\n..\n.\n", 6, 0, movingai.ErrRow},
		"byte order":     {"\xef\xbb\xbftype octile\nheight 1\nwidth 1\nmap\n.\n", 1, 1, movingai.ErrHeader},
		"long row":       {"type octile\nheight 2\nwidth 2\nmap\n...\n..\n", 5, 0, movingai.ErrRow},
		"missing row":    {"type octile\nheight 2\nwidth 2\nmap\n..\n", 6, 0, movingai.ErrRow},
		"row too many":   {"type octile\nheight 1\nwidth 2\nmap\n..\n..\n", 6, 0, movingai.ErrRow},
		"unknown symbol": {"type octile\nheight 1\nwidth 3\nmap\n.x.\n", 5, 2, movingai.ErrSymbol},
		"endless line":   {"type octile\n" + strings.Repeat("height ", 20000), 2, 0, movingai.ErrLong},
	} {
		_, err := movingai.ReadMap(strings.NewReader(c.text), nil)
		checkFault(t, name, err, c.line, c.column, c.want)
	}
}

func checkFault(t *testing.T, name string, err error, line, column int, want error) {
	t.Helper()
	var fault *movingai.SyntaxError
	if !errors.As(err, &fault) || !errors.Is(err, want) || fault.Line != line || fault.Column != column {
		t.Errorf("%s: %v, want %v at line %d column %d", name, err, want, line, column)
	}
}

const goodScen = "version 1\n0\tx.map\t4\t2\t0\t0\t1\t0\t1.00000000\n3 x.map 4 2 0 0 3 1 14.1421\n"

// TestReadScenarios: tabs and blanks, both versions, and what a length is exact
// to.
func TestReadScenarios(t *testing.T) {
	for _, text := range []string{goodScen, strings.Replace(goodScen, "version 1", "version 1.0", 1), strings.ReplaceAll(goodScen, "\n", "\r\n")} {
		list, err := movingai.ReadScenarios(strings.NewReader(text))
		if err != nil || len(list) != 2 {
			t.Fatalf("%q: %v, %v", text, list, err)
		}
		want := movingai.Scenario{Line: 3, Bucket: 3, Map: "x.map", W: 4, H: 2, End: grid.Cell{X: 3, Y: 1}, Optimal: 14.1421, Tolerance: 0.55e-4}
		got := list[1]
		if d := got.Tolerance - want.Tolerance; d > 1e-12 || d < -1e-12 {
			t.Errorf("tolerance %v", got.Tolerance)
		}
		got.Tolerance = want.Tolerance
		if got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	list, err := movingai.ReadScenarios(strings.NewReader("version 1\n0 x 4 2 0 0 1 0 1.25\n"))
	if err != nil || list[0].Tolerance != 0.02 {
		t.Errorf("two decimals: %+v, %v", list, err)
	}
}

// TestBadScenarios: every fault has its kind and its line.
func TestBadScenarios(t *testing.T) {
	line := func(s string) string { return "version 1\n0 x 4 2 0 0 1 0 1\n" + s + "\n" }
	for name, c := range map[string]struct {
		text string
		line int
		want error
	}{
		"empty":            {"", 1, movingai.ErrHeader},
		"version 2":        {"version 2\n", 1, movingai.ErrHeader},
		"eight fields":     {line("0 x 4 2 0 0 1 0"), 3, movingai.ErrFields},
		"ten fields":       {line("0 x 4 2 0 0 1 0 1 1"), 3, movingai.ErrFields},
		"no number":        {line("0 x 4 2 0 y 1 0 1"), 3, movingai.ErrRange},
		"negative":         {line("0 x 4 2 -1 0 1 0 1"), 3, movingai.ErrRange},
		"zero width":       {line("0 x 0 2 0 0 0 0 1"), 3, movingai.ErrRange},
		"start outside":    {line("0 x 4 2 4 0 1 0 1"), 3, movingai.ErrRange},
		"goal outside":     {line("0 x 4 2 0 0 1 2 1"), 3, movingai.ErrRange},
		"negative length":  {line("0 x 4 2 0 0 1 0 -1"), 3, movingai.ErrRange},
		"length no number": {line("0 x 4 2 0 0 1 0 NaN"), 3, movingai.ErrRange},
		"endless length":   {line("0 x 4 2 0 0 1 0 1e999"), 3, movingai.ErrRange},
	} {
		_, err := movingai.ReadScenarios(strings.NewReader(c.text))
		checkFault(t, name, err, c.line, 0, c.want)
	}
}

// TestCheck: queries for another map, or with ends that are blocked on it, are
// told with their line.
func TestCheck(t *testing.T) {
	m, err := movingai.ReadMap(strings.NewReader(goodMap), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		query string
		line  int
	}{
		"fits":         {"0 x 4 2 0 0 3 1 1", 0},
		"other size":   {"0 x 4 3 0 0 3 1 1", 3},
		"blocked":      {"0 x 4 2 2 0 3 1 1", 3},
		"blocked goal": {"0 x 4 2 0 0 0 1 1", 3},
	} {
		list, err := movingai.ReadScenarios(strings.NewReader("version 1\n0 x 4 2 0 0 1 0 1\n" + c.query + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		err = movingai.Check(m, list)
		if c.line == 0 {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		checkFault(t, name, err, c.line, 0, movingai.ErrMap)
	}
}

// FuzzReadMap: any text gives a map or a fault with a line; a map that was read
// reads the same after it was written.
func FuzzReadMap(f *testing.F) {
	f.Add(goodMap)
	f.Add("type octile\r\nheight 1\r\nwidth 3\r\nmap\r\n.x.\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := movingai.ReadMap(strings.NewReader(text), nil)
		if err != nil {
			fault(t, text, err)
			return
		}
		w, h := m.Size()
		var b strings.Builder
		fmt.Fprintf(&b, "type octile\nheight %d\nwidth %d\nmap\n", h, w)
		for y := range int32(h) {
			b.WriteString(strings.NewReplacer("1", ".", "0", "@").Replace(row(m, y)) + "\n")
		}
		again, err := movingai.ReadMap(strings.NewReader(b.String()), nil)
		if err != nil {
			t.Fatal(err)
		}
		for y := range int32(h) {
			if row(m, y) != row(again, y) {
				t.Fatalf("row %d differs", y)
			}
		}
	})
}

// FuzzReadScenarios: any text gives queries within their maps or a fault with a
// line.
func FuzzReadScenarios(f *testing.F) {
	f.Add(goodScen)
	f.Add("version 1.0\n\n0 x 4 2 0 0 1 0 1e2\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := movingai.ReadScenarios(strings.NewReader(text))
		if err != nil {
			fault(t, text, err)
			return
		}
		for _, s := range list {
			for _, c := range []grid.Cell{s.Start, s.End} {
				if c.X < 0 || c.Y < 0 || int(c.X) >= s.W || int(c.Y) >= s.H || !(s.Optimal >= 0) || !(s.Tolerance > 0) {
					t.Fatalf("%+v", s)
				}
			}
		}
	})
}

func fault(t *testing.T, text string, err error) {
	var e *movingai.SyntaxError
	if !errors.As(err, &e) || e.Line < 1 || e.Line > strings.Count(text, "\n")+2 || e.Kind == nil {
		t.Fatalf("%v", err)
	}
}
