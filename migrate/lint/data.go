package lint

import (
	"slices"
	"strings"

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
