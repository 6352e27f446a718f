package navmesh

type ray struct{}
