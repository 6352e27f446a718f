// Package draw turns meshes, scenes and routes into pictures.
//
// A Canvas holds plain shapes in world coordinates; the Append functions add
// to it what the other packages computed, and (*Canvas).WriteSVG and WritePNG
// look at it through a View: from above, from the side, or obliquely. Render
// does both steps for one of the named Layers.
//
// RenderSpans does the same for span packs, which are far larger: tiles are
// decoded one by one, and a Canvas gets rectangles of one colour instead of
// cells.
//
// Seen from above, X points right and Z points down the picture. That is what
// a bird sees of a right-handed world with Y up: +Y points at the reader,
// nothing is mirrored, and counter-clockwise in the world is counter-clockwise
// on paper.
//
// Pictures are deterministic: the same canvas and options give the same
// bytes of SVG and the same pixels of PNG on every platform.
//
// It is a debugging aid, not a renderer: hidden surfaces are solved by cutting
// shapes and painting far things first (see View), without perspective.
//
// All functions are safe for concurrent use on different canvases. A Canvas
// that is no longer written to may be drawn from several goroutines.
package draw
