package migrate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
)

// Config configures [Up]. The zero value works.
type Config struct {
	// Logger is told of every statement applied and of waiting. Without one
	// nothing is logged.
	Logger *slog.Logger
	// Progress is called, by one goroutine, before and after each statement and
	// when a run begins to wait for another.
	Progress func(Event)
	// StatementTimeout bounds one statement together with the agreement of all
	// nodes on its outcome. 0 means one minute.
	StatementTimeout time.Duration
}

// EventKind says what an [Event] reports.
type EventKind string

const (
	Applying EventKind = "applying" // a statement is about to be sent
	Applied  EventKind = "applied"  // a statement is recorded as applied
	Waiting  EventKind = "waiting"  // another run is at the statement
)

// Event is a moment in a run of [Up].
type Event struct {
	Kind      EventKind
	File      string
	Number    int    // of the statement in its file, from 1
	Total     int    // statements in the file
	Line      int    // of the statement in its file, from 1
	Statement string // empty where only the end of a file is recorded
}

// Up applies the migrations of fsys that are pending in the keyspace of the
// session: the files NNNN_name.cql in its root, in the order of their numbers,
// statement after statement. Numbers may have gaps. Other files are ignored,
// except that files which do not match an aml.sum beside them are refused
// (*[SumError]).
//
// What is applied is recorded statement by statement in the table aml_migrations
// of the keyspace, which Up creates. With nothing pending Up sends one read and
// no other request.
//
// Any number of Up may run at once, on any number of machines: before a
// statement is sent, a conditional write claims it, so that one of them applies
// it while the others wait, read again and go on behind it. A claim lapses when
// its holder has not finished StatementTimeout and thirty seconds later; a run
// that was killed holds up the others as long. Waiting ends with ctx.
//
// Refused before anything is sent are files that cannot be read or ordered
// (*[NameError], *[SyntaxError], [ErrNoFiles]); refused before anything is
// applied is a folder that contradicts the record: an applied file that was
// edited or renamed (*[ChangedError]), one that is gone while newer files are
// there (*[MissingError]), one that comes before an applied one and never was
// (*[OrderError]). Comments count as part of a file once all of it is applied.
// Applied migrations newer than every file are accepted: a database ahead of an
// old replica is normal while a new version is rolled out.
//
// A statement that fails ends the run with a *[StatementError]. Nothing is
// rolled back. The statements before it stay recorded, and the next Up goes on
// with the one that failed, which may be edited until it succeeds, and so may
// those behind it.
//
// Between a statement and its record a process can die, a request can time out
// or ctx can end; StatementError.Unknown says so where it can. The next Up sends
// that statement again. Write statements that a repeat does not harm: CREATE …
// IF NOT EXISTS, ALTER TABLE … ADD IF NOT EXISTS, DROP … IF EXISTS; no counter
// updates.
//
// After each CREATE, ALTER and DROP Up waits until all nodes agree on the
// schema. Where they do not in time, the statement is recorded, Up returns a
// *StatementError that wraps an *[AgreementError], and the next Up that has
// something to apply begins with that wait.
func Up(ctx context.Context, session gocqlx.Session, fsys fs.FS, config Config) error {
	files, err := load(fsys)
	if err != nil {
		return err
	}
	t := table{session: session}
	if t.keyspace() == "" {
		return ErrNoKeyspace
	}
	return newRun(t, files, config).up(ctx)
}

const (
	defaultTimeout = time.Minute
	// recordTimeout bounds the writing of a record after its statement.
	recordTimeout = 10 * time.Second
	// leaseMargin is what a claim outlasts its statement by. It covers
	// recordTimeout twice and the rounding of a TTL to seconds.
	leaseMargin = 30 * time.Second
	firstPause  = 100 * time.Millisecond
	longestWait = 2 * time.Second
)

// run is one call of Up.
type run struct {
	db      database
	files   []file
	config  Config
	log     *slog.Logger
	id      string // who this run is, in claims
	history history
	pause   time.Duration // before the next look at what another run does; 0: not waiting
}

func newRun(db database, files []file, config Config) *run {
	if config.StatementTimeout <= 0 {
		config.StatementTimeout = defaultTimeout
	}
	log := config.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &run{db: db, files: files, config: config, log: log, id: gocql.MustRandomUUID().String()}
}

// up looks whether anything is pending, at the price of one plain read, and if
// so, or if the files are refused, decides anew on a serial read.
func (r *run) up(ctx context.Context) error {
	err := r.refresh(ctx, false)
	if errors.Is(err, errNoTable) {
		err = r.create(ctx)
	}
	if err != nil {
		return err
	}
	if s, err := next(r.files, r.history); s == nil && err == nil {
		return nil
	}
	return r.apply(ctx)
}

func (r *run) create(ctx context.Context) error {
	if err := r.db.create(ctx); err != nil {
		return fmt.Errorf("migrate: create aml_migrations: %w", err)
	}
	return nil
}

// apply takes step after step until none is left.
func (r *run) apply(ctx context.Context) error {
	if err := r.refresh(ctx, true); err != nil {
		return err
	}
	s, err := next(r.files, r.history)
	if s == nil || err != nil {
		return err
	}
	if err := r.agree(ctx, *s); err != nil {
		return err
	}
	for s != nil {
		if err := r.take(ctx, *s); err != nil {
			return err
		}
		if s, err = next(r.files, r.history); err != nil {
			return err
		}
	}
	return nil
}

// agree waits for what an earlier run may have left unsettled.
func (r *run) agree(ctx context.Context, s step) error {
	ctx, cancel := context.WithTimeout(ctx, r.config.StatementTimeout)
	defer cancel()
	if err := r.db.agree(ctx); err != nil {
		return fmt.Errorf("migrate: before %s: %w", s.file.name, err)
	}
	return nil
}

// refresh reads what is recorded.
func (r *run) refresh(ctx context.Context, serial bool) error {
	records, err := r.db.read(ctx, serial)
	if err != nil {
		return fmt.Errorf("migrate: read aml_migrations: %w", err)
	}
	r.history = newHistory(records)
	return nil
}

// take claims a step and does it, or waits for the run that has it.
func (r *run) take(ctx context.Context, s step) error {
	deadline := time.Now().Add(r.config.StatementTimeout)
	claimed, err := r.claim(ctx, s)
	if err != nil {
		return err
	}
	if !claimed {
		return r.wait(ctx, s)
	}
	r.pause = 0
	return r.do(ctx, s, deadline)
}

// claim enters this run in the record of the step's file. After an error the
// write may have happened; a serial read settles it.
func (r *run) claim(ctx context.Context, s step) (bool, error) {
	claimed, err := r.db.claim(ctx, s.record, r.id, r.config.StatementTimeout+leaseMargin)
	if err == nil {
		return claimed, nil
	}
	if refused(err) || ctx.Err() != nil {
		return false, fmt.Errorf("migrate: %s: claim statement %d: %w", s.file.name, s.target(), err)
	}
	if err := r.refresh(ctx, true); err != nil {
		return false, err
	}
	return r.history[s.file.number].runner == r.id, nil
}

// wait lets some time pass and reads again.
func (r *run) wait(ctx context.Context, s step) error {
	if r.pause == 0 {
		r.pause = firstPause
		r.report(Waiting, s)
	}
	select {
	case <-ctx.Done():
		return fmt.Errorf("migrate: %s: wait for another run: %w", s.file.name, context.Cause(ctx))
	case <-time.After(r.pause):
	}
	r.pause = min(2*r.pause, longestWait)
	return r.refresh(ctx, true)
}

// do applies the statement of a claimed step and records it.
func (r *run) do(ctx context.Context, s step, deadline time.Time) error {
	r.report(Applying, s)
	agreed, err := r.send(ctx, s, deadline)
	if err != nil {
		return r.failed(ctx, s, err)
	}
	now := after(s.file, s.target(), time.Now().UTC())
	recorded, err := r.finish(ctx, s, now)
	switch {
	case err != nil:
		return statementError(s, s.record.count(), true, fmt.Errorf("applied, but not recorded: %w", err))
	case !recorded:
		r.log.WarnContext(ctx, "claim lapsed before the statement was recorded", "file", s.file.name, "statement", s.target())
		return nil
	case agreed != nil:
		return statementError(s, now.count(), false, fmt.Errorf("applied, but %w", agreed))
	}
	r.report(Applied, s)
	return nil
}

// send has the server run the statement of a step. The first error says that
// the nodes do not agree on its outcome, the second that the statement failed.
func (r *run) send(ctx context.Context, s step, deadline time.Time) (agreed, err error) {
	st, ok := s.statement()
	if !ok {
		return nil, nil
	}
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	if err := r.db.exec(ctx, st.Text); err != nil {
		return nil, err
	}
	if !st.changesSchema() {
		return nil, nil
	}
	return r.db.agree(ctx), nil
}

// finish records a step, also when ctx has ended. It returns false where the
// claim has lapsed and another run is at the step. An attempt of unknown outcome
// is repeated: its condition can hold only once, and then the record shows it.
func (r *run) finish(ctx context.Context, s step, now record) (bool, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	var cause error
	for {
		known, recorded, err := r.tryFinish(ctx, s, now)
		if known {
			return recorded, err
		}
		if cause == nil {
			cause = err
		}
		if !sleep(ctx, firstPause) {
			return false, cause
		}
	}
}

// tryFinish writes the record of a step once. Where the answer does not tell,
// it reads; known is false where that does not tell either.
func (r *run) tryFinish(ctx context.Context, s step, now record) (known, recorded bool, err error) {
	recorded, err = r.db.finish(ctx, s.record, now, r.id)
	if recorded {
		r.history[now.number] = now
	}
	if recorded || refused(err) {
		return true, recorded, err
	}
	if read := r.refresh(ctx, true); read != nil {
		return false, false, errors.Join(err, read)
	}
	if r.history[now.number].holds(now) {
		return true, true, nil
	}
	return err == nil, false, err
}

// failed notes why a statement failed and ends the run. Where the statement may
// still take effect the claim stays until it lapses, so that no other run sends
// the statement into it.
func (r *run) failed(ctx context.Context, s step, cause error) error {
	certain := refused(cause)
	note := record{number: s.file.number, name: s.file.name, failure: cause.Error()}
	detached, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	if err := r.db.fail(detached, note, r.id, certain); err != nil {
		r.log.WarnContext(ctx, "failure not recorded", "file", s.file.name, "error", err)
	}
	return statementError(s, s.record.count(), !certain, cause)
}

// statementError reports a step at which a run ends.
func statementError(s step, applied int, unknown bool, err error) error {
	st, ok := s.statement()
	if !ok {
		return fmt.Errorf("migrate: %s: record the end of the file: %w", s.file.name, err)
	}
	return &StatementError{
		File: s.file.name, Number: st.Number, Total: len(s.file.statements), Line: st.Line,
		Statement: st.Text, Applied: applied, Unknown: unknown, Err: err,
	}
}

// report tells logger and caller of a moment of the run.
func (r *run) report(kind EventKind, s step) {
	st, _ := s.statement()
	r.log.Info("migration "+string(kind), "file", s.file.name, "line", st.Line,
		"statement", s.target(), "of", len(s.file.statements))
	if r.config.Progress != nil {
		r.config.Progress(Event{
			Kind: kind, File: s.file.name, Number: s.target(), Total: len(s.file.statements),
			Line: st.Line, Statement: st.Text,
		})
	}
}

// sleep reports whether the time passed before ctx ended.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
