package folder

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/cassaml/cassaml/migrate/internal/lex"
)

// Directive is a line -- aml:VERB ARGUMENT of a file.
type Directive struct {
	Verb     string // func, backfill, optional, allow, manual, shared or unshared
	Argument string
	Text     string // the comment
	Line     int    // from 1
	Offset   int    // byte offset of the comment
}

const (
	funcDirective     = "func"
	backfillDirective = "backfill"
	optionalDirective = "optional" // the condition of the next statement may be false
	allowDirective    = "allow"    // what lint is to accept; nothing to Up
	manualDirective   = "manual"   // a table, type or index that no model describes; nothing to Up
	sharedDirective   = "shared"   // a type that another folder creates and alters
	unsharedDirective = "unshared"
)

// directives finds the directives of a text, and the comments that were meant to be
// some. Those that are steps of a run stand between statements.
func directives(text string, statements []Statement) (found []Directive, misspelt []Misspelling, err error) {
	pattern := regexp.MustCompile(`^--[ \t]*aml:(\S*)[ \t]*(.*?)[ \t]*$`)
	for l := (lex.Lexer{Text: text}); ; {
		t, err := l.Next()
		if err != nil || t.Kind == lex.End {
			return found, misspelt, unclosed(text, err)
		}
		if t.Kind != lex.Comment {
			continue
		}
		m := pattern.FindStringSubmatch(strings.TrimRight(text[t.From:t.To], "\r\n"))
		if m == nil {
			if meant := meantBy(text[t.From:t.To]); meant != "" {
				misspelt = append(misspelt, misspelling(text, t, meant))
			}
			continue
		}
		line := 1 + strings.Count(text[:t.From], "\n")
		d := Directive{Verb: m[1], Argument: m[2], Text: strings.TrimSpace(m[0]), Line: line, Offset: t.From}
		if reason := d.fault(statements); reason != "" {
			return nil, nil, syntaxError(text, t.From, reason)
		}
		found = append(found, d)
	}
}

// fault returns what is wrong with a directive, "" if nothing is.
func (d Directive) fault(statements []Statement) string {
	switch d.Verb {
	case allowDirective:
		return ""
	case sharedDirective: // see sharedOf
	case funcDirective, backfillDirective, optionalDirective, manualDirective, unsharedDirective:
	default:
		if meant := meantBy(d.Text); meant != "" {
			return fmt.Sprintf("unknown directive aml:%s; write %s", d.Verb, meant)
		}
		return fmt.Sprintf("unknown directive aml:%s; there are aml:func, aml:backfill, aml:optional, aml:manual, aml:shared, aml:unshared and aml:allow", d.Verb)
	}
	if d.Verb != sharedDirective && d.Verb != optionalDirective && len(strings.Fields(d.Argument)) != 1 {
		return fmt.Sprintf("aml:%s takes one name, not %q", d.Verb, d.Argument)
	}
	inside := func(s Statement) bool { return s.Offset < d.Offset && d.Offset < s.Offset+len(s.Text) }
	if slices.ContainsFunc(statements, inside) {
		return fmt.Sprintf("aml:%s stands inside a statement; put it before or behind", d.Verb)
	}
	if d.Verb == optionalDirective {
		if next := d.next(statements); next < 0 || !conditional(statements[next]) {
			return "aml:optional is not followed by a statement with IF: put it directly before the conditional statement that may be left unapplied"
		}
	}
	return ""
}

// next is the index of the statement that follows a directive, -1 without one.
func (d Directive) next(statements []Statement) int {
	return slices.IndexFunc(statements, func(s Statement) bool { return s.Offset > d.Offset })
}

// conditional reports whether a statement writes data on a condition.
func conditional(s Statement) bool {
	switch s.Verb() {
	case "INSERT", "UPDATE", "DELETE", "BEGIN":
		return slices.ContainsFunc(lex.Words(s.Text), func(w lex.Word) bool { return w.Is("IF") })
	}
	return false
}

// withFuncs puts the calls of functions in their places among the statements, and marks those that are optional.
func withFuncs(statements []Statement, found []Directive) []Statement {
	for _, d := range found {
		if d.Verb == optionalDirective {
			statements[d.next(statements)].Optional = true
		}
	}
	for _, d := range found {
		if d.Verb == funcDirective {
			statements = append(statements, Statement{
				Text: d.Text, Line: d.Line, Offset: d.Offset, Func: d.Argument, Hash: Hash(d.Text),
			})
		}
	}
	slices.SortFunc(statements, func(a, b Statement) int { return a.Offset - b.Offset })
	for i := range statements {
		statements[i].Number = i + 1
	}
	return statements
}

// backfillsOf lists the tables that a file asks to be filled, in order.
func backfillsOf(text string, found []Directive) ([]string, error) {
	var tables []string
	for _, d := range found {
		if d.Verb != backfillDirective {
			continue
		}
		if slices.Contains(tables, d.Argument) {
			return nil, syntaxError(text, d.Offset, "asks for the backfill of "+d.Argument+" a second time")
		}
		tables = append(tables, d.Argument)
	}
	return tables, nil
}

// Misspelling is a comment that reads like a directive and is none, so that nothing reads it. migrate.Up refuses it in a file of
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

// Fault is the refusal of a misspelling of a file.
func (m Misspelling) Fault(f *File) *SyntaxError {
	e := syntaxError(f.Text, m.Offset, "the comment reads like a directive and is none: write "+m.Meant+", or begin it with another word")
	e.File = f.Name
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
