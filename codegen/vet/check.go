package vet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/query"
	"github.com/cassaml/cassaml/codegen/query/syntax"
)

// fault is a fault in a text of CQL.
type fault struct {
	offset int
	rule   model.Rule
	what   string
	fix    string
}

// check checks the statements of a text against the tables of stores.
type check struct {
	text   string
	stores []*Store
	faults []fault
}

// checkText returns the faults of a text of CQL.
func checkText(text string, stores []*Store) []fault {
	k := &check{text: text, stores: stores}
	statements, faults := syntax.Parse(text)
	for _, f := range faults {
		k.add(f.Offset, query.RuleSyntax, "correct the statement", "%s", f.Reason)
	}
	if len(statements) > 1 {
		k.add(statements[1].Place().From, query.RuleSyntax, "send each statement by itself, or write BEGIN BATCH … APPLY BATCH", "the text has more than one statement, and the server refuses it")
	}
	for _, s := range statements {
		switch s := s.(type) {
		case *syntax.Select:
			k.selection(s)
		case *syntax.Write:
			k.write(s, s.Conditional)
		case *syntax.Batch:
			conditional := slices.ContainsFunc(s.Writes, func(w *syntax.Write) bool { return w.Conditional })
			for _, w := range s.Writes {
				k.write(w, conditional)
			}
		}
	}
	slices.SortStableFunc(k.faults, func(a, b fault) int { return a.offset - b.offset })
	return k.faults
}

func (k *check) add(offset int, r model.Rule, fix, what string, args ...any) {
	k.faults = append(k.faults, fault{offset, r, fmt.Sprintf(what, args...), fix})
}

// table returns the table of a statement; nil if it is unknown, or in a system keyspace.
func (k *check) table(n syntax.Name) *Table {
	t := table(k.stores, n.Text)
	if t != nil || k.inSystemKeyspace(n) {
		return t
	}
	var all []string
	for _, s := range k.stores {
		for _, t := range s.Tables {
			all = append(all, t.Name)
		}
	}
	k.add(n.From, query.RuleTable, meant(n.Text, all, "write the name of a table of the model, or of a system table with its keyspace"), "there is no table %s in the model", n.Text)
	return nil
}

// inSystemKeyspace reports whether the name follows the name of a keyspace of the server: system, system_schema, ….
func (k *check) inSystemKeyspace(n syntax.Name) bool {
	before, qualified := strings.CutSuffix(strings.TrimRight(k.text[:n.From], " \t\r\n"), ".")
	words := strings.FieldsFunc(before, func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || r == '"' })
	return qualified && len(words) > 0 && strings.HasPrefix(strings.ToLower(words[len(words)-1]), "system")
}

// meant returns how to fix an unknown name.
func meant(name string, in []string, otherwise string) string {
	if n := model.Nearest(name, in); n != "" {
		return "did you mean " + n + "?"
	}
	return otherwise
}

// column checks the name of a column, and reports whether the table has it.
func (k *check) column(t *Table, n syntax.Name) bool {
	known := n.Text == "" || slices.Contains(t.Columns, n.Text)
	if !known {
		k.add(n.From, query.RuleColumn, meant(n.Text, t.Columns, "write one of "+strings.Join(t.Columns, ", ")), "table %s has no column %s", t.Name, n.Text)
	}
	return known
}

// selectors checks the columns after SELECT, and those in the arguments of functions.
func (k *check) selectors(t *Table, in []syntax.Selector) {
	for _, s := range in {
		if s.Function == "" {
			k.column(t, s.Column)
		}
		k.selectors(t, s.Arguments)
	}
}

func (k *check) selection(s *syntax.Select) {
	t := k.table(s.Table)
	if t == nil {
		return
	}
	if s.Star != nil {
		k.add(s.Star.From, RuleStar, "write "+strings.Join(quoted(t.Columns), ", "), "SELECT * returns other columns after a migration")
	}
	k.selectors(t, s.Columns)
	known := true
	for _, r := range s.Where {
		for _, c := range r.Columns {
			known = k.column(t, c) && known
		}
	}
	for _, n := range s.GroupBy {
		k.column(t, n)
	}
	for _, o := range s.OrderBy {
		k.column(t, o.Column)
	}
	switch offset, why := filtered(t, s); {
	case s.Filtering != nil:
		k.add(s.Filtering.From, query.RuleFiltering, offer(t), "ALLOW FILTERING reads rows that the query does not return")
	case known && why != "":
		k.add(offset, query.RuleFiltering, offer(t), "the server refuses the query without ALLOW FILTERING: %s", why)
	}
}

// offer returns how to answer a query that the key of a table does not.
func offer(t *Table) string {
	return fmt.Sprintf("read another table, index the column, or declare a redundant aggregate whose key begins with the restricted columns (key of %s: %s)",
		t.Name, keyText(t))
}

// keyText returns (a, b | c): the partition key before the clustering key.
func keyText(t *Table) string {
	text := strings.Join(t.Partition, ", ")
	if len(t.Clustering) > 0 {
		text += " | " + strings.Join(t.Clustering, ", ")
	}
	return "(" + text + ")"
}

func quoted(in []string) []string {
	out := make([]string, len(in))
	for i, n := range in {
		out[i] = model.Quote(n)
	}
	return out
}

// write checks a statement that writes; conditional is true if it, or its batch, has a condition.
func (k *check) write(w *syntax.Write, conditional bool) {
	t := k.table(w.Table)
	if t == nil {
		return
	}
	for _, c := range w.Columns {
		k.column(t, c)
	}
	call := "call the methods of the store's field " + t.Field
	if w.Verb == "TRUNCATE" && t.Remembered {
		call = "call Forget of each store that is open afterwards, which would otherwise not write the rows again until the time of cache= ends"
	}
	switch t.Kept {
	case Redundant:
		k.add(w.From, RulePlainWrite, call, "the rows of %s follow from %s, and this %s changes only the copy", t.Name, t.Root, w.Verb)
	case Derived:
		k.add(w.From, RulePlainWrite, call, "the store writes %s together with %s, and this %s changes it alone", t.Name, t.Root, w.Verb)
	case Versioned:
		if !conditional {
			k.add(w.From, RulePlainWrite, call, "%s is versioned, and this %s has no condition: it can overwrite a save", t.Root, w.Verb)
		}
	}
}
