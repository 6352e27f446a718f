package sample

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"wend/scene"
)

// WriteOBJ writes the triangles of s as a Wavefront OBJ file: metres, Y up,
// one object for each run of triangles of one part, its material as usemtl.
// Numbers are the shortest that read back as the same value. Areas, links,
// volumes and no-go polygons have no place in the format.
func WriteOBJ(w io.Writer, s *scene.Scene) error {
	bw := bufio.NewWriterSize(w, 1<<16)
	var line []byte
	for _, v := range s.Verts {
		line = append(line[:0], 'v')
		for _, c := range [3]float64{v.X, v.Y, v.Z} {
			line = append(line, ' ')
			line = strconv.AppendFloat(line, c, 'g', -1, 64)
		}
		bw.Write(append(line, '\n'))
	}
	part := -1
	for i, t := range s.Tris {
		if int(t.Part) != part {
			part = int(t.Part)
			if part >= len(s.Parts) {
				return fmt.Errorf("sample: triangle %d has part %d, want less than %d", i, part, len(s.Parts))
			}
			p := &s.Parts[part]
			fmt.Fprintf(bw, "o %s\nusemtl %s\n", objName(p.Name), objName(p.Material))
		}
		line = append(line[:0], 'f')
		for _, v := range t.V {
			if int(v) >= len(s.Verts) {
				return fmt.Errorf("sample: triangle %d has vertex %d, want less than %d", i, v, len(s.Verts))
			}
			line = append(line, ' ')
			line = strconv.AppendUint(line, uint64(v)+1, 10)
		}
		bw.Write(append(line, '\n'))
	}
	if err := bw.Flush(); err != nil {
		return fmt.Errorf("sample: write obj: %w", err)
	}
	return nil
}

// objName makes a name fit on a line; an empty one would end the statement.
func objName(s string) string {
	if s == "" {
		return "default"
	}
	b := []byte(s)
	for i, c := range b {
		if c < ' ' || c == '#' || c == '\\' {
			b[i] = '_'
		}
	}
	return string(b)
}
