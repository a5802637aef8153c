package gen

import (
	"context"
	"iter"
	"time"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/internal/scan"
)

// Root is the table of a root: every write to it also writes all its copies. Generated tables embed it.
type Root[T any] struct {
	Reader[T]
	aggregate *Linked
	parts     []Part
}

// Part is a part of a root that has copies.
type Part = call.Part

// NewPart returns the part with a codec and a descriptor.
func NewPart[T any](c *Codec[T], a *Linked) Part { return Part{Codec: c.untyped(), Aggregate: a} }

// NewRoot returns the table of a root. parts are its parts that have copies.
func NewRoot[T any](db *DB, c *Codec[T], a *Linked, parts ...Part) Root[T] {
	return Root[T]{NewReader(db, c), a, parts}
}

// untyped returns r without its type parameter.
func (r Root[T]) untyped() call.Root { return call.NewRoot(r.r, r.aggregate, r.parts...) }

// InsertAll inserts the values of a sequence, whose identifiers must be new. Values of one partition that are near each other in
// the sequence share a batch within mapper.Config.BatchLimit, if there are no copies and no static columns. Several requests are
// sent at a time, and the sequence is read only as fast as its values are written. A value is encoded before the next one is
// read.
//
// InsertAll ends at the first error: of the sequence, which is returned unchanged, of a value, or of a write. The result
// describes which values are written; its Err is also the second result. The values before an error of the sequence or of a value
// are written. The time limit of a call, mapper.Config.Timeout, applies to each batch. InsertAll examines the context between two
// values, so a sequence that waits for a value must end by itself when the context ends.
func (r Root[T]) InsertAll(ctx context.Context, values iter.Seq2[*T, error], config mapper.BulkConfig) (mapper.BulkResult, error) {
	result := r.untyped().InsertAll(ctx, untypedValues(values), config)
	return result, result.Err
}

// untypedValues returns the values of a sequence without their type, or nil if it is nil.
func untypedValues[T any](values iter.Seq2[*T, error]) iter.Seq2[any, error] {
	if values == nil {
		return nil
	}
	return func(yield func(any, error) bool) {
		for v, err := range values {
			if !yield(pointer(v), err) {
				return
			}
		}
	}
}

// pointer returns v without its type, or nil if v is a nil pointer.
func pointer[T any](v *T) any {
	if v == nil {
		return nil
	}
	return v
}

// Insert writes v and its copies; its identifier must be new.
func Insert[T any](ctx context.Context, r Root[T], v *T) error {
	return call.InOperation("Insert", r.untyped().Insert(ctx, pointer(v)), nil)
}

// Change writes the differences between old and new, without reading.
func Change[T any](ctx context.Context, r Root[T], old, new *T) error {
	return call.InOperation("Change", r.untyped().Change(ctx, pointer(old), pointer(new)), nil)
}

// Put writes v, whether or not its row exists.
func Put[T any](ctx context.Context, r Root[T], v *T) error {
	return call.InOperation("Put", r.untyped().Put(ctx, pointer(v)), nil)
}

// Import writes v and its copies at mapper.Options.Timestamp, unless the row is newer.
func Import[T any](ctx context.Context, r Root[T], v *T) (written bool, err error) {
	written, err = r.untyped().Import(ctx, pointer(v))
	return written, call.InOperation("Import", err, nil)
}

// Update reads a row, calls f with its value and writes the changes that f made.
func Update[T any](ctx context.Context, r Root[T], f func(*T) error, key *Encoder) (*T, error) {
	change := callback[T]{f: f}
	v, err := r.untyped().Update(ctx, change.untyped(), key)
	return result[T](v, call.InOperation("Update", err, change.err))
}

// callback is a function of the caller that changes a value, and the error that it has returned last.
type callback[T any] struct {
	f   func(*T) error
	err error
}

// untyped returns the function without its type, or nil if it is nil.
func (c *callback[T]) untyped() func(any) error {
	if c.f == nil {
		return nil
	}
	return func(v any) error {
		c.err = c.f(v.(*T))
		return c.err
	}
}

// Delete deletes a row and its copies.
func Delete[T any](ctx context.Context, r Root[T], key *Encoder) error {
	return call.InOperation("Delete", r.untyped().Delete(ctx, key), nil)
}

// SetColumn writes one column of a row without reading the row. values contains the key and the value; f contains the rules of the
// model that the value violates, and nil means none.
func SetColumn[T any](ctx context.Context, r Root[T], values *Encoder, column string, f *Faults) error {
	return call.InOperation("Set", r.untyped().Set(ctx, values, column, f.all()), nil)
}

// SetMember writes one field of a column that is a UDT, as [SetColumn] does. values contains the key and the value of the field.
func SetMember[T any](ctx context.Context, r Root[T], values *Encoder, column string, field int, f *Faults) error {
	return call.InOperation("Set", r.untyped().SetMember(ctx, values, column, field, f.all()), nil)
}

// Element is the operation of a method on the elements of a column.
type Element = call.Element

// The operations on elements: sets and maps have the first two, lists the others.
const (
	AddElement     = call.Add
	RemoveElement  = call.Remove
	AppendElement  = call.Append
	PrependElement = call.Prepend
)

// WriteElement changes elements of a column of a row without reading the row. values contains the key and the elements; for
// entries to remove, only their keys. f contains the rules of the model that the elements violate; nil: none.
func WriteElement[T any](ctx context.Context, r Root[T], e Element, values *Encoder, column string, f *Faults) error {
	return r.untyped().WriteElement(ctx, e, values, column, f.all())
}

// ChangeElement is like [WriteElement], but reads the row first, because a rule of the model or a copy needs more than the key
// and the elements.
func ChangeElement[T any](ctx context.Context, r Root[T], e Element, values *Encoder, column string) error {
	return r.untyped().ChangeElement(ctx, e, values, column)
}

// GetWith reads a row and the rows of one of its parts.
func GetWith[T, P any](ctx context.Context, r Root[T], part *Codec[P], key *Encoder) (*T, []*P, error) {
	var rows []*P
	v, err := r.r.With(ctx, key, part.untyped(), func(row any) { rows = append(rows, row.(*P)) })
	if err != nil {
		return nil, nil, err
	}
	return v.(*T), rows, nil
}

// FillConfig configures how a redundant table is filled. [Backfill] uses its zero value.
type FillConfig = scan.FillConfig

// Fill runs a [Backfill] on the database of the root, so that a backfill can be tested without a server.
func Fill[T any](ctx context.Context, r Root[T], table string, c FillConfig, from string, checkpoint func(from string) error) error {
	return save.Fill(ctx, r.untyped(), table, c, from, checkpoint)
}

// Backfill returns a function that fills one redundant table of a root from the rows of the root's table.
//
// ttl is Config.TTL of the store, if a TTL of the model has a name; at most one value.
func Backfill[T any](schema *Schema, c *Codec[T], a *Linked, table string, ttl ...map[string]time.Duration) func(ctx context.Context, session driver.Session, from string, save func(from string) error) error {
	return save.Backfill(schema, c.untyped(), a, table, first(ttl))
}

// first returns the first of at most one optional value.
func first[T any](of []T) (v T) {
	if len(of) > 0 {
		return of[0]
	}
	return v
}

// Versions returns a function that gives each row of a versioned root, which programs without versions have written, a version,
// its claims of unique values and its copies at the version. These programs must have ended.
func Versions[T any](schema *Schema, c *Codec[T], a *Linked, ttl ...map[string]time.Duration) func(ctx context.Context, session driver.Session, from string, save func(from string) error) error {
	return save.Versions(schema, c.untyped(), a, first(ttl))
}

// AssignVersions does what [Versions] does on the database of the root, so that it can be tested without a server.
func AssignVersions[T any](ctx context.Context, r Versioned[T], c FillConfig, from string, save func(from string) error) error {
	return r.untyped().AssignVersions(ctx, c, from, save)
}

// ReferenceRows returns a function that writes the rows of the reverse tables of a versioned root whose references become checked. Programs
// that do not check them must have ended.
func ReferenceRows[T any](schema *Schema, c *Codec[T], a *Linked, roots *call.Relations) func(ctx context.Context, session driver.Session, from string, save func(from string) error) error {
	return save.ReferenceRows(schema, c.untyped(), a, roots)
}

// RecordReferences does what [ReferenceRows] does on the database of the root, so that it can be tested without a server.
func RecordReferences[T any](ctx context.Context, r Versioned[T], c FillConfig, from string, save func(from string) error) error {
	return r.untyped().RecordReferences(ctx, c, from, save)
}

// FillVersioned runs a [Backfill] of a versioned root on its database, so that a backfill can be tested without a server.
func FillVersioned[T any](ctx context.Context, r Versioned[T], table string, c FillConfig, from string, checkpoint func(from string) error) error {
	return save.Fill(ctx, r.untyped().Root, table, c, from, checkpoint)
}

// FillNull returns a function that sets a column of a row of a versioned root to an encoded value if the column is null, by a save with a
// higher version. It does nothing if there is no row. It is the Save of a copydata.Nulls.
func FillNull[T any](r Versioned[T], column string) func(ctx context.Context, key [][]byte, value []byte) error {
	return func(ctx context.Context, key [][]byte, value []byte) error {
		row := make(cell.Row, len(key))
		for i, k := range key {
			row[i] = k
		}
		return r.untyped().FillNull(ctx, column, row, value)
	}
}

// Versioned is the table of a versioned root: every write is a conditional statement on the root's row, and its copies follow.
// Generated tables embed it.
type Versioned[T any] struct {
	Reader[T]
	aggregate *Linked
	parts     []Part
}

// NewVersioned returns the table of a versioned root. parts are its parts that have copies.
func NewVersioned[T any](db *DB, c *Codec[T], a *Linked, parts ...Part) Versioned[T] {
	return Versioned[T]{NewReader(db, c), a, parts}
}

// untyped returns r without its type parameter.
func (r Versioned[T]) untyped() save.Versioned {
	return save.NewVersioned(r.r, r.aggregate, r.parts...)
}

// GetBy reads the row that has a unique value, or a group of them. method is the name of the generated method, unique is the index of the
// unique value in the versioning of the aggregate, and values contains its cells.
func GetBy[T any](ctx context.Context, r Versioned[T], method string, unique int, values *Encoder) (*T, error) {
	v, err := r.untyped().GetBy(ctx, method, unique, values)
	return result[T](v, call.InOperation(method, err, nil))
}

// InsertVersioned writes v, whose identifier must be new, and sets its version.
func InsertVersioned[T any](ctx context.Context, r Versioned[T], v *T) error {
	return call.InOperation("Insert", r.untyped().Insert(ctx, pointer(v)), nil)
}

// InsertOrGet writes v and sets its version, unless there is a row with its identifier: then it returns the value of that row.
func InsertOrGet[T any](ctx context.Context, r Versioned[T], v *T) (*T, error) {
	found, err := r.untyped().InsertOrGet(ctx, pointer(v))
	if found == nil || err != nil {
		return nil, call.InOperation("InsertOrGet", err, nil)
	}
	return found.(*T), nil
}

// PutVersioned writes v and sets its version. If v has a version other than 0, its row must have this version; otherwise it does not
// matter whether the row exists.
func PutVersioned[T any](ctx context.Context, r Versioned[T], v *T) error {
	return call.InOperation("Put", r.untyped().Put(ctx, pointer(v)), nil)
}

// UpdateVersioned reads a row, calls f with its value and writes the result. It starts over if another write comes in between.
func UpdateVersioned[T any](ctx context.Context, r Versioned[T], change func(*T) error, key *Encoder) (*T, error) {
	f := callback[T]{f: change}
	v, err := r.untyped().Update(ctx, f.untyped(), key)
	return result[T](v, call.InOperation("Update", err, f.err))
}

// UpsertVersioned is like [UpdateVersioned]. If there is no row, it calls change with a value that has only its key, and false, and inserts
// the result.
func UpsertVersioned[T any](ctx context.Context, r Versioned[T], change func(*T, bool) error, key *Encoder) (*T, error) {
	var f func(any, *save.Parts, bool) error
	var own error
	if change != nil {
		f = func(v any, _ *save.Parts, exists bool) error {
			own = change(v.(*T), exists)
			return own
		}
	}
	v, err := r.untyped().Upsert(ctx, nil, f, key)
	return result[T](v, call.InOperation("Upsert", err, own))
}

// result returns a value or an error with the type of the value.
func result[T any](v any, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	return v.(*T), nil
}

// ChangeVersioned writes new if the row has the version of old, and sets the version of new.
func ChangeVersioned[T any](ctx context.Context, r Versioned[T], old, new *T) error {
	return call.InOperation("Change", r.untyped().Change(ctx, pointer(old), pointer(new)), nil)
}

// DeleteVersioned deletes a row and its copies.
func DeleteVersioned[T any](ctx context.Context, r Versioned[T], key *Encoder) error {
	return call.InOperation("Delete", r.untyped().Delete(ctx, key), nil)
}

// DeleteAt deletes a row and its copies if the row has the given version.
func DeleteAt[T any](ctx context.Context, r Versioned[T], key *Encoder, version int64) error {
	return call.InOperation("DeleteAt", r.untyped().DeleteAt(ctx, key, version), nil)
}
