package folder

import (
	"errors"
	"os"
	"syscall"
)

// lockOutlives is the advice about the lock of a killed process: none, because the operating system releases the lock.
const lockOutlives = ""

// sharingViolation is the error for a file that another process has opened without sharing.
const sharingViolation = syscall.Errno(32)

// hold opens the file of a lock without sharing. It returns errHeld if another process has the lock.
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

// release removes the file, unless another process has opened it in the meantime.
func release(f *os.File, remove func() error) error {
	err := f.Close()
	if removed := remove(); !errors.Is(removed, sharingViolation) {
		err = errors.Join(err, removed)
	}
	return err
}
