package wendtest

import (
	"fmt"
	"strings"
	"testing"
)

// recorder is a testing.TB that keeps what it is told.
type recorder struct {
	testing.TB
	said []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, a ...any) {
	r.said = append(r.said, fmt.Sprintf(format, a...))
}
func (r *recorder) Fatalf(format string, a ...any) { r.Errorf(format, a...); panic(r) }

func TestGolden(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(updateEnv, "1")
	Golden(t, "a/b.txt", []byte("one\ntwo\nthree\n"))
	t.Setenv(updateEnv, "")

	r := &recorder{TB: t}
	Golden(r, "a/b.txt", []byte("one\ntwo\nthree\n"))
	if len(r.said) != 0 {
		t.Errorf("an equal golden was refused: %q", r.said)
	}
	Golden(r, "a/b.txt", []byte("one\ntwo\nfour\n"))
	if len(r.said) != 1 || !strings.Contains(r.said[0], "byte 8 (line 3)") {
		t.Errorf("a difference on line 3 was reported as %q", r.said)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a missing golden was accepted")
			}
		}()
		Golden(r, "none.txt", nil)
	}()
}
