package migrate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

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
