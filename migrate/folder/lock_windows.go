package folder

import (
	"errors"
	"os"
	"syscall"
)

// lockOutlives is what to do about the lock of a process that was killed: nothing, the system releases it.
const lockOutlives = ""

// sharingViolation is the answer for a file that another process has and does not share.
const sharingViolation = syscall.Errno(32)

// hold opens the file of a lock that nobody else has, and shares it with nobody.
func hold(name string) (*os.File, error) {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharingViolation) {
		return nil, errHeld
	}
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(h), name), nil
}

// release removes the file, unless another process has it by then.
func release(f *os.File, remove func() error) error {
	err := f.Close()
	if removed := remove(); !errors.Is(removed, sharingViolation) {
		err = errors.Join(err, removed)
	}
	return err
}
