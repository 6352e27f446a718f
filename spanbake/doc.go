// Package spanbake bakes packs: from the walkable triangles of zones to the
// span grid, its fields and the tables that a planner needs, in the files of
// packages bnav, bnvf and ocls.
//
// [Run] takes an [Input] and gives a [Result], the bytes of the files.
// [FromScene] makes an Input of a level.
//
// # Stages
//
// A zone is cut into tiles of [Options.Tile] cells. Each stage runs its tiles
// on any number of goroutines; a tile writes to its own place, and what is
// shared is put together in tile order, so the bytes of the result depend on
// the input and the options that say what to bake, never on the workers or on
// the cut into tiles (the directory of tiles aside).
//
//	columns     triangles of a tile -> spans, dead spans, local regions
//	regions     local regions of all tiles -> regions of the zone
//	walls       boundary edges -> which regions keep them as walls
//	fields      a tile and 96 cells around it -> records, clearance, steps, medial axis, local components
//	components  local components of all tiles -> components and their graph
//	tables      landings of off-mesh links, openable cells
//	encode      columns of the sidecar, sections, files
//
// Why 96 cells: a record depends on what holes are filled within 32 cells, on
// cracks closed 8 cells further on, and on obstacles up to 48 cells from there;
// the last of its fields is exact 90 cells from the rim of what was computed.
//
// # Memory and resuming
//
// Finished tiles are kept as compact blobs, in memory or in a work folder
// ([Options.Dir]). A bake that was killed and is started again with the same
// input goes on with the blobs it finds there; blobs of another input, profile
// or version are removed, never used. Beside the blobs a bake holds one compute
// window a worker, the columns of the tiles around them, the zone's triangles and
// the graph of tile components of a zone.
package spanbake
