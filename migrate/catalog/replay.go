package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/internal/lex"
	"github.com/cassaml/cassaml/migrate/internal/ddl"

	"github.com/cassaml/cassaml/migrate/folder"
)

// Replay returns the keyspace that a folder of migrations creates. It executes the statements in order, as Cassandra 5.0 would,
// including IF [NOT] EXISTS, but without a server. It ignores statements that change no type, table or index, and statements that
// name a keyspace, because the folder does not know the keyspace of its session. It refuses a text that does not begin with a
// word of CQL.
//
// Names, types and keys are checked like on the server. Only a server can check the values of properties, the targets of indexes,
// the key of a materialized view, and the type of a dropped column that is added again: use aml migrate verify.
//
// Replay refuses some statements that a server accepts: those after which the server cannot start again (types with the name of a
// CQL type, dropped columns with vectors of user-defined types, percentiles of speculative_retry and additional_write_policy that
// the server stores as 0p or 100p), types with a keyspace name or as a quoted class, and tables with compact storage.
//
// The error for an invalid statement, or one that the server would refuse, is a *[folder.SyntaxError] with its position.
func Replay(files []folder.File) (*Keyspace, error) {
	k := &Keyspace{}
	for _, f := range files {
		if err := k.Note(f); err != nil {
			return nil, err
		}
		for _, s := range f.Statements {
			if err := k.Step(f, s); err != nil {
				return nil, err
			}
		}
	}
	return k, nil
}

// Note records the directives of a file before its statements are executed: manual objects, backfills, and types of other
// folders. It returns the same errors as [Replay].
func (k *Keyspace) Note(f folder.File) error {
	k.ensureOrder().begin(f)
	for _, d := range f.Directives {
		if d.Verb != "manual" {
			continue
		}
		if k.Manual == nil {
			k.Manual = map[string]bool{}
		}
		k.Manual[d.Argument] = true
	}
	return k.share(f)
}

// Step executes one statement of a file. It returns the same errors as [Replay].
func (k *Keyspace) Step(f folder.File, s folder.Statement) error {
	if s.Func != "" {
		o := k.ensureOrder()
		o.calls = append(o.calls, s.Func)
		return nil
	}
	if why := noStatement(s.Text); why != "" {
		return syntaxError(f, s.Offset, why+"; remove it, or write valid CQL")
	}
	parsed, err := ddl.Parse(s.Text)
	if parsed == nil || parsed.On().Keyspace != "" {
		return nil
	}
	if e, ok := errors.AsType[*ddl.ParseError](err); ok {
		return syntaxError(f, s.Offset+e.Offset, e.Reason+"; write valid CQL")
	}
	if err := k.refuseShared(parsed); err != nil {
		return syntaxError(f, s.Offset, err.Error()+": write the statement there, and share the type with -- aml:shared")
	}
	if err := k.Execute(parsed); err != nil {
		return syntaxError(f, s.Offset, err.Error()+"; the server would refuse this: fix this statement, or one before it")
	}
	k.ensureOrder().record(k, parsed)
	return nil
}

// Apply executes a statement on the keyspace as the server would. It returns an error for an invalid statement, or one that the
// server would refuse; do not use the keyspace after an error. known is false for a statement that changes no type, table or
// index of this keyspace.
func (k *Keyspace) Apply(cql string) (known bool, err error) {
	s, err := ddl.Parse(cql)
	if s == nil || s.On().Keyspace != "" {
		return false, nil
	}
	if err != nil {
		return true, err
	}
	return true, k.Execute(s)
}

// Execute executes a statement on the keyspace as the server would. It returns an error for a statement that the server would
// refuse; do not use the keyspace after an error.
func (k *Keyspace) Execute(s ddl.Statement) error {
	switch s := s.(type) {
	case *ddl.CreateType:
		return k.createType(s)
	case *ddl.AddField:
		return k.addField(s)
	case *ddl.RenameFields:
		return k.renameFields(s)
	case *ddl.DropType:
		return k.dropType(s)
	case *ddl.CreateTable:
		return k.createTable(s)
	case *ddl.AddColumns:
		return k.addColumns(s)
	case *ddl.DropColumns:
		return k.dropColumns(s)
	case *ddl.RenameColumns:
		return k.renameColumns(s)
	case *ddl.SetProperties:
		return k.setProperties(s)
	case *ddl.DropTable:
		return k.dropTable(s)
	case *ddl.CreateIndex:
		return k.createIndex(s)
	case *ddl.DropIndex:
		return k.dropIndex(s)
	case *ddl.CreateView:
		return k.createView(s)
	case *ddl.DropView:
		return k.dropView(s)
	}
	return fmt.Errorf("unknown statement %T", s)
}

// syntaxError returns an error at a position of a file.
func syntaxError(f folder.File, offset int, reason string) *folder.SyntaxError {
	before := f.Text[:offset]
	return &folder.SyntaxError{
		File: f.Name, Line: 1 + strings.Count(before, "\n"), Column: offset - strings.LastIndexByte(before, '\n'), Reason: reason,
	}
}

// verbs are the first words of CQL statements.
var verbs = newWordSet(`add alter begin create delete desc describe drop grant insert list revoke select truncate update use`)

// commands are the first words of cqlsh commands, which a server does not support.
var commands = newWordSet(`capture clear cls consistency copy debug elapsed exit expand help history login paging quit serial show source
	tracing unicode`)

// noStatement returns why a text cannot be a CQL statement, based on its first word; "" if it can be one.
func noStatement(text string) string {
	words := lex.Words(text)
	if len(words) == 0 {
		return ""
	}
	switch word := strings.ToLower(words[0].Text); {
	case words[0].Kind == lex.WordToken && verbs[word]:
		return noObject(words)
	case commands[word]:
		return words[0].Text + " is a cqlsh command, not a CQL statement"
	}
	return "no CQL statement begins with " + words[0].Text
}

// objects are the words that can follow the first word of a statement, if they are few, and the words that can follow these.
var objects = map[string]string{
	"CREATE": "TABLE COLUMNFAMILY TYPE INDEX CUSTOM MATERIALIZED KEYSPACE FUNCTION AGGREGATE OR TRIGGER ROLE USER GENERATED",
	"ALTER":  "TABLE COLUMNFAMILY TYPE MATERIALIZED KEYSPACE ROLE USER",
	"DROP":   "TABLE COLUMNFAMILY TYPE INDEX MATERIALIZED KEYSPACE FUNCTION AGGREGATE TRIGGER ROLE USER IDENTITY",
	"INSERT": "INTO",
	"BEGIN":  "BATCH UNLOGGED COUNTER TRANSACTION",
	"CUSTOM": "INDEX", "MATERIALIZED": "VIEW", "UNLOGGED": "BATCH", "COUNTER": "BATCH", "OR": "REPLACE", "REPLACE": "FUNCTION AGGREGATE",
}

// noObject returns why a text does not begin with the words of a CQL statement, whose first word is known; "" if it can be one.
func noObject(words []lex.Word) string {
	for i := 0; ; i++ {
		next, known := objects[lex.UpperAt(words, i)]
		if !known {
			return ""
		}
		all := strings.Fields(next)
		word := lex.UpperAt(words, i+1)
		if slices.Contains(all, word) {
			continue
		}
		var text []string
		for _, w := range words[:min(i+2, len(words))] {
			text = append(text, w.Text)
		}
		why := "no CQL statement begins with " + strings.Join(text, " ")
		if meant := lex.Nearest(word, all); meant != "" {
			why += " (did you mean " + meant + "?)"
		}
		return why
	}
}

func newWordSet(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// record notes the objects that a statement, which has been executed, has created or removed.
func (o *Order) record(k *Keyspace, s ddl.Statement) {
	switch s.(type) {
	case *ddl.CreateTable, *ddl.AddColumns, *ddl.DropColumns, *ddl.RenameColumns, *ddl.DropTable:
		o.recordTable(k, s.On().Name)
	}
}

// recordTable updates the record of a table.
func (o *Order) recordTable(k *Keyspace, table string) {
	t := k.Table(table)
	if t == nil {
		delete(o.created, table)
		delete(o.fields, table)
		return
	}
	made := map[string]int{"": o.file}
	for _, c := range t.Columns {
		made[c.Name] = o.file
	}
	for name, at := range o.created[table] {
		if _, there := made[name]; there {
			made[name] = at
		}
	}
	o.created[table] = made
}
