package migrate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// lockFile stands in a folder while a command writes to it.
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

// folderLock makes a process the only one that writes to a folder. What is in its file says what the process is about to
// add, see plan.
type folderLock struct {
	dir  string
	disk disk
	held *os.File
}

func lockFolder(d disk, dir string) (*folderLock, error) {
	name := filepath.Join(dir, lockFile)
	held, err := hold(name)
	if errors.Is(err, errHeld) {
		return nil, &LockedError{File: name}
	}
	if err != nil {
		return nil, fmt.Errorf("migrate: lock folder: %w", err)
	}
	return &folderLock{dir: dir, disk: d, held: held}, nil
}

// unlock lets others in.
func (l *folderLock) unlock() error {
	if err := release(l.held, func() error { return l.disk.remove(filepath.Join(l.dir, lockFile)) }); err != nil {
		return fmt.Errorf("migrate: unlock folder: %w", err)
	}
	return nil
}
