package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// annexInfo is what our own sections of a main pack say.
type annexInfo struct {
	Frame  *frameInfo      `json:"frame,omitempty"`
	Levels []levelsInfo    `json:"levels,omitempty"`
	Bodies []packBody      `json:"bodies,omitempty"`
	Bounds []boundsInfo    `json:"bounds,omitempty"`
	Report json.RawMessage `json:"report,omitempty"`
}

type frameInfo struct {
	Up    string  `json:"up"`
	Unit  string  `json:"unit"`
	Scale float64 `json:"scale"` // metres a unit
}

type levelsInfo struct {
	Zone  int      `json:"zone_id"`
	Files []string `json:"files"`
	Parts []string `json:"parts"`
}

type packBody struct {
	Zone     int     `json:"zone_id"`
	Radius   float64 `json:"radius"`
	Headroom float64 `json:"headroom"`
	Climb    float64 `json:"climb"`
	Slope    float64 `json:"slope_deg"`
}

type boundsInfo struct {
	Zone    string      `json:"zone"`
	Records uint64      `json:"records"`
	Cells   [4]int32    `json:"cells"` // first and last column, first and last row
	Heights *[2]float32 `json:"heights,omitempty"`
}

// newAnnexInfo reads our own sections of a main pack: nil where it has none.
func newAnnexInfo(p *bnav.Pack) (*annexInfo, error) {
	var out annexInfo
	levels, err := annex.ReadLevels(p)
	if err != nil {
		return nil, err
	}
	bodies, err := annex.ReadBodies(p)
	if err != nil {
		return nil, err
	}
	bounds, err := annex.ReadBounds(p)
	if err != nil {
		return nil, err
	}
	report, err := annex.ReadReport(p)
	if err != nil {
		return nil, err
	}
	if levels != nil {
		out.Frame = &frameInfo{levels.Frame.Up, levels.Frame.Unit, levels.Frame.Scale}
		for _, z := range levels.Zones {
			out.Levels = append(out.Levels, levelsInfo{int(z.ID), append([]string{}, z.Files...), append([]string{}, z.Parts...)})
		}
	}
	for _, b := range bodies {
		out.Bodies = append(out.Bodies, packBody{int(b.ID), b.Radius, b.Headroom, b.MaxClimb, b.MaxSlopeDeg})
	}
	if bounds != nil {
		for i := range bounds.Zones {
			z := &bounds.Zones[i]
			n := boundsInfo{Zone: p.Grid.Zones[i].Name, Records: z.Records, Cells: [4]int32{z.GX0, z.GX1, z.GY0, z.GY1}}
			if !z.Heights.Void() {
				n.Heights = &[2]float32{z.Heights.Min, z.Heights.Max}
			}
			out.Bounds = append(out.Bounds, n)
		}
	}
	switch {
	case json.Valid(report):
		out.Report = report
	case report != nil: // it commonly is JSON, and need not be
		out.Report, err = json.Marshal(string(report))
	}
	if levels == nil && bodies == nil && bounds == nil && report == nil {
		return nil, err
	}
	return &out, err
}

func (a *annexInfo) print(b *strings.Builder) {
	if f := a.Frame; f != nil {
		fmt.Fprintf(b, "  made of levels with %s up, %g m a unit (%s)\n", f.Up, f.Scale, f.Unit)
	}
	for _, l := range a.Levels {
		fmt.Fprintf(b, "  zone id %d: %s; %s\n", l.Zone, quotedList(l.Files, "file"), quotedList(l.Parts, "part"))
	}
	for _, y := range a.Bodies {
		fmt.Fprintf(b, "  zone id %d: for a body of radius %g, height %g, climb %g, slope %g degrees\n", y.Zone, y.Radius, y.Headroom, y.Climb, y.Slope)
	}
	for _, z := range a.Bounds {
		fmt.Fprintf(b, "  zone %q: %d own records in columns %d to %d, rows %d to %d", z.Zone, z.Records, z.Cells[0], z.Cells[1], z.Cells[2], z.Cells[3])
		if h := z.Heights; h != nil {
			fmt.Fprintf(b, ", heights %g to %g m", h[0], h[1])
		}
		b.WriteByte('\n')
	}
	if a.Report != nil {
		fmt.Fprintf(b, "  a report of the bake (--json shows it)\n")
	}
}

// quotedList lists up to five names.
func quotedList(names []string, noun string) string {
	const most = 5
	s := plural(len(names), noun)
	for i, n := range names {
		if i == most {
			return s + ", ..."
		}
		s += fmt.Sprintf(" %q", n)
	}
	return s
}

// annexOfFields counts what our own sections of a sidecar hold.
func (n *fieldsInfo) annexOfFields(f *bnvf.Fields) error {
	d, err := annex.ReadDrops(f)
	if err != nil {
		return err
	}
	if d != nil {
		total := 0
		for zone := range f.Main().Grid.Zones {
			total += d.Len(zone)
		}
		n.Drops = &total
	}
	h, err := annex.ReadHeadroom(f)
	n.Headroom = h != nil
	return err
}
