package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"wend"
	"wend/bake"
	"wend/pack"
	"wend/pack/bnav"
	"wend/spanroute"
)

// Names of the planners.
const (
	planMesh = "mesh"
	planSpan = "span"
)

// PlannerError says that a planner cannot work on a world.
type PlannerError struct {
	Planner, File, What string
}

func (e *PlannerError) Error() string {
	return fmt.Sprintf("--planner %s: %s %s", e.Planner, e.File, e.What)
}

// plannerFor chooses the planner for a world, which want may name: span for
// packs, mesh for all else. The error is a *PlannerError where they do not fit.
func plannerFor(want string, files []string) (string, error) {
	for _, file := range files {
		kind, err := packKind(file)
		switch {
		case err != nil:
			return "", err
		case kind == magicFields:
			return "", fmt.Errorf("%s is a fields sidecar, want its main pack %s", file, mainOfSidecar(file))
		case kind == magicOccluder:
			return "", fmt.Errorf("%s holds colliders, want the main pack beside it", file)
		case kind == magicMain && want == planMesh:
			return "", &PlannerError{want, file, "is a pack, which has no polygons; take the navmesh that \"wend bake --navmesh\" saves"}
		case kind == magicMain && len(files) > 1:
			return "", fmt.Errorf("%s is a pack, and a world of packs is named by one file", file)
		case kind == magicMain:
			return planSpan, nil
		}
	}
	if want != planSpan {
		return planMesh, nil
	}
	for _, file := range files {
		is, err := isNavmesh(file)
		if err != nil {
			return "", err
		}
		if is {
			return "", &PlannerError{want, file, "is a navmesh, which has no span grid; take the packs that \"wend bake -o\" saves"}
		}
	}
	return planSpan, nil
}

// openSpans opens packs, or bakes level files in memory as "wend bake -o" does,
// with the table of no-go zones that noGo names.
func (f *levelFlags) openSpans(e *env, files []string, radius *float64, noGo string, workers int) (*wend.Packs, error) {
	table, err := readNoGo(noGo)
	if err != nil {
		return nil, err
	}
	packs, err := f.openPacks(e, files, radius, &wend.PackOptions{NoGoTable: table, Workers: workers})
	var broken *spanroute.NoGoError
	if noGo != "" && errors.As(err, &broken) {
		return nil, badInputf("--no-go %s: %w", noGo, broken)
	}
	return packs, err
}

func (f *levelFlags) openPacks(e *env, files []string, radius *float64, o *wend.PackOptions) (*wend.Packs, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	kind, err := packKind(files[0])
	if err != nil {
		return nil, badInput(err)
	}
	if kind == magicMain {
		if err := f.checkUnused(files[0], "pack"); err != nil {
			return nil, err
		}
		packs, err := wend.OpenPacksContext(e.ctx, packFS(e), files[0], o)
		return packs, spanError(err)
	}
	level, err := f.readLevels(e, files, radius)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(filepath.Base(files[0]), filepath.Ext(files[0]))
	p := e.progress()
	packs, _, err := wend.BakePacks(e.ctx, level.scene, name, level.profile,
		&bake.Options{Workers: f.Jobs, Progress: bakeProgress(p, false)}, o)
	p.finish()
	return packs, spanError(bakeError(spanBakeError(err)))
}

// spanError marks what is wrong with packs, with a table of no-go zones or with
// a request as the user's fault, and says it without the words of the library.
func spanError(err error) error {
	var data *spanroute.DataError
	var request *spanroute.RequestError
	var file *pack.FormatError
	switch {
	case errors.As(err, &request):
		return badInput(request)
	case errors.As(err, &data) && data.Code == spanroute.EngineUnusable:
		return badInput(packError(data.Err))
	case errors.As(err, &data), errors.As(err, &file):
		return badInput(err)
	}
	return err
}

// readNoGo reads the table of no-go zones that --no-go names.
func readNoGo(file string) ([]byte, error) {
	if file == "" {
		return nil, nil
	}
	if err := checkFile(file, "a table of no-go zones", "table"); err != nil {
		return nil, badInputf("--no-go %w", err)
	}
	info, err := os.Stat(file)
	if err == nil && info.Size() > maxNoGoBytes {
		return nil, badInputf("--no-go %s: has %d bytes, want at most %d", file, info.Size(), maxNoGoBytes)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, badInputf("--no-go %s: %w", file, withoutPath(err))
	}
	return data, nil
}

const maxNoGoBytes = 64 << 20

// packFiles lists the files of a world of packs, which no output may replace.
func packFiles(files []string) []string {
	var all []string
	for _, file := range files {
		if strings.HasSuffix(file, ".nav") || strings.HasSuffix(file, ".nav.gz") {
			fields, occluder := pack.SideNames(file)
			all = append(all, fields, occluder)
		}
	}
	return all
}

// zoneOf returns the entry of a zone in the pack's table, of "" the only one
// that routes can be planned in.
func zoneOf(p *wend.Packs, name string) (bnav.Zone, error) {
	for _, z := range p.Engine().Zones() {
		if z.Planned && (name == "" || z.Zone.Name == name) {
			return z.Zone, nil
		}
	}
	if name == "" {
		return bnav.Zone{}, badInputf("the pack has no zone that routes can be planned in")
	}
	return bnav.Zone{}, badInputf("no zone %q that routes can be planned in; there is %s", name, strings.Join(p.Zones(), ", "))
}

// checkZone refuses a zone that the packs do not have, and none where they have
// several, before anything is planned.
func checkZone(p *wend.Packs, name string) (bnav.Zone, error) {
	if zones := p.Zones(); name == "" && len(zones) > 1 {
		return bnav.Zone{}, badInputf("the pack has several zones: --zone says which of %s", strings.Join(zones, ", "))
	}
	return zoneOf(p, name)
}
