package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"golang.org/x/term"
)

// Exit statuses.
const (
	exitAnswered = 0
	exitFailed   = 1
	exitBadInput = 2
)

// grammar is the command line. Each command's Help method holds its examples.
type grammar struct {
	Quiet bool `short:"q" help:"Print no progress and no notes, only results and errors."`

	Bake       bakeCmd       `cmd:"" help:"Bake the navmesh of a level and save it."`
	Route      routeCmd      `cmd:"" help:"Plan one route, a tour, or a file of queries."`
	Probe      probeCmd      `cmd:"" help:"Tell what can be stood on at a place, and what is near."`
	Draw       drawCmd       `cmd:"" help:"Draw a world as SVG or PNG."`
	Inspect    inspectCmd    `cmd:"" help:"Say what a level, a navmesh or a pack holds."`
	Verify     verifyCmd     `cmd:"" help:"Check a pack and its side packs."`
	Sight      sightCmd      `cmd:"" help:"Ask whether colliders are in the way of a line."`
	Grid       gridCmd       `cmd:"" help:"Search a two-dimensional grid, run its scenarios, draw it."`
	Demo       demoCmd       `cmd:"" help:"Bake a sample town, plan routes through it and draw them."`
	Bench      benchCmd      `cmd:"" help:"Time the bake and the queries of a world."`
	Version    versionCmd    `cmd:"" help:"Print the version."`
	Completion completionCmd `cmd:"" help:"Print a completion script for a shell."`
}

// env is what a command may touch besides its flags.
type env struct {
	ctx            context.Context
	stdout, stderr io.Writer
	quiet          bool
	terminal       bool // stderr is a terminal: bars instead of lines
	color          bool // stdout is one, and colour is wanted
	model          *kong.Application
}

// note prints a remark that --quiet silences.
func (e *env) note(format string, args ...any) {
	if !e.quiet {
		fmt.Fprintf(e.stderr, format+"\n", args...)
	}
}

// inputError marks an error as the fault of what the user gave.
type inputError struct{ err error }

func (e *inputError) Error() string { return e.err.Error() }
func (e *inputError) Unwrap() error { return e.err }

// badInput marks err unless it is nil.
func badInput(err error) error {
	if err == nil {
		return nil
	}
	return &inputError{err}
}

func badInputf(format string, args ...any) error { return &inputError{fmt.Errorf(format, args...)} }

// exitRequest is thrown where kong would end the process.
type exitRequest int

// Main runs one command line, without the program's name, and returns the
// exit status. The command stops soon after ctx ends.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) (status int) {
	defer func() {
		if r := recover(); r != nil {
			code, ok := r.(exitRequest)
			if !ok {
				panic(r)
			}
			status = int(code)
		}
	}()
	e := &env{
		ctx: ctx, stdout: stdout, stderr: stderr,
		terminal: isTerminal(stderr) && os.Getenv("TERM") != "dumb",
		color:    isTerminal(stdout) && os.Getenv("TERM") != "dumb" && os.Getenv("NO_COLOR") == "",
	}
	var g grammar
	parser, err := newParser(&g, e)
	if err != nil {
		panic(err) // the grammar itself is wrong
	}
	e.model = parser.Model
	switch {
	case len(args) == 0:
		args = []string{"--help"}
	case args[0] == "help":
		args = append(slices.Clone(args[1:]), "--help")
	}
	k, err := parser.Parse(args)
	if err != nil {
		return e.fail(err)
	}
	e.quiet = g.Quiet
	return e.fail(k.Run(e))
}

func newParser(g *grammar, e *env) (*kong.Kong, error) {
	return kong.New(g,
		kong.Name("wend"),
		kong.Description("From level geometry to movement: bake navmeshes, plan routes, draw them."),
		kong.Writers(e.stdout, e.stderr),
		kong.Exit(func(code int) { panic(exitRequest(code)) }),
		kong.ExplicitGroups([]kong.Group{
			{Key: "request", Title: "The request:"},
			{Key: "span", Title: "The span planner, for packs:"},
			{Key: "mesh", Title: "The mesh planner, for navmeshes:"},
			{Key: "output", Title: "The answer:"},
			{Key: "drawpack", Title: "Packs, what to draw of them:"},
			{Key: "gridpicture", Title: "Pictures:"},
			{Key: "level", Title: "Level files, how to read and bake them:"},
		}),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100, NoExpandSubcommands: true}),
	)
}

// fail prints an error and returns the status that goes with it.
func (e *env) fail(err error) int {
	if err == nil {
		return exitAnswered
	}
	var parse *kong.ParseError
	var input *inputError
	switch {
	case e.ctx.Err() != nil: // whatever else went wrong for it
		fmt.Fprintln(e.stderr, "wend: cancelled")
		return exitFailed
	case errors.As(err, &parse):
		command := "wend"
		if parse.Context != nil && parse.Context.Selected() != nil {
			command = parse.Context.Selected().FullPath()
		}
		fmt.Fprintf(e.stderr, "wend: %v\nrun %q for help\n", err, command+" --help")
		return exitBadInput
	}
	// The library's root package has the program's name.
	text := strings.TrimPrefix(strings.TrimRight(err.Error(), "\n"), "wend: ")
	fmt.Fprintf(e.stderr, "wend: %s\n", text)
	if errors.As(err, &input) {
		return exitBadInput
	}
	return exitFailed
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
