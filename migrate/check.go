package migrate

import (
	"errors"
	"fmt"

	"github.com/cassaml/cassaml/migrate/folder"
)

// FileState is the progress of a migration in a keyspace.
type FileState string

// The states of a migration.
const (
	FileApplied    FileState = "applied"      // all of it
	FilePending    FileState = "pending"      // none of it
	FilePartial    FileState = "partial"      // some of its statements; the next Up continues after them
	FileFailed     FileState = "failed"       // the statement after the applied ones failed; the next Up sends it again
	FileEdited     FileState = "edited"       // edited or renamed after at least a part of it was applied; Up refuses it
	FileOutOfOrder FileState = "out of order" // inserted before an applied file; Up refuses it
	FileMissing    FileState = "missing"      // applied, and missing in a folder with newer files; Up refuses the folder
	FileNewer      FileState = "newer"        // applied by a newer release
	FileOnlyInGo   FileState = "in Go"        // applied by a function of the service; there is no file
)

// FileError reports a file, or a record of one, that contradicts the migrations that are applied to the keyspace.
type FileError struct {
	File   string
	State  FileState // FileEdited, FileMissing or FileOutOfOrder
	Reason string    // the difference, and its fix
}

func (e *FileError) Error() string { return "migrate: " + e.File + ": " + e.Reason }

// check compares the files with the records. It refuses a misspelt directive only while some statement of its file is pending: afterwards
// the file must not be edited, and the directive has no effect.
func check(files []folder.File, h history) error {
	var faults []error
	latest := h.latest()
	for i := range files {
		f, r := &files[i], h[files[i].Number]
		switch {
		case r.started():
			if fault := unchanged(f, r); fault != nil {
				faults = append(faults, fault)
			}
		case f.Number < latest.number:
			faults = append(faults, tooLate(f, latest))
		}
		for _, m := range f.Misspelt {
			if !r.whole() {
				faults = append(faults, m.Fault(f))
			}
		}
	}
	return errors.Join(append(faults, noneMissing(files, h)...)...)
}

// unchanged returns an error if a file differs from the file that was applied. If only some statements of the file are applied, the others
// may change, and so may the text between the statements.
func unchanged(f *folder.File, r record) *FileError {
	what, first := "", firstChanged(f, r)
	switch {
	case r.name != f.Name:
		what = "was applied under the name " + r.name
	case first > 0:
		what = fmt.Sprintf("statement %d was applied, and has been edited or removed since", first)
	case r.whole() && r.checksum != f.Checksum:
		what = "the text differs from the one that was applied, although no applied statement does"
	default:
		return nil
	}
	return &FileError{File: f.Name, State: FileEdited, Reason: what + "; restore the file and write the change as a new file"}
}

// tooLate returns the error of a file that was never applied, although a file with a greater number was.
func tooLate(f *folder.File, latest record) *FileError {
	return &FileError{File: f.Name, State: FileOutOfOrder, Reason: "comes before " + latest.name + ", which is already applied; give it a greater number"}
}

// missing returns the error of a record whose file is missing, although a newer file exists.
func missing(r record) *FileError {
	return &FileError{File: r.name, State: FileMissing, Reason: "was applied and is missing; restore the file"}
}

// firstChanged returns the number of the first applied statement that is not at its place in the file; 0 if there is none.
func firstChanged(f *folder.File, r record) int {
	for i, h := range r.hashes {
		if i >= len(f.Statements) || f.Statements[i].Hash != h {
			return i + 1
		}
	}
	return 0
}

// noneMissing returns errors for recorded migrations that are not among the files. It accepts newer ones: another replica of the service
// has a newer release.
func noneMissing(files []folder.File, h history) []error {
	there := make(map[int]bool, len(files))
	for _, f := range files {
		there[f.Number] = true
	}
	var faults []error
	for _, r := range h.inOrder() {
		if r.started() && !there[r.number] && r.number < folder.Newest(files) {
			faults = append(faults, missing(r))
		}
	}
	return faults
}
