package migrate

import (
	"context"
	"fmt"
	"time"
)

// agreementTimeout is how long nodes that are up may differ in their schema.
const agreementTimeout = time.Minute

// work does all that is pending.
func (r *run) work(t *lease) error {
	if err := r.enter(t); err != nil {
		return err
	}
	work, err := r.nextStep()
	if work == nil || err != nil {
		return err
	}
	if err := r.agree(t); err != nil {
		return fmt.Errorf("migrate: before %s: %w", work.file.Name, err)
	}
	for work != nil {
		if err := r.do(t, *work); err != nil {
			return err
		}
		if work, err = r.nextStep(); err != nil {
			return err
		}
	}
	if err := r.claim(t); err != nil { // what was dropped belongs to no folder any more
		return err
	}
	r.reportSkipped(t)
	return nil
}

// gocqlx returns the records of what gocqlx has applied, which one folder takes over, while no folder has a record.
func (r *run) gocqlx(t *lease) ([]record, error) {
	if r.state.records.latest().started() || r.state.owners.others(r.folder) {
		return nil, nil
	}
	var applied []gocqlxRecord
	err := retry(t.ctx, "read gocqlx_migrate", func(ctx context.Context) (err error) {
		applied, err = r.db.gocqlx(ctx)
		return err
	})
	switch {
	case err != nil || len(applied) == 0:
		return nil, err
	case !r.config.TakeOverGocqlx:
		return nil, &GocqlxError{Applied: len(applied)}
	}
	return takeOver(r.files, applied, time.Now().UTC())
}

// takeOver records what gocqlx has applied, before anything else is recorded.
func (r *run) takeOver(t *lease, records []record) error {
	if len(records) == 0 {
		return nil
	}
	r.config.Logger.InfoContext(t.ctx, "migrations: taken over from gocqlx", "migrations", len(records))
	return r.record(t, records...)
}

// record writes records and remembers them.
func (r *run) record(t *lease, records ...record) error {
	err := t.write(func(ctx context.Context) (bool, error) { return r.db.finish(ctx, t.lock, records...) })
	if err != nil {
		return err
	}
	for _, one := range records {
		r.state.records[one.number] = one
	}
	return nil
}

// unagreedError is why the nodes were not seen to agree: they do not, or the run was ended before.
type unagreedError struct{ error }

func (e *unagreedError) Unwrap() error { return e.error }

// agree waits until the nodes that are up have one schema. Its error is errLockLost or an *unagreedError.
func (r *run) agree(t *lease) error {
	ctx, cancel := context.WithTimeout(t.ctx, agreementTimeout)
	defer cancel()
	agreed, err := r.db.agree(ctx)
	if t.lost() {
		return errLockLost
	}
	if len(agreed.silent) > 0 {
		r.config.Logger.WarnContext(ctx, "migrations: going on without nodes that do not answer and have another schema", "nodes", agreed.silent)
	}
	switch {
	case err == nil:
		r.version = agreed.version
		return nil
	case t.ctx.Err() != nil:
		err = fmt.Errorf("the run was ended before the nodes were seen to agree: %w", context.Cause(t.ctx))
	}
	return &unagreedError{err}
}
