package query

import "github.com/cassaml/cassaml/aml/model"

// Rules returns the rules for queries in the order of their codes. Codes never change their meaning and are never reused.
func Rules() []model.Rule {
	return []model.Rule{RuleSyntax, RuleTable, RuleColumn, RuleValue, RuleKey, RuleRange, RuleOrder, RuleFiltering, RuleAggregate, RuleWrite, RuleNoMethod, RuleThen}
}

// The rules.
var (
	RuleSyntax = model.Rule{
		Code: "AML701", Title: "invalid statement",
		About: "The statement does not have the grammar of CQL.",
	}
	RuleTable = model.Rule{
		Code: "AML702", Title: "unknown table",
		About: "FROM is followed by the name of a table of the model, or of the struct of an aggregate or view.",
	}
	RuleColumn = model.Rule{
		Code: "AML703", Title: "unknown column",
		About: "A column has its name in CQL, or the name of its Go field.",
	}
	RuleValue = model.Rule{
		Code: "AML704", Title: "value of another type",
		About: "A literal has the type of its column, and a number is in the range of the type. A field with enum has one of its constants.",
	}
	RuleKey = model.Rule{
		Code: "AML705", Title: "restrictions that are not a prefix of the key",
		About: "A partition is found by a value for each column of the partition key. Its rows are sorted by the clustering columns, so only restrictions of the first ones select contiguous rows.",
	}
	RuleRange = model.Rule{
		Code: "AML706", Title: "range before another restriction",
		About: "After a range, the following clustering columns are sorted only within each value of the range. Columns with an equality come first in the key.",
	}
	RuleOrder = model.Rule{
		Code: "AML707", Title: "order that the table does not have",
		About: "The rows of a partition are read in the order of the clustering columns, or in the reverse order of all of them.",
	}
	RuleFiltering = model.Rule{
		Code: "AML708", Title: "ALLOW FILTERING",
		About: "With ALLOW FILTERING the server reads rows that the query does not return; its cost depends on the size of the table, not of the result.",
	}
	RuleAggregate = model.Rule{
		Code: "AML709", Title: "aggregate function or GROUP BY",
		About: "The server reads all rows for an aggregate within one request, and times out on large partitions. Count counts page by page; a counter, or a sum in Go, replaces the others.",
	}
	RuleWrite = model.Rule{
		Code: "AML710", Title: "statement that writes",
		About: "A store plans each write, because the rows of redundant aggregates follow from their sources.",
	}
	RuleNoMethod = model.Rule{
		Code: "AML711", Title: "part of CQL that no method has",
		About: "The methods of a store read whole rows by their key, by an index, or by a scan of the table.",
	}
	RuleThen = model.Rule{
		Code: "AML712", Title: "workflow with an unknown query",
		About: "A comment with aml:then is above a statement, or on its last line, and has the numbers of queries of the file, such as Q3.",
	}
)
