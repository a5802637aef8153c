package folder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// lockFile is the name of a file that exists while a command writes to a folder.
const lockFile = SumFile + ".lock"

// LockedError reports a folder to which another command is writing.
type LockedError struct {
	File string // the lock file
}

func (e *LockedError) Error() string {
	return fmt.Sprintf("migrate: %s: another command is writing to the folder; run this command again when the other has ended"+lockOutlives, e.File)
}

// locked calls a function while it has the lock of a folder.
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
