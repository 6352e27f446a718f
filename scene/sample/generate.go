package sample

import (
	"wend/geom"
	"wend/scene"
)

// hash mixes two lattice coordinates to a number that looks random.
func hash(x, z int) uint64 {
	h := uint64(uint32(x))<<32 | uint64(uint32(z))
	h ^= h >> 30
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 27
	h *= 0x94d049bb133111eb
	return h ^ h>>31
}

// Terrain returns n x n square cells of side 1 m from the origin towards +X
// and +Z with hills of about 8 m: two triangles a cell. n is at least 1. The
// heights are smoothed lattice noise of three scales.
func Terrain(n int) *scene.Scene {
	n = max(n, 1)
	b := newBuilder()
	g := ground{
		w: n, d: n,
		height: func(x, z int) float64 {
			return float64(6*noise(x, z, 32)) + float64(1.6*noise(x, z, 11)) + float64(0.3*noise(x, z, 3))
		},
		surface: func(int, int) surface { return surface{part: "terrain", material: "grass", area: Grass} },
	}
	g.add(b)
	return b.s
}

// noise returns smooth noise between 0 and 1 that changes over step cells.
func noise(x, z, step int) float64 {
	at := func(x, z int) float64 { return float64(float64(hash(x+1000*step, z)>>11) / (1 << 53)) }
	ease := func(t float64) float64 { return t * t * (3 - float64(2*t)) }
	cx, cz := x/step, z/step
	u, v := ease(float64(x%step)/float64(step)), ease(float64(z%step)/float64(step))
	mix := func(a, b, t float64) float64 { return a + float64((b-a)*t) }
	return mix(mix(at(cx, cz), at(cx+1, cz), u), mix(at(cx, cz+1), at(cx+1, cz+1), u), v)
}

// Maze returns a floor with n x n rooms of 4 x 4 m from the origin towards +X
// and +Z between walls 0.4 m thick and 3 m high. Exactly one way leads from
// each room to each other. n is at least 1.
func Maze(n int) *scene.Scene {
	const (
		side  = 4.0
		half  = 0.2
		high  = 3.0
		depth = 0.5
	)
	n = max(n, 1)
	b := newBuilder()
	size := float64(side * float64(n))
	b.in("floor", "stone", Ground)
	b.box(-half, -depth, -half, size+half, 0, size+half)
	b.in("walls", "stone", Ground)
	b.box(-half, 0, -half, size+half, high, half)
	b.box(-half, 0, size-half, size+half, high, size+half)
	b.box(-half, 0, half, half, high, size-half)
	b.box(size-half, 0, half, size+half, high, size-half)
	// Each room has one opening, to the north or to the west by chance: all
	// ways lead to the first room.
	for z := range n {
		for x := range n {
			north := x == 0 || z > 0 && hash(x, z)&1 == 0
			x0, z0 := float64(side*float64(x)), float64(side*float64(z))
			if z > 0 && !north {
				b.box(x0-half, 0, z0-half, x0+side+half, high, z0+half)
			}
			if x > 0 && north {
				b.box(x0-half, 0, z0-half, x0+half, high, z0+side+half)
			}
		}
	}
	return b.s
}

// MazeRoom returns the middle of the floor of room (x, z) of a Maze; both count
// from 0.
func MazeRoom(x, z int) geom.Vec3 {
	return geom.V3(float64(4*float64(x))+2, 0, float64(4*float64(z))+2)
}
