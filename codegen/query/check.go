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
	Model  *model.Model // without refusals
	Schema *schema.Schema
	Prefix string // of the generated names, as for aml generate
}

// Query is a statement of a file, and what the store of a model has for it.
type Query struct {
	Pos    model.Pos
	Text   string             // on one line; "" for a statement with a syntax error
	Method string             // the call that answers it; "" for none
	Table  string             // the table that the call reads
	Values []Variable         // the variables in the call
	Notes  []string           // what the call does not do, and alternatives
	Faults []model.Diagnostic // why no method answers it
	Offer  *Offer             // nil if no redundant aggregate would answer it, or if a method does
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
		out = append(out, &Query{Pos: at, Faults: []model.Diagnostic{{Pos: at, Rule: RuleSyntax, What: f.Reason, Fix: "write a SELECT as docs/queries.md has it"}}})
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
	q := &Query{Pos: place(at.From), Text: oneLine(text[at.From:at.To])}
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

// write reports a statement that writes, with the methods to call instead.
func (k *check) write(w *syntax.Write) {
	sources := k.sources(w.Table)
	if sources == nil {
		k.unknown(w.Table)
		return
	}
	table := sources[0].table
	if w.Verb == "TRUNCATE" {
		k.fault(w.From, RuleWrite, "delete each row of s."+sources[0].field+".All, or truncate the tables by hand, those of its redundant aggregates too", "TRUNCATE removes the rows of %s", table.Name)
		return
	}
	a := table.Aggregate
	if r := a.Redundancy; r != nil {
		root := k.sourceOf(r.Source)
		k.fault(w.From, RuleWrite, "call "+k.writing(w.Verb, root, nil), "%s is redundant, and is written with its source %s", table.Name, r.Source.Struct.Name)
		return
	}
	without := ""
	switch {
	case a.Versioned():
		without = " without its version"
	case len(a.Projections) > 0:
		without = " without its redundant aggregates"
	}
	k.fault(w.From, RuleWrite, "call "+k.writing(w.Verb, sources[0], w.Columns), "%s writes %s%s", w.Verb, table.Name, without)
}

// batch describes how to write what a batch writes: s.Batch() has the writes of plain roots and parts.
func (k *check) batch(b *syntax.Batch) string {
	for _, w := range b.Writes {
		for _, of := range k.sources(w.Table) {
			if root := rootOf(of.table.Aggregate); !root.InBatches() {
				return "s.Batch() has no writes of " + root.Struct.Name + ": call " + k.writing(w.Verb, k.sourceOf(root), w.Columns)
			}
		}
	}
	return "call the methods of s.Batch(), then Run"
}

// set returns the method that writes one of some columns without a read; "" if there is none.
func set(of source, written []syntax.Name) string {
	for _, n := range written {
		if c := of.column(n); c != nil && of.view == nil && of.table.Settable(c) == "" {
			return "Set" + c.Attribute.GoName()
		}
	}
	return ""
}

// final returns the final field among some columns; "" if there is none.
func final(of source, written []syntax.Name) string {
	for _, n := range written {
		if c := of.column(n); c != nil && c.Attribute.Fixed {
			return c.Attribute.GoName()
		}
	}
	return ""
}

// writing names the methods that replace a statement which names some columns.
func (k *check) writing(verb string, of source, columns []syntax.Name) string {
	root := "s." + of.field + "."
	switch a := of.table.Aggregate; {
	case a.Counter:
		return root + "Add… of the counter"
	case a.Versioned() && a.Root != nil:
		return "s." + k.sourceOf(a.Root).field + ".Update, and change the parts in its function"
	case verb == "INSERT":
		return root + "Insert or " + root + "Put"
	case verb == "UPDATE" && final(of, columns) != "":
		return root + "Insert, which alone sets " + final(of, columns) + ": it is final"
	case verb == "UPDATE" && !a.Versioned() && set(of, columns) != "":
		return root + "Update or " + root + set(of, columns)
	case verb == "UPDATE":
		return root + "Update"
	}
	return root + "Delete"
}
