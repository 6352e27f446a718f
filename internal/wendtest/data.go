// Package wendtest holds what tests share: the place of the test data,
// goldens and plain twins of clever algorithms. Only _test.go files import it.
package wendtest

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// defaultData is where the shared test data lies, relative to the module.
const defaultData = "../shared/data"

// Data returns the path of a file or folder of the shared test data, and
// skips the test when the data are not on this machine. WEND_DATA names
// another place for them.
func Data(tb testing.TB, elem ...string) string {
	tb.Helper()
	root := os.Getenv("WEND_DATA")
	if root == "" {
		_, file, _, ok := runtime.Caller(0)
		if !ok {
			tb.Fatal("cannot tell where the module lies")
		}
		root = filepath.Join(filepath.Dir(file), "..", "..", filepath.FromSlash(defaultData))
	}
	if _, err := os.Stat(root); err != nil {
		tb.Skipf("shared test data not found at %s (set WEND_DATA to its folder)", root)
	}
	return filepath.Join(append([]string{root}, elem...)...)
}
