package migrate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// nameLine begins the line of aml.sum that names a folder.
const nameLine = "name "

// maxFolderName is how many bytes the name of a folder has at most.
const maxFolderName = 48

// FolderName returns the name of a folder of migrations: that of the line
//
//	name billing
//
// of its aml.sum. Several packages that share a keyspace have a folder each, and the records of a folder are found by its name.
// A folder without the line has no name, "". A keyspace has at most one of those.
func FolderName(fsys fs.FS) (string, error) {
	text, err := sumText(fsys)
	if err != nil {
		return "", err
	}
	return nameIn(text)
}

// CheckFolderName returns an error for a text that cannot name a folder: it is lower snake case of at most 48 bytes.
// "migrations" is taken: the records of the folder without a name are under it.
func CheckFolderName(name string) error {
	pattern := regexp.MustCompile(`^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$`)
	switch {
	case !pattern.MatchString(name) || len(name) > maxFolderName:
		return fmt.Errorf("migrate: %q cannot name a folder: write lower_snake_case of at most %d bytes", name, maxFolderName)
	case name == partition:
		return fmt.Errorf("migrate: a folder cannot be named %q, which is where the folder without a name is recorded: take the name of the package", name)
	}
	return nil
}

// NameFolder writes the name of a folder into its aml.sum, which then covers the files that are there, as [WriteSum] does. An
// empty name removes the line. The folder is made when it is not there. Do it before a database has applied any of the files:
// it looks for their records under the new name, and [Up] refuses the files (*[OwnerError]).
func NameFolder(dir, name string) error {
	if name != "" {
		if err := CheckFolderName(name); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("migrate: make folder: %w", err)
	}
	return locked(dir, func() error {
		files, err := readFiles(os.DirFS(dir))
		if err != nil {
			return err
		}
		return replace(filepath.Join(dir, SumFile), sumOf(name, files))
	})
}

// sumText reads aml.sum, "" where there is none.
func sumText(fsys fs.FS) (string, error) {
	b, err := fs.ReadFile(fsys, SumFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("migrate: read sum: %w", err)
	}
	return normalise(string(b)), nil
}

// nameIn finds the name of a folder in the text of its aml.sum, wherever a merge has put the line.
func nameIn(text string) (string, error) {
	name := ""
	for line := range strings.Lines(text) {
		found, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), nameLine)
		switch {
		case !ok:
			continue
		case name != "" && name != found:
			return "", &SumError{File: SumFile, Reason: fmt.Sprintf("names the folder %s and %s", name, found)}
		}
		if err := CheckFolderName(found); err != nil {
			return "", fmt.Errorf("%w (in %s; aml migrate sum -name NAME writes another)", err, SumFile)
		}
		name = found
	}
	return name, nil
}

// FolderError reports that what a keyspace has recorded under the name of a folder is none of the folder's statements, or only those
// of types, and none of its tables: most likely two folders have one name, or none has a name.
type FolderError struct {
	Folder string // "" for the folder without a name
	Err    error  // how the files differ from the record
}

func (e *FolderError) Error() string {
	return fmt.Sprintf("migrate: what is recorded of %s in this keyspace is not this folder: it has none of the statements, or only those of types. "+
		"Where several packages share a keyspace, give the folder that is applied last a name that no other has, with aml migrate sum -name NAME; "+
		"where this is the folder, put its files back:\n%v", folderText(e.Folder), e.Err)
}

func (e *FolderError) Unwrap() error { return e.Err }

// refusal explains files that contradict the record and are most likely of another folder: they have no statement in common with
// it; or only those of types, which two packages can share, and create none of its tables.
func refusal(err error, folder, keyspace string, files []file, s state) error {
	if _, changed := errors.AsType[*ChangedError](err); !changed {
		return err
	}
	ofType := map[string]bool{} // by the hash of a statement
	for _, f := range files {
		for i, statement := range f.hashes {
			ofType[statement] = strings.HasPrefix(changeOf(f.statements[i].Text, keyspace).object, string(typeObject)+" ")
		}
	}
	common := false
	for _, r := range s.records {
		for _, statement := range r.hashes {
			of, own := ofType[statement]
			if own && !of {
				return err
			}
			common = common || own
		}
	}
	if common && !apart(s.owners[folder].tables(), ownedBy(files, nil, keyspace).tables()) {
		return err
	}
	return &FolderError{Folder: folder, Err: err}
}

// apart reports whether there are tables in both sets, and none in both at once.
func apart(a, b owned) bool {
	for table := range a {
		if b[table] {
			return false
		}
	}
	return len(a) > 0 && len(b) > 0
}

// refusal explains what check has against the files.
func (r *run) refusal(err error) error {
	return refusal(err, r.folder, r.keyspace, r.files, r.state)
}
