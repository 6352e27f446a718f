package spanbake

import (
	"context"
	"errors"
	"testing"

	"wend/pack/bnav"
)

// TestZonesOfAPackAreThoseOfTheirOwnBakes bakes two zones, which overlap in the
// plane, into one pack, with a tier.
func TestZonesOfAPackAreThoseOfTheirOwnBakes(t *testing.T) {
	a, b := randomWorld(11), randomWorld(12)
	a.Content.Zones[0].Name, b.Content.Zones[0].Name = "a", "b"
	b.Content.Zones = append(b.Content.Zones, bnav.Zone{
		ID: 2, Name: "b, upstairs", Flags: bnav.TierFlag, Components: 1, SX: 1, SY: 1, FloorY: 5,
	})
	in, err := Merge(a, b)
	if err != nil {
		t.Fatal(err)
	}
	both := load(t, bakeInput(t, in, Options{Tile: 64}))
	if n := len(both.main.Table); n != 3 || both.main.Table[2].Components != 2 {
		t.Fatalf("%d zones, tier of %d", n, both.main.Table[2].Components)
	}
	for i, one := range []*Input{a, b} {
		alone := load(t, bakeInput(t, one, Options{Tile: 64}))
		win := bnav.Window{GX0: -300, GY0: -300, NX: 800, NY: 800}
		want, err := alone.fields.Window(context.Background(), 0, win, 1)
		if err != nil {
			t.Fatal(err)
		}
		got, err := both.fields.Window(context.Background(), i, win, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Records) != len(want.Records) || len(got.Records) == 0 {
			t.Fatalf("zone %d: %d records, alone %d", i, len(got.Records), len(want.Records))
		}
		for k := range want.Records {
			if got.Records[k] != want.Records[k] || got.Component[k] != want.Component[k] || got.Steps2[k] != want.Steps2[k] {
				t.Fatalf("zone %d, record %d: %+v, alone %+v", i, k, got.Records[k], want.Records[k])
			}
		}
	}
	other := randomWorld(13)
	p := bnav.Profile{Profile: other.Content.Rules()}
	p.StepUp = 0.75
	other.Content.Profile = &p
	var input *InputError
	if _, err := Merge(a, other); !errors.As(err, &input) {
		t.Fatalf("different constants: %v", err)
	}
}
