//go:build unix && !solaris && !aix

package spanbake

import (
	"errors"
	"os"
	"syscall"
)

var errLocked = errors.New("locked")

// A lockFile keeps other processes out of a folder. The system gives it up
// when the process ends, however it ends.
type lockFile struct{ f *os.File }

func takeLock(name string) (*lockFile, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errLocked
		}
		return nil, err
	}
	// Whoever held it before may have removed the name since it was opened.
	have, err1 := f.Stat()
	now, err2 := os.Stat(name)
	if err1 != nil || err2 != nil || !os.SameFile(have, now) {
		f.Close()
		return nil, errLocked
	}
	return &lockFile{f}, nil
}

func (l *lockFile) release() {
	os.Remove(l.f.Name())
	l.f.Close()
}
