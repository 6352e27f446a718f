package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"wend/geom"
	"wend/occluder"
	"wend/pack"
	"wend/pack/bnav"
	"wend/pack/ocls"
)

type sightCmd struct {
	Pack string `arg:"" help:"Main pack, whose occluder pack stands beside it, or an occluder pack."`
	From place  `required:"" placeholder:"x,y,z" help:"Where the line starts, in world metres."`
	To   place  `required:"" placeholder:"x,y,z" help:"Where it ends."`
	Zone string `help:"Zone, where the pack has several."`
	JSON bool   `name:"json" help:"Print one JSON document."`
}

func (sightCmd) Help() string {
	return `A line is clear when no collider mesh meets it, ends included; terrain does not count. Where there are no colliders, the answer is "unknown".

Examples:

    wend sight town.nav.gz --from 2,1.6,3 --to 40,1.6,-20
    wend sight town.nav.gz --zone cellar --from 2,1.6,3 --to 4,1.6,3 --json`
}

// sightAnswer is what the command prints.
type sightAnswer struct {
	Status   string      `json:"status"` // clear, hit or unknown
	Zone     string      `json:"zone,omitempty"`
	Reason   string      `json:"reason,omitempty"` // of unknown
	Point    *[3]float64 `json:"point,omitempty"`  // of the first hit
	Distance *float64    `json:"distance,omitempty"`
	Face     string      `json:"face,omitempty"` // outside or inside of the mesh
	Instance *uint32     `json:"instance,omitempty"`
	Triangle *uint32     `json:"triangle,omitempty"`
}

func (c *sightCmd) Run(e *env) error {
	for _, p := range []struct {
		flag string
		at   place
	}{{"--from", c.From}, {"--to", c.To}} {
		if !p.at.hasHeight {
			return badInputf("%s %v: a line of sight needs the height too, x,y,z", p.flag, p.at)
		}
	}
	a, err := c.answer(e)
	if err != nil {
		return err
	}
	if c.JSON {
		return writeJSON(e.stdout, a)
	}
	text := a.Status
	switch a.Status {
	case "hit":
		text = fmt.Sprintf("hit %s after %.2f m, the %s of triangle %d of instance %d", places(*a.Point), *a.Distance, a.Face, *a.Triangle, *a.Instance)
	case "unknown":
		text += ": " + a.Reason
	}
	_, err = fmt.Fprintln(e.stdout, text)
	return err
}

func (c *sightCmd) answer(e *env) (*sightAnswer, error) {
	kind, err := packKind(c.Pack)
	if err != nil {
		return nil, badInput(err)
	}
	file := c.Pack
	switch kind {
	case magicMain:
		_, file = pack.SideNames(c.Pack)
	case magicFields:
		return nil, badInputf("%s is a fields sidecar, want its main pack %s", c.Pack, mainOfSidecar(c.Pack))
	case "":
		return nil, badInputf("%s is no pack", c.Pack)
	}
	data, err := pack.ReadFile(packFS(e), file, 0)
	if errors.Is(err, fs.ErrNotExist) && kind == magicMain {
		if _, err := c.mainZone(e, kind); err != nil {
			return nil, err
		}
		return &sightAnswer{Status: "unknown", Zone: c.Zone, Reason: file + " does not exist"}, nil
	}
	if err != nil {
		return nil, badInput(packError(err))
	}
	zone, s, err := c.scene(e, kind, file, data)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return &sightAnswer{Status: "unknown", Zone: zone, Reason: fmt.Sprintf("%s has no colliders for zone %q", file, zone)}, nil
	}
	scene, err := occluder.New(s)
	if err != nil {
		return nil, badInput(err)
	}
	return look(scene, zone, c.From.pos, c.To.pos), nil
}

// scene picks the colliders of a zone: nil where it has none.
func (c *sightCmd) scene(e *env, kind, file string, data []byte) (string, *ocls.Scene, error) {
	records, err := ocls.Scan(file, data)
	if err != nil {
		return "", nil, badInput(err)
	}
	zone := c.Zone
	var names []string
	pick := func() (*ocls.Scene, error) {
		for i := range records {
			if records[i].Wins && records[i].Name == zone {
				return records[i].Decode()
			}
		}
		return nil, nil
	}
	for i := range records {
		if records[i].Wins {
			names = append(names, records[i].Name)
		}
	}
	if zone == "" {
		if len(names) > 1 {
			return "", nil, badInputf("%s has colliders for several zones: name one with --zone\n  %s", file, strings.Join(names, "\n  "))
		}
		if len(names) == 0 {
			return "", nil, nil
		}
		zone = names[0]
	}
	s, err := pick()
	if s == nil && err == nil { // a drawing of a floor has the colliders of its zone
		if zone, err = c.mainZone(e, kind); err != nil {
			return "", nil, err
		}
		s, err = pick()
	}
	return zone, s, badInput(err)
}

// mainZone looks the zone up in the main pack, and returns the one that has
// its geometry.
func (c *sightCmd) mainZone(e *env, kind string) (string, error) {
	if kind != magicMain || c.Zone == "" {
		return c.Zone, nil
	}
	p, err := bnav.Open(e.ctx, packFS(e), c.Pack, nil)
	if err != nil {
		return "", badInput(packError(err))
	}
	i := p.ZoneIndex(c.Zone)
	if i < 0 {
		var names []string
		for k := range p.Zones {
			names = append(names, p.Zones[k].Name)
		}
		return "", badInputf("%s has no zone %q; it has\n  %s", c.Pack, c.Zone, strings.Join(names, "\n  "))
	}
	if z := &p.Zones[i]; z.IsTier() {
		for k := range p.Zones {
			if uint32(p.Zones[k].ID) == z.Components {
				return p.Zones[k].Name, nil
			}
		}
	}
	return c.Zone, nil
}

// look answers for a line.
func look(s *occluder.Scene, zone string, a, b geom.Vec3) *sightAnswer {
	hit, found := s.First(a, b)
	if !found {
		return &sightAnswer{Status: "clear", Zone: zone}
	}
	d := b.Sub(a)
	at := triple(a.Add(d.Scale(hit.T)))
	far := hit.T * d.Len()
	corners, _ := s.Triangle(hit.Instance, hit.Triangle)
	// Corners stand clockwise seen from outside, unless the placement mirrors.
	inward := corners[1].Sub(corners[0]).Cross(corners[2].Sub(corners[0]))
	place := s.Source().Place(int(hit.Instance))
	along := inward.Dot(d) > 0
	face := "inside"
	if along == (place.Det() > 0) {
		face = "outside"
	}
	return &sightAnswer{
		Status: "hit", Zone: zone, Point: &at, Distance: &far, Face: face, Instance: &hit.Instance, Triangle: &hit.Triangle,
	}
}
