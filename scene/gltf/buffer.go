package gltf

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"strings"
)

// source is a buffer's bytes and where they come from.
type source struct {
	data []byte
	file string
	at   int64 // offset of data in file; -1 when it has none there
}

// offset returns the place of byte i in the source's file.
func (s *source) offset(i int) int64 {
	if s.at < 0 {
		return -1
	}
	return s.at + int64(i)
}

// view is the part of a source that a bufferView shows.
type view struct {
	source
	stride int // 0: packed
}

// buffers loads buffers and views when they are first asked for.
type buffers struct {
	*file
	fsys    fs.FS
	sources map[int]*source
	views   map[int]*view
}

// buffer returns the bytes of buffer i. path is the member that names it.
func (b *buffers) buffer(i int, from string) (*source, error) {
	if i < 0 || i >= len(b.doc.Buffers) {
		return nil, b.invalid(from, "buffer %d, but there are %d", i, len(b.doc.Buffers))
	}
	if s := b.sources[i]; s != nil {
		return s, nil
	}
	p := fmt.Sprintf("buffers[%d]", i)
	s, err := b.load(i, p)
	if err != nil {
		return nil, err
	}
	want := b.doc.Buffers[i].ByteLength
	if want < 1 {
		return nil, b.invalid(p+".byteLength", "byteLength is %d, want at least 1", want)
	}
	if want > len(s.data) {
		return nil, b.invalid(p+".byteLength", "the buffer has %d bytes, but byteLength is %d", len(s.data), want)
	}
	s.data = s.data[:want]
	b.sources[i] = s
	return s, nil
}

func (b *buffers) load(i int, p string) (*source, error) {
	uri := b.doc.Buffers[i].URI
	if uri == nil {
		if i == 0 && b.hasBin {
			return &source{b.bin, b.name, int64(b.binAt)}, nil
		}
		return nil, b.invalid(p, "the buffer has no uri, and the file holds no bytes for it")
	}
	p += ".uri"
	if len(*uri) >= 5 && strings.EqualFold((*uri)[:5], "data:") {
		data, err := b.dataURI((*uri)[5:], p)
		return &source{data, b.name, -1}, err
	}
	name, msg := resolve(b.name, *uri)
	if msg != "" {
		return nil, b.invalid(p, "%s; buffers must lie in the folder of the level or below it", msg)
	}
	data, err := fs.ReadFile(b.fsys, name)
	if err != nil {
		return nil, b.fail(p, err, "the buffer cannot be read: %v", err)
	}
	return &source{data, name, 0}, nil
}

// dataURI decodes what follows "data:".
func (b *buffers) dataURI(rest, p string) ([]byte, error) {
	head, body, ok := strings.Cut(rest, ",")
	if !ok {
		return nil, b.invalid(p, "data URI without a comma")
	}
	if !strings.HasSuffix(head, ";base64") {
		return nil, b.unsupported(p, "data URI of type %s, want base64", clip(head))
	}
	if strings.IndexByte(body, '%') >= 0 {
		if s, err := url.PathUnescape(body); err == nil {
			body = s
		}
	}
	data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(body, "="))
	if err != nil {
		return nil, b.invalid(p, "data URI: %v", err)
	}
	return data, nil
}

// resolve returns the name of the file that uri stands for beside level. msg
// is not empty when uri does not stay in the level's folder.
func resolve(level, uri string) (name, msg string) {
	// A scheme is letters before the first colon; a drive letter is one too.
	if i := strings.IndexAny(uri, ":/"); i > 0 && uri[i] == ':' {
		return "", fmt.Sprintf("uri %s has a scheme", clip(uri))
	}
	plain, err := url.PathUnescape(uri)
	switch {
	case err != nil:
		return "", fmt.Sprintf("uri %s: bad percent sign", clip(uri))
	case plain == "":
		return "", "uri is empty"
	case plain[0] == '/':
		return "", fmt.Sprintf("uri %s is absolute", clip(uri))
	case strings.ContainsAny(plain, "\\:\x00"):
		return "", fmt.Sprintf("uri %s has a character that no portable file name has", clip(uri))
	}
	clean := path.Clean(plain)
	if clean == ".." || strings.HasPrefix(clean, "../") {
		return "", fmt.Sprintf("uri %s leaves the folder", clip(uri))
	}
	name = path.Join(path.Dir(level), clean)
	if !fs.ValidPath(name) {
		return "", fmt.Sprintf("uri %s is not a file name", clip(uri))
	}
	return name, ""
}

// view returns bufferView i. from is the member that names it.
func (b *buffers) view(i int, from string) (*view, error) {
	if i < 0 || i >= len(b.doc.BufferViews) {
		return nil, b.invalid(from, "bufferView %d, but there are %d", i, len(b.doc.BufferViews))
	}
	if v := b.views[i]; v != nil {
		return v, nil
	}
	p := fmt.Sprintf("bufferViews[%d]", i)
	bv := &b.doc.BufferViews[i]
	var v *view
	var err error
	switch {
	case bv.ByteStride < 0 || bv.ByteStride > 252:
		return nil, b.invalid(p+".byteStride", "byteStride is %d, want 4 to 252", bv.ByteStride)
	case bv.Extensions != nil && bv.Extensions.Meshopt != nil:
		v, err = b.compressed(bv, p)
	default:
		v, err = b.plain(bv, p)
	}
	if err != nil {
		return nil, err
	}
	b.views[i] = v
	return v, nil
}

func (b *buffers) plain(bv *bufferView, p string) (*view, error) {
	if bv.Extensions != nil && bv.Extensions.MeshoptKHR != nil &&
		bv.Buffer >= 0 && bv.Buffer < len(b.doc.Buffers) && b.doc.Buffers[bv.Buffer].URI == nil &&
		!(bv.Buffer == 0 && b.hasBin) {
		err := newExtensionError("KHR_meshopt_compression")
		return nil, b.fail(p+".extensions", err, "%s", err.Error())
	}
	s, err := b.slice(bv.Buffer, bv.ByteOffset, bv.ByteLength, p)
	if err != nil {
		return nil, err
	}
	return &view{*s, bv.ByteStride}, nil
}

// slice returns length bytes at offset of buffer i, for the object at path p.
func (b *buffers) slice(i, offset, length int, p string) (*source, error) {
	s, err := b.buffer(i, p+".buffer")
	if err != nil {
		return nil, err
	}
	if offset < 0 || offset > len(s.data) {
		return nil, b.invalid(p+".byteOffset", "byteOffset is %d, but the buffer has %d bytes", offset, len(s.data))
	}
	if length < 0 || length > len(s.data)-offset {
		return nil, b.invalid(p+".byteLength", "%d bytes at offset %d, but the buffer has %d", length, offset, len(s.data))
	}
	return &source{s.data[offset : offset+length], s.file, s.offset(offset)}, nil
}

// clip shortens and quotes what an error message repeats.
func clip(s string) string {
	const most = 60
	if len(s) > most {
		return fmt.Sprintf("%q...", s[:most])
	}
	return fmt.Sprintf("%q", s)
}
