package lint

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/internal/lex"
)

// data judges a statement that changes no type, table or index; of a batch, each in it.
func (l *linter) data(text string) {
	words := lex.Words(text)
	if len(words) > 1 && words[0].Is("DROP") && words[1].Is("KEYSPACE") {
		l.say(DropTable, "a keyspace is dropped")
	}
	for i, w := range words {
		if i > 0 && !words[0].Is("BEGIN") {
			return
		}
		l.written(w, &lex.Reader{Words: words[i:]}, i == 0)
	}
}

// written judges a statement that begins with a word, or that stands in a batch where the word is found.
func (l *linter) written(w lex.Word, r *lex.Reader, alone bool) {
	table := ""
	switch w.Upper {
	case "BEGIN":
		r.Next()
		table = "every table of the batch"
	case "TRUNCATE":
		if alone {
			r.Next()
			r.Accept("TABLE")
			l.say(DeleteData, "table %s is emptied", l.target(r))
		}
		return
	case "DELETE":
		for r.Next(); more(r) && !r.Accept("FROM"); r.Next() {
		}
		table = l.target(r)
		l.say(DeleteData, "rows or cells of %s are deleted", table)
	case "INSERT":
		if !r.Accept("INSERT", "INTO") {
			return
		}
		table = l.target(r)
		from := r.At
		l.insert(r, table)
		r.At = from
		l.drawn(r)
		r.At = from
	case "UPDATE":
		r.Next()
		table = l.target(r)
		from := r.At
		l.update(r, l.now.Table(table))
		r.At = from
		l.nulled(r, table)
		r.At = from
	default:
		return
	}
	l.using(r, table)
}

// target takes the name of a table, and names the keyspace that stands before it.
func (l *linter) target(r *lex.Reader) string {
	keyspace, name := r.Qualified("")
	if keyspace != "" {
		l.say(Elsewhere, "keyspace %s is named", keyspace)
		return keyspace + "." + name
	}
	return name
}

// update judges what stands behind UPDATE and the name of a table, which may not be known.
func (l *linter) update(r *lex.Reader, t *schema.Table) {
	from := r.At
	for ; more(r) && !r.Peek().Is("WHERE"); r.At++ {
		words := r.Words[r.At:]
		if t == nil || !steps(words) {
			continue
		}
		name := (&lex.Reader{Words: words}).Identifier()
		if c := catalog.Column(t, name); c != nil && (c.Type.Counter() || !c.Type.UDT && c.Type.Name == "list" && c.Type.MultiCell() && !takesAway(words)) {
			l.say(Repeated, "column %s of %s is changed by a step from what it is", name, t.Name)
		}
	}
	r.At = from
	l.drawn(r)
}

// steps reports whether words begin with x = x + …, x = x - …, x = … + x or x += ….
func steps(words []lex.Word) bool {
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

// takesAway reports whether words that begin with a step are x = x - … or x -= …: a list is the same when that is done twice.
func takesAway(words []lex.Word) bool {
	return words[1].Is("-") || words[2].Text == words[0].Text && words[3].Is("-")
}

// drawn names values that are drawn when a statement runs, up to its end.
func (l *linter) drawn(r *lex.Reader) {
	fresh := []string{"NOW", "UUID", "CURRENT_TIMEUUID", "CURRENT_TIMESTAMP", "CURRENT_DATE", "CURRENT_TIME", "CURRENTTIMEUUID", "CURRENTTIMESTAMP", "CURRENTDATE", "CURRENTTIME"}
	for ; more(r); r.At++ {
		if w := r.Peek(); slices.Contains(fresh, w.Upper) && r.At+2 < len(r.Words) && r.Words[r.At+1].Is("(") && r.Words[r.At+2].Is(")") {
			l.say(Repeated, "%s() is another value each time", strings.ToLower(w.Text))
		}
	}
}

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

// more reports whether a statement goes on. In a batch the next one, or the end of the batch, follows it.
func more(r *lex.Reader) bool {
	return r.Peek().Text != "" && !slices.Contains([]string{"INSERT", "UPDATE", "DELETE", "APPLY"}, r.Peek().Upper)
}

// using judges when data of a table expires, and from when on: what stands behind USING, up to the end of a statement
// or to the first statement of a batch. A time that has passed is the best that can be said, since it is the same when the
// statement is sent again.
func (l *linter) using(r *lex.Reader, table string) {
	for ; more(r); r.At++ {
		if !r.Peek().Is("USING") && !r.Peek().Is("AND") || r.At+1 >= len(r.Words) {
			continue
		}
		n := numberAt(r.Words[r.At+2:])
		switch what := r.Words[r.At+1]; {
		case what.Is("TTL") && n > 0:
			l.say(Expiry, "what is written to %s expires after %d seconds", table, n)
		case what.Is("TIMESTAMP") && n > time.Now().UnixMicro():
			l.say(Ahead, "%s is written at timestamp %d", table, n)
		}
	}
}

// numberAt reads a whole number at the beginning of words; 0 is for none.
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
