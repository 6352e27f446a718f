package navmesh

// searchState is the scratch memory of route searches.
type searchState struct{}
