package reverse

import (
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// gap is one thing that the keyspace has and the model has not, or otherwise.
type gap struct {
	table string // whose struct it is told at; "" for the whole package
	text  string
}

func lines(gaps []gap) []string {
	var out []string
	for _, g := range gaps {
		out = append(out, g.text)
	}
	return out
}

// gaps compares the schema of the model with the keyspace, and adds what a schema cannot hold.
func (w *writer) gaps(m *model.Model) ([]gap, error) {
	given, err := catalog.Of(schema.Of(m))
	if err != nil {
		return nil, err
	}
	var out []gap
	for _, d := range catalog.Compare(given, w.from) {
		out = append(out, gap{table: w.told(d.Table), text: d.Subject() + ": " + w.why(d, catalog.AlikeField(w.from, given, d.Type, d.Column))})
	}
	for _, n := range w.from.Notes {
		out = append(out, gap{table: w.told(n.Table), text: n.String()})
	}
	return out, nil
}

// told returns the table at whose struct something is told; "" for none.
func (w *writer) told(table string) string {
	for _, s := range w.tables {
		if s.table == table {
			return table
		}
	}
	return ""
}

// why returns why the model differs from the keyspace, or only says otherwise what is stored alike.
func (w *writer) why(d catalog.Difference, alike bool) string {
	of := subject{udt: d.Type, table: d.Table, column: d.Column, option: d.Property}
	if d.Index != "" {
		of.option = indexOption(d.Index)
	}
	switch {
	case alike:
		return "it is " + d.Want + ", and a model can only say " + d.Have + "; what is stored is the same, and a store takes it"
	case w.reasons[of] != "":
		return w.reasons[of]
	case w.remarks[of] != "":
		return w.remarks[of]
	case d.Type != "" && d.Column == "" && d.Have == "":
		return "no column of the model needs it"
	case d.Index != "" && d.Have == "":
		return "a model has no index " + d.Want
	case d.Have == "":
		return "a model cannot say " + d.Want
	case d.Want == "":
		return "the model has it beside: " + d.Have
	}
	return "it is " + d.Want + ", and a model can only say " + d.Have
}
