package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"wend"
	"wend/pack/annex"
	"wend/spanroute"
)

type probeCmd struct {
	World []string `arg:"" help:"Pack (X.nav.gz), navmesh (.bin) or level file; several navmeshes are bodies of one world."`

	At      []place  `placeholder:"X,Y,Z" sep:"none" required:"" help:"Place to ask about, or x,z; may be given several times."`
	Planner string   `enum:",span,mesh" default:"" placeholder:"span|mesh" help:"Look at a span grid or at a navmesh; default: what the world is, a navmesh for levels."`
	Zone    string   `placeholder:"NAME" help:"Zone of the pack; needed where it has several."`
	NoGo    string   `name:"no-go" placeholder:"FILE" help:"JSON table of no-go zones, on top of those in the pack."`
	Radius  *float64 `placeholder:"R" help:"Radius of the body that a level is baked for, metres."`
	JSON    bool     `name:"json" help:"Print a JSON document for each place."`

	levelFlags
}

func (probeCmd) Help() string {
	return `Of packs it tells the surfaces there with their heights, regions, components, clearance and headroom; how far the mesh, the next walkable surface and open ground are; and what no-go zones lie there. Of navmeshes, the surfaces within reach, their storeys and islands, and where the place is put on the mesh. It is where to look when a route does not start or end as it should.

Examples:

    wend probe town.nav.gz --at 14,0
    wend probe town.nav.gz --at 14,4,0 --at -4,3.2,24 --json
    wend probe town.bin --at 14,0`
}

func (c *probeCmd) Run(e *env) error {
	if err := checkRadius(c.Radius); err != nil {
		return err
	}
	planner, err := plannerFor(c.Planner, c.World)
	if err != nil {
		return badInput(err)
	}
	if planner == planSpan {
		return c.probePacks(e)
	}
	switch {
	case c.Zone != "":
		return badInputf("--zone is for packs")
	case c.NoGo != "":
		return badInputf("--no-go is for packs")
	}
	return c.probeMesh(e)
}

// spanPlace is what packs say of a place.
type spanPlace struct {
	World string `json:"world"`
	// On is the surface that the asked height stands for, as an index of
	// surfaces, nil where there is none or no height was asked for.
	On *int `json:"on"`
	*spanroute.Probe
}

// probePacks asks packs.
func (c *probeCmd) probePacks(e *env) error {
	packs, err := c.openSpans(e, c.World, c.Radius, c.NoGo, c.Jobs)
	if err != nil {
		return err
	}
	zone, err := checkZone(packs, c.Zone)
	if err != nil {
		return err
	}
	reach := float64(snapPixels)
	if zone.HasWorld() {
		reach /= math.Abs(float64(zone.SX))
	}
	for _, at := range c.At {
		p, err := packs.Probe(e.ctx, zone.Name, at.pos)
		if err != nil {
			return spanError(err)
		}
		if at.hasHeight {
			p.At.Y = at.pos.Y
		}
		answer := spanPlace{World: packs.Fingerprint(), On: surfaceAt(p, at), Probe: p}
		if c.JSON {
			err = json.NewEncoder(e.stdout).Encode(answer)
		} else {
			_, err = io.WriteString(e.stdout, probeText(&answer, at, reach))
			if err == nil {
				err = probeTable(e, p)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// deckReach is how far above or below the height of an end its surface may lie,
// metres.
const deckReach = 2

// surfaceAt returns the surface of the column that a height stands for.
func surfaceAt(p *wend.Probe, at place) *int {
	best := -1
	for i := range p.Surfaces {
		off := math.Abs(p.Surfaces[i].Y - at.pos.Y)
		if at.hasHeight && off <= deckReach && (best < 0 || off < math.Abs(p.Surfaces[best].Y-at.pos.Y)) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	return &best
}

// snapPixels is how far from the mesh an end may be, px.
const snapPixels = 16

// probeText says in words what there is; reach is how far from the mesh an end may
// be, metres.
func probeText(a *spanPlace, at place, reach float64) string {
	p := a.Probe
	var b strings.Builder
	fmt.Fprintf(&b, "%v: zone %s, cell %d,%d: %s\n", at, p.Zone, p.Cell[0], p.Cell[1], plural(len(p.Surfaces), "surface"))
	if at.hasHeight {
		if a.On == nil {
			fmt.Fprintf(&b, "  no surface within %d m of height %g\n", deckReach, at.pos.Y)
		} else {
			fmt.Fprintf(&b, "  height %g stands for the surface at %.2f\n", at.pos.Y, p.Surfaces[*a.On].Y)
		}
	}
	switch {
	case p.Snap == nil:
		fmt.Fprintf(&b, "  the mesh is farther than %.2f m away: no route starts or ends here\n", reach)
	case p.Snap.Distance == 0:
		b.WriteString("  on the mesh\n")
	default:
		fmt.Fprintf(&b, "  the mesh is %.2f m away, at %s\n", p.Snap.Distance, vec(p.Snap.At))
	}
	if n := p.Nearest; n != nil && n.Distance > 0 {
		fmt.Fprintf(&b, "  the nearest walkable surface is %.2f m away, at height %.2f, of region %d\n", n.Distance, n.Y, n.Region)
	} else if n == nil {
		b.WriteString("  no walkable surface is near\n")
	}
	if p.CoreFound {
		fmt.Fprintf(&b, "  open ground is %.2f m away\n", p.CoreDistance)
	} else {
		b.WriteString("  no open ground is near\n")
	}
	for _, n := range p.NoGo {
		fmt.Fprintf(&b, "  no-go zone %q, %s\n", n.ID, bandText(n.Min, n.Max))
	}
	return b.String()
}

func bandText(lo, hi *float64) string {
	switch {
	case lo == nil && hi == nil:
		return "at all heights"
	case lo == nil:
		return fmt.Sprintf("up to height %g", *hi)
	case hi == nil:
		return fmt.Sprintf("from height %g", *lo)
	}
	return fmt.Sprintf("heights %g to %g", *lo, *hi)
}

// probeTable prints the surfaces of the column.
func probeTable(e *env, p *wend.Probe) error {
	if len(p.Surfaces) == 0 {
		return nil
	}
	rows := [][]string{{"y", "region", "component", "clearance", "headroom", "kind"}}
	for _, s := range p.Surfaces {
		headroom := "?"
		switch {
		case s.Headroom >= annex.MaxHeadroom:
			headroom = fmt.Sprintf("%.2f+", s.Headroom)
		case s.Headroom >= 0:
			headroom = fmt.Sprintf("%.2f", s.Headroom)
		}
		rows = append(rows, []string{
			fmt.Sprintf("%.2f", s.Y), fmt.Sprint(s.Region), fmt.Sprint(s.Component),
			fmt.Sprintf("%.2f", s.Clearance), headroom, surfaceKind(&s),
		})
	}
	return table(e.stdout, "rrrrrl", rows)
}

// surfaceKind names what is special of a surface.
func surfaceKind(s *spanroute.ProbeSurface) string {
	var words []string
	for _, w := range []struct {
		set  bool
		name string
	}{
		{!s.Walk, "closed"}, {s.Walk && !s.Core, "edge"}, {s.Core, "open"}, {s.Dead, "beside a wall"},
		{s.Ghost, "filled gap"}, {s.Medial, "medial axis"}, {s.NoGo, "no-go"},
	} {
		if w.set {
			words = append(words, w.name)
		}
	}
	return strings.Join(words, ", ")
}
