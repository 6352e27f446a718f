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
// packs, every collider scene, and our own sections (package annex), among them
// the bounds that are compared with the records.
//
// A deep check (Options.Deep) adds what holds for any bake of the formats and
// what route planning relies on, as far as the packs themselves tell: numbers
// of regions and components that all occur, the rules for flags, steps and
// clearances of a cell, graphs without a cycle, openings, and landings that
// repeat their off-mesh links. A main pack with a grid has to have its fields
// beside it then, since no route can be planned without them. A pack that was made by other means can be right
// by its format and still break some of these.
//
// Where the formats leave a choice to the writer, a deep check says nothing
// about packs of others. Of ours (Options.Own) it also expects: records sorted
// by cell, region and height; real surfaces of different heights in a cell; no
// fills; regions and components numbered in the order of their first records;
// tiles that cover a rectangle; and landings on the best ground of the very
// cell they name.
//
// A pack of ours without such faults is then baked again from its own triangles,
// off-mesh links and constants, and compared: every record and column, graphs,
// walls, landings, openings and drops between regions. What differs is
// pack.ErrRecompute, at most three faults a tile or table; the last tells how
// many more there are. Columns and tables are left out where the sidecar has
// faults already. Headroom and colliders come from geometry that packs do not
// hold, and are not compared. A pack whose triangles would take far more work
// than its records account for is not baked, and that is a fault.
//
// # Cost
//
// A plain check reads the packs whole and decodes every tile once. Beside the
// decoded tables of the main pack (see package bnav) it holds one tile for each
// worker. A deep check adds 12 bytes for each region and component of a zone,
// and 16 for each record along the border of a tile. The bake of a pack of ours
// costs time and memory of spanbake.Run with as many workers, and holds what it
// made until it is compared.
package verify
