package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Companion is a file outside of the folder that is written with a migration: the Go functions that the migration calls.
type Companion struct {
	Path string // absolute, or relative to the working directory
	Text string
}

// Write adds a migration to a folder of the file system and updates aml.sum. A missing folder is created. name is a result of
// [FileName] with a number that is greater than all others. Each element of statements is one CQL statement without its semicolon,
// with comments or without, or a directive. The companions must not exist ([fs.ErrExist]).
//
// Write writes all files or none: a number that is not the greatest (*[NameError]), a text that is not one statement (*[SyntaxError]),
// an aml.sum that does not match the existing files (*[SumError]) and a failed write leave the folder unchanged. Readers see the
// whole file or no file. Of two concurrent writers, one gets a *[LockedError]. If the process is killed before it writes aml.sum,
// its files are not in aml.sum.
func Write(dir, name string, statements []string, with ...Companion) error {
	added, err := newFile(name, statements)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("migrate: create folder: %w", err)
	}
	return locked(dir, func() error { return add(dir, added, with) })
}

// Draft returns the migration that [Write] writes, without writing it.
func Draft(name string, statements []string) (File, error) {
	f, err := newFile(name, statements)
	if err != nil {
		return File{}, err
	}
	return f, f.split()
}

// add adds a migration and its companions.
func add(dir string, added File, with []Companion) error {
	files, err := readFiles(os.DirFS(dir))
	if err != nil {
		return err
	}
	if err := checkSum(os.DirFS(dir), files); err != nil {
		return err
	}
	if last := Newest(files); added.Number <= last {
		return &NameError{File: added.Name, Reason: fmt.Sprintf("its number is not greater than %04d", last)}
	}
	for _, c := range with {
		switch _, err := os.Lstat(c.Path); {
		case err == nil:
			return &fs.PathError{Op: "write", Path: c.Path, Err: fs.ErrExist}
		case !errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("migrate: %w", err)
		}
	}
	folder, err := Name(os.DirFS(dir))
	if err != nil {
		return err
	}
	return writeAll(append(slices.Clone(with),
		Companion{filepath.Join(dir, added.Name), added.Text},
		Companion{filepath.Join(dir, SumFile), formatSum(folder, append(files, added))}))
}

// writeAll writes files in order. After an error it removes the files that it has written.
func writeAll(all []Companion) error {
	for i, c := range all {
		if err := replace(c.Path, c.Text); err != nil {
			for _, done := range all[:i] {
				err = errors.Join(err, os.Remove(done.Path))
			}
			return err
		}
	}
	return nil
}

// replace writes a temporary file in the same folder, then renames it, so that no reader sees a part of the file.
func replace(name, text string) error {
	temporary := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".new")
	err := writeSynced(temporary, text)
	if err == nil {
		err = os.Rename(temporary, name)
	}
	if err != nil {
		return fmt.Errorf("migrate: write %s: %w", filepath.Base(name), errors.Join(err, os.RemoveAll(temporary)))
	}
	return nil
}

// writeSynced writes a file and flushes it to the disk.
func writeSynced(name, text string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// newFile returns a migration with statements, each with a semicolon at its end and separated by empty lines.
func newFile(name string, statements []string) (File, error) {
	number, err := Number(name)
	if err != nil {
		return File{}, err
	}
	var blocks []string
	for i, s := range statements {
		block, err := render(s)
		if err != nil {
			return File{}, fmt.Errorf("migrate: %s: statement %d: %w", name, i+1, err)
		}
		blocks = append(blocks, block)
	}
	return File{Name: name, Number: number, Text: strings.Join(blocks, "\n")}, nil
}

// render returns one statement as it appears in a file, with the comments before it.
func render(statement string) (string, error) {
	text := strings.TrimSpace(normalise(statement))
	found, err := Split(text)
	if err != nil {
		return "", err
	}
	if len(found) == 0 && isDirective(text) {
		return text + "\n", nil
	}
	if len(found) != 1 {
		return "", fmt.Errorf("want one statement, found %d in %q", len(found), text)
	}
	end := found[0].Offset + len(found[0].Text)
	rest := strings.TrimLeft(text[end:], "; \t\r\n")
	if rest != "" {
		return "", fmt.Errorf("want nothing after the statement, found %q", rest)
	}
	return text[:end] + ";\n", nil
}

// isDirective reports whether a text without statements has a directive.
func isDirective(text string) bool {
	found, _, err := directives(text, nil)
	return err == nil && len(found) > 0
}

// emptyMigration is the text of a new migration without statements.
const emptyMigration = "-- Write CQL statements, each with a semicolon at its end; then run aml migrate sum.\n"

// New adds a migration without statements, to be written by hand, and updates aml.sum. It has the next number and a name in lower
// snake case. A missing folder is created. New returns the name of the file. After the statements are written, call [WriteSum].
//
// New writes all files or none; it returns the same errors as [Write].
func New(dir, name string) (added string, err error) {
	if _, err := FileName(1, name); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("migrate: create folder: %w", err)
	}
	err = locked(dir, func() error {
		number, err := Next(os.DirFS(dir))
		if err != nil {
			return err
		}
		if added, err = FileName(number, name); err != nil {
			return err
		}
		return add(dir, File{Name: added, Number: number, Text: emptyMigration}, nil)
	})
	if err != nil {
		return "", err
	}
	return added, nil
}
