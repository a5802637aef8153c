package migrate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/migrate/internal/lex"
)

// Shared is a user-defined type that a folder uses and that another folder of the same keyspace creates and alters: that of the
// package that declares its Go type. A file says what it needs of the type with a line
//
//	-- aml:shared money (amount decimal, currency text) from example.com/shop
//
// before the statements that use it. [Up] refuses the folder as long as the type lacks a field of the last such line
// (*[SharedError]); further fields at the end are accepted. The line -- aml:unshared money ends that.
type Shared struct {
	Type    string
	Fields  []SharedField
	From    string // the import path of the package, or another name of its folder; "" where the type is not used any more
	Created string // CREATE TYPE with these fields
	Offset  int    // of the directive in its file
}

// SharedField is a field of a type, as system_schema has it.
type SharedField struct{ Name, Type string }

// String returns the field as CQL has it.
func (f SharedField) String() string { return f.Name + " " + f.Type }

const sharedForm = "write -- aml:shared TYPE (FIELD TYPE, …) from PACKAGE, on one line"

// parseShared reads the argument of aml:shared.
func parseShared(argument string) (Shared, error) {
	body, from, ok := cutLast(argument, " from ")
	if !ok || len(strings.Fields(from)) != 1 {
		return Shared{}, errors.New("no package that the type is from; " + sharedForm)
	}
	s := Shared{From: strings.TrimSpace(from), Created: "CREATE TYPE " + strings.TrimSpace(body)}
	r := &lex.Reader{Words: lex.Words(body)}
	s.Type = r.Identifier()
	r.Failed = r.Failed || !r.Accept("(")
	for more := true; more && !r.Failed; more = r.Accept(",") {
		f := SharedField{Name: r.Identifier()}
		first := r.Peek()
		r.Skip()
		if r.Failed || r.At == 0 || r.Words[r.At-1].To <= first.From {
			return Shared{}, errors.New("a field without a type; " + sharedForm)
		}
		f.Type = body[first.From:r.Words[r.At-1].To]
		s.Fields = append(s.Fields, f)
	}
	if !r.Accept(")") || r.At < len(r.Words) {
		return Shared{}, errors.New("not a type with its fields; " + sharedForm)
	}
	return s, nil
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// sharedOf lists what a file says of shared types, in order.
func sharedOf(text string, found []Directive) ([]Shared, error) {
	var out []Shared
	for _, d := range found {
		s := Shared{Type: d.Argument}
		switch d.Verb {
		case unsharedDirective:
		case sharedDirective:
			var err error
			if s, err = parseShared(d.Argument); err != nil {
				return nil, syntaxError(text, d.Offset, "aml:shared has "+err.Error())
			}
		default:
			continue
		}
		s.Offset = d.Offset
		out = append(out, s)
	}
	return out, nil
}

// sharedBy returns the shared types that a folder needs, as its last files say it.
func sharedBy(files []file) []Shared {
	var out []Shared
	for _, f := range files {
		for _, s := range f.shared {
			out = deleteShared(out, s.Type)
			if s.From != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

func deleteShared(in []Shared, name string) []Shared {
	var out []Shared
	for _, s := range in {
		if s.Type != name {
			out = append(out, s)
		}
	}
	return out
}

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

// differs compares a shared type with the fields that the keyspace has of it.
func (s Shared) differs(have []SharedField) *SharedError {
	e := &SharedError{Type: s.Type, From: s.From}
	if len(have) == 0 {
		return e
	}
	for i, want := range s.Fields {
		switch {
		case i >= len(have):
			e.Want = want.String()
			return e
		case !want.alike(have[i]):
			e.Want, e.Have = want.String(), have[i].String()
			return e
		}
	}
	return nil
}

// alike reports whether a field is stored as another. What a type has of a collection is frozen with every value of it, whether it
// says so or not.
func (f SharedField) alike(other SharedField) bool {
	plain := func(t string) string { return strings.Join(strings.Fields(t), "") }
	want, have := plain(f.Type), plain(other.Type)
	return f.Name == other.Name && (want == have || want == "frozen<"+have+">")
}

// checkShared refuses a folder that needs of a type what the folder that owns it has not brought yet.
func (r *run) checkShared(t *lease) error {
	var faults []error
	for _, s := range sharedBy(r.files) {
		var have []SharedField
		err := retry(t.ctx, "read system_schema", func(ctx context.Context) (err error) {
			have, err = r.db.fields(ctx, r.keyspace, s.Type)
			return err
		})
		if err != nil {
			return err
		}
		if e := s.differs(have); e != nil {
			e.Folder, _ = r.state.owners.of(string(typeObject)+" "+s.Type, r.folder)
			faults = append(faults, e)
		}
	}
	return errors.Join(faults...)
}
