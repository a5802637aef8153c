package modelfolder

import (
	"fmt"
	"os"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/query"
)

// Queries reads the queries of a file for diagrams, with the tables of a model that answer them.
func Queries(file string, m *model.Model, s *schema.Schema) (out []diagram.Query, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("-queries: %w", err)
	}
	text := string(data)
	found, faults := query.Checker{Model: m, Schema: s}.Workflow(text, query.InFile(file, text))
	if len(faults) > 0 {
		return nil, Diagnostics(faults)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("-queries: %s has no query", file)
	}
	for _, q := range found {
		d := diagram.Query{Text: q.Text, Then: q.Then}
		if q.Method != "" {
			d.Table = q.Table
		}
		if d.Text == "" {
			d.Text = fmt.Sprintf("invalid statement in line %d", q.Pos.Line)
		}
		out = append(out, d)
	}
	return out, nil
}
