//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package folder

import (
	"errors"
	"os"
	"syscall"
)

// lockOutlives is the advice about the lock of a killed process: none, because the operating system releases the lock.
const lockOutlives = ""

// hold opens and locks the file of a lock. It returns errHeld if another process has the lock.
func hold(name string) (*os.File, error) {
	for {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o644)
		if err != nil {
			return nil, err
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			if errors.Is(err, syscall.EWOULDBLOCK) {
				err = errHeld
			}
			return nil, errors.Join(err, f.Close())
		}
		if isAt(f, name) {
			return f, nil
		}
		if err := f.Close(); err != nil { // another process has just removed the file
			return nil, err
		}
	}
}

// isAt reports whether an open file is the one with the name.
func isAt(f *os.File, name string) bool {
	own, err := f.Stat()
	there, lookErr := os.Stat(name)
	return err == nil && lookErr == nil && os.SameFile(own, there)
}

// release removes the file before it unlocks it.
func release(f *os.File, remove func() error) error { return errors.Join(remove(), f.Close()) }
