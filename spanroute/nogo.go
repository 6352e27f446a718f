package spanroute

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/spanpath"
	"wend/zone"
)

// noGoVersion is the version of the table that is read.
const noGoVersion = 1

// maxNoGo bounds the coordinates of a polygon, px, so that its arithmetic
// cannot overflow. It is far beyond what a zone can have.
const maxNoGo = 1 << 30

// A NoGoError says what is wrong with a no-go polygon, or with the table it
// stands in. A table with a fault is refused as a whole: to read only a part
// would open what its author closed.
type NoGoError struct {
	Zone    string // "" = the table itself
	Polygon int    // number in its zone's list, -1 = none in particular
	ID      string // what the polygon calls itself, may be empty
	What    string
}

func (e *NoGoError) Error() string {
	switch {
	case e.Zone == "":
		return "no-go table: " + e.What
	case e.Polygon < 0:
		return fmt.Sprintf("no-go table, zone %q: %s", e.Zone, e.What)
	case e.ID == "":
		return fmt.Sprintf("no-go table, zone %q, polygon %d: %s", e.Zone, e.Polygon, e.What)
	}
	return fmt.Sprintf("no-go table, zone %q, polygon %d (%q): %s", e.Zone, e.Polygon, e.ID, e.What)
}

type noGoPolygon struct {
	Poly [][]float64 `json:"poly"`
	ID   string      `json:"id"`
	Tier string      `json:"tier"`
}

// readNoGo returns the no-go polygons of each zone: those in the pack, then
// those of the table.
func readNoGo(p *bnav.Pack, table []byte) (map[string][]spanpath.Ring, error) {
	rings, err := packNoGo(p)
	if err != nil || table == nil {
		return rings, err
	}
	zones, err := parseNoGo(table)
	if err != nil {
		return nil, err
	}
	for _, z := range zones {
		at := tableIndex(p, z.name)
		if at < 0 {
			return nil, &NoGoError{z.name, -1, "", "the pack has no such zone, it has " + zoneNames(p)}
		}
		for i := range z.list {
			poly := &z.list[i]
			ring, what := poly.ring(p)
			if what != "" {
				return nil, &NoGoError{z.name, i, poly.ID, what}
			}
			rings[z.name] = append(rings[z.name], ring)
		}
		if p.Table[at].IsTier() && len(z.list) > 0 {
			return nil, &NoGoError{z.name, -1, "", fmt.Sprintf(
				"it is a drawing of zone %q, which the polygons must be listed under", parentOf(p, &p.Table[at]))}
		}
	}
	return rings, nil
}

// packNoGo returns the polygons of the pack's own section, which are in the
// world, by zone.
func packNoGo(p *bnav.Pack) (map[string][]spanpath.Ring, error) {
	rings := map[string][]spanpath.Ring{}
	list, err := annex.ReadNoGo(p)
	if err != nil {
		return nil, err
	}
	for i := range list {
		n := &list[i]
		z := zoneByID(p, n.ID)
		if z != nil && z.IsTier() {
			z = zoneByID(p, uint16(z.Components))
		}
		if z == nil {
			continue // in another zone than the one that was loaded
		}
		if !z.HasWorld() {
			return nil, &NoGoError{z.Name, i, n.Name, "the pack has a polygon of the world, but the zone has no place there"}
		}
		points := make([][2]float64, len(n.Ring))
		for k, q := range n.Ring {
			points[k][0], points[k][1] = z.ToPlane(q.X, q.Y)
		}
		rings[z.Name] = append(rings[z.Name], spanpath.NewRing(n.Name, points, n.MinY, n.MaxY))
	}
	return rings, nil
}

// noGoZone is the list of one zone in a table.
type noGoZone struct {
	name string
	list []noGoPolygon
}

// parseNoGo reads a table. Zones are in the order of the file, since a name
// that comes twice must not hide what stood there first.
func parseNoGo(table []byte) ([]noGoZone, error) {
	fault := func(format string, a ...any) error { return &NoGoError{"", -1, "", fmt.Sprintf(format, a...)} }
	var top struct {
		Version *int            `json:"version"`
		Zones   json.RawMessage `json:"zones"`
	}
	if err := json.Unmarshal(table, &top); err != nil {
		return nil, fault("%s", jsonFault(err))
	}
	switch {
	case top.Version == nil:
		return nil, fault("it has no version")
	case *top.Version != noGoVersion:
		return nil, fault("version %d, want %d", *top.Version, noGoVersion)
	case top.Zones == nil:
		return nil, fault("it has no zones")
	}
	dec := json.NewDecoder(bytes.NewReader(top.Zones))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, fault("its zones are not an object")
	}
	var zones []noGoZone
	seen := map[string]bool{}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return nil, fault("%v", err)
		}
		z := noGoZone{name: t.(string)}
		if seen[z.name] {
			return nil, fault("zone %q is there twice", z.name)
		}
		seen[z.name] = true
		if err := dec.Decode(&z.list); err != nil {
			return nil, &NoGoError{z.name, -1, "", jsonFault(err)}
		}
		zones = append(zones, z)
	}
	return zones, nil
}

// noGoWants says what the fields of a table are.
var noGoWants = map[string]string{
	"": "an object with version and zones", "version": "a whole number", "zones": "an object", "poly": "a list of corners, [u, v] each",
	"id": "a string", "tier": "a string",
}

// jsonFault returns what is wrong without the names of our types.
func jsonFault(err error) string {
	var typ *json.UnmarshalTypeError
	if !errors.As(err, &typ) {
		return err.Error()
	}
	got := "a JSON " + typ.Value
	switch {
	case typ.Field != "":
		return fmt.Sprintf("field %q is %s, want %s", typ.Field, got, noGoWants[typ.Field])
	case typ.Type == reflect.TypeFor[[]noGoPolygon]():
		return fmt.Sprintf("its polygons are %s, want a list", got)
	case typ.Type == reflect.TypeFor[noGoPolygon]():
		return fmt.Sprintf("a polygon is %s, want an object", got)
	}
	return fmt.Sprintf("it is %s, want %s", got, noGoWants[""])
}

// zoneNames lists the zones of a pack that are no drawings of others.
func zoneNames(p *bnav.Pack) string {
	var names []string
	for i := range p.Table {
		if !p.Table[i].IsTier() {
			names = append(names, strconv.Quote(p.Table[i].Name))
		}
	}
	return strings.Join(names, ", ")
}

// ring returns the polygon, or what is wrong with it.
func (n *noGoPolygon) ring(p *bnav.Pack) (r spanpath.Ring, what string) {
	if len(n.Poly) < 3 {
		return r, fmt.Sprintf("it has %d corners, want at least 3", len(n.Poly))
	}
	points := make([][2]float64, len(n.Poly))
	for i, c := range n.Poly {
		if len(c) < 2 {
			return r, fmt.Sprintf("corner %d has %d numbers, want 2", i, len(c))
		}
		if math.Abs(c[0]) > maxNoGo || math.Abs(c[1]) > maxNoGo {
			return r, fmt.Sprintf("corner %d is (%g, %g), beyond %d", i, c[0], c[1], maxNoGo)
		}
		points[i] = [2]float64{c[0], c[1]}
	}
	if onLine(points) {
		return r, "it has no area, its corners lie on one line"
	}
	lo, hi := math.Inf(-1), math.Inf(1)
	if n.Tier != "" {
		at := tableIndex(p, n.Tier)
		if at < 0 {
			return r, fmt.Sprintf("the pack has no tier %q", n.Tier)
		}
		if floor, ok := p.Table[at].Floor(); ok {
			lo, hi = float64(floor)-zone.FloorBand, float64(floor)+zone.FloorBand
		}
	}
	return spanpath.NewRing(n.ID, points, lo, hi), ""
}

// onLine reports whether points lie on one line, but for what rounding makes of it.
func onLine(points [][2]float64) bool {
	const thin = 1e-9 // of the length of the line
	o, far, length2 := points[0], points[0], 0.0
	for _, p := range points {
		dx, dy := p[0]-o[0], p[1]-o[1]
		if d2 := float64(dx*dx) + float64(dy*dy); d2 > length2 {
			far, length2 = p, d2
		}
	}
	for _, p := range points {
		cross := float64((far[0]-o[0])*(p[1]-o[1])) - float64((far[1]-o[1])*(p[0]-o[0]))
		if math.Abs(cross) > thin*length2 {
			return false
		}
	}
	return true
}

func tableIndex(p *bnav.Pack, name string) int {
	for i := range p.Table {
		if p.Table[i].Name == name {
			return i
		}
	}
	return -1
}

func zoneByID(p *bnav.Pack, id uint16) *bnav.Zone {
	for i := range p.Table {
		if p.Table[i].ID == id {
			return &p.Table[i]
		}
	}
	return nil
}
