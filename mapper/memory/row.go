package memory

import (
	"slices"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// row is a row, or the static row of a partition. It has the winning write of each cell.
type row struct {
	clustering cell.Row
	marker     written // marker of the last INSERT: it keeps a row without values
	deleted    int64   // everything up to this timestamp
	columns    []column
}

// column has the cells of one column.
type column struct {
	deleted int64     // everything up to this timestamp; only for a column of several cells
	cells   []version // sorted by their paths
}

func newRow(clustering cell.Row) *row {
	return &row{clustering: clustering, marker: written{at: never}, deleted: never}
}

// column returns the column with an index, which may be new.
func (r *row) column(i int) *column {
	for len(r.columns) <= i {
		r.columns = append(r.columns, column{deleted: never})
	}
	return &r.columns[i]
}

// cells returns the cells of the column with an index.
func (r *row) cells(i int) column {
	if i < len(r.columns) {
		return r.columns[i]
	}
	return column{deleted: never}
}

// write merges a write into the column.
func (c *column) write(v version, path *cell.Form) {
	i, found := slices.BinarySearchFunc(c.cells, v.path, func(o version, p cell.Cell) int { return path.Compare(o.path, p) })
	switch {
	case !found:
		c.cells = slices.Insert(c.cells, i, v)
	case v.beats(&c.cells[i]):
		c.cells[i] = v
	}
}

// live returns the cells that can be read at now, if everything up to deleted has been deleted.
func (c column) live(deleted, now int64) []version {
	deleted = max(deleted, c.deleted)
	var out []version
	for _, v := range c.cells {
		if v.value != nil && v.written.live(deleted, now) {
			out = append(out, v)
		}
	}
	return out
}

// exists reports whether the row can be read: it has its marker, or a value.
func (r *row) exists(deleted, now int64) bool {
	deleted = max(deleted, r.deleted)
	return r.marker.live(deleted, now) || r.hasValue(deleted, now)
}

func (r *row) hasValue(deleted, now int64) bool {
	return slices.ContainsFunc(r.columns, func(c column) bool { return len(c.live(deleted, now)) > 0 })
}
