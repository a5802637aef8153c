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
	"unicode/utf8"

	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/migrate/folder"
)

// funcError reports a function of [Config.Funcs] that does not match the files.
func funcError(name, format string, args ...any) error {
	return fmt.Errorf("migrate: function %s: "+format, append([]any{name}, args...)...)
}

// isMigrationName reports whether a key is the name of a migration in Go.
func isMigrationName(key string) bool { return regexp.MustCompile(`^[0-9]`).MatchString(key) }

// mergeFuncs adds the migrations in Go to those in files.
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

// missingFuncs reports the functions that pending steps call and the program does not have.
func missingFuncs(files []folder.File, h history, funcs map[string]Func) error {
	var faults []error
	for _, f := range files {
		r := h[f.Number]
		if r.whole() {
			continue
		}
		for _, s := range f.Statements[min(r.count(), len(f.Statements)):] {
			if s.Func != "" && funcs[s.Func] == nil {
				faults = append(faults, funcError(s.Func, "is called by %s:%d and is not in Config.Funcs", f.Name, s.Line))
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

// load returns the migrations of fsys, checked against aml.sum when there is
// one and split, and those in Go, in order.
func load(fsys fs.FS, funcs map[string]Func) ([]folder.File, error) {
	files, err := folder.Read(fsys)
	if err != nil {
		return nil, err
	}
	if files, err = mergeFuncs(files, funcs); err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, noFiles(fsys)
	}
	return files, nil
}

// noFiles returns [ErrNoFiles], and what to do where a folder below the root has migrations.
func noFiles(fsys fs.FS) error {
	for _, pattern := range []string{"*/*" + folder.Extension, "*/*/*" + folder.Extension} {
		found, err := fs.Glob(fsys, pattern)
		if err != nil {
			return errors.Join(ErrNoFiles, err)
		}
		for _, name := range found {
			if _, err := folder.Number(path.Base(name)); err == nil {
				return fmt.Errorf("%w, and its folder %s does: give migrate.Up what fs.Sub(f, %q) returns", ErrNoFiles, path.Dir(name), path.Dir(name))
			}
		}
	}
	return ErrNoFiles
}

// BackfillError reports a backfill that failed. What it had saved is kept, and
// the next [Up] goes on there.
type BackfillError struct {
	File  string // that asks for it
	Table string
	From  string // the mark that was saved last
	Err   error
}

func (e *BackfillError) Error() string {
	return fmt.Sprintf("migrate: %s: backfill of %s, from mark %.200q: %v", e.File, e.Table, e.From, e.Err)
}

func (e *BackfillError) Unwrap() error { return e.Err }

// ErrNested reports a call of [Up] by a function or backfill of a run of Up in the same keyspace. It would wait until the
// run is done, which waits for the function.
var ErrNested = errors.New("migrate: Up is called by a function of a run of Up in the same keyspace, and would wait for itself: " +
	"return from the function first; what is to follow it is a step of the same folder")

// caller is a key of the context that the functions of a run get: its id.
type caller string

// call runs a function of the run.
func (r *run) call(t *lease, f Func) error {
	return r.db.call(context.WithValue(t.ctx, caller(r.id), true), f)
}

// calledBy reports whether ctx is of a function that the run calls, however deep.
func calledBy(ctx context.Context, id string) bool { return ctx.Value(caller(id)) != nil }

// callFunc runs a migration in Go.
func (r *run) callFunc(t *lease, s step, st folder.Statement) error {
	if err := r.call(t, r.config.Funcs[st.Func]); err != nil {
		return r.failed(t, s, err, true)
	}
	return r.agree(t)
}

// fillTable runs a backfill from where it was left.
func (r *run) fillTable(t *lease, s step) error {
	f := *s.fill
	save := func(from string) error {
		if err := checkMark(from); err != nil {
			return err
		}
		f.from = from
		return r.saveFill(t, f)
	}
	err := r.call(t, func(ctx context.Context, session gocqlx.Session) error {
		return r.config.Backfills[f.key.table](ctx, session, f.from, save)
	})
	switch {
	case t.lost():
		return errLockLost
	case err == nil:
		f.done = true
		err = r.saveFill(t, f)
	}
	if err != nil && !errors.Is(err, errLockLost) {
		return &BackfillError{File: f.name, Table: f.key.table, From: r.state.fills[f.key].from, Err: err}
	}
	return err
}

// maxMark is how many bytes a mark has at most. All marks are read at every start; one of some megabytes, which is written
// and agreed on like any record, can stop a node.
const maxMark = 1<<16 - 1

// checkMark refuses a mark that cannot be recorded, before it is sent.
func checkMark(mark string) error {
	why := ""
	at := strings.IndexByte(mark, 0)
	switch {
	case len(mark) > maxMark:
		why = fmt.Sprintf("has %d bytes", len(mark))
	case !utf8.ValidString(mark):
		why = "is not UTF-8"
	case at >= 0:
		why = fmt.Sprintf("has NUL as its byte %d", at+1)
	default:
		return nil
	}
	return fmt.Errorf("the mark that is to be saved %s: a mark is UTF-8 without NUL, of at most %d bytes; encode a key in hex, and save no more than where to go on", why, maxMark)
}

// saveFill records how far a backfill has got.
func (r *run) saveFill(t *lease, f fill) error {
	err := t.write(func(ctx context.Context) (bool, error) { return r.db.save(ctx, t.lock, f) })
	if err == nil {
		r.state.fills[f.key] = f
	}
	return err
}

// reportSkipped logs the backfills that this run has no function for. A backfill of a table that does not exist is not one of them.
func (r *run) reportSkipped(t *lease) {
	for _, f := range fillsIn(r.files, r.state.fills) {
		log := r.config.Logger.With("file", f.name, "table", f.key.table)
		switch there, err := r.holds(t, &effect{object: tableObject, keyspace: r.keyspace, name: f.key.table, some: true}); {
		case err != nil:
			log.WarnContext(t.ctx, "migrations: backfill left open, and cannot tell whether its table is there", "error", err)
		case there:
			log.WarnContext(t.ctx, "migrations: backfill left to a run that has a function for it: give migrate.Config.Backfills the Backfills() of the generated package")
		default:
			log.InfoContext(t.ctx, "migrations: backfill skipped, there is no such table")
		}
	}
}

// report sends an event to the logger and to the caller.
func (r *run) report(kind EventKind, s step) {
	e := Event{Kind: kind, Epoch: r.state.epoch, Folder: r.folder, File: s.file.Name, Number: s.target(), Total: len(s.file.Statements)}
	if st, ok := s.statement(); ok {
		e.Line, e.Statement = st.Line, st.Text
	}
	if s.fill != nil {
		e.Number, e.Line, e.Statement = 0, 0, "-- aml:backfill "+s.fill.key.table
	}
	r.config.Logger.Info("migration "+string(kind), "file", e.File, "line", e.Line, "statement", e.Number, "of", e.Total, "text", folder.Statement{Text: e.Statement}.Headline(), "epoch", e.Epoch)
	if r.config.Progress != nil {
		r.config.Progress(e)
	}
}
