package vet

import (
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/query"
)

// Rules returns the rules for CQL in Go code in the order of their codes. Codes never change their meaning and are never reused. Rules
// that aml check -queries has, too, have the same codes.
func Rules() []model.Rule {
	return []model.Rule{query.RuleSyntax, query.RuleTable, query.RuleColumn, query.RuleFiltering, RuleStar, RulePlainWrite, RuleDiscarded}
}

// The rules that only Go code has.
var (
	RuleStar = model.Rule{
		Code: "AML721", Title: "SELECT *",
		About: "A column that a migration adds changes the result, and a prepared statement can then assign values to the wrong columns without an error. Name the columns.",
	}
	RulePlainWrite = model.Rule{
		Code: "AML722", Title: "plain write to a table that the store maintains",
		About: "The rows of a redundant table follow from its root, and each write of a versioned root is conditional. A statement that ignores this leaves rows that differ from their root, or overwrites a save.",
	}
	RuleDiscarded = model.Rule{
		Code: "AML723", Title: "query that is not carried out",
		About: "The methods of a query return a changed query, and send nothing. Rows are read by All, Page, First and Count, and deleted by Delete.",
	}
)
