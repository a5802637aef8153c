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

// Finding is an effect of a migration that needs a decision before the migration is applied.
type Finding struct {
	File    string
	Line    int // counted from 1
	Code    string
	Message string // the cause and its effect
	Fix     string
	Allowed string // the reason of the aml:allow for it; "" if there is none
}

// String returns "file:line: code: message; fix".
func (f Finding) String() string {
	return fmt.Sprintf("%s:%d: %s: %s; %s", f.File, f.Line, f.Code, f.Message, f.Fix)
}

// Lint reports the effects of a folder of migrations on data and on running programs of an earlier release, in the order of the
// folder. It replays the folder, so it knows the keyspace before each statement.
//
// A line -- aml:allow CODE reason directly before a statement, or at the end of its last line, allows the code for it.
// It returns the same errors as [catalog.Replay].
func Lint(files []folder.File) ([]Finding, error) {
	all, err := All(files)
	return slices.DeleteFunc(all, func(f Finding) bool { return f.Allowed != "" }), err
}

// All is like [Lint], and also returns the findings that are allowed, with the reason.
func All(files []folder.File) ([]Finding, error) {
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
		l.misspelled()
		found = append(found, l.allowed()...)
	}
	return found, nil
}

// shared checks the new fields of types that belong to other folders.
func (l *linter) shared() {
	for _, s := range l.file.Shared {
		old := l.before.Type(s.Type)
		if old == nil || s.From == "" {
			continue
		}
		for _, f := range l.now.Type(s.Type).Fields[min(len(old.Fields), len(s.Fields)):] {
			l.line = 1 + strings.Count(l.file.Text[:s.Offset], "\n")
			l.number = l.statementNumber(folder.Directive{Offset: s.Offset, Line: l.line})
			l.addField(&ddl.AddField{Target: ddl.Target{Name: s.Type}, Field: f})
		}
	}
}

// backfills checks the tables of aml:backfill after all statements of the file.
func (l *linter) backfills() {
	for _, d := range l.file.Directives {
		if d.Verb == "backfill" && l.now.Table(d.Argument) == nil {
			l.line, l.number = d.Line, 0
			l.report(UnknownBackfill, "there is no table %s", d.Argument)
		}
	}
}

// manuals checks the names of aml:manual after the whole file, because any of its statements may create the object. An
// aml:allow for it is at the same statement.
func (l *linter) manuals() {
	for _, d := range l.file.Directives {
		if d.Verb == "manual" && !l.now.Has(d.Argument) {
			l.line, l.number = d.Line, l.statementNumber(d)
			l.report(UnknownManual, "there is no table, type, index or view %s", d.Argument)
		}
	}
}

// misspelled reports the comments that look like directives. They cannot be allowed: a pending file can be corrected, and -from
// skips applied files.
func (l *linter) misspelled() {
	for _, m := range l.file.Misspelt {
		l.found = append(l.found, foundAt{l.finding(Misspelled, m.Line, m.Text+" looks like "+m.Meant), -1})
	}
}

// linter checks one file.
type linter struct {
	file   folder.File
	before *catalog.Keyspace // the keyspace before the file
	now    *catalog.Keyspace // the keyspace after the statements that have been checked
	line   int               // the line of the current statement
	number int               // the number of the current statement
	found  []foundAt
}

// foundAt is a finding and the number of its statement.
type foundAt struct {
	Finding
	number int
}

// report adds a finding at the current statement.
func (l *linter) report(r Rule, what string, args ...any) {
	l.found = append(l.found, foundAt{l.finding(r, l.line, fmt.Sprintf(what, args...)), l.number})
}

func (l *linter) finding(r Rule, line int, what string) Finding {
	return Finding{File: l.file.Name, Line: line, Code: r.Code, Message: what + ": " + r.Why, Fix: r.Fix}
}

// statement checks one statement, then replays it.
func (l *linter) statement(s folder.Statement) error {
	l.line, l.number = s.Line, s.Number
	if s.Func != "" {
		l.checkCopy(s.Func)
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

// allowed returns the findings, with the reasons of those that are allowed, and with those about the aml:allow directives themselves.
func (l *linter) allowed() []Finding {
	for _, d := range l.file.Directives {
		if d.Verb != "allow" {
			continue
		}
		code, reason, _ := strings.Cut(d.Argument, " ")
		reason = strings.TrimSpace(reason)
		if !known(code) || reason == "" {
			l.found = append(l.found, foundAt{l.finding(InvalidAllow, d.Line, d.Text), -1})
			continue
		}
		number := l.statementNumber(d)
		used := false
		for i := range l.found {
			if f := &l.found[i]; f.Code == code && f.number == number && f.Allowed == "" {
				f.Allowed, used = reason, true
			}
		}
		if !used && code != FutureTimestamp.Code { // it is used only until that time
			l.found = append(l.found, foundAt{l.finding(UnusedAllow, d.Line, "aml:allow "+code+" allows nothing here"), -1})
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
	return slices.ContainsFunc(Rules(), func(r Rule) bool { return r.Code == code && r != InvalidAllow && r != UnusedAllow && r != Misspelled })
}

// statementNumber returns the number of the statement that contains a directive or ends on its line, otherwise the number of
// the next statement; 0 if no statement follows.
func (l *linter) statementNumber(d folder.Directive) int {
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

// Rule is a kind of finding. A code never changes its meaning and is never reused.
type Rule struct {
	Code  string
	Title string
	Why   string // its effect on data or on running programs
	Fix   string
}

// The rules.
var (
	DropTable       = Rule{"MIG101", "a dropped table or keyspace", "its rows are lost, and an older program that still uses it fails", "drop it in a release after the last one that uses it"}
	DropColumn      = Rule{"MIG102", "a dropped column", "its values are lost, and an older program that still uses it fails", "drop it in a release after the last one that uses it"}
	DeleteData      = Rule{"MIG103", "deleted data", "the data is lost", "make sure that no program needs it"}
	DropIndex       = Rule{"MIG104", "a dropped index", "an older program that still reads by it fails", "drop it in a release after the last one that reads by it"}
	RenameName      = Rule{"MIG105", "a renamed column or field", "an older program uses the old name and fails", "stop the older programs first, or keep the name"}
	GrowFrozen      = Rule{"MIG106", "a field added to a type that is stored frozen", "an older program that overwrites a whole value omits the field", "do not write the field before all running programs know it"}
	Expiry          = Rule{"MIG107", "a new or shorter TTL", "the data is deleted after that time, and a TTL of the table also applies to writes of older programs", "make sure that all of this data may expire"}
	BatchGrace      = Rule{"MIG108", "gc_grace_seconds below 3600", "a logged batch that is older than this is not replayed, so a part of a write can be lost", "set it to at least 3600 if logged batches write the table"}
	HintGrace       = Rule{"MIG109", "gc_grace_seconds below 10800", "a node that was down for less than three hours gets no hints that are older than this, and deleted data can reappear", "set it to at least 10800, or repair within that time"}
	Readded         = Rule{"MIG110", "a dropped column that is added again", "a value with a timestamp before the drop reads as null", "give the column another name"}
	NamedKeyspace   = Rule{"MIG111", "a statement with a keyspace name", "it changes the same keyspace for every tenant and test, and aml diff ignores it", "omit the keyspace: the session has one"}
	UnfrozenField   = Rule{"MIG112", "a collection that is not frozen in a type that is not frozen", "the server accepts this in ALTER TYPE, but not in CREATE TABLE", "write frozen<…>"}
	NotIdempotent   = Rule{"MIG113", "a write that is not idempotent", "if a run is killed after the statement, the next run may send it again", "write fixed values, or call a function with -- aml:func"}
	OtherDefinition = Rule{"MIG114", "IF NOT EXISTS for an object with another definition", "the server changes nothing and reports no error", "use ALTER, or another name"}
	InvalidAllow    = Rule{"MIG115", "an invalid aml:allow", "the code is missing or unknown, or the reason is missing", "write -- aml:allow CODE and the reason"}
	UnusedAllow     = Rule{"MIG116", "an unused aml:allow", "it would hide later findings", "delete it, or move it directly before its statement"}
	UnknownBackfill = Rule{"MIG117", "an aml:backfill of a table that does not exist", "nothing is filled, and status reports the backfill as skipped", "write the name exactly as the server stores it"}
	Misspelled      = Rule{"MIG118", "a comment that looks like a directive", "it has no effect, and Up refuses the file while it is pending", "write the directive in this form, or begin the comment with another word"}
	FutureTimestamp = Rule{"MIG119", "data with a future timestamp", "until that time, other writes and deletions of the same cells have no effect", "write a past time in microseconds since 1970, or omit the timestamp"}
	UnknownManual   = Rule{"MIG120", "an aml:manual of an object that does not exist", "aml diff still drops the object that is meant", "write the name as the server stores it, without quotes, keyspace or semicolon, in the file that creates the object or a later one"}
	Versioned       = Rule{"MIG121", "a table that becomes versioned or whose versioned rows expire, or values that become unique", "an older program writes it without a version, claims or the column of rows that have not expired: its writes are lost or hide later ones, and a value can get two owners", "stop all older programs before the file is applied: a rolling deployment is not possible"}
	CopiedList      = Rule{"MIG122", "a function that copies a list that is not frozen", "what an older program changes in the list after the copy is lost, even if the function is called again", "stop all older programs before the file is applied: a rolling deployment is not possible"}
	FilledColumn    = Rule{"MIG123", "a function that fills a column of a versioned table", "what an older program writes to the earlier column after the function has read the row is lost, even if the function is called again", "stop all older programs before the file is applied: a rolling deployment is not possible"}
	CopiedVersioned = Rule{"MIG124", "a function that copies rows to a versioned table", "what an older program writes to the earlier table after the function has read the row is lost, even if the function is called again", "stop all older programs before the file is applied: a rolling deployment is not possible"}
	CheckedRoot     = Rule{"MIG125", "a function that writes the references of a table", "an older program writes references that are not recorded, and deletes rows to which others refer, even if the function is called again", "stop all older programs before the file is applied: a rolling deployment is not possible"}
)

// Rules lists the rules in the order of their codes.
func Rules() []Rule {
	return []Rule{
		DropTable, DropColumn, DeleteData, DropIndex, RenameName, GrowFrozen, Expiry, BatchGrace, HintGrace, Readded, NamedKeyspace,
		UnfrozenField, NotIdempotent, OtherDefinition, InvalidAllow, UnusedAllow, UnknownBackfill, Misspelled, FutureTimestamp, UnknownManual, Versioned, CopiedList, FilledColumn, CopiedVersioned, CheckedRoot,
	}
}
