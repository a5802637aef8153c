package migrate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/cassaml/cassaml/internal/migrating"
	"github.com/cassaml/cassaml/internal/schemachange"
	"github.com/cassaml/cassaml/internal/wait"
	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/internal/effect"
)

// resends is how often a statement that was certainly not executed is sent again.
const resends = 5

// driverPatience is how long exec still waits for the driver after the nodes that are up agree.
const driverPatience = time.Second

// errNoEffect reports a statement that was accepted and that has no effect in system_schema.
var errNoEffect = errors.New("the server accepted it, but system_schema does not show it")

// do executes a step and records it.
func (r *run) do(t *lease, s step) error {
	r.report(EventApplying, s)
	st, there := s.statement()
	var err error
	switch {
	case s.fill != nil:
		err = r.fillTable(t, s)
	case !there:
	case st.Func != "":
		err = r.callFunc(t, s, st)
	default:
		err = r.send(t, s, withID(s, r.keyspace, r.folder))
	}
	if late, ok := err.(*unagreedError); ok { // a wrapped one is about a statement that may not have been executed, or comes from a function
		return r.recordUnagreed(t, s, late.error)
	}
	if err == nil {
		err = r.recordStep(t, s)
	}
	switch {
	case errors.Is(err, errLockLost):
		return errLockLost
	case err != nil:
		return err
	}
	if s.fill == nil || !r.tried[s.fill.key] {
		r.report(EventApplied, s)
	}
	return nil
}

func (r *run) recordStep(t *lease, s step) error {
	if s.fill != nil {
		return nil
	}
	if err := r.record(t, newRecord(s.file, s.target(), time.Now().UTC())); err != nil {
		return statementError(s, s.record.count(), true, fmt.Errorf("applied, but not recorded: %w", err))
	}
	return nil
}

// recordUnagreed records a statement that was executed although the nodes do not agree, and ends the run: no statement is sent while the
// nodes have different schemas.
func (r *run) recordUnagreed(t *lease, s step, cause error) error {
	if err := r.recordStep(t, s); err != nil {
		return err
	}
	return statementError(s, s.target(), false, fmt.Errorf("applied, but %w", cause))
}

// send has the server execute a statement, and returns nil once this run or an earlier one has executed it. If the outcome is unknown, send
// looks for the effect in the schema, and sends the statement again only if it was not executed.
func (r *run) send(t *lease, s step, text string) error {
	e := effect.Parse(text, r.keyspace)
	there, err := r.holds(t, e)
	if err != nil {
		return r.ended(t, s, err)
	}
	if there && s.begun() {
		return r.resolveOutcome(t, s, e)
	}
	hash := s.file.Statements[s.record.count()].Hash
	if there {
		hash = "" // the effect was there before, so it will not show whether the statement was executed
	}
	before := r.version
	if there {
		before = ""
	}
	st, _ := s.statement()
	for attempt := 1; ; attempt++ {
		sent, err := r.attempt(t, s, text, hash)
		switch {
		case errors.Is(err, errLockLost):
			return errLockLost
		case err == nil:
			return r.resolveOutcome(t, s, e)
		case st.Optional && notApplied(err):
			return nil
		case notRun(err, text) && (s.begun() || attempt > 1):
			// the reason may be an earlier attempt without an answer
			if run, lookErr := r.awaitEffect(t, e, ""); run && lookErr == nil {
				return r.resolveOutcome(t, s, e)
			}
			return r.failed(t, s, err, !refused(err) && e == nil)
		case !sent || notRun(err, text) || e == nil || attempt > resends:
			return r.unanswered(t, s, err, sent && !notRun(err, text))
		}
		r.config.Logger.WarnContext(t.ctx, "migrations: no answer, looking at the schema", "file", s.file.Name, "statement", s.target(), "error", err)
		run, lookErr := r.awaitEffect(t, e, before)
		switch {
		case lookErr != nil:
			return r.unanswered(t, s, errors.Join(err, lookErr), true)
		case run:
			return r.resolveOutcome(t, s, e)
		}
	}
}

// attempt records that the statement is about to be sent, which renews the lock, and sends it. If the process was paused for so long that
// it may have lost the lock, it sends nothing.
func (r *run) attempt(t *lease, s step, text, hash string) (sent bool, err error) {
	if t.ctx.Err() != nil {
		return false, context.Cause(t.ctx)
	}
	asked := time.Now()
	note := record{number: s.file.Number, name: s.file.Name}
	err = t.write(func(ctx context.Context) (bool, error) { return r.db.begin(ctx, t.lock, note, hash) })
	if err != nil {
		return false, err
	}
	t.extend(asked)
	if t.left() <= 0 {
		t.cancel(errLockLost)
		return false, errLockLost
	}
	err = r.exec(t, text)
	if err != nil && t.lost() {
		return true, errLockLost
	}
	return true, err
}

// lastAnswer is how long a run whose context has ended waits for the answer to the statement that it has sent: with the answer it records the
// statement and releases the lock; without it, the lock stays until it expires.
const lastAnswer = 5 * time.Second

// exec sends a statement. After the answer to a statement that changes the schema, the driver waits until all nodes agree, including those
// that are down; exec ends this wait once the nodes that are up agree. If all nodes agree, the driver notices it itself and logs nothing.
func (r *run) exec(t *lease, text string) error {
	ctx, cancel := context.WithTimeout(t.has, r.config.DDLTimeout)
	defer cancel()
	defer context.AfterFunc(t.ctx, func() {
		_ = wait.Sleep(ctx, lastAnswer)
		cancel()
	})()
	answered, done := make(chan struct{}), make(chan error, 1)
	go func() { done <- r.db.exec(ctx, text, sync.OnceFunc(func() { close(answered) })) }()
	select {
	case err := <-done:
		return err
	case <-answered:
	}
	if _, err := r.db.agree(ctx); err != nil {
		r.config.Logger.WarnContext(ctx, "migrations: answered, but not agreed yet", "error", err)
	}
	select {
	case err := <-done:
		return err
	case <-time.After(driverPatience):
	}
	cancel()
	return <-done
}

// awaitEffect waits, for as long as a statement may take, until the schema shows the effect. A schema with the version before is one that
// the nodes do not use yet.
func (r *run) awaitEffect(t *lease, e *effect.Effect, before string) (bool, error) {
	for began := time.Now(); e != nil; {
		if err := r.agree(t); err != nil {
			return false, err
		}
		run, err := r.holds(t, e)
		if run && r.version != before || err != nil || time.Since(began) >= r.config.DDLTimeout {
			return run, err
		}
		if err := wait.Sleep(t.ctx, firstPause); err != nil {
			return false, err
		}
	}
	return false, nil
}

// holds reports whether system_schema shows the effect.
func (r *run) holds(t *lease, e *effect.Effect) (bool, error) {
	switch {
	case e == nil:
		return false, nil
	case e.Index != nil:
		built, err := r.indexes(t, *e.Index)
		return err == nil && e.Index.Holds(built), err
	}
	var names []string
	err := retry(t.ctx, "read system_schema", func(ctx context.Context) (err error) {
		names, err = r.db.names(ctx, *e)
		return err
	})
	return err == nil && e.Holds(names), err
}

// ended returns an error whose cause is not the statement.
func (r *run) ended(t *lease, s step, err error) error {
	if t.lost() {
		return errLockLost
	}
	return statementError(s, s.record.count(), true, err)
}

// unanswered ends the run at a statement that may still take effect. The lock is kept until it expires, so that no other run sends the
// statement at the same time.
func (r *run) unanswered(t *lease, s step, cause error, unknown bool) error {
	r.inFlight = unknown
	return r.failed(t, s, cause, unknown)
}

// failed records why a statement failed, and ends the run.
func (r *run) failed(t *lease, s step, cause error, unknown bool) error {
	if t.lost() {
		return errLockLost
	}
	note := record{number: s.file.Number, name: s.file.Name, failure: recorded(cause)}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), releaseTimeout)
	defer cancel()
	if _, err := r.db.fail(ctx, t.lock, note, !unknown); err != nil {
		r.config.Logger.WarnContext(ctx, "migrations: failure not recorded", "file", s.file.Name, "error", err)
	}
	return statementError(s, s.record.count(), unknown, cause)
}

// statementError returns the error of the step at which a run ends.
func statementError(s step, applied int, unknown bool, err error) error {
	if errors.Is(err, errLockLost) {
		return errLockLost
	}
	st, ok := s.statement()
	if !ok {
		return fmt.Errorf("migrate: %s: record the end of the file: %w", s.file.Name, err)
	}
	return &StatementError{
		File: s.file.Name, Number: st.Number, Total: len(s.file.Statements), Line: st.Line,
		Statement: st.Text, Applied: applied, Unknown: unknown, Err: err,
	}
}

// resolveOutcome waits for everything that the next statement requires: agreement, the effect in the schema, an answer of the index.
func (r *run) resolveOutcome(t *lease, s step, e *effect.Effect) error {
	st, _ := s.statement()
	if !st.ChangesSchema() {
		return nil
	}
	if e == nil {
		return r.agree(t)
	}
	there, err := r.awaitEffect(t, e.Accepted(), "") // the server accepted the statement, or system_schema shows its effect
	switch late, ok := errors.AsType[*unagreedError](err); {
	case ok:
		return late
	case err != nil:
		return r.ended(t, s, err)
	case !there:
		return r.failed(t, s, errNoEffect, true)
	case e.Index != nil:
		return r.resolveIndex(t, s, *e.Index)
	}
	return nil
}

// resolveIndex logs which other index takes the place of the index of the statement, and waits until an index answers.
func (r *run) resolveIndex(t *lease, s step, i effect.Index) error {
	built, err := r.indexes(t, i)
	if err != nil {
		return r.ended(t, s, err)
	}
	own, equal, namesake := i.Find(built)
	log := r.config.Logger.With("file", s.file.Name, "statement", s.target(), "table", i.Table, "column", i.Column)
	switch {
	case own != nil:
	case equal != nil:
		log.WarnContext(t.ctx, "migrations: an equal index is there under another name, and the server made no second one", "index", i.Name, "there", equal.Name)
	case namesake != nil:
		log.WarnContext(t.ctx, "migrations: another index has the name, and the server made no second one", "index", i.Name,
			"of", namesake.Table+"."+namesake.Column, "class", namesake.Class)
		return nil
	}
	return r.awaitIndex(t, s, i)
}

// indexes reads the indexes of the keyspace of an index.
func (r *run) indexes(t *lease, i effect.Index) (built []effect.BuiltIndex, err error) {
	err = retry(t.ctx, "read system_schema", func(ctx context.Context) (err error) {
		built, err = r.db.indexes(ctx, i.Keyspace)
		return err
	})
	return built, err
}

// awaitIndex waits until a read by the index is answered. There is no limit for the time of building an index, other than ctx.
func (r *run) awaitIndex(t *lease, s step, i effect.Index) error {
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := r.db.answers(t.ctx, i)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, errNoProbe), refused(err):
			r.config.Logger.WarnContext(t.ctx, "migrations: cannot tell whether the index answers yet", "table", i.Table, "column", i.Column, "error", err)
			return nil
		}
		if cause := wait.Sleep(t.ctx, pause); cause != nil {
			return r.ended(t, s, fmt.Errorf("wait until the index answers: %w", errors.Join(cause, err)))
		}
	}
}

// maxFailure is the maximum size in bytes of the recorded reason of a failed statement: all records are read at every start.
const maxFailure = 8 << 10

// recorded returns the text of an error in a form that can be recorded. A text of CQL must be UTF-8, which the error of a function may not
// be, and NUL is replaced because it cannot be shown. A text that is too long ends in "…".
func recorded(err error) string {
	text := strings.ReplaceAll(strings.ToValidUTF8(err.Error(), "\uFFFD"), "\x00", "\uFFFD")
	if len(text) <= maxFailure {
		return text
	}
	end := maxFailure - len("…")
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// withID returns the text of a step as it is sent. It adds an id to CREATE TABLE, unless the statement has one. The id is derived from the
// keyspace, the table, the name of the folder and the number of the migration. If a table is dropped and created again by a later
// migration, by another folder or by a later statement of the same file, the new table has another id.
func withID(s step, keyspace, folder string) string {
	st, _ := s.statement()
	ks, table, ok := effect.CreatedTable(st.Text, keyspace)
	if !ok {
		return st.Text
	}
	generation := fmt.Sprint(s.file.Number)
	if again := createdBefore(s, ks, table, keyspace); again > 0 {
		generation += fmt.Sprintf(".%d", again+1)
	}
	if folder != "" {
		generation += "@" + folder
	}
	return effect.InsertID(st.Text, schemachange.TableID(ks+"."+table+"."+generation))
}

// createdBefore returns how many statements before the statement of the step create the same table.
func createdBefore(s step, ks, table, keyspace string) int {
	n := 0
	for _, st := range s.file.Statements[:s.record.count()] {
		if k, t, ok := effect.CreatedTable(st.Text, keyspace); ok && k == ks && t == table {
			n++
		}
	}
	return n
}

// laterFiles returns the files with pending statements, other than the file of the next step.
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

// call calls a function with the context of the run.
func (r *run) call(t *lease, f Func) error {
	ctx := context.WithValue(t.ctx, caller(r.id), true)
	ctx = migrating.WithSerial(ctx, r.config.SerialConsistency)
	return r.db.call(migrating.WithLaterFiles(ctx, r.laterFiles()), f)
}
