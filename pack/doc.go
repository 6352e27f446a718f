// Package pack holds what the three binary pack formats share: LEB128 numbers,
// zlib streams, FNV-1a fingerprints, section directories, the outer gzip
// container, the errors, and the constants a bake ran with. Packages bnav (the
// main pack: geometry and voxel grid), bnvf (fields beside it) and ocls
// (colliders) build on it.
//
// # Reading
//
// A [Reader] walks over bytes with a position and keeps its first error, so a
// parser reads field after field and looks at [Reader.Err] where a value is
// about to be used as a size or an index. A number read after an error is 0.
// Every error is a *[FormatError]: it names file, section, zone, item and byte,
// and wraps one of the sentinels below ([ErrTruncated], [ErrRange] and so on).
// No bytes make a reader panic.
//
// # Bounds
//
// Sizes found in a file are believed only after they were compared with the
// bytes that are there. Deflate expands at most 1032 to 1, so a declared count
// that needs more raw bytes than 1032 times the packed bytes is [ErrLimit]
// before anything is allocated ([Expansion]); inflating itself stops at the
// cap the caller gives. The memory taken while reading is therefore at most a
// fixed multiple of the file's size, stated by each format's package.
//
// # Writing
//
// Writers append to byte slices. [Deflater] compresses with a pinned encoder,
// because packed bytes are part of a pack's fingerprint: same input, same
// bytes, for any number of workers. Level 0 stores without compressing, in
// blocks that can be checked by eye.
package pack
