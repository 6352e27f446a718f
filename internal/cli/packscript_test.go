package cli

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"wend/internal/wendtest"
)

// The scripts about packs work on copies of packs that another program wrote;
// $PACKS is their folder.
func TestPackScripts(t *testing.T) {
	packs := wendtest.Data(t, "packs")
	testscript.Run(t, testscript.Params{
		Dir:                "testdata/packscript",
		RequireUniqueNames: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("PACKS", packs)
			return nil
		},
		Condition: func(cond string) (bool, error) {
			return cond == "root" && os.Geteuid() == 0, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": checkStatus,
		},
	})
}
