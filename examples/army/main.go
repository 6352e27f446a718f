// Command army walks two groups over a grid on which something is built in
// their way.
//
// It shows a game's loop: orders between the ticks, routes that a group shares,
// places for its units, a flow field for a crowd, and what to do after an edit.
package main

import (
	"context"
	"fmt"
	"log"
	"math"

	"wend/grid"
)

// unit is one of a group that walks on a path of its own.
type unit struct {
	at    grid.Point
	goal  grid.Cell
	trail grid.Trail
	next  int // cell of the path it walks to
}

func main() {
	ctx := context.Background()
	m, err := grid.New(60, 24) // all blocked
	if err != nil {
		log.Fatal(err)
	}
	fill(m, 0, 0, 59, 23, true)
	fill(m, 28, 0, 30, 17, false) // a wall from the upper edge, with a way around below

	cache, err := grid.NewRouteCache(m, nil)
	if err != nil {
		log.Fatal(err)
	}

	// The order: twelve units go together, each to a place of its own.
	var group []grid.Cell
	for i := range int32(12) {
		group = append(group, grid.Cell{X: 3 + i%4, Y: 4 + i/4})
	}
	places, err := grid.Formation(m, grid.Cell{X: 52, Y: 6}, group, grid.Moves{})
	if err != nil {
		log.Fatal(err)
	}
	units := make([]unit, len(group))
	for i := range units {
		units[i] = unit{at: middle(group[i]), goal: places[i]}
		if err := order(ctx, cache, &units[i], 0); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Printf("twelve ways: %d searched, %d shared\n", cache.Stats().Searches, cache.Stats().Hits)

	// A crowd that only has to get out follows a field instead.
	crowd := make([]grid.Point, 200)
	for i := range crowd {
		crowd[i] = middle(grid.Cell{X: int32(33 + i%20), Y: int32(10 + i/20)})
	}
	var field grid.Flow
	exits := []grid.Cell{{X: 59, Y: 0}, {X: 59, Y: 23}}

	for tick := int64(0); ; tick++ {
		if tick == 20 { // between the ticks nobody searches, so maps may be edited
			fill(m, 31, 18, 31, 21, false)
			fmt.Println("tick 20: a gate narrows the way")
		}
		if field.Stale() { // never begun, or the map was edited
			if err := field.Begin(m, exits, grid.Moves{}); err != nil {
				log.Fatal(err)
			}
			if err := field.Fill(ctx); err != nil {
				log.Fatal(err)
			}
		}
		moved, err := field.Walk(crowd, 0.5)
		if err != nil {
			log.Fatal(err)
		}
		arrived, again := 0, 0
		for i := range units {
			u := &units[i]
			if d := u.trail.Update(m, u.at); d.Blocked >= 0 || d.Off > 5 {
				if err := order(ctx, cache, u, tick); err != nil {
					log.Fatal(err)
				}
				again++
			} else if d.Changed {
				u.trail.Version = m.Version() // the rest can be walked as it is
			}
			if u.walk(0.8) {
				arrived++
			}
		}
		if again > 0 {
			fmt.Printf("tick %d: %d units turn\n", tick, again)
		}
		if arrived == len(units) && moved.Moving == 0 {
			fmt.Printf("tick %d: all are there\n", tick)
			return
		}
	}
}

// order finds a unit a way from where it is.
func order(ctx context.Context, cache *grid.RouteCache, u *unit, tick int64) error {
	from := grid.Cell{X: int32(u.at.X), Y: int32(u.at.Y)}
	r, err := cache.Find(ctx, from, u.goal, tick)
	if err != nil {
		return err
	}
	if r.Status != grid.Complete {
		return fmt.Errorf("from %v to %v: %v", from, u.goal, r.Status)
	}
	u.trail, u.next = grid.Trail{Path: r.Path, Version: r.Version}, 0
	return nil
}

// walk moves a unit along its path and reports whether it is at its end.
func (u *unit) walk(distance float64) bool {
	path := u.trail.Path
	for distance > 0 {
		if u.next == len(path) {
			return true
		}
		to := middle(path[u.next])
		dx, dy := to.X-u.at.X, to.Y-u.at.Y
		left := math.Hypot(dx, dy)
		if left <= distance {
			u.at, distance = to, distance-left
			u.next++
			continue
		}
		u.at = grid.Point{X: u.at.X + dx*distance/left, Y: u.at.Y + dy*distance/left}
		distance = 0
	}
	return u.next == len(path)
}

func middle(c grid.Cell) grid.Point {
	return grid.Point{X: float64(c.X) + 0.5, Y: float64(c.Y) + 0.5}
}

func fill(m *grid.Map, x0, y0, x1, y1 int32, passable bool) {
	if err := m.Fill(grid.Cell{X: x0, Y: y0}, grid.Cell{X: x1, Y: y1}, passable); err != nil {
		log.Fatal(err)
	}
}
