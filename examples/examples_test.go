package examples_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"wend/internal/wendtest"
)

// Every program builds, runs, and prints what its golden says.
func TestPrograms(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("the go tool is not on the path")
	}
	dirs, err := filepath.Glob("*/main.go")
	if err != nil || len(dirs) == 0 {
		t.Fatal("no programs found", err)
	}
	bin := t.TempDir()
	build := exec.CommandContext(t.Context(), goTool, "build", "-o", bin+string(filepath.Separator), "./...")
	build.Env = append(os.Environ(), "GOARCH=") // for this machine, also when the test is emulated
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, main := range dirs {
		name := filepath.Dir(main)
		t.Run(name, func(t *testing.T) {
			program := filepath.Join(bin, name)
			if runtime.GOOS == "windows" {
				program += ".exe"
			}
			run := exec.CommandContext(t.Context(), program)
			var errs strings.Builder
			run.Stderr = &errs
			out, err := run.Output()
			if err != nil || errs.Len() > 0 {
				t.Fatalf("%v\n%s", err, errs.String())
			}
			wendtest.Golden(t, name+".txt", out)
		})
	}
}
