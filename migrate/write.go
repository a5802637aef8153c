package migrate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// WriteFile adds a migration to a folder of the file system, which is made when
// it is not there, and brings aml.sum up to date. name is as [FileName] gives
// it; its number comes after all others. Each of statements is one CQL statement
// without its semicolon, comments allowed. What is written with it must not be
// there yet ([fs.ErrExist]).
//
// Nothing is written unless all of it can be: a name out of order
// (*[NameError]), a text that is not one statement (*[SyntaxError]) and an
// aml.sum that does not match the files already there (*[SumError]) leave the
// folder as it was, and so does a failed write. Readers see the whole file or
// none of it. Of two writers at once one is refused with a *[LockedError]. What
// a writer leaves that is killed in between, the next takes back ([TakeBack]).
func WriteFile(dir, name string, statements []string, with ...Companion) error {
	added, err := newFile(name, statements)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("migrate: make folder: %w", err)
	}
	return inFolder(osDisk{}, dir, func(l *folderLock) error { return l.add(added, with) })
}

// inFolder calls a function in a folder that is locked, and in which nothing is left of a command that was killed.
func inFolder(d disk, dir string, write func(l *folderLock) error) error {
	l, err := lockFolder(d, dir)
	if err != nil {
		return err
	}
	err = l.takeBack()
	if err == nil {
		err = write(l)
	}
	return errors.Join(err, l.unlock())
}

// add adds a migration and what is written with it.
func (l *folderLock) add(added file, with []Companion) error {
	files, err := readFiles(os.DirFS(l.dir))
	if err != nil {
		return err
	}
	if err := checkSum(os.DirFS(l.dir), files); err != nil {
		return err
	}
	if last := newest(files); added.number <= last {
		return &NameError{File: added.name, Reason: fmt.Sprintf("does not come after number %04d", last)}
	}
	for _, c := range with {
		switch _, err := os.Lstat(c.Path); {
		case err == nil:
			return &fs.PathError{Op: "write", Path: c.Path, Err: fs.ErrExist}
		case !errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("migrate: %w", err)
		}
	}
	folder, err := FolderName(os.DirFS(l.dir))
	if err != nil {
		return err
	}
	return l.write(added, with, sumOf(folder, append(files, added)))
}

// write writes what is added, aml.sum last, or nothing.
func (l *folderLock) write(added file, with []Companion, sum string) error {
	if err := l.plan(added, with); err != nil {
		return err
	}
	err := l.writePlanned(added, with, sum)
	if err == nil {
		return nil
	}
	lines, late := l.planned()
	return errors.Join(err, late, l.undo(lines, false))
}

func (l *folderLock) writePlanned(added file, with []Companion, sum string) error {
	for _, c := range with {
		if err := place(l.disk, c.Path, c.Text); err != nil {
			return err
		}
	}
	if err := replace(l.disk, filepath.Join(l.dir, added.name), added.text); err != nil {
		return err
	}
	return replace(l.disk, filepath.Join(l.dir, SumFile), sum)
}

// newFile renders a migration: its statements, each ended by a semicolon, with
// an empty line between them.
func newFile(name string, statements []string) (file, error) {
	number, err := parseName(name)
	if err != nil {
		return file{}, err
	}
	var blocks []string
	for i, s := range statements {
		block, err := render(s)
		if err != nil {
			return file{}, fmt.Errorf("migrate: %s: statement %d: %w", name, i+1, err)
		}
		blocks = append(blocks, block)
	}
	return file{name: name, number: number, text: strings.Join(blocks, "\n")}, nil
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
