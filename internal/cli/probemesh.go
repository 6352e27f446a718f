package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"wend/geom"
	"wend/navmesh"
)

// meshPlace is what a navmesh says of a place.
type meshPlace struct {
	World    string        `json:"world"`
	At       geom.Vec3     `json:"at"`       // m; Y is 0 where no height was asked for
	Surfaces []meshSurface `json:"surfaces"` // within reach in plan, from the highest down

	// Snap is where a place with a height is put, nil where nothing is in
	// reach or no height was asked for. Miss is then how far the nearest surface
	// is, m.
	Snap *meshSnap `json:"snap"`
	Miss *float64  `json:"miss,omitempty"`
}

type meshSurface struct {
	At        geom.Vec3 `json:"at"`
	Polygon   uint32    `json:"polygon"`
	Storey    uint32    `json:"storey"`
	Island    uint32    `json:"island"`
	Area      uint8     `json:"area"`
	NoGo      bool      `json:"no_go"`
	Clearance float64   `json:"clearance"` // m to the nearest wall, at most 5
}

type meshSnap struct {
	At       geom.Vec3 `json:"at"`
	Distance float64   `json:"distance"` // m, in three dimensions
}

// probeMesh asks a navmesh, that of the smallest body.
func (c *probeCmd) probeMesh(e *env) error {
	o, err := c.open(e, c.World, c.Radius)
	if err != nil {
		return err
	}
	q := o.world.Mesh(0).NewQuery()
	for _, at := range c.At {
		a, err := lookMesh(q, at)
		if err != nil {
			return badInput(err)
		}
		a.World = o.world.Fingerprint()
		if c.JSON {
			err = json.NewEncoder(e.stdout).Encode(a)
		} else {
			err = a.print(e, at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lookMesh asks for the surfaces where a place without a height may stand, and
// for the one that a height is put on.
func lookMesh(q *navmesh.Query, at place) (*meshPlace, error) {
	a := &meshPlace{At: at.pos, Surfaces: []meshSurface{}}
	found, err := q.AppendSurfaces(nil, at.pos.X, at.pos.Z, navmesh.DefaultHalfExtents().X, nil)
	if err != nil {
		return nil, err
	}
	for i := len(found) - 1; i >= 0; i-- {
		poly := q.Mesh().Poly(found[i].Poly)
		room, err := q.DistanceToWall(found[i], shownClearance, nil)
		if err != nil {
			return nil, err
		}
		a.Surfaces = append(a.Surfaces, meshSurface{
			At: found[i].Pos, Polygon: uint32(found[i].Poly), Storey: poly.Storey(), Island: poly.Island(),
			Area: poly.Area(), NoGo: poly.Flags()&navmesh.FlagNoGo != 0, Clearance: room,
		})
	}
	if !at.hasHeight {
		return a, nil
	}
	n, err := q.Nearest(at.pos, nil)
	switch {
	case err != nil:
		return nil, err
	case n.Found:
		a.Snap = &meshSnap{n.Pos, n.Distance}
	case n.MissDistance-n.MissDistance == 0:
		a.Miss = &n.MissDistance
	}
	return a, nil
}

// print says in words and a table what there is.
func (a *meshPlace) print(e *env, at place) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%v: %s within %g m\n", at, plural(len(a.Surfaces), "surface"), navmesh.DefaultHalfExtents().X)
	switch {
	case a.Snap != nil:
		fmt.Fprintf(&b, "  put on %s, %.2f m away\n", vec(a.Snap.At), a.Snap.Distance)
	case a.Miss != nil:
		fmt.Fprintf(&b, "  off the mesh: the nearest surface is %.2f m away\n", *a.Miss)
	case at.hasHeight:
		b.WriteString("  off the mesh\n")
	}
	if _, err := io.WriteString(e.stdout, b.String()); err != nil || len(a.Surfaces) == 0 {
		return err
	}
	rows := [][]string{{"y", "polygon", "storey", "island", "clearance", "kind"}}
	for _, s := range a.Surfaces {
		room, kind := fmt.Sprintf("%.2f", s.Clearance), fmt.Sprintf("area %d", s.Area)
		if s.Clearance >= shownClearance {
			room = fmt.Sprintf("%d+", shownClearance)
		}
		if s.NoGo {
			kind = "no-go"
		}
		rows = append(rows, []string{
			fmt.Sprintf("%.2f", s.At.Y), fmt.Sprint(s.Polygon), fmt.Sprint(s.Storey), fmt.Sprint(s.Island), room, kind,
		})
	}
	return table(e.stdout, "rrrrrl", rows)
}

// vec writes a place, coord a coordinate. A zero has no sign.
func vec(p geom.Vec3) string { return coord(p.X) + "," + coord(p.Y) + "," + coord(p.Z) }

func coord(v float64) string {
	s := fmt.Sprintf("%.2f", v)
	if s == "-0.00" {
		return s[1:]
	}
	return s
}
