package scene_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wend/geom"
	"wend/scene"
)

// floor builds a floor of side 40 out of two triangles whose corners went
// through to, as a file with other axes or units would hold it.
func floor(t *testing.T, o *scene.Options, to func(p geom.Vec3) geom.Vec3) (*scene.Scene, *scene.Report) {
	t.Helper()
	b, err := scene.NewBuilder("floor", "test", o)
	if err != nil {
		t.Fatal(err)
	}
	b.Where = func(src uint32) string { return fmt.Sprintf("triangle %d", src) }
	for _, p := range []geom.Vec3{{}, {Z: 40}, {X: 40, Z: 40}, {X: 40}} {
		b.Vertex(to(p))
	}
	part := b.Part("floor", "")
	b.Triangle(scene.Tri{V: [3]uint32{0, 1, 2}, Part: part}, 0)
	b.Triangle(scene.Tri{V: [3]uint32{0, 2, 3}, Part: part}, 1)
	s, r, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	return s, r
}

func TestAxesAndUnits(t *testing.T) {
	const cos, sin = 0.9999996192282494, 0.0008726645152351496 // of 0.05 degrees
	zUp := func(p geom.Vec3) geom.Vec3 { return geom.V3(p.X, -p.Z, p.Y) }
	for _, tc := range []struct {
		name  string
		right scene.Options
		to    func(p geom.Vec3) geom.Vec3
		warns bool // without options
	}{
		{"Y-up metres", scene.Options{}, func(p geom.Vec3) geom.Vec3 { return p }, false},
		{"Z-up metres", scene.Options{Up: scene.UpZ}, zUp, true},
		{"Z-up centimetres", scene.Options{Up: scene.UpZ, Unit: scene.Centimetre}, func(p geom.Vec3) geom.Vec3 { return zUp(p.Scale(100)) }, true},
		{"tilted", scene.Options{}, func(p geom.Vec3) geom.Vec3 { return geom.V3(p.X*cos-p.Y*sin, p.X*sin+p.Y*cos, p.Z) }, false},
		{"inches, by scale", scene.Options{Scale: 0.0254}, func(p geom.Vec3) geom.Vec3 { return p.Scale(1 / 0.0254) }, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, r := floor(t, nil, tc.to)
			if r.Warned(scene.WarnAxis) != tc.warns {
				t.Errorf("without options: warnings %v, want one about the axis: %v", r.Warnings, tc.warns)
			}
			if tc.warns && !strings.Contains(r.Warnings[0].Text, "100 % of the area is steeper than 45 degrees; is the file Z-up? try --up z") {
				t.Errorf("warning %q", r.Warnings[0].Text)
			}
			s, r := floor(t, &tc.right, tc.to)
			if math.Abs(r.UpArea-1600) > 0.005*1600 || r.SteepArea != 0 || len(r.Warnings) != 0 {
				t.Errorf("with the right options: %s", r)
			}
			if b := s.Bounds(); math.Abs(b.Size().X-40) > 1e-3 || math.Abs(b.Size().Z-40) > 1e-3 || b.Size().Y > 0.04 {
				t.Errorf("bounds %v", b)
			}
		})
	}
	_, r := floor(t, &scene.Options{Up: scene.UpZ}, func(p geom.Vec3) geom.Vec3 { return p })
	if !r.Warned(scene.WarnAxis) || !strings.Contains(r.Warnings[0].Text, "try --up y") {
		t.Errorf("a Y-up file read as Z-up: warnings %v", r.Warnings)
	}
}

func TestSuspiciousLevels(t *testing.T) {
	for _, tc := range []struct {
		name string
		o    *scene.Options
		to   func(p geom.Vec3) geom.Vec3
		code scene.WarningCode
		text string
	}{
		{"face down", nil, func(p geom.Vec3) geom.Vec3 { return geom.V3(p.X, 0, -p.Z) }, scene.WarnWinding, "100 % of the flat area faces down"},
		{"wall along x", nil, func(p geom.Vec3) geom.Vec3 { return geom.V3(0, p.X, p.Z) }, scene.WarnAxis, "is this a level to walk on?"},
		{"40 km", nil, func(p geom.Vec3) geom.Vec3 { return p.Scale(1000) }, scene.WarnUnit, "40 km across; is the file in centimetres?"},
		{"1000 km", nil, func(p geom.Vec3) geom.Vec3 { return p.Scale(25000) }, scene.WarnUnit, "1000 km across; is the file in centimetres?"},
		{"4 mm", nil, func(p geom.Vec3) geom.Vec3 { return p.Scale(1e-4) }, scene.WarnUnit, "only 0.004 m across; is its unit larger than 1 m?"},
		{"4 cm in cm", &scene.Options{Unit: scene.Centimetre}, func(p geom.Vec3) geom.Vec3 { return p.Scale(0.1) }, scene.WarnUnit, "larger than 1 cm?"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, r := floor(t, tc.o, tc.to)
			if len(r.Warnings) != 1 || r.Warnings[0].Code != tc.code || !strings.Contains(r.Warnings[0].Text, tc.text) {
				t.Errorf("warnings %v, want %s: %q", r.Warnings, tc.code, tc.text)
			}
		})
	}
}

// The slope limit is inclusive: 45 degrees is not steeper than 45 degrees.
func TestSlopeLimitIsInclusive(t *testing.T) {
	ramp := func(p geom.Vec3) geom.Vec3 { return geom.V3(p.X, p.X, p.Z) }
	if _, r := floor(t, nil, ramp); r.SteepArea != 0 {
		t.Errorf("steep area %v under a limit of 45 degrees, want 0", r.SteepArea)
	}
	if _, r := floor(t, &scene.Options{MaxSlopeDeg: 44.9}, ramp); r.SteepShare() != 1 {
		t.Errorf("steep share %v under a limit of 44.9 degrees, want 1", r.SteepShare())
	}
}

func TestThinTrianglesAreDropped(t *testing.T) {
	build := func(height float64, at float64) (*scene.Report, error) {
		b, err := scene.NewBuilder("thin", "test", nil)
		if err != nil {
			t.Fatal(err)
		}
		b.Where = func(src uint32) string { return fmt.Sprint(src) }
		for _, p := range []geom.Vec3{{}, {X: 10}, {X: 5, Z: height}} {
			b.Vertex(p.Add(geom.V3(at, 0, at)))
		}
		b.Triangle(scene.Tri{V: [3]uint32{0, 1, 2}, Part: b.Part("", "")}, 7)
		_, r, err := b.Finish()
		return r, err
	}
	for _, tc := range []struct {
		height, at float64
		kept       bool
	}{
		{1e-3, 0, true},
		{1e-5, 0, true},
		{1e-7, 0, false},
		{0, 0, false},
		{1e-3, 5000, true},
		{5e-4, 5000, false}, // float32 steps by 0.0005 there
		{1, 1e6, true},
	} {
		_, err := build(tc.height, tc.at)
		if (err == nil) != tc.kept {
			t.Errorf("height %g at %g: %v, want kept = %v", tc.height, tc.at, err, tc.kept)
		}
		if err != nil && !errors.Is(err, scene.ErrNoTriangles) {
			t.Errorf("error %v, want ErrNoTriangles", err)
		}
	}
}

func TestOptionErrors(t *testing.T) {
	for _, tc := range []struct {
		field string
		o     scene.Options
	}{
		{"Up", scene.Options{Up: 2}},
		{"Unit", scene.Options{Unit: 5}},
		{"Scale", scene.Options{Scale: -1}},
		{"Scale", scene.Options{Scale: math.NaN()}},
		{"Scale", scene.Options{Scale: math.Inf(1)}},
		{"MaxSlopeDeg", scene.Options{MaxSlopeDeg: 91}},
		{"MaxSlopeDeg", scene.Options{MaxSlopeDeg: math.NaN()}},
		{"MaxTriangles", scene.Options{MaxTriangles: -1}},
	} {
		_, err := scene.NewBuilder("x", "test", &tc.o)
		var oe *scene.OptionError
		if !errors.As(err, &oe) || oe.Field != tc.field {
			t.Errorf("%+v: error %v, want one about %s", tc.o, err, tc.field)
		}
	}
}

func TestParseAxisAndUnit(t *testing.T) {
	for _, a := range []scene.Axis{scene.UpY, scene.UpZ} {
		if got, err := scene.ParseAxis(strings.ToUpper(a.String())); err != nil || got != a {
			t.Errorf("ParseAxis(%s) = %v, %v", a, got, err)
		}
	}
	for u := scene.Metre; u <= scene.Foot; u++ {
		if got, err := scene.ParseUnit(u.String()); err != nil || got != u {
			t.Errorf("ParseUnit(%s) = %v, %v", u, got, err)
		}
	}
	var oe *scene.OptionError
	if _, err := scene.ParseAxis("x"); !errors.As(err, &oe) {
		t.Errorf("ParseAxis(x): %v", err)
	}
	if _, err := scene.ParseUnit("yard"); !errors.As(err, &oe) {
		t.Errorf("ParseUnit(yard): %v", err)
	}
}

// Scale and unit that overflow are an error about the coordinate, not a NaN.
func TestTransformOverflow(t *testing.T) {
	b, err := scene.NewBuilder("big", "test", &scene.Options{Scale: 1e300})
	if err != nil {
		t.Fatal(err)
	}
	b.Where = func(uint32) string { return "here" }
	b.Vertex(geom.V3(0, 0, 0))
	b.Vertex(geom.V3(0, 0, 1))
	b.Vertex(geom.V3(-1e300, 0, 0))
	b.Triangle(scene.Tri{V: [3]uint32{0, 1, 2}, Part: b.Part("", "")}, 0)
	_, _, err = b.Finish()
	var re *scene.RangeError
	if !errors.As(err, &re) || !math.IsInf(re.Value, -1) || re.Axis != "x" || re.Where != "here" {
		t.Errorf("error %v, want a RangeError", err)
	}
}

func TestValidate(t *testing.T) {
	good := func() *scene.Scene {
		ring := []geom.Vec2{{}, {X: 1}, {Y: 1}}
		return &scene.Scene{
			Verts:   []geom.Vec3{{}, {Z: 1}, {X: 1}},
			Tris:    []scene.Tri{{V: [3]uint32{0, 1, 2}}},
			Parts:   []scene.Part{{}},
			Links:   []scene.Link{{To: geom.V3(1, 0, 0), Radius: 1}},
			Volumes: []scene.Volume{{Ring: ring, MaxY: 1}},
			NoGo:    []scene.NoGo{{Ring: ring, MaxY: 1}},
		}
	}
	if err := good().Validate(); err != nil {
		t.Fatal(err)
	}
	for field, spoil := range map[string]func(s *scene.Scene){
		"Verts[1]":           func(s *scene.Scene) { s.Verts[1].Y = math.NaN() },
		"Verts[2]":           func(s *scene.Scene) { s.Verts[2].X = 2e6 },
		"Tris[0].V[2]":       func(s *scene.Scene) { s.Tris[0].V[2] = 3 },
		"Tris[0].Part":       func(s *scene.Scene) { s.Tris[0].Part = 1 },
		"Tris[0].Area":       func(s *scene.Scene) { s.Tris[0].Area = 63 },
		"Links[0].From":      func(s *scene.Scene) { s.Links[0].From.X = math.Inf(1) },
		"Links[0].To":        func(s *scene.Scene) { s.Links[0].To.Z = -1e300 },
		"Links[0].Radius":    func(s *scene.Scene) { s.Links[0].Radius = 0 },
		"Links[0].Cost":      func(s *scene.Scene) { s.Links[0].Cost = -1 },
		"Links[0].Area":      func(s *scene.Scene) { s.Links[0].Area = 200 },
		"Volumes[0].Ring":    func(s *scene.Scene) { s.Volumes[0].Ring = s.Volumes[0].Ring[:2] },
		"Volumes[0].Ring[1]": func(s *scene.Scene) { s.Volumes[0].Ring[1].Y = math.NaN() },
		"Volumes[0].MinY":    func(s *scene.Scene) { s.Volumes[0].MinY = 2 },
		"Volumes[0].Area":    func(s *scene.Scene) { s.Volumes[0].Area = 63 },
		"NoGo[0].Ring":       func(s *scene.Scene) { s.NoGo[0].Ring = nil },
		"NoGo[0].MinY":       func(s *scene.Scene) { s.NoGo[0].MinY = math.NaN() },
	} {
		s := good()
		spoil(s)
		var ve *scene.ValueError
		if err := s.Validate(); !errors.As(err, &ve) || ve.Field != field {
			t.Errorf("error %v, want one about %s", err, field)
		}
	}
}

// Meshes store the cost as a float32, in which it must not become infinite.
func TestLinkCostFitsStorage(t *testing.T) {
	s := &scene.Scene{Links: []scene.Link{{Radius: 1, Cost: math.MaxFloat32}}}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
	for _, cost := range []float64{1e39, math.Inf(1), math.NaN()} {
		s.Links[0].Cost = cost
		var ve *scene.ValueError
		if err := s.Validate(); !errors.As(err, &ve) || ve.Field != "Links[0].Cost" {
			t.Errorf("cost %g: got %v", cost, err)
		}
	}
}

func TestAppend(t *testing.T) {
	a, _ := floor(t, nil, func(p geom.Vec3) geom.Vec3 { return p })
	b, _ := floor(t, nil, func(p geom.Vec3) geom.Vec3 { return p.Add(geom.V3(100, 1, 0)) })
	b.Parts = append(b.Parts, scene.Part{Name: "wall", Material: "stone"})
	b.Tris[1].Part = 1
	b.Links = []scene.Link{{Name: "jump", To: geom.V3(1, 0, 0), Radius: 1}}
	a.Append(b)
	a.Append(&scene.Scene{})
	if err := a.Validate(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]scene.Part{{Name: "floor"}, {Name: "wall", Material: "stone"}}, a.Parts); diff != "" {
		t.Error(diff)
	}
	var parts []uint32
	for _, tri := range a.Tris {
		parts = append(parts, tri.Part)
	}
	if diff := cmp.Diff([]uint32{0, 0, 0, 1}, parts); diff != "" {
		t.Error(diff)
	}
	if got := a.Bounds(); got != (geom.Box{Min: geom.V3(0, 0, 0), Max: geom.V3(140, 1, 40)}) || len(a.Links) != 1 {
		t.Errorf("bounds %v, %d links", got, len(a.Links))
	}
}

func TestReportText(t *testing.T) {
	_, r := floor(t, nil, func(p geom.Vec3) geom.Vec3 { return p })
	r.Points = 2
	r.Dropped = []scene.Drop{{Reason: scene.Collinear, Count: 4, Examples: []string{"line 3", "line 9"}}}
	want := "floor (test): 2 triangles in 1 part, 40.00 x 0.00 x 40.00 m, 1600.00 m²\n" +
		"  at most 45 degrees steep: 1600.00 m² facing up, 0.00 m² facing down; steeper: 0.00 m²\n" +
		"  dropped 4 of 2: three corners on one line (line 3; line 9; ...)\n" +
		"  ignored: 2 points, 0 lines\n"
	if diff := cmp.Diff(want, r.String()); diff != "" {
		t.Error(diff)
	}
}
