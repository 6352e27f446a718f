package draw

// The letters of PNG pictures are drawn with a pen, like the rest of the
// picture: a glyph is a few strokes on a grid where 0 is the lowest descender,
// 2 the base line, 6 the height of small letters and 8 that of capitals.
//
// A stroke is a letter and pairs of digits x, y: L a polyline, S a smooth curve
// (a quadratic B-spline that starts and ends at its end points), O a closed
// smooth curve. Strokes are separated by spaces. The first character of a
// glyph is its width.
const (
	fontRows   = 9.0 // grid units of the font size
	fontBase   = 2
	fontGap    = 1.6 // between letters
	fontStroke = 0.085
)

// glyphs holds the printable ASCII characters from the space on.
var glyphs = [...]string{
	"2",                                  // space
	"1L0804 L0202",                       // !
	"2L0806 L2826",                       // "
	"5L1228 L3248 L0454 L0656",           // #
	"4S47482808054542020343 L2921",       // $
	"6L0268 O06082826 O42446462",         // %
	"5L520627 S271606 S1817160502023254", // &
	"1L0806",                             // '
	"2S29060421",                         // (
	"2S09262401",                         // )
	"4L2824 L0745 L0547",                 // *
	"4L2327 L0545",                       // +
	"2L1310",                             // ,
	"3L0535",                             // -
	"1L0202",                             // .
	"3L0138",                             // /
	"4O02084842",                         // 0
	"3L06182822 L2222",                   // 1
	"4S07084846350202 L0242",             // 2
	"4S0708484525 S254542020303",         // 3
	"4L32380444",                         // 4
	"4L480805 S052545420202",             // 5
	"4S38080403 O02054542",               // 6
	"4L084812",                           // 7
	"4O05084845 O02054542",               // 8
	"4O05084845 S47464212",               // 9
	"1L0202 L0505",                       // :
	"2L1310 L1515",                       // ;
	"3L360432",                           // <
	"4L0646 L0444",                       // =
	"3L063402",                           // >
	"4S07084845252423 L2222",             // ?
	"6S4446242343 S46435363646808026262", // @
	"4L022842 L1434",                     // A
	"4L220208 L0828 S28484525 L2505 S25454222", // B
	"5S57580802525353",                         // C
	"5L220208 L0828 S28585222",                 // D
	"4L48080242 L0535",                         // E
	"4L480802 L0535",                           // F
	"5S57580802525454 L3555 L5552",             // G
	"4L0802 L4842 L0545",                       // H
	"1L0802",                                   // I
	"3S3832020303",                             // J
	"4L0802 L4804 L1542",                       // K
	"4L080242",                                 // L
	"6L0208356862",                             // M
	"4L02084248",                               // N
	"5O02085852",                               // O
	"4L0208 L0828 S28484424 L2404",             // P
	"5O02085852 L3451",                         // Q
	"4L0208 L0828 S28484424 L2404 L2442",       // R
	"4S474808054542020303",                     // S
	"4L0848 L2822",                             // T
	"4S0804024244 L4448",                       // U
	"4L082248",                                 // V
	"6L0812365268",                             // W
	"4L0842 L0248",                             // X
	"4L0825 L4825 L2522",                       // Y
	"4L08480242",                               // Z
	"2L28080121",                               // [
	"3L0831",                                   // \
	"2L08282101",                               // ]
	"4L062846",                                 // ^
	"4L0141",                                   // _
	"2L0817",                                   // `
	"4O02064642 L4642",                         // a
	"4O02064642 L0802",                         // b
	"4S454606024243",                           // c
	"4O02064642 L4842",                         // d
	"4L0444 S44460602424343",                   // e
	"3S381815 L1512 L0636",                     // f
	"4O02064642 L4642 S42400000",               // g
	"4L0802 S04064642",                         // h
	"1L0602 L0808",                             // i
	"2L1611 S11100000 L1818",                   // j
	"4L0802 L4604 L1542",                       // k
	"1L0803 S030212",                           // l
	"6L0602 S04063632 S34366662",               // m
	"4L0602 S04064642",                         // n
	"4O02064642",                               // o
	"4O02064642 L0600",                         // p
	"4O02064642 L4640",                         // q
	"3L0602 S04063636",                         // r
	"4S454606044442020303",                     // s
	"3L1813 S131232 L0636",                     // t
	"4S06024244 L4642",                         // u
	"4L062246",                                 // v
	"6L0612345266",                             // w
	"4L0642 L0246",                             // x
	"4L0622 L4610",                             // y
	"4L06460242",                               // z
	"2S29191615 L0515 S15141121",               // {
	"1L0900",                                   // |
	"2S09191615 L2515 S15141101",               // }
	"5S0406264456",                             // ~
}

// glyph returns the strokes of a character; characters that the font lacks
// are a box.
func glyph(r rune) string {
	switch r {
	case '°':
		return "2O06082826"
	case '²':
		return "2S0708282605 L0525"
	case '–', '—':
		return "4L0545"
	case '·':
		return "1L0505"
	case '→':
		return "5L0555 L375533"
	}
	if i := int(r) - ' '; i >= 0 && i < len(glyphs) {
		return glyphs[i]
	}
	return "4L0208484202"
}

// textWidth is the width of a line of text at a font size.
func textWidth(s string, size float64) float64 {
	w := 0.0
	for _, r := range s {
		w += float64(glyph(r)[0]-'0') + fontGap
	}
	return max(w-fontGap, 0) * size / fontRows
}

// textStrokes calls stroke for every pen stroke of a line of text that starts
// at (x, y) on the base line. The points are valid during the call.
func textStrokes(s string, size, x, y float64, stroke func([]point)) {
	k := size / fontRows
	var raw, out []point
	for _, r := range s {
		g := glyph(r)
		for i := 1; i < len(g); {
			kind := g[i]
			raw = raw[:0]
			for i++; i+1 < len(g) && g[i] != ' '; i += 2 {
				raw = append(raw, point{
					x + float64(float64(g[i]-'0')*k),
					y - float64((float64(g[i+1]-'0')-fontBase)*k),
				})
			}
			i++ // the space
			switch kind {
			case 'S':
				out = spline(out[:0], raw, false)
			case 'O':
				out = spline(out[:0], raw, true)
			default:
				out = append(out[:0], raw...)
			}
			stroke(out)
		}
		x += float64((float64(g[0]-'0') + fontGap) * k)
	}
}

// spline appends points of the quadratic B-spline with control points c.
func spline(dst, c []point, closed bool) []point {
	const steps = 6
	n := len(c)
	mid := func(a, b point) point { return point{(a.x + b.x) / 2, (a.y + b.y) / 2} }
	bend := func(a, b, d point) {
		for i := 1; i <= steps; i++ {
			t := float64(i) / steps
			p, q := (1-t)*(1-t), 2*t*(1-t)
			dst = append(dst, point{
				float64(p*a.x) + float64(q*b.x) + float64(t*t*d.x),
				float64(p*a.y) + float64(q*b.y) + float64(t*t*d.y),
			})
		}
	}
	if closed {
		dst = append(dst, mid(c[n-1], c[0]))
		for i := range n {
			bend(mid(c[(i+n-1)%n], c[i]), c[i], mid(c[i], c[(i+1)%n]))
		}
		return dst
	}
	dst = append(dst, c[0])
	from := c[0]
	for i := 1; i < n-1; i++ {
		to := c[n-1]
		if i < n-2 {
			to = mid(c[i], c[i+1])
		}
		bend(from, c[i], to)
		from = to
	}
	if n == 2 {
		dst = append(dst, c[1])
	}
	return dst
}
