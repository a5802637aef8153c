package reverse

import (
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

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
