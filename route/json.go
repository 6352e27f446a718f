package route

import (
	"encoding/json"
	"math"
	"time"

	"wend/geom"
)

// MarshalJSON writes the route in the form the command line and the server
// use; its names do not change. Lengths are metres.
func (r *Route) MarshalJSON() ([]byte, error) {
	out := routeJSON{
		Status: r.Status.String(), World: r.World, Length: r.Length, Cost: r.Cost,
		Points: make([]pointJSON, len(r.Points)), Waypoints: []int{}, Drops: []dropJSON{}, Warnings: []string{},
		Snap: snapJSON{r.SnapStart, r.SnapEnd},
		Stats: statsJSON{
			Planner: r.Stats.Planner, Expanded: r.Stats.Expanded, Pushed: r.Stats.Pushed,
			Tier: r.Stats.Tier, Window: r.Stats.Window, WindowCells: r.Stats.WindowCells, Proved: r.Stats.Proved,
			Pages: r.Stats.Pages, WallCrossings: r.Stats.WallCrossings, WallSteps: r.Stats.WallSteps,
			MS: timesJSON{
				Snap: millis(r.Stats.Snap), Window: millis(r.Stats.Prepare), Topology: millis(r.Stats.Search),
				Geometry: millis(r.Stats.Geometry), Pull: millis(r.Stats.Pull), Assemble: millis(r.Stats.Assemble),
				Lift: millis(r.Stats.Lift), Total: millis(r.Stats.Total),
			},
		},
	}
	for i, p := range r.Points {
		out.Points[i] = pointJSON{p.Pos.X, p.Pos.Y, p.Pos.Z, p.Clearance, p.Storey, p.Kind.String()}
		if i > 0 && r.Waypoints == nil {
			out.Waypoints = append(out.Waypoints, i)
		}
		if p.Kind == Drop && i+1 < len(r.Points) && r.Drops == nil {
			out.Drops = append(out.Drops, dropJSON{i + 1, r.Points[i+1].Pos.Y})
		}
	}
	out.Waypoints = append(out.Waypoints, r.Waypoints...)
	for _, d := range r.Drops {
		out.Drops = append(out.Drops, dropJSON(d))
	}
	out.Warnings = append(out.Warnings, r.Warnings...)
	if d := r.Debug; d != nil {
		out.Debug = &debugJSON{
			Window: [2][2]float64{{d.Window[0].X, d.Window[0].Y}, {d.Window[1].X, d.Window[1].Y}},
			Notes:  append([]string{}, d.Notes...), Stages: make([]stageJSON, len(d.Stages)),
		}
		for i, s := range d.Stages {
			out.Debug.Stages[i] = stageJSON{s.Name, make([][3]float64, len(s.Points))}
			for k, p := range s.Points {
				out.Debug.Stages[i].Points[k] = triple(p)
			}
		}
	}
	if f := r.Failure; f != nil {
		out.Failure = &failureJSON{Code: f.Code, Message: f.Message}
		if g := f.Gap; g != nil {
			out.Failure.Gap = &gapJSON{triple(g.From), triple(g.To), g.Width, g.Plan(), g.Rise()}
		}
	}
	return json.Marshal(out)
}

type routeJSON struct {
	Status    string       `json:"status"`
	World     string       `json:"world"`
	Length    float64      `json:"length"`
	Cost      float64      `json:"cost"`
	Points    []pointJSON  `json:"points"`
	Waypoints []int        `json:"waypoints"` // where a follower aims for, as indices of points
	Drops     []dropJSON   `json:"drops"`
	Snap      snapJSON     `json:"snap"`
	Warnings  []string     `json:"warnings"`
	Failure   *failureJSON `json:"failure"`
	Stats     statsJSON    `json:"stats"`
	Debug     *debugJSON   `json:"debug,omitempty"`
}

type debugJSON struct {
	Window [2][2]float64 `json:"window"` // x, z of two corners
	Notes  []string      `json:"notes"`
	Stages []stageJSON   `json:"stages"`
}

type stageJSON struct {
	Name   string       `json:"name"`
	Points [][3]float64 `json:"points"`
}

type pointJSON struct {
	X         float64 `json:"x"`
	Y         float64 `json:"y"`
	Z         float64 `json:"z"`
	Clearance float64 `json:"clearance"`
	Storey    uint32  `json:"storey"`
	Kind      string  `json:"kind"`
}

// dropJSON is the point somebody lands on, and the height of the floor there.
type dropJSON struct {
	Index int     `json:"index"`
	Y     float64 `json:"y"`
}

type snapJSON struct {
	Start float64 `json:"start"`
	End   float64 `json:"end"`
}

type failureJSON struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Gap     *gapJSON `json:"gap,omitempty"`
}

type gapJSON struct {
	From  [3]float64 `json:"from"`
	To    [3]float64 `json:"to"`
	Width float64    `json:"width"`
	Plan  float64    `json:"plan"`
	Rise  float64    `json:"rise"`
}

// statsJSON has the names that routes of every planner share. A mesh has no
// tiers and is searched where it lies: it has no window of cells to cut out.
type statsJSON struct {
	Planner     string `json:"planner"`
	Tier        int    `json:"tier"`
	Window      string `json:"window,omitempty"`
	WindowCells int    `json:"window_cells"`
	Proved      bool   `json:"proved,omitempty"`
	Pages       int    `json:"pages,omitempty"`
	// Crossings of kept walls, and steps that could not be pulled straight.
	WallCrossings int       `json:"wall_crossings,omitempty"`
	WallSteps     int       `json:"wall_steps,omitempty"`
	Expanded      int       `json:"expanded"`
	Pushed        int       `json:"pushed"`
	MS            timesJSON `json:"ms"`
}

type timesJSON struct {
	Snap     float64 `json:"snap"`
	Window   float64 `json:"window"`
	Topology float64 `json:"topology"` // the search
	Geometry float64 `json:"geometry"` // what is measured along the path
	Pull     float64 `json:"pull,omitempty"`
	Assemble float64 `json:"assemble,omitempty"`
	Lift     float64 `json:"lift,omitempty"`
	Total    float64 `json:"total"`
}

func triple(v geom.Vec3) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// millis rounds to microseconds: more digits would only pretend.
func millis(d time.Duration) float64 { return math.Round(float64(d)/1e3) / 1e3 }
