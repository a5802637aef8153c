package folder

import (
	"strings"

	"github.com/cassaml/cassaml/internal/lex"
)

// Statement is one CQL statement of a text.
type Statement struct {
	Text   string // starts at the first word and ends at the last, without the semicolon
	Number int    // the position among the statements of the text, from 1
	Line   int    // the line of the first word, from 1
	Offset int    // the byte offset of the first word
	Hash   string // the hash of the text
	Func   string // the function to call, if it is a directive aml:func among the statements of a [File]

	// Optional is set by a directive aml:optional before a conditional statement of a [File]: its condition may be false.
	Optional bool
}

// Split splits a text into CQL statements, which are separated by semicolons. The semicolon after the last statement is optional,
// and empty statements are omitted. A semicolon inside a '…' or $$…$$ string, a "quoted" identifier, a comment (--, //, /* */),
// BEGIN [UNLOGGED | COUNTER] BATCH … APPLY BATCH or BEGIN TRANSACTION … COMMIT TRANSACTION does not separate statements.
//
// Statements are not changed: text[s.Offset:][:len(s.Text)] is s.Text. The text before, between and after the statements has only
// white space, comments, semicolons and a byte order mark at the start. A comment inside a statement is part of it.
//
// The error for a string, quoted identifier, comment, batch or transaction that is not closed is a *[SyntaxError].
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
		s.consume(t)
	}
}

// splitter collects the tokens of the current statement.
type splitter struct {
	text     string
	lexer    lex.Lexer
	done     []Statement
	words    int    // words and signs of the current statement
	from, to int    // where its first word begins and its last one ends
	end      string // the words that must still follow: APPLY BATCH, COMMIT TRANSACTION or ""
	last     string // its last word in upper case, "" after a sign or a string
	line     int    // line of the byte at counted
	counted  int
}

func (s *splitter) consume(t lex.Token) {
	switch {
	case t.Kind == lex.Semicolon && s.end == "":
		s.emit()
	case !t.Kind.Blank():
		s.extend(t)
	}
}

// extend appends a token to the current statement.
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

// emit ends the current statement, if there is one.
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

// lineAt returns the line of an offset. It counts from the offset of the previous call.
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

// ChangesSchema reports whether the nodes must agree on the schema after the statement.
func (s Statement) ChangesSchema() bool {
	if s.Func != "" {
		return true // it may change the schema
	}
	switch s.Verb() {
	case "CREATE", "ALTER", "DROP":
		return true
	}
	return false
}

// Headline returns the statement in one line, truncated to fit in a message.
func (s Statement) Headline() string {
	const most = 80
	line := []rune(strings.Join(strings.Fields(s.Text), " "))
	if len(line) <= most {
		return string(line)
	}
	return string(line[:most-1]) + "…"
}
