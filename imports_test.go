package wend_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rows is the order of ARCHITECTURE.md. A package may import packages of lower
// rows, and of its own row only what stands before it in the same chain. A
// name that ends in /... stands for everything below it.
var rows = []struct {
	row   int
	chain []string // links are separated by blanks; those in one string do not import each other
}{
	{0, []string{"geom"}},
	{0, []string{"internal/graph"}},
	{0, []string{"internal/detmath"}},
	{1, []string{"scene", "scene/internal/numtext", "scene/internal/jsonscan", "scene/obj scene/gltf scene/unity scene/sample", "scene/level"}},
	{1, []string{"pack", "pack/bnav", "pack/bnvf", "pack/annex", "pack/ocls"}},
	{1, []string{"internal/search"}},
	{2, []string{"internal/heightfield", "internal/region", "internal/contour", "internal/polygonize", "internal/detail"}},
	{2, []string{"navmesh", "navmesh/detour"}},
	{1, []string{"internal/weld"}},
	{2, []string{"occluder"}},
	{2, []string{"zone", "spangrid", "spanpath"}},
	{2, []string{"grid", "grid/movingai grid/pngmap grid/sample"}},
	{3, []string{"bake", "spanbake", "verify"}},
	{3, []string{"route", "spanroute"}},
	{4, []string{"draw"}},
	{5, []string{"wend"}},
	{7, []string{"internal/config", "internal/cli", "cmd/wend"}},
	{7, []string{"examples/..."}},
	{7, []string{"bench/..."}},
}

// lastLibraryRow is the last row that gets by with the standard library.
const lastLibraryRow = 5

// alsoAllowed are the exceptions, by package.
var alsoAllowed = map[string]string{
	"draw": "golang.org/x/image/",
	"pack": "github.com/klauspost/compress/",
}

// testOnly holds what tests share; only test files import it.
const testOnly = "internal/wendtest"

type place struct{ row, chain, link int }

func placeOf(pkg string) (place, bool) {
	for c, r := range rows {
		for l, names := range r.chain {
			for _, name := range strings.Fields(names) {
				prefix, tree := strings.CutSuffix(name, "/...")
				if pkg == name || tree && (pkg == prefix || strings.HasPrefix(pkg, prefix+"/")) {
					return place{r.row, c, l}, true
				}
			}
		}
	}
	return place{}, false
}

// checkImports returns the arrows that should not be. Packages are named
// relative to the module, the root package "wend".
func checkImports(imports map[string][]string) []string {
	var bad []string
	for pkg, list := range imports {
		if pkg == testOnly || strings.HasPrefix(pkg, testOnly+"/") {
			continue
		}
		from, ok := placeOf(pkg)
		if !ok {
			bad = append(bad, fmt.Sprintf("%s stands in no row", pkg))
			continue
		}
		for _, imp := range list {
			to, ours := strings.CutPrefix(imp, "wend/")
			if imp == "wend" {
				to, ours = "wend", true
			}
			if !ours {
				first, _, _ := strings.Cut(imp, "/")
				extra, allowed := alsoAllowed[pkg]
				if strings.Contains(first, ".") && from.row <= lastLibraryRow && !(allowed && strings.HasPrefix(imp, extra)) {
					bad = append(bad, fmt.Sprintf("%s imports %s, which is not in the standard library", pkg, imp))
				}
				continue
			}
			if to == testOnly || strings.HasPrefix(to, testOnly+"/") {
				bad = append(bad, fmt.Sprintf("%s imports %s outside its tests", pkg, to))
				continue
			}
			target, ok := placeOf(to)
			switch {
			case !ok:
				bad = append(bad, fmt.Sprintf("%s imports %s, which stands in no row", pkg, to))
			case target.row > from.row:
				bad = append(bad, fmt.Sprintf("%s (row %d) imports %s (row %d): up", pkg, from.row, to, target.row))
			case target.row == from.row && !(target.chain == from.chain && target.link < from.link):
				bad = append(bad, fmt.Sprintf("%s imports %s: sideways in row %d", pkg, to, from.row))
			}
		}
	}
	slices.Sort(bad)
	return bad
}

// readImports collects the imports of every file that is not a test, whatever
// its build tags say.
func readImports(t *testing.T, root string) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if file == root {
				return nil
			}
			_, mod := os.Stat(filepath.Join(file, "go.mod"))
			if mod == nil || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(fset, file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(rel)
		if pkg == "." {
			pkg = "wend"
		}
		list := imports[pkg]
		for _, spec := range f.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if !slices.Contains(list, imp) {
				list = append(list, imp)
			}
		}
		imports[pkg] = list
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return imports
}

func TestImportsPointDown(t *testing.T) {
	imports := readImports(t, ".")
	for _, must := range []string{"geom", "scene", "navmesh", "bake"} {
		if _, ok := imports[must]; !ok {
			t.Errorf("no file of %s was found: the walk is broken", must)
		}
	}
	for _, b := range checkImports(imports) {
		t.Error(b)
	}
}

// The check itself: one arrow of each wrong kind, between right ones.
func TestImportCheckFindsWrongArrows(t *testing.T) {
	got := checkImports(map[string][]string{
		"geom":              {"math", "wend/scene"},
		"scene/obj":         {"wend/scene", "wend/scene/gltf", "bufio"},
		"bake":              {"wend/navmesh/detour", "wend/internal/detail", "wend/route", "github.com/x/y"},
		"internal/region":   {"wend/internal/heightfield", "wend/navmesh"},
		"internal/detail":   {"wend/internal/region", "wend/internal/wendtest"},
		"draw":              {"golang.org/x/image/vector", "golang.org/x/term", "wend/route"},
		"wend":              {"wend/bake", "wend/internal/cli"},
		"internal/cli":      {"wend", "wend/internal/config", "github.com/alecthomas/kong"},
		"internal/config":   {"wend/internal/cli"},
		"examples/first":    {"wend", "wend/surprise"},
		"surprise":          {"fmt"},
		"internal/wendtest": {"wend/scene"},
		"cmd/wend":          {"wend/internal/cli"},
	})
	want := []string{
		"bake imports github.com/x/y, which is not in the standard library",
		"bake imports route: sideways in row 3",
		"draw imports golang.org/x/term, which is not in the standard library",
		"examples/first imports surprise, which stands in no row",
		"geom (row 0) imports scene (row 1): up",
		"internal/config imports internal/cli: sideways in row 7",
		"internal/detail imports internal/wendtest outside its tests",
		"internal/region imports navmesh: sideways in row 2",
		"scene/obj imports scene/gltf: sideways in row 1",
		"surprise stands in no row",
		"wend (row 5) imports internal/cli (row 7): up",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
