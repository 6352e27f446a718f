// Package annex reads and writes sections of ours inside the packs of bnav and
// bnvf. Readers of the formats skip them; a pack without them is complete.
//
// In the main pack:
//
//	WBND  Bounds    where each zone and tile has records, and at what heights
//	WLVL  Levels    files and parts the zones were made of, and their world frame
//	WBDY  Bodies    the body that the triangles of each zone were made for
//	WRPT  report    what the bake has to say, as JSON
//	WNGO  NoGo      the author's no-go polygons
//
// In the fields pack:
//
//	WHDR  Headroom  height free above each record
//	WDRP  Drops     which regions can be dropped into from which
//
// An encoder returns a pack.Extra for the Extra list of the content to be
// written. A reader takes the loaded pack, checks the section alone and against
// the pack, and returns nil without an error where the pack has none:
//
//	b, err := annex.ReadBounds(p)
//	if b != nil {
//		fmt.Println(b.Zones[0].Records)
//	}
//
// Errors of readers are *pack.FormatError and wrap a sentinel of package pack;
// those of encoders wrap the sentinel a reader would. Same values, same bytes.
// Sections carry a version of their own, and reserved fields must be zero. What
// a reader allocates is bounded by the section's bytes, or, where they are
// compressed, by 1032 times as many and MaxReport or MaxLevels.
//
// Loaded values are immutable and may be shared; decoders with scratch say so.
package annex
