package store

import (
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/aml/statement"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// Read is a query of the rows of one table, in the order of their clustering key.
type Read struct {
	Table       *plan.Table
	Key         cell.Row  // the values of the table's first columns; empty: every row of the table
	Low, Up     Bound     // the bounds of the next columns; they require a Key of at least the partition key
	Find        Find      // finds rows by an index, with an empty Key or the partition key
	Reverse     bool      // the reverse of the table's order
	Limit       int       // rows; 0: all
	Together    bool      // the last cell of the partition key in Key is a list: the rows of several partitions, at most Limit of each, in one page
	Written     bool      // the latest write times follow the columns
	Positioned  bool      // the last cell of each row is its Position
	Stamped     bool      // Positioned, and the stamps follow the columns, in the form for plan.Aggregate.Stamps and plan.Projection.Stamps
	Lasting     []int     // columns of one cell whose remaining TTLs follow the columns and write times; not with Stamped, or of one row at most
	Within      bool      // like Positioned, but rows have no Position, which costs a server less
	After       cell.Cell // Positioned or Within, without a Key: the Position after which the read begins; nil: at the beginning
	Until       cell.Cell // Positioned or Within, without a Key: the Position of the last partition that is read; nil: at the end
	First       bool      // Positioned or Within: only the first row of each partition
	Only        Only      // which columns; not with Written, Positioned, Stamped or Within
	Text        string    // the Statement, if it is known from another read of the same form; "": it is rendered
	Second      bool      // an equal read has been sent and has no answer: another node is asked, as far as possible
	PageSize    int       // rows; 0: the default of the driver; negative: all at once
	Consistency driver.Consistency
	Timeout     time.Duration // the longest wait for a page of Rows; 0: only the limit of the context
}

// Serial reports whether the read sees a conditional statement in flight.
func (r *Read) Serial() bool {
	return r.Consistency.IsSerial()
}

// Partitions returns the number of partitions whose keys the read has.
func (r *Read) Partitions() int {
	switch last := r.Table.Partition - 1; {
	case len(r.Key) <= last:
		return 0
	case r.Together:
		n, _ := cell.Count(r.Key[last], 1)
		return n
	}
	return 1
}

// Lookup is a Read of one row with the storage of the row and of its arguments, in one allocation.
type Lookup struct {
	Read
	args  [6]any
	into  [16]any
	cells [16]cell.Cell
}

// row returns a row and the destinations of its cells, for Scan. Most rows fit.
func (l *Lookup) row(of driver.Values) (cell.Row, []any) {
	n := l.Columns()
	row := cell.Row(l.cells[:min(n, len(l.cells))])
	if n > len(row) {
		row = make(cell.Row, n)
	}
	return row, values(of, l.into[:0], row)
}

// Find restricts a read by an index. A read of the nearest vectors has a Limit and returns them in the order of their distance.
type Find struct {
	Index *descriptor.Index // nil: no index
	Value cell.Cell
}

// Bound is one end of a range.
type Bound = plan.Bound

// Comparison describes on which side of a bound a value is.
type Comparison = plan.Comparison

// The comparisons.
const (
	Unbounded = plan.Unbounded
	AtLeast   = plan.AtLeast
	MoreThan  = plan.MoreThan
	AtMost    = plan.AtMost
	LessThan  = plan.LessThan
)

// Columns returns the number of cells of a row.
func (r *Read) Columns() int {
	if r.Only != EveryColumn {
		return len(r.Picked())
	}
	n := len(r.Table.Columns) + len(r.Lasting)
	n += r.functions() * r.Table.Times()
	if r.HasPosition() {
		n++
	}
	return n
}

// TTLs returns the remaining TTLs of the Lasting columns in a row that was read.
func (r *Read) TTLs(row cell.Row) cell.Row {
	at := len(r.Table.Columns) + r.functions()*r.Table.Times()
	return row[at : at+len(r.Lasting)]
}

// functions returns the number of results for each timed column that follow the columns.
func (r *Read) functions() int {
	switch {
	case r.Stamped:
		return 2
	case r.Written:
		return 1
	}
	return 0
}

// results returns the selectors that follow the columns, whose names are given.
func (r *Read) results(columns []string) (out []string) {
	if r.functions() == 0 {
		return r.remaining(columns)
	}
	for _, i := range r.Table.Timed() {
		name := columns[i]
		if r.Written && !r.Stamped {
			name = statement.Latest(name, r.Table.Columns[i].Cells == projection.Single)
		}
		out = append(out, name)
	}
	if r.Stamped {
		return statement.Stamps(out...)
	}
	return append(out, r.remaining(columns)...)
}

// remaining returns the selectors of the remaining TTLs.
func (r *Read) remaining(columns []string) (out []string) {
	for _, i := range r.Lasting {
		out = append(out, statement.TTL(columns[i]))
	}
	return out
}

// HasPosition reports whether the read is Positioned or Stamped.
func (r *Read) HasPosition() bool { return r.Positioned || r.Stamped }

// ByPosition reports whether the read can be limited by positions: by After and Until.
func (r *Read) ByPosition() bool { return r.HasPosition() || r.Within }

// Position returns the position of a row's partition in its table, from a row that has it: its token, a bigint. Partitions are
// read in the order of their positions; two partitions can have the same position.
func (r *Read) Position(row cell.Row) cell.Cell { return row[r.Columns()-1] }

// whole reports whether the read is of one row by its primary key, for which the table has a constant statement.
func (r *Read) whole() bool {
	return !r.Together && len(r.Key) == r.Table.Key && !r.Reverse && r.Limit == 0 && r.Find.Index == nil
}

// Statement returns the CQL. There are few different statements, and a driver prepares each once.
func (r *Read) Statement() string {
	switch {
	case r.Text != "":
		return r.Text
	case r.ByPosition():
		return r.positioned()
	case r.Written && r.whole() && r.Lasting == nil:
		return r.Table.Load
	case r.Written, r.Lasting != nil:
		return r.withFunctions()
	case r.Only != EveryColumn:
		return r.picked()
	case r.whole():
		return r.Table.Get
	}
	return r.Table.Select + r.Restrictions()
}

// withFunctions returns the statement of a read with write times or remaining TTLs.
func (r *Read) withFunctions() string {
	t := r.Table
	columns := make([]string, len(t.Columns))
	for i := range t.Columns {
		columns[i] = t.Columns[i].CQL
	}
	return "SELECT " + strings.Join(slices.Concat(columns, r.results(columns)), ", ") + " FROM " + t.CQL() + r.Restrictions()
}

// Restrictions returns the part after the table's name in the Statement of a read that is not ByPosition: the
// restrictions without their values, the order and the limit.
func (r *Read) Restrictions() string {
	var b strings.Builder
	b.Grow(64*len(r.Key) + 128)
	and := " WHERE "
	for i := range r.Key {
		comparison := " = ?"
		if r.Together && i == r.Table.Partition-1 {
			comparison = " IN ?"
		}
		and = restrict(&b, and, &r.Table.Columns[i], comparison)
	}
	and = r.bounds(&b, and)
	r.find(&b, and)
	switch {
	case r.Reverse:
		b.WriteString(r.Table.Reversed)
	case r.Together:
		b.WriteString(r.Table.Order())
	}
	b.WriteString(r.Table.PerPartition())
	if r.Together {
		b.WriteString(statement.PerPartitionLimit) // with LIMIT alone a server reads all rows, and sorts them
	}
	if r.Limit > 0 {
		b.WriteString(" LIMIT ?")
	}
	return b.String()
}

// bounds writes the restrictions of the columns after the Key.
func (r *Read) bounds(b *strings.Builder, and string) string {
	for _, end := range [...]Bound{r.Low, r.Up} {
		if end.Comparison != Unbounded {
			b.WriteString(and)
			b.WriteString(r.Table.Restriction(len(r.Key), end))
			and = " AND "
		}
	}
	return and
}

// positioned returns the statement of a read that is ByPosition. It returns partitions in the order of their tokens.
func (r *Read) positioned() string {
	t := r.Table
	columns := make([]string, len(t.Columns))
	for i := range t.Columns {
		columns[i] = t.Columns[i].CQL
	}
	token := descriptor.Column{CQL: statement.Token(columns[:t.Partition])}
	var b strings.Builder
	partition := 0
	if r.HasPosition() {
		partition = t.Partition
	}
	b.WriteString(statement.Positioned(t.CQL(), columns, partition, r.results(columns)...))
	and := " WHERE "
	for i := range r.Key {
		and = restrict(&b, and, &t.Columns[i], " = ?")
	}
	and = r.bounds(&b, and)
	if r.After != nil {
		and = restrict(&b, and, &token, " > ?")
	}
	if r.Until != nil {
		restrict(&b, and, &token, " <= ?")
	}
	if r.First {
		b.WriteString(statement.OnePerPartition)
		return b.String()
	}
	b.WriteString(r.Table.PerPartition())
	return b.String()
}

func (r *Read) positionedArgs() cell.Row {
	args := r.boundArgs(slices.Clone(r.Key))
	for _, position := range [...]cell.Cell{r.After, r.Until} {
		if position != nil {
			args = append(args, position)
		}
	}
	return args
}

// boundArgs appends the arguments of the bounds.
func (r *Read) boundArgs(args cell.Row) cell.Row {
	return append(append(args, r.Low.Values...), r.Up.Values...)
}

// find writes the restriction by an index.
func (r *Read) find(b *strings.Builder, and string) {
	if r.Find.Index == nil {
		return
	}
	column := &r.Table.Columns[r.Find.Index.Column]
	switch r.Find.Index.Read {
	case projection.Contains:
		restrict(b, and, column, " CONTAINS ?")
	case projection.Near:
		restrict(b, " ORDER BY ", column, " ANN OF ?")
	default:
		restrict(b, and, column, " = ?")
	}
}

func restrict(b *strings.Builder, and string, column *descriptor.Column, comparison string) string {
	b.WriteString(and)
	b.WriteString(column.CQL)
	b.WriteString(comparison)
	return " AND "
}

// Args returns the arguments of the Statement.
func (r *Read) Args() cell.Row {
	if r.ByPosition() {
		return r.positionedArgs()
	}
	if r.Low.Comparison == Unbounded && r.Up.Comparison == Unbounded && r.Limit == 0 && r.Find.Index == nil {
		return r.Key
	}
	args := append(make(cell.Row, 0, len(r.Key)+4), r.Key...)
	args = r.boundArgs(args)
	if r.Find.Index != nil {
		args = append(args, r.Find.Value)
	}
	limit := binary.BigEndian.AppendUint32(nil, uint32(min(r.Limit, 1<<31-1)))
	if r.Together {
		args = append(args, limit)
	}
	if r.Limit > 0 {
		args = append(args, limit)
	}
	return args
}

// Only describes which columns of a table a read returns.
type Only uint8

// Which columns a read returns.
const (
	EveryColumn   Only = iota
	KeyColumns         // the primary key and, if it has one, the column that is set in the row of a deleted root
	StaticColumns      // the partition key and the static columns, in one row, if the partition of Key has rows or static values
)
