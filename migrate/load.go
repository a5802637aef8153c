package migrate

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"

	"github.com/cassaml/cassaml/migrate/folder"
)

// load returns the migrations of fsys, split and, if there is an aml.sum, checked against it, and the migrations in Go, in order.
func load(fsys fs.FS, funcs map[string]Func) ([]folder.File, error) {
	files, err := folder.Read(fsys)
	if err != nil {
		return nil, err
	}
	if err := wrongRoot(fsys, files, funcs); err != nil {
		return nil, err
	}
	return mergeFuncs(files, funcs)
}

// funcError reports a function of [Config.Funcs] that does not match the files.
func funcError(name, format string, args ...any) error {
	return fmt.Errorf("migrate: function %s: "+format, append([]any{name}, args...)...)
}

// isMigrationName reports whether a key is the name of a migration in Go.
func isMigrationName(key string) bool { return regexp.MustCompile(`^[0-9]`).MatchString(key) }

func calledFuncs(files []folder.File) map[string]bool {
	called := map[string]bool{}
	for _, f := range files {
		for _, s := range f.Statements {
			called[s.Func] = true
		}
	}
	return called
}

// mergeFuncs adds the migrations in Go to the files.
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

// wrongRoot returns the error of noFiles if there are no files, unless all migrations are functions. It comes before the errors of functions
// that no file calls, because their cause is then the same.
func wrongRoot(fsys fs.FS, files []folder.File, funcs map[string]Func) error {
	if len(files) > 0 {
		return nil
	}
	err := noFiles(fsys)
	if err == ErrNoFiles && len(onlyMigrations(funcs)) > 0 { // a wrapped one has the folder
		return nil
	}
	return err
}

// noFiles returns [ErrNoFiles] and, if a folder below the root has migrations, the call that reads it.
func noFiles(fsys fs.FS) error {
	for _, pattern := range []string{"*/*" + folder.Extension, "*/*/*" + folder.Extension} {
		found, err := fs.Glob(fsys, pattern)
		if err != nil {
			return errors.Join(ErrNoFiles, err)
		}
		for _, name := range found {
			if _, err := folder.Number(path.Base(name)); err == nil {
				return fmt.Errorf("%w, but its folder %s has: call migrate.Up with the result of fs.Sub(f, %q)", ErrNoFiles, path.Dir(name), path.Dir(name))
			}
		}
	}
	return ErrNoFiles
}

// onlyMigrations returns the functions that are separate migrations, without those that files call.
func onlyMigrations(funcs map[string]Func) map[string]Func {
	out := map[string]Func{}
	for key, f := range funcs {
		if isMigrationName(key) {
			out[key] = f
		}
	}
	return out
}
