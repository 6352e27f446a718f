package navmesh

import "wend/geom"

// Query answers questions about a Mesh. It owns the scratch memory they need,
// so it belongs to one goroutine at a time; after warm-up its answers
// allocate nothing but what the caller keeps.
type Query struct {
	mesh   *Mesh
	search searchState
	wall   wallState
}

// NewQuery returns a Query on m.
func (m *Mesh) NewQuery() *Query { return &Query{mesh: m} }

// Mesh returns the mesh the query works on.
func (q *Query) Mesh() *Mesh { return q.mesh }

// Location is a place on the surface: a polygon and a position on it.
type Location struct {
	Poly PolyID
	Pos  geom.Vec3
}
