package migrate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// lockFile stands in a folder while a command writes to it.
const lockFile = SumFile + ".lock"

// LockedError reports a folder to which another command is writing, or was when
// it was killed.
type LockedError struct {
	File string // the lock
}

func (e *LockedError) Error() string {
	return fmt.Sprintf("migrate: %s: another command is writing to the folder; run this again when it has ended, "+
		"or if it was killed, delete the file", e.File)
}

// lockFolder makes this process the only one that writes to a folder, until the
// function that it returns is called.
func lockFolder(dir string) (unlock func() error, err error) {
	name := filepath.Join(dir, lockFile)
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, &LockedError{File: name}
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("migrate: lock folder: %w", err)
	}
	return func() error {
		if err := os.Remove(name); err != nil {
			return fmt.Errorf("migrate: unlock folder: %w", err)
		}
		return nil
	}, nil
}
