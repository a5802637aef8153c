package gen

import (
	"context"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
)

// Parts reads and writes the rows of a part of a versioned root, in the function of an Update. The writes are carried out
// together with the save of the root, or not at all. Update returns their errors. A function can write each row once. After the
// function has returned, a read returns an error and writes have no effect. Parts must not be used by several goroutines at a
// time.
type Parts[P any] struct{ p *save.Parts }

// Insert writes v. If its row exists, Update returns mapper.ErrExists. v can be changed afterwards.
func (p Parts[P]) Insert(v *P) { p.p.Insert(pointer(v)) }

// Put writes v, whether or not its row exists; absent fields become null. v can be changed afterwards.
func (p Parts[P]) Put(v *P) { p.p.Put(pointer(v)) }

// Change writes the fields in which new differs from old; nothing is written if they are equal. If there is no row, Update
// returns mapper.ErrNotFound. Both can be changed afterwards.
func (p Parts[P]) Change(old, new *P) { p.p.Change(pointer(old), pointer(new)) }

// GetPart reads a row of a part at the serial consistency. It returns mapper.ErrNotFound if there is no row.
func GetPart[P any](p Parts[P], clustering *Encoder) (*P, error) {
	v, err := p.p.Get(clustering)
	if err != nil {
		return nil, err
	}
	return v.(*P), nil
}

// DeletePart adds the deletion of a row of a part.
func DeletePart[P any](p Parts[P], clustering *Encoder) { p.p.Delete(clustering) }

// PartRows are rows of a part that the function of an Update can delete.
type PartRows[P any] struct{ r save.PartRows }

// PartsOf returns all rows of a part.
func PartsOf[P any](p Parts[P]) PartRows[P] { return PartRows[P]{p.p.Rows()} }

// EqualParts restricts the next clustering column to the value in k.
func EqualParts[P any](r PartRows[P], k *Encoder) PartRows[P] { return PartRows[P]{r.r.Equal(k)} }

// BoundParts restricts the next clustering column to the values on one side of the value in k. A value with a higher precision than
// the column is above the value that it is truncated to.
func BoundParts[P any](r PartRows[P], by Comparison, k *Encoder) PartRows[P] {
	return PartRows[P]{r.r.Bound(by, k)}
}

// Delete deletes the rows with one statement of the conditional batch of the Update, regardless of their number. If the part has redundant
// tables, Update reads the rows first, and refuses more than 1,000. If the function also writes one of them, Update returns an error.
func (r PartRows[P]) Delete() { r.r.Delete() }

// PartsWith reads rows of a part of a versioned root together with the root. Its methods return a changed copy.
type PartsWith[T, P any] struct{ q save.PartsWith }

// Join describes a table with the columns of a part of a versioned root and of the root.
func Join(root, part *Table) *Table { return descriptor.Join(root, part) }

// WhereWith returns a query of the rows of a part of the root with the given primary key. both is their [Join].
func WhereWith[T, P any](r Versioned[T], both *Table, part *Codec[P], key *Encoder) PartsWith[T, P] {
	return PartsWith[T, P]{r.untyped().OfWith((*plan.Table)(both), part.untyped(), key)}
}

// EqualWith restricts the next clustering column to the value in k.
func EqualWith[T, P any](q PartsWith[T, P], k *Encoder) PartsWith[T, P] {
	return PartsWith[T, P]{q.q.Equal(k)}
}

// BoundWith restricts the next clustering column to the values on one side of the value in k. A value with a higher precision than the
// column is above the value that it is truncated to.
func BoundWith[T, P any](q PartsWith[T, P], by Comparison, k *Encoder) PartsWith[T, P] {
	return PartsWith[T, P]{q.q.Bound(by, k)}
}

// Reverse returns the query with the reverse of the table's order.
func (q PartsWith[T, P]) Reverse() PartsWith[T, P] { return PartsWith[T, P]{q.q.Reversed()} }

// Limit returns the query with a limit of n rows; 0 means all rows. If n is negative, or greater than CQL allows, the query returns an
// error.
func (q PartsWith[T, P]) Limit(n int) PartsWith[T, P] { return PartsWith[T, P]{q.q.Limited(n)} }

// PageSize returns the query with pages of n rows; 0 means the default of the session. If n is negative, or greater than CQL allows, the
// query returns an error.
func (q PartsWith[T, P]) PageSize(n int) PartsWith[T, P] { return PartsWith[T, P]{q.q.Paged(n)} }

// Page returns the root and one page of the rows, the first one for an empty token, otherwise the one after the page with this Next. One
// request reads both, so they are as one save left them. Pages can be from different saves: compare the versions of their roots. A page
// without rows takes two more requests, for the root and for the page after it, and then the page is as of this version of the root or
// later. Page returns mapper.ErrNotFound if there is no root, and mapper.ErrPageToken if the token belongs to another query.
func (q PartsWith[T, P]) Page(ctx context.Context, token string) (*T, mapper.Page[P], error) {
	items := []*P{}
	root, next, err := q.q.Page(ctx, token, func(v any) { items = append(items, v.(*P)) })
	if err != nil {
		return nil, mapper.Page[P]{}, err
	}
	return root.(*T), mapper.Page[P]{Items: items, Next: next}, nil
}

// UpdateWith is like [UpdateVersioned]. It also passes the parts of the row to change, as the value returned by of.
func UpdateWith[T, P, W any](ctx context.Context, r Versioned[T], part *Codec[P], of func(Parts[P]) *W, change func(*T, *W) error, key *Encoder) (*T, error) {
	var f func(any, *save.Parts) error
	var own error
	if change != nil {
		f = func(v any, p *save.Parts) error {
			own = change(v.(*T), of(Parts[P]{p}))
			return own
		}
	}
	v, err := r.untyped().UpdateWith(ctx, part.untyped(), f, key)
	return result[T](v, call.InOperation("Update", err, own))
}

// UpsertWith is like [UpsertVersioned]. It also passes the parts of the row, as the value returned by of.
func UpsertWith[T, P, W any](ctx context.Context, r Versioned[T], part *Codec[P], of func(Parts[P]) *W, change func(*T, *W, bool) error, key *Encoder) (*T, error) {
	var f func(any, *save.Parts, bool) error
	var own error
	if change != nil {
		f = func(v any, p *save.Parts, exists bool) error {
			own = change(v.(*T), of(Parts[P]{p}), exists)
			return own
		}
	}
	v, err := r.untyped().Upsert(ctx, part.untyped(), f, key)
	return result[T](v, call.InOperation("Upsert", err, own))
}

// GetWithVersioned reads a versioned root and the rows of its part, all as one save left them.
func GetWithVersioned[T, P any](ctx context.Context, r Versioned[T], part *Codec[P], key *Encoder) (*T, []*P, error) {
	v, all, err := r.untyped().With(ctx, key, part.untyped())
	if err != nil {
		return nil, nil, err
	}
	rows := make([]*P, len(all))
	for i, row := range all {
		rows[i] = row.(*P)
	}
	return v.(*T), rows, nil
}

// InsertWith is like [InsertVersioned]. It also inserts rows of a part, in the same conditional batch.
func InsertWith[T, P any](ctx context.Context, r Versioned[T], part *Codec[P], v *T, rows []*P) error {
	all := make([]any, len(rows))
	for i, row := range rows {
		all[i] = pointer(row)
	}
	return call.InOperation("InsertWith", r.untyped().InsertWith(ctx, pointer(v), part.untyped(), all), nil)
}
