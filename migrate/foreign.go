package migrate

import (
	"errors"
	"fmt"
	"github.com/cassaml/cassaml/migrate/folder"
	"strings"
)

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
func refusal(err error, folder, keyspace string, files []folder.File, s state) error {
	if _, changed := errors.AsType[*ChangedError](err); !changed {
		return err
	}
	ofType := map[string]bool{} // by the hash of a statement
	for _, f := range files {
		for _, s := range f.Statements {
			ofType[s.Hash] = strings.HasPrefix(changeOf(s.Text, keyspace).object, string(typeObject)+" ")
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
