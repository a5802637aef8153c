package call

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

var (
	errUnstamped = errors.New("mapper.Options.Timestamp is not set: Import needs the time of the last change of the value")
	errStamped   = errors.New("mapper.Options.Timestamp is not supported where there are redundant tables or lists that are not frozen: use Import")
)

// Import writes v and its copies at mapper.Options.Timestamp, which the store must have. v is a value of another database, and
// the timestamp is the time of its last change there. Import reads the row first and does not change it if one of its cells was
// written at that time or later. Otherwise it writes the whole row, absent fields as null. It does not write static fields that
// have their zero value. If there are copies, it reads the row again after the write, and deletes the rows of copies that it
// wrote but that do not follow from the row, because the row was changed or deleted at a later time. written reports whether v
// was written and its row exists.
//
// An import can be repeated, and can run concurrently with writers of other stores. Import is not atomic: a Delete or an Update
// that reads the row before Import writes, and writes after Import has read it again, can leave rows of copies. So can a program
// that ends between the two. Two concurrent imports of one value at one timestamp double a list that is not frozen.
func (r Root) Import(ctx context.Context, v any) (written bool, err error) {
	ctx, end, err := r.BeginWrite(ctx, "Import")
	if err != nil {
		return false, err
	}
	defer end()
	if v == nil {
		return false, r.NilError("Import")
	}
	row, err := r.Encode(v)
	if err != nil {
		return false, err
	}
	if r.DB.at == 0 {
		return false, r.WrapError("Import", row, errUnstamped)
	}
	key := row[:r.Codec.Table.Key]
	if err := r.DB.CheckKey(r.Codec.Table, key); err != nil {
		return false, err
	}
	r.leaveStatics(row)
	c := &change{op: "Import", new: row, whole: true, imported: true, repeatable: true}
	there, at, err := r.present(ctx, c)
	if err != nil {
		return false, err
	}
	if c.new, err = r.FillCopied(ctx, c.op, there, row, v); err != nil {
		return false, err
	}
	if err := r.computeNew(c, v, r.violations(there, c.new, v)); err != nil {
		return false, err
	}
	if at >= r.DB.at { // an earlier attempt at this import can have left rows of copies
		return false, r.clear(ctx, c, there)
	}
	c.old = there
	if err := r.apply(ctx, c, v); err != nil || c.at == 0 {
		return false, err
	}
	if len(r.Aggregate.Copies) == 0 {
		return true, nil
	}
	now, _, err := r.present(ctx, c)
	if err != nil {
		return false, fmt.Errorf("mapper: the value was imported, but rows of its copies can be left if it has been deleted since; import it again: %w", err)
	}
	if err := r.clear(ctx, c, now); err != nil {
		return false, err
	}
	return now != nil, nil
}

// present reads the row of an import. It returns the row, nil if it does not exist, and the greatest timestamp of its cells
// that are not static.
func (r Root) present(ctx context.Context, c *change) (cell.Row, int64, error) {
	v, at, err := r.load(ctx, c.op, c.new[:r.Codec.Table.Key])
	if errors.Is(err, mapper.ErrNotFound) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	row, _, err := r.replacedRow(at.read, false, v)
	return row, at.own, err
}

// clear deletes the rows of copies that an import wrote and that do not follow from the current row. It deletes at the timestamp of
// the import, so later writes of these rows stay. Rows of other roots stay, too.
func (r Root) clear(ctx context.Context, c *change, now cell.Row) error {
	mutations, err := plan.PlanLeft(r.Aggregate, c.new, now)
	if err != nil {
		return wrapPlan(err, r.Codec.Table, c)
	}
	if mutations, err = r.resolveReleases(ctx, c, mutations); err != nil || len(mutations) == 0 {
		return err
	}
	return r.DB.write(ctx, c, r.Codec.Table, mutations)
}

// checkStamp refuses a write at the timestamp of the options by a method that does not compare it with the existing row.
func (r Root) checkStamp(op string, row cell.Row) error {
	list := func(c descriptor.Column) bool { return c.Cells == projection.List }
	if r.DB.broken != nil || r.DB.at == 0 || len(r.Aggregate.Copies) == 0 && !slices.ContainsFunc(r.Codec.Table.Columns, list) {
		return nil
	}
	return r.WrapError(op, row, errStamped)
}
