package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/migrate/folder"
)

// allowed leaves out what is allowed, and names what allows nothing.
func (l *linter) allowed() []Finding {
	for _, d := range l.file.Directives {
		if d.Verb != "allow" {
			continue
		}
		code, reason, _ := strings.Cut(d.Argument, " ")
		if !known(code) || strings.TrimSpace(reason) == "" {
			l.found = append(l.found, foundAt{l.finding(BadAllow, d.Line, d.Text), -1})
			continue
		}
		number := l.statementOf(d)
		before := len(l.found)
		l.found = slices.DeleteFunc(l.found, func(f foundAt) bool { return f.Code == code && f.number == number })
		if len(l.found) == before && code != Ahead.Code { // which is right until the time has come
			l.found = append(l.found, foundAt{l.finding(IdleAllow, d.Line, "there is no "+code+" to allow here"), -1})
		}
	}
	slices.SortStableFunc(l.found, func(a, b foundAt) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Code, b.Code)) })
	var out []Finding
	for _, f := range l.found {
		out = append(out, f.Finding)
	}
	return out
}

func known(code string) bool {
	return slices.ContainsFunc(Rules(), func(r Rule) bool { return r.Code == code && r != BadAllow && r != IdleAllow && r != Misspelt })
}

// statementOf returns the number of the statement that a directive stands in, or behind on its last line, else of that which
// comes next; 0 for none.
func (l *linter) statementOf(d folder.Directive) int {
	number := 0
	for _, s := range l.file.Statements {
		last := s.Line + strings.Count(s.Text, "\n")
		switch {
		case s.Offset < d.Offset && d.Line <= last:
			number = s.Number
		case s.Offset > d.Offset && number == 0:
			return s.Number
		}
	}
	return number
}
