package spanbake

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"unicode/utf8"

	"wend/pack"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/ocls"
)

// Input is what is to be baked: zones with their triangles as the main pack
// holds them, and colliders.
type Input struct {
	// Content is the main pack but for its grid. Triangles carry their
	// neighbours; off-mesh links carry their landing points.
	Content bnav.Content

	// Colliders are written to the occluder pack as they are, by the names of
	// their zones. None: no occluder pack.
	Colliders []ocls.Named

	// What later questions want to know, and readers of the formats alone
	// skip. All may be left out.
	Bodies   []annex.Body         // the bodies that triangles were made for, by zone
	Levels   *annex.Levels        // where zones come from
	NoGo     []annex.NoGo         // the author's no-go polygons, in order of their zones
	Overhead map[uint16]*Overhead // by zone id: what limits headroom
}

// Options say how to bake. Tile and Level show in the bytes of the result, the
// others do not.
type Options struct {
	Tile    int        // cells a side of a tile: a multiple of 64 from 64 to 1024; default 512
	Level   bnav.Level // of compression
	Workers int        // goroutines; 0: one for each processor

	// Memory is about how much the bake may hold at once, bytes; 0: no
	// limit. Fewer workers are used where it is short, and where it does not
	// suffice for one the bake ends at once with a *MemoryError.
	Memory int64

	// Dir keeps finished tiles, so that a bake that was killed can be resumed.
	// "" keeps them in memory. It is made where it does not exist, and
	// removed when the bake is complete.
	Dir string

	// Progress is called after each tile, from one goroutine at a time.
	Progress func(Progress)
}

// Progress says how far a bake has come.
type Progress struct {
	Zone        string
	Stage       string
	Done, Total int     // tiles of the stage
	Share       float64 // of the whole bake, 0 to 1
}

// An InputError says what of an Input makes no sense.
type InputError struct {
	Zone string // "" = not one zone's
	What string
}

func (e *InputError) Error() string {
	if e.Zone == "" {
		return "spanbake: " + e.What
	}
	return fmt.Sprintf("spanbake: zone %s: %s", e.Zone, e.What)
}

// A MemoryError says that a tile does not fit into the memory that a bake may
// use.
type MemoryError struct {
	Tile          int   // cells a side
	Limit, Needed int64 // bytes
	Fits          int   // the largest tile that fits, 0 = none does
}

func (e *MemoryError) Error() string {
	s := fmt.Sprintf("spanbake: a tile of %d cells a side needs about %d MiB and %d MiB are allowed", e.Tile, e.Needed>>20, e.Limit>>20)
	if e.Fits > 0 {
		return s + fmt.Sprintf("; a tile of %d would fit", e.Fits)
	}
	return s
}

// emptyCell is about what a worker holds for each cell of a window without its
// spans, bytes.
const emptyCell = 60

// tileMemory is the least that one worker needs, whatever the level is like.
func tileMemory(tile int) int64 {
	side := int64(tile + 2*halo)
	return side * side * emptyCell
}

// withDefaults fills in and checks the options.
func (o *Options) withDefaults() (Options, error) {
	var out Options
	if o != nil {
		out = *o
	}
	if out.Tile == 0 {
		out.Tile = 512
	}
	if out.Tile < 64 || out.Tile > 1024 || out.Tile%64 != 0 {
		return out, &InputError{What: fmt.Sprintf("tile of %d cells, want a multiple of 64 from 64 to 1024", out.Tile)}
	}
	if out.Workers < 0 || out.Memory < 0 {
		return out, &InputError{What: "negative number of workers or memory"}
	}
	if out.Workers == 0 {
		out.Workers = runtime.GOMAXPROCS(0)
	}
	if out.Memory > 0 {
		need := tileMemory(out.Tile)
		if need > out.Memory {
			e := &MemoryError{Tile: out.Tile, Limit: out.Memory, Needed: need}
			for t := 64; t < out.Tile; t += 64 {
				if tileMemory(t) <= out.Memory {
					e.Fits = t
				}
			}
			return out, e
		}
		out.Workers = int(min(int64(out.Workers), out.Memory/need))
	}
	return out, nil
}

// check looks at what zone.Clean does not.
func (in *Input) check() error {
	c := &in.Content
	if c.Grid != nil {
		return &InputError{What: "the content has a grid already"}
	}
	if len(c.Zones) == 0 {
		return &InputError{What: "no zone"}
	}
	ids, names := map[uint16]bool{}, map[string]bool{}
	ground := map[uint32]bool{}
	for i := range c.Zones {
		z := &c.Zones[i]
		switch {
		case z.Name == "":
			return &InputError{What: fmt.Sprintf("zone %d has no name", i)}
		case len(z.Name) > pack.MaxName:
			return &InputError{What: fmt.Sprintf("zone %d has a name of %d bytes, want at most %d", i, len(z.Name), pack.MaxName)}
		case !utf8.ValidString(z.Name) || strings.ContainsRune(z.Name, 0):
			return &InputError{What: fmt.Sprintf("zone %d has the name %q, which is not UTF-8 without NUL", i, z.Name)}
		case z.ID == 0:
			return &InputError{z.Name, "id 0, want 1 or more"}
		case ids[z.ID]:
			return &InputError{z.Name, fmt.Sprintf("id %d is used twice", z.ID)}
		case names[z.Name]:
			return &InputError{z.Name, "name is used twice"}
		}
		ids[z.ID], names[z.Name] = true, true
		if !z.IsTier() {
			ground[uint32(z.ID)] = true
		}
	}
	for i := range c.Zones {
		if z := &c.Zones[i]; z.IsTier() && !ground[z.Components] {
			return &InputError{z.Name, fmt.Sprintf("is a tier of zone %d, which is none", z.Components)}
		}
	}
	for i := range c.OffMesh {
		if err := checkLink(c, &c.OffMesh[i]); err != nil {
			return err
		}
	}
	for _, n := range in.Colliders {
		if !names[n.Name] {
			return &InputError{What: fmt.Sprintf("colliders of zone %q, which is none", n.Name)}
		}
	}
	for i := range in.NoGo {
		n := &in.NoGo[i]
		if !ground[uint32(n.ID)] {
			return &InputError{What: fmt.Sprintf("no-go polygon %q belongs to zone %d, which is none", n.Name, n.ID)}
		}
		if what := simpleRing(n.Ring); what != "" {
			return &InputError{What: fmt.Sprintf("no-go polygon %q %s", n.Name, what)}
		}
	}
	p := c.Rules()
	if what := p.Fault(); what != "" {
		return &InputError{What: what}
	}
	return nil
}

func checkLink(c *bnav.Content, l *bnav.OffMeshLink) error {
	zone := ""
	for i := range c.Zones {
		if c.Zones[i].ID == l.ZoneID && !c.Zones[i].IsTier() {
			zone = c.Zones[i].Name
		}
	}
	bad := func(what string) error {
		return &InputError{zone, fmt.Sprintf("off-mesh link %d %s", l.Index, what)}
	}
	if zone == "" {
		return bad(fmt.Sprintf("belongs to zone %d, which is none", l.ZoneID))
	}
	for _, p := range l.Points {
		for _, v := range [3]float32{p.U, p.V, p.H} {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				return bad("has a point that is not finite")
			}
		}
	}
	if l.Points[0] == l.Points[2] && l.Points[1] == l.Points[3] {
		return bad("has both ends in one place")
	}
	return nil
}
