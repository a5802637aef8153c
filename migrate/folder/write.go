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

// Companion is a file that is written with a migration, outside of its folder: the functions in Go that it calls.
type Companion struct {
	Path string // as the working directory has it
	Text string
}

// Write adds a migration to a folder of the file system, which is made when
// it is not there, and brings aml.sum up to date. name is as [FileName] returns
// it; its number comes after all others. Each of statements is one CQL statement
// without its semicolon, comments allowed. What is written with it must not be
// there yet ([fs.ErrExist]).
//
// Nothing is written unless all of it can be: a name out of order
// (*[NameError]), a text that is not one statement (*[SyntaxError]) and an
// aml.sum that does not match the files already there (*[SumError]) leave the
// folder as it was, and so does a failed write. Readers see the whole file or
// none of it. Of two writers at once one is refused with a *[LockedError]. The
// files of a writer that is killed before aml.sum is written are not in aml.sum.
func Write(dir, name string, statements []string, with ...Companion) error {
	added, err := newFile(name, statements)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("migrate: make folder: %w", err)
	}
	return locked(dir, func() error { return add(dir, added, with) })
}

// add adds a migration and what is written with it.
func add(dir string, added File, with []Companion) error {
	files, err := readFiles(os.DirFS(dir))
	if err != nil {
		return err
	}
	if err := checkSum(os.DirFS(dir), files); err != nil {
		return err
	}
	if last := Newest(files); added.Number <= last {
		return &NameError{File: added.Name, Reason: fmt.Sprintf("does not come after number %04d", last)}
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
		Companion{filepath.Join(dir, SumFile), sumOf(folder, append(files, added))}))
}

// writeAll writes files in their order. After an error it removes those that it has written.
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

// replace writes a file beside its place, then moves it there, so that nobody reads half of it.
func replace(name, text string) error {
	beside := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".new")
	err := writeSynced(beside, text)
	if err == nil {
		err = os.Rename(beside, name)
	}
	if err != nil {
		return fmt.Errorf("migrate: write %s: %w", filepath.Base(name), errors.Join(err, os.RemoveAll(beside)))
	}
	return nil
}

// writeSynced writes a file, whose text is on the disk when it returns.
func writeSynced(name, text string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// newFile renders a migration: its statements, each ended by a semicolon, with
// an empty line between them.
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

// render returns one statement as it stands in a file. Comments before it stay.
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
	behind := strings.TrimLeft(text[end:], "; \t\r\n")
	if behind != "" {
		return "", fmt.Errorf("want nothing behind the statement, found %q", behind)
	}
	return text[:end] + ";\n", nil
}

// isDirective reports whether a text without statements asks for something.
func isDirective(text string) bool {
	found, _, err := directives(text, nil)
	return err == nil && len(found) > 0
}

// toFillIn is the text of a migration that is to be filled in.
const toFillIn = "-- Statements of CQL, each ended by a semicolon; then aml migrate sum.\n"

// New adds a migration without statements, for somebody to write them into it: the next number and a name in lower
// snake case. The folder is made when it is not there, and aml.sum brought up to date. It returns the name of the file.
// Once the statements are written, [WriteSum] records them.
//
// Nothing is written unless all of it can be; the errors are those of [Write].
func New(dir, name string) (added string, err error) {
	if _, err := FileName(1, name); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("migrate: make folder: %w", err)
	}
	err = locked(dir, func() error {
		number, err := Next(os.DirFS(dir))
		if err != nil {
			return err
		}
		if added, err = FileName(number, name); err != nil {
			return err
		}
		return add(dir, File{Name: added, Number: number, Text: toFillIn}, nil)
	})
	if err != nil {
		return "", err
	}
	return added, nil
}

// lockFile is in a folder while a command writes to it.
const lockFile = SumFile + ".lock"

// LockedError reports a folder to which another command is writing.
type LockedError struct {
	File string // the lock
}

func (e *LockedError) Error() string {
	return fmt.Sprintf("migrate: %s: another command is writing to the folder; run this again when it has ended"+lockOutlives, e.File)
}

// errHeld reports a lock that another process has.
var errHeld = errors.New("the lock is held")

// locked calls a function while no other process writes to a folder.
func locked(dir string, write func() error) error {
	name := filepath.Join(dir, lockFile)
	held, err := hold(name)
	if errors.Is(err, errHeld) {
		return &LockedError{File: name}
	}
	if err != nil {
		return fmt.Errorf("migrate: lock folder: %w", err)
	}
	err = write()
	if late := release(held, func() error { return os.Remove(name) }); late != nil {
		err = errors.Join(err, fmt.Errorf("migrate: unlock folder: %w", late))
	}
	return err
}
