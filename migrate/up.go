package migrate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"time"

	"github.com/cassaml/cassaml/mapper/driver"

	"github.com/google/uuid"

	"github.com/cassaml/cassaml/internal/migrating"
	"github.com/cassaml/cassaml/internal/wait"
	"github.com/cassaml/cassaml/migrate/folder"
)

// Up applies the migrations of fsys that are pending in the keyspace of the session: the files NNNN_name.cql in its root and
// [Config.Funcs], in the order of their numbers, statement by statement, and then [Config.Backfills]. Numbers may have gaps. Other
// files are ignored. If fsys has an aml.sum, the files must match it (*[folder.SumError]).
//
// Up records each applied statement in the table aml_migrations of the keyspace, which it creates. If nothing is pending, Up sends
// one read and no other request, and takes no lock.
//
// Any number of processes can call Up at the same time, on any number of machines: one takes the lock and applies everything that is pending,
// and the others wait until it is done. If it is killed, the others wait until Config.LockTTL has passed, and one of them continues
// after the last recorded statement. Waiting ends with ctx.
//
// Up refuses these before it sends anything:
//
//   - files that cannot be read or ordered, files without a statement or a directive, and statements that a migration cannot contain:
//     bind markers, reserved tables, USE, SELECT, DESCRIBE, LIST, BEGIN TRANSACTION (*[folder.NameError], *[folder.SyntaxError],
//     [ErrNoFiles])
//   - functions that no file calls
//   - the context of a function that another run of Up in the same keyspace calls ([ErrNested])
//
// Up refuses these before it applies anything:
//
//   - a table aml_migrations that another program has created (*[ForeignTableError])
//   - pending calls of functions that [Config.Funcs] does not have
//   - pending files that request a backfill, if Config.Backfills is nil and Config.NoBackfills is not set
//   - misspelt directives in a file that is not applied completely (*[folder.SyntaxError], see [folder.Misspelling])
//   - a folder that contradicts the records: an applied file was edited, renamed or removed, or a file was inserted before an applied
//     one (*[FileError])
//   - pending statements that need a later Cassandra than that of the oldest node (*[ServerVersionError])
//   - a keyspace that gocqlx has migrated, unless Config.ImportGocqlx is set
//   - if several packages share the keyspace, each with its own folder ([folder.Name]): the records of a different folder
//     (*[FolderError]), a statement on a table, type or index that belongs to another folder (*[OwnerError]), and a type of another
//     folder that does not exist yet or lacks a field that this folder needs (*[SharedError])
//
// Once all statements of a file are applied, its comments must not change, either. Applied migrations that are newer than every file
// are accepted: during a rollout, the database is ahead of the old replicas.
//
// Up sends CREATE TABLE with an ID that it derives from the names of the keyspace and the table and the number of the migration,
// unless the statement has an ID. After each statement that changes the schema, Up waits until all nodes that are up agree, and after
// CREATE INDEX, until the server answers a read by the index. If IF NOT EXISTS prevented the server from creating an index, because an
// equal index has another name or a different index has the same name, Up logs which one.
//
// A statement that fails ends the run with a *[StatementError]; this includes a conditional statement whose condition is false, unless a
// line -- aml:optional precedes it. Nothing is rolled back. The statements before it remain recorded, and the next Up continues with
// the one that failed. This statement and the ones after it can be edited until they succeed.
//
// A request can end without an answer, and a process can die between a statement and its record. For CREATE, ALTER and DROP, Up then
// reads in system_schema whether the statement was executed, and sends it again only if it was not. For data, table properties, CQL
// functions and Go functions there is no such check: without an answer Up returns a StatementError whose Unknown is set, and the next
// Up sends the statement again. Write these statements so that they are safe to repeat.
func Up(ctx context.Context, session driver.Session, fsys fs.FS, config Config) error {
	config, err := config.withDefaults()
	if err != nil {
		return err
	}
	files, err := load(fsys, config.Funcs)
	if err != nil {
		return err
	}
	t, err := newTable(session)
	if err != nil {
		return err
	}
	folder, err := folder.Name(fsys)
	if err != nil {
		return err
	}
	r := newRun(t, t.keyspace(), folder, files, config)
	err = r.up(ctx)
	migrating.SetUnknown(session, r.unknown())
	return err
}

// unknown returns the recorded migrations that are newer than all files of the program.
func (r *run) unknown() (names []string) {
	for _, one := range r.state.records.inOrder() {
		if one.started() && one.number > folder.Newest(r.files) {
			names = append(names, one.name)
		}
	}
	return names
}

// run is one call of Up.
type run struct {
	db       database
	keyspace string
	folder   string // its name; "" without one
	files    []folder.File
	config   Config
	id       string // identifies this run as the owner of the lock
	state    state
	version  string           // the schema version when the nodes last agreed
	waiting  bool             // it waits for another run, and has reported it
	inFlight bool             // a statement may still take effect, so the lock is kept until it expires
	tried    map[fillKey]bool // the backfills that this run has run
}

func newRun(db database, keyspace, folder string, files []folder.File, config Config) *run {
	id := uuid.NewString()
	if folder != "" {
		id = folder + "/" + id
		config.Logger = config.Logger.With("folder", folder)
	}
	return &run{db: db, keyspace: keyspace, folder: folder, files: files, config: config, id: id, tried: map[fillKey]bool{}}
}

// folderKey returns the key of the partition in which a folder is recorded.
func folderKey(folder string) string { return cmp.Or(folder, partition) }

// up checks whether anything is pending, with one plain read. If so, it takes the lock and applies it, or waits for the run that has the
// lock.
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
		if err := errors.Join(missingFuncs(r.files, r.state.records, r.config), missingBackfills(r.files, r.state.records, r.keyspace, r.config)); err != nil {
			return err
		}
		if err := r.checkServers(ctx); err != nil {
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
		// The random part prevents many waiting runs from sending their requests at the same time.
		if err := wait.Sleep(ctx, pause/2+rand.N(pause)); err != nil {
			return fmt.Errorf("migrate: wait for another run at %s%s: %w", work.file.Name, r.state.holder(), err)
		}
		if err := r.refresh(ctx, false); err != nil {
			return err
		}
	}
}

// open reads the state, and creates its table if necessary. For a named folder it reads only the records, because the lock does not matter
// if nothing is pending. The node that is asked may not know the table yet; creating it again changes nothing.
func (r *run) open(ctx context.Context) error {
	return retry(ctx, "read aml_migrations", func(ctx context.Context) error {
		s, err := r.db.read(ctx, folderKey(r.folder), false)
		if errors.Is(err, errNoTable) {
			if err := r.db.create(ctx); err != nil {
				return fmt.Errorf("create it: %w", err)
			}
			s, err = r.db.read(ctx, folderKey(r.folder), false)
		}
		if errors.Is(err, errNoTable) {
			_, lookErr := hasRecordTable(ctx, r.db, r.keyspace)
			err = errors.Join(err, lookErr)
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
			s = s.withLock(lock)
		}
		if err == nil {
			r.state = s
		}
		return err
	})
}

// pending returns the step to execute next, or nil if there is none. A plain read may miss a record of another data centre, so an error is
// confirmed by a serial read.
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

// nextStep returns the next statement or, after all of them, the next backfill.
func (r *run) nextStep() (*step, error) {
	s, err := next(r.files, r.state.records)
	if s != nil || err != nil {
		return s, err
	}
	f := nextFill(r.files, r.state.fills, r.config.Backfills, r.tried)
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
		r.report(EventWaiting, work)
	}
	r.waiting = true
}

// turn takes the lock, executes everything that is pending, and releases the lock. If another run takes the lock first, or takes it over,
// done is false, and the state shows the steps that are still pending.
func (r *run) turn(ctx context.Context, work step) (done bool, err error) {
	asked := time.Now()
	taken, err := r.acquire(ctx)
	if err != nil || !taken {
		return false, err
	}
	r.waiting = false
	r.report(EventRunning, work)
	t := startLease(ctx, r.db, lock{epoch: r.state.epoch, owner: r.id, ttl: r.config.LockTTL, folder: folderKey(r.folder)}, asked)
	ended := false
	defer func() { // if the work panics, the lock is not renewed, so it expires
		if !ended {
			_ = t.end(true)
		}
	}()
	err = r.work(t)
	ended = true
	if late := t.end(r.inFlight); late != nil {
		r.config.Logger.WarnContext(ctx, "migrations: lock not released; other runs wait until it expires", "error", late)
	}
	if errors.Is(err, errLockLost) {
		r.config.Logger.WarnContext(ctx, "migrations: the lock was lost", "epoch", t.epoch)
	}
	return err == nil, err
}

// acquire tries to take the lock. Without an answer, it reads the state to find out.
func (r *run) acquire(ctx context.Context) (bool, error) {
	epoch := r.state.epoch
	taken, err := r.db.acquire(ctx, epoch, r.id, r.config.LockTTL)
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

// agreementTimeout is how long the schemas of nodes that are up may differ.
const agreementTimeout = time.Minute

// work executes everything that is pending.
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
	if err := r.claim(t); err != nil { // dropped objects no longer belong to a folder
		return err
	}
	r.reportSkipped(t)
	return nil
}

// gocqlx returns the records of the migrations that gocqlx has applied, as long as no folder has a record. One folder takes them over.
func (r *run) gocqlx(t *lease) ([]record, error) {
	if r.state.records.latest().started() || r.state.owners.hasOther(r.folder) {
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
	case !r.config.ImportGocqlx:
		return nil, fmt.Errorf("migrate: gocqlx has applied %d migrations to this keyspace (table gocqlx_migrate): "+
			"set Config.ImportGocqlx to record them as applied here, and stop calling gocqlx's migrate", len(applied))
	}
	return importGocqlx(r.files, applied, time.Now().UTC())
}

// recordImported records the migrations of gocqlx, before anything else is recorded.
func (r *run) recordImported(t *lease, records []record) error {
	if len(records) == 0 {
		return nil
	}
	r.config.Logger.InfoContext(t.ctx, "migrations: taken over from gocqlx", "migrations", len(records))
	return r.record(t, records...)
}

// record writes records and adds them to the state.
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

// unagreedError is the reason why agreement was not reached: the nodes differ, or the run ended first.
type unagreedError struct{ error }

func (e *unagreedError) Unwrap() error { return e.error }

// agree waits until the nodes that are up have the same schema. Its error is errLockLost or an *unagreedError.
func (r *run) agree(t *lease) error {
	ctx, cancel := context.WithTimeout(t.ctx, agreementTimeout)
	defer cancel()
	agreed, err := r.db.agree(ctx)
	if t.lost() {
		return errLockLost
	}
	if len(agreed.Silent) > 0 {
		r.config.Logger.WarnContext(ctx, "migrations: continuing without nodes that do not answer and have another schema", "nodes", agreed.Silent)
	}
	switch {
	case err == nil:
		r.version = agreed.Version
		return nil
	case t.ctx.Err() != nil:
		err = fmt.Errorf("the run ended before the nodes agreed: %w", context.Cause(t.ctx))
	}
	return &unagreedError{err}
}

// ErrNested reports a call of [Up] by a function or backfill of another run of Up in the same keyspace. It would wait for the end of that
// run, which waits for the function.
var ErrNested = errors.New("migrate: a function of a run of Up calls Up in the same keyspace, which would wait for itself: " +
	"return from the function first; write the work that follows as further steps of the same folder")

// caller is the key, with the id of a run, in the context of the functions that the run calls.
type caller string

// calledBy reports whether ctx belongs to a function that the run calls, directly or indirectly.
func calledBy(ctx context.Context, id string) bool { return ctx.Value(caller(id)) != nil }
