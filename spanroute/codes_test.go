package spanroute

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"wend/geom"
	"wend/route"
)

// constants returns the text constants of a source file by name, those that begin
// with a prefix.
func constants(t *testing.T, file, prefix string) map[string]string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(file), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for i, name := range v.Names {
			if !strings.HasPrefix(name.Name, prefix) || i >= len(v.Values) {
				continue
			}
			if lit, ok := v.Values[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if list[name.Name], err = strconv.Unquote(lit.Value); err != nil {
					t.Fatal(err)
				}
			}
		}
		return true
	})
	if len(list) == 0 {
		t.Fatalf("%s has no constants %s...", file, prefix)
	}
	return list
}

// allCodes returns all codes of failures that an answer of this package may have.
func allCodes(t *testing.T) []string {
	var list []string
	for _, code := range constants(t, "request.go", "Code") {
		list = append(list, code)
	}
	for _, code := range constants(t, "../route/mesh.go", "Code") {
		if code != route.CodeUnreachable { // of navmeshes alone: here there is a closer one
			list = append(list, code)
		}
	}
	slices.Sort(list)
	return list
}

var quoted = regexp.MustCompile("`([A-Za-z_]+)`")

// rows returns the rows of the first table of a page that follows a line, as cells.
func rows(t *testing.T, page, after string) (list [][]string) {
	t.Helper()
	_, rest, ok := strings.Cut(page, after)
	if !ok {
		t.Fatalf("the page does not say %q", after)
	}
	for line := range strings.Lines(rest) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "|"):
			list = append(list, strings.Split(strings.Trim(line, "|"), "|"))
		case len(list) > 0:
			return list[2:] // its head
		}
	}
	t.Fatalf("no table follows %q", after)
	return nil
}

// TestCodesAreDocumented holds the page of errors against the constants: every code
// has its row with the status that goes with it, and no other has.
func TestCodesAreDocumented(t *testing.T) {
	data, err := os.ReadFile(filepath.FromSlash("../docs/errors.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	var documented []string
	for _, row := range rows(t, page, "Routes over packs have more codes") {
		for _, m := range quoted.FindAllStringSubmatch(row[0], -1) {
			documented = append(documented, m[1])
			if got, want := strings.TrimSpace(row[1]), statusOf(m[1]).String(); got != want {
				t.Errorf("%s has status %q, the page says %q", m[1], want, got)
			}
		}
	}
	slices.Sort(documented)
	if want := allCodes(t); !slices.Equal(documented, want) {
		t.Errorf("the page has the codes\n%q, there are\n%q", documented, want)
	}

	documented = documented[:0]
	var names []string
	for _, row := range rows(t, page, "`*spanroute.DataError` says which data it was") {
		for _, m := range quoted.FindAllStringSubmatch(row[0], -1) {
			documented = append(documented, m[1])
		}
	}
	for _, name := range dataCodes {
		if name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(documented)
	slices.Sort(names)
	if !slices.Equal(documented, names) {
		t.Errorf("the page has the codes of data\n%q, there are\n%q", documented, names)
	}
}

// TestEveryCode has for each code a request that ends with it, in all windows.
func TestEveryCode(t *testing.T) {
	s := yard(t)
	good, far := on(12, 0, 6), on(55, 0, 6)
	disc := func(x, radius float64) func(*Request) {
		return func(r *Request) { r.Discs = []Disc{{geom.V3(x, 0, 6), radius}} }
	}
	bar := func(r *Request) { r.Discs = wallOfDiscs(48, 1) }
	broken := func(r *Request) { // an engine whose tiles are not what its table says
		p, f := loadThree(t, nil)
		e, err := New(p, f, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Grid.Zones[0].Tiles {
			p.Grid.Zones[0].Tiles[i].Records++
		}
		s, r.Zone = &scenario{t, e, e.NewPlanner()}, "a"
		r.From, r.To = on(2, 0, 2), on(8, 0, 8)
	}
	never := context.Background()
	over, cancel := context.WithCancel(never)
	cancel()
	seen := map[string]bool{}
	for _, c := range []struct {
		code     string
		from, to End
		change   func(*Request)
		ctx      context.Context
	}{
		{route.CodeBadInput, good, far, func(r *Request) { r.Body.Radius = -1 }, never},
		{route.CodeStartOffMesh, on(50, 0, 40), far, nil, never},
		{route.CodeGoalOffMesh, good, on(50, 0, 40), nil, never},
		{route.CodeStartNoGo, on(3, 0, 3), far, nil, never},
		{route.CodeGoalNoGo, good, on(3, 0, 3), nil, never},
		{CodeCoreTooFar, good, column(30, 60.05), nil, never},
		{CodeNoStartSpan, on(50, 3, 6), far, nil, never},
		{CodeNoGoalDeck, good, on(50, 3, 6), nil, never},
		{CodeSeedRegion, good, on(30, 5, 6), func(r *Request) { r.Reference = true }, never},
		{CodeGoalUnreachable, good, on(30, 5, 6), nil, never},
		{CodeNothingToSnap, near(12, 0, 6), far, disc(12, 14), never},
		{CodeStartDeckBlocked, good, far, disc(12, 14), never},
		{CodeGoalDeckBlocked, good, far, disc(55, 14), never},
		{CodeDisconnected, good, column(55, 6), bar, never},
		{CodeGoalDeckUnreachable, good, far, bar, never},
		{CodeRegionTooBig, good, far, func(r *Request) { r.Windows, s.e.regionMax = WholeRegion, 1000 }, never},
		{route.CodeBudget, good, far, func(r *Request) { r.MaxExpanded, s.e.regionMax = 3, regionMax }, never},
		{route.CodeCancelled, good, far, nil, over},
		{CodeRouteFailed, good, far, broken, never},
	} {
		for _, w := range []Windows{Exact, Ladder, WholeRegion} {
			r := ends(c.from, c.to)
			if r.Windows = w; c.change != nil {
				c.change(r)
			}
			var out route.Route
			err := s.p.Plan(c.ctx, r, &out)
			if got := code(&out); got != c.code || out.Status != statusOf(c.code) || len(out.Points) > 0 {
				t.Errorf("%s, windows %d: %v %q, %d points, %v", c.code, w, out.Status, got, len(out.Points), err)
			}
			// What was learnt about the route is no error.
			if none := c.code != route.CodeBadInput && c.code != route.CodeCancelled && c.code != CodeRouteFailed; none != (err == nil) {
				t.Errorf("%s: error %v", c.code, err)
			}
		}
		seen[c.code] = true
	}
	for _, code := range allCodes(t) {
		if !seen[code] {
			t.Errorf("no request ends with %s", code)
		}
	}
}
