package spanroute

import (
	"fmt"
	"math"

	"wend/geom"
)

// Storey says what the height of an end stands for.
type Storey uint8

const (
	// OnSurface: the end is on the surface at its height, give or take 2 m, and
	// on no other.
	OnSurface Storey = iota
	// NearFloor: surfaces within 12 m of the height are preferred.
	NearFloor
	// AnyHeight: the height says nothing.
	AnyHeight
)

// An End is where a route starts or ends.
type End struct {
	At     geom.Vec3 // metres, Y up
	Storey Storey
}

// A Body is what walks. A field of 0 makes no demand: the zero Body is what the
// pack was baked for, and falls as deep as there is a fall.
type Body struct {
	Radius  float64 // m; not less than the triangles stay away from walls
	Height  float64 // m; at most annex.MaxHeadroom
	MaxStep float64 // m; the highest step up, at most that of the pack's rules
	// MaxDrop is the deepest fall. 0 means any depth, as +Inf does; who must not
	// fall at all asks for one that no fall is as low as, say 0.001.
	MaxDrop float64 // m
	// Preferred is the clearance from which on ground is open: there a route
	// does not pay for more. 0 means 1.75 px, 7 cells.
	Preferred float64 // m
}

// A Disc is a round obstacle of this request, of any height. A route keeps its
// line outside of it, and the line is where the middle of the body goes: the
// radius is that of the thing and that of the body together.
type Disc struct {
	At     geom.Vec3 // Y says nothing
	Radius float64   // m
}

// MaxDiscs is the most discs of a request.
const MaxDiscs = 4096

// Windows says which windows a search may use.
type Windows uint8

const (
	// WholeRegion searches the region as a whole. Ground is decoded where a
	// search comes to it, so that a large window costs no more than a small one.
	WholeRegion Windows = iota
	// Ladder tries small windows with a proof that the whole region gives the
	// same, then one that is as large as a limit of cells allows, whose result is
	// taken without a proof, then the whole region. It bounds how far a search may
	// go astray.
	Ladder
	// Exact is Ladder without windows whose result has no proof.
	Exact
)

// A Request asks for a route.
type Request struct {
	Zone  string // "" where the pack has one zone
	From  End
	To    End
	Body  Body
	Discs []Disc

	Windows Windows
	// MaxExpanded bounds the search nodes that are taken up, in all windows
	// together; 0 = no limit. The status is Budget when it is reached; with Partial
	// the route leads to the place nearest to the goal that the last window's
	// searches came to. Where only straightening the way went without an end, it is
	// complete, and warns.
	MaxExpanded int
	// Shortest asks for the shortest way that the body fits, which keeps no more
	// clearance than it must: Body.Preferred says nothing then.
	Shortest bool
	// Partial asks for the way to the reachable place nearest to the goal
	// where the goal itself is out of reach, whatever the reason: no goal in the range
	// of zones is without one.
	Partial bool
	// MaxSnap is how far an end may be beside ground that the body walks on, seen
	// from above, m: an end farther away is on no floor, or on ground that is closed,
	// and the goal cannot be reached. Within it a route begins and ends as asked where
	// the body would touch a wall, or over a floor that a disc closes, and else where
	// the ground does. 0 means DefaultMaxSnap, or the radius of the body and a cell
	// where that is more; more than 8 px of the zone counts as that.
	MaxSnap float64
	// Gap asks where the way breaks off even where that takes longer than to find
	// that the goal is out of reach: regions, components and falls commonly tell
	// that in microseconds, and where the two parts come nearest to each other is
	// found in milliseconds. After a search that failed Failure.Gap is set anyway.
	Gap bool
	// Debug fills Route.Debug.
	Debug bool
	// Reference follows the original rules where this package departs from
	// them; see docs/planner.md.
	Reference bool
}

// Codes of failures, for programs, beside those of package route.
const (
	CodeCoreTooFar          = "core_too_far"          // no open ground near an end
	CodeNoStartSpan         = "no_start_span"         // no surface near the start at its height
	CodeNoGoalDeck          = "no_goal_deck"          // no surface at the declared height near the goal
	CodeNothingToSnap       = "nothing_to_snap"       // nothing in reach near the start
	CodeStartDeckBlocked    = "start_deck_blocked"    // the start's surface is closed
	CodeGoalDeckBlocked     = "goal_deck_blocked"     // the goal's surface is closed
	CodeSeedRegion          = "seed_region"           // the start does not stand on the goal's region
	CodeDisconnected        = "disconnected"          // a search found no way
	CodeGoalDeckUnreachable = "goal_deck_unreachable" // a search found no way to the goal's surface
	CodeGoalUnreachable     = "goal_unreachable"      // the goal lies beyond what can be reached
	CodeRegionTooBig        = "region_too_big"
	CodeRouteFailed         = "route_failed"
)

// A RequestError says what is wrong with a request.
type RequestError struct {
	Field string
	Value any
	What  string
}

func (e *RequestError) Error() string {
	return fmt.Sprintf("spanroute: %s %v: %s", e.Field, e.Value, e.What)
}

// check returns what of a request makes no sense whatever the world.
func (r *Request) check() error {
	for _, e := range []struct {
		name string
		end  End
	}{{"start", r.From}, {"goal", r.To}} {
		if e.end.Storey > AnyHeight {
			return &RequestError{e.name + " storey", e.end.Storey, "is none of the three"}
		}
		at := e.end.At
		if e.end.Storey == AnyHeight {
			at.Y = 0
		}
		if !finite(at.X) || !finite(at.Y) || !finite(at.Z) {
			return &RequestError{e.name, e.end.At, "is not a place"}
		}
	}
	b := r.Body
	for _, f := range []struct {
		name  string
		value float64
	}{{"radius", b.Radius}, {"height", b.Height}, {"step", b.MaxStep}, {"preferred clearance", b.Preferred}} {
		if !finite(f.value) || f.value < 0 {
			return &RequestError{f.name, f.value, "want a length in metres"}
		}
	}
	if !(b.MaxDrop >= 0) {
		return &RequestError{"drop", b.MaxDrop, "want a depth in metres"}
	}
	if len(r.Discs) > MaxDiscs {
		return &RequestError{"discs", len(r.Discs), fmt.Sprintf("at most %d", MaxDiscs)}
	}
	for i, d := range r.Discs {
		if !finite(d.At.X) || !finite(d.At.Z) || !finite(d.Radius) || d.Radius < 0 {
			return &RequestError{fmt.Sprintf("disc %d", i), d, "want a place and a radius in metres"}
		}
	}
	if r.Windows > Exact {
		return &RequestError{"windows", r.Windows, "is none of the three"}
	}
	if !finite(r.MaxSnap) || r.MaxSnap < 0 {
		return &RequestError{"snap", r.MaxSnap, "want a length in metres"}
	}
	if r.MaxExpanded < 0 {
		return &RequestError{"search nodes", r.MaxExpanded, "want a number, 0 for no limit"}
	}
	return nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
