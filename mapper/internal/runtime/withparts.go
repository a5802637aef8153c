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
		rows, err = r.savedAt(ctx, args, part, *r.c.of.Version(v))
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

// savedAt returns the rows of a part of a versioned root. It returns errRefused if the root has another version than the given one.
func (r Versioned) savedAt(ctx context.Context, key cell.Row, part *Codec, version plan.Version) (all []any, err error) {
	of := NewReader(r.db, part)
	q := Query{selection: &selection{r: of, key: key}}
	read := q.read()
	traced, end := r.db.traceRead(ctx, opWith, &read)
	shown, err := of.savedRows(traced, read, version, func(v any) { all = append(all, v) })
	end(err, len(all))
	if err == nil && !shown {
		err = r.checkRootVersion(ctx, key, version)
	}
	if err != nil {
		return nil, of.wrap(opWith, key, err)
	}
	return all, nil
}

// savedRows calls add with the rows of a part, page by page. It returns errRefused at the first row that was read with another version of
// the root. shown reports whether the last page shows the version: a page without rows does not, because rows after the page before
// it can have been deleted meanwhile.
func (r Reader) savedRows(ctx context.Context, read store.Read, version plan.Version, add func(any)) (shown bool, err error) {
	var state []byte
	for {
		next, rows, err := r.savedPage(ctx, read, state, version, add)
		if err != nil || len(next) == 0 {
			return rows > 0, err
		}
		state = next
	}
}

// savedPage reads one page, within the time limit of a call. It returns the paging state of the next one, and the number of rows.
func (r Reader) savedPage(ctx context.Context, read store.Read, state []byte, version plan.Version, add func(any)) (next []byte, rows int, err error) {
	ctx, stop, err := r.begin(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer stop()
	page, err := r.db.store.Page(ctx, read, state)
	if err != nil {
		return nil, 0, err
	}
	_, err = r.rows(r.ofVersion(page.All(), version), func(v any, _ error) bool { add(v); return true })
	return page.State, page.Rows, err
}

// checkRootVersion returns errRefused if the root no longer has a version.
func (r Versioned) checkRootVersion(ctx context.Context, key cell.Row, version plan.Version) error {
	ctx, stop, err := r.begin(ctx)
	if err != nil {
		return err
	}
	defer stop()
	row, err := r.db.readRow(ctx, opWith, &store.Lookup{Read: store.Read{Table: r.c.Table, Key: key, Consistency: r.consistency()}})
	if err != nil {
		return err
	}
	if row == nil {
		return errRefused
	}
	s, err := r.aggregate.StateOf(row)
	if err == nil && (!s.Exists() || s.Version != version) {
		err = errRefused
	}
	return err
}

// ofVersion returns rows of a part. It returns errRefused at the first row that was read with another version of the root.
func (r Reader) ofVersion(rows iter.Seq2[cell.Row, error], version plan.Version) iter.Seq2[cell.Row, error] {
	return func(yield func(cell.Row, error) bool) {
		for row, err := range rows {
			if err == nil {
				err = r.sameVersion(row, version)
			}
			if !yield(row, err) {
				return
			}
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
