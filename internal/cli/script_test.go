package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
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
