package lint

import "github.com/cassaml/cassaml/migrate/internal/lex"

// insert judges the values of INSERT INTO a table, behind whose name the words go on. Over a row that is there a null
// deletes; with IF NOT EXISTS there is none.
func (l *linter) insert(r *lex.Reader, table string) {
	columns := r.Peek().Is("(")
	var names, values []lex.Word
	if columns {
		names = firsts(r)
		if r.Accept("VALUES") {
			values = firsts(r)
		}
	}
	json, unset, fresh := r.Peek().Is("JSON"), false, false
	for ; more(r); r.At++ {
		unset = unset || r.Peek().Is("UNSET")
		fresh = fresh || r.Peek().Is("NOT") // IF NOT EXISTS
	}
	if fresh {
		return
	}
	if json && !unset {
		l.say(DeleteData, "columns of %s that the JSON leaves out are set to null, without DEFAULT UNSET", table)
	}
	for i, v := range values {
		if v.Is("NULL") && i < len(names) {
			l.say(DeleteData, "column %s of %s is set to null", names[i].Text, table)
		}
	}
}

// firsts takes a list in parentheses, and gives the first word of each of its members.
func firsts(r *lex.Reader) []lex.Word {
	var out []lex.Word
	for r.Next(); r.Peek().Text != ""; {
		out = append(out, r.Peek())
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
	name := r.Peek().Text
	for depth := 0; more(r) && !r.Peek().Is("WHERE"); {
		switch w := r.Next(); {
		case w.Is("["), w.Is("{"), w.Is("("):
			depth++
		case w.Is("]"), w.Is("}"), w.Is(")"):
			depth--
		case depth == 0 && w.Is(","):
			name = r.Peek().Text
		case depth == 0 && w.Is("=") && r.Peek().Is("NULL"):
			l.say(DeleteData, "column %s of %s is set to null, or a part of it", name, table)
		}
	}
}
