package lint

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/internal/lex"
)

// insert judges the values of INSERT INTO a table, behind whose name the words go on. Over a row that is there a null
// deletes; with IF NOT EXISTS there is none.
func (l *linter) insert(r *lex.Reader, table string) {
	var names, values []int
	var document string
	if r.Accept("JSON") {
		document = r.Peek().Text
	} else if r.Peek().Is("(") {
		names = members(r)
		if r.Accept("VALUES") {
			values = members(r)
		}
	}
	unset, fresh := false, false
	for ; more(r); r.At++ {
		unset = unset || r.Peek().Is("UNSET")
		fresh = fresh || r.Peek().Is("NOT") // IF NOT EXISTS
	}
	switch {
	case fresh:
		return
	case document != "" && !unset:
		l.say(DeleteData, "columns of %s that the JSON leaves out are set to null, without DEFAULT UNSET", table)
	case document != "":
		l.nullsIn(document, table)
	}
	for i, at := range values[:min(len(values), len(names))] {
		l.emptied(r.Words[at:], r.Words[names[i]], table, "")
	}
}

// nullsIn judges a literal of JSON.
func (l *linter) nullsIn(literal, table string) {
	text := strings.ReplaceAll(strings.Trim(literal, "'$"), "''", "'")
	var columns map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &columns) != nil {
		return // the server refuses it
	}
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		if string(columns[name]) == "null" {
			l.say(DeleteData, "column %s of %s is set to null", name, table)
		}
	}
}

// members takes a list in parentheses, and gives where each of its members begins.
func members(r *lex.Reader) []int {
	var out []int
	for r.Next(); r.Peek().Text != ""; {
		out = append(out, r.At)
		r.Skip()
		if !r.Accept(",") {
			r.Accept(")")
			return out
		}
	}
	return out
}

// nulled judges what UPDATE sets to null: a column, a field or an entry of one.
func (l *linter) nulled(r *lex.Reader, table string) {
	for !r.Peek().Is("SET") {
		if !more(r) {
			return
		}
		r.At++
	}
	r.Next()
	name := r.Peek()
	for depth := 0; more(r) && !r.Peek().Is("WHERE"); {
		switch w := r.Next(); {
		case w.Is("["), w.Is("{"), w.Is("("):
			depth++
		case w.Is("]"), w.Is("}"), w.Is(")"):
			depth--
		case depth == 0 && w.Is(","):
			name = r.Peek()
		case depth == 0 && w.Is("="):
			l.assigned(r, name, table)
		}
	}
}

// assigned judges the value behind an equals sign.
func (l *linter) assigned(r *lex.Reader, name lex.Word, table string) {
	rest := r.Words[r.At:]
	switch before := r.Words[r.At-2]; {
	case before.Is("-"), len(rest) > 1 && rest[0].Text == name.Text && rest[1].Is("-"):
		if l.many(name, table) {
			l.say(DeleteData, "elements of column %s of %s are removed", name.Text, table)
		}
	case before.From == name.From:
		l.emptied(rest, name, table, ", or a part of it")
	case null(rest):
		l.say(DeleteData, "column %s of %s is set to null, or a part of it", name.Text, table)
	}
}

// emptied judges words that begin with the whole value of a column.
func (l *linter) emptied(value []lex.Word, name lex.Word, table, part string) {
	switch {
	case null(value):
		l.say(DeleteData, "column %s of %s is set to null%s", name.Text, table, part)
	case len(value) > 1 && (value[0].Is("[") && value[1].Is("]") || value[0].Is("{") && value[1].Is("}")) && l.many(name, table):
		l.say(DeleteData, "column %s of %s is emptied", name.Text, table)
	}
}

// null reports whether words begin with null, or with (type) null.
func null(words []lex.Word) bool {
	if r := (&lex.Reader{Words: words}); r.Accept("(") {
		if r.Skip(); r.Accept(")") {
			words = r.Words[r.At:]
		}
	}
	return len(words) > 0 && words[0].Is("NULL")
}

// many reports whether a column holds elements that are cells of their own.
func (l *linter) many(name lex.Word, table string) bool {
	t := l.now.Table(table)
	if t == nil {
		return false
	}
	c := catalog.Column(t, (&lex.Reader{Words: []lex.Word{name}}).Identifier())
	return c != nil && c.Type.MultiCell() && !c.Type.UDT
}
