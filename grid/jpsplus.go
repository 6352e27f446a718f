package grid

import "fmt"

// JumpTable holds jump distances.
type JumpTable struct {
	moves   Moves
	version uint64
	of      Ground
}

// fits reports why a table cannot be used for a search.
func (t *JumpTable) fits(g Ground, m Moves) error {
	switch {
	case t == nil:
		return fmt.Errorf("%w: none was given", ErrTable)
	case t.of != g:
		return fmt.Errorf("%w: made for another ground", ErrTable)
	case t.moves != m:
		return fmt.Errorf("%w: made for %v, not %v", ErrTable, t.moves, m)
	case t.version != g.Version():
		return fmt.Errorf("%w: of version %d, the ground has %d", ErrTable, t.version, g.Version())
	}
	return nil
}
