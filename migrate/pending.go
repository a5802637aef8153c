package migrate

import (
	"errors"
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/internal/effect"
)

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

// nextFill returns the backfill to run next, in the order of the files: the first that is not done, has a function, and was not run by
// this run of Up, which may have skipped rows. It returns nil if no backfill is left.
func nextFill(files []folder.File, done fills, known map[string]Backfill, tried map[fillKey]bool) *fill {
	for _, f := range fillsIn(files, done) {
		if known[f.key.table] != nil && !tried[f.key] {
			return &f
		}
	}
	return nil
}

// fillsIn returns the backfills that are not done: those that files request, and functions of Config.Backfills that have skipped rows.
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

// fillKeys returns the backfills of a file: those that it requests, and the functions that have skipped rows.
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
