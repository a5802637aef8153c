package migrate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/internal/migrating"
	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/internal/effect"
)

// funcError reports a function of [Config.Funcs] that does not match the files.
func funcError(name, format string, args ...any) error {
	return fmt.Errorf("migrate: function %s: "+format, append([]any{name}, args...)...)
}

// isMigrationName reports whether a key is the name of a migration in Go.
func isMigrationName(key string) bool { return regexp.MustCompile(`^[0-9]`).MatchString(key) }

// mergeFuncs adds the migrations in Go to the files.
func mergeFuncs(files []folder.File, funcs map[string]Func) ([]folder.File, error) {
	var faults []error
	called := calledFuncs(files)
	for _, key := range slices.Sorted(maps.Keys(funcs)) {
		switch {
		case funcs[key] == nil:
			faults = append(faults, funcError(key, "is nil"))
		case isMigrationName(key):
			f, err := folder.InGo(key)
			files, faults = append(files, f), append(faults, err)
		case !called[key]:
			faults = append(faults, funcError(key, "no file calls it with -- aml:func %s, and it is not named NNNN_name, "+
				"which would make it a separate migration", key))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return folder.InOrder(files)
}

// missingFuncs returns an error for the functions that pending steps call and that the program does not have.
func missingFuncs(files []folder.File, h history, config Config) error {
	var faults []error
	for _, f := range files {
		r := h[f.Number]
		if r.whole() {
			continue
		}
		for _, s := range f.Statements[min(r.count(), len(f.Statements)):] {
			if s.Func != "" && config.Funcs[s.Func] == nil && config.Backfills[s.Func] == nil {
				faults = append(faults, funcError(s.Func, "is called by %s:%d and is in neither Config.Funcs nor Config.Backfills", f.Name, s.Line))
			}
		}
	}
	return errors.Join(faults...)
}

func calledFuncs(files []folder.File) map[string]bool {
	called := map[string]bool{}
	for _, f := range files {
		for _, s := range f.Statements {
			called[s.Func] = true
		}
	}
	return called
}

// load returns the migrations of fsys, split and, if there is an aml.sum, checked against it, and the migrations in Go, in order.
func load(fsys fs.FS, funcs map[string]Func) ([]folder.File, error) {
	files, err := folder.Read(fsys)
	if err != nil {
		return nil, err
	}
	if err := wrongRoot(fsys, files, funcs); err != nil {
		return nil, err
	}
	return mergeFuncs(files, funcs)
}

// wrongRoot returns the error of noFiles if there are no files, unless all migrations are functions. It comes before the errors of functions
// that no file calls, because their cause is then the same.
func wrongRoot(fsys fs.FS, files []folder.File, funcs map[string]Func) error {
	if len(files) > 0 {
		return nil
	}
	err := noFiles(fsys)
	if err == ErrNoFiles && len(onlyMigrations(funcs)) > 0 { // a wrapped one has the folder
		return nil
	}
	return err
}

// missingBackfills returns an error for the backfills that pending files request, if Config.Backfills is nil and Config.NoBackfills is not
// set. A backfill whose table a later statement drops is not needed.
func missingBackfills(files []folder.File, h history, keyspace string, config Config) error {
	if config.Backfills != nil || config.NoBackfills {
		return nil
	}
	var faults []error
	for i, f := range files {
		for _, table := range f.Backfills {
			if !h[f.Number].whole() && !droppedIn(files[i:], keyspace, table) {
				faults = append(faults, fmt.Errorf("migrate: %s requests a backfill of %s, and Config.Backfills is nil: set it to Backfills() of the generated package, "+
					"or set Config.NoBackfills if another program runs the backfills", f.Name, table))
			}
		}
	}
	return errors.Join(faults...)
}

// droppedIn reports whether a statement drops a table.
func droppedIn(files []folder.File, keyspace, table string) bool {
	for _, f := range files {
		for _, s := range f.Statements {
			if e := effect.Parse(s.Text, keyspace); s.Func == "" && e != nil && e.Object == effect.TableObject && e.None && e.Keyspace == keyspace && e.Name == table {
				return true
			}
		}
	}
	return false
}

// noFiles returns [ErrNoFiles] and, if a folder below the root has migrations, what to do.
func noFiles(fsys fs.FS) error {
	for _, pattern := range []string{"*/*" + folder.Extension, "*/*/*" + folder.Extension} {
		found, err := fs.Glob(fsys, pattern)
		if err != nil {
			return errors.Join(ErrNoFiles, err)
		}
		for _, name := range found {
			if _, err := folder.Number(path.Base(name)); err == nil {
				return fmt.Errorf("%w, but its folder %s has: call migrate.Up with the result of fs.Sub(f, %q)", ErrNoFiles, path.Dir(name), path.Dir(name))
			}
		}
	}
	return ErrNoFiles
}

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

// ErrNested reports a call of [Up] by a function or backfill of another run of Up in the same keyspace. It would wait for the end of that
// run, which waits for the function.
var ErrNested = errors.New("migrate: a function of a run of Up calls Up in the same keyspace, which would wait for itself: " +
	"return from the function first; write the work that follows as further steps of the same folder")

// caller is the key, with the id of a run, in the context of the functions that the run calls.
type caller string

// call calls a function with the context of the run.
func (r *run) call(t *lease, f Func) error {
	ctx := context.WithValue(t.ctx, caller(r.id), true)
	return r.db.call(migrating.WithLater(ctx, r.laterFiles()), f)
}

// laterFiles returns the files with pending statements, other than that of the next step.
func (r *run) laterFiles() (names []string) {
	first := true
	for _, f := range r.files {
		if r.state.records[f.Number].whole() {
			continue
		}
		if !first {
			names = append(names, f.Name)
		}
		first = false
	}
	return names
}

// calledBy reports whether ctx belongs to a function that the run calls, directly or indirectly.
func calledBy(ctx context.Context, id string) bool { return ctx.Value(caller(id)) != nil }

// callFunc calls a migration in Go. One of Config.Backfills continues from its checkpoint.
func (r *run) callFunc(t *lease, s step, st folder.Statement) error {
	f := r.config.Funcs[st.Func]
	if f == nil {
		f = r.resumed(t, s, st)
	}
	if err := r.call(t, f); err != nil {
		return r.failed(t, s, err, true)
	}
	return r.agree(t)
}

// resumed returns a function of Config.Backfills that begins after its checkpoint. The checkpoint is recorded like that of a
// backfill. It is removed at the end, because the file can call the function again.
func (r *run) resumed(t *lease, s step, st folder.Statement) Func {
	at := r.state.fills[fillKey{s.file.Number, st.Func}]
	at.key, at.name = fillKey{s.file.Number, st.Func}, s.file.Name
	if at.refused != "" { // of an earlier call in the file, which has ended
		at.from, at.refused = "", ""
	}
	save := r.saver(t, s, &at)
	return func(ctx context.Context, session gocqlx.Session) error {
		err := r.config.Backfills[st.Func](ctx, session, at.from, save)
		switch over := passedOver(err); {
		case over != nil:
			return r.leaveOpen(t, at, over)
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
			r.config.Logger.InfoContext(t.ctx, "migration filling", "file", f.name, "table", f.key.table, "checkpoint", from, "checkpoints", saved, "for", reported.Sub(began))
			r.notify(Filling, s)
		}
		return nil
	}
}

// progressPause is the time between two reports of the progress of a backfill.
const progressPause = 10 * time.Second

// partial is the error of a backfill that has written all rows except those that it has passed over, such as a *mapper.RefusedRowsError.
type partial interface {
	error
	PassedOver() int
}

// passedOver returns the partial of an error, which may be wrapped, but not together with another error; nil if there is none.
func passedOver(err error) partial {
	for ; err != nil; err = errors.Unwrap(err) {
		if p, ok := err.(partial); ok { // errors.As also finds it if it is joined with another error
			return p
		}
	}
	return nil
}

// leaveOpen records the rows that a backfill has passed over. The backfill stays open, and a later run calls it again.
func (r *run) leaveOpen(t *lease, f fill, over partial) error {
	f.refused = recorded(over)
	if err := r.saveFill(t, f); err != nil {
		return err
	}
	r.tried[f.key] = true
	r.config.Logger.WarnContext(t.ctx, "migrations: backfill stays open, the next run of Up continues it", "file", f.name, "table", f.key.table,
		"rows", over.PassedOver(), "error", over)
	return nil
}

// fillTable runs a backfill from its last checkpoint.
func (r *run) fillTable(t *lease, s step) error {
	f := *s.fill
	save := r.saver(t, s, &f)
	err := r.call(t, func(ctx context.Context, session gocqlx.Session) error {
		return r.config.Backfills[f.key.table](ctx, session, f.from, save)
	})
	switch over := passedOver(err); {
	case t.lost():
		return errLockLost
	case over != nil:
		err = r.leaveOpen(t, f, over)
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

// report sends an event to the logger and to the caller.
func (r *run) report(kind EventKind, s step) {
	e := r.notify(kind, s)
	r.config.Logger.Info("migration "+string(kind), "file", e.File, "line", e.Line, "statement", e.Number, "of", e.Total, "text", folder.Statement{Text: e.Statement}.Headline(), "epoch", e.Epoch)
}

// notify sends an event to the caller.
func (r *run) notify(kind EventKind, s step) Event {
	e := Event{Kind: kind, Epoch: r.state.epoch, Folder: r.folder, File: s.file.Name, Number: s.target(), Total: len(s.file.Statements)}
	if st, ok := s.statement(); ok {
		e.Line, e.Statement = st.Line, st.Text
	}
	if s.fill != nil {
		e.Number, e.Line, e.Statement = 0, 0, "-- aml:backfill "+s.fill.key.table
	}
	if r.config.Progress != nil {
		r.config.Progress(e)
	}
	return e
}
