package migrate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
	"github.com/cassaml/cassaml/migrate/internal/effect"
)

// change is the object that a statement creates, alters or drops.
type change struct {
	object string // "" if it is not in the keyspace
	on     string // the table of an index
	create bool
	drop   bool
}

// readChange reads a statement.
func readChange(statement, keyspace string) change {
	s, _ := ddl.Parse(statement) // the name is enough, even if the rest cannot be read
	if s == nil || cmp.Or(s.On().Keyspace, keyspace) != keyspace {
		return change{}
	}
	c := change{}
	kind := effect.TableObject // tables and views share one namespace
	switch s := s.(type) {
	case *ddl.CreateTable, *ddl.CreateView:
		c.create = true
	case *ddl.DropTable, *ddl.DropView:
		c.drop = true
	case *ddl.CreateType:
		kind, c.create = effect.TypeObject, true
	case *ddl.DropType:
		kind, c.drop = effect.TypeObject, true
	case *ddl.AddField, *ddl.RenameFields:
		kind = effect.TypeObject
	case *ddl.CreateIndex:
		kind, c.create, c.on = effect.IndexObject, true, string(effect.TableObject)+" "+s.Table
	case *ddl.DropIndex:
		kind, c.drop = effect.IndexObject, true
	}
	if name := s.On().Name; name != "" && name != descriptor.Outboxes { // which all folders share
		c.object = string(kind) + " " + name
	}
	return c
}

// ownedBy returns the objects that a folder owns: the objects that its applied statements created and did not drop, and the objects that
// its pending statements create. An index belongs to its table.
func ownedBy(files []folder.File, h history, keyspace string) owned {
	out, on := owned{}, map[string]string{}
	for _, f := range files {
		for i, s := range f.Statements {
			c := readChange(s.Text, keyspace)
			switch {
			case c.object == "":
			case c.create:
				out[c.object], on[c.object] = true, c.on
			case c.drop && i < h[f.Number].count():
				delete(out, c.object)
				maps.DeleteFunc(out, func(o string, _ bool) bool { return on[o] == c.object })
			}
		}
	}
	return out
}

// OwnerError reports a statement on a table, type or index that belongs to another folder of the same keyspace.
type OwnerError struct {
	File   string
	Line   int
	Object string // such as "table customers"
	Folder string // the folder that owns it; "" for the folder without a name
	Create bool   // the statement creates the object, too
}

func (e *OwnerError) Error() string {
	do := "only that folder may alter or drop it: write the statement there"
	if e.Create {
		do = "two folders cannot create it: rename it in one of them, or write -- aml:shared for a type of the other folder. " +
			"If this is that folder, its name is missing: restore the name in aml.sum (aml migrate sum -name NAME), and embed aml.sum"
	}
	return fmt.Sprintf("migrate: %s:%d: %s belongs to %s; %s", e.File, e.Line, e.Object, folderText(e.Folder), do)
}

// folderText returns the name of a folder for errors.
func folderText(name string) string {
	if name == "" {
		return "the folder without a name"
	}
	return "folder " + name
}

// checkOwners refuses pending statements on objects of other folders.
func checkOwners(files []folder.File, h history, all owners, self, keyspace string) error {
	var faults []error
	for _, f := range files {
		for _, s := range f.Statements[min(h[f.Number].count(), len(f.Statements)):] {
			c := readChange(s.Text, keyspace)
			for _, object := range []string{c.object, c.on} {
				if folder, ok := all.otherOwner(object, self); ok {
					faults = append(faults, &OwnerError{File: f.Name, Line: s.Line, Object: object, Folder: folder, Create: c.create && object == c.object})
				}
			}
		}
	}
	return errors.Join(faults...)
}

// enter is the first step of a run that has the lock: it raises the epoch of the partition of its folder, refuses objects of other folders,
// and records the objects of this one.
func (r *run) enter(t *lease) error {
	if err := r.fence(t); err != nil {
		return err
	}
	if err := check(r.files, r.state.records); err != nil {
		return r.refusal(err)
	}
	if err := checkOwners(r.files, r.state.records, r.state.owners, r.folder, r.keyspace); err != nil {
		return err
	}
	refused, err := checkShared(r.files, r.state.owners, r.folder, func(name string) (have []folder.Field, err error) {
		err = retry(t.ctx, "read system_schema", func(ctx context.Context) (err error) {
			have, err = r.db.fields(ctx, r.keyspace, name)
			return err
		})
		return have, err
	})
	if err = cmp.Or(err, refused); err != nil {
		return err
	}
	applied, err := r.gocqlx(t)
	if err != nil {
		return err
	}
	if err := r.claim(t); err != nil {
		return err
	}
	return r.recordImported(t, applied)
}

// fence raises the epoch of a named folder's partition to the epoch of the lock, so that no earlier owner of the lock can write there. The
// folder without a name is recorded in the partition of the lock, whose epoch is already raised.
func (r *run) fence(t *lease) error {
	for r.folder != "" {
		switch {
		case r.state.fence == t.epoch:
			return nil
		case r.state.fence > t.epoch:
			t.cancel(errLockLost)
			return errLockLost
		}
		known := r.state.fence
		err := retry(t.ctx, "write aml_migrations", func(ctx context.Context) error { return r.db.fence(ctx, t.lock, known) })
		if err != nil {
			return err
		}
		if err := r.refresh(t.ctx, true); err != nil {
			return err
		}
	}
	return nil
}

// claim records the objects that belong to the folder, before any of its statements is sent. If the database is ahead of this release, the
// recorded objects that the release does not know are kept.
func (r *run) claim(t *lease) error {
	own := ownedBy(r.files, r.state.records, r.keyspace)
	recorded, known := r.state.owners[r.folder]
	if r.state.records.latest().number > folder.Newest(r.files) {
		maps.Copy(own, recorded)
	}
	if known && maps.Equal(own, recorded) {
		return nil
	}
	err := t.write(func(ctx context.Context) (bool, error) { return r.db.claim(ctx, t.lock, r.folder, own) })
	if err == nil {
		r.state.owners[r.folder] = own
	}
	return err
}

// FolderError reports that the statements recorded under the name of a folder are not statements of the folder, or that only statements of
// types match and none of its tables: most likely two folders have the same name, or neither has a name.
type FolderError struct {
	Folder string // "" for the folder without a name
	Err    error  // how the files differ from the record
}

func (e *FolderError) Error() string {
	return fmt.Sprintf("migrate: the records of %s in this keyspace belong to a different folder: this folder has none of their statements, or only those of types. "+
		"If several packages share the keyspace, give the folder that is applied last a unique name, with aml migrate sum -name NAME; "+
		"if this is the right folder, restore its files:\n%v", folderText(e.Folder), e.Err)
}

func (e *FolderError) Unwrap() error { return e.Err }

// refusal returns a [FolderError] for files that contradict the records and most likely belong to another folder: they have no statement in
// common with the records, or only statements of types, which two packages can share, and create none of their tables. It returns err
// otherwise.
func refusal(err error, self, keyspace string, files []folder.File, s state) error {
	if _, contradicts := errors.AsType[*FileError](err); !contradicts {
		return err
	}
	ofType := map[string]bool{} // the key is the hash of a statement
	for _, f := range files {
		for _, s := range f.Statements {
			ofType[s.Hash] = strings.HasPrefix(readChange(s.Text, keyspace).object, string(effect.TypeObject)+" ")
		}
	}
	common, recorded := false, false
	for _, r := range s.records {
		recorded = recorded || len(r.hashes) > 0
		for _, statement := range r.hashes {
			of, own := ofType[statement]
			if own && !of {
				return err
			}
			common = common || own
		}
	}
	if !recorded || common && !disjoint(s.owners[self].tables(), ownedBy(files, nil, keyspace).tables()) {
		return err
	}
	return &FolderError{Folder: self, Err: err}
}

// disjoint reports whether both sets have tables, and none in common.
func disjoint(a, b owned) bool {
	for table := range a {
		if b[table] {
			return false
		}
	}
	return len(a) > 0 && len(b) > 0
}

// refusal explains an error of check.
func (r *run) refusal(err error) error {
	return refusal(err, r.folder, r.keyspace, r.files, r.state)
}

// SharedError reports a shared type that the keyspace does not have, or not with the fields that a folder needs.
type SharedError struct {
	Type   string
	From   string // the package whose folder creates and alters it
	Folder string // the folder that owns the type; "" if no folder has recorded it, and for the folder without a name
	Want   string // the first field that is missing or differs; "" if the type does not exist
	Have   string // the field in its place; "" for none
}

func (e *SharedError) Error() string {
	of := "the migrations of " + e.From
	if e.Folder != "" {
		of += " (folder " + e.Folder + ")"
	}
	switch {
	case e.Want == "":
		return fmt.Sprintf("migrate: the shared type %s of %s does not exist: apply %s first", e.Type, e.From, of)
	case e.Have == "":
		return fmt.Sprintf("migrate: the shared type %s does not have the field %s yet: apply %s first", e.Type, e.Want, of)
	}
	return fmt.Sprintf("migrate: type %s has the field %s where this folder needs %s: build both packages from the same version of %s, and run aml diff",
		e.Type, e.Have, e.Want, e.From)
}

// checkShared refuses a folder that needs a shared type before the folder that owns the type has created or altered it. It returns err if the
// fields of a type cannot be read.
func checkShared(files []folder.File, all owners, self string, fields func(name string) ([]folder.Field, error)) (refused, err error) {
	var faults []error
	for _, s := range folder.Needs(files) {
		have, err := fields(s.Type)
		if err != nil {
			return nil, err
		}
		if e := differs(s, have); e != nil {
			e.Folder, _ = all.otherOwner(string(effect.TypeObject)+" "+s.Type, self)
			faults = append(faults, e)
		}
	}
	return errors.Join(faults...), nil
}

// differs returns an error if a shared type does not have the fields that a folder needs.
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
		case !want.SameStorage(have[i]):
			e.Want, e.Have = want.String(), have[i].String()
			return e
		}
	}
	return nil
}
