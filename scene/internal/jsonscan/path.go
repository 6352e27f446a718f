package jsonscan

import (
	"strconv"
	"strings"
)

// Find returns the offset of the value at a path such as
// "meshes[3].primitives[0].indices", or of the innermost value on the way to
// it that is there.
func Find(data []byte, path string) int {
	s := New(data)
	at := s.Offset()
	for path != "" {
		var ok bool
		if path[0] == '[' {
			end := strings.IndexByte(path, ']')
			if end < 0 {
				return at
			}
			n, err := strconv.Atoi(path[1:end])
			if err != nil || !s.enterElement(n) {
				return at
			}
			path, ok = path[end+1:], true
		} else {
			path = strings.TrimPrefix(path, ".")
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			ok = end > 0 && s.enterMember(path[:end])
			path = path[end:]
		}
		if !ok {
			return at
		}
		at = s.Offset()
	}
	return at
}

// Find is the function Find for the text of s.
func (s *Scanner) Find(path string) int { return Find(s.data, path) }

// enterElement moves to element n of the array that comes next.
func (s *Scanner) enterElement(n int) bool {
	if s.Open('[') != nil {
		return false
	}
	for i := 0; ; i++ {
		more, err := s.More(']', i == 0)
		if err != nil || !more {
			return false
		}
		if i == n {
			return true
		}
		if s.Skip() != nil {
			return false
		}
	}
}

// enterMember moves to the value of a member of the object that comes next.
func (s *Scanner) enterMember(name string) bool {
	if s.Open('{') != nil {
		return false
	}
	for first := true; ; first = false {
		more, err := s.More('}', first)
		if err != nil || !more {
			return false
		}
		k, err := s.Key()
		if err != nil {
			return false
		}
		if k == name {
			return true
		}
		if s.Skip() != nil {
			return false
		}
	}
}

// PathAt returns the path of the innermost value that starts before offset and
// ends at or behind it, "" for the outermost. It is how an offset that
// encoding/json reports gets a name. It reads no further than that value.
func PathAt(data []byte, offset int) string {
	s := New(data)
	var path []byte
	for {
		switch s.Kind() {
		case Object, Array:
		default:
			return string(path)
		}
		open := s.data[s.pos]
		s.pos++
		var inside bool
		for i := 0; ; i++ {
			more, err := s.More(open+2, i == 0)
			if err != nil || !more {
				return string(path)
			}
			mark := len(path)
			if open == '{' {
				k, err := s.Key()
				if err != nil {
					return string(path)
				}
				if mark > 0 {
					path = append(path, '.')
				}
				path = append(path, k...)
			} else {
				path = append(path, '[')
				path = strconv.AppendInt(path, int64(i), 10)
				path = append(path, ']')
			}
			if s.Offset() >= offset {
				return string(path[:mark])
			}
			value := *s
			if s.Skip() != nil || s.pos >= offset {
				*s, inside = value, true
				break
			}
			path = path[:mark]
		}
		if !inside {
			return string(path)
		}
	}
}
