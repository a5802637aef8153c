package save

import (
	"context"
	"errors"

	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// With reads a versioned root and the rows of its part, all as one save left them. If the root is saved while they are read, it
// starts over. It returns mapper.ErrConflict if the time of the call ends before it succeeds; the reads themselves have no limit
// in addition to the limit of each request.
func (r Versioned) With(ctx context.Context, key *cell.Encoder, part *call.Codec) (v any, rows []any, err error) {
	limited, end, err := r.Begin(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer end()
	args, err := r.DB.Key(r.Codec.Table, key)
	if err != nil {
		return nil, nil, err
	}
	w := r.Call(limited, call.OpGetWith, args)
	for {
		if v, err = r.Existing(call.OpGetWith, args)(r.IfAny(ctx, call.OpGetWith, args)); err != nil {
			return nil, nil, err
		}
		rows, err = r.savedAt(ctx, args, part, *r.Codec.Version(v))
		switch {
		case err == nil:
			return v, rows, nil
		case !errors.Is(err, call.ErrChanged):
			return nil, nil, err
		}
		if err = w.Retry(); err != nil {
			return nil, nil, w.wrap(err)
		}
	}
}

// savedAt returns the rows of a part of a versioned root. It returns ErrChanged if the root has another version than the given one.
func (r Versioned) savedAt(ctx context.Context, key cell.Row, part *call.Codec, version plan.Version) ([]any, error) {
	rows := call.NewReader(r.DB, part)
	all, shown, err := rows.ReadPart(ctx, call.OpGetWith, key, version)
	if err == nil && !shown {
		err = r.checkRootVersion(ctx, key, version)
	}
	if err != nil {
		return nil, rows.WrapError(call.OpGetWith, key, err)
	}
	return all, nil
}

// checkRootVersion returns ErrChanged if the root no longer has a version.
func (r Versioned) checkRootVersion(ctx context.Context, key cell.Row, version plan.Version) error {
	ctx, stop, err := r.Begin(ctx)
	if err != nil {
		return err
	}
	defer stop()
	row, err := r.DB.ReadRow(ctx, call.OpGetWith, &store.Lookup{Read: store.Read{Table: r.Codec.Table, Key: key, Consistency: r.Consistency()}})
	if err != nil {
		return err
	}
	if row == nil {
		return call.ErrChanged
	}
	s, err := r.Aggregate.DecodeState(row)
	if err == nil && (!s.Exists() || s.Version != version) {
		err = call.ErrChanged
	}
	return err
}
