package memory

import (
	"encoding/binary"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// stamp puts the write times of column i and what is left of its cells into a row that is read with them, as WRITETIME and
// TTL return them: of a column of several cells lists, of a UDT's with a null for each field that is null.
func (q *query) stamp(out cell.Row, i int, cells []version) {
	t := q.Table
	written, left := &out[len(t.Columns)+i-t.Key], &out[2*len(t.Columns)+i-2*t.Key]
	switch {
	case len(cells) == 0:
	case t.Columns[i].Cells == plan.Single:
		*written, *left = cells[0].stamps(q.now)
	default:
		if t.Columns[i].Cells == plan.UDT {
			cells = everyField(cells, t.Columns[i].Fields)
		}
		*written, *left = cell.AppendCount(nil, len(cells)), cell.AppendCount(nil, len(cells))
		for k := range cells {
			w, l := cells[k].stamps(q.now)
			*written, *left = cell.AppendValue(*written, w), cell.AppendValue(*left, l)
		}
	}
}

// stamps returns the write time and what is left; a cell that is not there has none.
func (v *version) stamps(now int64) (written, left cell.Cell) {
	if v.value == nil {
		return nil, nil
	}
	if n := v.left(now); n > 0 {
		left = binary.BigEndian.AppendUint32(nil, uint32(n))
	}
	return binary.BigEndian.AppendUint64(nil, uint64(v.at)), left
}

// everyField returns the cells of a UDT with those that are null between them.
func everyField(cells []version, fields int) []version {
	out := make([]version, fields)
	for _, v := range cells {
		if k := int(binary.BigEndian.Uint16(v.path)); k < fields {
			out[k] = v
		}
	}
	return out
}
