package sample

import "wend/geom"

// Place is a named place of Town, on the floor.
type Place struct {
	Name string
	Pos  geom.Vec3
}

// Places returns the named places of Town in a fixed order.
func Places() []Place {
	return []Place{
		{"west gate", geom.V3(-58, 0, 0)},
		{"east gate", geom.V3(58, 0, 0)},
		{"tunnel", geom.V3(-42, 0, 0)},
		{"hilltop", geom.V3(-42, 8, 0)},
		{"plaza", geom.V3(-2, 0, -32)},
		{"alley", geom.V3(-1.05, 0, -5)},
		{"hall", geom.V3(-4, 0, 17)},
		{"store room", geom.V3(-6, 0, 23)},
		{"bedroom", geom.V3(-4, 3.2, 24)},
		{"balcony", geom.V3(-9.5, 3.2, 18)},
		{"house roof", geom.V3(0, 6.4, 20)},
		{"bridge", geom.V3(14, 4, 0)},
		{"under the bridge", geom.V3(14, 0, 0)},
		{"bridge north", geom.V3(14, 0, -20)},
		{"bridge south", geom.V3(14, 0, 20)},
		{"terrace", geom.V3(48, 3, 24)},
		{"below the ledge", geom.V3(48, 0, 17.5)},
		{"lookout", geom.V3(40, 4, 10)},
		{"foot of the ladder", geom.V3(40, 0, 17)},
		{"pond", geom.V3(-44, -0.4, 28)},
		{"pond north", geom.V3(-44, 0, 18.5)},
		{"pond south", geom.V3(-44, 0, 41)},
		{"building site", geom.V3(20, 0, 26)},
	}
}

// Trip is a pair of places worth a route.
type Trip struct {
	Name     string
	From, To geom.Vec3
}

// Trips returns routes that show what Town has, in a fixed order. All but "to
// the unreachable roof" and "into the building site" can be completed by a
// body of radius 0.6.
func Trips() []Trip {
	pos := map[string]geom.Vec3{}
	for _, p := range Places() {
		pos[p.Name] = p.Pos
	}
	trips := []struct{ name, from, to string }{
		{"across town", "west gate", "east gate"},
		{"through the tunnel", "alley", "west gate"},
		{"over the hill", "tunnel", "hilltop"},
		{"up to the bedroom", "under the bridge", "bedroom"},
		{"bedroom to under the bridge", "bedroom", "under the bridge"},
		{"over the bridge", "bridge north", "bridge south"},
		{"past the alley", "plaza", "alley"},
		{"down the ledge", "terrace", "below the ledge"},
		{"back up to the terrace", "below the ledge", "terrace"},
		{"up the ladder", "foot of the ladder", "lookout"},
		{"round the pond", "pond north", "pond south"},
		{"into the pond", "pond north", "pond"},
		{"to the unreachable roof", "plaza", "house roof"},
		{"into the building site", "bridge south", "building site"},
	}
	out := make([]Trip, len(trips))
	for i, t := range trips {
		out[i] = Trip{t.name, pos[t.from], pos[t.to]}
	}
	return out
}
