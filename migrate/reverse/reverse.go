package reverse

import (
	"fmt"
	"go/token"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// Config configures how a model is written. The zero value writes package model.
type Config struct {
	// Package is the name of the Go package. Empty means model; [PackageName] makes one of a keyspace's name.
	Package string
	// Keyspace is what the model's documentation calls the keyspace. Empty says nothing of it.
	Keyspace string
}

// Check refuses a name that no package can have.
func (c Config) Check() error {
	if c.Package != "" && (!token.IsIdentifier(c.Package) || c.Package == "_") {
		return fmt.Errorf("reverse: %q cannot be the name of a Go package: use letters and digits", c.Package)
	}
	return nil
}

// Model is the Go model of a keyspace.
type Model struct {
	// Source is a Go file, as gofmt writes it.
	Source []byte
	// Gaps is what the keyspace has and the model cannot say, or says otherwise, each in one line with the reason. The
	// source has the same lines as comments.
	Gaps []string
}

// Adopt writes the model of a keyspace, as [catalog.Inspect] gives it: a struct with aml.Aggregate for each table, one with
// aml.ValueObject for each user-defined type that a column needs, and a plain one for each tuple in a collection. Every
// name of CQL stands in a tag.
//
// What it writes has been read again by the rules of the language and compiled: where the schema that follows differs from
// the keyspace, in whatever way, the difference is one of the model's gaps. A column that cannot be said is left out; a
// table is, when that column is of its key, and so is a user-defined type of which a field cannot be said.
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
			continue // what was refused is left out from the start
		}
		m, err := w.judge(c.Package)
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

// subject is what can be refused: a type, a table, a column or field of it, or an option: "index" of a column, a property of
// a table by its name.
type subject struct{ udt, table, column, option string }

// refusals are what the language cannot say, and why.
type refusals map[subject]string

func (r refusals) refuse(s subject, why string) {
	if r[s] == "" {
		r[s] = why
	}
}

// writer makes the structs of a keyspace, without what is refused.
type writer struct {
	from    *catalog.Keyspace
	reasons refusals
	remarks refusals // why the model says something otherwise
	taken   map[string]bool
	at      subject // the column or field whose type is being written
	udts    map[string]*structure
	tables  []*structure
}

func newWriter(k *catalog.Keyspace, reasons refusals) *writer {
	return &writer{from: k, reasons: reasons, remarks: refusals{}, udts: map[string]*structure{}}
}

// write makes all structs. Tables have their names before types, types before tuples.
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

// composite makes the struct of a user-defined type. Without one of its fields it would be another type.
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
