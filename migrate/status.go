package migrate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cassaml/cassaml/mapper/driver"

	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/internal/effect"
)

// FileStatus is the progress of one migration in a keyspace.
type FileStatus struct {
	Name    string
	Number  int
	State   FileState
	Applied int       // number of statements recorded as applied
	Total   int       // number of statements in the file, or in the record of a file that is not in the folder
	At      time.Time // when the last statement was recorded; the zero time for none
	Reason  string    // why a statement failed, in at most 8 KiB, or why Up refuses the file; "" otherwise
}

// BackfillStatus is the progress of a backfill that a file requests, or of a function of Config.Backfills that has skipped rows.
type BackfillStatus struct {
	File       string
	Table      string
	Checkpoint string // the last saved one; "" if there is none
	Done       bool
	Refused    string // the rows that it has skipped, and the fix; "" if there are none. The next Up continues it
	// Skipped is why it will not run: the table does not exist. It is "" if the backfill is done or pending. A
	// program whose model still has the table runs the backfill, which reports the missing table.
	Skipped string
}

// Report compares a folder with the records of a keyspace.
type Report struct {
	Keyspace    string
	Folder      string       // its name; "" without one
	Files       []FileStatus // sorted by their numbers
	Backfills   []BackfillStatus
	Owner       string        // the run that has the lock, also one that was killed; "" for none
	LockExpires time.Duration // the time until its lock expires, unless it renews the lock; 0 without an owner
	Gocqlx      int           // migrations that gocqlx has applied to a keyspace in which nothing is recorded yet
	Sum         error         // how the folder differs from its aml.sum, *[folder.SumError]; nil if it does not
	Refused     error         // a reason why Up refuses the folder that is not in Files: *[FolderError], *[OwnerError], *[SharedError]; nil if there is none
	Others      []string      // the names of the other recorded folders; "" is the folder without a name
}

// Status returns what [Up] would find: which migrations of fsys are applied to the keyspace of the session, which are pending, and which Up
// would refuse. It reads aml_migrations and changes nothing. If the table does not exist, nothing is applied. Of config, Status uses only
// the functions that are separate migrations.
//
// If the folder cannot be read, Status returns the error that [Up] returns. An aml.sum that does not match is part of the report.
func Status(ctx context.Context, session driver.Session, fsys fs.FS, config Config) (*Report, error) {
	files, late, err := folder.ReadUnchecked(fsys)
	if err != nil {
		return nil, err
	}
	if err := wrongRoot(fsys, files, nil); err != nil && err != ErrNoFiles { // a wrapped one has the folder
		return nil, err
	}
	if files, err = mergeFuncs(files, onlyMigrations(config.Funcs)); err != nil {
		return nil, err
	}
	t, err := newTable(session)
	if err != nil {
		return nil, err
	}
	folder, err := folder.Name(fsys)
	if err != nil {
		return nil, err
	}
	s, err := readFolderIfThere(ctx, t, folder)
	if err != nil {
		return nil, err
	}
	report := newReport(files, s)
	report.Keyspace, report.Folder, report.Sum = t.keyspace(), folder, late
	if report.Refused, err = checkFolder(ctx, t, folder, files, s); err != nil {
		return nil, fmt.Errorf("migrate: read system_schema: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(s.owners)) {
		if name != folder {
			report.Others = append(report.Others, name)
		}
	}
	if err := report.skip(ctx, t, files, s.records); err != nil {
		return nil, fmt.Errorf("migrate: read system_schema: %w", err)
	}
	if !s.records.latest().started() && !s.owners.hasOther(folder) {
		applied, err := t.gocqlx(ctx)
		if err != nil {
			return nil, fmt.Errorf("migrate: read gocqlx_migrate: %w", err)
		}
		report.Gocqlx = len(applied)
	}
	return report, nil
}

// checkFolder returns why Up refuses a folder with pending steps, other than for single files.
func checkFolder(ctx context.Context, t *table, self string, files []folder.File, s state) (refused, err error) {
	work, fault := next(files, s.records)
	if other, ok := errors.AsType[*FolderError](refusal(fault, self, t.keyspace(), files, s)); ok {
		return other, nil
	}
	if work == nil {
		return nil, nil
	}
	shared, err := checkShared(files, s.owners, self, func(name string) ([]folder.Field, error) { return t.fields(ctx, t.keyspace(), name) })
	return errors.Join(checkOwners(files, s.records, s.owners, self, t.keyspace()), shared), err
}

// readFolderIfThere reads the state of a folder and of the lock.
func readFolderIfThere(ctx context.Context, t *table, folder string) (state, error) {
	lock, err := readIfThere(ctx, t, partition, t.keyspace())
	if folder == "" || err != nil {
		return lock, err
	}
	s, err := readIfThere(ctx, t, folder, t.keyspace())
	return s.withLock(lock), err
}

// readIfThere reads the state in a partition, which is empty if nothing is recorded. If system_schema has the table but it cannot be read,
// the table is being created, and the read is repeated.
func readIfThere(ctx context.Context, db database, of, keyspace string) (s state, err error) {
	err = retry(ctx, "read aml_migrations", func(ctx context.Context) error {
		read, err := db.read(ctx, of, false)
		if !errors.Is(err, errNoTable) {
			s = read
			return err
		}
		there, lookErr := hasRecordTable(ctx, db, keyspace)
		if lookErr != nil || there {
			return errors.Join(err, lookErr)
		}
		s = state{records: history{}, fills: fills{}}
		return nil
	})
	return s, err
}

// newReport compares files with the records.
func newReport(files []folder.File, s state) *Report {
	r := &Report{Owner: s.owner, LockExpires: s.expires}
	latest := s.records.latest()
	there := map[int]bool{}
	for i := range files {
		there[files[i].Number] = true
		r.Files = append(r.Files, fileStatus(&files[i], s.records[files[i].Number], latest))
	}
	for _, one := range s.records.inOrder() {
		if one.started() && !there[one.number] {
			r.Files = append(r.Files, withoutFile(one, folder.Newest(files)))
		}
	}
	slices.SortStableFunc(r.Files, func(a, b FileStatus) int { return a.Number - b.Number })
	for _, f := range files {
		for _, key := range fillKeys(f, s.fills) {
			one := s.fills[key]
			r.Backfills = append(r.Backfills, BackfillStatus{File: f.Name, Table: key.table, Checkpoint: one.from, Done: one.done, Refused: one.refused})
		}
	}
	return r
}

func fileStatus(f *folder.File, r, latest record) FileStatus {
	s := FileStatus{Name: f.Name, Number: f.Number, State: FilePending, Applied: r.count(), Total: len(f.Statements), At: r.appliedAt, Reason: r.failure}
	var fault *FileError
	switch {
	case r.started():
		fault, s.State = unchanged(f, r), FilePartial
		if r.whole() {
			s.State = FileApplied
		}
	case f.Number < latest.number:
		fault = tooLate(f, latest)
	}
	if fault != nil {
		s.State, s.Reason = fault.State, fault.Reason
	}
	if r.failure != "" && (s.State == FilePending || s.State == FilePartial) {
		s.State = FileFailed
	}
	if len(f.Misspelt) > 0 && (s.State == FilePending || s.State == FilePartial || s.State == FileFailed) {
		s.Reason = strings.TrimPrefix(f.Misspelt[0].Fault(f).Error(), f.Name+":")
	}
	if fault := f.CheckContent(); fault != nil && s.State == FilePending {
		s.Reason = reason(fault)
	}
	return s
}

// withoutFile returns the status of a record whose file is not in the folder.
func withoutFile(r record, newest int) FileStatus {
	s := FileStatus{Name: r.name, Number: r.number, State: FileMissing, Applied: r.count(), Total: r.total, At: r.appliedAt}
	switch {
	case !strings.HasSuffix(r.name, folder.Extension):
		s.State = FileOnlyInGo
	case r.number > newest:
		s.State = FileNewer
	default:
		s.Reason = missing(r).Reason
	}
	return s
}

// skip marks the backfills whose tables do not exist, and that no pending step may create.
func (r *Report) skip(ctx context.Context, db database, files []folder.File, h history) error {
	for i := range r.Backfills {
		b := &r.Backfills[i]
		if b.Done || b.Refused != "" || toCome(files, h, r.Keyspace, *b) {
			continue
		}
		there, err := db.names(ctx, effect.Effect{Object: effect.TableObject, Keyspace: r.Keyspace, Name: b.Table})
		if err != nil {
			return err
		}
		if len(there) == 0 {
			b.Skipped = "table " + b.Table + " does not exist"
		}
	}
	return nil
}

// toCome reports whether a pending step may create the table of a backfill: a CREATE TABLE, a function, or a step of the file that requests
// the backfill.
func toCome(files []folder.File, h history, keyspace string, b BackfillStatus) bool {
	for _, f := range files {
		r := h[f.Number]
		if r.whole() {
			continue
		}
		creates := func(s folder.Statement) bool {
			ks, table, ok := effect.CreatedTable(s.Text, keyspace)
			return s.Func != "" || ok && ks == keyspace && table == b.Table
		}
		if f.Name == b.File || slices.ContainsFunc(f.Statements[min(r.count(), len(f.Statements)):], creates) {
			return true
		}
	}
	return false
}

// reason returns the text of an error without the name of the file at its start.
func reason(err error) string {
	_, text, _ := strings.Cut(strings.TrimPrefix(err.Error(), "migrate: "), ": ")
	return text
}

// Owners returns the tables, views and types, such as "table invoices", that belong to folders in the keyspace of the session, with
// the name of the folder of each. It changes nothing.
func Owners(ctx context.Context, session driver.Session) (map[string]string, error) {
	t, err := newTable(session)
	if err != nil {
		return nil, err
	}
	s, err := readIfThere(ctx, t, partition, t.keyspace())
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for folder, objects := range s.owners {
		for object := range objects {
			if !strings.HasPrefix(object, string(effect.IndexObject)+" ") {
				out[object] = folder
			}
		}
	}
	return out, nil
}
