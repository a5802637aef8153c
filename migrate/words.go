package migrate

import "strings"

// word is a token of a statement that means something, with where it stands.
type word struct {
	token
	text  string
	upper string // of a keyword or unquoted identifier
}

// is reports whether the word is a keyword or sign.
func (w word) is(upper string) bool { return w.upper == upper }

// wordsOf lists the words of a statement without space and comments.
func wordsOf(statement string) []word {
	var words []word
	for l := (lexer{text: statement}); ; {
		t, err := l.next()
		if err != nil || t.kind == tokenEnd {
			return words // what Split returned has no open quotes
		}
		if t.kind.blank() {
			continue
		}
		w := word{token: t, text: statement[t.from:t.to]}
		if t.kind != tokenQuoted {
			w.upper = strings.ToUpper(w.text)
		}
		words = append(words, w)
	}
}

// reader takes words off one by one. What does not fit makes it fail, and stay so.
type reader struct {
	words  []word
	at     int
	failed bool
}

func (r *reader) peek() word {
	if r.failed || r.at >= len(r.words) {
		return word{}
	}
	return r.words[r.at]
}

func (r *reader) next() word {
	w := r.peek()
	if w.text == "" {
		r.failed = true
	}
	r.at++
	return w
}

// accept takes the words if they come next.
func (r *reader) accept(upper ...string) bool {
	for i, u := range upper {
		if r.failed || r.at+i >= len(r.words) || !r.words[r.at+i].is(u) {
			return false
		}
	}
	r.at += len(upper)
	return true
}

// identifier takes a name as the server knows it: Orders => orders, "Or""ders" => Or"ders.
func (r *reader) identifier() string {
	w := r.next()
	switch {
	case w.kind == tokenQuoted && strings.HasPrefix(w.text, `"`):
		return strings.ReplaceAll(w.text[1:len(w.text)-1], `""`, `"`)
	case w.kind == tokenWord:
		return strings.ToLower(w.text)
	}
	r.failed = true
	return ""
}

// qualified takes name or keyspace.name.
func (r *reader) qualified(keyspace string) (string, string) {
	name := r.identifier()
	if r.accept(".") {
		return name, r.identifier()
	}
	return keyspace, name
}

// skip goes on to a comma, or to a closing sign of what was open before; it
// passes over what is nested.
func (r *reader) skip() {
	depth := 0
	for ; r.peek().text != ""; r.at++ {
		switch w := r.peek(); {
		case depth == 0 && (w.is(",") || w.is(")")):
			return
		case w.is("("), w.is("<"), w.is("{"), w.is("["):
			depth++
		case w.is(")"), w.is(">"), w.is("}"), w.is("]"):
			depth--
		}
	}
}
