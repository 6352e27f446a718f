package scene

import (
	"fmt"
	"strings"

	"wend/geom"
)

// DropReason says why a triangle of a file is not in the scene.
type DropReason uint8

const (
	RepeatedCorner   DropReason = iota // two corners are the same vertex
	RepeatedPosition                   // two corners are different vertices at one place
	Collinear                          // the corners lie on one line: no area
	numDropReasons
)

// String returns the reason as a phrase.
func (r DropReason) String() string {
	switch r {
	case RepeatedCorner:
		return "two equal corners"
	case RepeatedPosition:
		return "two corners at one place"
	case Collinear:
		return "three corners on one line"
	}
	return fmt.Sprintf("DropReason(%d)", uint8(r))
}

// maxExamples is how many places a Drop names.
const maxExamples = 3

// Drop counts the triangles that were left out for one reason.
type Drop struct {
	Reason   DropReason
	Count    int
	Examples []string // where the first few stand, in the reader's words
}

// WarningCode names a kind of warning, for programs.
type WarningCode string

const (
	WarnAxis      WarningCode = "axis"      // almost everything is steep, or the other axis has more ground
	WarnWinding   WarningCode = "winding"   // the flat ground faces down
	WarnUnit      WarningCode = "unit"      // very large or very small
	WarnContent   WarningCode = "content"   // the extension is not that of the content
	WarnTangled   WarningCode = "tangled"   // polygons that cross themselves
	WarnIgnored   WarningCode = "ignored"   // parts of the file that were not used
	WarnUndefined WarningCode = "undefined" // valid only by a generous reading
)

// Warning is something a person should look at. The scene is usable.
type Warning struct {
	Code WarningCode
	Text string // a sentence without a final stop, with the likely cure
}

// Report says what a reader found in a file and what became of it.
type Report struct {
	File   string
	Format string // "obj", "gltf", "glb" or "unity"

	Read    int    // triangles in the file; a polygon of n corners counts n-2
	Kept    int    // triangles in the scene; Read = Kept + the sum of Dropped
	Dropped []Drop // one a reason that occurred, in the order of the constants

	Points, Lines int // ignored primitives

	Parts  int
	Bounds geom.Box // of the kept triangles, metres

	Area        float64 // of the kept triangles, m²
	MaxSlopeDeg float64 // the slope limit the next three refer to
	UpArea      float64 // m² that face up and are not steeper than the limit
	DownArea    float64 // m² that face down likewise: ceilings, undersides
	SteepArea   float64 // m² steeper than the limit

	Warnings []Warning
}

// SteepShare returns the share of the area that is steeper than the slope
// limit, 0 to 1.
func (r *Report) SteepShare() float64 {
	if r.Area <= 0 {
		return 0
	}
	return r.SteepArea / r.Area
}

// DroppedTotal returns the number of triangles that were left out.
func (r *Report) DroppedTotal() int {
	n := 0
	for _, d := range r.Dropped {
		n += d.Count
	}
	return n
}

// Warned reports whether there is a warning of that kind.
func (r *Report) Warned(c WarningCode) bool {
	for _, w := range r.Warnings {
		if w.Code == c {
			return true
		}
	}
	return false
}

// String returns the report as a few lines of text, each with a final
// newline.
func (r *Report) String() string {
	var b strings.Builder
	size := r.Bounds.Size()
	fmt.Fprintf(&b, "%s (%s): %s in %s, %.2f x %.2f x %.2f m, %.2f m²\n",
		r.File, r.Format, count(r.Kept, "triangle"), count(r.Parts, "part"), size.X, size.Y, size.Z, r.Area)
	fmt.Fprintf(&b, "  at most %g degrees steep: %.2f m² facing up, %.2f m² facing down; steeper: %.2f m²\n",
		r.MaxSlopeDeg, r.UpArea, r.DownArea, r.SteepArea)
	for _, d := range r.Dropped {
		fmt.Fprintf(&b, "  dropped %d of %d: %s (%s", d.Count, r.Read, d.Reason, strings.Join(d.Examples, "; "))
		if d.Count > len(d.Examples) {
			b.WriteString("; ...")
		}
		b.WriteString(")\n")
	}
	if r.Points > 0 || r.Lines > 0 {
		fmt.Fprintf(&b, "  ignored: %s, %s\n", count(r.Points, "point"), count(r.Lines, "line"))
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(&b, "  warning: %s\n", w.Text)
	}
	return b.String()
}

// Shares and sizes from which a level looks wrong.
const (
	suspiciousSteep   = 0.95    // share of the area
	suspiciousDown    = 0.95    // share of the flat area
	suspiciousLarge   = 20000.0 // metres
	suspiciousCoarse  = 3000.0  // metres, where most sides are long as well
	suspiciousSmall   = 1.0     // metres
	suspiciousFlatter = 0.5     // an axis is "better" with less than this share steep

	// A level with more than halfSteep of its area steep, which the other axis
	// would give moreGround times as much ground, lies on its side: houses and
	// hills leave some faces that point up whichever axis is taken.
	halfSteep  = 0.5
	moreGround = 3.0

	// longSide is the length in metres of a side of a triangle that hardly
	// anything that people build has.
	longSide = 20.0
)

// evidence is what is measured for judge and shown to nobody.
type evidence struct {
	steepIfOther, upIfOther float64 // SteepArea and UpArea if the other axis were up
	longSides               int     // sides of triangles longer than longSide
}

// judge adds the warnings about axis, winding and unit.
func (r *Report) judge(o *Options, seen *evidence) {
	if r.Kept == 0 {
		return
	}
	r.judgeFacing(o, seen)
	r.judgeSize(o, seen)
}

func (r *Report) judgeFacing(o *Options, seen *evidence) {
	share := r.SteepShare()
	flat := r.UpArea + r.DownArea
	onSide := share > halfSteep && seen.upIfOther > 0 && seen.upIfOther >= moreGround*r.UpArea
	steep := fmt.Sprintf("%s of the area is steeper than %g degrees", percent(share), r.MaxSlopeDeg)
	other := "is the file Z-up? try --up z"
	if o.Up == UpZ {
		other = "is the file Y-up? try --up y"
	}
	switch {
	case share > suspiciousSteep && seen.steepIfOther > suspiciousFlatter*r.Area:
		r.warn(WarnAxis, "%s; is this a level to walk on?", steep)
	case share > suspiciousSteep:
		r.warn(WarnAxis, "%s; %s", steep, other)
	case onSide:
		r.warn(WarnAxis, "%s, and the other axis would make %.0f m² of ground instead of %.0f; %s", steep, seen.upIfOther, r.UpArea, other)
	case r.DownArea > suspiciousDown*flat:
		r.warn(WarnWinding, "%s of the flat area faces down; are the triangles wound the wrong way round?", percent(r.DownArea/flat))
	}
}

func (r *Report) judgeSize(o *Options, seen *evidence) {
	s := r.Bounds.Size()
	size := max(s.X, s.Y, s.Z)
	coarse := 2*seen.longSides > 3*r.Kept // the median side is longer than longSide
	smaller := "is its unit smaller than " + scaleText(o) + "?"
	if o.Unit == Metre && o.Scale == 1 {
		smaller = "is the file in centimetres? try --unit cm"
		if size > 100*suspiciousLarge {
			smaller = "is the file in millimetres? try --unit mm"
		}
	}
	switch {
	case size > suspiciousLarge:
		r.warn(WarnUnit, "the level is %.4g km across; %s", size/1000, smaller)
	case size > suspiciousCoarse && coarse:
		r.warn(WarnUnit, "the level is %.4g km across, and most sides of its triangles are longer than %g m; %s", size/1000, longSide, smaller)
	case size < suspiciousSmall:
		r.warn(WarnUnit, "the level is only %.3g m across; is its unit larger than %s? try --scale 100", size, scaleText(o))
	}
}

func (r *Report) warn(code WarningCode, format string, args ...any) {
	r.Warnings = append(r.Warnings, Warning{code, fmt.Sprintf(format, args...)})
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// percent writes a share without rounding it up to a whole it is not.
func percent(share float64) string {
	p := int(share * 100)
	return fmt.Sprintf("%d %%", p)
}

func scaleText(o *Options) string {
	if o.Scale == 1 {
		return "1 " + o.Unit.String()
	}
	return fmt.Sprintf("%g %s", o.Scale, o.Unit)
}
