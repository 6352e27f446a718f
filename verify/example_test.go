package verify_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"wend/verify"
)

func ExamplePack() {
	packs := fstest.MapFS{"town.nav": &fstest.MapFile{Data: []byte("no pack at all")}}
	faults, err := verify.Pack(context.Background(), packs, "town.nav", &verify.Options{Complete: true})
	if err != nil {
		fmt.Println("no check:", err)
		return
	}
	for _, f := range faults {
		fmt.Println(f)
	}
	// Output:
	// town.nav: ErrMagic: BNAV, byte 0: wrong magic: "no p", want "BNAV"
	// town.fields.nav: ErrMissing, byte 0: missing: the side pack does not exist
	// town.occluder.gz: ErrMissing, byte 0: missing: the side pack does not exist
}
