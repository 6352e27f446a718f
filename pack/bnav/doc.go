// Package bnav reads and writes the main pack, format BNAV: triangle mesh with
// zones and links, surface attributes, off-mesh links, and a grid of walkable
// surfaces cut into tiles that decode one by one.
//
// [Open] and [Load] read a whole pack, [OpenZone] and [LoadZone] what one zone
// needs. The grid stays compressed in either case: [Grid.Window] and
// [TileDecoder] decode what a query looks at. [Encode] writes; [TileEncoder]
// and [NewGrid] make the grid for it.
//
//	p, err := bnav.Open(ctx, os.DirFS("packs"), "town.nav.gz", nil)
//	zone := p.Grid.ZoneIndex("town")
//	recs, err := p.Grid.Window(ctx, zone, bnav.Window{GX0: -100, GY0: 40, NX: 200, NY: 200}, 0)
//
// # What is read
//
// Versions 1 to 5 of the container. Before version 5 the geometry stands in
// plain tables; each field is gated by the version it came in. Grid versions 3
// and, for reading only, 2. Sections with unknown tags are skipped, reserved
// fields and bytes between sections ignored.
//
// # Where the format leaves a choice
//
//   - A number too long by leading zeros is read; a tenth byte above 1 is not.
//   - A tag this package knows must not occur twice.
//   - A link to a triangle that does not exist is hashed, dropped and counted
//     in Pack.LinksDropped; Options.Strict makes it an error. On a load by
//     zone a link whose source does not exist belongs to no zone and is not
//     seen.
//   - Off-mesh links keep the number they have in the whole pack, since the
//     fields sidecar refers to it.
//   - Chunks and tiles may share bytes, but a table never has more records
//     than its section's bytes could hold by deflate's ratio of 1032.
//   - Zone flags other than the tier bit have no meaning and are kept.
//   - Component ids given to [Encode] are stored as they are; those it computes
//     number the connected parts from 0 by first triangle.
//   - A tile's head and region ids can be read alone: [TileDecoder.Head].
//
// # Memory
//
// A load takes at most 12 bytes a vertex, 28 a triangle, 8 a link or surface
// and 88 an off-mesh link, and per worker the inflated streams of one chunk, of
// at most ten bytes a number. All counts are compared with the bytes that are
// there before anything is allocated, so that is at most 16384 times the
// decompressed size, and no more than Options.MaxBytes. After a load the grid
// takes its section's bytes and 64 bytes a tile, and extra sections take their
// bytes.
package bnav
