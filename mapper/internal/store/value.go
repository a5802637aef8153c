package store

import (
	"slices"

	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// values appends the cells of a row to the arguments of a statement, or to the destinations of a scan.
func values(of driver.Values, args []any, row cell.Row) []any {
	args = slices.Grow(args, len(row))
	for i := range row {
		args = append(args, of.Value((*[]byte)(&row[i])))
	}
	return args
}

// destinations returns a row and the destinations of its cells, for Scan.
func destinations(of driver.Values, n int) (cell.Row, []any) {
	row := make(cell.Row, n)
	return row, values(of, nil, row)
}
