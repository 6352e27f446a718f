package heightfield

import (
	"bufio"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
)

// level is one of the shared test levels with the settings of its bake.
type level struct {
	file  string
	scale float64
}

var levels = []level{
	{"nav_test.obj", 1},
	{"dungeon.obj", 1},
	{"undulating.obj", 1},
	{"tesseract-complex.obj", 0.125},
	{"sauerbraten-pandora.obj", 0.125},
}

// mesh is a level ready to be rasterized.
type mesh struct {
	grid  Grid
	verts []geom.Vec3
	tris  []Tri
}

// load reads the corners and faces of an OBJ file, fans the faces, and marks
// what is no steeper than 45 degrees as ground. It reads just what the test
// levels hold.
func (l level) load(tb testing.TB, cell, cellHeight float64) *mesh {
	tb.Helper()
	f, err := os.Open(wendtest.Data(tb, "levels", l.file))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	m := &mesh{}
	box := geom.EmptyBox()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		w := strings.Fields(sc.Text())
		switch {
		case len(w) == 4 && w[0] == "v":
			var p [3]float64
			for i := range p {
				if p[i], err = strconv.ParseFloat(w[i+1], 64); err != nil {
					tb.Fatal(err)
				}
			}
			v := geom.V3(p[0], p[1], p[2]).Scale(l.scale)
			m.verts = append(m.verts, v)
			box = box.Extend(v)
		case len(w) > 3 && w[0] == "f":
			var ix []uint32
			for _, s := range w[1:] {
				s, _, _ = strings.Cut(s, "/")
				n, err := strconv.Atoi(s)
				if err != nil {
					tb.Fatal(err)
				}
				ix = append(ix, uint32(n-1))
			}
			for i := 2; i < len(ix); i++ {
				m.tris = append(m.tris, m.tri(ix[0], ix[i-1], ix[i]))
			}
		}
	}
	m.grid = Grid{
		W:      int((box.Max.X-box.Min.X)/cell + 0.5),
		D:      int((box.Max.Z-box.Min.Z)/cell + 0.5),
		Origin: box.Min, Cell: cell, CellHeight: cellHeight,
	}
	return m
}

// tri returns a triangle with the area of its slope.
func (m *mesh) tri(a, b, c uint32) Tri {
	n := m.verts[b].Sub(m.verts[a]).Cross(m.verts[c].Sub(m.verts[a]))
	area := Unwalkable
	if n.Y > 0 && n.Y >= n.Len()*math.Sqrt(0.5) {
		area = Ground
	}
	return Tri{a, b, c, area}
}
