package store

import (
	"slices"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// value passes a cell through gocql unchanged. Converting a pointer to it to an interface does not allocate.
type value cell.Cell

// MarshalCQL returns the bytes of the cell; nil is null.
func (v *value) MarshalCQL(gocql.TypeInfo) ([]byte, error) { return *v, nil }

// UnmarshalCQL sets v to the bytes of a column. They are a slice of the driver's frame, so the capacity is limited: otherwise it
// would include the next column.
func (v *value) UnmarshalCQL(_ gocql.TypeInfo, b []byte) error {
	*v = b[:len(b):len(b)]
	return nil
}

// values appends pointers to the cells of a row to the arguments of a statement.
func values(args []any, row cell.Row) []any {
	args = slices.Grow(args, len(row))
	for i := range row {
		args = append(args, (*value)(&row[i]))
	}
	return args
}

// destinations returns a row and pointers to its cells, for Scan.
func destinations(n int) (cell.Row, []any) {
	row := make(cell.Row, n)
	return row, values(nil, row)
}
