package reverse

import (
	"fmt"
	"go/token"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// Config configures a model. The zero value results in package model.
type Config struct {
	// Package is the name of the Go package; "" means model. [PackageName] derives it from the name of a keyspace.
	Package string
	// Keyspace is the name of the keyspace in the documentation of the package; "" omits it.
	Keyspace string
}

// Check returns an error for an invalid name of a package.
func (c Config) Check() error {
	if c.Package != "" && (!token.IsIdentifier(c.Package) || c.Package == "_") {
		return fmt.Errorf("reverse: %q is not a valid name of a Go package: use letters and digits", c.Package)
	}
	return nil
}

// Model is the Go model of a keyspace.
type Model struct {
	// Source is a Go file, formatted by gofmt.
	Source []byte
	// Gaps are the differences between the keyspace and the model, each with its reason in one line. The source has the same lines
	// as comments.
	Gaps []string
}

// Adopt writes the model of a keyspace that [catalog.Inspect] returns: a struct with aml.Aggregate for each table, a struct with
// aml.ValueObject for each user-defined type that a column uses, and a plain struct for each tuple. Tags have all CQL names.
//
// Adopt checks the model by the rules of the language and derives its schema. Every difference between this schema and the keyspace
// is a gap of the model. A column that the language does not support is omitted; so is a table with such a column in its key, and a
// user-defined type with such a field.
func Adopt(k *catalog.Keyspace, c Config) (*Model, error) {
	if c.Package == "" {
		c.Package = "model"
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	for reasons := (refusals{}); ; {
		known := len(reasons)
		w := newWriter(k, reasons)
		w.write()
		if len(reasons) > known {
			continue // write again without the refused objects
		}
		m, err := w.check(c.Package)
		if err != nil {
			return nil, fmt.Errorf("reverse: %w", err)
		}
		if len(reasons) > known {
			continue
		}
		gaps, err := w.gaps(m)
		if err != nil {
			return nil, fmt.Errorf("reverse: %w", err)
		}
		source, err := w.print(c, gaps)
		if err != nil {
			return nil, fmt.Errorf("reverse: %w", err)
		}
		return &Model{Source: source, Gaps: lines(gaps)}, nil
	}
}

// write creates all structs. Names are assigned to tables first, then to types, then to tuples.
func (w *writer) write() {
	var tables, types []string
	for _, t := range w.from.Tables {
		tables = append(tables, t.Name)
	}
	for _, u := range w.from.Types {
		types = append(types, u.Name)
	}
	w.taken = reserve(tables)
	ofTable := goNames(tables, "Table", w.taken)
	ofType := map[string]string{}
	for _, u := range types {
		name := goName(u, "Type")
		if w.taken[name] {
			name += "Value"
		}
		ofType[u] = unique(name, w.taken)
	}
	for _, u := range w.from.Types {
		w.composite(u, ofType[u.Name])
	}
	for _, t := range w.from.Tables {
		w.table(t, ofTable[t.Name])
	}
}

// composite creates the struct of a user-defined type. If one of its fields is refused, the type is refused.
func (w *writer) composite(u *schema.UDT, name string) {
	of := subject{udt: u.Name}
	if w.reasons[of] != "" {
		return
	}
	s := newStructure(model.ValueObjectMarker, name)
	s.subject, s.tag.Name, s.key = of, u.Name, true
	s.about = name + " is the type " + model.Quote(u.Name) + "."
	var cql []string
	for _, f := range u.Fields {
		cql = append(cql, f.Name)
	}
	names := goNames(cql, "Field", map[string]bool{"ValueObject": true})
	for _, c := range u.Fields {
		w.at = subject{udt: u.Name, column: c.Name}
		f, err := w.field(s, names[c.Name], c.Name, c.Type)
		why := w.reasons[w.at]
		if err != nil {
			why = err.Error()
		}
		if why != "" {
			w.reasons.refuse(of, "field "+model.Quote(c.Name)+": "+why)
			return
		}
		f.subject = w.at
		s.fields, s.key = append(s.fields, f), s.key && f.shape.key
	}
	w.udts[u.Name] = s
}
