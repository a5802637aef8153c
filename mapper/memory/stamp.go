package memory

import (
	"encoding/binary"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// stamp sets the write times and remaining TTLs of column i, at places at and at+times of a Stamped row, as WRITETIME and TTL return them:
// lists for a column of several cells, with a null for each field of a UDT that is null.
func (q *query) stamp(out cell.Row, at, times, i int, cells []version) {
	t := q.Table
	written, left := &out[at], &out[at+times]
	switch {
	case len(cells) == 0:
	case t.Columns[i].Cells == projection.Single:
		*written, *left = cells[0].stamps(q.now)
	default:
		if t.Columns[i].Cells == projection.UDT {
			cells = everyField(cells, t.Columns[i].Fields)
		}
		*written, *left = cell.AppendCount(nil, len(cells)), cell.AppendCount(nil, len(cells))
		for k := range cells {
			w, l := cells[k].stamps(q.now)
			*written, *left = cell.AppendValue(*written, w), cell.AppendValue(*left, l)
		}
	}
}

// stamps returns the write time and the remaining TTL; a cell that does not exist has none.
func (v *version) stamps(now int64) (written, left cell.Cell) {
	if v.value == nil {
		return nil, nil
	}
	if n := v.left(now); n > 0 {
		left = binary.BigEndian.AppendUint32(nil, uint32(n))
	}
	return binary.BigEndian.AppendUint64(nil, uint64(v.at)), left
}

// everyField returns the cells of all fields of a UDT, including the fields that are null.
func everyField(cells []version, fields int) []version {
	out := make([]version, fields)
	for _, v := range cells {
		if k := int(binary.BigEndian.Uint16(v.path)); k < fields {
			out[k] = v
		}
	}
	return out
}
