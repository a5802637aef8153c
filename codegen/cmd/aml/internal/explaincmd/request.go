package explaincmd

import (
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/jsonline"
	"github.com/cassaml/cassaml/codegen/explain"
)

// rowsJSON counts rows.
type rowsJSON struct {
	Per     string `json:"per"`
	Changed bool   `json:"changed"`
	Max     int    `json:"max"`
}

func newRowsJSON(r explain.Rows) rowsJSON { return rowsJSON{r.Per, r.Changed, r.Max} }

// requestJSON is the documented form of a request.
type requestJSON struct {
	Read        bool               `json:"read"`
	Conditional bool               `json:"conditional"`
	Serial      bool               `json:"serial"`
	If          string             `json:"if"`
	Unlogged    bool               `json:"unlogged"`
	Batch       string             `json:"batch"`
	Batchlog    string             `json:"batchlog"`
	Statements  int                `json:"statement_count"`
	Tables      []requestTableJSON `json:"tables"`
	Then        *requestJSON       `json:"then"`
}

// requestTableJSON describes the effect of a request on one table.
type requestTableJSON struct {
	Table      string          `json:"table"`
	Rows       rowsJSON        `json:"rows"`
	When       string          `json:"when"`
	Place      string          `json:"place"`
	Spreads    bool            `json:"moves_partition"`
	Range      bool            `json:"range"`
	Whole      bool            `json:"whole_rows"`
	Keeps      bool            `json:"keeps_rows"`
	Change     string          `json:"change"`
	Columns    []string        `json:"columns"`
	Statements []statementJSON `json:"statements"`
}

type statementJSON struct {
	CQL string `json:"cql"`
	If  string `json:"if"`
}

// placeNames are the names of places in the JSON.
var placeNames = map[schema.Place]string{
	schema.WithSource: "same_partition",
	schema.OneOther:   "other_partition",
	schema.PerElement: "partition_for_each",
}

func columnName(c *schema.Column) string { return c.Name }

// certainties are the names of certainties in the JSON.
var certainties = map[explain.Certainty]string{explain.Never: "never", explain.Sometimes: "sometimes", explain.Always: "always"}

func newRequestJSON(r *explain.Request) requestJSON {
	out := requestJSON{Read: r.Read, Conditional: r.Conditional, Serial: r.Serial, If: r.If, Unlogged: r.Unlogged, Batch: certainties[r.Batch], Batchlog: certainties[r.Batchlog], Tables: jsonline.Map(r.Writes, newRequestTableJSON)}
	if r.Then != nil {
		then := newRequestJSON(r.Then)
		out.Then = &then
	}
	for i, t := range out.Tables {
		out.Statements += len(t.Statements)
		if r.Read {
			out.Tables[i].Place = ""
		}
	}
	return out
}

// changes are the names in the JSON for the effect of a changed field on rows.
var changes = map[explain.RowEffect]string{explain.Stays: "stays", explain.Moves: "moves", explain.Depends: "depends"}

func newRequestTableJSON(w *explain.Write) requestTableJSON {
	place := schema.WithSource
	switch {
	case w.Each:
		place = schema.PerElement
	case w.Elsewhere:
		place = schema.OneOther
	}
	return requestTableJSON{w.Table.Name, newRowsJSON(w.Rows), w.When, placeNames[place], w.Spreads, w.Range, w.Whole, w.Keeps,
		changes[w.RowEffect], jsonline.Map(w.Cells, columnName), jsonline.Map(w.Statements, func(s explain.Statement) statementJSON { return statementJSON{s.CQL, s.If} })}
}
