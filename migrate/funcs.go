package migrate

import (
	"errors"
	"fmt"
	"maps"
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
func mergeFuncs(files []file, funcs map[string]Func) ([]file, error) {
	var faults []error
	called := calledFuncs(files)
	for _, key := range slices.Sorted(maps.Keys(funcs)) {
		switch {
		case funcs[key] == nil:
			faults = append(faults, &FuncError{Name: key, Reason: "is nil"})
		case isMigrationName(key):
			f, err := funcFile(key)
			files, faults = append(files, f), append(faults, err)
		case !called[key]:
			faults = append(faults, &FuncError{Name: key, Reason: "no file calls it with -- aml:func " + key +
				", and it is not named NNNN_name, which would make it a migration of its own"})
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	slices.SortStableFunc(files, func(a, b file) int { return a.number - b.number })
	return files, oneNumberEach(files)
}

// funcFile is a migration in Go as if it were a file that calls it.
func funcFile(name string) (file, error) {
	number, err := parseName(name + extension)
	if err != nil {
		return file{}, err
	}
	call := Statement{Text: "-- aml:func " + name, Number: 1, Func: name}
	return file{name: name, number: number, checksum: hash(name), statements: []Statement{call}, hashes: []string{hash(call.Text)}}, nil
}

// missingFuncs reports the functions that pending steps call and the program does not have.
func missingFuncs(files []file, h history, funcs map[string]Func) error {
	var faults []error
	for _, f := range files {
		r := h[f.number]
		if r.whole() {
			continue
		}
		for _, s := range f.statements[min(r.count(), len(f.statements)):] {
			if s.Func != "" && funcs[s.Func] == nil {
				faults = append(faults, &FuncError{Name: s.Func, Reason: fmt.Sprintf("is called by %s:%d and is not in Config.Funcs", f.name, s.Line)})
			}
		}
	}
	return errors.Join(faults...)
}

func calledFuncs(files []file) map[string]bool {
	called := map[string]bool{}
	for _, f := range files {
		for _, s := range f.statements {
			called[s.Func] = true
		}
	}
	return called
}
