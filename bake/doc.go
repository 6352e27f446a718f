// Package bake makes a polygon navmesh from a level.
//
// Start with Human, the default Profile, and Run.
package bake
