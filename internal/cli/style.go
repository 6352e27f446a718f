package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"wend/route"
)

// paint wraps text in an ANSI colour when the terminal takes one.
func (e *env) paint(code, text string) string {
	if !e.color {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// statusText colours a status: green arrives, yellow comes near, red does not.
func (e *env) statusText(s route.Status) string {
	switch s {
	case route.Complete:
		return e.paint("32", s.String())
	case route.Partial, route.Budget:
		return e.paint("33", s.String())
	}
	return e.paint("31", s.String())
}

// table prints aligned columns. Columns marked r in align are flush right; a
// row's first cells may carry colour, which takes no room.
func table(w io.Writer, align string, rows [][]string) error {
	width := make([]int, len(align))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], visible(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row {
			pad := strings.Repeat(" ", width[i]-visible(cell))
			if i > 0 {
				b.WriteString("  ")
			}
			switch {
			case align[i] == 'r':
				b.WriteString(pad + cell)
			case i == len(row)-1:
				b.WriteString(cell)
			default:
				b.WriteString(cell + pad)
			}
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// visible is the number of characters without colour codes.
func visible(s string) int {
	n := utf8.RuneCountInString(s)
	for {
		i := strings.IndexByte(s, '\x1b')
		if i < 0 {
			return n
		}
		end := strings.IndexByte(s[i:], 'm')
		if end < 0 {
			return n
		}
		n -= end + 1
		s = s[i+end+1:]
	}
}

// plural writes a count with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "ry"); ok {
		return fmt.Sprintf("%d %sries", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
