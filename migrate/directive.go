package migrate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// directive is a line -- aml:VERB ARGUMENT of a file.
type directive struct {
	verb     string
	argument string
	text     string
	offset   int
}

const (
	funcDirective     = "func"
	backfillDirective = "backfill"
	allowDirective    = "allow" // what lint is to accept; nothing to Up
)

// directives finds the directives of a text. Those that are steps of a run stand
// between statements.
func directives(text string, statements []Statement) ([]directive, error) {
	pattern := regexp.MustCompile(`^--[ \t]*aml:(\S*)[ \t]*(.*?)[ \t]*$`)
	var found []directive
	for l := (lexer{text: text}); ; {
		t, err := l.next()
		if err != nil || t.kind == tokenEnd {
			return found, err
		}
		m := pattern.FindStringSubmatch(strings.TrimRight(text[t.from:t.to], "\r\n"))
		if t.kind != tokenComment || m == nil {
			continue
		}
		d := directive{verb: m[1], argument: m[2], text: strings.TrimSpace(m[0]), offset: t.from}
		if reason := d.fault(statements); reason != "" {
			return nil, syntaxError(text, t.from, reason)
		}
		found = append(found, d)
	}
}

// fault says what is wrong with a directive, "" if nothing is.
func (d directive) fault(statements []Statement) string {
	switch d.verb {
	case allowDirective:
		return ""
	case funcDirective, backfillDirective:
	default:
		return fmt.Sprintf("unknown directive aml:%s; there are aml:func, aml:backfill and aml:allow", d.verb)
	}
	if len(strings.Fields(d.argument)) != 1 {
		return fmt.Sprintf("aml:%s takes one name, not %q", d.verb, d.argument)
	}
	inside := func(s Statement) bool { return s.Offset < d.offset && d.offset < s.Offset+len(s.Text) }
	if slices.ContainsFunc(statements, inside) {
		return fmt.Sprintf("aml:%s stands inside a statement; put it before or behind", d.verb)
	}
	return ""
}

// withFuncs puts the calls of functions in their places among the statements.
func withFuncs(text string, statements []Statement, found []directive) []Statement {
	for _, d := range found {
		if d.verb == funcDirective {
			statements = append(statements, Statement{
				Text: d.text, Line: 1 + strings.Count(text[:d.offset], "\n"), Offset: d.offset, fn: d.argument,
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
func backfillsOf(text string, found []directive) ([]string, error) {
	var tables []string
	for _, d := range found {
		if d.verb != backfillDirective {
			continue
		}
		if slices.Contains(tables, d.argument) {
			return nil, syntaxError(text, d.offset, "asks for the backfill of "+d.argument+" a second time")
		}
		tables = append(tables, d.argument)
	}
	return tables, nil
}
