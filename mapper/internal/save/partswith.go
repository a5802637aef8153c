package save

import (
	"context"

	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// PartsWith is a query of the rows of a part of a versioned root, which are read together with the root.
type PartsWith struct {
	r     Versioned
	both  *plan.Table // the columns of the part and of the root
	part  *call.Codec
	query call.Query
}

// OfWith returns a query of the rows of a part of the root with the given primary key. both is the join of the two tables.
func (r Versioned) OfWith(both *plan.Table, part *call.Codec, key *cell.Encoder) PartsWith {
	p := PartsWith{r: r, both: both, part: part}
	p.query = call.NewReader(r.DB, p.codec(nil)).Where(key)
	return p
}

// codec returns a codec of one page, which decodes rows of the part, and sets the root of the first one.
func (p PartsWith) codec(root *any) *call.Codec {
	return &call.Codec{Table: p.both, Typed: &rowOfBoth{p.part.Typed, &p, root}}
}

// rowOfBoth decodes a row of a part, and its root.
type rowOfBoth struct {
	call.Typed
	of   *PartsWith
	root *any
}

// DecodeAny returns a row of the part.
func (b *rowOfBoth) DecodeAny(d *cell.Decoder) any {
	v, t := b.Typed.DecodeAny(d), b.of.part.Table
	if *b.root == nil && !d.Failed() {
		d.NextRow(t.Partition, len(t.Columns)-t.Hidden-t.HeadColumns())
		*b.root = b.of.r.Codec.Typed.DecodeAny(d)
	}
	return v
}

// Equal restricts the next clustering column to the value in k.
func (p PartsWith) Equal(k *cell.Encoder) PartsWith { p.query = p.query.Equal(k); return p }

// Bound restricts the next clustering column to the values on one side of the value in k.
func (p PartsWith) Bound(by store.Comparison, k *cell.Encoder) PartsWith {
	p.query = p.query.Bound(by, k)
	return p
}

// Reversed returns the query in the reverse of the table's order.
func (p PartsWith) Reversed() PartsWith { p.query = p.query.Reversed(); return p }

// Limited returns the query with a limit of n rows.
func (p PartsWith) Limited(n int) PartsWith { p.query = p.query.Limited(n); return p }

// Paged returns the query with pages of n rows.
func (p PartsWith) Paged(n int) PartsWith { p.query = p.query.Paged(n); return p }

// Page reads the page that begins at token, with the root as it was then, and calls add with each row. A page without rows does not show
// the root. Then Page reads the root, and after it the page again, so that the page is not older than the root: a caller that saves the root
// at this version has seen all its rows in the page.
func (p PartsWith) Page(ctx context.Context, token string, add func(any)) (root any, next string, err error) {
	for {
		var shown any
		var rows []any
		query := p.query.On(call.NewReader(p.r.DB, p.codec(&shown)))
		if next, err = query.Page(ctx, opOfWith, token, func(v any) { rows = append(rows, v) }); err != nil {
			return nil, "", err
		}
		if shown != nil && *p.r.Codec.Version(shown) != 0 {
			root = shown
		}
		if root != nil {
			for _, v := range rows {
				add(v)
			}
			return root, next, nil
		}
		if root, err = p.readRoot(ctx); err != nil {
			return nil, "", err
		}
	}
}

// opOfWith is the name of the reads in traces and errors.
const opOfWith = "OfWith"

// readRoot reads the root of the rows.
func (p PartsWith) readRoot(ctx context.Context) (any, error) {
	ctx, stop, err := p.r.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	key, _, _, err := p.query.Range()
	if err != nil {
		return nil, err
	}
	key = key[:p.r.Codec.Table.Key]
	return p.r.Existing(opOfWith, key)(p.r.IfAny(ctx, opOfWith, key))
}
