// Package examples holds small programs, one a task: route, storeys, bodies
// and links on navmeshes, packs on a span grid, army on a grid. Run one by its
// name: go run ./examples/route
package examples
