package migrate

import "strings"

// tokenKind says what a token is, as far as splitting needs to know.
type tokenKind int

const (
	tokenEnd       tokenKind = iota // the end of the text
	tokenSpace                      // white space, or a byte order mark at the start
	tokenComment                    // -- …, // … or /* … */
	tokenSemicolon                  // ;
	tokenWord                       // a keyword or an unquoted identifier
	tokenQuoted                     // '…', "…" or $$…$$
	tokenOther                      // any other single byte
)

// token is a piece of a text: text[from:to].
type token struct {
	kind     tokenKind
	from, to int
}

// blank reports whether a token between two statements means nothing.
func (k tokenKind) blank() bool {
	return k == tokenSpace || k == tokenComment || k == tokenSemicolon
}

const byteOrderMark = "\ufeff"

// lexer cuts a CQL text into tokens that lie side by side, without loss. It
// follows the server's own lexer: comments do not nest, a line comment ends
// with a line feed or a carriage return, and only ” and "" escape a quote.
type lexer struct {
	text string
	pos  int
}

// next returns the next token, or the *SyntaxError of one that is not closed.
func (l *lexer) next() (token, error) {
	rest := l.text[l.pos:]
	kind, size := tokenEnd, 0
	what := ""
	switch {
	case rest == "":
	case l.pos == 0 && strings.HasPrefix(rest, byteOrderMark):
		kind, size = tokenSpace, len(byteOrderMark)
	case isSpace(rest[0]):
		kind, size = tokenSpace, span(rest, isSpace)
	case isLetter(rest[0]):
		kind, size = tokenWord, span(rest, isWord)
	case rest[0] == ';':
		kind, size = tokenSemicolon, 1
	default:
		kind, size, what = opened(rest)
	}
	if size < 0 {
		return token{}, syntaxError(l.text, l.pos, what+" is not closed")
	}
	from := l.pos
	l.pos += size
	return token{kind: kind, from: from, to: l.pos}, nil
}

// opened measures what begins with a mark: a comment, a string or a quoted
// identifier. The size is negative when the end is missing. A byte that opens
// nothing stands for itself.
func opened(rest string) (kind tokenKind, size int, what string) {
	switch {
	case strings.HasPrefix(rest, "--"), strings.HasPrefix(rest, "//"):
		return tokenComment, lineSize(rest), "comment"
	case strings.HasPrefix(rest, "/*"):
		return tokenComment, closedSize(rest, "/*", "*/"), "comment /*"
	case strings.HasPrefix(rest, "$$"):
		return tokenQuoted, closedSize(rest, "$$", "$$"), "string $$"
	case rest[0] == '\'':
		return tokenQuoted, quotedSize(rest), "string"
	case rest[0] == '"':
		return tokenQuoted, quotedSize(rest), "quoted identifier"
	}
	return tokenOther, 1, ""
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

// span counts the leading bytes that are of a class.
func span(s string, class func(byte) bool) int {
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

func isWord(b byte) bool {
	return isLetter(b) || '0' <= b && b <= '9' || b == '_'
}
