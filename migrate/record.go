package migrate

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/cassaml/cassaml/migrate/folder"
)

// state is what the database has recorded about the migrations of a keyspace.
type state struct {
	epoch   int64         // how many times the lock has been taken; 0: never
	owner   string        // the run that has the lock, until the lock expires; "" for none
	expires time.Duration // the remaining time of the lock when it was read, unless the run renews it
	records history
	fills   fills
	owners  owners
	fence   int64 // of a named folder: the epoch of the lock when its records were last written
	locked  bool  // epoch, owner, expires and owners are known; a read of only a named folder's partition omits them
}

// under adds what is recorded in the partition of the lock to the state of a named folder.
func (s state) under(lock state) state {
	s.fence = s.epoch
	s.epoch, s.owner, s.expires, s.owners, s.locked = lock.epoch, lock.owner, lock.expires, lock.owners, true
	return s
}

// history has the records of files and functions, by their numbers.
type history map[int]record

// record is what is recorded about one migration: a row of aml_migrations.
type record struct {
	number    int
	name      string
	checksum  string   // of the file when its last statement was recorded
	total     int      // statements in the file at that time
	applied   *int     // number of statements recorded as applied; nil: nothing is recorded
	hashes    []string // of these statements, in order
	sending   string   // hash of the next statement, once it may have been sent
	appliedAt time.Time
	failure   string // why that statement last failed
}

// fillKey identifies a backfill: the migration that requests it, and the table.
type fillKey struct {
	number int
	table  string
}

// fill is the progress of a backfill.
type fill struct {
	key     fillKey
	name    string // of the file
	from    string // the last saved checkpoint
	done    bool
	refused string // the rows that it has passed over, and what to do; "" if there are none
}

type fills map[fillKey]fill

// started reports whether anything of the file is recorded as applied.
func (r record) started() bool { return r.applied != nil }

// whole reports whether all statements of the file are recorded as applied.
func (r record) whole() bool { return r.started() && *r.applied == r.total }

// count returns the number of statements recorded as applied.
func (r record) count() int {
	if r.applied == nil {
		return 0
	}
	return *r.applied
}

// after returns the record of a file whose first n statements are applied.
func after(f *folder.File, n int, now time.Time) record {
	var hashes []string
	for _, s := range f.Statements[:n] {
		hashes = append(hashes, s.Hash)
	}
	return record{
		number:    f.Number,
		name:      f.Name,
		checksum:  f.Checksum,
		total:     len(f.Statements),
		applied:   &n,
		hashes:    hashes,
		appliedAt: now,
	}
}

// step is the next thing to do: a statement of a file, a backfill, or only the record of a file that has no further statement, because it
// is empty or because the remaining statements were deleted.
type step struct {
	file   *folder.File
	record record // the record of the file before the step
	fill   *fill  // the backfill to run, after all statements are applied
}

// statement returns the statement to apply; ok is false if only the record is to be written.
func (s step) statement() (st folder.Statement, ok bool) {
	n := s.record.count()
	if n >= len(s.file.Statements) {
		return folder.Statement{}, false
	}
	return s.file.Statements[n], true
}

// target returns how many statements of the file are applied after the step.
func (s step) target() int {
	return min(s.record.count()+1, len(s.file.Statements))
}

// begun reports whether the statement may have been sent by an earlier run, which did not record it as applied.
func (s step) begun() bool {
	n := s.record.count()
	return n < len(s.file.Statements) && s.record.sending == s.file.Statements[n].Hash
}

// next returns the step that follows from the files and the records, or nil if everything is applied. If files contradict the records, the
// error contains all of them.
func next(files []folder.File, h history) (*step, error) {
	if err := check(files, h); err != nil {
		return nil, err
	}
	for i := range files {
		r := h[files[i].Number]
		if !r.whole() {
			r.number = files[i].Number
			return &step{file: &files[i], record: r}, nil
		}
	}
	return nil, nil
}

// check compares the files with the records. It refuses a misspelt directive only while some statement of its file is pending: afterwards
// the file must not be edited, and the directive has no effect.
func check(files []folder.File, h history) error {
	var faults []error
	latest := h.latest()
	for i := range files {
		f, r := &files[i], h[files[i].Number]
		switch {
		case r.started():
			if fault := unchanged(f, r); fault != nil {
				faults = append(faults, fault)
			}
		case f.Number < latest.number:
			faults = append(faults, tooLate(f, latest))
		}
		for _, m := range f.Misspelt {
			if !r.whole() {
				faults = append(faults, m.Fault(f))
			}
		}
	}
	return errors.Join(append(faults, noneMissing(files, h)...)...)
}

// latest returns the started record with the greatest number.
func (h history) latest() record {
	var latest record
	for _, r := range h {
		if r.started() && r.number > latest.number {
			latest = r
		}
	}
	return latest
}

// unchanged returns an error if a file is not what was applied. If only some statements of the file are applied, the others may change,
// and so may the text between the statements.
func unchanged(f *folder.File, r record) *FileError {
	what, first := "", firstChanged(f, r)
	switch {
	case r.name != f.Name:
		what = "was applied under the name " + r.name
	case first > 0:
		what = fmt.Sprintf("statement %d was applied, and has been edited or removed since", first)
	case r.whole() && r.checksum != f.Checksum:
		what = "the text differs from the one that was applied, although no applied statement does"
	default:
		return nil
	}
	return &FileError{File: f.Name, State: FileEdited, Reason: what + "; restore the file and write the change as a new file"}
}

// tooLate returns the error of a file that was never applied, although a file with a greater number was.
func tooLate(f *folder.File, latest record) *FileError {
	return &FileError{File: f.Name, State: FileTooLate, Reason: "comes before " + latest.name + ", which is already applied; give it a greater number"}
}

// missing returns the error of a record whose file is missing, although a newer file exists.
func missing(r record) *FileError {
	return &FileError{File: r.name, State: FileMissing, Reason: "was applied and is missing; restore the file"}
}

// firstChanged returns the number of the first applied statement that is not at its place in the file; 0 if there is none.
func firstChanged(f *folder.File, r record) int {
	for i, h := range r.hashes {
		if i >= len(f.Statements) || f.Statements[i].Hash != h {
			return i + 1
		}
	}
	return 0
}

// noneMissing returns errors for recorded migrations that are not among the files. It accepts newer ones: another replica of the service
// has a newer release.
func noneMissing(files []folder.File, h history) []error {
	there := make(map[int]bool, len(files))
	for _, f := range files {
		there[f.Number] = true
	}
	var faults []error
	for _, r := range h.inOrder() {
		if r.started() && !there[r.number] && r.number < folder.Newest(files) {
			faults = append(faults, missing(r))
		}
	}
	return faults
}

func (h history) inOrder() []record {
	return slices.SortedFunc(maps.Values(h), func(a, b record) int { return a.number - b.number })
}

// nextFill returns the backfill to run next, in the order of the files: the first that is not done, has a function, and was not run by
// this run of Up, which may have passed over rows. It returns nil if there is none.
func nextFill(files []folder.File, done fills, known map[string]Backfill, tried map[fillKey]bool) *fill {
	for _, f := range fillsIn(files, done) {
		if known[f.key.table] != nil && !tried[f.key] {
			return &f
		}
	}
	return nil
}

// fillsIn returns the backfills that are not done: those that files request, and functions of Config.Backfills that have passed over rows.
func fillsIn(files []folder.File, done fills) []fill {
	var open []fill
	for _, f := range files {
		for _, key := range fillKeys(f, done) {
			if one := done[key]; !one.done {
				open = append(open, fill{key: key, name: f.Name, from: one.from, refused: one.refused})
			}
		}
	}
	return open
}

// fillKeys returns the backfills of a file: those that it requests, and the functions that have passed over rows.
func fillKeys(f folder.File, done fills) []fillKey {
	var keys []fillKey
	for _, s := range f.Statements {
		if key := (fillKey{f.Number, s.Func}); done[key].refused != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	for _, table := range f.Backfills {
		keys = append(keys, fillKey{f.Number, table})
	}
	return keys
}
