package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"wend": func() {
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
			context.AfterFunc(ctx, stop)
			os.Exit(Main(ctx, os.Args[1:], os.Stdout, os.Stderr))
		},
	})
}

// The scripts read like a manual: each shows a command doing its work and
// what it says to bad input.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireUniqueNames:  true,
		RequireExplicitExec: false,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": checkStatus,
			"shown":  checkShown,
		},
	})
}

// checkStatus runs a command and compares its exit status:
//
//	status 2 wend route
func checkStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command [args]")
	}
	want, err := strconv.Atoi(args[0])
	if err != nil {
		ts.Fatalf("status %s: %v", args[0], err)
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// checkShown holds the table that "wend demo" printed last against the one that a page
// of the repository shows, but for the times:
//
//	shown README.md
func checkShown(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: shown page")
	}
	page, err := os.ReadFile(filepath.Join("..", "..", args[0]))
	ts.Check(err)
	printed, shown := tripRows(ts.ReadFile("stdout")), tripRows(string(page))
	if len(printed) < 10 || !slices.Equal(printed, shown) {
		ts.Fatalf("%s shows\n%s\nand the demo prints\n%s", args[0], strings.Join(shown, "\n"), strings.Join(printed, "\n"))
	}
}

// tripRows returns the rows of the table of trips in a text, without times.
func tripRows(text string) (list []string) {
	columns := regexp.MustCompile(` {2,}`)
	in := false
	for line := range strings.Lines(text) {
		row := columns.Split(strings.TrimSpace(line), -1)
		in = in && len(row) >= 8 || row[0] == "trip"
		if !in {
			continue
		}
		// name, mesh (with its length), points, ms, packs (with its length), points, ms
		fields := strings.Fields(strings.Join(row[1:], " "))
		kept := []string{row[0]}
		for i, f := range fields {
			if _, frac, ok := strings.Cut(f, "."); ok && len(frac) == 3 && (i+1 == len(fields) || fields[i+1] != "m") {
				continue // a time
			}
			kept = append(kept, f)
		}
		list = append(list, strings.Join(kept, " "))
	}
	return list
}
