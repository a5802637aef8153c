package migrate

import (
	"errors"
	"fmt"
	"github.com/cassaml/cassaml/migrate/folder"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
)

// FuncError reports a function of [Config.Funcs] that does not fit the files.
type FuncError struct {
	Name   string
	Reason string
}

func (e *FuncError) Error() string { return fmt.Sprintf("migrate: function %s: %s", e.Name, e.Reason) }

// isMigrationName tells keys that are migrations of their own from others.
func isMigrationName(key string) bool { return regexp.MustCompile(`^[0-9]`).MatchString(key) }

// mergeFuncs adds the migrations in Go to those in files.
func mergeFuncs(files []folder.File, funcs map[string]Func) ([]folder.File, error) {
	var faults []error
	called := calledFuncs(files)
	for _, key := range slices.Sorted(maps.Keys(funcs)) {
		switch {
		case funcs[key] == nil:
			faults = append(faults, &FuncError{Name: key, Reason: "is nil"})
		case isMigrationName(key):
			f, err := folder.InGo(key)
			files, faults = append(files, f), append(faults, err)
		case !called[key]:
			faults = append(faults, &FuncError{Name: key, Reason: "no file calls it with -- aml:func " + key +
				", and it is not named NNNN_name, which would make it a migration of its own"})
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
				faults = append(faults, &FuncError{Name: s.Func, Reason: fmt.Sprintf("is called by %s:%d and is not in Config.Funcs", f.Name, s.Line)})
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
