package carry

import (
	"fmt"

	"github.com/gocql/gocql"
)

// Conversion makes the value of a column from that of another. [Convert] makes one of a function.
type Conversion func(info gocql.TypeInfo, value []byte) (any, error)

// Convert calls a function for each value that is not null, with it as gocql reads it into an A. What it gives is written as
// gocql writes a B, at the write time of what it was given; its error ends the copy. Of one value it has to make the same each
// time, or a second run, and one that goes on after a crash, writes something else: in a key, another row.
func Convert[A, B any](f func(A) (B, error)) Conversion {
	return func(info gocql.TypeInfo, value []byte) (any, error) {
		var a A
		if err := gocql.Unmarshal(info, value, &a); err != nil {
			return nil, err
		}
		return f(a)
	}
}

// converted is the value that a column is to have; nil is null.
func (c column) converted(x cells) (any, error) {
	if x.value == nil {
		return nil, nil
	}
	if c.convert == nil {
		return x.value, nil
	}
	v, err := c.convert(x.info, x.value)
	if err != nil {
		return nil, fmt.Errorf("column %s: %w", c.from.Name, err)
	}
	return v, nil
}
