package call

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// CopiedTargets are the rows of other roots that a call has read to copy fields of them, which never change. The keys are their tables and keys.
type CopiedTargets map[string]cell.Row

// maxTargets is the number of rows that InsertAll remembers.
const maxTargets = 1000

// FillCopied returns a row, which replaces old or is new, with the fields that are copies of fields of other roots, and sets them in its value v. It
// reads the target of each reference that old does not have, or whose copies have no value yet. If a target does not exist, it returns a
// *mapper.ConstraintError.
func (r Root) FillCopied(ctx context.Context, op string, old, row cell.Row, v any) (cell.Row, error) {
	return r.fillCopied(ctx, op, old, row, v, CopiedTargets{})
}

// fillChange fills the copied fields of the new row of a change, whose value is v.
func (r Root) fillChange(ctx context.Context, c *change, v any) (err error) {
	c.new, err = r.FillCopied(ctx, c.op, c.old, c.new, v)
	return err
}

// fillCopied is FillCopied with the targets that the call has read before.
func (r Root) fillCopied(ctx context.Context, op string, old, row cell.Row, v any, known CopiedTargets) (cell.Row, error) {
	if len(r.Aggregate.Copied) == 0 {
		return row, nil
	}
	filled := slices.Clone(row)
	var added []*descriptor.Copied
	for i := range r.Aggregate.Copied {
		if c := &r.Aggregate.Copied[i]; !keepCopied(c, old, filled) {
			added = append(added, c)
		}
	}
	missing, err := r.readTargets(ctx, op, filled, added, known)
	if err != nil {
		return nil, err
	}
	if err := r.DB.ConstraintError(r.Codec.Table, row, r.missingTargets(missing, row), nil); err != nil {
		return nil, err
	}
	for _, c := range added {
		target := known[targetName(c, filled)]
		for _, f := range c.Fields {
			filled[f.Column] = target[f.From]
		}
	}
	from, err := r.Decode(&cell.Decoder{}, filled)
	if err != nil {
		return nil, err
	}
	r.Codec.Typed.CopyAny(v, from)
	return filled, nil
}

// keepCopied sets the fields of a copy in a row whose reference is null, or which has the reference of the row that it replaces. It reports false
// if the target must be read.
func keepCopied(c *descriptor.Copied, old, row cell.Row) bool {
	refers := !slices.ContainsFunc(c.Key, func(i int) bool { return row[i] == nil })
	if refers && !hasReference(c, old, row) {
		return false
	}
	for _, f := range c.Fields {
		if row[f.Column] = nil; refers {
			row[f.Column] = old[f.Column]
		}
	}
	return true
}

// hasReference reports whether a row has the reference of another row, and all fields that follow from it and are never null have values. A row that was written
// before a field was added to the model has its zero value, whose bytes are zero.
func hasReference(c *descriptor.Copied, old, row cell.Row) bool {
	if old == nil || slices.ContainsFunc(c.Key, func(i int) bool { return !bytes.Equal(old[i], row[i]) }) {
		return false
	}
	return !slices.ContainsFunc(c.Fields, func(f descriptor.CopiedField) bool { return !f.Optional && isZero(old[f.Column]) })
}

// targetKey returns the key of the target of a row.
func targetKey(c *descriptor.Copied, row cell.Row) (key cell.Row) {
	for _, i := range c.Key {
		key = append(key, row[i])
	}
	return key
}

// targetName identifies the target of a row.
func targetName(c *descriptor.Copied, row cell.Row) string {
	return c.Target + "\x00" + KeyString(targetKey(c, row), len(c.Key))
}

// StaleCopied returns the fields of a row that differ from the fields of which they are copies. Copies of a root that does not exist stay as they
// are. known has the targets that were read before.
func (r Root) StaleCopied(ctx context.Context, op string, row cell.Row, known CopiedTargets) (fields []string, err error) {
	var of []*descriptor.Copied
	for i := range r.Aggregate.Copied {
		if c := &r.Aggregate.Copied[i]; !slices.ContainsFunc(c.Key, func(k int) bool { return row[k] == nil }) {
			of = append(of, c)
		}
	}
	if _, err := r.readTargets(ctx, op, row, of, known); err != nil {
		return nil, err
	}
	for _, c := range of {
		target := known[targetName(c, row)]
		for _, f := range c.Fields {
			if held := row[f.Column]; target != nil && !bytes.Equal(held, target[f.From]) && !(isZero(held) && isZero(target[f.From])) {
				fields = append(fields, r.Codec.Table.Columns[f.Column].Field)
			}
		}
	}
	return fields, nil
}

// isZero reports whether a value is null or has only bytes that are zero, as the zero value of a field.
func isZero(c cell.Cell) bool { return len(bytes.Trim(c, "\x00")) == 0 }

// readTargets reads the targets of copies that are not known, each once. It returns the copies whose targets do not exist.
func (r Root) readTargets(ctx context.Context, op string, row cell.Row, of []*descriptor.Copied, known CopiedTargets) (missing []*descriptor.Copied, err error) {
	if len(known) > maxTargets {
		clear(known)
	}
	var unread []*descriptor.Copied
	for _, c := range of {
		name := targetName(c, row)
		if known[name] == nil && !slices.ContainsFunc(unread, func(o *descriptor.Copied) bool { return targetName(o, row) == name }) {
			unread = append(unread, c)
		}
	}
	rows, errs := make([]cell.Row, len(unread)), make([]error, len(unread))
	r.DB.Env.RunAll(len(unread), func(i int) { rows[i], errs[i] = r.readTarget(ctx, op, unread[i], row) })
	for i, c := range unread {
		if known[targetName(c, row)] = rows[i]; rows[i] == nil {
			missing = append(missing, c)
		}
	}
	return missing, cmp.Or(errs...)
}

// missingTargets returns the violations of a row whose targets do not exist.
func (r Root) missingTargets(of []*descriptor.Copied, row cell.Row) (out []mapper.Violation) {
	for _, c := range of {
		out = append(out, r.DB.MissingTarget(c.Field, c.Target, targetKey(c, row)))
	}
	return out
}

// readTarget reads the target of a copy, nil for none.
func (r Root) readTarget(ctx context.Context, op string, c *descriptor.Copied, row cell.Row) (cell.Row, error) {
	of := r.On(r.DB.RelatedRoot(c.Target).Codec)
	key := targetKey(c, row)
	of.Codec.Table.Canonical(key)
	if err := r.DB.CheckKey(of.Codec.Table, key); err != nil {
		return nil, nil //nolint:nilerr // no row can have such a key
	}
	l := &store.Lookup{Read: store.Read{Table: of.Codec.Table, Key: key, Consistency: r.DB.Config.Consistency}}
	target, err := r.DB.ReadRow(ctx, op, l)
	if err != nil {
		return nil, of.WrapError(op, key, err)
	}
	if target == nil || of.Omits(target) {
		return nil, nil
	}
	return plan.CloneRow(target), nil
}
