package plan

import "github.com/cassaml/cassaml/mapper/internal/cell"

// Unidentified returns a fault for each column of the partition key that is the zero UUID. It is the value of a field that has not been
// set: all values without an identifier would be one row.
func (t *Table) Unidentified(row cell.Row) (out []Fault) {
	for i := range t.Partition {
		if c := &t.Columns[i]; (c.Type == "uuid" || c.Type == "timeuuid") && string(row[i]) == zeroUUID {
			out = append(out, Fault{Table: t, Path: c.Field, Problem: "is the zero UUID: set it, because all values without an identifier would be one row"})
		}
	}
	return out
}

var zeroUUID = string(make([]byte, 16))
