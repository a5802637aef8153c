package runtime

import (
	"context"
	"errors"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

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
		rows, err = r.savedAt(ctx, args, part, *r.c.version(v))
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

// savedAt returns the rows of a part of a versioned root. It returns errRefused if the root has another version than the given one.
func (r Versioned) savedAt(ctx context.Context, key cell.Row, part *Codec, version plan.Version) ([]any, error) {
	rows := NewReader(r.db, part)
	all, shown, err := rows.readAt(ctx, opWith, key, version)
	if err == nil && !shown {
		err = r.checkRootVersion(ctx, key, version)
	}
	if err != nil {
		return nil, rows.wrap(opWith, key, err)
	}
	return all, nil
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
