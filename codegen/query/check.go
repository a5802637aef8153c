package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/query/syntax"
)

// Checker finds the methods that answer queries.
type Checker struct {
	Model   *model.Model // a model without refusals
	Schema  *schema.Schema
	Prefix  string // prefix of the generated names, as for aml generate
	Package string // the package of the store; "" if it is in the package of the model
}

// Query is a statement of a file, with the answer of the store of a model.
type Query struct {
	Pos    model.Pos
	Text   string             // the text on one line; "" for a statement with a syntax error
	Method string             // the call that answers it; "" for none
	Table  string             // the table that the call reads
	Values []Variable         // the variables in the call
	Notes  []string           // differences between the call and the statement, and alternatives
	Faults []model.Diagnostic // why no method answers it
	Offer  *Offer             // nil if no redundant aggregate would answer it, or if a method does
	Then   []int              // the numbers of the queries that follow it, counted from 1; set by Workflow

	span syntax.Span
}

// Offer is a redundant aggregate that would answer a query. It has passed all rules of the language.
type Offer struct {
	Name     string     // name of its struct
	Source   string     // its declaration in Go
	Method   string     // the call that answers the query with it
	Values   []Variable // variables of the call
	Notes    []string
	Table    *schema.Table      // table of Schema
	Model    *model.Model       // the model with it
	Schema   *schema.Schema     // schema of Model
	Warnings []model.Diagnostic // warnings of the aggregate
}

// Variable is a variable in a call, which has the value of a marker or of a literal that has no short form in Go.
type Variable struct{ Name, Type string }

// Check returns the statements of a text in their order. Place returns the position of an offset in the text, as [InFile] does.
func (c Checker) Check(text string, place func(offset int) model.Pos) (out []*Query) {
	statements, faults := syntax.Parse(text)
	for _, s := range statements {
		out = append(out, c.statement(text, place, s))
	}
	for _, f := range faults {
		at := place(f.Offset)
		out = append(out, &Query{Pos: at, span: syntax.Span{From: f.Offset, To: f.Offset}, Faults: []model.Diagnostic{{Pos: at, Rule: RuleSyntax, What: f.Reason, Fix: "write a SELECT as docs/queries.md has it"}}})
	}
	slices.SortStableFunc(out, func(a, b *Query) int {
		if a.Pos.Line != b.Pos.Line {
			return a.Pos.Line - b.Pos.Line
		}
		return a.Pos.Col - b.Pos.Col
	})
	return out
}

// InFile returns the positions of offsets in a text that is the content of a file.
func InFile(file, text string) func(offset int) model.Pos {
	position := syntax.Positions(text)
	return func(offset int) model.Pos {
		line, column := position(offset)
		return model.Pos{File: file, Line: line, Col: column}
	}
}

func (c Checker) statement(text string, place func(offset int) model.Pos, s syntax.Statement) *Query {
	at := s.Place()
	q := &Query{Pos: place(at.From), Text: oneLine(text[at.From:at.To]), span: at}
	k := &check{Checker: c, query: q, text: text, place: place}
	switch s := s.(type) {
	case *syntax.Select:
		k.selection(s)
	case *syntax.Write:
		k.write(s)
	case *syntax.Batch:
		k.fault(s.From, RuleWrite, k.batch(s), "BEGIN BATCH writes")
	case *syntax.Other:
		k.fault(s.From, RuleWrite, "the migrations that aml diff writes change the schema; a queries file has SELECTs", "%s neither reads nor writes rows", s.Verb)
	}
	return q
}

// oneLine returns a statement with single spaces between its words.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// check checks one statement.
type check struct {
	Checker
	query *Query
	text  string
	place func(offset int) model.Pos
}

func (k *check) fault(offset int, r model.Rule, fix, what string, args ...any) {
	k.query.Faults = append(k.query.Faults, model.Diagnostic{Pos: k.place(offset), Rule: r, What: fmt.Sprintf(what, args...), Fix: fix})
}
