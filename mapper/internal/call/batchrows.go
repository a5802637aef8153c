package call

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/rowname"
)

// batchRows are the rows that the writes of a batch write. All of them have the same timestamp, at which two values of one cell would
// be mixed, and a delete would win.
type batchRows struct {
	writes  []planned
	roots   map[string]int         // the write of each root
	rows    map[string]batchRow    // keys: the primary keys
	statics map[string]batchStatic // keys: partition and column
	deleted map[string]int         // the write that deletes the rows whose key begins so
}

// batchRow is a row and the write that writes it.
type batchRow struct {
	write    int
	mutation plan.Mutation
}

// batchStatic is the value of a static column and the write that writes it.
type batchStatic struct {
	write int
	value cell.Cell
}

func newBatchRows(writes []planned) *batchRows {
	s := &batchRows{writes, map[string]int{}, map[string]batchRow{}, map[string]batchStatic{}, map[string]int{}}
	for i := range writes {
		for _, m := range writes[i].mutations {
			if m.Action == plan.Delete && m.Back == 0 {
				s.deleted[mutationKey(&m, m.KeyColumns())] = i
			}
		}
	}
	return s
}

// add adds the rows of a write. It returns the first conflict with an earlier write, or with the deletion of a later one. A row of a
// shared copy that an earlier write writes in the same way is omitted.
func (s *batchRows) add(i int) (found *batchConflict) {
	w := &s.writes[i]
	root := rootKey(w)
	if other, ok := s.roots[root]; ok {
		return &batchConflict{write: i, other: other}
	}
	s.roots[root] = i
	w.mutations = slices.DeleteFunc(w.mutations, func(m plan.Mutation) bool {
		if found != nil || m.Action == plan.Delete || m.Action == plan.Release {
			return false
		}
		x, repeated := s.addRow(i, &m)
		found = cmp.Or(x, s.deletes(i, &m), s.addStatics(i, &m))
		return repeated
	})
	return found
}

// addRow adds the row of a mutation. repeated reports whether it is a row of a shared copy that an earlier write writes in the same way.
func (s *batchRows) addRow(i int, m *plan.Mutation) (x *batchConflict, repeated bool) {
	if m.KeyColumns() < m.Table.Key || m.Action == plan.PutStatic {
		return nil, false
	}
	key := mutationKey(m, m.Table.Key)
	there, ok := s.rows[key]
	switch {
	case !ok:
		s.rows[key] = batchRow{i, *m}
	case there.write == i:
	case s.shares(i, m) && equalWrites(m, &there.mutation):
		return nil, true
	default:
		return &batchConflict{i, there.write, m, m.Table.Key, "writes the same row of"}, false
	}
	return nil, false
}

// shares reports whether a mutation is of a copy whose rows belong to all roots.
func (s *batchRows) shares(i int, m *plan.Mutation) bool {
	p := s.writes[i].root.Aggregate.CopyTo(m.Table)
	return p != nil && p.Shared
}

// equalWrites reports whether two mutations insert the same row with the same columns.
func equalWrites(m, o *plan.Mutation) bool {
	if m.Action != plan.Put || o.Action != plan.Put || m.Write != o.Write || m.TTL != o.TTL {
		return false
	}
	for i := m.Table.Key; i < len(m.Table.Columns); i++ {
		if m.Write.Has(i) && !equalCells(*m.Cell(i), *o.Cell(i)) {
			return false
		}
	}
	return true
}

func equalCells(a, b cell.Cell) bool { return plan.SameKey(cell.Row{a}, cell.Row{b}, 1) }

// deletes returns the conflict of a mutation with another write that deletes its row.
func (s *batchRows) deletes(i int, m *plan.Mutation) *batchConflict {
	for n := m.Table.Partition; n <= m.KeyColumns(); n++ {
		if other, ok := s.deleted[mutationKey(m, n)]; ok && other != i {
			return &batchConflict{max(i, other), min(i, other), m, m.KeyColumns(), "writes or deletes the same row of"}
		}
	}
	return nil
}

// addStatics adds the static columns of a mutation.
func (s *batchRows) addStatics(i int, m *plan.Mutation) *batchConflict {
	for k := m.Table.Key; k < len(m.Table.Columns); k++ {
		column := &m.Table.Columns[k]
		if column.Kind != projection.Static || !writesColumn(m, k) {
			continue
		}
		key := mutationKey(m, m.Table.Partition) + column.Name
		there, ok := s.statics[key]
		whole := m.Action != plan.Update && column.Cells != projection.List
		if ok && there.write != i && (!whole || !equalCells(there.value, *m.Cell(k))) {
			return &batchConflict{i, there.write, m, m.Table.Partition, "writes another value of the static column " + column.Name + " of"}
		}
		s.statics[key] = batchStatic{i, *m.Cell(k)}
	}
	return nil
}

// writesColumn reports whether a mutation writes a column or a part of it.
func writesColumn(m *plan.Mutation, column int) bool {
	if m.Action == plan.Update {
		return int(m.Column) == column
	}
	return m.Write.Has(column)
}

// replaces reports whether a mutation of a write deletes a row of a copy that another write inserts: a row that moves from one root to
// another.
func (s *batchRows) replaces(i int, m *plan.Mutation) bool {
	if m.Action != plan.Delete || m.KeyColumns() < m.Table.Key {
		return false
	}
	there, ok := s.rows[mutationKey(m, m.Table.Key)]
	return ok && there.write != i && there.mutation.Action == plan.Put && there.mutation.Write.Len() == len(m.Table.Columns)-m.Table.Key
}

// rootKey returns the key of a write in a map: its table and the cells of its key.
func rootKey(w *planned) string {
	t := w.root.Codec.Table
	row := w.row()
	return mutationKey(&plan.Mutation{Table: t, Row: row}, min(t.Key, len(row))) + fmt.Sprint(t.Key)
}

// mutationKey returns the table and the first n cells of the key of a mutation, as a key of a map.
func mutationKey(m *plan.Mutation, n int) string {
	key := append([]byte(m.Table.Name), 0)
	for i := range n {
		key = cell.AppendValue(key, *m.Cell(i))
	}
	return string(key)
}

// batchConflict is a row that two writes of a batch write.
type batchConflict struct {
	write, other int            // the later one and the earlier one
	mutation     *plan.Mutation // changes the row; nil: the roots are the same
	key          int            // the number of columns that the writes have in common
	what         string         // writes the same row of
}

// error returns an error that names both writes.
func (x *batchConflict) error(writes []planned) error {
	w, other := &writes[x.write], &writes[x.other]
	what := "another write of the batch, " + other.op + ", writes the same row: use one write"
	if m := x.mutation; m != nil {
		key := make(cell.Row, x.key)
		for i := range key {
			key[i] = *m.Cell(i)
		}
		what = fmt.Sprintf("another write of the batch, %s %s, %s %s: %s", other.op, other.name(), x.what, m.Table.Name, m.Table.KeyText(key))
	}
	return fmt.Errorf("mapper: %s %s: %s", w.op, w.name(), what)
}

// name returns the name of the aggregate and its key.
func (w *planned) name() string {
	t := w.root.Codec.Table
	return rowname.Format(t.Aggregate, t.Name, t.KeyText(w.row()))
}

// planned is a write of a batch.
type planned struct {
	change
	root      Root
	mutations []plan.Mutation
}
