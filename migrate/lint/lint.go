package lint

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
)

// Finding is one thing to think of before a migration is applied.
type Finding struct {
	File    string
	Line    int // from 1
	Code    string
	Message string // what it is, and why it is named
	Fix     string
}

// String returns file:line: code: message; how to fix it.
func (f Finding) String() string {
	return fmt.Sprintf("%s:%d: %s: %s; %s", f.File, f.Line, f.Code, f.Message, f.Fix)
}

// Lint names what a folder of migrations does to data and to programs of an earlier release that are still running, in the
// order of the folder. It replays the folder, and so knows the keyspace before each statement.
//
// A line -- aml:allow CODE reason directly before a statement, or at the end of its last line, allows the code for it.
// The errors are those of [catalog.Replay].
func Lint(files []folder.File) ([]Finding, error) {
	k := &catalog.Keyspace{}
	var found []Finding
	for _, f := range files {
		l := &linter{file: f, now: k, before: k.Clone()}
		if err := k.Note(f); err != nil {
			return nil, err
		}
		l.shared()
		for _, s := range f.Statements {
			if err := l.statement(s); err != nil {
				return nil, err
			}
		}
		l.backfills()
		l.manuals()
		l.misspelt()
		found = append(found, l.allowed()...)
	}
	return found, nil
}

// shared judges the fields that types of other folders have got.
func (l *linter) shared() {
	for _, s := range l.file.Shared {
		old := l.before.Type(s.Type)
		if old == nil || s.From == "" {
			continue
		}
		for _, f := range l.now.Type(s.Type).Fields[min(len(old.Fields), len(s.Fields)):] {
			l.line = 1 + strings.Count(l.file.Text[:s.Offset], "\n")
			l.number = l.statementOf(folder.Directive{Offset: s.Offset, Line: l.line})
			l.addField(&ddl.AddField{Target: ddl.Target{Name: s.Type}, Field: f})
		}
	}
}

// backfills judges what is to be filled once the statements are applied.
func (l *linter) backfills() {
	for _, d := range l.file.Directives {
		if d.Verb == "backfill" && l.now.Table(d.Argument) == nil {
			l.line, l.number = d.Line, 0
			l.say(NoSuchFill, "there is no table %s", d.Argument)
		}
	}
}

// manuals judges the names of what is owned by hand, which the whole file may create. What allows one stands before the same
// statement as that which it allows.
func (l *linter) manuals() {
	for _, d := range l.file.Directives {
		if d.Verb == "manual" && !l.now.Has(d.Argument) {
			l.line, l.number = d.Line, l.statementOf(d)
			l.say(NoSuchHand, "there is no table, type, index or view %s", d.Argument)
		}
	}
}

// misspelt names the comments that were meant to be directives. They cannot be allowed: in a
// file that is pending they can be written otherwise, and -from leaves out those that are applied.
func (l *linter) misspelt() {
	for _, m := range l.file.Misspelt {
		l.found = append(l.found, foundAt{l.finding(Misspelt, m.Line, m.Text+" reads like "+m.Meant), -1})
	}
}

// linter looks at one file.
type linter struct {
	file   folder.File
	before *catalog.Keyspace // the file
	now    *catalog.Keyspace // what the statements so far lead to
	line   int               // of the statement at hand
	number int               // of the statement at hand
	found  []foundAt
}

// foundAt is a finding and the number of its statement.
type foundAt struct {
	Finding
	number int
}

// say notes what a rule says of the statement at hand.
func (l *linter) say(r Rule, what string, args ...any) {
	l.found = append(l.found, foundAt{l.finding(r, l.line, fmt.Sprintf(what, args...)), l.number})
}

func (l *linter) finding(r Rule, line int, what string) Finding {
	return Finding{File: l.file.Name, Line: line, Code: r.Code, Message: what + ": " + r.Why, Fix: r.Fix}
}

// statement judges one statement, then executes it.
func (l *linter) statement(s folder.Statement) error {
	l.line, l.number = s.Line, s.Number
	if s.Func != "" {
		return nil
	}
	switch parsed, err := ddl.Parse(s.Text); {
	case parsed == nil:
		l.data(s.Text)
	case err == nil || parsed.On().Keyspace != "":
		l.schema(parsed)
	}
	return l.now.Step(l.file, s)
}
