//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package folder

import (
	"errors"
	"io/fs"
	"os"
)

// lockOutlives is the advice about the lock of a killed process.
const lockOutlives = ", or if it was killed, delete the lock"

// hold creates the file of a lock. It returns errHeld if the file exists.
func hold(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, errHeld
	}
	return f, err
}

// release removes the file.
func release(f *os.File, remove func() error) error { return errors.Join(f.Close(), remove()) }
