package lint

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/internal/lex"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// data checks a statement that changes no type, table or index. It checks each statement of a batch.
func (l *linter) data(text string) {
	words := lex.Words(text)
	if len(words) > 1 && words[0].Is("DROP") && words[1].Is("KEYSPACE") {
		l.report(DropTable, "a keyspace is dropped")
	}
	for i, w := range words {
		if i > 0 && !words[0].Is("BEGIN") {
			return
		}
		l.write(w, &lex.Reader{Words: words[i:]}, i == 0)
	}
}

// write checks a statement, alone or in a batch, that begins with a word.
func (l *linter) write(w lex.Word, r *lex.Reader, alone bool) {
	table := ""
	switch w.Upper {
	case "BEGIN":
		r.Next()
		table = "every table of the batch"
	case "TRUNCATE":
		if alone {
			r.Next()
			r.Accept("TABLE")
			l.report(DeleteData, "table %s is truncated", l.target(r))
		}
		return
	case "DELETE":
		for r.Next(); more(r) && !r.Accept("FROM"); r.Next() {
		}
		table = l.target(r)
		l.report(DeleteData, "rows or cells of %s are deleted", table)
	case "INSERT":
		if !r.Accept("INSERT", "INTO") {
			return
		}
		table = l.target(r)
		from := r.At
		l.insert(r, table)
		r.At = from
		l.functions(r)
		r.At = from
	case "UPDATE":
		r.Next()
		table = l.target(r)
		from := r.At
		l.update(r, l.now.Table(table))
		r.At = from
		l.assignments(r, table)
		r.At = from
	default:
		return
	}
	l.using(r, table)
}

// target reads the name of a table, and reports the keyspace before it.
func (l *linter) target(r *lex.Reader) string {
	keyspace, name := r.Qualified("")
	if keyspace != "" {
		l.report(NamedKeyspace, "the statement names keyspace %s", keyspace)
		return keyspace + "." + name
	}
	return name
}

// update checks the rest of an UPDATE after the name of its table, which is nil if it is unknown.
func (l *linter) update(r *lex.Reader, t *schema.Table) {
	from := r.At
	for ; more(r) && !r.Peek().Is("WHERE"); r.At++ {
		words := r.Words[r.At:]
		if t == nil || !dependsOnOld(words) {
			continue
		}
		name := (&lex.Reader{Words: words}).Identifier()
		if c := catalog.Column(t, name); c != nil && (c.Type.Counter() || !c.Type.UDT && c.Type.Name == "list" && c.Type.MultiCell() && !subtracts(words)) {
			l.report(NotIdempotent, "the new value of column %s of %s depends on the old one", name, t.Name)
		}
	}
	r.At = from
	l.functions(r)
}

// dependsOnOld reports whether words begin with x = x + …, x = x - …, x = … + x or x += ….
func dependsOnOld(words []lex.Word) bool {
	if len(words) < 5 || words[0].Kind != lex.WordToken && words[0].Kind != lex.Quoted {
		return false
	}
	if (words[1].Is("+") || words[1].Is("-")) && words[2].Is("=") {
		return true
	}
	if !words[1].Is("=") {
		return false
	}
	if words[2].Text == words[0].Text {
		return words[3].Is("+") || words[3].Is("-")
	}
	r := &lex.Reader{Words: words, At: 2}
	for depth := 0; r.Peek().Text != ""; r.At++ {
		switch w := r.Peek(); {
		case strings.ContainsAny(w.Text, "[{(") && w.Kind == lex.Other:
			depth++
		case strings.ContainsAny(w.Text, "]})") && w.Kind == lex.Other:
			depth--
		case depth == 0 && (w.Is(",") || w.Is("WHERE")):
			return false
		case depth == 0 && w.Is("+"):
			r.At++
			return r.Peek().Text == words[0].Text
		}
	}
	return false
}

// subtracts reports whether words are x = x - … or x -= …. For a list this is idempotent.
func subtracts(words []lex.Word) bool {
	return words[1].Is("-") || words[2].Text == words[0].Text && words[3].Is("-")
}

// functions reports calls of functions that return another value each time, up to the end of the statement.
func (l *linter) functions(r *lex.Reader) {
	varying := []string{"NOW", "UUID", "CURRENT_TIMEUUID", "CURRENT_TIMESTAMP", "CURRENT_DATE", "CURRENT_TIME", "CURRENTTIMEUUID", "CURRENTTIMESTAMP", "CURRENTDATE", "CURRENTTIME"}
	for ; more(r); r.At++ {
		if w := r.Peek(); slices.Contains(varying, w.Upper) && r.At+2 < len(r.Words) && r.Words[r.At+1].Is("(") && r.Words[r.At+2].Is(")") {
			l.report(NotIdempotent, "%s() returns another value each time", strings.ToLower(w.Text))
		}
	}
}

// insert checks the rest of an INSERT after the name of its table. A null deletes the value of an existing row; with
// IF NOT EXISTS there is no existing row.
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
		l.report(DeleteData, "columns of %s that the JSON omits are set to null, because DEFAULT UNSET is missing", table)
	case document != "":
		l.nullsIn(document, table)
	}
	for i, at := range values[:min(len(values), len(names))] {
		l.emptied(r.Words[at:], r.Words[names[i]], table)
	}
}

// nullsIn checks a JSON literal.
func (l *linter) nullsIn(literal, table string) {
	text := strings.ReplaceAll(strings.Trim(literal, "'$"), "''", "'")
	var columns map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &columns) != nil {
		return // the server refuses it
	}
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		if string(columns[name]) == "null" {
			l.report(DeleteData, "column %s of %s is set to null", name, table)
		}
	}
}

// members reads a list in parentheses and returns where each of its members begins.
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

// assignments checks the assignments of an UPDATE to columns, and to their fields, elements and entries.
func (l *linter) assignments(r *lex.Reader, table string) {
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

// assigned checks the value after an equals sign.
func (l *linter) assigned(r *lex.Reader, name lex.Word, table string) {
	rest := r.Words[r.At:]
	switch before := r.Words[r.At-2]; {
	case before.Is("-"), len(rest) > 1 && rest[0].Text == name.Text && rest[1].Is("-"):
		if l.storesElements(name, table) {
			l.report(DeleteData, "elements of column %s of %s are removed", name.Text, table)
		}
	case before.From == name.From:
		l.emptied(rest, name, table)
	case null(rest):
		l.report(DeleteData, "a part of column %s of %s is set to null", name.Text, table)
	}
}

// emptied checks words that begin with the whole value of a column.
func (l *linter) emptied(value []lex.Word, name lex.Word, table string) {
	switch {
	case null(value):
		l.report(DeleteData, "column %s of %s is set to null", name.Text, table)
	case len(value) > 1 && (value[0].Is("[") && value[1].Is("]") || value[0].Is("{") && value[1].Is("}")) && l.storesElements(name, table):
		l.report(DeleteData, "column %s of %s is emptied", name.Text, table)
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

// storesElements reports whether a column stores each element as a separate cell.
func (l *linter) storesElements(name lex.Word, table string) bool {
	t := l.now.Table(table)
	if t == nil {
		return false
	}
	c := catalog.Column(t, (&lex.Reader{Words: []lex.Word{name}}).Identifier())
	return c != nil && c.Type.MultiCell() && !c.Type.UDT
}

// more reports whether a statement continues. In a batch it ends before the next statement or the end of the batch.
func more(r *lex.Reader) bool {
	return r.Peek().Text != "" && !slices.Contains([]string{"INSERT", "UPDATE", "DELETE", "APPLY"}, r.Peek().Upper)
}

// using checks the TTL and the timestamp after USING, up to the end of a statement or the first statement of a batch. A past
// timestamp is accepted: the statement is then idempotent.
func (l *linter) using(r *lex.Reader, table string) {
	for ; more(r); r.At++ {
		if !r.Peek().Is("USING") && !r.Peek().Is("AND") || r.At+1 >= len(r.Words) {
			continue
		}
		n := numberAt(r.Words[r.At+2:])
		switch what := r.Words[r.At+1]; {
		case what.Is("TTL") && n > 0:
			l.report(Expiry, "data written to %s expires after %d seconds", table, n)
		case what.Is("TIMESTAMP") && n > time.Now().UnixMicro():
			l.report(FutureTimestamp, "%s is written with timestamp %d", table, n)
		}
	}
}

// numberAt reads a whole number at the beginning of words; 0 if there is none.
func numberAt(words []lex.Word) int64 {
	text := ""
	for i, w := range words {
		if i > 0 && w.From != words[i-1].To || w.Kind != lex.Other || strings.Trim(w.Text, "-0123456789") != "" {
			break
		}
		text += w.Text
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
