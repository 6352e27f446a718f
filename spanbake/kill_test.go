package spanbake

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"wend/pack"
)

// killedBake is set in the processes that TestKilledBakeGoesOn starts: the
// folder to work in.
const killedBake = "WEND_TEST_KILLED_BAKE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(killedBake); dir != "" {
		childBake(dir)
	}
	os.Exit(m.Run())
}

// childBake bakes a world in a folder, slowly enough to be killed within.
func childBake(dir string) {
	res, err := Run(context.Background(), randomWorld(5), &Options{
		Tile: 64, Workers: 2, Dir: filepath.Join(dir, "work"),
		Progress: func(Progress) { time.Sleep(2 * time.Millisecond) },
	})
	if err != nil {
		os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
	if err := pack.WriteFile(filepath.Join(dir, "x.fields.nav"), res.Fields); err != nil {
		os.Exit(1)
	}
	if err := pack.WriteFile(filepath.Join(dir, "x.nav"), res.Main); err != nil {
		os.Exit(1)
	}
	os.WriteFile(filepath.Join(dir, "resumed"), []byte(strconv.Itoa(res.Report.Resumed)), 0o644)
	os.Exit(0)
}

func TestKilledBakeGoesOn(t *testing.T) {
	want := bakeInput(t, randomWorld(5), Options{Tile: 64})
	dir := t.TempDir()
	start := func() *exec.Cmd {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), killedBake+"="+dir)
		c.Stderr = os.Stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c
	}
	// Ten kills, each a little later than the work folder begins to fill.
	for k := range 10 {
		c := start()
		time.Sleep(time.Duration(30+17*k) * time.Millisecond)
		c.Process.Kill()
		c.Wait()
		for _, name := range []string{"x.nav", "x.fields.nav"} {
			if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
				if !bytes.Equal(data, want.Main) && !bytes.Equal(data, want.Fields) {
					t.Fatalf("kill %d: %s is half written", k, name)
				}
			}
		}
	}
	if err := start().Wait(); err != nil {
		t.Fatal(err)
	}
	for name, bytesWanted := range map[string][]byte{"x.nav": want.Main, "x.fields.nav": want.Fields} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !bytes.Equal(data, bytesWanted) {
			t.Fatalf("%s differs after ten kills: %v", name, err)
		}
	}
	if n, _ := os.ReadFile(filepath.Join(dir, "resumed")); len(n) == 0 {
		t.Fatal("last bake did not say what it took over")
	} else {
		t.Logf("tiles taken over: %s", n)
	}
}
