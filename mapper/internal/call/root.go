package call

import (
	"context"
	"errors"
	"fmt"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/rowname"
)

// Root writes the rows of a root and of its copies. Values are pointers to the struct of the table, or nil. The operations of a store that
// write are its methods, with the steps that they share (encode, check, compute, plan, send): therefore it has more than 25.
type Root struct {
	Reader
	Aggregate *plan.Aggregate
	parts     []Part // those with copies
}

// NewRoot returns the root of an aggregate, read by r. parts are its parts that have copies.
func NewRoot(r Reader, a *plan.Aggregate, parts ...Part) Root {
	return Root{r, r.DB.aggregate(a), parts}
}

// Insert writes v and its copies. The identifier must be new: if the row exists, its old cells and old copies stay. Static
// fields that have their zero value are not written. Only the values in v are written: a UDT gets the fields that this
// program knows.
func (r Root) Insert(ctx context.Context, v any) error {
	ctx, end, err := r.BeginWrite(ctx, "Insert")
	if err != nil {
		return err
	}
	defer end()
	c, err := r.newInsert("Insert", v)
	if err != nil {
		return err
	}
	if err := r.fillChange(ctx, c, v); err != nil {
		return err
	}
	return r.apply(ctx, c, v)
}

// newInsert returns the change that writes the row of v.
func (r Root) newInsert(op string, v any) (*change, error) {
	if v == nil {
		return nil, r.NilError(op)
	}
	row, err := r.Encode(v)
	if err != nil {
		return nil, err
	}
	if err := r.checkStamp(op, row); err != nil {
		return nil, err
	}
	r.leaveStatics(row)
	return &change{op: op, new: row, repeatable: true}, nil
}

// Change writes the differences between old and new, and the resulting changes of the copies, without reading.
// The identifier cannot change. Where old differs from new, old must equal the row in the table. Only the values in new are
// written: fields that a newer program has added to a UDT are lost where the UDT is written in one piece, in a collection or
// frozen. Update keeps them.
func (r Root) Change(ctx context.Context, old, new any) error {
	ctx, end, err := r.BeginWrite(ctx, "Change")
	if err != nil {
		return err
	}
	defer end()
	c, err := r.newChange(old, new)
	if err != nil {
		return err
	}
	if err := r.fillChange(ctx, c, new); err != nil {
		return err
	}
	return r.apply(ctx, c, new)
}

// newChange returns the change from old to new.
func (r Root) newChange(old, new any) (*change, error) {
	if old == nil || new == nil {
		return nil, r.NilError("Change")
	}
	before, err := r.Encode(old)
	if err != nil {
		return nil, err
	}
	r.Codec.ComputeBefore(before, old)
	after, err := r.Encode(new)
	if err != nil {
		return nil, err
	}
	if err := r.checkStamp("Change", after); err != nil {
		return nil, err
	}
	return &change{op: "Change", old: before, new: after, repeatable: true}, nil
}

// Put writes v, whether or not its row exists. If there are copies, it reads the row first, because rows of copies may have to
// be deleted or moved; if it finds no row, it writes the same as Insert. Without copies nothing is read, and absent values are
// written as null. Static fields that have their zero value are not written.
//
// Put is not atomic: a concurrent write of the same cell is lost.
func (r Root) Put(ctx context.Context, v any) error {
	ctx, end, err := r.BeginWrite(ctx, "Put")
	if err != nil {
		return err
	}
	defer end()
	c, err := r.newPut(v)
	if err != nil {
		return err
	}
	if len(r.Aggregate.Copies) > 0 {
		if err := r.readReplaced(ctx, c); err != nil {
			return err
		}
	}
	if err := r.fillChange(ctx, c, v); err != nil {
		return err
	}
	return r.apply(ctx, c, v)
}

// newPut returns the change that writes v over a row that was not read.
func (r Root) newPut(v any) (*change, error) {
	c, err := r.newInsert("Put", v)
	if err != nil {
		return nil, err
	}
	c.over = true
	return c, nil
}

// readReplaced reads the row of a Put and makes c a change of that row.
func (r Root) readReplaced(ctx context.Context, c *change) error {
	key := c.new[:r.Codec.Table.Key]
	if err := r.DB.CheckKey(r.Codec.Table, key); err != nil {
		return err
	}
	there, at, err := r.load(ctx, c.op, key)
	if errors.Is(err, mapper.ErrNotFound) {
		c.over = false // there are no cells that nulls would have to delete
		return nil
	}
	if err != nil {
		return err
	}
	if c.old, _, err = r.replacedRow(at.read, false, there); err != nil {
		return err
	}
	c.written, c.differs = at.written, true
	for i := range c.new {
		if i < len(r.Codec.Table.Columns) && r.Codec.Table.Columns[i].Kind == projection.Static && c.new[i] == nil {
			c.new[i] = c.old[i]
		}
	}
	return nil
}

// NilError returns the error of an operation that gets a nil pointer instead of a value.
func (r Root) NilError(op string) error {
	return fmt.Errorf("mapper: %s %s (%s): the value is a nil pointer", op, r.Codec.Table.Aggregate, r.Codec.Table.Name)
}

// Update reads the row with the given primary key, calls f with its value, and writes the changes that f made and the resulting
// changes of the copies. It returns the changed value. If f returns an error, Update returns it unchanged and writes nothing.
// Update returns mapper.ErrNotFound if there is no row.
//
// Fields that a newer program has added to a UDT are kept. An element of a collection keeps them while it has the same
// identity or, if it has none, while all its other fields stay the same.
//
// Update is not atomic: a concurrent Update of the same cell is lost.
func (r Root) Update(ctx context.Context, f func(any) error, key *cell.Encoder) (any, error) {
	ctx, end, err := r.BeginWrite(ctx, "Update")
	if err != nil {
		return nil, err
	}
	defer end()
	if f == nil {
		return nil, fmt.Errorf("mapper: Update %s (%s): the function is nil", r.Codec.Table.Aggregate, r.Codec.Table.Name)
	}
	args, err := r.DB.Key(r.Codec.Table, key)
	if err != nil {
		return nil, err
	}
	v, at, err := r.load(ctx, "Update", args)
	if err != nil {
		return nil, err
	}
	before, _, err := r.replacedRow(at.read, at.unknown, v)
	if err != nil {
		return nil, err
	}
	if err := f(v); err != nil {
		return nil, err
	}
	after, err := r.EncodeOver(at.rowToKeep(), v)
	if err != nil {
		return nil, err
	}
	c := &change{op: "Update", old: before, new: after, written: at.written}
	if err := r.fillChange(ctx, c, v); err != nil {
		return nil, err
	}
	if err := r.apply(ctx, c, v); err != nil {
		return nil, err
	}
	return v, nil
}

// Delete deletes the row with the given primary key and its copies, except those that it shares with other rows. It reads the
// row first unless the keys of copies start with its key or follow from it. Deleting a row that does not exist is not an error.
//
// It also deletes the parts of the root: those with copies first, one logged batch for each page, then the others with the root.
func (r Root) Delete(ctx context.Context, key *cell.Encoder) error {
	if err := r.deleteParts(ctx, key); err != nil {
		return err
	}
	ctx, end, err := r.BeginWrite(ctx, "Delete")
	if err != nil {
		return err
	}
	defer end()
	args, err := r.DB.Key(r.Codec.Table, key)
	if err != nil {
		return err
	}
	if r.Aggregate.DeletedByKey() {
		c, err := r.newDelete(args)
		if err != nil {
			return err
		}
		return r.apply(ctx, c, nil)
	}
	v, at, err := r.load(ctx, "Delete", args)
	if errors.Is(err, mapper.ErrNotFound) {
		return r.deleteOrphans(ctx, args)
	}
	if err != nil {
		return err
	}
	before, _, err := r.replacedRow(at.read, false, v)
	if err != nil {
		return err
	}
	return r.apply(ctx, &change{op: "Delete", old: before, written: at.written, repeatable: true}, nil)
}

// newDelete returns the change that deletes a row that was not read, and whose copies follow from its key. The key of a copy can derive from
// methods that read only the key: if one fails, no such row was written.
func (r Root) newDelete(key cell.Row) (*change, error) {
	row, methods := r.Aggregate.KeyRow(key)
	if methods {
		v, err := r.Decode(&cell.Decoder{}, row)
		if err != nil {
			return nil, err
		}
		_ = r.Codec.compute(new(cell.Encoder), row, v, r.Codec.Typed.ComputeKeyAny)
	}
	return &change{op: "Delete", old: row, repeatable: true}, nil
}

// Encode encodes v, without the results of methods. If v cannot be encoded, the error has all its faults.
func (r Root) Encode(v any) (cell.Row, error) { return r.EncodeOver(nil, v) }

// replacedRow returns the row with the value v that a write replaces, with the results of methods. failed reports whether a method failed.
func (r Root) replacedRow(read cell.Row, keep bool, v any) (row cell.Row, failed bool, err error) {
	return r.Codec.encodeBefore(r.DB.Schema, read, keep, v)
}

// EncodeOver encodes v, without the results of methods, and keeps the UDT fields of the read row that this program does not know.
func (r Root) EncodeOver(read cell.Row, v any) (cell.Row, error) {
	row, err := r.Codec.EncodeOver(r.DB.Schema, read, v)
	if err != nil {
		return nil, r.DB.ConstraintError(r.Codec.Table, row, r.Codec.Typed.CheckAny(v), err)
	}
	return row, nil
}

// reencodeColumns returns the value of a row that was read, and the row as the mapper writes it, without the results of methods.
func (r Root) reencodeColumns(d *cell.Decoder, read cell.Row) (v any, row cell.Row, err error) {
	if v, err = r.Decode(d, read); err != nil {
		return nil, nil, err
	}
	at := loaded{read: read, unknown: d.Unknown()}
	row, err = r.EncodeOver(at.rowToKeep(), v)
	return v, row, err
}

// Reencode returns a row that was read as the mapper writes it, with the results of methods.
func (r Root) Reencode(d *cell.Decoder, read cell.Row) (cell.Row, error) {
	v, row, err := r.reencodeColumns(d, read)
	if err != nil {
		return nil, err
	}
	return row, r.Compute(nil, row, v)
}

// Compute writes the results of the methods of v into its row. If a method fails, the error also has the rules that v violates.
func (r Reader) Compute(e *cell.Encoder, row cell.Row, v any) error {
	if err := r.Codec.Compute(e, row, v); err != nil {
		return r.DB.ConstraintError(r.Codec.Table, row, r.Codec.Typed.CheckAny(v), err)
	}
	return nil
}

// ReencodeBuffer is the storage of [Root.ReencodeValid], which a scan uses for all rows.
type ReencodeBuffer struct {
	d       cell.Decoder
	e       cell.Encoder
	cells   cell.Row
	results cell.Encoder
}

// ReencodeValid returns the result of Reencode for a row that satisfies the rules of the model; for any other row it returns a
// *mapper.ConstraintError without calling methods. If the mapper writes the row as it was read, the result shares the storage of read,
// which must not change later.
func (r Root) ReencodeValid(w *ReencodeBuffer, read cell.Row) (cell.Row, error) {
	v, row, err := r.reencodeInto(w, read)
	if err != nil {
		return nil, err
	}
	if err := r.DB.ConstraintError(r.Codec.Table, row, r.Codec.Typed.CheckAny(v), nil); err != nil {
		return nil, err
	}
	w.results.Reset()
	if err := r.Compute(&w.results, row, v); err != nil {
		return nil, err
	}
	n := len(r.Codec.Table.Columns)
	copy(row[n:], plan.CloneRow(row[n:])) // the next row uses the storage of the results
	return row, nil
}

// reencodeInto is like reencodeColumns, with the storage of w. The columns of the row have storage of their own or share the storage of read.
func (r Root) reencodeInto(w *ReencodeBuffer, read cell.Row) (v any, row cell.Row, err error) {
	if v, err = r.Decode(&w.d, read); err != nil {
		return nil, nil, err
	}
	if w.d.Unknown() {
		row, err = r.EncodeOver(read, v)
		return v, row, err
	}
	t := r.Codec.Table
	w.e.Reset()
	r.Codec.Typed.EncodeAny(&w.e, v)
	row, err = t.Row(&w.e, w.cells[:0])
	if err != nil {
		row, err = r.Encode(v) // the error has the key and all faults
		return v, row, err
	}
	w.cells = row
	n := len(t.Columns)
	if !plan.SameKey(row, read, n-t.Hidden) {
		return v, plan.CloneRow(row), nil
	}
	return v, append(read[:n:n], make(cell.Row, len(t.Computed))...), nil
}

// apply checks the new value, plans the write and sends it.
func (r Root) apply(ctx context.Context, c *change, v any) error {
	mutations, err := r.plan(c, v)
	if err == nil && len(mutations) == 0 {
		mutations, err = r.planRepeat(c, v)
	}
	if err != nil || len(mutations) == 0 {
		return err
	}
	if mutations, err = r.resolveReleases(ctx, c, mutations); err != nil {
		return err
	}
	return r.DB.write(ctx, c, r.Codec.Table, mutations)
}

// planRepeat returns the mutations of a Put that finds the row as it would write it. A large write can have ended after the row
// of the root and before the copies, so all its rows are written again. Their size does not matter: the write that has ended can
// have removed values that are not in the row any more.
func (r Root) planRepeat(c *change, v any) ([]plan.Mutation, error) {
	if c.op != "Put" || !r.Codec.Table.Large {
		return nil, nil
	}
	whole := *c
	whole.whole = true
	mutations, err := r.plan(&whole, v)
	return r.divisible(&whole, mutations), err
}

// divisible returns the mutations of a write that can be several requests, and none for a write that is always one.
func (r Root) divisible(c *change, mutations []plan.Mutation) []plan.Mutation {
	logged, _ := splitUnlogged(mutations)
	if b := newBatch(*c, r.Codec.Table, logged); !b.spread {
		return nil
	}
	return mutations
}

// plan checks the new value, nil for none, calls its methods, and plans the write. The methods of a value that violates rules are not
// called.
func (r Root) plan(c *change, v any) ([]plan.Mutation, error) {
	var broken []mapper.Violation
	if v != nil {
		broken = r.violations(c.old, c.new, v)
		if c.op != "Update" && c.op != "Change" {
			broken = append(broken, PlanFaults(r.Codec.Table.Unidentified(c.new))...)
		}
		if err := r.computeNew(c, v, broken); err != nil {
			return nil, err
		}
	}
	mutations, err := plan.Plan(r.Aggregate, plan.Change{Old: c.old, New: c.new, TTL: r.DB.ttl, Upsert: c.over, Whole: c.whole})
	if err = r.DB.ConstraintError(r.Codec.Table, c.row(), broken, err); err != nil {
		return nil, wrapPlan(err, r.Codec.Table, c)
	}
	if err := r.checkExpiry(mutations); err != nil {
		return nil, r.WrapError(c.op, c.row(), err)
	}
	return mutations, nil
}

// violations returns the rules that the value v violates, whose row replaces old.
func (r Root) violations(old, row cell.Row, v any) []mapper.Violation {
	return append(r.Codec.Typed.CheckAny(v), PlanFaults(r.Codec.Table.Broken(old, row))...)
}

// computeNew adds the results of the methods of v to the new row of a change. It returns an error if v violates rules and has methods.
func (r Root) computeNew(c *change, v any, broken []mapper.Violation) error {
	if len(r.Codec.Table.Computed) == 0 || c.computed {
		return nil
	}
	if err := r.DB.ConstraintError(r.Codec.Table, c.new, broken, nil); err != nil {
		return err
	}
	c.computed = true
	return r.Compute(nil, c.new, v)
}

// PlanFaults returns the faults of a plan for the caller.
func PlanFaults(in []plan.Fault) (out []mapper.Violation) {
	for _, f := range in {
		out = append(out, mapper.Violation{Path: f.Path, Problem: f.Problem})
	}
	return out
}

// checkExpiry refuses to write rows of shared copies and static values with the TTL of the options, because other rows that do not
// expire need them.
func (r Root) checkExpiry(mutations []plan.Mutation) error {
	if r.DB.ttl == 0 {
		return nil
	}
	for i := range mutations {
		m := &mutations[i]
		if p := r.Aggregate.CopyTo(m.Table); p != nil && p.Shared {
			return fmt.Errorf("mapper.Options.TTL would make a row of %s (%s) expire, which is shared with other rows of %s", m.Table.Aggregate, m.Table.Name, r.Codec.Table.Name)
		}
		for k := m.Table.Key; m.Action == plan.Put && k < len(m.Table.Columns); k++ {
			if column := &m.Table.Columns[k]; column.Kind == projection.Static && m.Write.Has(k) && *m.Cell(k) != nil {
				return fmt.Errorf("mapper.Options.TTL would make %s.%s expire, which is static: it belongs to all rows of the partition", m.Table.Aggregate, column.Field)
			}
		}
	}
	return nil
}

// wrapPlan adds the operation and the aggregate to an error of planning.
func wrapPlan(err error, t *plan.Table, c *change) error {
	if _, ok := err.(*mapper.ConstraintError); ok {
		return err
	}
	if errors.Is(err, plan.ErrKeyChanged) {
		err = mapper.ErrKeyChanged
	}
	return fmt.Errorf("mapper: %s %s: %w", c.op, rowname.Format(t.Aggregate, t.Name, t.KeyText(c.old)), err)
}

// leaveStatics makes static columns that have their zero value absent: they belong to the partition, and other rows of the
// partition may have set them.
func (r Root) leaveStatics(row cell.Row) {
	if r.Codec.zero == nil {
		return
	}
	zero := r.Codec.zero()
	for i := range r.Codec.Table.Columns {
		if r.Codec.Table.Columns[i].Kind == projection.Static && (row[i] == nil) == (zero[i] == nil) && string(row[i]) == string(zero[i]) {
			row[i] = nil
		}
	}
}

// Part returns the part of a versioned root that has copies.
func (r Root) Part() Part { return r.parts[0] }

// Part is a part of a root that has copies. Its rows are in the partition of the root.
type Part struct {
	Codec     *Codec
	Aggregate *plan.Aggregate
}
