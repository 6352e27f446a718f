package spanroute

import (
	"context"
	"errors"
	"fmt"
)

// A DataCode says which data cannot be used.
type DataCode uint8

// The codes of a [DataError].
const (
	EngineUnusable   DataCode = iota + 1 // packs or the table of no-go zones
	UnknownZone                          // the pack has no geometry zone of that name
	ZoneNoGrid                           // the pack's grid does not have the zone
	ZoneMesh                             // the zone's triangles cannot be cleaned
	ZoneNoFields                         // the fields pack cannot supply the zone
	GridDecode                           // a tile near an end point
	RegionEmpty                          // a region has no record
	WindowDecode                         // a tile
	WallTable                            // an edge of the mesh is not in the table of walls
	ComponentMissing                     // a region has no graph of components
	ComponentRange                       // a component is not in the graph
)

var dataCodes = [...]string{
	EngineUnusable: "EngineUnusable", UnknownZone: "UnknownZone", ZoneNoGrid: "ZoneNoGrid", ZoneMesh: "ZoneMesh",
	ZoneNoFields: "ZoneNoFields", GridDecode: "GridDecode", RegionEmpty: "RegionEmpty", WindowDecode: "WindowDecode",
	WallTable: "WallTable", ComponentMissing: "ComponentMissing", ComponentRange: "ComponentRange",
}

// String returns the name of the constant.
func (c DataCode) String() string {
	if int(c) < len(dataCodes) && dataCodes[c] != "" {
		return dataCodes[c]
	}
	return fmt.Sprintf("DataCode(%d)", uint8(c))
}

// A DataError says that data cannot be used, so that nothing is known of the
// route.
type DataError struct {
	Code DataCode
	Zone string // "" = not one zone's
	Err  error  // what is wrong
}

func (e *DataError) Error() string {
	if e.Zone == "" {
		return fmt.Sprintf("spanroute: %v: %v", e.Code, e.Err)
	}
	return fmt.Sprintf("spanroute: %v: zone %q: %v", e.Code, e.Zone, e.Err)
}

func (e *DataError) Unwrap() error { return e.Err }

// dataError returns err as a DataError, and as it is where it has a code
// already or is the end of the context.
func dataError(ctx context.Context, code DataCode, zone string, err error) error {
	var d *DataError
	if err == nil || errors.As(err, &d) {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return &DataError{code, zone, err}
}
