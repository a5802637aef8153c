package migrate

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/cassaml/cassaml/migrate/internal/lex"
)

// Misspelling is a comment that reads like a directive and is none, so that nothing reads it. [Up] refuses it in a file of
// which something is pending. Once all of a file is applied it may not be edited any more, so that there it is left alone.
type Misspelling struct {
	Text   string // the first line of the comment
	Meant  string // the directive that it reads like
	Line   int    // from 1
	Offset int    // byte offset of the comment
}

func misspelling(text string, t lex.Token, meant string) Misspelling {
	line, _, _ := strings.Cut(strings.TrimSpace(text[t.From:t.To]), "\n")
	return Misspelling{Text: line, Meant: meant, Line: 1 + strings.Count(text[:t.From], "\n"), Offset: t.From}
}

// fault is the refusal of a misspelling of a file.
func (m Misspelling) fault(f *file) *SyntaxError {
	e := syntaxError(f.text, m.Offset, "the comment reads like a directive and is none: write "+m.Meant+", or begin it with another word")
	e.File = f.name
	return e
}

// meantBy returns the directive that a comment was meant to be: whatever begins with the word aml in any case, a @ before it or
// not, then blanks and any of : . _ -, then a verb. "" is a comment like any other.
func meantBy(comment string) string {
	pattern := regexp.MustCompile(`(?is)^(?:--+|//+|/\*+)[\s\p{Z}]*@?aml([\s\p{Z}:._-]+)(func|backfill|optional|allow|manual|shared|unshared)\b(.*)$`)
	m := pattern.FindStringSubmatch(comment)
	if m == nil {
		return ""
	}
	rest, block := strings.CutSuffix(m[3], "*/")
	if block {
		rest = strings.TrimRight(rest, "*")
	}
	argument, _, _ := strings.Cut(strings.TrimSpace(strings.TrimLeft(rest, ": \t")), "\n")
	if m[1] == "." && isField(m[2]) && len(strings.Fields(argument)) != 1 {
		return ""
	}
	return strings.TrimSpace("-- aml:" + strings.ToLower(m[2]) + " " + argument)
}

// isField reports whether a verb is written as a field of Go that is exported. A sentence about Aml.Func is none about a
// directive: of those, aml diff writes some itself.
func isField(verb string) bool {
	return unicode.IsUpper(rune(verb[0])) && strings.ToUpper(verb) != verb
}
