package migrate

import (
	"context"
	"errors"
	"fmt"
	"github.com/cassaml/cassaml/migrate/folder"
)

// SharedError reports a type that a folder needs and that the keyspace does not have in that form.
type SharedError struct {
	Type   string
	From   string // the package whose folder creates and alters it
	Folder string // that the type belongs to; "" where no folder has recorded it, and for the folder without a name
	Want   string // the first field that is missing, or differs; "" where there is no such type
	Have   string // what is in its place; "" for nothing
}

func (e *SharedError) Error() string {
	of := "the migrations of " + e.From
	if e.Folder != "" {
		of += " (folder " + e.Folder + ")"
	}
	switch {
	case e.Want == "":
		return fmt.Sprintf("migrate: type %s is missing, which this folder shares with %s: apply %s first", e.Type, e.From, of)
	case e.Have == "":
		return fmt.Sprintf("migrate: type %s has no field %s yet, which this folder needs: apply %s first", e.Type, e.Want, of)
	}
	return fmt.Sprintf("migrate: type %s has the field %s where this folder needs %s: build both packages from one version of %s, and write what differs with aml diff",
		e.Type, e.Have, e.Want, e.From)
}

// checkShared refuses a folder that needs of a type what the folder that owns it has not brought yet.
func (r *run) checkShared(t *lease) error {
	var faults []error
	for _, s := range folder.Needs(r.files) {
		var have []folder.Field
		err := retry(t.ctx, "read system_schema", func(ctx context.Context) (err error) {
			have, err = r.db.fields(ctx, r.keyspace, s.Type)
			return err
		})
		if err != nil {
			return err
		}
		if e := differs(s, have); e != nil {
			e.Folder, _ = r.state.owners.of(string(typeObject)+" "+s.Type, r.folder)
			faults = append(faults, e)
		}
	}
	return errors.Join(faults...)
}

// differs compares a shared type with the fields that the keyspace has of it.
func differs(s folder.Shared, have []folder.Field) *SharedError {
	e := &SharedError{Type: s.Type, From: s.From}
	if len(have) == 0 {
		return e
	}
	for i, want := range s.Fields {
		switch {
		case i >= len(have):
			e.Want = want.String()
			return e
		case !want.Alike(have[i]):
			e.Want, e.Have = want.String(), have[i].String()
			return e
		}
	}
	return nil
}
