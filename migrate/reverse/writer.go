package reverse

import "github.com/cassaml/cassaml/migrate/catalog"

// subject is an object that can be refused: a type, a table, one of its fields or columns, or an option: "index" of a column, or the
// name of a property of a table.
type subject struct{ udt, table, column, option string }

// refusals are the reasons why the language does not support objects.
type refusals map[subject]string

func (r refusals) refuse(s subject, why string) {
	if r[s] == "" {
		r[s] = why
	}
}

// writer creates the structs of a keyspace, without the refused objects.
type writer struct {
	from    *catalog.Keyspace
	reasons refusals
	remarks refusals // why the model differs without a refusal
	taken   map[string]bool
	at      subject // the current column or field
	udts    map[string]*structure
	tables  []*structure
}

func newWriter(k *catalog.Keyspace, reasons refusals) *writer {
	return &writer{from: k, reasons: reasons, remarks: refusals{}, udts: map[string]*structure{}}
}
