package lex

import "strings"

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
	Other                 // any other single byte
)

// Token is a piece of a text: text[From:To].
type Token struct {
	Kind     Kind
	From, To int
}

// Blank reports whether a token between two statements means nothing.
func (k Kind) Blank() bool {
	return k == Space || k == Comment || k == Semicolon
}

// ByteOrderMark may open a text.
const ByteOrderMark = "\ufeff"

// Lexer cuts a CQL text into tokens that lie side by side, without loss. It
// follows the server's own lexer: comments do not nest, a line comment ends
// with a line feed or a carriage return, and only ” and "" escape a quote.
type Lexer struct {
	Text string
	pos  int
}

// Next returns the next token, or the *[Error] of one that is not closed.
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

// opened measures what begins with a mark: a comment, a string or a quoted
// identifier. The size is negative when the end is missing. A byte that opens
// nothing stands for itself.
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
	return Other, 1, ""
}

// lineSize measures a line comment. The end of the text ends it too.
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

// quotedSize measures up to the closing quote; a doubled one is a character.
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

// Span counts the leading bytes that are of a class.
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

// IsWord reports whether a byte can stand in a keyword or an unquoted identifier.
func IsWord(b byte) bool {
	return isLetter(b) || '0' <= b && b <= '9' || b == '_'
}

// Error reports a token that is not closed.
type Error struct {
	Offset int // of its first byte
	Reason string
}

func (e *Error) Error() string { return e.Reason }
