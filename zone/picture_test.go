package zone

import (
	"context"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"wend/internal/wendtest"
	"wend/pack/bnav"
)

// TestPictures draws the components of zones in colours of their own, islands
// pale, what is not walkable dark, and boundary edges in red, into the folder
// that WEND_PICTURES names, for somebody to look at.
func TestPictures(t *testing.T) {
	dir := os.Getenv("WEND_PICTURES")
	if dir == "" {
		t.Skip("WEND_PICTURES names no folder for pictures")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, test := range [][2]string{{"harbour", "harbour.nav.gz"}, {"tower", "tower.nav.gz"}, {"court", "court.nav.gz"}} {
		p, err := bnav.Open(context.Background(), os.DirFS(wendtest.Data(t, "packs", test[0])), test[1], nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Zones {
			if p.Zones[i].IsTier() {
				continue
			}
			z, err := Clean(context.Background(), &p.Content, i, 0)
			if err != nil {
				t.Fatal(err)
			}
			paint(t, z, filepath.Join(dir, "zone-"+test[0]+"-"+z.Name+".png"))
		}
	}
}

func paint(t *testing.T, z *Zone, file string) {
	const size = 900
	box := z.BoxOf(0)
	for k := range z.Tris {
		o := z.BoxOf(int32(k))
		box = Box{min(box.U0, o.U0), min(box.V0, o.V0), max(box.U1, o.U1), max(box.V1, o.V1)}
	}
	scale := (size - 20) / max(box.U1-box.U0, box.V1-box.V0, 1)
	wide, high := int(scale*(box.U1-box.U0))+20, int(scale*(box.V1-box.V0))+20
	img := image.NewRGBA(image.Rect(0, 0, wide, high))
	var near []int32
	for y := range high {
		for x := range wide {
			c := color.RGBA{255, 255, 255, 255}
			top := math.Inf(-1)
			near = z.Over(near, box.U0+float64(x-10)/scale, box.V0+float64(y-10)/scale, func(k int32, h float64, walkable bool) {
				if h < top {
					return
				}
				top = h
				if !walkable {
					c = color.RGBA{70, 70, 70, 255}
					return
				}
				n := uint32(z.Component[k]+1) * 2654435761
				c = color.RGBA{uint8(80 + n>>24%120), uint8(80 + n>>16%120), uint8(80 + n>>8%120), 255}
				if z.Island[k] {
					c = color.RGBA{c.R/2 + 127, c.G/2 + 127, c.B/2 + 127, 255}
				}
			})
			img.SetRGBA(x, y, c)
		}
	}
	for _, e := range z.AllEdges() {
		n := int(math.Ceil(scale*math.Hypot(e.BU-e.AU, e.BV-e.AV))) + 1
		for i := range n + 1 {
			f := float64(i) / float64(n)
			x, y := int(10+scale*(e.AU+f*(e.BU-e.AU)-box.U0)), int(10+scale*(e.AV+f*(e.BV-e.AV)-box.V0))
			for d := range 4 {
				img.SetRGBA(x+d%2, y+d/2, color.RGBA{230, 0, 0, 255})
			}
		}
	}
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
