// Package examples holds small programs, one a task: route, storeys, bodies
// and links. Run one by its name: go run ./examples/route
package examples
