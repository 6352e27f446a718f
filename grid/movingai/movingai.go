// Package movingai reads the map and scenario files of the MovingAI 2D
// benchmark sets (N. Sturtevant, "Benchmarks for Grid-Based Pathfinding", 2012).
//
// A map file is the lines "type octile", "height H", "width W", "map", and H
// rows of W characters. '.' and 'G' are passable, '@', 'O' and 'T' are not;
// 'S' (swamp) and 'W' (water) are as Options say. A scenario file is the line
// "version 1" and then a query a line: bucket, map name, width, height, start
// column and row, goal column and row, optimal length. Its lengths hold for
// eight-way moves that cut no corners, with diagonals of sqrt(2); a length of 0
// between two cells means that there is no route.
//
// Lines may end in LF or CR LF. Every fault is a *SyntaxError with the line.
package movingai

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"wend/grid"
)

// Kinds of faults, for errors.Is.
var (
	ErrHeader = errors.New("bad header")
	ErrRow    = errors.New("bad row")
	ErrSymbol = errors.New("unknown symbol")
	ErrFields = errors.New("bad fields")
	ErrRange  = errors.New("value out of range")
	ErrMap    = errors.New("does not belong to this map")
	ErrLong   = errors.New("line too long")
)

// SyntaxError is a fault in a file.
type SyntaxError struct {
	Line   int // from 1
	Column int // from 1; 0 where the line as a whole is meant
	Kind   error
	What   string
}

// Error returns the place and the fault.
func (e *SyntaxError) Error() string {
	at := fmt.Sprintf("line %d", e.Line)
	if e.Column > 0 {
		at = fmt.Sprintf("line %d column %d", e.Line, e.Column)
	}
	return fmt.Sprintf("movingai: %s: %v: %s", at, e.Kind, e.What)
}

// Unwrap returns the kind.
func (e *SyntaxError) Unwrap() error { return e.Kind }

// Options say how to read the symbols about which the sets differ. The zero
// value blocks them.
type Options struct {
	SwampPassable bool // 'S'
	WaterPassable bool // 'W'
}

// maxLine is the longest line that is read: a row of the widest map.
const maxLine = grid.MaxSide + 2

// lines reads lines without their ends and counts them.
type lines struct {
	in *bufio.Scanner
	no int
}

func newLines(r io.Reader) *lines {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, 4096), maxLine)
	return &lines{in: s}
}

// next returns the next line; the error is io.EOF at the end.
func (l *lines) next() ([]byte, error) {
	l.no++
	if l.in.Scan() {
		return l.in.Bytes(), nil
	}
	err := l.in.Err()
	switch {
	case err == nil:
		return nil, io.EOF
	case errors.Is(err, bufio.ErrTooLong):
		return nil, l.fault(0, ErrLong, "more than %d bytes", maxLine)
	}
	return nil, fmt.Errorf("movingai: line %d: %w", l.no, err)
}

func (l *lines) fault(column int, kind error, format string, a ...any) error {
	return &SyntaxError{Line: l.no, Column: column, Kind: kind, What: fmt.Sprintf(format, a...)}
}

// must returns the next line and turns the end of the file into a fault of a
// kind, and so a byte order mark in front of the first one.
func (l *lines) must(kind error, want string) ([]byte, error) {
	line, err := l.next()
	switch {
	case err == io.EOF:
		return nil, l.fault(0, kind, "file ends, want %s", want)
	case err == nil && l.no == 1 && bytes.HasPrefix(line, []byte("\xef\xbb\xbf")):
		return nil, l.fault(1, kind, "byte order mark, want %s", want)
	}
	return line, err
}

// ReadMap reads a map file. opts may be nil.
func ReadMap(r io.Reader, opts *Options) (*grid.Map, error) {
	if opts == nil {
		opts = &Options{}
	}
	l := newLines(r)
	w, h, err := readHeader(l)
	if err != nil {
		return nil, err
	}
	m, err := grid.New(w, h)
	if err != nil {
		return nil, l.fault(0, ErrRange, "%v", err)
	}
	for y := range h {
		row, err := l.must(ErrRow, fmt.Sprintf("row %d of %d", y, h))
		if err != nil {
			return nil, err
		}
		if len(row) != w {
			return nil, l.fault(0, ErrRow, "row %d has %d cells, want %d", y, len(row), w)
		}
		for x, c := range row {
			switch {
			case c == '.', c == 'G', c == 'S' && opts.SwampPassable, c == 'W' && opts.WaterPassable:
				if err := m.SetPassable(grid.Cell{X: int32(x), Y: int32(y)}, true); err != nil {
					return nil, err
				}
			case c == '@', c == 'O', c == 'T', c == 'S', c == 'W':
			default:
				return nil, l.fault(x+1, ErrSymbol, "%q", c)
			}
		}
	}
	for {
		line, err := l.next()
		switch {
		case err == io.EOF:
			return m, nil
		case err != nil:
			return nil, err
		case len(strings.TrimSpace(string(line))) > 0:
			return nil, l.fault(0, ErrRow, "text after the last row, height is %d", h)
		}
	}
}

func readHeader(l *lines) (w, h int, err error) {
	line, err := l.must(ErrHeader, `"type octile"`)
	if err != nil {
		return 0, 0, err
	}
	if f := strings.Fields(string(line)); len(f) != 2 || f[0] != "type" || f[1] != "octile" {
		return 0, 0, l.fault(0, ErrHeader, "%.40q, want \"type octile\"", line)
	}
	for {
		line, err := l.must(ErrHeader, `"height", "width" or "map"`)
		if err != nil {
			return 0, 0, err
		}
		f := strings.Fields(string(line))
		switch {
		case len(f) == 1 && f[0] == "map":
			if w == 0 || h == 0 {
				return 0, 0, l.fault(0, ErrHeader, "width or height is missing")
			}
			return w, h, nil
		case len(f) == 2 && f[0] == "width" && w == 0:
			w, err = size(l, f[1])
		case len(f) == 2 && f[0] == "height" && h == 0:
			h, err = size(l, f[1])
		default:
			err = l.fault(0, ErrHeader, "%.40q, want \"height\", \"width\" or \"map\", each once", line)
		}
		if err != nil {
			return 0, 0, err
		}
	}
}

func size(l *lines, s string) (int, error) {
	v, err := strconv.Atoi(s)
	if err != nil || v < 1 || v > grid.MaxSide {
		return 0, l.fault(0, ErrRange, "%.40q is not from 1 to %d", s, grid.MaxSide)
	}
	return v, nil
}

// Scenario is a query of a scenario file.
type Scenario struct {
	Line       int // in the file, from 1
	Bucket     int // length/4, by custom
	Map        string
	W, H       int
	Start, End grid.Cell
	Optimal    float64 // 0 between two different cells: no route
	// Tolerance is what Optimal is exact to. Most files print six digits and
	// leave out zeros at the end; those that never print more than two
	// decimals are exact to 0.02, for their sums were rounded on the way.
	Tolerance float64
}

// Solvable reports whether the file says that there is a route.
func (s Scenario) Solvable() bool { return s.Optimal > 0 || s.Start == s.End }

// ReadScenarios reads a scenario file. It does not need the map; see Check.
func ReadScenarios(r io.Reader) ([]Scenario, error) {
	l := newLines(r)
	line, err := l.must(ErrHeader, `"version 1"`)
	if err != nil {
		return nil, err
	}
	if f := strings.Fields(string(line)); len(f) != 2 || f[0] != "version" || f[1] != "1" && f[1] != "1.0" {
		return nil, l.fault(0, ErrHeader, "%.40q, want \"version 1\"", line)
	}
	var out []Scenario
	decimals := 0
	for {
		line, err := l.next()
		if err == io.EOF {
			setTolerance(out, decimals)
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		f := strings.Fields(string(line))
		if len(f) == 0 {
			continue
		}
		s, err := scenario(l, f)
		if err != nil {
			return nil, err
		}
		if _, frac, ok := strings.Cut(f[8], "."); ok {
			decimals = max(decimals, len(frac))
		}
		out = append(out, s)
	}
}

func setTolerance(list []Scenario, decimals int) {
	for i := range list {
		s := &list[i]
		if decimals <= 2 {
			s.Tolerance = 0.02
			continue
		}
		unit := 1e-5 // of the sixth digit
		for v := s.Optimal; v >= 10; v /= 10 {
			unit *= 10
		}
		s.Tolerance = 0.55 * unit // half, and the single precision of the sum
	}
}

func scenario(l *lines, f []string) (Scenario, error) {
	if len(f) != 9 {
		return Scenario{}, l.fault(0, ErrFields, "%d fields, want 9", len(f))
	}
	s := Scenario{Line: l.no, Map: f[1]}
	var n [8]int
	for i, name := range [8]string{"bucket", "", "width", "height", "start column", "start row", "goal column", "goal row"} {
		if name == "" {
			continue
		}
		lo := 0
		if i == 2 || i == 3 {
			lo = 1
		}
		v, err := strconv.Atoi(f[i])
		if err != nil || v < lo || i > 0 && v > grid.MaxSide {
			return Scenario{}, l.fault(0, ErrRange, "%s %.40q", name, f[i])
		}
		n[i] = v
	}
	s.Bucket, s.W, s.H = n[0], n[2], n[3]
	s.Start = grid.Cell{X: int32(n[4]), Y: int32(n[5])}
	s.End = grid.Cell{X: int32(n[6]), Y: int32(n[7])}
	for _, c := range [2]grid.Cell{s.Start, s.End} {
		if int(c.X) >= s.W || int(c.Y) >= s.H {
			return Scenario{}, l.fault(0, ErrRange, "%v is outside %d x %d", c, s.W, s.H)
		}
	}
	v, err := strconv.ParseFloat(f[8], 64)
	if err != nil || !(v >= 0) || math.IsInf(v, 0) {
		return Scenario{}, l.fault(0, ErrRange, "length %.40q", f[8])
	}
	s.Optimal = v
	return s, nil
}

// Check reports the first query that cannot be meant for m: another size, or an
// end that is blocked there.
func Check(m *grid.Map, list []Scenario) error {
	w, h := m.Size()
	for _, s := range list {
		fault := func(format string, a ...any) error {
			return &SyntaxError{Line: s.Line, Kind: ErrMap, What: fmt.Sprintf(format, a...)}
		}
		if s.W != w || s.H != h {
			return fault("a map of %d x %d, not %d x %d", s.W, s.H, w, h)
		}
		for _, c := range [2]grid.Cell{s.Start, s.End} {
			if !m.Passable(c) {
				return fault("%v is blocked", c)
			}
		}
	}
	return nil
}
