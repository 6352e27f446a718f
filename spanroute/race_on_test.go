//go:build race

package spanroute

// underRace says that the race detector is at work, which makes all of ten times
// slower.
const underRace = true
