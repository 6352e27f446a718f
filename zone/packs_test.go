package zone

import (
	"context"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"wend/internal/wendtest"
	"wend/pack"
	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// The wall tables of packs from an independent writer name the boundary edges that
// are left after cleaning, neither more nor fewer; a pack loaded whole and one
// loaded by zone must give the same.
func TestEdgesOfForeignPacks(t *testing.T) {
	ctx := context.Background()
	for _, test := range []struct{ folder, file string }{
		{"first", "first.nav.gz"}, {"court", "court.nav.gz"}, {"tower", "tower.nav.gz"}, {"columns", "columns.nav.gz"},
		{"harbour", "harbour.nav.gz"}, {"guest", "guest.nav.gz"}, {"plain", "plain.nav"},
	} {
		t.Run(test.folder, func(t *testing.T) {
			fsys := os.DirFS(wendtest.Data(t, "packs", test.folder))
			whole, err := bnav.Open(ctx, fsys, test.file, nil)
			if err != nil {
				t.Fatal(err)
			}
			fieldsName, _ := pack.SideNames(test.file)
			fields, err := bnvf.Open(ctx, fsys, fieldsName, whole, nil)
			if err != nil {
				t.Fatal(err)
			}
			edges := 0
			for i := range whole.Zones {
				name := whole.Zones[i].Name
				k := fields.ZoneIndex(name)
				if k < 0 || whole.Zones[i].IsTier() {
					continue
				}
				walls, err := fields.Walls(k)
				if err != nil {
					t.Fatal(err)
				}
				edges += walls.Len()
				var want []uint32
				for w := range walls.Len() {
					want = append(want, walls.At(w).Key)
				}
				alone, err := bnav.OpenZone(ctx, fsys, test.file, name, nil)
				if err != nil {
					t.Fatal(err)
				}
				for how, z := range map[string]func() (*Zone, error){
					"whole":   func() (*Zone, error) { return Clean(ctx, &whole.Content, i, 0) },
					"by zone": func() (*Zone, error) { return Clean(ctx, &alone.Content, alone.Content.ZoneIndex(name), 0) },
				} {
					z, err := z()
					if err != nil {
						t.Errorf("%s, %s: %v", name, how, err)
						continue
					}
					var got []uint32
					for _, e := range z.AllEdges() {
						got = append(got, e.Key)
					}
					if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
						t.Errorf("%s, %s: edges (-table +zone):\n%s", name, how, diff)
					}
				}
			}
			if edges == 0 {
				t.Error("no edge compared")
			}
		})
	}
}
