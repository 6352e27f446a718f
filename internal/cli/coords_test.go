package cli

import (
	"strings"
	"testing"

	"wend/geom"
)

func TestParsePlace(t *testing.T) {
	for in, want := range map[string]place{
		"1,2,3":              {geom.V3(1, 2, 3), true},
		"-1.5,+2,3e2":        {geom.V3(-1.5, 2, 300), true},
		" 1 , 2 , 3 ":        {geom.V3(1, 2, 3), true},
		"4,-5":               {geom.V3(4, 0, -5), false},
		"1048576,0,-1048576": {geom.V3(1<<20, 0, -1<<20), true},
	} {
		got, err := parsePlace(in)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v", in, got, err)
		}
	}
	for in, want := range map[string]string{
		"":           "want x,y,z or x,z",
		"1":          "want x,y,z or x,z",
		"1,2,3,4":    "want x,y,z or x,z",
		"--to":       "want x,y,z or x,z",
		"1;2;3":      "want x,y,z or x,z",
		"a,b,c":      `"a" is not a number`,
		"1,,3":       `"" is not a number`,
		"1,nan,3":    "out of range",
		"inf,2":      "out of range",
		"1,2,1e300":  "out of range",
		"1,2,-1e999": "out of range",
	} {
		if _, err := parsePlace(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", in, err, want)
		}
	}
}
