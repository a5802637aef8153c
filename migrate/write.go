package migrate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// WriteFile adds a migration to a folder of the file system, which is made when
// it is not there, and brings aml.sum up to date. name is as [FileName] gives
// it; its number comes after all others. Each of statements is one CQL statement
// without its semicolon, comments allowed.
//
// Nothing is written unless all of it can be: a name out of order
// (*[NameError]), a text that is not one statement (*[SyntaxError]) and an
// aml.sum that does not match the files already there (*[SumError]) leave the
// folder as it was, and so does a failed write. Readers see the whole file or
// none of it. Of two writers at once one is refused with a *[LockedError].
func WriteFile(dir, name string, statements []string) error {
	added, err := newFile(name, statements)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("migrate: make folder: %w", err)
	}
	unlock, err := lockFolder(dir)
	if err != nil {
		return err
	}
	return errors.Join(writeFile(dir, added), unlock())
}

// writeFile adds a file to a folder that is locked.
func writeFile(dir string, added file) error {
	files, err := readFiles(os.DirFS(dir))
	if err != nil {
		return err
	}
	if err := checkSum(os.DirFS(dir), files); err != nil {
		return err
	}
	if last := newest(files); added.number <= last {
		return &NameError{File: added.name, Reason: fmt.Sprintf("does not come after number %04d", last)}
	}
	return addFile(dir, added, sumOf(append(files, added)))
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

// addFile writes a migration and the sum that covers it, or neither.
func addFile(dir string, f file, sum string) error {
	if err := replaceFile(dir, f.name, f.text); err != nil {
		return err
	}
	err := replaceFile(dir, SumFile, sum)
	if err != nil {
		err = errors.Join(err, os.Remove(filepath.Join(dir, f.name)))
	}
	return err
}

// replaceFile writes a file beside its place and moves it there, so that nobody
// reads half of it.
func replaceFile(dir, name, text string) error {
	temp, err := os.CreateTemp(dir, "."+name+".*")
	if err != nil {
		return fmt.Errorf("migrate: write %s: %w", name, err)
	}
	_, err = temp.WriteString(text)
	err = errors.Join(err, temp.Chmod(0o644), temp.Sync(), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		return fmt.Errorf("migrate: write %s: %w", name, errors.Join(err, os.Remove(temp.Name())))
	}
	return nil
}
