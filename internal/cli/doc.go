// Package cli is the command line of wend: the grammar, what each command
// does, and the manners they share. It is not an API; programs use package
// wend.
//
// Results go to standard output, progress and messages to standard error. The
// exit status is 0 when the question was answered ("unreachable" is an
// answer), 1 when the work failed, 2 for bad usage or bad input. Files appear
// whole or not at all. An interrupt cancels whatever is running.
//
// Start with Main.
package cli
