package pack

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A disk that is full in the middle of a file: a process that may not write
// more than so many bytes meets the same. It is another process, since the
// limit is for all of it.
func TestFullDisk(t *testing.T) {
	const name = "WEND_TEST_FULL_DISK"
	if path := os.Getenv(name); path != "" {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 4096, Max: 4096}); err != nil {
			t.Fatal(err)
		}
		if err := WriteFile(path, filled(2, 2000)); err != nil {
			t.Fatalf("a file that has room: %v", err)
		}
		err := WriteFile(path, filled(9, 9000))
		if !errors.Is(err, syscall.EFBIG) || !strings.HasPrefix(err.Error(), "pack: write "+path+": ") {
			t.Fatalf("a file that has none: %v", err)
		}
		return
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "a.nav")
	cmd := exec.Command(os.Args[0], "-test.run=^TestFullDisk$")
	cmd.Env = append(os.Environ(), name+"="+path)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if data, err := os.ReadFile(path); err != nil || !bytes.Equal(data, filled(2, 2000)) {
		t.Errorf("the old file: %d bytes, %v", len(data), err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("%d files are left, %v", len(list), err)
	}
}
