// Package route plans routes and says what a route is.
//
// A Route is the answer of every planner: points to walk along with a
// status that the caller has to look at. The planners differ in the world
// they work on; MeshPlanner works on a polygon navmesh.
package route

import (
	"fmt"
	"math"
	"time"

	"wend/geom"
)

// Status is the kind of an answer. The zero value is none of them.
type Status uint8

const (
	Complete    Status = 1 + iota // the route ends at the goal
	Partial                       // the route ends at the reachable point nearest to the goal
	Unreachable                   // no way leads to the goal
	Budget                        // the search hit a limit the caller set
	NoGo                          // an end lies in a no-go zone
	OffMesh                       // an end is not on or near any surface
	Cancelled                     // the context ended
	BadInput                      // the request makes no sense
)

var statusNames = [...]string{
	Complete: "complete", Partial: "partial", Unreachable: "unreachable", Budget: "budget",
	NoGo: "nogo", OffMesh: "offmesh", Cancelled: "cancelled", BadInput: "badinput",
}

// String returns the name used in JSON and CSV.
func (s Status) String() string {
	if int(s) < len(statusNames) && statusNames[s] != "" {
		return statusNames[s]
	}
	return fmt.Sprintf("Status(%d)", uint8(s))
}

// Kind is the kind of a route point.
type Kind uint8

const (
	Corner Kind = 1 + iota // the route may turn here
	Link                   // an off-mesh link starts here and ends at the next point
	Drop                   // a fall starts here
	Goal                   // the last point of a complete route
)

var kindNames = [...]string{Corner: "corner", Link: "link", Drop: "drop", Goal: "goal"}

// String returns the name used in JSON.
func (k Kind) String() string {
	if int(k) < len(kindNames) && kindNames[k] != "" {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Point is one point of a route.
type Point struct {
	Pos       geom.Vec3
	Clearance float64 // metres to the nearest wall or drop, see Options.MaxClearance
	Storey    uint32
	Kind      Kind
}

// Route is the answer to one request.
type Route struct {
	Status Status
	World  string  // fingerprint of the world it was planned on
	Points []Point // empty unless Complete, Partial or Budget
	Length float64 // metres along Points in three dimensions
	Cost   float64 // metres weighted by area costs

	SnapStart, SnapEnd float64 // metres from the asked ends to the surface

	// Waypoints are the points that a follower aims for, as indices of Points,
	// ascending, the last point always among them. nil means all but the first.
	Waypoints []int
	// Drops are the falls, ascending. nil means what Point.Kind says.
	Drops    []Landing
	Warnings []string // what a careful caller should know of this route
	Failure  *Failure
	Stats    Stats
	Debug    *Debug // nil unless asked for
}

// Landing is the end of a fall.
type Landing struct {
	Index int     // of the point somebody lands on
	Y     float64 // height of the floor there, m
}

// Debug is how a planner came to its answer.
type Debug struct {
	// Window is the part of the world that was searched last, seen from above.
	Window [2]geom.Vec2
	Notes  []string // why each earlier, smaller window was not enough
	Stages []Stage
}

// Stage is what one step of a planner made of the route.
type Stage struct {
	Name   string
	Points []geom.Vec3
}

// Failure says why and where a route is not complete.
type Failure struct {
	Code    string // stable, for programs
	Message string // one sentence, for people
	// Gap is set when the route could be cut off at a known place: the last
	// reachable point and what it failed to reach.
	Gap *Gap
}

// Gap is the place where a route breaks off.
type Gap struct {
	From, To geom.Vec3
	Width    float64 // metres between them
}

// Plan returns how far apart the ends are seen from above, metres.
func (g *Gap) Plan() float64 {
	dx, dz := g.To.X-g.From.X, g.To.Z-g.From.Z
	return math.Sqrt(float64(dx*dx) + float64(dz*dz))
}

// Rise returns how far To lies above From, metres; below it is less than 0.
func (g *Gap) Rise() float64 { return g.To.Y - g.From.Y }

// Stats say what an answer cost. They do not take part in comparisons of
// results: timings differ from run to run.
type Stats struct {
	Planner  string
	Expanded int // search nodes taken up
	Pushed   int // search nodes queued
	// Time for finding the ends on the surface, for the search, for what is
	// measured along its path afterwards, and for the whole request.
	Snap, Search, Geometry, Total time.Duration

	// What follows is about searches in windows of a span grid.
	Tier        int    // windows that were tried and given up before the last
	Window      string // kind of the last window: small, capped or full; "" = none
	WindowCells int
	Proved      bool // a search of the whole region gives the same result
	Pages       int  // squares of ground that were looked at
	// WallCrossings counts stretches of the route that cross a wall that was
	// kept; WallSteps counts the steps of the search that could not be pulled
	// straight.
	WallCrossings, WallSteps int
	// Lifted counts the corners that were moved into the open, by a side of a
	// cell, a diagonal, and two cells.
	Lifted [3]int

	// Points of the stages.
	TopologyCells, ChainPoints, PulledPoints, AssembledPoints int
	// Time for preparing the last window, for pulling the path taut, putting
	// the route together, and moving its corners into the open. Search is what
	// finds the way, Geometry what straightens it, for the last window; windows
	// given up before count in Total alone.
	Prepare, Pull, Assemble, Lift time.Duration
}

// Err returns nil for a complete route and a *StatusError for every other, for
// callers who prefer errors to statuses.
func (r *Route) Err() error {
	if r.Status == Complete {
		return nil
	}
	return &StatusError{r.Status, r.Failure}
}

// A StatusError is a status other than Complete as an error.
type StatusError struct {
	Status  Status
	Failure *Failure
}

func (e *StatusError) Error() string {
	if e.Failure != nil {
		return fmt.Sprintf("route: %s: %s", e.Status, e.Failure.Message)
	}
	return "route: " + e.Status.String()
}
