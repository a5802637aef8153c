package copydata

import (
	"context"
	"errors"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml/model"
)

// list is a value of a list that is not frozen.
type list struct {
	column string
	value  raw
	stamp
}

// writeList writes a list where there is none. Sent twice at one time it would hold its elements twice, so a repeat is two
// microseconds later: the whole of what an earlier attempt has written, or will, is overwritten.
func (w *writing) writeList(ctx context.Context, session *gocql.Session, l list) error {
	if l.ttl < 0 {
		return nil
	}
	return w.once(l, func() (bool, error) { return w.has(ctx, session, l.column) }, func(s statement) error {
		return session.Query(s.text, s.args...).WithContext(ctx).Consistency(gocql.LocalQuorum).RetryPolicy(nil).Exec()
	})
}

// once decides what of that is sent, and sent again.
func (w *writing) once(l list, has func() (bool, error), send func(statement) error) error {
	sent := false
	var errs []error
	for range attempts {
		there, err := has()
		if err == nil && there && !sent {
			return nil
		}
		if err == nil {
			sent = true
			if err = send(w.set(l.stamp, []string{model.Quote(l.column) + " = ?"}, []any{l.value})); err == nil {
				return nil
			}
			l.at += 2
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// has reports whether a row has a value in a column.
func (w *writing) has(ctx context.Context, session *gocql.Session, column string) (bool, error) {
	s := w.where(statement{text: "SELECT " + model.Quote(column) + " FROM " + model.Quote(w.table)})
	var value raw
	err := session.Query(s.text, s.args...).WithContext(ctx).Consistency(gocql.LocalQuorum).NoSkipMetadata().Scan(&value)
	if errors.Is(err, gocql.ErrNotFound) {
		return false, nil
	}
	return value != nil, err
}
