package gltf

import "encoding/json"

// The members of a glTF document that matter here, under their own names.
// Optional indices are pointers; extensions are decoded on sight only where
// they are understood.

type document struct {
	Asset              *asset
	Scene              *int
	Scenes             []struct{ Nodes []int }
	Nodes              []node
	Meshes             []mesh
	Accessors          []accessor
	BufferViews        []bufferView
	Buffers            []buffer
	Materials          []material
	ExtensionsRequired []string
}

type asset struct {
	Version    string
	MinVersion string
}

type node struct {
	Name        string
	Children    []int
	Mesh        *int
	Skin        *int
	Matrix      []float64
	Translation []float64
	Rotation    []float64
	Scale       []float64
	Extras      json.RawMessage
	Extensions  *nodeExtensions
}

type nodeExtensions struct {
	Instancing *instancing `json:"EXT_mesh_gpu_instancing"`
}

type instancing struct {
	Attributes struct {
		Translation *int `json:"TRANSLATION"`
		Rotation    *int `json:"ROTATION"`
		Scale       *int `json:"SCALE"`
	}
}

type mesh struct {
	Name       string
	Primitives []primitive
	Extras     json.RawMessage
}

type primitive struct {
	Attributes struct {
		Position *int `json:"POSITION"`
	}
	Indices    *int
	Material   *int
	Mode       *int
	Extensions *primitiveExtensions
}

type primitiveExtensions struct {
	Draco *struct{} `json:"KHR_draco_mesh_compression"`
}

type material struct {
	Name   string
	Extras json.RawMessage
}

type accessor struct {
	BufferView    *int
	ByteOffset    int
	ComponentType int
	Normalized    bool
	Count         int
	Type          string
	Sparse        *sparse
}

type sparse struct {
	Count   int
	Indices struct {
		BufferView    int
		ByteOffset    int
		ComponentType int
	}
	Values struct {
		BufferView int
		ByteOffset int
	}
}

type bufferView struct {
	Buffer     int
	ByteOffset int
	ByteLength int
	ByteStride int
	Extensions *viewExtensions
}

type viewExtensions struct {
	Meshopt    *meshopt  `json:"EXT_meshopt_compression"`
	MeshoptKHR *struct{} `json:"KHR_meshopt_compression"`
}

type meshopt struct {
	Buffer     int
	ByteOffset int
	ByteLength int
	ByteStride int
	Count      int
	Mode       string
	Filter     string
}

type buffer struct {
	URI        *string
	ByteLength int
}
