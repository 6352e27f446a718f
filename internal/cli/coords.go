package cli

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"wend/geom"
	"wend/scene"
)

// place is a position on the command line: x,y,z, or x,z where the storey is
// not known.
type place struct {
	pos       geom.Vec3
	hasHeight bool
}

func (p place) String() string {
	if p.hasHeight {
		return fmt.Sprintf("%g,%g,%g", p.pos.X, p.pos.Y, p.pos.Z)
	}
	return fmt.Sprintf("%g,%g", p.pos.X, p.pos.Z)
}

// Decode reads the value of a flag. It takes the next word as it is: kong
// would take -3,0,4 for a flag.
func (p *place) Decode(k *kong.DecodeContext) error {
	token := k.Scan.Pop()
	if token.IsEOL() {
		return errors.New("want a place, x,y,z or x,z")
	}
	word := fmt.Sprint(token.Value)
	var err error
	*p, err = parsePlace(word)
	return err
}

func parsePlace(word string) (place, error) {
	fields := strings.Split(word, ",")
	if len(fields) != 2 && len(fields) != 3 {
		return place{}, fmt.Errorf("%q is not a place: want x,y,z or x,z", word)
	}
	v := make([]float64, len(fields))
	for i, f := range fields {
		n, err := parseCoord(f)
		if err != nil {
			return place{}, fmt.Errorf("%q is not a place: %w", word, err)
		}
		v[i] = n
	}
	if len(v) == 2 {
		return place{pos: geom.V3(v[0], 0, v[1])}, nil
	}
	return place{pos: geom.V3(v[0], v[1], v[2]), hasHeight: true}, nil
}

// parseCoord reads one coordinate in metres: a decimal number. The hexadecimal
// digits and underscores that Go's numbers may have are none here.
func parseCoord(s string) (float64, error) {
	s = strings.TrimSpace(s)
	f, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil && !math.IsInf(f, 0), strings.ContainsAny(s, "_xX"):
		return 0, fmt.Errorf("%q is not a number", s)
	case math.IsNaN(f) || math.Abs(f) > scene.MaxCoordinate:
		return 0, fmt.Errorf("coordinate %s is out of range, want at most %d m from the origin", s, scene.MaxCoordinate)
	}
	return f, nil
}
