package lex

import (
	"strings"
	"unicode/utf8"
)

// Kind is the kind of a token, as far as splitting depends on it.
type Kind int

// The kinds of tokens.
const (
	End       Kind = iota // the end of the text
	Space                 // white space, or a byte order mark at the start
	Comment               // -- …, // … or /* … */
	Semicolon             // ;
	WordToken             // a keyword or an unquoted identifier
	Quoted                // '…', "…" or $$…$$
	Other                 // any other single character
)

// Token is a piece of a text: text[From:To].
type Token struct {
	Kind     Kind
	From, To int
}

// Blank reports whether a token has no meaning between two statements.
func (k Kind) Blank() bool {
	return k == Space || k == Comment || k == Semicolon
}

// ByteOrderMark can be at the start of a text.
const ByteOrderMark = "\ufeff"

// Lexer splits a CQL text into adjacent tokens that cover all of it. It follows the server's lexer: comments do not nest, a line comment
// ends with a line feed or a carriage return, and a quote is only escaped by doubling it.
type Lexer struct {
	Text string
	pos  int
}

// Next returns the next token. The error for a token that is not closed is an *[Error].
func (l *Lexer) Next() (Token, error) {
	rest := l.Text[l.pos:]
	kind, size := End, 0
	what := ""
	switch {
	case rest == "":
	case l.pos == 0 && strings.HasPrefix(rest, ByteOrderMark):
		kind, size = Space, len(ByteOrderMark)
	case isSpace(rest[0]):
		kind, size = Space, Span(rest, isSpace)
	case isLetter(rest[0]):
		kind, size = WordToken, Span(rest, IsWord)
	case rest[0] == ';':
		kind, size = Semicolon, 1
	default:
		kind, size, what = opened(rest)
	}
	if size < 0 {
		return Token{}, &Error{Offset: l.pos, Reason: what + " is not closed"}
	}
	from := l.pos
	l.pos += size
	return Token{Kind: kind, From: from, To: l.pos}, nil
}

// opened returns the size of a token that begins with a sign: a comment, a string or a quoted identifier. The size is negative if its end
// is missing. Any other character is a separate token.
func opened(rest string) (kind Kind, size int, what string) {
	switch {
	case strings.HasPrefix(rest, "--"), strings.HasPrefix(rest, "//"):
		return Comment, lineSize(rest), "comment"
	case strings.HasPrefix(rest, "/*"):
		return Comment, closedSize(rest, "/*", "*/"), "comment /*"
	case strings.HasPrefix(rest, "$$"):
		return Quoted, closedSize(rest, "$$", "$$"), "string $$"
	case rest[0] == '\'':
		return Quoted, quotedSize(rest), "string"
	case rest[0] == '"':
		return Quoted, quotedSize(rest), "quoted identifier"
	}
	_, size = utf8.DecodeRuneInString(rest)
	return Other, size, ""
}

// lineSize returns the size of a line comment, which also ends at the end of the text.
func lineSize(rest string) int {
	if i := strings.IndexAny(rest, "\r\n"); i >= 0 {
		return i + 1
	}
	return len(rest)
}

func closedSize(rest, left, right string) int {
	i := strings.Index(rest[len(left):], right)
	if i < 0 {
		return -1
	}
	return len(left) + i + len(right)
}

// quotedSize returns the size up to the closing quote; a doubled quote is a character.
func quotedSize(rest string) int {
	quote := rest[:1]
	for size := 1; ; {
		i := strings.Index(rest[size:], quote)
		if i < 0 {
			return -1
		}
		size += i + 1
		if !strings.HasPrefix(rest[size:], quote) {
			return size
		}
		size++
	}
}

// Span returns the number of leading bytes of a class.
func Span(s string, class func(byte) bool) int {
	for i := range len(s) {
		if !class(s[i]) {
			return i
		}
	}
	return len(s)
}

func isSpace(b byte) bool {
	return b == ' ' || b == '\t' || b == '\n' || b == '\r'
}

func isLetter(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// IsWord reports whether a byte can be in a keyword or an unquoted identifier.
func IsWord(b byte) bool {
	return isLetter(b) || '0' <= b && b <= '9' || b == '_'
}

// Error reports a token that is not closed, or a word that a parser does not expect.
type Error struct {
	Offset int // place of the first byte
	Reason string
}

func (e *Error) Error() string { return e.Reason }
