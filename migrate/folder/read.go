package folder

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Read returns the migrations of a folder in order, split into statements, without applying them. It returns an error for a folder
// that migrate.Up refuses independently of the database. A folder without migrations is valid.
func Read(fsys fs.FS) ([]File, error) {
	files, sum, err := readSummed(fsys)
	if err = cmp.Or(err, sum); err != nil {
		return nil, err
	}
	return files, splitFilled(files)
}

// ReadUnchecked is like [Read], but accepts a folder that differs from its aml.sum, for which sum is the error, and files without
// content, which [File.CheckContent] refuses.
func ReadUnchecked(fsys fs.FS) (files []File, sum, err error) {
	files, sum, err = readSummed(fsys)
	if err != nil {
		return nil, nil, err
	}
	return files, sum, splitAll(files)
}

func readSummed(fsys fs.FS) (files []File, sum, err error) {
	if files, err = readFiles(fsys); err != nil {
		return nil, nil, err
	}
	return files, checkSum(fsys, files), nil
}

// readFiles returns the migrations in the root of fsys, ordered by number and not yet split. It ignores folders, hidden files and
// files that do not end in .cql, and reports all invalid names.
func readFiles(fsys fs.FS) ([]File, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, fmt.Errorf("migrate: read folder: %w", withPath(fsys, err))
	}
	var files []File
	var faults []error
	for _, e := range entries {
		if !isMigration(e) {
			continue
		}
		f, err := readFile(fsys, e.Name())
		files, faults = append(files, f), append(faults, err)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return InOrder(files)
}

// withPath returns the error of the root of a file system with the absolute path of its folder, if [os.DirFS] has made the file system: the
// error itself has only the path in the file system, and a relative folder depends on the working directory.
func withPath(fsys fs.FS, err error) error {
	at, ok := errors.AsType[*fs.PathError](err)
	if !ok || reflect.TypeOf(fsys) != reflect.TypeOf(os.DirFS(".")) {
		return err
	}
	dir, absErr := filepath.Abs(fmt.Sprint(fsys))
	if absErr != nil {
		return err
	}
	return &fs.PathError{Op: at.Op, Path: dir, Err: at.Err}
}

func readFile(fsys fs.FS, name string) (File, error) {
	number, err := Number(name)
	if err != nil {
		return File{}, err
	}
	b, err := fs.ReadFile(fsys, name)
	if err != nil {
		return File{}, fmt.Errorf("migrate: read file: %w", err)
	}
	if !utf8.Valid(b) {
		return File{}, &NameError{File: name, Reason: "is not UTF-8"}
	}
	return File{Name: name, Number: number, Text: normalise(string(b)), Raw: b}, nil
}

func isMigration(e fs.DirEntry) bool {
	return !e.IsDir() && !strings.HasPrefix(e.Name(), ".") && strings.EqualFold(path.Ext(e.Name()), Extension)
}

// InOrder sorts migrations by number. It returns an error for two migrations with the same number.
func InOrder(files []File) ([]File, error) {
	slices.SortStableFunc(files, func(a, b File) int { return a.Number - b.Number })
	var faults []error
	for i := 1; i < len(files); i++ {
		if files[i].Number == files[i-1].Number {
			faults = append(faults, &NameError{File: files[i].Name, Reason: "has the same number as " + files[i-1].Name})
		}
	}
	return files, errors.Join(faults...)
}

func splitAll(files []File) error {
	var faults []error
	for i := range files {
		err := files[i].split()
		if e, ok := err.(*SyntaxError); ok {
			e.File = files[i].Name
		}
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// split splits the file into its steps.
func (f *File) split() error {
	statements, err := Split(f.Text)
	if err != nil {
		return err
	}
	found, misspelt, err := directives(f.Text, statements)
	if err != nil {
		return err
	}
	f.Misspelt = misspelt
	if f.Backfills, err = readBackfills(f.Text, found); err != nil {
		return err
	}
	if f.Shared, err = readShared(f.Text, found); err != nil {
		return err
	}
	f.Statements, f.Directives = withFuncs(statements, found), found
	f.Checksum = Hash(f.Text)
	return f.checkStatements()
}

// Next returns the number of the next migration in fsys, 1 for the first one. It returns an error for names that migrate.Up refuses.
func Next(fsys fs.FS) (int, error) {
	files, err := readFiles(fsys)
	if err != nil {
		return 0, err
	}
	return Newest(files) + 1, nil
}

// splitFilled splits files into statements and refuses files without content.
func splitFilled(files []File) error {
	if err := splitAll(files); err != nil {
		return err
	}
	var faults []error
	for i := range files {
		faults = append(faults, files[i].CheckContent())
	}
	return errors.Join(faults...)
}
