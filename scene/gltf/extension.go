package gltf

import "strings"

// understood lists the extensions about geometry that this reader applies.
var understood = [...]string{
	"KHR_mesh_quantization",
	"EXT_mesh_gpu_instancing",
	"EXT_meshopt_compression",
}

// looks lists beginnings of extension names that change how a level looks but
// not its shape.
var looks = [...]string{
	"KHR_materials_", "EXT_materials_", "MSFT_texture_", "KHR_texture_", "EXT_texture_",
	"KHR_lights_", "EXT_lights_", "KHR_xmp", "KHR_animation_pointer", "EXT_mesh_features",
	"EXT_structural_metadata", "EXT_instance_features", "CESIUM_primitive_outline", "AGI_", "ADOBE_materials_",
}

// checkExtension returns the *ExtensionError for a required extension that
// the reader cannot do without.
func checkExtension(name string) error {
	for _, n := range understood {
		if name == n {
			return nil
		}
	}
	for _, prefix := range looks {
		if strings.HasPrefix(name, prefix) {
			return nil
		}
	}
	return newExtensionError(name)
}

func newExtensionError(name string) error {
	cure := "export the level without it"
	switch name {
	case "KHR_draco_mesh_compression":
		cure = "export the level without Draco compression, or convert it with gltf-transform"
	case "KHR_meshopt_compression":
		cure = "export the level with EXT_meshopt_compression or uncompressed, or convert it with gltf-transform"
	}
	return &ExtensionError{Name: name, Cure: cure}
}
