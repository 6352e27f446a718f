// Package examples holds small programs, one a task: route, storeys, bodies
// and links on navmeshes, army on a grid. Run one by its name: go run
// ./examples/route
package examples
