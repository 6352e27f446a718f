// Package occluder answers what colliders are in the way: of a line, above and
// below a point, and of somebody who steps off a ledge.
//
// [New] builds the search trees of a collider scene read by package pack/ocls.
// Then [Scene.Clear] and [Scene.First] answer lines of sight,
// [Scene.AppendHits] lists every hit of a line, [Scene.AppendColumn] the
// surfaces above and below a point, [Scene.Curtain] what crosses an upright
// rectangle, and [Scene.DropBlocked] whether a body may step off from one point
// and land on another. A zone without a scene has no collision data: callers
// decide what that means (a drop passes, a line is "unknown").
//
// # What counts as a hit
//
// Answers are defined triangle by triangle, by the predicates of this package,
// computed in float64 without fused operations. A triangle counts where its
// predicate says so and the place lies in the triangle's own box, widened by a
// margin well above rounding; the second half only refuses what would be an
// artefact, such as a line that runs along a plane within rounding. Trees,
// their boxes and the order of visits decide how fast an answer comes and
// never what it is: every test compares with a loop over all triangles.
//
// Lines see mesh faces from both sides and no terrain. Columns and curtains see
// both. A mesh face is up or down by its winding ([pack/ocls] says which), the
// mirror of its placement included; terrain faces up.
//
// # Cost
//
// Beside the source a scene takes about 40 bytes a template triangle, 24 a
// template vertex and 260 an instance.
// Placed triangles are not stored: a mesh that stands in a thousand places is
// held once, with one tree. Queries visit O(log n) nodes where boxes are apart
// and allocate nothing.
//
// All methods are safe for concurrent use.
package occluder
