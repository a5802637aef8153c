package migrate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cassaml/cassaml/internal/checkpointtext"
	"github.com/cassaml/cassaml/mapper/driver"

	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/internal/effect"
)

// BackfillError reports a backfill that failed. The next [Up] continues from the last saved checkpoint.
type BackfillError struct {
	File  string // the file that requests it
	Table string
	From  string // the last saved checkpoint
	Err   error
}

func (e *BackfillError) Error() string {
	return fmt.Sprintf("migrate: %s: backfill of %s, from checkpoint %.200q: %v", e.File, e.Table, e.From, e.Err)
}

func (e *BackfillError) Unwrap() error { return e.Err }

// resumed returns a function of Config.Backfills that begins after its checkpoint. The checkpoint is recorded like the checkpoint
// of a backfill. It is removed at the end, because the file can call the function again.
func (r *run) resumed(t *lease, s step, st folder.Statement) Func {
	at := r.state.fills[fillKey{s.file.Number, st.Func}]
	at.key, at.name = fillKey{s.file.Number, st.Func}, s.file.Name
	if at.refused != "" { // an earlier call in the file has skipped these rows, and has ended
		at.from, at.refused = "", ""
	}
	save := r.saver(t, s, &at)
	return func(ctx context.Context, session driver.Session) error {
		err := r.config.Backfills[st.Func](ctx, session, at.from, save)
		switch skipped := findPartial(err); {
		case skipped != nil:
			return r.leaveOpen(t, at, skipped)
		case err != nil || at.from == "":
			return err
		}
		return save("")
	}
}

// saver returns a function that saves the checkpoints of a backfill.
func (r *run) saver(t *lease, s step, f *fill) func(from string) error {
	began, saved := time.Now(), 0
	reported := began
	return func(from string) error {
		if err := checkCheckpoint(from); err != nil {
			return err
		}
		f.from = from
		if err := r.saveFill(t, *f); err != nil {
			return err
		}
		saved++
		if time.Since(reported) >= progressPause {
			reported = time.Now()
			r.reportFilling(t, s, *f, saved, reported.Sub(began))
		}
		return nil
	}
}

// reportFilling logs the progress of a backfill, and sends it to the caller.
func (r *run) reportFilling(t *lease, s step, f fill, saved int, since time.Duration) {
	e := r.newEvent(EventFilling, s)
	e.Checkpoint, e.Checkpoints = f.from, saved
	log := r.config.Logger
	if part, ok := checkpointtext.Share(f.from); ok {
		e.Percent = math.Round(1000*part) / 10
		log = log.With("percent", e.Percent)
	}
	log.InfoContext(t.ctx, "migration filling", "file", f.name, "table", f.key.table, "checkpoint", f.from, "checkpoints", saved, "for", since)
	r.notify(e)
}

// progressPause is the time between two reports of the progress of a backfill.
const progressPause = 10 * time.Second

// partial is the error of a backfill that has written all rows except those that it has skipped, such as a *mapper.RefusedRowsError.
type partial interface {
	error
	Skipped() int
}

// findPartial returns the partial of an error, which may be wrapped, but not together with another error; nil if the error has no partial.
func findPartial(err error) partial {
	for ; err != nil; err = errors.Unwrap(err) {
		if p, ok := err.(partial); ok { // errors.As also finds it if it is joined with another error
			return p
		}
	}
	return nil
}

// leaveOpen records the rows that a backfill has skipped. The backfill stays open, and a later run calls it again.
func (r *run) leaveOpen(t *lease, f fill, skipped partial) error {
	f.refused = recorded(skipped)
	if err := r.saveFill(t, f); err != nil {
		return err
	}
	r.tried[f.key] = true
	r.config.Logger.WarnContext(t.ctx, "migrations: backfill stays open, the next run of Up continues it", "file", f.name, "table", f.key.table,
		"rows", skipped.Skipped(), "error", skipped)
	return nil
}

// fillTable runs a backfill from its last checkpoint.
func (r *run) fillTable(t *lease, s step) error {
	f := *s.fill
	save := r.saver(t, s, &f)
	err := r.call(t, func(ctx context.Context, session driver.Session) error {
		return r.config.Backfills[f.key.table](ctx, session, f.from, save)
	})
	switch skipped := findPartial(err); {
	case t.lost():
		return errLockLost
	case skipped != nil:
		err = r.leaveOpen(t, f, skipped)
	case err == nil:
		f.done, f.refused = true, ""
		err = r.saveFill(t, f)
	}
	if err != nil && !errors.Is(err, errLockLost) {
		return &BackfillError{File: f.name, Table: f.key.table, From: r.state.fills[f.key].from, Err: err}
	}
	return err
}

// maxCheckpoint is the maximum size of a checkpoint in bytes. All checkpoints are read at every start, and a record of some megabytes,
// which is written by Paxos like any other, can stop a node.
const maxCheckpoint = 1<<16 - 1

// checkCheckpoint refuses a checkpoint that cannot be recorded, before it is sent.
func checkCheckpoint(checkpoint string) error {
	why := ""
	at := strings.IndexByte(checkpoint, 0)
	switch {
	case len(checkpoint) > maxCheckpoint:
		why = fmt.Sprintf("has %d bytes", len(checkpoint))
	case !utf8.ValidString(checkpoint):
		why = "is not UTF-8"
	case at >= 0:
		why = fmt.Sprintf("has NUL as byte %d", at+1)
	default:
		return nil
	}
	return fmt.Errorf("the checkpoint %s: a checkpoint is UTF-8 without NUL, of at most %d bytes; encode a key in hex, and save only the position from which to continue", why, maxCheckpoint)
}

// saveFill records the progress of a backfill.
func (r *run) saveFill(t *lease, f fill) error {
	err := t.write(func(ctx context.Context) (bool, error) { return r.db.save(ctx, t.lock, f) })
	if err == nil {
		r.state.fills[f.key] = f
	}
	return err
}

// reportSkipped logs the backfills that this run has no function for, with a warning if their table exists.
func (r *run) reportSkipped(t *lease) {
	for _, f := range fillsIn(r.files, r.state.fills) {
		if r.tried[f.key] {
			continue // reported
		}
		log := r.config.Logger.With("file", f.name, "table", f.key.table)
		switch there, err := r.holds(t, &effect.Effect{Object: effect.TableObject, Keyspace: r.keyspace, Name: f.key.table, Some: true}); {
		case err != nil:
			log.WarnContext(t.ctx, "migrations: backfill left to another run, and unknown whether its table exists", "error", err)
		case there:
			log.WarnContext(t.ctx, "migrations: backfill left to a run that has a function for it: set migrate.Config.Backfills to Backfills() of the generated package")
		default:
			log.InfoContext(t.ctx, "migrations: backfill skipped, its table does not exist")
		}
	}
}
