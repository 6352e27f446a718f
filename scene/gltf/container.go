package gltf

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"wend/scene"
	"wend/scene/internal/jsonscan"
)

const (
	glbMagic  = "glTF"
	glbHeader = 12
	chunkJSON = 0x4E4F534A
	chunkBIN  = 0x004E4942
)

// file is an opened level: its JSON and, for GLB, its binary chunk.
type file struct {
	name    string
	format  string // "gltf" or "glb"
	json    []byte
	jsonAt  int // offset of json in the file
	bin     []byte
	binAt   int
	hasBin  bool
	excess  int // bytes behind the end of a GLB
	doc     document
	warned  map[string]bool
	builder *scene.Builder
}

// open takes the container apart and decodes the JSON.
func open(data []byte, name string) (*file, error) {
	f := &file{name: name, format: "gltf", json: data, warned: make(map[string]bool)}
	if bytes.HasPrefix(data, []byte(glbMagic)) {
		f.format = "glb"
		if err := f.split(data); err != nil {
			return nil, err
		}
	}
	if bytes.HasPrefix(f.json, jsonscan.BOM) {
		f.json = f.json[len(jsonscan.BOM):]
		f.jsonAt += len(jsonscan.BOM)
	}
	if err := json.Unmarshal(f.json, &f.doc); err != nil {
		return nil, f.jsonError(err)
	}
	return f, f.checkVersion()
}

// split finds the chunks of a GLB.
func (f *file) split(data []byte) error {
	if len(data) < glbHeader {
		return f.at(len(data), "the file ends inside the GLB header of %d bytes", glbHeader)
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != 2 {
		return &Error{
			File: f.name, Offset: 4, Err: ErrUnsupported,
			Msg: fmt.Sprintf("GLB version %d, want 2; export the level as glTF 2.0", v),
		}
	}
	length := binary.LittleEndian.Uint32(data[8:])
	if int64(length) > int64(len(data)) {
		return f.at(len(data), "the file ends here, but its header says %d bytes", length)
	}
	f.excess = len(data) - int(length)
	data = data[:length]
	pos := glbHeader
	for n := 0; pos < len(data); n++ {
		if len(data)-pos < 8 {
			return f.at(pos, "%d bytes left, want a chunk header of 8", len(data)-pos)
		}
		size := binary.LittleEndian.Uint32(data[pos:])
		kind := binary.LittleEndian.Uint32(data[pos+4:])
		if int64(size) > int64(len(data)-pos-8) {
			return f.at(pos, "chunk of %d bytes, but only %d are left", size, len(data)-pos-8)
		}
		body := data[pos+8 : pos+8+int(size)]
		switch {
		case n == 0 && kind == chunkJSON:
			f.json, f.jsonAt = body, pos+8
		case n == 0:
			return f.at(pos+4, "the first chunk has type 0x%08x, want JSON", kind)
		case n == 1 && kind == chunkBIN:
			f.bin, f.binAt, f.hasBin = body, pos+8, true
		}
		pos += 8 + int(size)
	}
	if f.jsonAt == 0 {
		return f.at(pos, "no JSON chunk")
	}
	return nil
}

// jsonError gives an error of encoding/json its place.
func (f *file) jsonError(err error) error {
	e := &Error{File: f.name, Offset: int64(f.jsonAt), Msg: err.Error(), Err: ErrInvalid}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		e.Offset += max(0, syntax.Offset-1) // it counts the byte that was wrong
		e.JSONPath = jsonscan.PathAt(f.json, int(syntax.Offset))
	case errors.As(err, &kind):
		e.JSONPath = jsonscan.PathAt(f.json, int(kind.Offset))
		e.Offset += int64(jsonscan.Find(f.json, e.JSONPath))
		e.Msg = fmt.Sprintf("found %s, want %s", kind.Value, wanted(kind.Type.Kind().String()))
	}
	return e
}

// wanted says in words of JSON what a Go kind is.
func wanted(kind string) string {
	switch kind {
	case "int":
		return "an integer"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "slice":
		return "an array"
	case "struct":
		return "an object"
	}
	return "a " + kind
}

// checkVersion makes sure that this is glTF 2 and needs nothing unknown.
func (f *file) checkVersion() error {
	a := f.doc.Asset
	if a == nil {
		return f.invalid("", "no asset member; this is not glTF")
	}
	if len(a.Version) < 2 || a.Version[:2] != "2." {
		return f.unsupported("asset.version", "glTF version %q, want 2.0; export the level as glTF 2.0", a.Version)
	}
	if a.MinVersion != "" && a.MinVersion != "2.0" {
		return f.unsupported("asset.minVersion", "the file needs a reader of glTF %q, this one knows 2.0", a.MinVersion)
	}
	for i, name := range f.doc.ExtensionsRequired {
		if err := checkExtension(name); err != nil {
			return f.fail(fmt.Sprintf("extensionsRequired[%d]", i), err, "%s", err.Error())
		}
	}
	return nil
}

// at makes the error for a place in the container.
func (f *file) at(offset int, format string, args ...any) error {
	return &Error{File: f.name, Offset: int64(offset), Msg: fmt.Sprintf(format, args...), Err: ErrInvalid}
}

// fail makes the error for a value of the JSON.
func (f *file) fail(path string, cause error, format string, args ...any) error {
	return &Error{
		File: f.name, JSONPath: path, Offset: int64(f.jsonAt + jsonscan.Find(f.json, path)),
		Msg: fmt.Sprintf(format, args...), Err: cause,
	}
}

func (f *file) invalid(path, format string, args ...any) error {
	return f.fail(path, ErrInvalid, format, args...)
}

func (f *file) unsupported(path, format string, args ...any) error {
	return f.fail(path, ErrUnsupported, format, args...)
}

// warn adds a warning about what is ignored, once for each text.
func (f *file) warn(text string) {
	if !f.warned[text] {
		f.warned[text] = true
		f.builder.Warn(scene.WarnIgnored, text)
	}
}
