package checkcmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/jsonline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/modelfolder"
	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/codegen/explain/outline"
	"github.com/cassaml/cassaml/codegen/query"
)

// checkQueries reports, for each SELECT of a file, the method of the store of a model that answers it, or the reason why no method
// does, and the redundant aggregate that would.
func checkQueries(c *cobra.Command, l *modelfolder.Loaded, file string, config codegen.Config, asJSON bool) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read the queries: %w", err)
	}
	checker := query.Checker{Model: l.Model, Schema: l.Schema, Prefix: config.Prefix, Package: l.Model.Package.Name}
	if config.Package != nil {
		checker.Package = config.Package.Name
	}
	queries, faults := checker.Workflow(string(text), query.InFile(file, string(text)))
	before := explain.New(l.Model, l.Schema)
	if asJSON {
		err = jsonline.Write(c, jsonline.Map(queries, func(q *query.Query) queryJSON { return newQueryJSON(q, before) })...)
	} else {
		err = writeQueries(c.OutOrStdout(), queries, before)
	}
	open := slices.DeleteFunc(slices.Clone(queries), func(q *query.Query) bool { return q.Method != "" })
	switch {
	case err != nil:
		return err
	case len(queries) == 0:
		return fmt.Errorf("%s has no query", file)
	case len(faults) > 0:
		return report(c, faults, asJSON, errReported)
	case len(open) > 0:
		return fmt.Errorf("%s: %d of %d statements have no answer", file, len(open), len(queries))
	}
	return nil
}

// writeQueries writes the answers as text.
func writeQueries(out io.Writer, queries []*query.Query, before *explain.Explanation) error {
	var p outline.Outline
	for _, q := range queries {
		if q.Method != "" {
			p.Add(0, "%s: %s", q.Pos, q.Method)
		}
		for _, n := range q.Notes {
			p.Add(1, "// %s", n)
		}
		for _, f := range q.Faults {
			p.Add(0, "%s", f)
		}
		if q.Offer != nil {
			writeOffer(&p, q.Offer, before)
		}
	}
	_, err := io.WriteString(out, p.String())
	return err
}

// writeOffer writes a redundant aggregate, with its costs.
func writeOffer(p *outline.Outline, o *query.Offer, before *explain.Explanation) {
	p.Add(0, "")
	for _, line := range strings.Split(strings.TrimSuffix(o.Source, "\n"), "\n") {
		if line != "" {
			line = "\t" + line
		}
		p.Add(0, "%s", line)
	}
	p.Add(0, "")
	for _, line := range costs(o, before) {
		p.Add(1, "%s", line)
	}
	for _, n := range o.Notes {
		p.Add(1, "// %s", n)
	}
	p.Add(0, "")
}

// costs returns the costs that a redundant aggregate adds to the writes of its source, in the words of aml explain: its rows, and the operations
// that send other requests than before.
func costs(o *query.Offer, before *explain.Explanation) []string {
	with := explain.New(o.Model, o.Schema)
	at := slices.IndexFunc(with.Tables, func(t *explain.Table) bool {
		return slices.ContainsFunc(t.Copies, func(c *explain.Copy) bool { return c.Table == o.Table })
	})
	source := with.Tables[at]
	var out []string
	for _, c := range source.Copies {
		if c.Table == o.Table {
			out = jsonline.Map(outline.Copy(c).Lines, outline.Line.String)
		}
	}
	was := before.Tables[slices.IndexFunc(before.Tables, func(t *explain.Table) bool { return t.Aggregate.Struct == source.Aggregate.Struct })]
	for _, now := range source.Operations {
		if reads(now) {
			continue
		}
		if old := outline.Cost(named(was.Operations, now.Name)); old != outline.Cost(now) {
			out = append(out, now.Name+": "+outline.Cost(now)+"; before: "+old)
		}
	}
	return out
}

// named returns the operation with a name. If there is none, it is a deletion of some rows of a query: then it returns the deletion of all.
func named(all []*explain.Operation, name string) *explain.Operation {
	i := slices.IndexFunc(all, func(o *explain.Operation) bool { return o.Name == name })
	if i < 0 {
		i = slices.IndexFunc(all, func(o *explain.Operation) bool { return strings.HasPrefix(o.Name, "Of(…).Delete") })
	}
	return all[i]
}

// reads reports whether an operation writes nothing.
func reads(o *explain.Operation) bool {
	return !o.ByField && !slices.ContainsFunc(o.Requests, func(r *explain.Request) bool { return !r.Read })
}

// queryJSON is the documented form of a statement of a queries file.
type queryJSON struct {
	File   string                `json:"file"`
	Line   int                   `json:"line"`
	Column int                   `json:"column"`
	Query  string                `json:"query"`
	Method string                `json:"method"`
	Table  string                `json:"table"`
	Values []variableJSON        `json:"variables"`
	Notes  []string              `json:"notes"`
	Faults []jsonline.Diagnostic `json:"faults"`
	Offer  *offerJSON            `json:"offer,omitempty"`
}

// variableJSON is the documented form of a variable in a call.
type variableJSON struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// offerJSON is the documented form of a redundant aggregate that would answer a query.
type offerJSON struct {
	Name   string         `json:"name"`
	Source string         `json:"source"`
	Method string         `json:"method"`
	Table  string         `json:"table"`
	Values []variableJSON `json:"variables"`
	Costs  []string       `json:"costs"`
	Notes  []string       `json:"notes"`
}

func variables(in []query.Variable) []variableJSON {
	return jsonline.Map(in, func(v query.Variable) variableJSON { return variableJSON(v) })
}

func newQueryJSON(q *query.Query, before *explain.Explanation) queryJSON {
	out := queryJSON{File: filepath.ToSlash(q.Pos.File), Line: q.Pos.Line, Column: q.Pos.Col, Query: q.Text, Method: q.Method, Table: q.Table, Values: variables(q.Values), Notes: jsonline.List(q.Notes), Faults: jsonline.Map(q.Faults, jsonline.NewDiagnostic)}
	if o := q.Offer; o != nil {
		out.Offer = &offerJSON{o.Name, o.Source, o.Method, o.Table.Name, variables(o.Values), costs(o, before), jsonline.List(o.Notes)}
	}
	return out
}
