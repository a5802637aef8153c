package folder

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/cassaml/cassaml/internal/lex"
)

// Directive is a line -- aml:VERB ARGUMENT of a file.
type Directive struct {
	Verb     string // func, backfill, fields, optional, allow, manual, shared or unshared
	Argument string
	Text     string // the comment
	Line     int    // counted from 1
	Offset   int    // byte offset of the comment
}

const (
	funcDirective     = "func"
	backfillDirective = "backfill"
	fieldsDirective   = "fields"   // the fields of a type with which a table is created or filled; for aml diff
	optionalDirective = "optional" // the condition of the next statement may be false
	allowDirective    = "allow"    // a code that lint must not report; ignored by Up
	manualDirective   = "manual"   // a table, type or index that no model describes; ignored by Up
	sharedDirective   = "shared"   // a type that another folder creates and alters
	unsharedDirective = "unshared"
)

// verbs returns the verbs of all directives.
func verbs() []string {
	return []string{funcDirective, backfillDirective, fieldsDirective, optionalDirective, allowDirective, manualDirective, sharedDirective, unsharedDirective}
}

// directives returns the directives of a text, and the comments that look like directives. All directives except aml:allow must be
// between statements.
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

// fault returns the reason why a directive is invalid; "" if it is valid.
func (d Directive) fault(statements []Statement) string {
	switch d.Verb {
	case allowDirective:
		return ""
	case sharedDirective: // see readShared
	case fieldsDirective:
		if _, _, _, ok := d.Fields(); !ok {
			return "aml:fields takes a table, a type and its fields: -- aml:fields vehicles owner (id, name)"
		}
	case funcDirective, backfillDirective, optionalDirective, manualDirective, unsharedDirective:
	default:
		if meant := meantBy(d.Text); meant != "" {
			return fmt.Sprintf("unknown directive aml:%s; write %s", d.Verb, meant)
		}
		if meant := lex.Nearest(strings.ToLower(d.Verb), verbs()); meant != "" {
			return fmt.Sprintf("unknown directive aml:%s; did you mean aml:%s?", d.Verb, meant)
		}
		return fmt.Sprintf("unknown directive aml:%s; the directives are aml:%s", d.Verb, strings.Join(verbs(), ", aml:"))
	}
	if d.Verb != sharedDirective && d.Verb != fieldsDirective && d.Verb != optionalDirective && len(strings.Fields(d.Argument)) != 1 {
		return fmt.Sprintf("aml:%s takes one name, not %q", d.Verb, d.Argument)
	}
	inside := func(s Statement) bool { return s.Offset < d.Offset && d.Offset < s.Offset+len(s.Text) }
	if slices.ContainsFunc(statements, inside) {
		return fmt.Sprintf("aml:%s is inside a statement; move it before or after the statement", d.Verb)
	}
	if d.Verb == optionalDirective {
		if next := d.next(statements); next < 0 || !conditional(statements[next]) {
			return "aml:optional is not followed by a statement with IF: move it before the conditional statement whose condition may be false"
		}
	}
	return ""
}

// Fields returns the table, the type and the fields of the type that a directive aml:fields names.
func (d Directive) Fields() (table, of string, fields []string, ok bool) {
	words, err := lex.Script(d.Argument)
	if err != nil {
		return "", "", nil, false
	}
	r := lex.Reader{Words: words}
	table, of = r.Identifier(), r.Identifier()
	if table == "" || of == "" || !r.Accept("(") {
		return "", "", nil, false
	}
	for {
		name := r.Identifier()
		if name == "" {
			return "", "", nil, false
		}
		fields = append(fields, name)
		switch {
		case r.Accept(","):
		case r.Accept(")"):
			return table, of, fields, r.Peek().Upper == ""
		default:
			return "", "", nil, false
		}
	}
}

// next returns the index of the statement that follows a directive; -1 if there is none.
func (d Directive) next(statements []Statement) int {
	return slices.IndexFunc(statements, func(s Statement) bool { return s.Offset > d.Offset })
}

// conditional reports whether a statement writes data with a condition.
func conditional(s Statement) bool {
	switch s.Verb() {
	case "INSERT", "UPDATE", "DELETE", "BEGIN":
		return slices.ContainsFunc(lex.Words(s.Text), func(w lex.Word) bool { return w.Is("IF") })
	}
	return false
}

// withFuncs inserts the calls of functions between the statements, and marks optional statements.
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

// readBackfills returns the tables that a file backfills, in order.
func readBackfills(text string, found []Directive) ([]string, error) {
	var tables []string
	for _, d := range found {
		if d.Verb != backfillDirective {
			continue
		}
		if slices.Contains(tables, d.Argument) {
			return nil, syntaxError(text, d.Offset, "aml:backfill "+d.Argument+" is repeated; remove one")
		}
		tables = append(tables, d.Argument)
	}
	return tables, nil
}

// Misspelling is a comment that looks like a directive, but has another form and no effect. migrate.Up refuses it in a file that is
// pending, also in part. It ignores the misspelling in an applied file, which must not be edited.
type Misspelling struct {
	Text   string // the first line of the comment
	Meant  string // the directive in its correct form
	Line   int    // counted from 1
	Offset int    // byte offset of the comment
}

func misspelling(text string, t lex.Token, meant string) Misspelling {
	line, _, _ := strings.Cut(strings.TrimSpace(text[t.From:t.To]), "\n")
	return Misspelling{Text: line, Meant: meant, Line: 1 + strings.Count(text[:t.From], "\n"), Offset: t.From}
}

// meantBy returns the directive that a comment looks like; "" for any other comment. Such a comment begins with the word aml or @aml
// in any case, followed by blanks and any of : . _ -, and a verb.
func meantBy(comment string) string {
	pattern := regexp.MustCompile(`(?is)^(?:--+|//+|/\*+)[\s\p{Z}]*@?aml([\s\p{Z}:._-]+)(func|backfill|fields|optional|allow|manual|shared|unshared)\b(.*)$`)
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

// isField reports whether a verb is spelled like an exported Go field. A sentence about a field Aml.Func is not a directive; aml
// diff writes such sentences.
func isField(verb string) bool {
	return unicode.IsUpper(rune(verb[0])) && strings.ToUpper(verb) != verb
}
