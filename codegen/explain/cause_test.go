package explain_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/internal/models"
)

// Each request with a condition has a cause, and each statement has the verb and the elements of its text: a program need not read the texts.
func TestCausesAndVerbs(t *testing.T) {
	t.Parallel()
	causes := map[explain.Cause]int{}
	for _, p := range models.Folders(t, exampleFolders(t)...) {
		m, _ := model.Build(p)
		e := explain.New(m, schema.New(m))
		for _, r := range requests(e) {
			causes[r.Cause]++
			require.False(t, r.If != "" && r.Cause == explain.NoCause, r.If)
			for _, w := range r.Writes {
				for _, s := range w.Statements {
					requireVerb(t, w, s)
				}
			}
		}
	}
	require.Greater(t, len(causes), 15, "%v", causes)
}

func requireVerb(t *testing.T, w *explain.Write, s explain.Statement) {
	t.Helper()
	verb, _, _ := strings.Cut(s.CQL, " ")
	require.Equal(t, map[string]explain.Verb{"SELECT": explain.Selects, "INSERT": explain.Inserts, "UPDATE": explain.Updates, "DELETE": explain.Deletes}[verb], s.Verb, s.CQL)
	for _, c := range w.Table.Columns {
		name := model.Quote(c.Name)
		elements := strings.Contains(s.CQL, name+" = "+name+" + ?") || strings.Contains(s.CQL, name+" = ? + "+name)
		require.Equal(t, elements && w.Table.Aggregate != nil && !w.Table.Aggregate.Counter, s.Elements == c, s.CQL)
	}
}

// requests returns all requests of an explanation, with those that follow them.
func requests(e *explain.Explanation) (out []*explain.Request) {
	for _, t := range e.Tables {
		operations := slices.Clone(t.Operations)
		for _, f := range t.Fields {
			out = append(out, f.Update)
			operations = append(operations, f.Set)
			for _, x := range f.Elements {
				operations = append(operations, x.Operation)
			}
		}
		for _, u := range t.Uniques {
			out = slices.Concat(out, u.Claim, u.Release)
		}
		for _, o := range operations {
			if o != nil {
				out = slices.Concat(out, o.Requests, o.After, o.Checks)
			}
		}
	}
	for i := 0; i < len(out); i++ {
		if out[i] != nil && out[i].Then != nil {
			out = append(out, out[i].Then)
		}
	}
	return slices.DeleteFunc(out, func(r *explain.Request) bool { return r == nil })
}
