package plan

import (
	"strings"

	"github.com/cassaml/cassaml/aml/projection"
)

// slots returns the number of values of a Fill or a FillStatic: one for every column of a kind, one for every field of a UDT
// that is not frozen.
func (t *Table) slots(kind projection.Kind) (n int) {
	for i := t.Key; i < len(t.Columns); i++ {
		if t.Columns[i].Kind == kind {
			n += t.Columns[i].Cell().Units()
		}
	}
	return n
}

// fill returns the statement of a Fill or a FillStatic: "UPDATE t USING TIMESTAMP ? AND TTL ? SET a = ?, tags = tags + ?,
// owner.name = ? WHERE …". It is an UPDATE because an INSERT would also write the row marker.
func (m *Mutation) fill() string {
	kind := projection.Regular
	if m.Action == FillStatic {
		kind = projection.Static
	}
	t, at := m.Table, 0
	var set []string
	for i := t.Key; i < len(t.Columns); i++ {
		c := &t.Columns[i]
		if c.Kind != kind {
			continue
		}
		units := c.Cell().Units()
		if c.Assign == nil {
			set = append(set, t.assignment(i))
		} else if fields := assignFields(c, m.Values[at:at+units], func(k int) bool { return m.Values[at+k] != nil }); len(fields.texts) > 0 {
			set = append(set, strings.Join(fields.texts, ", "))
		}
		at += units
	}
	return "UPDATE " + t.CQL() + " USING TIMESTAMP ? AND TTL ? SET " + strings.Join(set, ", ") + t.where(m.KeyColumns())
}

// assignment returns the part for a column, with the fields of a UDT in the order of the column's Update.
func (t *Table) assignment(i int) string {
	switch c := &t.Columns[i]; c.Cells {
	case projection.UDT:
		key := t.Key
		if c.Kind == projection.Static {
			key = t.Partition
		}
		return strings.TrimSuffix(strings.TrimPrefix(c.Update, "UPDATE "+t.CQL()+" USING TIMESTAMP ? AND TTL ? SET "), t.where(key))
	case projection.Set, projection.Map:
		return c.CQL + " = " + c.CQL + " + ?"
	default:
		return c.CQL + " = ?"
	}
}

// where returns the condition on the first columns of the key.
func (t *Table) where(columns int) string {
	var b strings.Builder
	word := " WHERE "
	for i := range columns {
		b.WriteString(word + t.Columns[i].CQL + " = ?")
		word = " AND "
	}
	return b.String()
}

// CQL returns the name of the table as in a statement.
func (t *Table) CQL() string {
	_, name, _ := strings.Cut(t.Select, " FROM ")
	return name
}
