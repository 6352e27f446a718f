package config

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"wend/geom"
	"wend/scene"
)

// maxFile bounds what is read into memory. A file with ten thousand links is
// about 1 MiB.
const maxFile = 16 << 20

// maxCoord is the largest coordinate or length accepted, in metres.
const maxCoord = scene.MaxCoordinate

type pos struct{ line, col int }

// document is a decoded TOML file that remembers where everything stood.
//
// The library decodes into plain maps and slices, which gives the grammar and
// the rules about repeated keys; a second pass over its syntax tree notes the
// place of each key and value under a path like "link[2].from[0]". Reading
// through maps rather than into structs is what lets an error speak of the
// file instead of Go types.
type document struct {
	file   string
	at     map[string]pos // values, or keys of values that are lists and tables
	keys   map[string]pos
	faults Faults
}

// parse decodes a file. The table is the root of the file; it is nil when the
// file is not TOML, and then the document's faults say why.
func parse(file string, data []byte) (*document, table) {
	d := &document{file: file, at: map[string]pos{}, keys: map[string]pos{}}
	if len(data) > maxFile {
		d.faults = append(d.faults, &Fault{File: file, Msg: fmt.Sprintf("%d bytes is more than %d", len(data), maxFile)})
		return d, table{}
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	var m map[string]any
	if err := toml.Unmarshal(data, &m); err != nil {
		f := &Fault{File: file, Msg: strings.TrimPrefix(err.Error(), "toml: ")}
		var de *toml.DecodeError
		if errors.As(err, &de) {
			f.Line, f.Col = de.Position()
		}
		d.faults = append(d.faults, f)
		return d, table{}
	}
	d.locate(data)
	return d, table{d: d, m: m, known: new([]string)}
}

// locate fills d.at.
func (d *document) locate(data []byte) {
	var p unstable.Parser
	p.Reset(data)
	count := map[string]int{} // entries so far of each array of tables
	here := ""                // the table that key-values belong to
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table:
			here = d.locateKey(&p, "", e.Key(), count)
		case unstable.ArrayTable:
			path := d.locateKey(&p, "", e.Key(), nil)
			// Entries of an outer array count their own inner ones.
			if i := strings.LastIndexByte(path, '.'); i >= 0 {
				path = resolve(path[:i], count) + path[i:]
			}
			n := count[path]
			count[path] = n + 1
			here = path + index(n)
			if at, ok := keyPos(&p, e.Key()); ok {
				d.at[here] = at
			}
		case unstable.KeyValue:
			d.locateValue(&p, d.locateKey(&p, here, e.Key(), nil), e.Value())
		}
	}
}

// resolve writes the entry that each array of tables on the way is at into a
// path of plain keys.
func resolve(path string, count map[string]int) string {
	out := ""
	for _, k := range strings.Split(path, ".") {
		out = join(out, k)
		if n := count[out]; n > 0 {
			out += index(n - 1)
		}
	}
	return out
}

// locateKey notes the place of a dotted key under a table and returns its
// path. With count, the path goes through the latest entry of each array.
func (d *document) locateKey(p *unstable.Parser, under string, key unstable.Iterator, count map[string]int) string {
	path := under
	for key.Next() {
		path = join(path, string(key.Node().Data))
		if n := count[path]; n > 0 {
			path += index(n - 1)
		}
		if _, seen := d.at[path]; !seen {
			s := p.Shape(key.Node().Raw).Start
			d.at[path] = pos{s.Line, s.Column}
			d.keys[path] = d.at[path]
		}
	}
	return path
}

func (d *document) locateValue(p *unstable.Parser, path string, v *unstable.Node) {
	if v.Raw.Length > 0 {
		s := p.Shape(v.Raw).Start
		d.at[path] = pos{s.Line, s.Column}
	}
	switch v.Kind {
	case unstable.Array:
		it := v.Children()
		for i := 0; it.Next(); i++ {
			d.locateValue(p, path+index(i), it.Node())
		}
		// The tree does not say where a list begins: take its first element.
		if _, ok := d.at[path]; !ok {
			if first, ok := d.at[path+index(0)]; ok {
				d.at[path] = first
			}
		}
	case unstable.InlineTable:
		it := v.Children()
		for it.Next() {
			kv := it.Node()
			d.locateValue(p, d.locateKey(p, path, kv.Key(), nil), kv.Value())
		}
	}
}

func keyPos(p *unstable.Parser, key unstable.Iterator) (at pos, ok bool) {
	for key.Next() {
		s := p.Shape(key.Node().Raw).Start
		at, ok = pos{s.Line, s.Column}, true
	}
	return at, ok
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// place returns where a path stands in the file, or where the nearest thing
// around it does.
func (d *document) place(path string) pos {
	for path != "" {
		if at, ok := d.at[path]; ok {
			return at
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	return pos{}
}

func (d *document) fault(path, format string, args ...any) {
	d.faultAt(d.place(path), format, args...)
}

func (d *document) faultAt(at pos, format string, args ...any) {
	d.faults = append(d.faults, &Fault{d.file, at.line, at.col, fmt.Sprintf(format, args...)})
}

func (d *document) err() error {
	if len(d.faults) == 0 {
		return nil
	}
	return d.faults.sorted()
}

// table is a cursor on one table. Each reader below notes its key as known,
// leaves its target alone when the key is absent, and records a fault when
// the value does not fit; done reports the keys that nobody asked for.
type table struct {
	d     *document
	path  string
	m     map[string]any
	known *[]string
}

func (t table) get(key string) (v any, path string, ok bool) {
	*t.known = append(*t.known, key)
	v, ok = t.m[key]
	return v, join(t.path, key), ok
}

func (t table) has(key string) bool {
	_, ok := t.m[key]
	return ok
}

func (t table) text(key string, dst *string) {
	v, path, ok := t.get(key)
	if !ok {
		return
	}
	s, ok := v.(string)
	if !ok {
		t.d.fault(path, "%s is %s, want a text in quotes", key, kindOf(v))
		return
	}
	*dst = s
}

func (t table) flag(key string, dst *bool) {
	v, path, ok := t.get(key)
	if !ok {
		return
	}
	b, ok := v.(bool)
	if !ok {
		t.d.fault(path, "%s is %s, want true or false", key, kindOf(v))
		return
	}
	*dst = b
}

// number reads a float and refuses NaN and infinities: no setting wants one.
func (t table) number(key string, dst *float64) bool {
	v, path, ok := t.get(key)
	if !ok {
		return false
	}
	f, ok := t.d.asNumber(path, key, v)
	if ok {
		*dst = f
	}
	return ok
}

// length reads a number between lo and hi, in metres.
func (t table) length(key string, dst *float64, lo, hi float64) {
	var f float64
	if !t.number(key, &f) {
		return
	}
	if f < lo || f > hi {
		t.d.fault(join(t.path, key), "%s is %v, want %v to %v metres", key, f, lo, hi)
		return
	}
	*dst = f
}

func (t table) integer(key string, dst *int64, lo, hi int64) {
	v, path, ok := t.get(key)
	if !ok {
		return
	}
	n, ok := v.(int64)
	switch {
	case !ok:
		t.d.fault(path, "%s is %s, want a whole number", key, kindOf(v))
	case n < lo || n > hi:
		t.d.fault(path, "%s is %d, want %d to %d", key, n, lo, hi)
	default:
		*dst = n
	}
}

func (t table) choice(key string, names ...string) (i int, ok bool) {
	v, path, ok := t.get(key)
	if !ok {
		return 0, false
	}
	if s, is := v.(string); is {
		if i := slices.Index(names, s); i >= 0 {
			return i, true
		}
	}
	t.d.fault(path, "%s is %s, want one of %s", key, show(v), strings.Join(names, ", "))
	return 0, false
}

// point reads [x, y, z].
func (t table) point(key string, dst *geom.Vec3) bool {
	v, path, ok := t.get(key)
	if !ok {
		return false
	}
	c, ok := t.d.asCoords(path, key, v, 3, "[x, y, z]")
	if ok {
		*dst = geom.V3(c[0], c[1], c[2])
	}
	return ok
}

// points reads [[x, y, z], ...].
func (t table) points(key string) []geom.Vec3 {
	v, path, ok := t.get(key)
	if !ok {
		return nil
	}
	list, ok := v.([]any)
	if !ok {
		t.d.fault(path, "%s is %s, want a list of points [[x, y, z], ...]", key, kindOf(v))
		return nil
	}
	var out []geom.Vec3
	for i, e := range list {
		name := key + index(i)
		if c, ok := t.d.asCoords(path+index(i), name, e, 3, "[x, y, z]"); ok {
			out = append(out, geom.V3(c[0], c[1], c[2]))
		}
	}
	return out
}

// tables reads an array of tables.
func (t table) tables(key string) []table {
	v, path, ok := t.get(key)
	if !ok {
		return nil
	}
	list, ok := v.([]any)
	if !ok {
		t.d.fault(path, "%s is %s, want entries that each start with [[%s]]", key, kindOf(v), key)
		return nil
	}
	out := make([]table, 0, len(list))
	for i, e := range list {
		m, ok := e.(map[string]any)
		if !ok {
			t.d.fault(path+index(i), "%s is %s, want a table", key+index(i), kindOf(e))
			continue
		}
		out = append(out, table{d: t.d, path: path + index(i), m: m, known: new([]string)})
	}
	return out
}

// table reads a table; it is empty when absent.
func (t table) table(key string) table {
	v, path, ok := t.get(key)
	sub := table{d: t.d, path: path, known: new([]string)}
	if !ok {
		return sub
	}
	if sub.m, ok = v.(map[string]any); !ok {
		t.d.fault(path, "%s is %s, want a table that starts with [%s]", key, kindOf(v), key)
	}
	return sub
}

// done reports every key that no reader asked for.
func (t table) done() {
	for _, key := range slices.Sorted(maps.Keys(t.m)) {
		if slices.Contains(*t.known, key) {
			continue
		}
		hint := ""
		if near := nearest(key, *t.known); near != "" {
			hint = fmt.Sprintf("; did you mean %s?", near)
		}
		path := join(t.path, key)
		at, ok := t.d.keys[path]
		if !ok {
			at = t.d.place(path)
		}
		t.d.faultAt(at, "unknown key %s%s", key, hint)
	}
}

func (d *document) asNumber(path, name string, v any) (float64, bool) {
	var f float64
	switch v := v.(type) {
	case float64:
		f = v
	case int64:
		f = float64(v)
	default:
		d.fault(path, "%s is %s, want a number", name, kindOf(v))
		return 0, false
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		d.fault(path, "%s is %v, want a finite number", name, f)
		return 0, false
	}
	return f, true
}

// asCoords reads n coordinates in metres.
func (d *document) asCoords(path, name string, v any, n int, form string) ([3]float64, bool) {
	var out [3]float64
	list, ok := v.([]any)
	if !ok || len(list) != n {
		d.fault(path, "%s is %s, want %s", name, kindOf(v), form)
		return out, false
	}
	for i, e := range list {
		at := path + index(i)
		f, ok := d.asNumber(at, name+index(i), e)
		if !ok {
			return out, false
		}
		if f < -maxCoord || f > maxCoord {
			d.fault(at, "%s is %v, want -%d to %d metres", name+index(i), f, maxCoord, maxCoord)
			return out, false
		}
		out[i] = f
	}
	return out, true
}

// kindOf names a value's type in the words of the file.
func kindOf(v any) string {
	switch v := v.(type) {
	case string:
		return "a text"
	case bool:
		return "true or false"
	case int64, float64:
		return "a number"
	case []any:
		return fmt.Sprintf("a list of %d", len(v))
	case map[string]any:
		return "a table"
	}
	return "a date or time"
}

func show(v any) string {
	if s, ok := v.(string); ok {
		return strconv.Quote(s)
	}
	return kindOf(v)
}

// nearest returns the known key that a misspelt one most likely means, "" when
// none is near.
func nearest(key string, known []string) string {
	if len(key) > 40 {
		return ""
	}
	best, bestDist := "", 1+max(1, len(key)/3)
	for _, k := range known {
		if dist := editDistance(key, k); dist < bestDist {
			best, bestDist = k, dist
		}
	}
	return best
}

// editDistance is Levenshtein's, over bytes.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diag
			if a[i] != b[j] {
				cost++
			}
			diag = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
