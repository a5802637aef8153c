package runtime

import (
	"context"
	"errors"
	"iter"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// With reads a root and the rows of one of its parts. The two reads are separate requests: another write can come in between.
func (r Reader) With(ctx context.Context, key *cell.Encoder, part *Codec, add func(any)) (any, error) {
	root, err := r.Get(ctx, key)
	if err != nil {
		return nil, err
	}
	NewReader(r.db, part).Where(key).All(ctx, opWith, func(v any, e error) bool {
		if err = e; e == nil {
			add(v)
		}
		return e == nil
	})
	return root, err
}

// With reads a versioned root and the rows of its part, all as one save left them. If the root is saved while they are read, it
// starts over. It returns mapper.ErrConflict if the time of the call ends before it succeeds; the reads themselves have no limit
// in addition to that of each request.
func (r Versioned) With(ctx context.Context, key *cell.Encoder, part *Codec) (v any, rows []any, err error) {
	limited, end, err := r.begin(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer end()
	args, err := r.db.key(r.c.Table, key)
	if err != nil {
		return nil, nil, err
	}
	w := r.writing(limited, opWith, args)
	for {
		if v, err = r.existing(opWith, args)(r.ifAny(ctx, opWith, args)); err != nil {
			return nil, nil, err
		}
		version := *r.c.of.Version(v)
		var pages int
		if rows, pages, err = NewReader(r.db, part).savedAt(ctx, args, version); err == nil && pages > 1 {
			err = r.stillAt(ctx, args, version)
		}
		switch {
		case err == nil:
			return v, rows, nil
		case !errors.Is(err, errRefused):
			return nil, nil, err
		}
		if err = w.again(); err != nil {
			return nil, nil, w.wrap(err)
		}
	}
}

// opWith is the name of the reads in traces and errors.
const opWith = "GetWith"

// stillAt returns errRefused if the root no longer has a version. A page without rows shows no version: if the rows that were not read yet
// have been deleted, only the root shows it.
func (r Versioned) stillAt(ctx context.Context, key cell.Row, version plan.Version) error {
	v, err := r.ifAny(ctx, opWith, key)
	if err == nil && (v == nil || *r.c.of.Version(v) != version) {
		err = errRefused
	}
	return err
}

// savedAt returns the rows of a part of a versioned root, and the number of pages. It returns errRefused if the root has another version than
// the given one.
func (r Reader) savedAt(ctx context.Context, key cell.Row, version plan.Version) (all []any, pages int, err error) {
	q := Query{selection: &selection{r: r, key: key}}
	read := q.read()
	ctx, end := r.db.traceRead(ctx, opWith, &read)
	n, err := r.rows(r.ofVersion(r.paged(ctx, read, &pages), version), func(v any, _ error) bool {
		all = append(all, v)
		return true
	})
	end(err, n)
	if err != nil {
		return nil, pages, r.wrap(opWith, key, err)
	}
	return all, pages, nil
}

// paged returns the rows of all pages of a read, and counts the pages.
func (r Reader) paged(ctx context.Context, read store.Read, pages *int) iter.Seq2[cell.Row, error] {
	return func(yield func(cell.Row, error) bool) {
		var state []byte
		for more := true; more; more = len(state) > 0 {
			page, err := r.db.store.Page(ctx, read, state)
			if err != nil {
				yield(nil, err)
				return
			}
			*pages++
			for row, err := range page.All() {
				if !yield(row, err) {
					return
				}
			}
			state = page.State
		}
	}
}

// ofVersion returns rows of a part. It returns errRefused at the first row that was read with another version of the root, or if
// there is not even the row of the static columns, because the root has been removed.
func (r Reader) ofVersion(rows iter.Seq2[cell.Row, error], version plan.Version) iter.Seq2[cell.Row, error] {
	return func(yield func(cell.Row, error) bool) {
		some := false
		for row, err := range rows {
			if some = true; err == nil {
				err = r.sameVersion(row, version)
			}
			if !yield(row, err) {
				return
			}
		}
		if !some {
			yield(nil, errRefused)
		}
	}
}

// sameVersion returns errRefused if a row of a part was read with another version of the root.
func (r Reader) sameVersion(row cell.Row, version plan.Version) error {
	at, err := r.c.Table.RootVersion(row)
	if err == nil && at != version {
		err = errRefused
	}
	return err
}
