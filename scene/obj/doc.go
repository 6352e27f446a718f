// Package obj reads level geometry from Wavefront OBJ text.
//
//	f, err := os.Open("level.obj")
//	...
//	s, report, err := obj.Read(f, "level.obj", nil)
//
// Statements it uses: v (further numbers such as w or colours are ignored), f
// in all index forms (v, v/vt, v//vn, v/vt/vn, negative numbers), g, o,
// usemtl. Points and lines are counted and left out. Polygons of any number
// of corners, concave ones too, are cut into triangles in their own plane.
// Lines may end in LF, CR LF or CR and go on after a backslash; comments may
// follow a statement.
//
// A negative index counts back from the vertex last read, at the place of the
// face. A positive index may point at a vertex that comes later in the file.
//
// A part of the scene is a name and a material. The name is that of the last
// g or o statement, whichever came later; an empty one ("g" alone) falls back
// to the object's.
//
// The grammar is that of appendix B1 of the Advanced Visualizer manual
// (Wavefront, 1995).
package obj
