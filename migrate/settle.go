package migrate

import (
	"context"
	"errors"
	"fmt"
)

// settle waits for all that must be before the next statement: agreement, the
// effect in the schema, the answer of an index.
func (r *run) settle(t *lease, s step, e *effect) error {
	st, _ := s.statement()
	if !st.ChangesSchema() {
		return nil
	}
	if e == nil {
		return r.agree(t)
	}
	there, err := r.awaitEffect(t, e.accepted(), "") // the server said so, or system_schema did
	switch late, ok := errors.AsType[*unagreedError](err); {
	case ok:
		return late
	case err != nil:
		return r.ended(t, s, err)
	case !there:
		return r.failed(t, s, errNoEffect, true)
	case e.index != nil:
		return r.settleIndex(t, s, *e.index)
	}
	return nil
}

// settleIndex returns which other index stands for the one of the statement, and waits until it answers.
func (r *run) settleIndex(t *lease, s step, i index) error {
	built, err := r.indexes(t, i)
	if err != nil {
		return r.ended(t, s, err)
	}
	own, equal, namesake := i.found(built)
	log := r.config.Logger.With("file", s.file.Name, "statement", s.target(), "table", i.table, "column", i.column)
	switch {
	case own != nil:
	case equal != nil:
		log.WarnContext(t.ctx, "migrations: an equal index is there under another name, and the server made no second one", "index", i.name, "there", equal.name)
	case namesake != nil:
		log.WarnContext(t.ctx, "migrations: another index has the name, and the server made no second one", "index", i.name,
			"of", namesake.table+"."+namesake.column, "class", namesake.class)
		return nil
	}
	return r.awaitIndex(t, s, i)
}

// indexes reads the indexes of the keyspace of one.
func (r *run) indexes(t *lease, i index) (built []builtIndex, err error) {
	err = retry(t.ctx, "read system_schema", func(ctx context.Context) (err error) {
		built, err = r.db.indexes(ctx, i.keyspace)
		return err
	})
	return built, err
}

// awaitIndex returns once a read by the index is answered. Building one takes as
// long as it takes; ctx ends it.
func (r *run) awaitIndex(t *lease, s step, i index) error {
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := r.db.answers(t.ctx, i)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, errNoProbe), refused(err):
			r.config.Logger.WarnContext(t.ctx, "migrations: cannot tell whether the index answers yet", "table", i.table, "column", i.column, "error", err)
			return nil
		}
		if !sleep(t.ctx, pause) {
			return r.ended(t, s, fmt.Errorf("wait until the index answers: %w", errors.Join(context.Cause(t.ctx), err)))
		}
	}
}
