package bnav

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"wend/pack"
)

// What a reader would refuse, the writer refuses for the same reason.
func TestWriterRefuses(t *testing.T) {
	nan := float32(math.NaN())
	for name, tc := range map[string]struct {
		spoil func(c *Content)
		want  error
	}{
		"no zone":            {func(c *Content) { c.Zones = nil }, pack.ErrCount},
		"no link":            {func(c *Content) { c.Links = nil }, pack.ErrCount},
		"components":         {func(c *Content) { c.Components = make([]uint32, 2) }, pack.ErrCount},
		"surfaces":           {func(c *Content) { c.Surfaces = c.Surfaces[:2] }, pack.ErrCount},
		"zone id":            {func(c *Content) { c.Zones[1].ID = 1 }, pack.ErrDuplicate},
		"zone name":          {func(c *Content) { c.Zones[1].Name = "yard" }, pack.ErrDuplicate},
		"zone without name":  {func(c *Content) { c.Zones[1].Name = "" }, pack.ErrLimit},
		"zone name text":     {func(c *Content) { c.Zones[1].Name = "a\xff" }, pack.ErrRange},
		"zone range":         {func(c *Content) { c.Zones[1].TriCount = 2 }, pack.ErrRange},
		"zones overlap":      {func(c *Content) { c.Zones[0].TriCount = 3 }, pack.ErrRange},
		"zone size":          {func(c *Content) { c.Zones[0].Width = -1 }, pack.ErrRange},
		"zone affine":        {func(c *Content) { c.Zones[0].TX = nan }, pack.ErrNonFinite},
		"tier of a tier":     {func(c *Content) { c.Zones[2].Components = 3 }, pack.ErrRange},
		"tier of nothing":    {func(c *Content) { c.Zones[2].Components = 65537 }, pack.ErrRange},
		"vertex":             {func(c *Content) { c.Vertices[3].H = nan }, pack.ErrNonFinite},
		"corner":             {func(c *Content) { c.Triangles[0].V[1] = 7 }, pack.ErrRange},
		"corner twice":       {func(c *Content) { c.Triangles[0].V[1] = 0 }, pack.ErrRange},
		"neighbour":          {func(c *Content) { c.Triangles[0].N[1] = 3 }, pack.ErrRange},
		"neighbour below":    {func(c *Content) { c.Triangles[0].N[1] = -2 }, pack.ErrRange},
		"own neighbour":      {func(c *Content) { c.Triangles[0].N[1] = 0 }, pack.ErrRange},
		"link order":         {func(c *Content) { c.Links[0].Source = 2 }, pack.ErrOrder},
		"off-mesh zone":      {func(c *Content) { c.OffMesh[0].ZoneID = 9 }, pack.ErrRange},
		"off-mesh kind":      {func(c *Content) { c.OffMesh[0].Kind = 2 }, pack.ErrRange},
		"off-mesh radius":    {func(c *Content) { c.OffMesh[0].Radius = -1 }, pack.ErrRange},
		"off-mesh point":     {func(c *Content) { c.OffMesh[0].Points[3].V = nan }, pack.ErrNonFinite},
		"off-mesh direction": {func(c *Content) { c.OffMesh[0].DirOK = 4 }, pack.ErrRange},
		"off-mesh triangle":  {func(c *Content) { c.OffMesh[1].StartTri = 3 }, pack.ErrRange},
		"off-mesh version":   {func(c *Content) { c.OffMeshVersion = 1 }, pack.ErrVersion},
		"off-mesh version 3": {func(c *Content) { c.OffMeshVersion = 3 }, pack.ErrVersion},
		"grid version":       {func(c *Content) { g := *c.Grid; g.Version = GridColumns; c.Grid = &g }, pack.ErrVersion},
		"profile":            {func(c *Content) { c.Profile.StepUp = 9 }, pack.ErrRules},
		"profile name":       {func(c *Content) { c.Profile.Name = string(make([]byte, 65)) }, pack.ErrLimit},
	} {
		c := tinyContent(t, 1)
		tc.spoil(c)
		if _, _, err := Encode(t.Context(), c, nil); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", name, err, tc.want)
		}
	}
	if _, _, err := Encode(t.Context(), tinyContent(t, 1), &EncodeOptions{Level: 11}); err == nil {
		t.Error("compression level 10: no error")
	}
}

func TestTileWriterRefuses(t *testing.T) {
	enc, _ := NewTileEncoder(1)
	for name, tc := range map[string]struct {
		recs []Record
		want error
	}{
		"cell out":      {[]Record{{Cell: 12}}, pack.ErrRange},
		"cell below":    {[]Record{{Cell: -1}}, pack.ErrRange},
		"cell order":    {[]Record{{Cell: 3}, {Cell: 2}}, pack.ErrOrder},
		"cell returns":  {[]Record{{Cell: 3}, {Cell: 4}, {Cell: 3}}, pack.ErrOrder},
		"flags":         {[]Record{{Flags: 32}}, pack.ErrRange},
		"not a height":  {[]Record{{H: float32(math.Inf(1))}}, pack.ErrNonFinite},
		"heights apart": {[]Record{{H: -2e7}, {Cell: 1, H: 2e7}}, pack.ErrRange},
	} {
		if _, err := enc.Encode(tc.recs, 4, 3); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", name, err, tc.want)
		}
	}
	if p, err := enc.Encode([]Record{{Cell: 3, H: 1, Flags: Fill}}, 4, 3); err != nil || len(p) == 0 {
		t.Errorf("a tile of one Fill record: %v", err)
	}
	for name, tile := range map[string]NewTile{
		"too wide":      {Tile: Tile{NX: 700, NY: 3}},
		"owned outside": {Tile: Tile{NX: 4, NY: 3, PX1: 4}},
		"owns nothing":  {Tile: Tile{NX: 4, NY: 3, PX0: 2, PX1: 1}},
		"off the map":   {Tile: Tile{GX0: math.MaxInt32 - 2, NX: 4, NY: 3}},
	} {
		if _, err := NewGrid(128, 16, []NewZone{{Name: "z", Tiles: []NewTile{tile}}}); !errors.Is(err, pack.ErrRange) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := NewGrid(1e9, 16, nil); !errors.Is(err, pack.ErrLimit) {
		t.Errorf("huge tiles: %v", err)
	}
}

// A declared profile is data from outside like the rest.
func TestHostileProfiles(t *testing.T) {
	data := tinyPack(t, 0)
	p, err := Load(t.Context(), data, nil)
	if err != nil || p.Profile.Name != "tall" || p.Rules().Climb != 4 {
		t.Fatal(err)
	}
	s, _ := pack.FindSection(p.Sections, "WPRF")
	for name, tc := range map[string]struct {
		at   int // in the section
		bits uint64
		want error
	}{
		"cell size":       {0, math.Float64bits(0.5), pack.ErrRules},
		"climb NaN":       {8, math.Float64bits(math.NaN()), pack.ErrRules},
		"climb below":     {8, math.Float64bits(1), pack.ErrRules},
		"slope 0":         {16, 0, pack.ErrRules},
		"step up":         {24, math.Float64bits(2), pack.ErrRules},
		"merge height":    {56, math.Float64bits(0.3), pack.ErrRules},
		"step tax":        {96, math.Float64bits(6), pack.ErrRules},
		"minus zero tax":  {96, 1 << 63, pack.ErrRules},
		"reserved":        {112, 1, pack.ErrRules},
		"bump cells":      {120, 5 | 2<<32, pack.ErrRules},
		"walkable mask 0": {128, 32, pack.ErrRules},
		"rules version":   {136, 3, pack.ErrRules},
		"long name":       {140, 1 << 63, pack.ErrTruncated},
	} {
		bad := append([]byte{}, data...)
		binary.LittleEndian.PutUint64(bad[int(s.Offset)+tc.at:], tc.bits)
		if tc.at == 140 {
			binary.LittleEndian.PutUint64(bad[int(s.Offset)+tc.at:], 60<<32)
		}
		if _, err := Load(t.Context(), bad, nil); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", name, err, tc.want)
		}
	}
}
