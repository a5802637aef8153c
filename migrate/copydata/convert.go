package copydata

import (
	"fmt"
	"reflect"
	"runtime/debug"

	"github.com/gocql/gocql"
)

// Conversion makes the value of a column from that of another. [Convert] makes one of a function.
type Conversion func(info gocql.TypeInfo, value []byte) (any, error)

// Convert calls a function for each value that is not null, with it as gocql reads it into an A. What it gives is written as
// gocql writes a B, at the write time of what it was given; its error, or panic, ends the copy. A nil pointer, slice or map is
// no value: nothing is written then. Of one value it has to make the same each
// time, or a second run, and one that goes on after a crash, writes something else: in a key, another row.
func Convert[A, B any](f func(A) (B, error)) Conversion {
	return func(info gocql.TypeInfo, value []byte) (made any, err error) {
		var a A
		if err := gocql.Unmarshal(info, value, &a); err != nil {
			return nil, err
		}
		defer func() { // it runs beside the caller, whom a panic would not reach
			if p := recover(); p != nil {
				made, err = nil, fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
		}()
		b, err := f(a)
		if err != nil || isNil(reflect.ValueOf(b)) {
			return nil, err
		}
		return b, nil
	}
}

func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return v.IsNil()
	case reflect.Invalid: // an interface that holds nothing
		return true
	}
	return false
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
