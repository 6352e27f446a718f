// Package bnvf reads and writes the fields sidecar of a main pack, format
// BNVF: what was computed for every record of its grid (components, re-judged
// steps, facades, clearance that minds walls, medial axis), the graphs of
// components, the table of walls, landing links, and cells that may be opened.
//
// [Open] and [Load] check a sidecar against its main pack and refuse one that
// belongs to another pack or was computed with other constants: fields that
// disagree with the rules in force are worse than none. [Fields.Window] decodes
// records and fields of a window of cells and merges them. [Encode] writes.
//
//	fields, _ := pack.SideNames("town.nav.gz")
//	f, err := bnvf.Open(ctx, os.DirFS("packs"), fields, main, nil)
//	w, err := f.Window(ctx, zone, bnav.Window{GX0: -100, GY0: 40, NX: 200, NY: 200}, 0)
//
// # Where the format leaves a choice
//
//   - A sidecar wants a main pack with a grid. It may have zones the grid does
//     not have, but none the main pack does not name.
//   - Parts of zones have no more bytes in all than their section. A region
//     has no more components than its zone has records, and all regions of a
//     zone no more than that and 1032 times the bytes of their graphs.
//   - Every record of landings and openings belongs to a zone of their index;
//     off-mesh links ascend strictly inside a zone.
//   - A landing's own numbers need not repeat those of its off-mesh link.
//   - Equal openings are read, the first one counts; they are not written.
//   - The edge of a graph that leads to itself, or stands out of order, is
//     pack.ErrOrder. That graphs have no cycle is not checked here.
//   - Header flags other than the one that is known are pack.ErrRange: they
//     could change what records look like.
//
// # Memory
//
// After a load: the bytes of the sections FSPN, FSCC and FWAL as they are,
// 80 bytes a landing and 16 an opening. [Fields.Graphs] and [Fields.Walls]
// decode a zone's tables for as long as the caller keeps them; a load decodes
// them once to check them. A [Cache] lets loads of one file share all of it. Counts are compared with the bytes that are there
// before anything is allocated.
package bnvf
