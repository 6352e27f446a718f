package spangrid

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wend/pack/bnav"
	"wend/pack/bnvf"
)

func TestProbePoint(t *testing.T) {
	// Floor above the line, so the probe is below it.
	u, v, ok := ProbePoint(1, 2, 5, 2)
	if !ok || u != 3 || v != 1.25 {
		t.Errorf("(%v, %v) %v", u, v, ok)
	}
	if u, v, ok = ProbePoint(0, 0, 0, 4); !ok || u != 0.75 || v != 2 {
		t.Errorf("(%v, %v) %v", u, v, ok)
	}
	for _, x := range []float64{1, math.NaN()} {
		if _, _, ok := ProbePoint(1, 2, x, 2); ok {
			t.Errorf("a wall from (1, 2) to (%v, 2) has a probe", x)
		}
	}
}

func TestClassifyWall(t *testing.T) {
	for _, k := range []struct {
		floor, others []float64
		want          WallClass
	}{
		{nil, nil, Void},
		{nil, []float64{17}, Void},
		{nil, []float64{30, 16}, Solid},
		{nil, []float64{4}, Solid},
		{[]float64{10}, nil, Seam},
		{[]float64{13}, nil, Seam},
		{[]float64{7}, []float64{10}, Seam},
		{[]float64{6.9}, nil, Cliff},
		{[]float64{13.1}, nil, Solid},
		{[]float64{0, 13.5, 20}, nil, Solid},
		{[]float64{20, 6}, nil, Cliff},
		{[]float64{5, 15}, nil, Cliff},
		{[]float64{15, 5}, nil, Cliff},
		{[]float64{0, 12, 6}, nil, Seam},
	} {
		if got := ClassifyWall(10, k.floor, k.others); got != k.want {
			t.Errorf("floor at %v, others at %v: %d, want %d", k.floor, k.others, got, k.want)
		}
	}
}

// seamYard is a floor of 40 x 20 cells; a seam two cells wide crosses it at
// columns 19 and 20, whose cells are dead and not core. hard sets what of the
// seam is a wall for good.
func seamYard(hard func(x, y int) bool) (*OpenInput, *Columns, []uint8) {
	w := Window{100, 50, 60, 40}
	n := w.Cells()
	in := &OpenInput{
		Window: w, Layer: make(Mask, n), Core: make(Mask, n), Protect: make(Mask, n),
		Hit: make(Mask, n), Hard: make(Mask, n), Steps: make([]uint8, n),
	}
	t := &Columns{}
	t.Reset(w)
	var flags []uint8
	for y := 10; y < 30; y++ {
		for x := 10; x < 50; x++ {
			c := y*w.NX + x
			seam, rim := x == 29 || x == 30, x == 10 || x == 49 || y == 10 || y == 29
			in.Layer[c], in.Core[c] = true, !seam
			in.Hit[c], in.Hard[c] = seam || rim, rim || seam && hard(x, y)
			in.Protect[c] = in.Hit[c]
			f := uint8(0)
			if in.Protect[c] {
				f |= bnav.Dead
			}
			if !seam {
				f |= bnav.Walk | bnav.Core
			}
			t.Append(int32(c), 2)
			flags = append(flags, f)
		}
	}
	t.Finish(reference().Climb)
	return in, t, flags
}

func TestOpenASeam(t *testing.T) {
	var o Opener
	none := func(x, y int) bool { return false }
	in, cols, flags := seamYard(none)
	o.Open(in)
	got := MergeOpenings(o.Append(nil, in, cols, flags, in.Window))
	var want []bnvf.Opening
	for y := 12; y <= 27; y++ { // the rim is a wall, and closes the cells beside it
		for x := 29; x <= 30; x++ {
			// The rim counts as a wall for the clearance, and the closed cells
			// of the seam at its ends.
			up, down := y-11, 28-y
			k := min(up, down)
			want = append(want, bnvf.Opening{
				GX: int32(100 + x), GY: int32(50 + y), H: 2, Clr: uint16(k * k), Flags: bnav.Walk | bnav.Core, Src: OpenedSeam,
			})
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}

	// Only owned cells are appended.
	part := o.Append(nil, in, cols, flags, Window{100, 50, 30, 20})
	if len(part) != 8 {
		t.Errorf("%d openings in a part", len(part))
	}

	// A wall that is none of the seam closes its cell and the eight around it.
	in, cols, flags = seamYard(func(x, y int) bool { return x == 29 && y == 20 })
	o.Open(in)
	closed := map[int32]bool{19 + 50: true, 20 + 50: true, 21 + 50: true}
	for _, p := range o.Append(nil, in, cols, flags, in.Window) {
		if closed[p.GY] {
			t.Errorf("(%d, %d) is opened beside a wall", p.GX, p.GY)
		}
	}

	// No floor beside the seam: nothing to open to.
	in, cols, flags = seamYard(none)
	for y := range in.NY {
		for x := 31; x < in.NX; x++ {
			in.Layer[y*in.NX+x], in.Core[y*in.NX+x] = false, false
		}
	}
	o.Open(in)
	if got := o.Append(nil, in, cols, flags, in.Window); len(got) != 0 {
		t.Errorf("%d openings at the rim of the floor", len(got))
	}
}

// TestOpenAtTheWindow: what lies beyond the window is not known, so a seam on its
// rim stays.
func TestOpenAtTheWindow(t *testing.T) {
	in, _, _ := seamYard(func(int, int) bool { return false })
	cut := Window{110, 65, 40, 10} // the floor reaches its rim all around
	small := &OpenInput{Window: cut}
	for c := range cut.Cells() {
		k := in.Cell(cut.At(c))
		small.Layer = append(small.Layer, in.Layer[k])
		small.Core = append(small.Core, in.Core[k])
		small.Protect = append(small.Protect, in.Protect[k])
		small.Hit = append(small.Hit, in.Hit[k])
		small.Hard = append(small.Hard, false)
		small.Steps = append(small.Steps, 0)
	}
	var o Opener
	o.Open(small)
	for y := range cut.NY {
		for x := 19; x <= 20; x++ {
			if got, want := o.Core[y*cut.NX+x], y > 0 && y < cut.NY-1; got != want {
				t.Errorf("(%d, %d): core %v", x, y, got)
			}
		}
	}
}

func TestOpenLeavesGhosts(t *testing.T) {
	in, cols, flags := seamYard(func(int, int) bool { return false })
	for i := range flags {
		flags[i] = flags[i]&^bnav.Dead | bnav.Ghost
	}
	var o Opener
	o.Open(in)
	if got := o.Append(nil, in, cols, flags, in.Window); len(got) != 0 {
		t.Errorf("%d ghosts are opened", len(got))
	}
}

func TestOpenLanding(t *testing.T) {
	side := bnvf.Side{GX: 4, GY: 5, H: 6, Why: bnvf.WhyNotCore, Flags: bnav.Dead}
	got, ok := OpenLanding(&side)
	if want := (bnvf.Opening{GX: 4, GY: 5, H: 6, Clr: 1, Flags: bnav.Walk | bnav.Core, Src: OpenedLanding}); !ok || got != want {
		t.Errorf("%v %v", got, ok)
	}
	for why := range uint8(bnvf.WhyNotCore) {
		side.Why = why
		if _, ok := OpenLanding(&side); ok {
			t.Errorf("reason %d is opened", why)
		}
	}
}

func TestMergeOpenings(t *testing.T) {
	a := bnvf.Opening{GX: 1, GY: 2, H: 3, Clr: 1, Flags: bnav.Walk | bnav.Core, Src: OpenedLanding}
	b := a
	b.Clr, b.Src = 9, OpenedSeam
	other := a
	other.GX = 0
	both := b
	both.Src = OpenedSeam | OpenedLanding
	want := []bnvf.Opening{other, both}
	for _, list := range [][]bnvf.Opening{{a, b, other}, {other, b, a}, {b, other, a, b}} {
		if got := MergeOpenings(slices.Clone(list)); !slices.Equal(got, want) {
			t.Errorf("%v", got)
		}
	}
}
