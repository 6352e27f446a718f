// Package level opens a level file of any format the module reads.
//
//	s, report, err := level.Open(os.DirFS("levels"), "town.glb", nil)
//
// The content decides what a file is; the extension only settles what the
// content leaves open. A GLB called town.obj is read as GLB, with a warning in
// the report. Files of formats that wend does not read are refused by name.
package level

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"wend/scene"
	"wend/scene/gltf"
	"wend/scene/internal/jsonscan"
	"wend/scene/obj"
	"wend/scene/unity"
)

// Format is a kind of level file.
type Format uint8

const (
	Unknown Format = iota
	OBJ            // Wavefront text, .obj
	GLTF           // glTF 2.0 as JSON, .gltf
	GLB            // glTF 2.0 in one binary file, .glb
	Unity          // an engine's triangulation as JSON, .json
)

// String returns the name of the format, as Report.Format has it.
func (f Format) String() string {
	switch f {
	case OBJ:
		return "obj"
	case GLTF:
		return "gltf"
	case GLB:
		return "glb"
	case Unity:
		return "unity"
	}
	return "unknown"
}

// ErrFormat is what a FormatError wraps.
var ErrFormat = errors.New("not a level file")

// FormatError says that a file is of no format that can be read. It wraps
// ErrFormat.
type FormatError struct {
	File string
	Msg  string
}

func (e *FormatError) Error() string { return fmt.Sprintf("level: %s: %s", e.File, e.Msg) }

func (e *FormatError) Unwrap() error { return ErrFormat }

// Options of Open. nil and the zero value are the defaults.
type Options struct {
	scene.Options
	// Handedness concerns engine triangulations only.
	Handedness unity.Handedness
}

// Open reads the level called name from fsys. A nil o means the defaults.
//
// Errors: *FormatError, those of the reader (*obj.SyntaxError, *gltf.Error,
// *unity.Error), *scene.EmptyError, *scene.RangeError, *scene.LimitError,
// *scene.OptionError, and what fsys returns, wrapped. Time and memory are
// linear in the size of the file and of the scene.
func Open(fsys fs.FS, name string, o *Options) (*scene.Scene, *scene.Report, error) {
	var opt Options
	if o != nil {
		opt = *o
	}
	format, err := Detect(fsys, name)
	if err != nil {
		return nil, nil, err
	}
	var s *scene.Scene
	var r *scene.Report
	switch format {
	case GLTF, GLB:
		s, r, err = gltf.Read(fsys, name, &opt.Options)
	default:
		s, r, err = openText(fsys, name, format, &opt)
	}
	if err != nil {
		return nil, nil, err
	}
	if want := byExtension(name); want != format && want != Unknown {
		r.Warnings = append(r.Warnings, scene.Warning{
			Code: scene.WarnContent,
			Text: fmt.Sprintf("the file is called %s but holds %s, and was read as that", path.Ext(name), format.article()),
		})
	}
	return s, r, nil
}

func openText(fsys fs.FS, name string, format Format, opt *Options) (*scene.Scene, *scene.Report, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, nil, fmt.Errorf("level: %w", err)
	}
	defer f.Close()
	if format == Unity {
		return unity.Read(f, name, &unity.Options{Options: opt.Options, Handedness: opt.Handedness})
	}
	return obj.Read(f, name, &opt.Options)
}

// article returns the format with its article, for sentences.
func (f Format) article() string {
	switch f {
	case OBJ:
		return "OBJ text"
	case GLTF:
		return "glTF"
	case GLB:
		return "a GLB"
	case Unity:
		return "an engine's triangulation"
	}
	return "something unknown"
}

func byExtension(name string) Format {
	switch strings.ToLower(path.Ext(name)) {
	case ".obj":
		return OBJ
	case ".gltf":
		return GLTF
	case ".glb":
		return GLB
	case ".json":
		return Unity
	}
	return Unknown
}

// headSize is how much of a file Detect reads unless it is JSON.
const headSize = 4096

// Detect says of which format a file is. It reads the beginning, and of JSON
// as much as it takes to see a member that tells.
func Detect(fsys fs.FS, name string) (Format, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return Unknown, fmt.Errorf("level: %w", err)
	}
	defer f.Close()
	head := make([]byte, headSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return Unknown, fmt.Errorf("level: reading %s: %w", name, err)
	}
	head = head[:n]
	if len(head) == 0 {
		return Unknown, &FormatError{name, "the file is empty"}
	}
	for _, m := range magics {
		if !bytes.HasPrefix(head, []byte(m.magic)) {
			continue
		}
		if m.format != Unknown {
			return m.format, nil
		}
		return Unknown, &FormatError{name, "the file is " + m.what}
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, jsonscan.BOM), " \t\r\n")
	switch {
	case bytes.IndexByte(head, 0) >= 0:
		return Unknown, &FormatError{name, "the file is binary, and not a GLB; levels are read from OBJ, glTF and GLB"}
	case len(text) > 0 && text[0] == '{':
		rest, err := io.ReadAll(f)
		if err != nil {
			return Unknown, fmt.Errorf("level: reading %s: %w", name, err)
		}
		return detectJSON(slices.Concat(head, rest), name)
	case len(text) > 0 && (text[0] == '<' || text[0] == '['):
		return Unknown, &FormatError{name, fmt.Sprintf("the file starts with %q; levels are read from OBJ, glTF and GLB", text[0])}
	}
	return OBJ, nil
}

// magics are the first bytes of files that get mistaken for levels.
var magics = [...]struct {
	magic  string
	format Format
	what   string
}{
	{"glTF", GLB, ""},
	{"Kaydara FBX", Unknown, "FBX; export the level as GLB or OBJ"},
	{"; FBX", Unknown, "FBX; export the level as GLB or OBJ"},
	{"BLENDER", Unknown, "a Blender project; export the level as GLB or OBJ"},
	{"ply\n", Unknown, "PLY; convert the level to GLB or OBJ"},
	{"ply\r", Unknown, "PLY; convert the level to GLB or OBJ"},
	{"solid ", Unknown, "STL; convert the level to GLB or OBJ"},
	{"PK\x03\x04", Unknown, "a zip archive; unpack the level first"},
	{"\x1f\x8b", Unknown, "compressed with gzip; unpack the level first"},
	{"\x28\xb5\x2f\xfd", Unknown, "compressed with zstd; unpack the level first"},
	{"\xff\xfe", Unknown, "UTF-16 text; save it as UTF-8"},
	{"\xfe\xff", Unknown, "UTF-16 text; save it as UTF-8"},
	{"TESM", Unknown, "a baked navmesh (Detour tile set), not a level"},
	{"MSET", Unknown, "a baked navmesh (Detour tile set), not a level"},
}

// detectJSON looks for a member of the document that tells its format.
func detectJSON(data []byte, name string) (Format, error) {
	s := jsonscan.New(data)
	broken := func(err error) (Format, error) {
		// The reader of the format that the name promises says what is wrong.
		if want := byExtension(name); want == GLTF || want == Unity {
			return want, nil
		}
		return Unknown, &FormatError{name, fmt.Sprintf("the file looks like JSON, but: %v", err)}
	}
	if err := s.Open('{'); err != nil {
		return broken(err)
	}
	for first := true; ; first = false {
		more, err := s.More('}', first)
		if err != nil {
			return broken(err)
		}
		if !more {
			return Unknown, &FormatError{
				name,
				"the file is JSON, but neither glTF (with an asset member) nor a triangulation (with vertices and indices)",
			}
		}
		key, err := s.Key()
		if err != nil {
			return broken(err)
		}
		switch key {
		case "asset", "scenes", "nodes", "meshes", "accessors", "bufferViews", "buffers":
			return GLTF, nil
		case "vertices", "indices", "areas":
			return Unity, nil
		}
		if err := s.Skip(); err != nil {
			return broken(err)
		}
	}
}
