package config

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"wend/geom"
)

// WriteLevel writes l as a LEVEL.wend.toml file that ReadLevel reads back to
// the same values.
func WriteLevel(w io.Writer, l *Level) error {
	b := bufio.NewWriter(w)
	for _, k := range l.Links {
		b.WriteString("[[link]]\n")
		name(b, k.Name)
		fmt.Fprintf(b, "from = %s\nto = %s\nradius = %s\n", point(k.From), point(k.To), number(k.Radius))
		if k.OneWay {
			b.WriteString("one_way = true\n")
		}
		if k.Area != 0 {
			fmt.Fprintf(b, "area = %d\n", k.Area)
		}
		if k.Cost != 0 {
			fmt.Fprintf(b, "cost = %s\n", number(k.Cost))
		}
		if k.UserID != 0 {
			fmt.Fprintf(b, "id = %d\n", k.UserID)
		}
		b.WriteByte('\n')
	}
	for _, v := range l.Volumes {
		b.WriteString("[[volume]]\n")
		name(b, v.Name)
		prism(b, v.Ring, v.MinY, v.MaxY)
		if v.Unwalkable {
			b.WriteString("unwalkable = true\n\n")
		} else {
			fmt.Fprintf(b, "area = %d\n\n", v.Area)
		}
	}
	for _, n := range l.NoGo {
		b.WriteString("[[nogo]]\n")
		name(b, n.Name)
		prism(b, n.Ring, n.MinY, n.MaxY)
		b.WriteByte('\n')
	}
	for _, r := range l.Parts {
		b.WriteString("[[part]]\n")
		if r.Match != "" {
			fmt.Fprintf(b, "match = %s\n", quote(r.Match))
		}
		if r.Material != "" {
			fmt.Fprintf(b, "material = %s\n", quote(r.Material))
		}
		for _, f := range []struct {
			key string
			on  bool
		}{{"collider", r.Collider}, {"no_surface", r.NoSurface}, {"unwalkable", r.Unwalkable}} {
			if f.on {
				fmt.Fprintf(b, "%s = true\n", f.key)
			}
		}
		if r.HasArea {
			fmt.Fprintf(b, "area = %d\n", r.Area)
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}

func name(b *bufio.Writer, s string) {
	if s != "" {
		fmt.Fprintf(b, "name = %s\n", quote(s))
	}
}

func prism(b *bufio.Writer, ring []geom.Vec2, minY, maxY float64) {
	b.WriteString("ring = [")
	for i, p := range ring {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "[%s, %s]", number(p.X), number(p.Y))
	}
	b.WriteString("]\n")
	if minY > -maxCoord {
		fmt.Fprintf(b, "min_y = %s\n", number(minY))
	}
	if maxY < maxCoord {
		fmt.Fprintf(b, "max_y = %s\n", number(maxY))
	}
}

func point(p geom.Vec3) string {
	return fmt.Sprintf("[%s, %s, %s]", number(p.X), number(p.Y), number(p.Z))
}

// number is the shortest text that reads back as v.
func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// quote writes a basic string of TOML: quotes, backslashes and control
// characters are escaped.
func quote(s string) string {
	b := []byte{'"'}
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < 0x20 || r == 0x7f:
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = append(b, string(r)...)
		}
	}
	return string(append(b, '"'))
}
