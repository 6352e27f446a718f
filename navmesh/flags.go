package navmesh

// Flags of the polygons that wend bakes. They are those of RecastDemo, so its
// default filter treats our files as ours does.
const (
	FlagWalk uint16 = 0x01 // can be walked
	FlagNoGo uint16 = 0x10 // lies in a no-go polygon; the default filter leaves it out
)
