//go:build unix

package cassandra

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

const lockEvery = 20 * time.Millisecond

// lockFile locks a file, which it creates, and waits for the owner of the lock. Closing the file releases the lock, and so
// does the end of the process.
func lockFile(ctx context.Context, path string) (file *os.File, err error) {
	err = whileLocked(ctx, path, func() error {
		file, err = tryLockFile(path)
		return err
	})
	return file, err
}

// whileLocked tries to lock a file until no other process has the lock.
func whileLocked(ctx context.Context, path string, try func() error) error {
	for {
		if err := try(); !errors.Is(err, unix.EWOULDBLOCK) {
			return err
		}
		if !pause(ctx, lockEvery) {
			return fmt.Errorf("wait for lock %s: %w", path, ctx.Err())
		}
	}
}

// tryLockFile does not wait: the error is EWOULDBLOCK if another process has the lock.
func tryLockFile(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := tryLock(file); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

func tryLock(file *os.File) error {
	for {
		err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return nil
		}
		if !errors.Is(err, unix.EINTR) {
			return fmt.Errorf("lock %s: %w", file.Name(), err)
		}
	}
}

// awaitLock waits until no process has the lock of a file. It does not create the file, which its owner can remove together with its
// folder.
func awaitLock(ctx context.Context, path string) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	return whileLocked(ctx, path, func() error { return tryLock(file) })
}
