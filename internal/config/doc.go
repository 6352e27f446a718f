// Package config reads the two TOML files a user writes: a bake profile, and
// the file beside a level that adds links, volumes, no-go polygons and marks
// on parts.
//
// Both readers are strict. A key nobody knows, a number out of range, a ring
// that crosses itself are errors, and each names its file, line and column;
// several faults in one file are reported together. Nothing is ever half
// applied.
//
// Start with ReadProfile and ReadLevel. The package holds no state and its
// functions are safe for concurrent use.
package config
