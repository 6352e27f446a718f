// Command wend bakes navmeshes, plans routes and draws them. Run
// "wend --help".
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"wend/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	os.Exit(cli.Main(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
