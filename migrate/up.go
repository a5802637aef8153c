package migrate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/migrate/folder"
)

const (
	firstPause     = 100 * time.Millisecond
	longestPause   = time.Second
	releaseTimeout = 10 * time.Second
	// patience is how long a request that is safe to repeat is repeated.
	patience = 30 * time.Second
)

// Up applies the migrations of fsys that are pending in the keyspace of the
// session: the files NNNN_name.cql in its root and [Config.Funcs], in the order
// of their numbers, statement after statement, and then [Config.Backfills].
// Numbers may have gaps. Other files are ignored, except that files which do not
// match an aml.sum beside them are refused (*[folder.SumError]).
//
// What is applied is recorded statement by statement in the table aml_migrations
// of the keyspace, which Up creates. With nothing pending Up sends one read and
// no other request, and takes no lock.
//
// Any number of Up may run at once, on any number of machines: one has the lock
// and applies what is pending, the others wait until it is done. A run that is
// killed holds the others up until Config.LockTTL has passed, and then one of
// them goes on behind the last statement recorded. Waiting ends with ctx.
//
// Refused before anything is sent are files that cannot be read or ordered
// (*[folder.NameError], *[folder.SyntaxError], [ErrNoFiles]), files without a statement or
// directive, statements that no migration can have (bind markers, reserved tables,
// USE, SELECT, DESCRIBE, LIST, BEGIN TRANSACTION; *[folder.SyntaxError]) and functions that do not fit
// them (*[FuncError]). Refused before anything is applied are pending calls of
// functions that are not there (*[FuncError]), misspelt directives in files of
// which something is pending (*[folder.SyntaxError], see [folder.Misspelling]), and a folder
// that contradicts the record: an applied file that was edited or renamed
// (*[ChangedError]), one that is gone while newer files are there
// (*[MissingError]), one that comes before an applied one and never was
// (*[OrderError]); and a keyspace that gocqlx has migrated (*[GocqlxError]).
// Where several packages share a keyspace each has its own folder ([folder.Name])
// and records, under the one lock. Refused before anything is applied are a
// record that is of another folder (*[FolderError]), a statement on a table, type
// or index that belongs to another folder (*[OwnerError]), and a type of another
// folder that lacks what this folder needs (*[SharedError]).
// Refused, too, is Up with the context of a function that another run of it in
// the same keyspace calls ([ErrNested]).
// Comments count as part of a file once all of it is applied. Applied migrations
// newer than every file are accepted: a database ahead of an old replica is
// normal while a new version is rolled out.
//
// CREATE TABLE is sent WITH an ID that follows from the names of keyspace and
// table and the number of the migration, unless it names one. After each
// statement that changes the schema Up waits until all nodes that are up agree,
// and after CREATE INDEX until a read by the index is answered. Where IF NOT
// EXISTS kept the server from making an index, because an equal one is there
// under another name or another index has the name, the log says which.
//
// A conditional statement that is not applied fails with a *[NotAppliedError],
// unless a line -- aml:optional precedes it.
//
// A statement that fails ends the run with a *[StatementError]. Nothing is
// rolled back. The statements before it stay recorded, and the next Up goes on
// with the one that failed, which may be edited until it succeeds, and so may
// those behind it.
//
// A request can end without an answer, and a process can die between a
// statement and its record. Then system_schema says whether a CREATE, ALTER or
// DROP was run, and it is sent again only if it was not. Of data, table
// properties, functions of CQL and Go, nothing can say so: without an answer Up
// ends with StatementError.Unknown, and the next Up sends the statement again.
// Write those so that they are safe to repeat.
func Up(ctx context.Context, session gocqlx.Session, fsys fs.FS, config Config) error {
	config, err := config.withDefaults()
	if err != nil {
		return err
	}
	files, err := load(fsys, config.Funcs)
	if err != nil {
		return err
	}
	t := &table{session: session}
	if t.keyspace() == "" {
		return ErrNoKeyspace
	}
	folder, err := folder.Name(fsys)
	if err != nil {
		return err
	}
	return newRun(t, t.keyspace(), folder, files, config).up(ctx)
}

// run is one call of Up.
type run struct {
	db       database
	keyspace string
	folder   string // its name; "" without one
	files    []folder.File
	config   Config
	id       string // who this run is, as owner of the lock
	state    state
	version  string // of the schema that the nodes agreed on last
	waiting  bool   // for another run, which has been told
	inFlight bool   // a statement may still take effect, so the lock has to lapse
}

func newRun(db database, keyspace, folder string, files []folder.File, config Config) *run {
	id := gocql.MustRandomUUID().String()
	if folder != "" {
		id = folder + "/" + id
		config.Logger = config.Logger.With("folder", folder)
	}
	return &run{db: db, keyspace: keyspace, folder: folder, files: files, config: config, id: id}
}

// partitionOf is the key of the partition in which a folder is recorded.
func partitionOf(folder string) string { return cmp.Or(folder, partition) }

// up looks whether anything is pending, at the price of one plain read, and if
// so takes its turn as the one that applies it, or waits for the one that does.
func (r *run) up(ctx context.Context) error {
	if err := r.open(ctx); err != nil {
		return err
	}
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		work, err := r.pending(ctx)
		if err != nil || work == nil {
			return err
		}
		if !r.state.locked {
			if err := r.refresh(ctx, false); err != nil {
				return err
			}
		}
		if calledBy(ctx, r.state.owner) {
			return ErrNested
		}
		if err := missingFuncs(r.files, r.state.records, r.config.Funcs); err != nil {
			return err
		}
		done := false
		if r.state.owner == "" {
			done, err = r.turn(ctx, *work)
		} else {
			r.wait(*work)
		}
		if done || err != nil && !errors.Is(err, errLockLost) {
			return err
		}
		// No two of many wait equally long, so that they do not all ask at once.
		if !sleep(ctx, pause/2+rand.N(pause)) {
			return fmt.Errorf("migrate: wait for another run at %s: %w", work.file.Name, context.Cause(ctx))
		}
		if err := r.refresh(ctx, false); err != nil {
			return err
		}
	}
}

// open reads the state, and makes the table of it if need be. Of a named folder it reads the records alone: where nothing is
// pending the lock is of no interest. A node may be asked
// that has not heard of the table yet; to make it again changes nothing.
func (r *run) open(ctx context.Context) error {
	return retry(ctx, "read aml_migrations", func(ctx context.Context) error {
		s, err := r.db.read(ctx, partitionOf(r.folder), false)
		if errors.Is(err, errNoTable) {
			if err := r.db.create(ctx); err != nil {
				return fmt.Errorf("create it: %w", err)
			}
			s, err = r.db.read(ctx, partitionOf(r.folder), false)
		}
		r.state = s
		return err
	})
}

// refresh reads the state.
func (r *run) refresh(ctx context.Context, serial bool) error {
	return retry(ctx, "read aml_migrations", func(ctx context.Context) error {
		s, err := r.db.read(ctx, partition, serial)
		if err == nil && r.folder != "" {
			lock := s
			s, err = r.db.read(ctx, r.folder, serial)
			s = s.under(lock)
		}
		if err == nil {
			r.state = s
		}
		return err
	})
}

// pending returns the step to take next, nil when nothing is to be done. A plain
// read may miss a record of another data centre, so a refusal is confirmed by a
// serial one.
func (r *run) pending(ctx context.Context) (*step, error) {
	work, err := r.nextStep()
	if err == nil {
		return work, nil
	}
	if err := r.refresh(ctx, true); err != nil {
		return nil, err
	}
	work, err = r.nextStep()
	return work, r.refusal(err)
}

// nextStep is the next statement or, behind all of them, the next backfill.
func (r *run) nextStep() (*step, error) {
	s, err := next(r.files, r.state.records)
	if s != nil || err != nil {
		return s, err
	}
	f := nextFill(r.files, r.state.fills, r.config.Backfills)
	if f == nil {
		return nil, nil
	}
	for i := range r.files {
		if r.files[i].Number == f.key.number {
			return &step{file: &r.files[i], record: r.state.records[f.key.number], fill: f}, nil
		}
	}
	return nil, nil
}

// wait reports, once, that another run has the lock.
func (r *run) wait(work step) {
	if !r.waiting {
		r.report(Waiting, work)
	}
	r.waiting = true
}

// turn takes the lock, does all that is pending, and gives the lock up. Another
// run may be quicker, or take the lock over; then it is not done, and the state
// says what is left to do.
func (r *run) turn(ctx context.Context, work step) (done bool, err error) {
	asked := time.Now()
	taken, err := r.take(ctx)
	if err != nil || !taken {
		return false, err
	}
	r.waiting = false
	r.report(Running, work)
	t := startTenure(ctx, r.db, lock{epoch: r.state.epoch, owner: r.id, ttl: r.config.LockTTL, folder: partitionOf(r.folder)}, asked)
	ended := false
	defer func() { // after a panic nobody renews, so that the lock lapses
		if !ended {
			_ = t.end(true)
		}
	}()
	err = r.work(t)
	ended = true
	if late := t.end(r.inFlight); late != nil {
		r.config.Logger.WarnContext(ctx, "migrations: others wait until the lock lapses", "error", late)
	}
	if errors.Is(err, errLockLost) {
		r.config.Logger.WarnContext(ctx, "migrations: the lock was lost", "epoch", t.epoch)
	}
	return err == nil, err
}

// take tries to get the lock. Where the answer does not come, the state tells.
func (r *run) take(ctx context.Context) (bool, error) {
	epoch := r.state.epoch
	taken, err := r.db.take(ctx, epoch, r.id, r.config.LockTTL)
	switch {
	case err == nil && !taken, errors.Is(err, errNoTable):
		return false, nil
	case refused(err):
		return false, fmt.Errorf("migrate: take the lock: %w", err)
	}
	if err := r.refresh(ctx, true); err != nil {
		return false, err
	}
	return r.state.owner == r.id && r.state.epoch == epoch+1, nil
}

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
