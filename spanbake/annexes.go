package spanbake

import (
	"encoding/json"

	"wend/pack"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// annexes adds the sections of our own.
func (r *run) annexes(main *bnav.Content, side *bnvf.Content) error {
	add := func(list *[]pack.Extra) func(pack.Extra, error) error {
		return func(e pack.Extra, err error) error {
			if err == nil {
				*list = append(*list, e)
			}
			return err
		}
	}
	toMain, toSide := add(&main.Extra), add(&side.Extra)

	bounds := &annex.Bounds{}
	heads := make([][]annex.HeadroomTile, len(r.zones))
	drops := make([][]annex.Drop, len(r.zones))
	known := false
	for i, b := range r.zones {
		bounds.Zones = append(bounds.Zones, annex.JoinBounds(uint32(b.count), b.bounds))
		heads[i] = b.heads
		known = known || b.over != nil
		for _, d := range b.drops {
			drops[i] = append(drops[i], annex.Drop{From: d.From, To: d.To})
		}
	}
	if err := toMain(annex.EncodeBounds(bounds)); err != nil {
		return err
	}
	if r.in.Levels != nil {
		if err := toMain(annex.EncodeLevels(r.in.Levels)); err != nil {
			return err
		}
	}
	if len(r.in.Bodies) > 0 {
		if err := toMain(annex.EncodeBodies(r.in.Bodies)); err != nil {
			return err
		}
	}
	if len(r.in.NoGo) > 0 {
		if err := toMain(annex.EncodeNoGo(r.in.NoGo)); err != nil {
			return err
		}
	}
	doc, err := json.Marshal(health{r.report.Zones, r.report.Unused})
	if err != nil {
		return err
	}
	if err := toMain(annex.EncodeReport(doc)); err != nil {
		return err
	}
	if known {
		if err := toSide(annex.EncodeHeadroom(heads)); err != nil {
			return err
		}
	}
	return toSide(annex.EncodeDrops(drops))
}

// health is the part of the report that goes into the pack: without times.
type health struct {
	Zones  []ZoneReport `json:"zones"`
	Unused []UnusedLink `json:"unused_links"`
}
