//go:build !unix || solaris || aix

package spanbake

import (
	"errors"
	"os"
	"time"
)

var errLocked = errors.New("locked")

// stale is the age after which a lock is taken to be left by a process that
// was killed: its owner touches it far more often.
const stale = 30 * time.Second

// A lockFile keeps other processes out of a folder, on systems without locks
// that end with their process: a file that its owner keeps young.
type lockFile struct {
	f    *os.File
	stop chan struct{}
	done chan struct{}
}

func takeLock(name string) (*lockFile, error) {
	if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > stale {
		os.Remove(name)
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		if errors.Is(err, os.ErrExist) {
			return nil, errLocked
		}
		return nil, err
	}
	l := &lockFile{f, make(chan struct{}), make(chan struct{})}
	go func() {
		defer close(l.done)
		tick := time.NewTicker(stale / 6)
		defer tick.Stop()
		for {
			select {
			case <-l.stop:
				return
			case now := <-tick.C:
				os.Chtimes(name, now, now)
			}
		}
	}()
	return l, nil
}

func (l *lockFile) release() {
	close(l.stop)
	<-l.done
	l.f.Close()
	os.Remove(l.f.Name())
}
