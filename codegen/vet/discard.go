package vet

import (
	"go/ast"
	"go/types"
)

// queryTypes is the import path of the types of queries, which generated types embed.
const queryTypes = "github.com/cassaml/cassaml/mapper/gen"

// ends are the calls that carry out a query, by the name of its type.
var ends = map[string]string{
	"Query": "All, Page, First or Count", "Rows": "All, Page, First, Count or Delete", "PartsWith": "Page", "PartRows": "Delete",
}

// discards reports statements that select rows and do nothing with them: p.Task.Of().NumberTo(99) without Delete().
func (v *vetting) discards() {
	for _, f := range v.Files {
		if f == v.generated() {
			continue
		}
		silent := v.ignores(f)
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.ExprStmt)
			if !ok {
				return true
			}
			if c, ok := ast.Unparen(s.X).(*ast.CallExpr); ok {
				if end := ends[queryType(v.TypesInfo.TypeOf(c))]; end != "" && !silent.covers(v.Fset, RuleDiscarded.Code, c.Pos(), c.End()) {
					v.report(c.Pos(), RuleDiscarded, "the statement selects rows, and neither reads nor deletes them", "call "+end)
				}
			}
			return true
		})
	}
}

// queryType returns the name of the type of package gen that a query has; "" for other types. The types of generated stores embed it, or
// have it as their only field.
func queryType(t types.Type) string {
	for {
		named, ok := types.Unalias(t).(*types.Named)
		if !ok {
			return ""
		}
		if p := named.Obj().Pkg(); p != nil && p.Path() == queryTypes {
			return named.Obj().Name()
		}
		s, ok := named.Underlying().(*types.Struct)
		if !ok || s.NumFields() != 1 {
			return ""
		}
		t = s.Field(0).Type()
	}
}
