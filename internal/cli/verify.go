package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"wend/pack"
	"wend/verify"
)

type verifyCmd struct {
	Pack     string `arg:"" help:"Main pack or occluder pack."`
	Deep     bool   `help:"Also check what packs of a bake guarantee beyond the format, and bake packs of ours again to compare; a grid without its fields pack is a fault then."`
	Complete bool   `help:"A side pack that is missing is a fault."`
	Jobs     int    `short:"j" default:"0" help:"Goroutines to work with; 0: one for each processor."`
}

func (verifyCmd) Help() string {
	return `A main pack is checked with the side packs beside it: every table, tile and column is decoded. A good set prints nothing. Otherwise each fault is a line on standard output (file, kind, section, place, what is wrong), and the exit status is 1.

Examples:

    wend verify town.nav.gz
    wend verify town.nav.gz --deep --complete
    wend verify town.occluder.gz`
}

func (c *verifyCmd) Run(e *env) error {
	if c.Jobs < 0 || c.Jobs > 4096 {
		return badInputf("--jobs %d: want 0 to 4096", c.Jobs)
	}
	if err := checkFile(c.Pack, "a pack", "pack"); err != nil {
		return badInput(err)
	}
	faults, err := verify.Pack(e.ctx, packFS(e), c.Pack, &verify.Options{Workers: c.Jobs, Deep: c.Deep, Complete: c.Complete})
	switch {
	case errors.Is(err, verify.ErrSidecar):
		return badInputf("%s is a fields sidecar, which is checked with its main pack: wend verify %s", c.Pack, mainOfSidecar(c.Pack))
	case err != nil:
		return badInput(packError(err))
	case len(faults) == 0:
		return nil
	}
	for _, f := range faults {
		if _, err := fmt.Fprintln(e.stdout, f); err != nil {
			return err
		}
	}
	more := ""
	if len(faults) == pack.MaxFaults {
		more = " or more"
	}
	return fmt.Errorf("%s: %s%s", c.Pack, plural(len(faults), "fault"), more)
}

// packFS opens packs by the names of the command line, until an interrupt.
func packFS(e *env) fs.FS { return &cancelFS{e.ctx, diskFS{}} }

// packError says what is wrong with a pack file in the words of the command
// line.
func packError(err error) error {
	var fe *pack.FormatError
	if errors.As(err, &fe) && (errors.Is(err, pack.ErrOpen) || errors.Is(err, pack.ErrRead)) {
		return fmt.Errorf("%s: %w", fe.File, withoutPath(err))
	}
	return err
}

// mainOfSidecar is the inverse of pack.SideNames for a fields sidecar.
func mainOfSidecar(name string) string {
	for _, ext := range []string{".nav.gz", ".nav", ""} {
		if base, ok := strings.CutSuffix(name, ".fields"+ext); ok {
			return base + ext
		}
	}
	return name
}
