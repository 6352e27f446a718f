package spanbake

import (
	"errors"
	"fmt"

	"wend/pack"
)

// errBlob says that a blob of this very bake, checksum and all, makes no sense.
// It means a defect of the program, or of the machine.
var errBlob = errors.New("spanbake: finished tile cannot be read back")

// blobWriter writes numbers in few bytes.
type blobWriter struct{ b []byte }

func (w *blobWriter) uint(v uint64) { w.b = pack.AppendUvarint(w.b, v) }
func (w *blobWriter) int(v int64)   { w.b = pack.AppendVarint(w.b, v) }

// bytes writes a length and the bytes.
func (w *blobWriter) bytes(p []byte) {
	w.uint(uint64(len(p)))
	w.b = append(w.b, p...)
}

// runs writes small values that repeat: each with the length of its run.
func (w *blobWriter) runs(n int, at func(i int) uint64) {
	for i := 0; i < n; {
		v, j := at(i), i+1
		for j < n && at(j) == v {
			j++
		}
		w.uint(v)
		w.uint(uint64(j - i))
		i = j
	}
}

// blobReader reads what a blobWriter wrote. After a fault every read gives 0.
type blobReader struct {
	b   []byte
	pos int
	bad bool
}

func (r *blobReader) uint() uint64 {
	if r.bad {
		return 0
	}
	v, next, err := pack.Uvarint(r.b, r.pos)
	if err != nil {
		r.bad = true
		return 0
	}
	r.pos = next
	return v
}

func (r *blobReader) int() int64 { return pack.Unzigzag(r.uint()) }

// count reads a number of things that take at least a byte each.
func (r *blobReader) count() int {
	n := r.uint()
	if n > uint64(len(r.b)) {
		r.bad = true
		return 0
	}
	return int(n)
}

func (r *blobReader) bytes() []byte {
	n := r.count()
	if r.bad || n > len(r.b)-r.pos {
		r.bad = true
		return nil
	}
	p := r.b[r.pos : r.pos+n : r.pos+n]
	r.pos += n
	return p
}

func (r *blobReader) runs(n int, put func(i int, v uint64)) {
	for i := 0; i < n; {
		v, k := r.uint(), r.uint()
		if r.bad || k == 0 || k > uint64(n-i) {
			r.bad = true
			return
		}
		for end := i + int(k); i < end; i++ {
			put(i, v)
		}
	}
}

// done returns an error unless everything was read and made sense.
func (r *blobReader) done(k blobKey) error {
	if r.bad || r.pos != len(r.b) {
		return fmt.Errorf("%w: %s", errBlob, k.file())
	}
	return nil
}
