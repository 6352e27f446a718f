package spanbake

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"wend/pack"
)

// A blobKey names a piece of finished work.
type blobKey struct {
	stage byte // stageSpans or stageFields
	zone  int
	tile  int
}

func (k blobKey) file() string { return fmt.Sprintf("%c-%d-%d.blob", k.stage, k.zone, k.tile) }

// A store keeps the finished tiles of a bake until they are put together. It
// is safe for concurrent use as long as no two callers put the same key.
type store interface {
	// get returns nil where there is no such blob.
	get(k blobKey) ([]byte, error)
	put(k blobKey, data []byte) error
	// close gives up what the store holds; done says that the bake is
	// complete and nothing will be resumed.
	close(done bool) error
}

// memStore keeps blobs in memory: a bake without a work folder.
type memStore struct {
	mu    sync.Mutex
	blobs map[blobKey][]byte
}

func newMemStore() *memStore { return &memStore{blobs: map[blobKey][]byte{}} }

func (s *memStore) get(k blobKey) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.blobs[k], nil
}

func (s *memStore) put(k blobKey, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blobs[k] = data
	return nil
}

func (s *memStore) close(bool) error { return nil }

// A BusyError says that another bake works in the same folder.
type BusyError struct{ Dir string }

func (e *BusyError) Error() string {
	return fmt.Sprintf("spanbake: another bake is at work in %s", e.Dir)
}

// dirStore keeps blobs as files, so that a bake that was killed goes on where
// it was. Files carry the fingerprint of what they were made from, their key
// and a checksum: what does not fit is made again, never used.
type dirStore struct {
	dir         string
	fingerprint uint64
	lock        *lockFile
}

const (
	blobMagic = "WSB1"
	blobHead  = 4 + 8 + 1 + 4 + 4 + 8 // magic, fingerprint, key, checksum
	lockName  = "lock"
)

// openDirStore opens or makes a work folder for one bake. Blobs of another
// input, profile or version are removed. The error is *BusyError while another
// process has it.
func openDirStore(dir string, fingerprint uint64) (*dirStore, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("spanbake: work folder: %w", err)
	}
	lock, err := takeLock(filepath.Join(dir, lockName))
	if err != nil {
		if errors.Is(err, errLocked) {
			return nil, &BusyError{dir}
		}
		return nil, fmt.Errorf("spanbake: work folder: %w", err)
	}
	s := &dirStore{dir, fingerprint, lock}
	if err := s.removeForeign(); err != nil {
		lock.release()
		return nil, err
	}
	return s, nil
}

// blobFiles lists the files that a store makes.
func (s *dirStore) blobFiles() ([]string, error) {
	all, err := filepath.Glob(filepath.Join(escapeGlob(s.dir), "*.blob*"))
	if err != nil {
		return nil, fmt.Errorf("spanbake: work folder: %w", err)
	}
	return all, nil
}

// escapeGlob makes a path match itself only.
func escapeGlob(path string) string {
	var out []byte
	for i := range len(path) {
		switch path[i] {
		case '*', '?', '[':
			out = append(out, '[', path[i], ']')
		default:
			out = append(out, path[i])
		}
	}
	return string(out)
}

// removeForeign removes blobs that cannot be used again, and what a killed
// bake had half written.
func (s *dirStore) removeForeign() error {
	files, err := s.blobFiles()
	if err != nil {
		return err
	}
	for _, name := range files {
		if filepath.Ext(name) == ".blob" && s.own(name) {
			continue
		}
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("spanbake: work folder: %w", err)
		}
	}
	return nil
}

// own reports whether a file begins with this bake's fingerprint.
func (s *dirStore) own(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [12]byte
	n, _ := f.Read(head[:])
	return n == len(head) && string(head[:4]) == blobMagic && binary.LittleEndian.Uint64(head[4:]) == s.fingerprint
}

func (s *dirStore) head(k blobKey, data []byte) []byte {
	h := make([]byte, 0, blobHead+len(data))
	h = append(h, blobMagic...)
	h = binary.LittleEndian.AppendUint64(h, s.fingerprint)
	h = append(h, k.stage)
	h = binary.LittleEndian.AppendUint32(h, uint32(k.zone))
	h = binary.LittleEndian.AppendUint32(h, uint32(k.tile))
	return binary.LittleEndian.AppendUint64(h, pack.Fingerprint(data))
}

func (s *dirStore) get(k blobKey) ([]byte, error) {
	all, err := os.ReadFile(filepath.Join(s.dir, k.file()))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("spanbake: work folder: %w", err)
	}
	if len(all) < blobHead || string(s.head(k, all[blobHead:])) != string(all[:blobHead]) {
		return nil, nil
	}
	return all[blobHead:], nil
}

func (s *dirStore) put(k blobKey, data []byte) error {
	name := filepath.Join(s.dir, k.file())
	tmp := name + ".tmp"
	err := os.WriteFile(tmp, append(s.head(k, data), data...), 0o644)
	if err == nil {
		err = os.Rename(tmp, name)
	}
	if err != nil {
		os.Remove(tmp)
		return fmt.Errorf("spanbake: work folder: %w", err)
	}
	return nil
}

// close releases the folder, and removes it where nothing is left to resume.
func (s *dirStore) close(done bool) error {
	var err error
	if done {
		var files []string
		if files, err = s.blobFiles(); err == nil {
			for _, name := range files {
				os.Remove(name)
			}
		}
	}
	s.lock.release()
	os.Remove(s.dir) // stays where it holds finished work, or files of the user
	return err
}

// Discard removes the work of an interrupted bake. The error is *BusyError
// while a bake is at work in the folder.
func Discard(dir string) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	s, err := openDirStore(dir, 0)
	if err != nil {
		return err
	}
	return s.close(true)
}
