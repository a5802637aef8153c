package lint

import (
	"cmp"
	"fmt"
	"slices"
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

// Rule is one thing that lint names. Codes never change their meaning and are never used again.
type Rule struct {
	Code  string
	Title string
	Why   string // what it does to data, or to programs that are still running
	Fix   string
}

// The rules.
var (
	DropTable  = Rule{"MIG101", "a table or keyspace that is dropped", "its rows are lost, and an older program that still uses it fails", "drop it in a release after the last that uses it"}
	DropColumn = Rule{"MIG102", "a column that is dropped", "what is stored in it is lost, and an older program that still uses it fails", "drop it in a release after the last that uses it"}
	DeleteData = Rule{"MIG103", "data that is deleted", "what is stored there is lost", "be sure that no program needs it"}
	DropIndex  = Rule{"MIG104", "an index that is dropped", "an older program that still reads by it fails", "drop it in a release after the last that reads by it"}
	RenameName = Rule{"MIG105", "a column or field that is renamed", "an older program knows the earlier name, and fails", "stop the older programs first, or keep the name"}
	GrowFrozen = Rule{"MIG106", "a field added to a type that is stored frozen", "an older program that writes a whole value again leaves the field out", "let no program write the field before all of them know it"}
	Expiry     = Rule{"MIG107", "rows that expire, or expire sooner", "what is written is gone after that time, and where the table says so also what an older program writes", "be sure that it is meant for all that is written so"}
	BatchGrace = Rule{"MIG108", "gc_grace_seconds below 3600", "a logged batch that is older is never replayed, so that one half of a write can be missing for good", "give it an hour or more where logged batches write"}
	HintGrace  = Rule{"MIG109", "gc_grace_seconds below 10800", "a node that is down for up to three hours gets no hints that are older, and what was deleted meanwhile can come back", "give it three hours or more, or repair within that time"}
	Readded    = Rule{"MIG110", "a column that comes back", "a write with a timestamp before the drop reads null", "give the column another name"}
	Elsewhere  = Rule{"MIG111", "a statement on another keyspace", "it changes the same keyspace for every tenant and test, and aml diff does not see it", "name no keyspace: the session has one"}
	LooseField = Rule{"MIG112", "a collection that is not frozen, in a type that is not", "the server accepts it here and refuses the same by CREATE", "write frozen<…>"}
	Repeated   = Rule{"MIG113", "data that is not the same when it is written twice", "a run that dies behind the statement is followed by one that may send it again", "write fixed values, or call a function by -- aml:func"}
	Unseen     = Rule{"MIG114", "IF NOT EXISTS of what is there in another shape", "the server says nothing and changes nothing", "write ALTER, or another name"}
	BadAllow   = Rule{"MIG115", "an aml:allow without a code or a reason", "later the reason is unknown", "write -- aml:allow CODE and the reason"}
	IdleAllow  = Rule{"MIG116", "an aml:allow that allows nothing", "it would hide what comes there later", "delete it, or put it directly before its statement"}
	NoSuchFill = Rule{"MIG117", "an aml:backfill of a table that is not there", "nothing is filled, and status shows it as skipped", "write the name as the server knows it"}
	Misspelt   = Rule{"MIG118", "a comment that reads like a directive and is none", "what it asks for is not done, and as long as the file is pending it is refused", "write the directive as it is said, or begin the comment with another word"}
	Ahead      = Rule{"MIG119", "data with a timestamp that is still to come", "until that time no other write to the same cells has an effect, nor does what deletes them", "write microseconds since 1970 that have passed, or leave the timestamp out"}
	NoSuchHand = Rule{"MIG120", "an aml:manual of what is not there", "aml diff still plans to drop what is meant", "write the name as the server knows it, without quotes, a keyspace or a semicolon, in the file that creates it or a later one"}
)

// Rules lists the rules in the order of their codes.
func Rules() []Rule {
	return []Rule{
		DropTable, DropColumn, DeleteData, DropIndex, RenameName, GrowFrozen, Expiry, BatchGrace, HintGrace, Readded, Elsewhere,
		LooseField, Repeated, Unseen, BadAllow, IdleAllow, NoSuchFill, Misspelt, Ahead, NoSuchHand,
	}
}
