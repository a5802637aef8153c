package migrate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// disk is what a writer does to the file system, in steps between which it can be killed.
type disk interface {
	// write makes a file anew, and has its text on the disk when it returns.
	write(name, text string) error
	// link adds a second name to a file, unless that is taken.
	link(name, other string) error
	// rename moves a file into its place, whatever was there.
	rename(name, other string) error
	// remove removes a file, if it is there.
	remove(name string) error
	// fill replaces what is in an open file.
	fill(f *os.File, text string) error
}

// osDisk is the disk of the operating system.
type osDisk struct{}

func (osDisk) write(name, text string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// A file system may have no hard links; who writes to the folder has its lock, and has looked that the name is free.
func (osDisk) link(name, other string) error {
	err := os.Link(name, other)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, there := os.Lstat(other); !errors.Is(there, fs.ErrNotExist) {
		return err
	}
	return os.Rename(name, other)
}

func (osDisk) rename(name, other string) error { return os.Rename(name, other) }

func (osDisk) remove(name string) error {
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (osDisk) fill(f *os.File, text string) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(text), 0)
	return errors.Join(err, f.Sync())
}

// beside is where a file is written before it is moved to its place, so that nobody reads half of it.
func beside(name string) string {
	return filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".new")
}

// replace puts a file in its place, whatever was there.
func replace(d disk, name, text string) error {
	err := d.write(beside(name), text)
	if err == nil {
		err = d.rename(beside(name), name)
	}
	if err != nil {
		return fmt.Errorf("migrate: write %s: %w", filepath.Base(name), errors.Join(err, d.remove(beside(name))))
	}
	return nil
}

// place puts a file in its place, unless one is there.
func place(d disk, name, text string) error {
	err := d.write(beside(name), text)
	if err == nil {
		err = errors.Join(d.link(beside(name), name), d.remove(beside(name)))
	}
	if err != nil {
		return fmt.Errorf("migrate: write %s: %w", name, err)
	}
	return nil
}
