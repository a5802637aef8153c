package lex

import "strings"

// Word is a token of a statement that means something, with where it stands.
type Word struct {
	Token
	Text  string
	Upper string // of a keyword or unquoted identifier
}

// Is reports whether the word is a keyword or sign.
func (w Word) Is(upper string) bool { return w.Upper == upper }

// IsName reports whether the word can be a name: an unquoted word, or one in double quotes.
func (w Word) IsName() bool {
	return w.Kind == WordToken || w.Kind == Quoted && strings.HasPrefix(w.Text, `"`)
}

// UpperAt returns a keyword of a statement; "" beyond its end.
func UpperAt(words []Word, i int) string {
	if i >= len(words) {
		return ""
	}
	return words[i].Upper
}

// Words lists the words of a statement without space and comments.
func Words(statement string) []Word {
	var words []Word
	for l := (Lexer{Text: statement}); ; {
		t, err := l.Next()
		if err != nil || t.Kind == End {
			return words // a whole statement has no open quotes
		}
		if t.Kind.Blank() {
			continue
		}
		w := Word{Token: t, Text: statement[t.From:t.To]}
		if t.Kind != Quoted {
			w.Upper = strings.ToUpper(w.Text)
		}
		words = append(words, w)
	}
}

// Reader takes words off one by one. What does not fit makes it fail, and stay so.
type Reader struct {
	Words  []Word
	At     int
	Failed bool
}

// Peek returns the next word without taking it, an empty one behind the last.
func (r *Reader) Peek() Word {
	if r.Failed || r.At >= len(r.Words) {
		return Word{}
	}
	return r.Words[r.At]
}

// Next takes a word.
func (r *Reader) Next() Word {
	w := r.Peek()
	if w.Text == "" {
		r.Failed = true
	}
	r.At++
	return w
}

// Accept takes the words if they come next.
func (r *Reader) Accept(upper ...string) bool {
	for i, u := range upper {
		if r.Failed || r.At+i >= len(r.Words) || !r.Words[r.At+i].Is(u) {
			return false
		}
	}
	r.At += len(upper)
	return true
}

// Identifier takes a name as the server knows it: Orders => orders, "Or""ders" => Or"ders.
func (r *Reader) Identifier() string {
	w := r.Next()
	switch {
	case w.Kind == Quoted && strings.HasPrefix(w.Text, `"`):
		return strings.ReplaceAll(w.Text[1:len(w.Text)-1], `""`, `"`)
	case w.Kind == WordToken:
		return strings.ToLower(w.Text)
	}
	r.Failed = true
	return ""
}

// Qualified takes name or keyspace.name.
func (r *Reader) Qualified(keyspace string) (string, string) {
	name := r.Identifier()
	if r.Accept(".") {
		return name, r.Identifier()
	}
	return keyspace, name
}

// Skip goes on to a comma, or to a closing sign of what was open before; it
// passes over what is nested.
func (r *Reader) Skip() {
	depth := 0
	for ; r.Peek().Text != ""; r.At++ {
		switch w := r.Peek(); {
		case depth == 0 && (w.Is(",") || w.Is(")")):
			return
		case w.Is("("), w.Is("<"), w.Is("{"), w.Is("["):
			depth++
		case w.Is(")"), w.Is(">"), w.Is("}"), w.Is("]"):
			depth--
		}
	}
}
