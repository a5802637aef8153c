package call

import (
	"context"
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
	NewReader(r.DB, part).Where(key).All(ctx, OpGetWith, func(v any, e error) bool {
		if err = e; e == nil {
			add(v)
		}
		return e == nil
	})
	return root, err
}

// OpGetWith is the name of the reads in traces and errors.
const OpGetWith = "GetWith"

// ReadPart returns the rows of a part that were read with a version of the root. It returns ErrChanged at the first row that was read with
// another version. shown is the result of savedPart.rows.
func (r Reader) ReadPart(ctx context.Context, op string, key cell.Row, version plan.Version) (all []any, shown bool, err error) {
	read := r.Partition(key).read()
	traced, end := r.DB.TraceRead(ctx, op, &read)
	shown, err = savedPart{r, version}.rows(traced, read, func(v any) { all = append(all, v) })
	end(err, len(all))
	return all, shown, err
}

// savedPart reads rows of a part that were saved with a version of the root.
type savedPart struct {
	Reader
	version plan.Version
}

// rows calls add with the rows of a part, page by page. It returns ErrChanged at the first row that was read with another version of
// the root. shown reports whether the last page shows the version: a page without rows does not, because rows after the page before
// it can have been deleted meanwhile.
func (r savedPart) rows(ctx context.Context, read store.Read, add func(any)) (shown bool, err error) {
	var state []byte
	for {
		next, rows, err := r.page(ctx, read, state, add)
		if err != nil || len(next) == 0 {
			return rows > 0, err
		}
		state = next
	}
}

// page reads one page, within the time limit of a call. It returns the paging state of the next one, and the number of rows.
func (r savedPart) page(ctx context.Context, read store.Read, state []byte, add func(any)) (next []byte, rows int, err error) {
	ctx, stop, err := r.Begin(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer stop()
	page, err := r.DB.Store.Page(ctx, read, state)
	if err != nil {
		return nil, 0, err
	}
	_, err = r.Reader.rows(r.atVersion(page.All()), func(v any, _ error) bool { add(v); return true })
	return page.State, page.Rows, err
}

// atVersion returns rows of a part. It returns ErrChanged at the first row that was read with another version of the root.
func (r savedPart) atVersion(rows iter.Seq2[cell.Row, error]) iter.Seq2[cell.Row, error] {
	return func(yield func(cell.Row, error) bool) {
		for row, err := range rows {
			if err == nil {
				err = r.checkVersion(row)
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// checkVersion returns ErrChanged if a row of a part was read with another version of the root.
func (r savedPart) checkVersion(row cell.Row) error {
	at, err := r.Codec.Table.RootVersion(row)
	if err == nil && at != r.version {
		err = ErrChanged
	}
	return err
}
