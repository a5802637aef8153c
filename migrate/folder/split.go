package folder

import (
	"strings"

	"github.com/cassaml/cassaml/migrate/internal/lex"
)

// Statement is one CQL statement of a text.
type Statement struct {
	Text   string // from its first to its last word, without the semicolon
	Number int    // place among the statements of the text, from 1
	Line   int    // line of its first word, from 1
	Offset int    // byte offset of its first word
	Hash   string // of its text
	Func   string // of a directive aml:func, which stands among the statements of a [File]: the function to call instead

	// Optional is set by a directive aml:optional before a conditional statement of a [File]: it may be left unapplied.
	Optional bool
}

// Split cuts a text into its CQL statements, which semicolons separate. The
// last one needs none, and empty statements are dropped. A semicolon inside a
// '…' or $$…$$ string, a "quoted" identifier, a comment (--, //, /* */) or
// BEGIN [UNLOGGED | COUNTER] BATCH … APPLY BATCH or BEGIN TRANSACTION … COMMIT
// TRANSACTION separates nothing.
//
// Nothing is changed on the way: text[s.Offset:][:len(s.Text)] is s.Text, and
// what lies before, between and behind the statements is white space, comments,
// semicolons and a byte order mark at the start. A comment inside a statement
// belongs to it.
//
// A string, quoted identifier, comment, batch or transaction that is not closed
// is a *[SyntaxError].
func Split(text string) ([]Statement, error) {
	s := splitter{text: text, lexer: lex.Lexer{Text: text}, line: 1}
	for {
		t, err := s.lexer.Next()
		if err != nil {
			return nil, unclosed(text, err)
		}
		if t.Kind == lex.End {
			return s.finish()
		}
		s.take(t)
	}
}

// splitter collects the tokens of the statement at hand.
type splitter struct {
	text     string
	lexer    lex.Lexer
	done     []Statement
	words    int    // words and signs of the statement at hand
	from, to int    // where its first word begins and its last one ends
	end      string // the words that have not come yet and end what it begins: APPLY BATCH, COMMIT TRANSACTION or ""
	last     string // its last word in upper case, "" after a sign or a string
	line     int    // line of the byte at counted
	counted  int
}

func (s *splitter) take(t lex.Token) {
	switch {
	case t.Kind == lex.Semicolon && s.end == "":
		s.emit()
	case !t.Kind.Blank():
		s.extend(t)
	}
}

// extend makes a token the last one of the statement at hand.
func (s *splitter) extend(t lex.Token) {
	word := ""
	if t.Kind == lex.WordToken {
		word = strings.ToUpper(s.text[t.From:t.To])
	}
	switch {
	case s.words == 0:
		s.from = t.From
		s.end = map[string]string{"BEGIN": "APPLY BATCH"}[word]
	case s.words == 1 && s.last == "BEGIN" && word == "TRANSACTION":
		s.end = "COMMIT TRANSACTION"
	case s.last+" "+word == s.end:
		s.end = ""
	}
	s.words++
	s.to = t.To
	s.last = word
}

// emit ends the statement at hand, if there is one.
func (s *splitter) emit() {
	if s.words == 0 {
		return
	}
	s.done = append(s.done, Statement{
		Text:   s.text[s.from:s.to],
		Number: len(s.done) + 1,
		Line:   s.lineAt(s.from),
		Offset: s.from,
		Hash:   Hash(s.text[s.from:s.to]),
	})
	s.words, s.last = 0, ""
}

// lineAt counts on from where it was asked last.
func (s *splitter) lineAt(offset int) int {
	s.line += strings.Count(s.text[s.counted:offset], "\n")
	s.counted = offset
	return s.line
}

func (s *splitter) finish() ([]Statement, error) {
	if s.end != "" {
		_, kind, _ := strings.Cut(s.end, " ")
		return nil, syntaxError(s.text, s.from, "BEGIN "+kind+" has no "+s.end)
	}
	s.emit()
	return s.done, nil
}

// Verb returns the first word of a statement in upper case.
func (s Statement) Verb() string {
	return strings.ToUpper(s.Text[:lex.Span(s.Text, lex.IsWord)])
}

// ChangesSchema reports whether nodes have to agree on the outcome.
func (s Statement) ChangesSchema() bool {
	if s.Func != "" {
		return true // it may
	}
	switch s.Verb() {
	case "CREATE", "ALTER", "DROP":
		return true
	}
	return false
}

// Headline is the statement on one line, cut to a length that fits a message.
func (s Statement) Headline() string {
	const most = 80
	line := []rune(strings.Join(strings.Fields(s.Text), " "))
	if len(line) <= most {
		return string(line)
	}
	return string(line[:most-1]) + "…"
}
