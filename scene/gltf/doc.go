// Package gltf reads level geometry from glTF 2.0, as JSON (.gltf) or as one
// binary file (.glb).
//
//	s, report, err := gltf.Read(os.DirFS("levels"), "town.glb", nil)
//
// It takes what shapes a level and leaves the rest: triangles, strips and fans
// of every mesh that a node of the default scene shows (of all root nodes when
// the file names no default scene), moved by the transforms of its nodes.
// Where a chain of nodes mirrors, the winding is turned, so that faces keep
// their outside. Points and lines are counted and left out, as are skinned
// meshes, which are creatures and not ground.
//
// A part of the scene is a node's name (the mesh's where the node has none)
// and a material's name. The area of triangles may be set in the extras of a
// node, a mesh or a material:
//
//	"extras": {"area": 3}            an id from 0 to scene.MaxArea
//	"extras": {"walkable": false}    no ground at all, whatever its slope
//
// The node's word goes before the mesh's and that before the material's.
//
// Extensions: KHR_mesh_quantization, EXT_mesh_gpu_instancing and
// EXT_meshopt_compression are understood; those about looks are passed over.
// A file that requires another one is refused with an *ExtensionError that
// names the cure. Buffers come from the file, from data URIs or from files in
// the folder of the level or below it, never from elsewhere.
//
// Source: Khronos Group, glTF 2.0 Specification (ISO/IEC 12113:2022), and the
// specifications of the extensions.
package gltf
