package gen

import (
	"context"

	"github.com/cassaml/cassaml/mapper/internal/call"
)

// Reference is a reference to a root U in the rows T of a table.
type Reference[T, U any] struct {
	Field   string // Author, Family[], Lines[].Item: [] is the place of an element
	Target  *Codec[U]
	Secret  bool                      // messages do not contain the key of the target
	Key     func(*Encoder, *T)        // writes the primary key of a row, as far as T has it
	Targets func(*T, func() *Encoder) // calls the function for each place, and writes the key of the target, if there is one
}

// Follow returns the row that v refers to, or nil if v is nil or refers to none. If there is no such row, it returns a
// *mapper.ReferenceError.
func Follow[T, U any](ctx context.Context, r Reader[T], f *Reference[T, U], op string, v *T) (*U, error) {
	all, err := FollowAll(ctx, r, f, op, []*T{v})
	if len(all) == 0 {
		return nil, err
	}
	return all[0], err
}

// FollowAll returns the rows that the values refer to, in the order of the values, and of their elements if one value has several
// references. The result is nil where there is no row. For each row that does not exist, the error has a *mapper.ReferenceError, and
// the result has the other rows.
func FollowAll[T, U any](ctx context.Context, r Reader[T], f *Reference[T, U], op string, values []*T) ([]*U, error) {
	from := make([]any, len(values))
	for i, v := range values {
		from[i] = pointer(v)
	}
	rows, err := r.r.Follow(ctx, op, f.untyped(), from)
	if rows == nil {
		return nil, err
	}
	out := make([]*U, len(rows))
	for i, row := range rows {
		out[i], _ = row.(*U)
	}
	return out, err
}

// FollowMany returns the rows that the elements of v refer to, in their order; none if v is nil. It is otherwise like [FollowAll].
func FollowMany[T, U any](ctx context.Context, r Reader[T], f *Reference[T, U], op string, v *T) ([]*U, error) {
	if v == nil {
		return FollowAll(ctx, r, f, op, nil)
	}
	return FollowAll(ctx, r, f, op, []*T{v})
}

// untyped returns f without its type parameters.
func (f *Reference[T, U]) untyped() *call.Reference {
	return &call.Reference{Field: f.Field, Target: f.Target.untyped(), Secret: f.Secret, Of: (*typedReference[T, U])(f)}
}

// typedReference is a reference for values whose type call does not know. Its methods have pointer receivers, as the methods of typed.
type typedReference[T, U any] Reference[T, U]

func (t *typedReference[T, U]) KeyAny(e *Encoder, v any) { t.Key(e, v.(*T)) }

func (t *typedReference[T, U]) TargetsAny(v any, next func() *Encoder) { t.Targets(v.(*T), next) }

// On returns a reader of another table on the database of r.
func On[T, U any](r Reader[T], c *Codec[U]) Reader[U] { return Reader[U]{r.r.On(c.untyped())} }

// RootOn returns the table of another root on the database of r.
func RootOn[T, U any](r Reader[T], c *Codec[U], a *Linked, parts ...Part) Root[U] {
	return Root[U]{On(r, c), a, parts}
}

// EncodeKey returns an encoder that contains the result of write for v, or null if v is nil.
func EncodeKey[T any](v *T, write func(*Encoder, *T)) *Encoder {
	k := NewKey()
	if v == nil {
		k.Null()
		return k
	}
	write(k, v)
	return k
}
