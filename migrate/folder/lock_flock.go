//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package folder

import (
	"errors"
	"os"
	"syscall"
)

// lockOutlives is what to do about the lock of a process that was killed: nothing, the system releases it.
const lockOutlives = ""

// hold opens the file of a lock that nobody else has.
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
		if err := f.Close(); err != nil { // another has just removed it
			return nil, err
		}
	}
}

// isAt reports whether a file is the one that has the name.
func isAt(f *os.File, name string) bool {
	own, err := f.Stat()
	there, lookErr := os.Stat(name)
	return err == nil && lookErr == nil && os.SameFile(own, there)
}

// release removes the file while nobody else can have it.
func release(f *os.File, remove func() error) error { return errors.Join(remove(), f.Close()) }
