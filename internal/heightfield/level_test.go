package heightfield

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
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

// The same bytes on every platform, for any number of workers. The sums were
// made on amd64; a change of them is a change of every baked file.
func TestLevelsAreTheSameEverywhere(t *testing.T) {
	want := map[string][3]uint32{ // spans, walkable cells, checksum
		"nav_test.obj":            {120185, 28436, 0x5d00352e},
		"dungeon.obj":             {52106, 10447, 0x188601a6},
		"undulating.obj":          {108713, 83647, 0x9de89ab4},
		"tesseract-complex.obj":   {419362, 147022, 0x0efa3790},
		"sauerbraten-pandora.obj": {282854, 65154, 0xc2888e12},
	}
	for _, l := range levels {
		t.Run(l.file, func(t *testing.T) {
			m := l.load(t, 0.3, 0.2)
			for workers := 1; workers <= 2; workers++ {
				s, err := Rasterize(t.Context(), m.grid, m.verts, m.tris, 4, workers)
				if err != nil {
					t.Fatal(err)
				}
				if err := s.valid(); err != nil {
					t.Fatal(err)
				}
				sum := crc32.NewIEEE()
				binary.Write(sum, binary.LittleEndian, s.Start)
				binary.Write(sum, binary.LittleEndian, s.Spans)
				s.FilterLowHanging(4)
				s.FilterLedges(9, 4)
				s.FilterLowHeight(9)
				c := s.Compact(9, 4)
				if err := c.valid(); err != nil {
					t.Fatal(err)
				}
				c.Erode(2)
				c.Erode(3.3)
				binary.Write(sum, binary.LittleEndian, c.Area)
				binary.Write(sum, binary.LittleEndian, c.Nei)
				walkable := 0
				for _, a := range c.Area {
					if a != Unwalkable {
						walkable++
					}
				}
				got := [3]uint32{uint32(len(s.Spans)), uint32(walkable), sum.Sum32()}
				if got != want[l.file] {
					t.Errorf("%d workers: got %#v, want %#v", workers, got, want[l.file])
				}
			}
		})
	}
}
