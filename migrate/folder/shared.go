package folder

import (
	"errors"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/internal/lex"
)

// Shared is a user-defined type that a folder uses and another folder of the same keyspace creates and alters: the folder of the
// package that declares the Go type. A file declares the fields that it needs with a line
//
//	-- aml:shared money (amount decimal, currency text) from example.com/shop
//
// before the statements that use the type. migrate.Up refuses the folder while the type does not have all fields of the last such
// line (*migrate.SharedError); it accepts further fields at the end. The line -- aml:unshared money revokes the declaration.
type Shared struct {
	Type    string
	Fields  []Field
	From    string // the import path of the package, or another name of its folder; "" if the type is no longer used
	Created string // a CREATE TYPE with these fields
	Offset  int    // the byte offset of the directive in its file
}

// Field is a field of a type, as in system_schema.
type Field struct{ Name, Type string }

// String returns the field in CQL.
func (f Field) String() string { return f.Name + " " + f.Type }

const sharedForm = "write -- aml:shared TYPE (FIELD TYPE, …) from PACKAGE, on one line"

// parseShared reads the argument of aml:shared.
func parseShared(argument string) (Shared, error) {
	const sep = " from "
	at := strings.LastIndex(argument, sep)
	if at < 0 || len(strings.Fields(argument[at+len(sep):])) != 1 {
		return Shared{}, errors.New("the package after from is missing; " + sharedForm)
	}
	body, from := argument[:at], argument[at+len(sep):]
	s := Shared{From: strings.TrimSpace(from), Created: "CREATE TYPE " + strings.TrimSpace(body)}
	r := &lex.Reader{Words: lex.Words(body)}
	s.Type = r.Identifier()
	r.Failed = r.Failed || !r.Accept("(")
	for more := true; more && !r.Failed; more = r.Accept(",") {
		f := Field{Name: r.Identifier()}
		first := r.Peek()
		r.Skip()
		if r.Failed || r.At == 0 || r.Words[r.At-1].To <= first.From {
			return Shared{}, errors.New("a field has no type; " + sharedForm)
		}
		f.Type = body[first.From:r.Words[r.At-1].To]
		s.Fields = append(s.Fields, f)
	}
	if !r.Accept(")") || r.At < len(r.Words) {
		return Shared{}, errors.New("the fields of the type are invalid; " + sharedForm)
	}
	return s, nil
}

// readShared returns the declarations of shared types in a file, in order.
func readShared(text string, found []Directive) ([]Shared, error) {
	var out []Shared
	for _, d := range found {
		s := Shared{Type: d.Argument}
		switch d.Verb {
		case unsharedDirective:
		case sharedDirective:
			var err error
			if s, err = parseShared(d.Argument); err != nil {
				return nil, syntaxError(text, d.Offset, "aml:shared: "+err.Error())
			}
		default:
			continue
		}
		s.Offset = d.Offset
		out = append(out, s)
	}
	return out, nil
}

// Needs returns the shared types that a folder needs, with the fields of their last declarations.
func Needs(files []File) []Shared {
	var out []Shared
	for _, f := range files {
		for _, s := range f.Shared {
			out = slices.DeleteFunc(out, func(o Shared) bool { return o.Type == s.Type })
			if s.From != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

// SameStorage reports whether a field is stored in the same way as another. A collection in a type is frozen with each value of the type,
// also if it is declared without frozen.
func (f Field) SameStorage(other Field) bool {
	plain := func(t string) string { return strings.Join(strings.Fields(t), "") }
	want, have := plain(f.Type), plain(other.Type)
	return f.Name == other.Name && (want == have || want == "frozen<"+have+">")
}
