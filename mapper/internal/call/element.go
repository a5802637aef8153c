package call

import (
	"context"
	"errors"
	"slices"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// Element is the operation of a method on the elements of a column.
type Element uint8

// The operations on elements. The generator uses each for the columns for which package schema allows it.
const (
	Add     Element = iota // adds the elements of a set, or the entries of a map, and their rows to the copies
	Remove                 // removes them; the values of entries can be null. Removing an element that does not exist is not an error
	Append                 // adds elements at the end of a list. It is sent once: an attempt of unknown outcome is not repeated
	Prepend                // adds elements at the beginning of a list, as Append does
)

// name returns the name of the operation in errors and for tracers.
func (e Element) name(c *descriptor.Column) string {
	if e == Add && c.Cells == projection.Map {
		return "Put"
	}
	return [...]string{"Add", "Remove", "Append", "Prepend"}[e]
}

// WriteElement changes the elements of a column of a row without reading the row. values contains the primary key (for a static
// column the partition key) and the elements. broken contains the rules of the model that they violate. If the row does not
// exist, added elements create cells of a row with the key, as CQL does.
func (r Root) WriteElement(ctx context.Context, e Element, values *cell.Encoder, name string, broken []mapper.Violation) error {
	w := elementWrite{r, e}
	err := r.carryOut(ctx, w.op(name), func() (*change, []plan.Mutation, error) { return w.planUnread(values, name, broken) })
	return InOperation(w.op(name), err, nil)
}

// elementWrite is a change of the elements of a column of a root.
type elementWrite struct {
	Root
	element Element
}

// planUnread plans a change of elements without a read.
func (w elementWrite) planUnread(values *cell.Encoder, name string, broken []mapper.Violation) (*change, []plan.Mutation, error) {
	g, c, err := w.decode(values, name, broken)
	if err != nil {
		return nil, nil, err
	}
	mutations, err := w.planGiven(&g)
	return c, mutations, w.DB.ConstraintError(w.Codec.Table, g.key, broken, err)
}

// decode returns the elements that a call changes, and the change.
func (w elementWrite) decode(values *cell.Encoder, name string, broken []mapper.Violation) (given, *change, error) {
	op := w.op(name)
	g, err := w.given(op, values, name, broken)
	if err != nil {
		return g, nil, err
	}
	g.normalize()
	once := w.element >= Append
	return g, &change{op: op, new: g.key, repeatable: !once, once: once}, nil
}

// op returns the name of the operation on a column.
func (w elementWrite) op(name string) string {
	if i := w.column(name); i >= 0 {
		return w.element.name(&w.Codec.Table.Columns[i])
	}
	return w.element.name(&descriptor.Column{})
}

// column returns the number of a column, or -1.
func (w elementWrite) column(name string) int {
	if w.Codec == nil {
		return -1
	}
	return w.Codec.Table.ColumnIndex(name)
}

// planGiven plans a change of elements from the key and the elements alone. For a set or a map it is the difference between two
// rows that contain only these, because the change adds or removes the same cells for every row with the key.
func (w elementWrite) planGiven(g *given) ([]plan.Mutation, error) {
	switch {
	case w.element >= Append:
		return plan.PlanExtend(w.Aggregate, g.row(g.value), g.column, w.element == Prepend)
	case g.table.Columns[g.column].Kind == projection.Static:
		return plan.PlanElements(w.Aggregate, g.row(g.value), g.column, w.element == Remove)
	case w.element == Remove:
		return plan.Plan(w.Aggregate, g.change(g.value, nil))
	}
	return plan.Plan(w.Aggregate, g.change(nil, g.value))
}

// ChangeElement changes the elements of a column of a row after a read of the row, because a rule of the model or a copy needs
// more than the key and the elements. If the row does not exist, it is like [Root.WriteElement]. It refuses a change after which
// the row violates a rule that it did not violate before. If the column has the elements already, or does not have those to
// remove, nothing is written, except for a large root: an earlier call can have ended after the row of the root.
//
// ChangeElement is not atomic: it ignores a write between its read and its write.
func (r Root) ChangeElement(ctx context.Context, e Element, values *cell.Encoder, name string) error {
	w := elementWrite{r, e}
	return InOperation(w.op(name), w.change(ctx, values, name), nil)
}

// change is [Root.ChangeElement].
func (w elementWrite) change(ctx context.Context, values *cell.Encoder, name string) error {
	r, e := w.Root, w.element
	ctx, end, err := r.BeginWrite(ctx, w.op(name))
	if err != nil {
		return err
	}
	defer end()
	g, c, err := w.decode(values, name, nil)
	if err != nil {
		return err
	}
	was, err := w.read(ctx, &g, c)
	if err != nil {
		return err
	}
	c.differs = was.exists
	var mutations []plan.Mutation
	if row := g.changed(e, was.row); equalCells(row[g.column], was.row[g.column]) {
		mutations, err = w.planUnfinished(c, &g, was)
	} else {
		mutations, err = w.planChanged(&g, was, row)
	}
	if err != nil || len(mutations) == 0 {
		return err
	}
	if mutations, err = r.resolveReleases(ctx, c, mutations); err != nil {
		return err
	}
	return r.DB.write(ctx, c, r.Codec.Table, mutations)
}

// planUnfinished returns the mutations of a call that finds the elements as it would write them: see [Root.planRepeat].
func (w elementWrite) planUnfinished(c *change, g *given, was *known) ([]plan.Mutation, error) {
	if !g.table.Large || !was.exists || c.once {
		return nil, nil
	}
	mutations, err := plan.Plan(w.Aggregate, plan.Change{Old: was.row, New: was.row, Whole: true})
	return w.divisible(c, mutations), w.DB.ConstraintError(g.table, g.key, nil, err)
}

// known is the known state of a row before a change of its elements.
type known struct {
	row    cell.Row // the row as the mapper writes it; only the key if the row does not exist
	exists bool
	failed bool               // a method has failed
	broken []mapper.Violation // the rules that it violates
}

// read reads the row of a change, and records its latest write time, after which the timestamp of the change must be.
func (w elementWrite) read(ctx context.Context, g *given, c *change) (*known, error) {
	v, at, err := w.load(ctx, c.op, g.key)
	if errors.Is(err, mapper.ErrNotFound) {
		row := g.row(nil)
		v, err = w.Decode(&cell.Decoder{}, row)
		return &known{row: row, broken: w.Codec.Typed.CheckAny(v)}, err
	}
	if err != nil {
		return nil, err
	}
	c.written = at.written
	row, failed, err := w.replacedRow(at.read, at.unknown, v)
	return &known{row, true, failed, w.Codec.Typed.CheckAny(v)}, err
}

// changed returns a row with the elements changed.
func (g *given) changed(e Element, row cell.Row) cell.Row {
	out, was := slices.Clone(row), row[g.column]
	switch e {
	case Remove:
		out[g.column] = g.table.Subtract(g.column, was, g.value)
	case Prepend:
		out[g.column] = g.table.With(g.column, g.value, was)
	default:
		out[g.column] = g.table.With(g.column, was, g.value)
	}
	return out
}

// planChanged checks a row with changed elements, and plans the write. A method may fail if it has failed for the row before the change.
func (w elementWrite) planChanged(g *given, was *known, row cell.Row) ([]plan.Mutation, error) {
	v, now, err := w.reencodeColumns(&cell.Decoder{}, row[:len(g.table.Columns)])
	if err != nil {
		return nil, err
	}
	broken := slices.DeleteFunc(w.Codec.Typed.CheckAny(v), func(f mapper.Violation) bool { return slices.Contains(was.broken, f) })
	if !was.exists || w.element >= Append {
		mutations, err := w.planGiven(g)
		return mutations, w.DB.ConstraintError(w.Codec.Table, g.key, broken, err)
	}
	failed := w.computeNew(&change{new: now}, v, broken)
	if failed != nil && (len(broken) > 0 || !was.failed) {
		return nil, failed
	}
	mutations, err := plan.Plan(w.Aggregate, plan.Change{Old: was.row, New: now, Failed: failed != nil})
	return mutations, w.DB.ConstraintError(w.Codec.Table, g.key, broken, err)
}
