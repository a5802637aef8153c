package migrate

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Companion is a file that is written with a migration and lies elsewhere: the functions in Go that it calls.
type Companion struct {
	Path string // as the working directory has it
	Text string
}

// plan notes in the lock what is about to be added: a line with a hash and a path for each file, the migration first, as the
// folder has it, and a last line without which the plan is none. Nothing is written before the plan.
func (l *folderLock) plan(migration file, with []Companion) error {
	text := hash(migration.text) + " " + migration.name + "\n"
	for _, c := range with {
		path, err := l.relative(c.Path)
		if err != nil {
			return fmt.Errorf("migrate: write %s: %w", c.Path, err)
		}
		text += hash(c.Text) + " " + path + "\n"
	}
	return l.note(text + planEnd + "\n")
}

// planEnd ends a plan.
const planEnd = "planned"

// relative returns a path as seen from the folder, so that it means the same to a command that runs elsewhere.
func (l *folderLock) relative(path string) (string, error) {
	dir, err := filepath.Abs(l.dir)
	if err != nil {
		return "", err
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.Rel(dir, full)
}

// note replaces what is in the lock.
func (l *folderLock) note(text string) error {
	if err := l.disk.fill(l.held, text); err != nil {
		return fmt.Errorf("migrate: lock folder: %w", err)
	}
	return nil
}

// takeBack removes what a command has written that was killed before all of its plan was. What was edited since stays.
func (l *folderLock) takeBack() error {
	lines, err := l.planned()
	if err != nil {
		return fmt.Errorf("migrate: read the lock of the folder: %w", err)
	}
	if len(lines) == 0 {
		return nil
	}
	_, migration, _ := strings.Cut(lines[0], " ")
	done, err := l.inSumFile(migration)
	if err == nil {
		err = l.undo(lines, done)
	}
	if err != nil {
		return fmt.Errorf("migrate: take back what a command left that was killed: %w", err)
	}
	return nil
}

// planned reads the lines of the plan, none without a whole one.
func (l *folderLock) planned() ([]string, error) {
	if _, err := l.held.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	b, err := io.ReadAll(l.held)
	lines := strings.Split(string(b), "\n")
	if len(lines) < 3 || lines[len(lines)-2] != planEnd {
		return nil, err
	}
	return lines[:len(lines)-2], err
}

// undo removes what the lines of a plan name, and the plan; of one that is done only what was on its way.
func (l *folderLock) undo(lines []string, done bool) error {
	faults := []error{l.disk.remove(beside(filepath.Join(l.dir, SumFile)))}
	for _, line := range lines {
		sum, path, _ := strings.Cut(line, " ")
		path = filepath.Join(l.dir, path)
		faults = append(faults, l.disk.remove(beside(path)))
		if !done {
			faults = append(faults, l.removeIf(path, sum))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	return l.note("")
}

// inSumFile reports whether aml.sum has a migration: it is written last.
func (l *folderLock) inSumFile(migration string) (bool, error) {
	b, err := os.ReadFile(filepath.Join(l.dir, SumFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return names(sumLines(normalise(string(b))), migration), err
}

// removeIf removes a file that has the text of a hash.
func (l *folderLock) removeIf(path, sum string) error {
	b, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil || hash(string(b)) != sum:
		return err
	}
	return l.disk.remove(path)
}

// TakeBack removes from a folder, and from beside it, what a command left that was killed while it added a migration: the
// folder is then as it was before. What was edited since stays. Where no command was killed, and where there is no folder, it
// does nothing; while another command writes it is refused with a *[LockedError]. [WriteFile] and [NewFile] begin with it.
func TakeBack(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, lockFile)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	l, err := lockFolder(osDisk{}, dir)
	if err != nil {
		return err
	}
	return errors.Join(l.takeBack(), l.unlock())
}
