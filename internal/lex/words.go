package lex

import (
	"slices"
	"strings"
)

// Word is a token of a statement other than white space and comments, with its position.
type Word struct {
	Token
	Text  string
	Upper string // the text in upper case, unless it is quoted
}

// Is reports whether the word is a keyword or sign.
func (w Word) Is(upper string) bool { return w.Upper == upper }

// IsName reports whether the word can be a name: an unquoted word, or a word in double quotes.
func (w Word) IsName() bool {
	return w.Kind == WordToken || w.Kind == Quoted && strings.HasPrefix(w.Text, `"`)
}

// UpperAt returns the word at an index in upper case; "" after the last.
func UpperAt(words []Word, i int) string {
	if i >= len(words) {
		return ""
	}
	return words[i].Upper
}

// Words returns the words of a statement.
func Words(statement string) []Word {
	words, _ := Script(statement) // a complete statement has no open quotes
	return slices.DeleteFunc(words, func(w Word) bool { return w.Kind == Semicolon })
}

// Script returns the words of a text with several statements; semicolons are words. If a token is not closed, Script returns the words
// before it, and an *[Error].
func Script(text string) ([]Word, error) {
	var words []Word
	for l := (Lexer{Text: text}); ; {
		t, err := l.Next()
		if err != nil || t.Kind == End {
			return words, err
		}
		if t.Kind.Blank() && t.Kind != Semicolon {
			continue
		}
		w := Word{Token: t, Text: text[t.From:t.To]}
		if t.Kind != Quoted {
			w.Upper = strings.ToUpper(w.Text)
		}
		words = append(words, w)
	}
}

// Reader reads words one by one. After an error, Failed is set, and it reads nothing more.
type Reader struct {
	Words  []Word
	At     int
	Failed bool
	Err    *Error // the first error that a parser has reported
}

// Fail reports an error at the next word.
func (r *Reader) Fail(reason string) {
	if r.Err == nil {
		r.Err = &Error{Offset: r.Offset(), Reason: reason}
		r.Failed = true
	}
}

// FailAt reports an error at an earlier word.
func (r *Reader) FailAt(at int, reason string) {
	if r.Err == nil {
		r.At = at
		r.Fail(reason)
	}
}

// Offset returns where the next word begins or, after the last word, where that ends.
func (r *Reader) Offset() int {
	if r.At < len(r.Words) {
		return r.Words[r.At].From
	}
	if len(r.Words) == 0 {
		return 0
	}
	return r.Words[len(r.Words)-1].To
}

// Peek returns the next word without reading it; an empty word after the last.
func (r *Reader) Peek() Word {
	if r.Failed || r.At >= len(r.Words) {
		return Word{}
	}
	return r.Words[r.At]
}

// Found returns the next word for a message.
func (r *Reader) Found() string {
	if w := r.Peek(); w.Text != "" {
		return w.Text
	}
	return "the end"
}

// Next reads a word.
func (r *Reader) Next() Word {
	w := r.Peek()
	if w.Text == "" {
		r.Failed = true
	}
	r.At++
	return w
}

// Accept reads the given words if they are next, and reports whether they are.
func (r *Reader) Accept(upper ...string) bool {
	for i, u := range upper {
		if r.Failed || r.At+i >= len(r.Words) || !r.Words[r.At+i].Is(u) {
			return false
		}
	}
	r.At += len(upper)
	return true
}

// Identifier reads a name and returns it as the server stores it: Orders => orders, "Or""ders" => Or"ders.
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

// Qualified reads name or keyspace.name.
func (r *Reader) Qualified(keyspace string) (string, string) {
	name := r.Identifier()
	if r.Accept(".") {
		return name, r.Identifier()
	}
	return keyspace, name
}

// Skip skips to the next comma, or to the next closing sign whose opening sign was read before. It skips nested signs.
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
