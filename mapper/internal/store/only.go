package store

import (
	"strings"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Picked returns the columns that the read returns, in their order.
func (r *Read) Picked() (columns []int) {
	t := r.Table
	for i := range t.Columns {
		switch {
		case r.Only == EveryColumn,
			r.Only == KeyColumns && (i < t.Key || i == t.Deleted),
			r.Only == StaticColumns && (i < t.Partition || t.Columns[i].Kind == projection.Static):
			columns = append(columns, i)
		}
	}
	return columns
}

// Pick returns the columns that the read returns, from a row with all columns.
func (r *Read) Pick(row cell.Row) cell.Row {
	columns := r.Picked()
	out := make(cell.Row, len(columns))
	for i, c := range columns {
		out[i] = row[c]
	}
	return out
}

// IsLive reports whether a row with the KeyColumns is one that readers see: neither a partition that has only static values nor a
// head row, which an index of a clustering column finds, nor a deleted root.
func (r *Read) IsLive(row cell.Row) bool {
	t := r.Table
	return row[t.Key-1] != nil && !t.IsHead(row) && (t.Deleted == 0 || !t.ShowsDeleted(row[t.Key]))
}

// picked returns the statement of a read of some columns.
func (r *Read) picked() string {
	var names []string
	for _, i := range r.Picked() {
		names = append(names, r.Table.Columns[i].CQL)
	}
	distinct := ""
	if r.Only == StaticColumns {
		distinct = "DISTINCT "
	}
	return "SELECT " + distinct + strings.Join(names, ", ") + " FROM " + r.Table.CQL() + r.Restrictions()
}
