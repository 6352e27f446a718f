// Package search holds the two structures every best-first search of this
// module is made of: an open list whose keys can be lowered, and a pool of
// node records that is emptied without being cleared.
//
// Both keep their memory from one search to the next: after the first few
// searches of a size nothing is allocated. Neither is safe for concurrent
// use; a search belongs to one goroutine.
package search
