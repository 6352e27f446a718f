package spanbake

import (
	"errors"
	"testing"

	"wend/bake"
	"wend/pack"
)

func TestRulesOfProfiles(t *testing.T) {
	human := bake.Human()
	p, err := RulesFor(&human)
	if err != nil {
		t.Fatal(err)
	}
	want := pack.ReferenceProfile()
	// 45 degrees on cells of 0.3 m, where a reference cell is 0.25 px.
	want.Slope, want.MergeHeight, want.StepUp = 1.2, 1.2*0.25, 0.9
	want.Climb = 1.25 // storeys may be 2 m apart
	if p.Profile != want || p.Name != "human" {
		t.Errorf("human: %+v", p)
	}
	ref := bake.Reference()
	if p, err := RulesFor(&ref); p != nil || err != nil {
		t.Errorf("reference: %+v, %v", p, err)
	}
	ref.Span.StepUp = 1
	if p, err := RulesFor(&ref); err != nil || p.StepUp != 1 || p.Slope != 1 {
		t.Errorf("reference with a step: %+v, %v", p, err)
	}
	for _, c := range []struct {
		height float64
		span   bake.Span
		climb  float64
	}{{4, bake.Span{}, 2.5}, {8, bake.Span{}, 3}, {1, bake.Span{}, 1.25}, {2, bake.Span{BumpUp: 2}, 2}, {2, bake.Span{Climb: 2}, 2}} {
		h := bake.Human()
		h.Agent.Height, h.Span = c.height, c.span
		if p, err := RulesFor(&h); err != nil || p.Climb != c.climb {
			t.Errorf("height %v, %+v: %+v, %v, want a climb of %v", c.height, c.span, p, err, c.climb)
		}
	}
	for _, s := range []bake.Span{{StepUp: 2, BumpUp: 1}, {Climb: -1}, {BumpCells: 9}, {SlopeDeg: 90}} {
		bad := bake.Human()
		bad.Span = s
		var input *InputError
		if _, err := RulesFor(&bad); !errors.As(err, &input) {
			t.Errorf("%+v: %v, want an *InputError", s, err)
		}
	}
	lazy := bake.Human()
	lazy.Agent.MaxClimb, lazy.Agent.MaxSlopeDeg = 0, 0
	if _, err := RulesFor(&lazy); err != nil {
		t.Errorf("a body that climbs nothing: %v", err)
	}
}
