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

	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/scylladb/gocqlx/v2"
)

// FileState is the progress of a migration in a keyspace.
type FileState string

// The states of a migration.
const (
	FileApplied  FileState = "applied"  // all of it
	FilePending  FileState = "pending"  // none of it
	FilePartly   FileState = "partly"   // some of its statements; the next Up goes on behind them
	FileFailed   FileState = "failed"   // the statement behind those that are applied; the next Up sends it again
	FileEdited   FileState = "edited"   // it was changed or renamed since it, or a part of it, was applied; Up refuses it
	FileTooLate  FileState = "too late" // it was put in before one that is applied; Up refuses it
	FileMissing  FileState = "missing"  // applied and gone from the folder, while newer files are there; Up refuses that
	FileNewer    FileState = "newer"    // applied by a newer release, whose folder has it
	FileOnlyInGo FileState = "in Go"    // applied by a function of the service; no file
)

// FileStatus is what a keyspace knows about one migration.
type FileStatus struct {
	Name    string
	Number  int
	State   FileState
	Applied int       // statements recorded as applied
	Total   int       // statements in the file, or recorded of one that is not in the folder
	At      time.Time // when the last of them was recorded; the zero time for none
	Reason  string    // why a statement failed, at most 8 KiB of it, or what Up refuses; "" where there is nothing to say
}

// BackfillStatus is how far a backfill has got that a file asks for.
type BackfillStatus struct {
	File       string
	Table      string
	Checkpoint string // the last saved one; "" if there is none
	Done       bool
	// Skipped is why it is not done and will not be: the table is gone, or never was. "" where it is done or open. A
	// program whose model still has the table runs the backfill, which says that the table is missing.
	Skipped string
}

// Report is how a folder stands to a keyspace.
type Report struct {
	Keyspace    string
	Folder      string       // its name; "" without one
	Files       []FileStatus // in the order of their numbers
	Backfills   []BackfillStatus
	Owner       string        // the run that has the lock, also one that was killed; "" for none
	LockExpires time.Duration // the time until its lock expires, unless it renews the lock; 0 without an owner
	Gocqlx      int           // migrations that gocqlx has applied to a keyspace in which nothing is recorded yet
	Sum         error         // how the folder differs from its aml.sum, *[folder.SumError]; nil where it does not
	Refused     error         // why Up refuses the folder beside what Files has: *[FolderError], *[OwnerError], *[SharedError]; nil where it does not
	Others      []string      // the names of the other folders that the keyspace has recorded; "" is the one without a name
}

// Status returns what [Up] would find: which migrations of fsys are applied to the keyspace of the session, which are pending,
// and which it would refuse. It reads aml_migrations and changes nothing; a keyspace without that table has nothing
// applied. Of config only the functions that are migrations of their own are looked at.
//
// What keeps the folder from being read is an error, as that of [Up]; an aml.sum that does not match is part of the report.
func Status(ctx context.Context, session gocqlx.Session, fsys fs.FS, config Config) (*Report, error) {
	files, late, err := folder.ReadUnchecked(fsys)
	if err != nil {
		return nil, err
	}
	if files, err = mergeFuncs(files, onlyMigrations(config.Funcs)); err != nil {
		return nil, err
	}
	t := &table{session: session}
	if t.keyspace() == "" {
		return nil, ErrNoKeyspace
	}
	folder, err := folder.Name(fsys)
	if err != nil {
		return nil, err
	}
	s, err := readFolderIfThere(ctx, t, folder)
	if err != nil {
		return nil, err
	}
	report := reportOf(files, s)
	report.Keyspace, report.Folder, report.Sum = t.keyspace(), folder, late
	if report.Refused, err = refusedOf(ctx, t, folder, files, s); err != nil {
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
	if !s.records.latest().started() && !s.owners.others(folder) {
		applied, err := t.gocqlx(ctx)
		if err != nil {
			return nil, fmt.Errorf("migrate: read gocqlx_migrate: %w", err)
		}
		report.Gocqlx = len(applied)
	}
	return report, nil
}

// refusedOf returns why Up refuses a folder of which something is pending, beside what it has against single files.
func refusedOf(ctx context.Context, t *table, self string, files []folder.File, s state) (refused, err error) {
	work, fault := next(files, s.records)
	if other, ok := errors.AsType[*FolderError](refusal(fault, self, t.keyspace(), files, s)); ok {
		return other, nil
	}
	if work == nil {
		return nil, nil
	}
	faults := []error{checkOwners(files, s.records, s.owners, self, t.keyspace())}
	for _, one := range folder.Needs(files) {
		have, err := t.fields(ctx, t.keyspace(), one.Type)
		if err != nil {
			return nil, err
		}
		if e := differs(one, have); e != nil {
			e.Folder, _ = s.owners.of(string(typeObject)+" "+one.Type, self)
			faults = append(faults, e)
		}
	}
	return errors.Join(faults...), nil
}

// onlyMigrations leaves out the functions that files call.
func onlyMigrations(funcs map[string]Func) map[string]Func {
	out := map[string]Func{}
	for key, f := range funcs {
		if isMigrationName(key) {
			out[key] = f
		}
	}
	return out
}

// readFolderIfThere reads the state of a folder and of the lock.
func readFolderIfThere(ctx context.Context, t *table, folder string) (state, error) {
	lock, err := readIfThere(ctx, t, partition, t.keyspace())
	if folder == "" || err != nil {
		return lock, err
	}
	s, err := readIfThere(ctx, t, folder, t.keyspace())
	return s.under(lock), err
}

// readIfThere reads the state in a partition, which is empty where nothing was ever recorded. A table that system_schema has and that
// cannot be read is being made, and is asked for again.
func readIfThere(ctx context.Context, db database, of, keyspace string) (s state, err error) {
	err = retry(ctx, "read aml_migrations", func(ctx context.Context) error {
		read, err := db.read(ctx, of, false)
		if !errors.Is(err, errNoTable) {
			s = read
			return err
		}
		there, lookErr := db.names(ctx, effect{object: tableObject, keyspace: keyspace, name: "aml_migrations"})
		if lookErr != nil || len(there) > 0 {
			return errors.Join(err, lookErr)
		}
		s = state{records: history{}, fills: fills{}}
		return nil
	})
	return s, err
}

// reportOf holds files against what is recorded.
func reportOf(files []folder.File, s state) *Report {
	r := &Report{Owner: s.owner, LockExpires: s.lapses}
	latest := s.records.latest()
	there := map[int]bool{}
	for i := range files {
		there[files[i].Number] = true
		r.Files = append(r.Files, statusOf(&files[i], s.records[files[i].Number], latest))
	}
	for _, one := range s.records.inOrder() {
		if one.started() && !there[one.number] {
			r.Files = append(r.Files, withoutFile(one, folder.Newest(files)))
		}
	}
	slices.SortStableFunc(r.Files, func(a, b FileStatus) int { return a.Number - b.Number })
	for _, f := range files {
		for _, table := range f.Backfills {
			done := s.fills[fillKey{f.Number, table}]
			r.Backfills = append(r.Backfills, BackfillStatus{File: f.Name, Table: table, Checkpoint: done.from, Done: done.done})
		}
	}
	return r
}

func statusOf(f *folder.File, r, latest record) FileStatus {
	s := FileStatus{Name: f.Name, Number: f.Number, State: FilePending, Applied: r.count(), Total: len(f.Statements), At: r.appliedAt, Reason: r.failure}
	var fault *FileError
	switch {
	case r.started():
		fault, s.State = unchanged(f, r), FilePartly
		if r.whole() {
			s.State = FileApplied
		}
	case f.Number < latest.number:
		fault = tooLate(f, latest)
	}
	if fault != nil {
		s.State, s.Reason = fault.State, fault.Reason
	}
	if r.failure != "" && (s.State == FilePending || s.State == FilePartly) {
		s.State = FileFailed
	}
	if len(f.Misspelt) > 0 && (s.State == FilePending || s.State == FilePartly || s.State == FileFailed) {
		s.Reason = strings.TrimPrefix(f.Misspelt[0].Fault(f).Error(), f.Name+":")
	}
	if fault := f.CheckContent(); fault != nil && s.State == FilePending {
		s.Reason = reason(fault)
	}
	return s
}

// withoutFile is the status of what is recorded and not in the folder.
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

// skip notes the backfills of tables that are not there, and that nothing pending is about to create.
func (r *Report) skip(ctx context.Context, db database, files []folder.File, h history) error {
	for i := range r.Backfills {
		b := &r.Backfills[i]
		if b.Done || toCome(files, h, r.Keyspace, *b) {
			continue
		}
		there, err := db.names(ctx, effect{object: tableObject, keyspace: r.Keyspace, name: b.Table})
		if err != nil {
			return err
		}
		if len(there) == 0 {
			b.Skipped = "there is no table " + b.Table
		}
	}
	return nil
}

// toCome reports whether something pending may create the table of a backfill: the file that asks for it, as long as it is
// not applied, a CREATE TABLE, or a function.
func toCome(files []folder.File, h history, keyspace string, b BackfillStatus) bool {
	for _, f := range files {
		r := h[f.Number]
		if r.whole() {
			continue
		}
		creates := func(s folder.Statement) bool {
			ks, table, ok := createdTable(s.Text, keyspace)
			return s.Func != "" || ok && ks == keyspace && table == b.Table
		}
		if f.Name == b.File || slices.ContainsFunc(f.Statements[min(r.count(), len(f.Statements)):], creates) {
			return true
		}
	}
	return false
}

// reason is the text of an error that begins with the name of its file, without that.
func reason(err error) string {
	_, text, _ := strings.Cut(strings.TrimPrefix(err.Error(), "migrate: "), ": ")
	return text
}
