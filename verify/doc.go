// Package verify checks packs: all of a main pack and of the side packs beside
// it, and not only what a load needs. Where a load ends at the first fault, it
// goes on and lists every fault that does not follow from another one.
//
//	faults, err := verify.Pack(ctx, os.DirFS("packs"), "town.nav.gz", nil)
//	for _, f := range faults {
//		fmt.Println(f)
//	}
//
// A plain check covers the rules of the formats: containers, headers,
// directories, hashes, every chunk, table, tile and column, the pairing of the
// packs, and every collider scene.
//
// A deep check (Options.Deep) adds what holds for packs of a bake and what
// route planning relies on, as far as the packs themselves tell: the order of
// records and numbers, the rules for flags, steps and clearances of a cell,
// components and their graphs, openings, and landings. A pack that was made by
// other means can be right by its format and still break some of these.
//
// # Cost
//
// A plain check reads the packs whole and decodes every tile once. Beside the
// decoded tables of the main pack (see package bnav) it holds one tile for each
// worker. A deep check adds 12 bytes for each region and component of a zone,
// and 16 for each record along the border of a tile.
package verify
